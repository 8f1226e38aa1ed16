import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import { createWebChangeSchema } from "~/domain/library/web-media.schema";
import { rejectForm } from "~/forms/shared/reject-form";

/** Submitted form on the page of a web media item (a media item that another site plays). */
export interface WebChangePost {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly item: LibraryItem;
  readonly form: FormData;
}

/** Result of a rejected form. */
export interface WebChangeOutcome {
  readonly action: "change-web";
  readonly lastResult: SubmissionResult<string[]>;
}

/** Refreshes a web media item, or replaces its URL; null for any other form. */
export async function webChangeAction({ context, actor, item, form }: WebChangePost) {
  const intent = form.get("intent");
  if (intent !== "refresh-web" && intent !== "replace-web") return null;
  const isRefresh = intent === "refresh-web";
  // A refresh uses the saved URL, regardless of the field.
  if (isRefresh) form.set("url", item.web?.url ?? "");
  const submission = parseWithZod(form, { schema: createWebChangeSchema() });
  const respond = (status: number, lastResult: WebChangeOutcome["lastResult"]) =>
    data<WebChangeOutcome>({ action: "change-web", lastResult }, { status });
  if (submission.status !== "success") return respond(400, submission.reply());
  const { url, version } = submission.value;
  const result = await context.attempt(
    context.services.webMedia.replaceWebMediaItem({
      actor,
      id: item.id,
      url: isRefresh ? undefined : url.url,
      version,
    }),
  );
  if (!result.ok) {
    const { failure } = result;
    if (failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    return respond(failure.status, rejectForm(submission, failure));
  }
  throw redirect(
    `/library/items/${item.id}?toast=${isRefresh ? "web-media-refreshed" : "web-media-replaced"}`,
  );
}
