import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { CommandResult, ContentCommand, EventContent, PartType } from "~/domain/content";
import { toUuid } from "~/domain/ids";
import { CONTENT_COMMANDS_MAX, TAG_BODY_MAX } from "~/domain/limits";
import type { Actor, EventMedia, EventTag, Lang, Uuid } from "~/domain/model";
import type { RichText } from "~/domain/rich-text";
import { isEqual } from "~/domain/same";
import { type Edit, pick, type Values } from "~/editor/content";
import { toCommand } from "~/editor/queue";
import { type Checked, checkMedium, checkTag } from "~/forms/content-check";
import type { ContentErrors } from "~/forms/content-field";
import { type MediumInput, mediumFromInput, readMediumInput } from "~/forms/medium-input";
import { NEW_TAG, readTagInput, type TagInput, tagFromInput } from "~/forms/tag-input";
import { packWords } from "~/forms/words";
import { readRichText } from "../visit/rich-text.server";
import { listEdits, readListAct } from "./list-acts";
import { listParams } from "./panels";
import { addPicked } from "./pick-action.server";

/** A form of the editor's panel, as it was sent. */
export interface ContentPost {
  readonly request: Request;
  readonly form: FormData;
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly eventId: Uuid;
}

/** What a page shows of a form of its content that changed nothing, or not all. */
export interface ContentOutcome {
  readonly act: "content";
  /** Packed words; null where the fields say it. */
  readonly problem: string | null;
  /** The form that came back. */
  readonly tag?: { readonly input: TagInput; readonly errors: ContentErrors };
  readonly medium?: { readonly input: MediumInput; readonly errors: ContentErrors };
  /** What the texts of a form look like, by their languages. */
  readonly preview?: Readonly<Record<Lang, RichText>>;
  /** The address of a web medium that was not taken. */
  readonly web?: { readonly typed: string; readonly problem: string };
  /** Somebody saved in between: what is saved now, by field, and what this form would save over that version. */
  readonly conflict?: { readonly version: number; readonly saved: Values; readonly mine: Values };
}

/** Refuses a form of the panel. */
export const refuseContent = (status: number, more: Partial<ContentOutcome>) =>
  data<ContentOutcome>({ act: "content", problem: null, ...more }, { status });

/** Leads back to a list, with what is to be said there. */
export function backTo(post: ContentPost, more: Readonly<Record<string, string>>): never {
  const { pathname, searchParams } = new URL(post.request.url);
  const params = listParams(searchParams);
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  throw redirect(`${pathname.replace(/\.data$/, "")}?${params}`);
}

const WORDS = {
  stale: "editor.refused.stale",
  not_found: "editor.refused.gone",
  invalid: "editor.refused.invalid",
  limit: "editor.refused.limit",
  forbidden: "editor.refused.forbidden",
} as const;

/** Sends edits about content as it is saved, in calls as large as one may be. */
export async function sendEdits(post: ContentPost, content: EventContent, edits: readonly Edit[]) {
  const { context, actor, eventId } = post;
  const base = { ...content, gone: {} };
  const commands: ContentCommand[] = edits.map((edit) => toCommand(edit, base));
  const results: CommandResult[] = [];
  for (let at = 0; at < commands.length; at += CONTENT_COMMANDS_MAX) {
    const part = commands.slice(at, at + CONTENT_COMMANDS_MAX);
    results.push(...(await context.services.content.editContent({ actor, eventId, commands: part })).results);
  }
  return results;
}

/** The words and status of the first of some results that was refused; null when all were done. */
export function refusalOf(results: readonly CommandResult[]) {
  for (const result of results) {
    if (result.ok) continue;
    const first = Object.values(result.errors ?? {})[0]?.[0];
    const status = result.reason === "stale" ? 409 : result.reason === "not_found" ? 404 : 400;
    return { status, problem: packWords({ key: first ?? WORDS[result.reason] }) };
  }
  return null;
}

/** What any of the panel's forms does without scripts; null for a form of another kind. */
export async function contentAction(post: ContentPost) {
  switch (post.form.get("intent")) {
    case "list":
      return listForm(post);
    case "tag":
      return tagForm(post);
    case "medium":
      return mediumForm(post);
    case "pick":
      return addPicked(post);
    case "copy":
      return copyForm(post);
    default:
      return null;
  }
}

const partType = (form: FormData): PartType => (form.get("type") === "media" ? "media" : "tag");
const idsOf = (form: FormData): Uuid[] => form.getAll("item").flatMap((value) => toUuid(value) ?? []);

async function listForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const asked = String(form.get("do") ?? "");
  if (asked === "copy") {
    const ids = idsOf(form);
    if (ids.length === 0) return refuseContent(400, { problem: "tree.nothingChosen" });
    if (ids.length > CONTENT_COMMANDS_MAX)
      return refuseContent(400, {
        problem: packWords({ key: "editor.tooMany", values: { count: CONTENT_COMMANDS_MAX } }),
      });
    return backTo(post, { copy: ids.join(" ") });
  }
  const act = readListAct(asked);
  if (!act) return refuseContent(400, { problem: "editor.refused.invalid" });
  const only = toUuid(act.only);
  const ids = only ? [only] : idsOf(form);
  if (ids.length === 0) return refuseContent(400, { problem: "tree.nothingChosen" });
  const content = await context.services.content.getContent({ actor, eventId });
  const type = partType(form);
  const edits = listEdits(content, act.act, type, ids, () => crypto.randomUUID());
  const refusal = refusalOf(await sendEdits(post, content, edits));
  if (refusal) return refuseContent(refusal.status, { problem: refusal.problem });
  const done = edits.flatMap((edit) => ("id" in edit ? [edit.id] : []));
  // No toast: without scripts it would stay, and lie over the buttons.
  return backTo(post, act.act === "delete" ? { restore: done.join(" ") } : { done: act.act });
}

/** Brings one of the tag's media a place up or down, or takes it out: a button of the list in the form. */
function movedMedia(media: readonly string[], asked: string): readonly string[] {
  const [id = "", by] = asked.split("~");
  const at = media.indexOf(id);
  if (at === -1) return media;
  const others = media.filter((each) => each !== id);
  if (by === "out") return others;
  const to = Math.max(0, at + (by === "up" ? -1 : 1));
  return [...others.slice(0, to), id, ...others.slice(to)];
}

/** What is left to save of a form: values that are another than those of what it was filled from. */
const changesOf = (checked: Checked<object>, saved: object) =>
  Object.fromEntries(
    Object.entries(checked.values).filter(([field, value]) => !isEqual((saved as Values)[field], value)),
  );

async function tagForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  const id = toUuid(form.get("id"));
  const isNew = form.get("new") === "1" && id !== null;
  const saved = content.tags.find((tag) => tag.id === id);
  const typed = readTagInput(form);
  const input = { ...typed, media: movedMedia(typed.media, String(form.get("media-move") ?? "")) };
  if (form.get("then") === "preview") {
    // What is far too long to be saved is not read to its end.
    const read = (body: string) => readRichText(body.slice(0, 2 * TAG_BODY_MAX));
    const preview = { ja: read(input["body.ja"]), en: read(input["body.en"]) };
    return data<ContentOutcome>({ act: "content", problem: null, tag: { input, errors: {} }, preview });
  }
  if (id === null || (!saved && !isNew))
    return refuseContent(404, { problem: WORDS.not_found, tag: { input, errors: {} } });
  const checked = checkTag(tagFromInput(input, saved ?? NEW_TAG), saved ?? NEW_TAG);
  if (Object.keys(checked.errors).length > 0)
    return refuseContent(400, { tag: { input, errors: checked.errors } });
  const after = () =>
    backTo(post, {
      tag: id,
      ...(form.get("then") === "pick" ? { pick: "media" } : { toast: "content-saved" }),
    } as Record<string, string>);
  if (!saved) {
    const values = { ...NEW_TAG, ...checked.values };
    return afterSave(post, content, { op: "create_tag", id, values }, { input, errors: {} }, "tag", after);
  }
  const values = changesOf(checked, saved);
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

async function mediumForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const content = await context.services.content.getContent({ actor, eventId });
  const id = toUuid(form.get("id"));
  const saved = content.media.find((medium) => medium.id === id);
  const input = readMediumInput(form);
  if (id === null || !saved)
    return refuseContent(404, { problem: WORDS.not_found, medium: { input, errors: {} } });
  const checked = checkMedium(mediumFromInput(input, saved), saved);
  if (Object.keys(checked.errors).length > 0)
    return refuseContent(400, { medium: { input, errors: checked.errors } });
  const after = () => backTo(post, { medium: id, toast: "content-saved" });
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

/** Saves a form's edit: back to its page when that was done, and the form with what is in the way when it was not. */
async function afterSave(
  post: ContentPost,
  content: EventContent,
  edit: Extract<Edit, { readonly op: "create_tag" | "update_tag" | "update_media" }>,
  came: { readonly input: TagInput | MediumInput; readonly errors: ContentErrors },
  name: "tag" | "medium",
  after: () => never,
) {
  const [result] = await sendEdits(post, content, [edit]);
  if (result?.ok) return after();
  const form = { [name]: { ...came, errors: result?.errors ?? {} } };
  const refusal = result ? refusalOf([result]) : null;
  if (result?.reason !== "stale" || !result.saved)
    return refuseContent(refusal?.status ?? 400, {
      problem: result?.errors ? null : (refusal?.problem ?? null),
      ...form,
    });
  const saved = result.saved.item as EventTag | EventMedia;
  const mine = edit.values as Values;
  const fields = Object.keys(mine);
  return refuseContent(409, {
    ...form,
    conflict: { version: saved.version, saved: pick(saved, fields), mine },
  });
}

async function copyForm(post: ContentPost) {
  const { form, context, actor, eventId } = post;
  const targetEventId = toUuid(form.get("targetEventId"));
  if (targetEventId === null) return refuseContent(400, { problem: "editor.copy.choose" });
  const ids = idsOf(form);
  const items = partType(form) === "tag" ? { tags: ids, media: [] } : { tags: [], media: ids };
  const copied = await context.attempt(
    context.services.content.copyContent({ actor, eventId, items, targetEventId }),
  );
  if (!copied.ok)
    return refuseContent(copied.failure.status, {
      problem: copied.failure.status === 404 ? "editor.copy.gone" : packWords(copied.failure.words),
    });
  const refusal = refusalOf(copied.value.results);
  if (refusal) return refuseContent(refusal.status, { problem: refusal.problem });
  return backTo(post, { toast: "content-copied" });
}
