import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { toUuid } from "~/domain/shared/ids";
import { saveEvent } from "../../events/record/event-action";
import { hasFiles, storeFormFiles } from "../../library/list/upload.server";
import { uuidParam } from "../../shared/uuid-param";
import { addItems } from "../media-picker/pick-action.server";
import { contentAction } from "./content-action.server";
import { type ContentPost, firstRejection, redirectToList, rejectContent } from "./content-post.server";

/** Handles all forms of the editor: files for the event, its content and its settings. */
export async function editorAction(args: ActionFunctionArgs) {
  const { request, params, context } = args;
  const { actor } = await context.session.require();
  const post = { request, context, actor, eventId: uuidParam(params.uuid) };
  if (hasFiles(request)) return uploadToEvent(post);
  const form = await context.form.read();
  return (await contentAction({ ...post, form })) ?? saveEvent(args, form);
}

/** Stores the files of a form without scripts in the user's library, adds them to the event, and attaches them to the tag of the page's URL. */
async function uploadToEvent(post: Omit<ContentPost, "form">) {
  const { request, context, actor, eventId } = post;
  // For an event that does not exist, this throws before files are stored.
  await context.services.content.getContent({ actor, eventId });
  const { status, items, outcome } = await storeFormFiles({ context, actor });
  const tagId = toUuid(new URL(request.url).searchParams.get("tag"));
  const mediaItems = items.filter(({ kind }) => kind !== "subtitle");
  const rejection = firstRejection((await addItems(post, mediaItems, tagId)).results);
  if (rejection) return rejectContent(rejection.status, { problem: rejection.problem });
  if (outcome) return rejectContent(status, { upload: outcome });
  return redirectToList(post, {
    ...(tagId !== null && { tag: tagId, pick: "media" }),
    toast: "medium-added",
  });
}
