import { data } from "@remix-run/cloudflare";
import type { EventContent } from "~/domain/content/content";
import type { RichText } from "~/domain/content/rich-text";
import { toUuid } from "~/domain/shared/ids";
import { isEqual } from "~/domain/shared/is-equal";
import { TAG_BODY_MAX } from "~/domain/shared/limits";
import type { EventMedia, EventTag, Lang } from "~/domain/shared/model";
import { type Edit, pickValues, type Values } from "~/features/content/editor/content";
import { type CheckResult, checkMediaItem, checkTag } from "~/forms/content/content-check";
import type { ContentErrors } from "~/forms/content/content-field";
import { type MediaItemInput, readMediaItemInput } from "~/forms/content/media-item-input";
import { NEW_TAG, readTagInput, type TagFormInput } from "~/forms/content/tag-form-input";
import { readRichText } from "../../visitors/scene/rich-text.server";
import {
  type ContentOutcome,
  type ContentPost,
  firstRejection,
  REJECTION_MESSAGES,
  redirectToList,
  rejectContent,
  sendEdits,
} from "../editor/content-post.server";
import { showIfTitled } from "./untitled-tag";

/** Moves one of the tag's media items up or down, or removes it, as the pressed button of the form's list requests. */
function moveMedia(media: readonly string[], formAction: string): readonly string[] {
  const [id = "", direction] = formAction.split("~");
  const index = media.indexOf(id);
  if (index === -1) return media;
  const otherIds = media.filter((candidate) => candidate !== id);
  if (direction === "out") return otherIds;
  const newIndex = Math.max(0, index + (direction === "up" ? -1 : 1));
  return [...otherIds.slice(0, newIndex), id, ...otherIds.slice(newIndex)];
}

/** Values of a form that differ from the saved values. */
const pickChanges = (checkResult: CheckResult<object>, saved: object) =>
  Object.fromEntries(
    Object.entries(checkResult.values).filter(([field, value]) => !isEqual((saved as Values)[field], value)),
  );

/** Parses the texts of a tag for the preview. Texts are cut at twice the limit before parsing, which bounds the work. */
export function readPreview(texts: Readonly<Record<Lang, string>>): Readonly<Record<Lang, RichText>> {
  const read = (body: string) => readRichText(body.slice(0, 2 * TAG_BODY_MAX));
  return { ja: read(texts.ja), en: read(texts.en) };
}

/** Handles the form of one tag: saves it, creates a tag, or previews its texts. */
export async function handleTagForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const id = toUuid(form.get("id"));
  const isNew = form.get("new") === "1" && id !== null;
  const typedInput = readTagInput(form);
  const input = {
    ...typedInput,
    media: moveMedia(typedInput.media, String(form.get("media-move") ?? "")),
    ...(form.has("product-out") && { "product.id": "", "product.title": "" }),
  };
  if (form.get("then") === "preview") {
    const preview = readPreview({ ja: input["body.ja"], en: input["body.en"] });
    return data<ContentOutcome>({ action: "content", problem: null, tag: { input, errors: {} }, preview });
  }
  const content = await context.services.content.getContent({ actor, eventId });
  const saved = content.tags.find((tag) => tag.id === id);
  if (id === null || (!saved && !isNew))
    return rejectContent(404, { problem: REJECTION_MESSAGES.not_found, tag: { input, errors: {} } });
  const checkResult = checkTag(input, saved ?? NEW_TAG);
  if (Object.keys(checkResult.errors).length > 0)
    return rejectContent(400, { tag: { input, errors: checkResult.errors } });
  const redirectAfterSave = () =>
    redirectToList(post, {
      tag: id,
      ...(PICKER_QUERIES[String(form.get("then"))] ?? { toast: "content-saved" }),
    } as Record<string, string>);
  if (!saved) {
    const values = { ...NEW_TAG, ...checkResult.values };
    return saveEdit(
      post,
      content,
      { op: "create_tag", id, values },
      { input, errors: {} },
      "tag",
      redirectAfterSave,
    );
  }
  const values = showIfTitled(saved, pickChanges(checkResult, saved));
  if (Object.keys(values).length === 0) return redirectAfterSave();
  const version = Number(form.get("version"));
  const edit = { op: "update_tag", id, values } as const;
  return saveEdit(
    post,
    { ...content, tags: content.tags.map((tag) => (tag.id === id ? { ...tag, version } : tag)) },
    edit,
    { input, errors: {} },
    "tag",
    redirectAfterSave,
  );
}

/** Query of the picker that opens after saving, by the form's button. */
const PICKER_QUERIES: Readonly<Record<string, { readonly pick: string }>> = {
  pick: { pick: "media" },
  "pick-product": { pick: "product" },
};

/** Handles the form of one media item of the event. */
export async function handleMediaItemForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  const id = toUuid(form.get("id"));
  const saved = content.media.find((mediaItem) => mediaItem.id === id);
  const input = readMediaItemInput(form);
  if (id === null || !saved)
    return rejectContent(404, { problem: REJECTION_MESSAGES.not_found, mediaItem: { input, errors: {} } });
  const checkResult = checkMediaItem(input, saved);
  if (Object.keys(checkResult.errors).length > 0)
    return rejectContent(400, { mediaItem: { input, errors: checkResult.errors } });
  const redirectAfterSave = () => redirectToList(post, { medium: id, toast: "content-saved" });
  const values = pickChanges(checkResult, saved);
  if (Object.keys(values).length === 0) return redirectAfterSave();
  const version = Number(form.get("version"));
  const media = content.media.map((mediaItem) =>
    mediaItem.id === id ? { ...mediaItem, version } : mediaItem,
  );
  return saveEdit(
    post,
    { ...content, media },
    { op: "update_media", id, values },
    { input, errors: {} },
    "mediaItem",
    redirectAfterSave,
  );
}

/** Saves a form's edit: redirects on success, otherwise returns the form with its problems. */
async function saveEdit(
  post: ContentPost,
  content: EventContent,
  edit: Extract<Edit, { readonly op: "create_tag" | "update_tag" | "update_media" }>,
  submittedForm: { readonly input: TagFormInput | MediaItemInput; readonly errors: ContentErrors },
  outcomeField: "tag" | "mediaItem",
  redirectAfterSave: () => never,
) {
  const [result] = (await sendEdits(post, content, [edit])).results;
  if (result?.ok) return redirectAfterSave();
  const rejectedForm = { [outcomeField]: { ...submittedForm, errors: result?.errors ?? {} } };
  const rejection = result ? firstRejection([result]) : null;
  if (result?.reason !== "stale" || !result.saved)
    return rejectContent(rejection?.status ?? 400, {
      problem: result?.errors ? null : (rejection?.problem ?? null),
      ...rejectedForm,
    });
  const saved = result.saved.item as EventTag | EventMedia;
  const localValues = edit.values as Values;
  const fields = Object.keys(localValues);
  return rejectContent(409, {
    ...rejectedForm,
    conflict: { version: saved.version, saved: pickValues(saved, fields), localValues },
  });
}
