/** Verdicts on uploads, asked of a service that the installation names (decision 047). */

import type { Repositories } from "#functions/data/shared/repositories";
import { fileVersion } from "~/domain/library/media-address";
import { CHECK_RETRY_SECONDS, VERDICT_RESPONSE_MAX } from "~/domain/library/upload-check";
import { readVerdict } from "~/domain/library/upload-check.schema";
import { canLogIn } from "~/domain/users/user-status";
import { type LinkDeps, sendEmail } from "../events/links";
import { bindUseCases } from "../shared/bind";
import { toInstant } from "../shared/digest";
import type { Clock } from "../shared/ports";
import { signFileUse } from "../visitors/signed-files";
import type { MediaSigner } from "../visitors/visitor-ports";
import { signMessage } from "../webhooks/webhook-delivery";
import type { SendToWebhookEndpoint } from "../webhooks/webhook-ports";
import type { ClaimedCheck } from "./stored-file-ports";

/** Time for which one request for a verdict claims a file, in milliseconds: longer than the service may take. */
const CLAIM_MS = 30_000;
/** Requests of one run of the job, and the time after which it begins no other request, in milliseconds. */
const RUN_CHECKS = 50;
const RUN_MS = 40_000;

/** Dependencies of asking for verdicts. */
export interface UploadCheckDeps
  extends Pick<LinkDeps, "mailer" | "emailTemplate" | "origin">,
    Pick<Repositories, "storedFiles"> {
  readonly users: Pick<Repositories["users"], "find">;
  /** The service that gives verdicts; null lets every upload in. */
  readonly uploadVerdict: { readonly url: string; readonly secret: string } | null;
  readonly sendToReceiver: SendToWebhookEndpoint;
  readonly mediaSigner: MediaSigner;
  /** The origin of signed addresses, without a slash at the end; empty where none is configured. */
  readonly fileOrigin: string;
  readonly clock: Clock;
  /** Lets work finish after the answer was sent (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/**
 * Asks for the verdict on files that wait for one. After any other response it asks again later.
 * @param input.fileKey the file that has just arrived; absent for all that are due
 * @returns how many verdicts came
 */
export async function checkUploads(
  deps: UploadCheckDeps,
  input: { readonly fileKey?: string } = {},
): Promise<number> {
  const { uploadVerdict } = deps;
  const end = deps.clock.now() + RUN_MS;
  let settled = 0;
  for (let requestCount = 0; requestCount < RUN_CHECKS && deps.clock.now() <= end; requestCount++) {
    const now = deps.clock.now();
    const claimed = await deps.storedFiles.claimCheck(
      input.fileKey ?? null,
      toInstant(now),
      toInstant(now + CLAIM_MS),
    );
    if (!claimed) break;
    // An installation that no longer asks for verdicts lets in what still waits for one.
    if (uploadVerdict === null || (await askVerdict(deps, uploadVerdict, claimed))) {
      if (uploadVerdict === null) await deps.storedFiles.settleCheck(claimed.fileKey, null);
      settled++;
    }
    if (input.fileKey !== undefined) break;
  }
  return settled;
}

/**
 * When the verdict on a stored file is first requested; null for a file that needs none. Thumbnails and tiles need none, because they are
 * small and made by the product's own pages.
 * @param now epoch milliseconds
 */
export const checkTimeOf = (
  uploadVerdict: UploadCheckDeps["uploadVerdict"],
  fileKey: string,
  now: number,
): string | null => (uploadVerdict === null || UNCHECKED.test(fileKey) ? null : toInstant(now));

/** Still pictures, and tiles of large pictures, which alone lie in folders: pictures that were inspected, and hundreds of them. */
const UNCHECKED = /\/thumbnail-|^library\/[^/]+\/prepared\/[^/]+\/.+\//;

/** Asks for one verdict, and records it or the time of the next request. A rejection is mailed to the owner. @returns whether a verdict came */
async function askVerdict(
  deps: UploadCheckDeps,
  service: NonNullable<UploadCheckDeps["uploadVerdict"]>,
  claimed: ClaimedCheck,
): Promise<boolean> {
  const { fileKey, attempts, itemId } = claimed;
  const now = deps.clock.now();
  const query = new URLSearchParams(signFileUse(deps, itemId, fileKey, "check"));
  const path = claimed.preparedName === null ? "" : `/${fileVersion(fileKey)}/${claimed.preparedName}`;
  const body = JSON.stringify({
    type: "upload.check",
    timestamp: toInstant(now),
    data: {
      upload: {
        uuid: itemId,
        file_name: claimed.fileName,
        mime_type: claimed.mimeType,
        byte_size: claimed.byteSize,
        file_url: deps.fileOrigin === "" ? null : `${deps.fileOrigin}/media/${itemId}${path}?${query}`,
      },
    },
  });
  const id = `upload_${fileKey.split("/").at(-1)}`;
  const timestamp = String(Math.floor(now / 1000));
  const sent = await deps.sendToReceiver(
    service.url,
    {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": await signMessage(service.secret, id, timestamp, body),
    },
    body,
    VERDICT_RESPONSE_MAX,
  );
  const verdict = sent.outcome === "delivered" ? readVerdict(sent.answer) : null;
  if (verdict === null) {
    const wait = CHECK_RETRY_SECONDS[attempts - 1] ?? CHECK_RETRY_SECONDS.at(-1) ?? 0;
    await deps.storedFiles.retryCheck(fileKey, toInstant(deps.clock.now() + wait * 1000));
    return false;
  }
  const isRejected = verdict.verdict === "rejected";
  await deps.storedFiles.settleCheck(
    fileKey,
    isRejected ? { state: "rejected", reason: verdict.reason } : null,
  );
  if (isRejected) deps.defer(mailOwner(deps, claimed));
  return true;
}

async function mailOwner(deps: UploadCheckDeps, { ownerId, itemId, fileName }: ClaimedCheck): Promise<void> {
  const user = await deps.users.find(ownerId);
  if (!user || !canLogIn(user.status)) return;
  const link = `${deps.origin}/library/items/${itemId}`;
  await sendEmail(deps, user.email, "uploadRejected", { user, link, expiresAt: null, name: fileName });
}

/** Use cases in `context.services.uploads`. */
export const uploadCheckServices = (deps: UploadCheckDeps) => bindUseCases(deps, { checkUploads });
