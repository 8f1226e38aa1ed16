import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { treeListParams } from "~/domain/folders/tree-list.schema";
import { createWebMediaSchema } from "~/domain/library/web-media.schema";
import type { Uuid } from "~/domain/shared/model";
import { rejectForm } from "~/forms/shared/reject-form";

/** Input of webMediaAction. */
export interface WebMediaActionInput {
  readonly request: Request;
  readonly form: FormData;
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly ownerId: Uuid | undefined;
  /** Undefined for the owner's root folder. */
  readonly folderId: Uuid | undefined;
}

/** Result of a rejected form. */
export interface WebMediaOutcome {
  readonly action: "add-web";
  readonly lastResult: SubmissionResult<string[]>;
}

/** Adds a web media item (a media item that another site plays) to the displayed folder; null for any other form. */
export async function webMediaAction({
  request,
  form,
  context,
  actor,
  ownerId,
  folderId,
}: WebMediaActionInput) {
  if (form.get("intent") !== "add-web") return null;
  const respond = (status: number, lastResult: WebMediaOutcome["lastResult"]) =>
    data<WebMediaOutcome>({ action: "add-web", lastResult }, { status });
  const submission = parseWithZod(form, { schema: createWebMediaSchema() });
  if (submission.status !== "success") return respond(400, submission.reply());
  const { url, title } = submission.value;
  const result = await context.attempt(
    context.services.webMedia.addWebMediaItem({ actor, url: url.url, title, ownerId, folderId }),
  );
  if (!result.ok) {
    const { failure } = result;
    if (failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    return respond(failure.status, rejectForm(submission, failure));
  }
  const { pathname, searchParams } = new URL(request.url);
  const params = treeListParams(searchParams);
  params.set("toast", "web-media-added");
  throw redirect(`${pathname}?${params}`);
}
