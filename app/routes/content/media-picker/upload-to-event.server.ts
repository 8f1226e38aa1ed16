import { toUuid } from "~/domain/shared/ids";
import { storeFormFiles } from "../../library/list/upload.server";
import { backTo, type ContentPost, firstRejection, rejectContent } from "../editor/content-post.server";
import { addItems } from "./pick-action.server";

/** Stores the files of a form without scripts in the user's library, and adds them to the event, and to the tag of the page's address. */
export async function uploadToEvent(post: Omit<ContentPost, "form">) {
  const { request, context, actor, eventId } = post;
  // An event that does not exist must throw before files are stored.
  await context.services.content.getContent({ actor, eventId });
  const { status, items, outcome } = await storeFormFiles({ context, actor });
  const tagId = toUuid(new URL(request.url).searchParams.get("tag"));
  const shown = items.filter(({ kind }) => kind !== "subtitle");
  const refusal = firstRejection((await addItems(post, shown, tagId)).results);
  if (refusal) return rejectContent(refusal.status, { problem: refusal.problem });
  if (outcome) return rejectContent(status, { upload: outcome });
  return backTo(post, { ...(tagId !== null && { tag: tagId, pick: "media" }), toast: "medium-added" });
}
