import { data } from "@remix-run/cloudflare";
import type { EventContent } from "~/domain/content/content";
import type { RichText } from "~/domain/content/rich-text";
import { toUuid } from "~/domain/shared/ids";
import { TAG_BODY_MAX } from "~/domain/shared/limits";
import type { EventMedia, EventTag, Lang } from "~/domain/shared/model";
import { isEqual } from "~/domain/shared/same";
import { type Edit, pickValues, type Values } from "~/features/content/editor/content";
import { type CheckResult, checkMedium, checkTag } from "~/forms/content/content-check";
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
import { withTitle } from "./untitled-tag";

/** Moves one of the tag's media items up or down, or removes it, as the pressed button of the form's list requests. */
function movedMedia(media: readonly string[], formAction: string): readonly string[] {
  const [id = "", direction] = formAction.split("~");
  const index = media.indexOf(id);
  if (index === -1) return media;
  const others = media.filter((candidate) => candidate !== id);
  if (direction === "out") return others;
  const to = Math.max(0, index + (direction === "up" ? -1 : 1));
  return [...others.slice(0, to), id, ...others.slice(to)];
}

/** Values of a form that differ from the saved values. */
const changesOf = (checked: CheckResult<object>, saved: object) =>
  Object.fromEntries(
    Object.entries(checked.values).filter(([field, value]) => !isEqual((saved as Values)[field], value)),
  );

/** Parses the texts of a tag for the preview. Texts beyond the limit are cut before parsing. */
export function readPreview(texts: Readonly<Record<Lang, string>>): Readonly<Record<Lang, RichText>> {
  const read = (body: string) => readRichText(body.slice(0, 2 * TAG_BODY_MAX));
  return { ja: read(texts.ja), en: read(texts.en) };
}

/** Handles the form of one tag: saves it, creates a tag, or previews its texts. */
export async function tagForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const id = toUuid(form.get("id"));
  const isNew = form.get("new") === "1" && id !== null;
  const typedInput = readTagInput(form);
  const input = {
    ...typedInput,
    media: movedMedia(typedInput.media, String(form.get("media-move") ?? "")),
    ...(form.has("product-out") && { "product.id": "", "product.title": "" }),
  };
  if (form.get("then") === "preview") {
    const preview = readPreview({ ja: input["body.ja"], en: input["body.en"] });
    return data<ContentOutcome>({ act: "content", problem: null, tag: { input, errors: {} }, preview });
  }
  const content = await context.services.content.getContent({ actor, eventId });
  const saved = content.tags.find((tag) => tag.id === id);
  if (id === null || (!saved && !isNew))
    return rejectContent(404, { problem: REJECTION_MESSAGES.not_found, tag: { input, errors: {} } });
  const checked = checkTag(input, saved ?? NEW_TAG);
  if (Object.keys(checked.errors).length > 0)
    return rejectContent(400, { tag: { input, errors: checked.errors } });
  const after = () =>
    redirectToList(post, {
      tag: id,
      ...(PICKER_QUERIES[String(form.get("then"))] ?? { toast: "content-saved" }),
    } as Record<string, string>);
  if (!saved) {
    const values = { ...NEW_TAG, ...checked.values };
    return afterSave(post, content, { op: "create_tag", id, values }, { input, errors: {} }, "tag", after);
  }
  const values = withTitle(saved, changesOf(checked, saved));
  if (Object.keys(values).length === 0) return after();
  const version = Number(form.get("version"));
  const edit = { op: "update_tag", id, values } as const;
  return afterSave(
    post,
    { ...content, tags: content.tags.map((tag) => (tag.id === id ? { ...tag, version } : tag)) },
    edit,
    { input, errors: {} },
    "tag",
    after,
  );
}

/** Query of the picker that opens after saving, by the form's button. */
const PICKER_QUERIES: Readonly<Record<string, { readonly pick: string }>> = {
  pick: { pick: "media" },
  "pick-product": { pick: "product" },
};

/** Handles the form of one media item of the event. */
export async function mediumForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  const id = toUuid(form.get("id"));
  const saved = content.media.find((medium) => medium.id === id);
  const input = readMediaItemInput(form);
  if (id === null || !saved)
    return rejectContent(404, { problem: REJECTION_MESSAGES.not_found, medium: { input, errors: {} } });
  const checked = checkMedium(input, saved);
  if (Object.keys(checked.errors).length > 0)
    return rejectContent(400, { medium: { input, errors: checked.errors } });
  const after = () => redirectToList(post, { medium: id, toast: "content-saved" });
  const values = changesOf(checked, saved);
  if (Object.keys(values).length === 0) return after();
  const version = Number(form.get("version"));
  const media = content.media.map((medium) => (medium.id === id ? { ...medium, version } : medium));
  return afterSave(
    post,
    { ...content, media },
    { op: "update_media", id, values },
    { input, errors: {} },
    "medium",
    after,
  );
}

/** Saves a form's edit: redirects on success, otherwise returns the form with its problems. */
async function afterSave(
  post: ContentPost,
  content: EventContent,
  edit: Extract<Edit, { readonly op: "create_tag" | "update_tag" | "update_media" }>,
  rejected: { readonly input: TagFormInput | MediaItemInput; readonly errors: ContentErrors },
  name: "tag" | "medium",
  after: () => never,
) {
  const [result] = (await sendEdits(post, content, [edit])).results;
  if (result?.ok) return after();
  const form = { [name]: { ...rejected, errors: result?.errors ?? {} } };
  const rejection = result ? firstRejection([result]) : null;
  if (result?.reason !== "stale" || !result.saved)
    return rejectContent(rejection?.status ?? 400, {
      problem: result?.errors ? null : (rejection?.problem ?? null),
      ...form,
    });
  const saved = result.saved.item as EventTag | EventMedia;
  const localValues = edit.values as Values;
  const fields = Object.keys(localValues);
  return rejectContent(409, {
    ...form,
    conflict: { version: saved.version, saved: pickValues(saved, fields), localValues },
  });
}
