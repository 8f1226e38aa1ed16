import { newMediaValues } from "~/domain/content/content";
import type { LibraryItem } from "~/domain/library/library-item";
import { createWebMediaSchema } from "~/domain/library/web-media.schema";
import { toUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";
import type { Edit } from "~/features/content/editor/content";
import { packMessage } from "~/forms/shared/user-message";
import {
  type ContentPost,
  firstRejection,
  redirectToList,
  rejectContent,
  sendEdits,
} from "../editor/content-post.server";
import { mediaItemMetadata } from "../items/media-item-metadata";

/**
 * Handles the picker's buttons: attaches a media item of the event to the form's tag, or adds an item of the library or a web media item to the event,
 * and attaches it to the tag if there is one.
 */
export async function handlePickForm(post: ContentPost) {
  const { form } = post;
  const tagId = toUuid(form.get("tagId"));
  const attachId = toUuid(form.get("attach"));
  if (attachId !== null && tagId !== null) return attachToTag(post, tagId, attachId);
  const itemId = toUuid(form.get("libraryItemId"));
  if (itemId !== null) {
    const result = await post.context.attempt(
      post.context.services.library.getItem({ actor: post.actor, itemId }),
    );
    if (!result.ok) return rejectContent(404, { problem: "content:errors.media.notInLibrary" });
    const { status, problem } = await addItem(post, result.value, tagId);
    return rejectContent(status, { problem });
  }
  return addWeb(post, tagId);
}

async function attachToTag(post: ContentPost, tagId: Uuid, mediaId: Uuid) {
  const { context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  if (!content.tags.some(({ id }) => id === tagId))
    return rejectContent(404, { problem: "content:rejected.gone" });
  const rejection = firstRejection(await attachAll(post, tagId, [mediaId]));
  if (rejection) return rejectContent(rejection.status, { problem: rejection.problem });
  return redirectToList(post, { tag: tagId, pick: "media", toast: "medium-added" });
}

/** Attaches media items of the event to a tag. Returns the results. */
async function attachAll(post: Omit<ContentPost, "form">, tagId: Uuid, addedIds: readonly Uuid[]) {
  const { context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  const tag = content.tags.find(({ id }) => id === tagId);
  if (!tag || addedIds.length === 0) return [];
  const mediaIds = [...new Set([...tag.mediaIds, ...addedIds])];
  return (await sendEdits(post, content, [{ op: "update_tag", id: tagId, values: { mediaIds } }])).results;
}

/**
 * Adds library items to the event and attaches them to a tag, if one is given. With a tag, an item that the event already has is only
 * attached; without one, it is added again.
 * @returns the results, and the ids of the media items in the order of the library items
 */
export async function addItems(
  post: Omit<ContentPost, "form">,
  items: readonly LibraryItem[],
  tagId: Uuid | null,
) {
  const { context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  const createEdits: Edit[] = [];
  const ids = items.map((item): Uuid => {
    const eventMedia = content.media.find(({ libraryItemId }) => libraryItemId === item.id);
    if (eventMedia && tagId !== null) return eventMedia.id;
    const id = crypto.randomUUID();
    createEdits.push({
      op: "create_media",
      id,
      values: newMediaValues(item.id, item.title, context.lang),
      metadata: mediaItemMetadata(item),
    });
    return id;
  });
  const { results } = await sendEdits(post, content, createEdits);
  if (tagId === null || firstRejection(results)) return { results, ids };
  return { results: [...results, ...(await attachAll(post, tagId, ids))], ids };
}

/** Adds a library item to the event, and throws a redirect. Returns only if the item cannot be added: the reason. */
async function addItem(post: ContentPost, item: LibraryItem, tagId: Uuid | null) {
  const { context, actor, eventId, form } = post;
  if (tagId === null && !form.has("again")) {
    const { media } = await context.services.content.getContent({ actor, eventId });
    if (media.some(({ libraryItemId }) => libraryItemId === item.id))
      return {
        status: 409,
        problem: packMessage({ key: "content:pick.isIn", values: { title: item.title } }),
      };
  }
  const { results } = await addItems(post, [item], tagId);
  const rejection = firstRejection(results);
  if (rejection) return rejection;
  const searchText = new URL(post.request.url).searchParams.get("find");
  redirectToList(post, {
    ...(tagId !== null && { tag: tagId }),
    pick: "media",
    ...(searchText !== null && { find: searchText }),
    toast: "medium-added",
  });
}

async function addWeb(post: ContentPost, tagId: Uuid | null) {
  const { form, context, actor, eventId } = post;
  const typedUrl = String(form.get("url") ?? "");
  const parsed = createWebMediaSchema().safeParse({ url: typedUrl, title: "" });
  const reject = (status: number, problem: string) =>
    rejectContent(status, { web: { typed: typedUrl, problem } });
  if (!parsed.success) {
    // For an event that does not exist, this throws before a form with errors is returned.
    await context.services.content.getContent({ actor, eventId });
    return reject(400, parsed.error.issues[0]?.message ?? "library:errors.webMedia.required");
  }
  const { url, title } = parsed.data;
  const addResult = await context.attempt(
    context.services.webMedia.addWebMediaItem({ actor, url: url.url, title }),
  );
  if (!addResult.ok) {
    const { status, fields, userMessage } = addResult.failure;
    return reject(status, packMessage(fields.url?.[0] ?? userMessage));
  }
  const rejection = await addItem(post, addResult.value, tagId);
  return reject(rejection.status, rejection.problem);
}
