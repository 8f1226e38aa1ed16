/** The content of an event as the editor shows it, and what an edit makes of it: plain values, nothing of the network. */
import type { ContentCommand, MediumFacts, PartType } from "~/domain/content";
import type { EventMedia, EventScene, EventTag, Uuid } from "~/domain/model";
import { isEqual } from "~/domain/same";

/** Tags and media that were deleted in this session, as they were: what is brought back at once. */
export type Gone = Readonly<
  Record<
    Uuid,
    { readonly type: "tag"; readonly item: EventTag } | { readonly type: "media"; readonly item: EventMedia }
  >
>;

/** What the editor shows. */
export interface Content {
  /** In their order. */
  readonly tags: readonly EventTag[];
  readonly media: readonly EventMedia[];
  readonly scene: EventScene;
  readonly gone: Gone;
}

type Unversioned<C> = C extends { readonly version: number } ? Omit<C, "version"> : C;
/** One change that somebody makes here: a command that does not yet say which version it is about. */
export type Edit =
  | Exclude<Unversioned<ContentCommand>, { readonly op: "create_media" }>
  | (Extract<ContentCommand, { readonly op: "create_media" }> & { readonly facts: MediumFacts });

/** The kinds of edits that give a thing other values. */
export type Update = Extract<Edit, { readonly op: "update_tag" | "update_media" | "update_scene" }>;
/** Values by field, whatever thing they belong to. */
export type Values = Readonly<Record<string, unknown>>;

/** Stands for the scene where things are told apart by their ids. */
export const SCENE_ID = "scene";
/** Later than everything that has a time: where new media stand until the server has put them there. */
const NEWEST = "9999-12-31T23:59:59.999Z";

/** Whether an edit gives a thing other values. */
export function isUpdate(edit: Edit): edit is Update {
  return edit.op === "update_tag" || edit.op === "update_media" || edit.op === "update_scene";
}

/** The thing that an edit is about, by its id; of moved tags none. */
export function subjectOf(edit: Edit): string | null {
  if (edit.op === "update_scene") return SCENE_ID;
  if (edit.op === "move_tags") return null;
  return edit.op === "duplicate" ? edit.newId : edit.id;
}

/** A thing as it is shown, by its id; undefined where there is none. */
export function itemOf(content: Content, id: string): EventTag | EventMedia | EventScene | undefined {
  if (id === SCENE_ID) return content.scene;
  return content.tags.find((tag) => tag.id === id) ?? content.media.find((medium) => medium.id === id);
}

/** What stands in some fields of a thing. */
export function pick(item: object | undefined, fields: readonly string[]): Values {
  const record = (item ?? {}) as Values;
  return Object.fromEntries(fields.map((field) => [field, record[field]]));
}

/** Puts values into a list's thing of that id. */
function withValues<T extends { readonly id: Uuid }>(
  list: readonly T[],
  id: Uuid,
  values: object,
): readonly T[] {
  return list.map((item) => (item.id === id ? { ...item, ...values } : item));
}

/** Puts a tag where its place in the order says. */
function insertTag(tags: readonly EventTag[], tag: EventTag): readonly EventTag[] {
  const at = tags.findIndex(({ sortOrder }) => sortOrder > tag.sortOrder);
  return at === -1 ? [...tags, tag] : [...tags.slice(0, at), tag, ...tags.slice(at)];
}

/** Media stand in the order in which they were added. */
function insertMedium(media: readonly EventMedia[], medium: EventMedia): readonly EventMedia[] {
  const at = media.findIndex(({ createdOn }) => createdOn > medium.createdOn);
  return at === -1 ? [...media, medium] : [...media.slice(0, at), medium, ...media.slice(at)];
}

/** Puts a thing into the content, or in the place of what it was. */
export function put(content: Content, type: PartType, item: EventTag | EventMedia): Content {
  const { [item.id]: _back, ...gone } = content.gone;
  if (type === "tag") {
    const tag = item as EventTag;
    const known = content.tags.some(({ id }) => id === tag.id);
    const tags = known
      ? content.tags.map((other) => (other.id === tag.id ? tag : other))
      : insertTag(content.tags, tag);
    return { ...content, tags, gone };
  }
  const medium = item as EventMedia;
  const others = content.media.filter(({ id }) => id !== medium.id);
  return { ...content, media: insertMedium(others, medium), gone };
}

/** Takes a thing out of the content and remembers it. */
export function drop(content: Content, id: Uuid): Content {
  const tag = content.tags.find((item) => item.id === id);
  if (tag)
    return {
      ...content,
      tags: content.tags.filter((item) => item.id !== id),
      gone: { ...content.gone, [id]: { type: "tag", item: tag } },
    };
  const medium = content.media.find((item) => item.id === id);
  if (!medium) return content;
  return {
    ...content,
    media: content.media.filter((item) => item.id !== id),
    gone: { ...content.gone, [id]: { type: "media", item: medium } },
  };
}

/** Brings the tags into an order. Those that it does not name stay behind the others. */
export function reorder(tags: readonly EventTag[], ids: readonly Uuid[]): readonly EventTag[] {
  const place = new Map(ids.map((id, index) => [id, index]));
  const rank = ({ id }: EventTag) => place.get(id) ?? ids.length;
  return [...tags].sort((a, b) => rank(a) - rank(b)).map((tag, sortOrder) => ({ ...tag, sortOrder }));
}

/** These tags, in this order, before another or at the end. */
function moveTags(tags: readonly EventTag[], ids: readonly Uuid[], before: Uuid | null): readonly EventTag[] {
  const byId = new Map(tags.map((tag) => [tag.id, tag]));
  const moved = ids.filter((id) => byId.has(id));
  const rest = tags.map(({ id }) => id).filter((id) => !moved.includes(id));
  const at = before === null ? -1 : rest.indexOf(before);
  const order = at === -1 ? [...rest, ...moved] : [...rest.slice(0, at), ...moved, ...rest.slice(at)];
  return reorder(tags, order);
}

function duplicate(content: Content, { type, id, newId }: Extract<Edit, { op: "duplicate" }>): Content {
  const item = itemOf(content, id) as EventTag | EventMedia | undefined;
  if (!item || itemOf(content, newId)) return content;
  // As everything new: at the end.
  const sortOrder = lastOrder(content) + 1;
  return put(content, type, { ...item, id: newId, sortOrder, createdOn: NEWEST, version: 0 } as typeof item);
}

const lastOrder = ({ tags }: Content) => tags.at(-1)?.sortOrder ?? 0;

/** What an edit makes of the content. An edit of what is not there changes nothing. */
export function applyEdit(content: Content, edit: Edit, eventId: Uuid): Content {
  switch (edit.op) {
    case "create_tag": {
      if (itemOf(content, edit.id)) return content;
      const sortOrder = lastOrder(content) + 1;
      return put(content, "tag", { ...edit.values, id: edit.id, eventId, sortOrder, version: 0 });
    }
    case "create_media": {
      if (itemOf(content, edit.id)) return content;
      const { id, values, facts } = edit;
      return put(content, "media", { ...facts, ...values, id, eventId, createdOn: NEWEST, version: 0 });
    }
    case "update_tag":
      return { ...content, tags: withValues(content.tags, edit.id, edit.values) };
    case "update_media":
      return { ...content, media: withValues(content.media, edit.id, edit.values) };
    case "update_scene":
      return { ...content, scene: { ...content.scene, ...edit.values } };
    case "delete":
      return drop(content, edit.id);
    case "restore": {
      const found = content.gone[edit.id];
      return found ? put(content, found.type, found.item) : content;
    }
    case "duplicate":
      return duplicate(content, edit);
    case "move_tags":
      return { ...content, tags: moveTags(content.tags, edit.ids, edit.before) };
  }
}

/** Runs of moved tags, each with the tag that stood behind it: moving them back from the last to the first restores the order. */
function movesBack(tags: readonly EventTag[], ids: readonly Uuid[]): Edit[] {
  const moves: Edit[] = [];
  let run: Uuid[] = [];
  for (const { id } of tags) {
    if (ids.includes(id)) run.push(id);
    else if (run.length > 0) {
      moves.unshift({ op: "move_tags", ids: run, before: id });
      run = [];
    }
  }
  if (run.length > 0) moves.unshift({ op: "move_tags", ids: run, before: null });
  return moves;
}

/** The edits that take an edit back, in their order; none for one that changes nothing. @param content before the edit */
export function inverseOf(content: Content, edit: Edit): Edit[] {
  switch (edit.op) {
    case "create_tag":
    case "create_media": {
      if (itemOf(content, edit.id)) return [];
      return [{ op: "delete", type: edit.op === "create_tag" ? "tag" : "media", id: edit.id }];
    }
    case "update_tag":
    case "update_media":
    case "update_scene": {
      const item = itemOf(content, subjectOf(edit) ?? "");
      const fields = Object.keys(edit.values).filter(
        (field) => !isEqual((item as Values | undefined)?.[field], (edit.values as Values)[field]),
      );
      return item && fields.length > 0 ? [{ ...edit, values: pick(item, fields) } as Update] : [];
    }
    case "delete": {
      if (!itemOf(content, edit.id)) return [];
      const restore: Edit = { op: "restore", type: edit.type, id: edit.id };
      if (edit.type === "media") return [restore];
      const next = content.tags[content.tags.findIndex(({ id }) => id === edit.id) + 1];
      return [restore, { op: "move_tags", ids: [edit.id], before: next?.id ?? null }];
    }
    case "restore":
      return content.gone[edit.id] ? [{ op: "delete", type: edit.type, id: edit.id }] : [];
    case "duplicate":
      return itemOf(content, edit.id) && !itemOf(content, edit.newId)
        ? [{ op: "delete", type: edit.type, id: edit.newId }]
        : [];
    case "move_tags":
      return movesBack(content.tags, edit.ids);
  }
}
