import { toUuid } from "~/domain/shared/ids";
import { storeFormFiles } from "../../library/list/upload.server";
import {
  type ContentPost,
  firstRejection,
  redirectToList,
  rejectContent,
} from "../editor/content-post.server";
import { addItems } from "./pick-action.server";

/** Stores the files of a form without scripts in the user's library, adds them to the event, and attaches them to the tag of the page's URL. */
export async function uploadToEvent(post: Omit<ContentPost, "form">) {
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
