import { newMediaValues } from "~/domain/content/content";
import type { LibraryItem } from "~/domain/library/library-item";
import { createWebMediaSchema } from "~/domain/library/web-media.schema";
import { toUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";
import type { Edit } from "~/features/content/editor/content";
import { packMessage } from "~/forms/shared/user-message";
import {
  backTo,
  type ContentPost,
  firstRejection,
  rejectContent,
  sendEdits,
} from "../editor/content-post.server";
import { mediaItemMetadata } from "../items/media-item-metadata";

/** Handles the picker's buttons: adds a media item of the event to a tag, an item of the library to the event, or a web medium by its address. */
export async function addPicked(post: ContentPost) {
  const { form } = post;
  const tagId = toUuid(form.get("tagId"));
  const attach = toUuid(form.get("attach"));
  if (attach !== null && tagId !== null) return attachTo(post, tagId, attach);
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

async function attachTo(post: ContentPost, tagId: Uuid, mediumId: Uuid) {
  const { context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  if (!content.tags.some(({ id }) => id === tagId))
    return rejectContent(404, { problem: "content:refused.gone" });
  const refusal = firstRejection(await attachAll(post, tagId, [mediumId]));
  if (refusal) return rejectContent(refusal.status, { problem: refusal.problem });
  return backTo(post, { tag: tagId, pick: "media", toast: "medium-added" });
}

/** Adds media items of the event to a tag. Returns the results. */
async function attachAll(post: Omit<ContentPost, "form">, tagId: Uuid, added: readonly Uuid[]) {
  const { context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  const tag = content.tags.find(({ id }) => id === tagId);
  if (!tag || added.length === 0) return [];
  const mediaIds = [...new Set([...tag.mediaIds, ...added])];
  return (await sendEdits(post, content, [{ op: "update_tag", id: tagId, values: { mediaIds } }])).results;
}

/**
 * Adds library items to the event, and to a tag if there is one. A tag gets the media item that the event already has.
 * @returns the results, and the ids of the media items in the order of the library items
 */
export async function addItems(
  post: Omit<ContentPost, "form">,
  items: readonly LibraryItem[],
  tagId: Uuid | null,
) {
  const { context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  const creates: Edit[] = [];
  const ids = items.map((item): Uuid => {
    const known = content.media.find(({ libraryItemId }) => libraryItemId === item.id);
    if (known && tagId !== null) return known.id;
    const id = crypto.randomUUID();
    creates.push({
      op: "create_media",
      id,
      values: newMediaValues(item.id, item.title, context.lang),
      facts: mediaItemMetadata(item),
    });
    return id;
  });
  const { results } = await sendEdits(post, content, creates);
  if (tagId === null || firstRejection(results)) return { results, ids };
  return { results: [...results, ...(await attachAll(post, tagId, ids))], ids };
}

/** Adds a library item to the event, and redirects. Returns the reason if it cannot be added. */
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
  const refusal = firstRejection(results);
  if (refusal) return refusal;
  const find = new URL(post.request.url).searchParams.get("find");
  return backTo(post, {
    ...(tagId !== null && { tag: tagId }),
    pick: "media",
    ...(find !== null && { find }),
    toast: "medium-added",
  });
}

async function addWeb(post: ContentPost, tagId: Uuid | null) {
  const { form, context, actor, eventId } = post;
  const typed = String(form.get("url") ?? "");
  const checked = createWebMediaSchema().safeParse({ url: typed, title: "" });
  const refuse = (status: number, problem: string) => rejectContent(status, { web: { typed, problem } });
  if (!checked.success) {
    // An event that does not exist must throw before a form with errors is returned.
    await context.services.content.getContent({ actor, eventId });
    return refuse(400, checked.error.issues[0]?.message ?? "library:errors.webMedia.required");
  }
  const { url, title } = checked.data;
  const added = await context.attempt(context.services.webMedia.addWebMedium({ actor, url: url.url, title }));
  if (!added.ok) {
    const { status, fields, userMessage } = added.failure;
    return refuse(status, packMessage(fields.url?.[0] ?? userMessage));
  }
  const rejection = await addItem(post, added.value, tagId);
  return refuse(rejection.status, rejection.problem);
}
