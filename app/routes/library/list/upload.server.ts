import { type AppLoadContext, data } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import type { Uuid } from "~/domain/shared/model";
import { packMessage, type UserMessage } from "~/forms/shared/user-message";

/** Form with files that is being received. */
export interface UploadPost {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly ownerId?: Uuid | undefined;
  readonly folderId?: Uuid | undefined;
  /** Item whose file is replaced. */
  readonly replacesId?: Uuid;
}

/** Result of an upload that did not store all files. */
export interface UploadOutcome {
  readonly action: "upload";
  /** Message of the reason why nothing was stored, packed into one string (its key and values); null if there is none. */
  readonly problem: string | null;
  /** Titles of the stored items. */
  readonly stored: readonly string[];
  /** Names of rejected files, each with a message that is packed in the same way. */
  readonly failed: readonly { readonly name: string; readonly problem: string }[];
}

/** Whether a form contains files. */
export const hasFiles = (request: Request): boolean =>
  request.headers.get("content-type")?.startsWith("multipart/form-data") ?? false;

interface UploadRejection {
  readonly userMessage: UserMessage;
  readonly fields?: Readonly<Record<string, readonly UserMessage[]>>;
}

/** Message about the file itself if there is one; otherwise the general message of the rejection. */
const problemOf = ({ userMessage, fields = {} }: UploadRejection) =>
  packMessage(Object.values(fields)[0]?.[0] ?? userMessage);

/** Stores the files of a form without scripts. Returns a response with the outcome, or null if all files were stored. */
export async function storeUploadForm(post: UploadPost) {
  const { status, outcome } = await storeFormFiles(post);
  return outcome && data<UploadOutcome>(outcome, { status });
}

/** Stores the files of a form. Returns the stored items, and the outcome to report unless all files were stored. */
export async function storeFormFiles({ context, ...target }: UploadPost) {
  const { declaredBytes, files } = context.form.readFiles("file");
  const attempt = await context.attempt(
    context.services.uploads.storeFiles({ ...target, declaredBytes, files }),
  );
  if (!attempt.ok) {
    const { status } = attempt.failure;
    if (status === 404) throw new Response(null, { status, statusText: "Not Found" });
    return { status, items: [], outcome: createOutcome(problemOf(attempt.failure), [], []) };
  }
  const items = attempt.value.flatMap((result) => ("item" in result ? [result.item] : []));
  const failed = attempt.value.flatMap((result) =>
    "rejection" in result ? [{ name: result.fileName, problem: problemOf(result.rejection) }] : [],
  );
  if (failed.length === 0) return { status: 200, items, outcome: null };
  const titles = items.map(({ title }) => title);
  return { status: 400, items, outcome: createOutcome(null, titles, failed) };
}

const createOutcome = (
  problem: string | null,
  stored: readonly string[],
  failed: UploadOutcome["failed"],
): UploadOutcome => ({ action: "upload", problem, stored, failed });
