/** The content of an event as the editor shows it, and what an edit makes of it: plain values, nothing of the network. */
import type { ContentCommand, MediumFacts, PartType, TagPlaces } from "~/domain/content/content";
import type { EventMedia, EventScene, EventTag, Uuid } from "~/domain/shared/model";
import { isEqual } from "~/domain/shared/same";

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
export function itemOf(content: Content | Draft, id: string): EventTag | EventMedia | EventScene | undefined {
  if (id === SCENE_ID) return content.scene;
  if (content instanceof Draft) return content.find(id);
  return content.tags.find((tag) => tag.id === id) ?? content.media.find((medium) => medium.id === id);
}

/** What stands in some fields of a thing. */
export function pick(item: object | undefined, fields: readonly string[]): Values {
  const record = (item ?? {}) as Values;
  return Object.fromEntries(fields.map((field) => [field, record[field]]));
}

/** What somebody has made of a tag or a medium: without its place in the order, and what the server says of it. */
export function valuesOf(item: EventTag | EventMedia): Values {
  if ("placement" in item) return pick(item, ["title", "description", "placement", "hidden"]);
  const { id: _id, eventId: _event, sortOrder: _order, version: _version, ...values } = item;
  return values;
}

/** These tags, in this order, before another or at the end. */
function moveTags(tags: readonly EventTag[], ids: readonly Uuid[], before: Uuid | null): readonly EventTag[] {
  const byId = new Map(tags.map((tag) => [tag.id, tag]));
  const moving = new Set(ids);
  const moved = [...moving].flatMap((id) => byId.get(id) ?? []);
  const rest = tags.filter(({ id }) => !moving.has(id));
  const at = before === null ? -1 : rest.findIndex(({ id }) => id === before);
  const order = at === -1 ? [...rest, ...moved] : [...rest.slice(0, at), ...moved, ...rest.slice(at)];
  return order.map((tag, sortOrder) => ({ ...tag, sortOrder }));
}

/** Things in an order, each found by its id. */
class Row<T extends { readonly id: Uuid }, Key extends number | string> {
  /** What was taken out leaves its place empty until the list is asked for. */
  private places: { item: T | null; readonly key: Key }[] = [];
  private readonly byId = new Map<Uuid, { item: T | null; readonly key: Key }>();
  private list: readonly T[] | null;
  constructor(
    list: readonly T[],
    private readonly keyOf: (item: T) => Key,
  ) {
    for (const item of list) this.append(item);
    this.list = list;
  }
  get(id: Uuid): T | undefined {
    return this.byId.get(id)?.item ?? undefined;
  }
  append(item: T): void {
    const place = { item, key: this.keyOf(item) };
    this.places.push(place);
    this.byId.set(item.id, place);
    this.list = null;
  }
  /** Puts a thing before the first whose key is greater. */
  insert(item: T): void {
    const key = this.keyOf(item);
    let [from, to] = [0, this.places.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.places[middle] as { key: Key }).key > key) to = middle;
      else from = middle + 1;
    }
    const place = { item, key };
    this.places.splice(from, 0, place);
    this.byId.set(item.id, place);
    this.list = null;
  }
  /** Puts a thing where the one with its id stands. */
  replace(item: T): void {
    const place = this.byId.get(item.id);
    if (!place) return;
    place.item = item;
    this.list = null;
  }
  remove(id: Uuid): void {
    const place = this.byId.get(id);
    if (!place) return;
    place.item = null;
    this.byId.delete(id);
    this.list = null;
  }
  items(): readonly T[] {
    if (this.list === null) {
      this.places = this.places.filter(({ item }) => item !== null);
      this.list = this.places.map(({ item }) => item as T);
    }
    return this.list;
  }
}

/** Content that is changed a step at a time: each takes as long as finding one thing, however many there are. */
export class Draft {
  scene: EventScene;
  private tags: Row<EventTag, number>;
  private readonly media: Row<EventMedia, string>;
  private readonly gone: Map<Uuid, Gone[Uuid]>;
  /** The last place that a tag has or had. */
  private lastPlace = 0;
  private made: Content | null;
  constructor(
    content: Content,
    private readonly eventId: Uuid,
  ) {
    this.tags = rowOfTags(content.tags);
    this.media = new Row(content.media, ({ createdOn }) => createdOn);
    this.scene = content.scene;
    this.gone = new Map(Object.entries(content.gone));
    for (const tag of content.tags) this.reach(tag);
    for (const each of this.gone.values()) if (each.type === "tag") this.reach(each.item);
    this.made = content;
  }

  /** What it comes to; the same object until something changes. */
  content(): Content {
    this.made ??= {
      tags: this.tags.items(),
      media: this.media.items(),
      scene: this.scene,
      gone: Object.fromEntries(this.gone),
    };
    return this.made;
  }

  private reach({ sortOrder }: EventTag): void {
    this.lastPlace = Math.max(this.lastPlace, sortOrder);
  }

  /** A tag or medium that is there. */
  find(id: string): EventTag | EventMedia | undefined {
    return this.tags.get(id) ?? this.media.get(id);
  }
  /** What a thing that is or was there is. */
  typeOf(id: string): PartType {
    return this.media.get(id) || this.gone.get(id)?.type === "media" ? "media" : "tag";
  }

  /** Puts a thing into the content, or in the place of what it was. */
  put(type: PartType, item: EventTag | EventMedia): void {
    this.made = null;
    this.gone.delete(item.id);
    if (type === "tag") {
      const tag = item as EventTag;
      this.reach(tag);
      if (this.tags.get(tag.id)) this.tags.replace(tag);
      else this.tags.insert(tag);
    } else {
      // Media stand in the order in which they were added: what the server says of that puts them there.
      this.media.remove(item.id);
      this.media.insert(item as EventMedia);
    }
  }

  /** Takes a thing out of the content and remembers it. */
  drop(id: Uuid): void {
    const item = this.find(id);
    if (!item) return;
    this.remember(this.typeOf(id), item);
    this.tags.remove(id);
    this.media.remove(id);
  }

  /** Keeps a thing that is not there, so that it can be brought back at once. */
  remember(type: PartType, item: EventTag | EventMedia): void {
    this.made = null;
    this.gone.set(item.id, { type, item } as Gone[Uuid]);
    if (type === "tag") this.reach(item as EventTag);
  }

  /** Gives the tags their places, those that are gone as far as they are named. */
  order(places: TagPlaces): void {
    const placed = <Tag extends EventTag>(tag: Tag): Tag => ({
      ...tag,
      sortOrder: places.get(tag.id) ?? tag.sortOrder,
    });
    const tags = this.tags
      .items()
      .map(placed)
      .sort((a, b) => a.sortOrder - b.sortOrder);
    this.made = null;
    this.tags = rowOfTags(tags);
    for (const tag of tags) this.reach(tag);
    for (const [id, { type, item }] of this.gone)
      if (type === "tag" && places.has(id)) this.gone.set(id, { type, item: placed(item) });
  }
  /** Moves tags as the service does: those that are gone have their places among the others, and come back to them. */
  private move(ids: readonly Uuid[], before: Uuid | null): void {
    if (!ids.some((id) => this.tags.get(id))) return;
    const gone = [...this.gone.values()].flatMap((each) => (each.type === "tag" ? [each.item] : []));
    const all = [...this.tags.items(), ...gone].sort((a, b) => a.sortOrder - b.sortOrder);
    this.order(new Map(moveTags(all, ids, before).map(({ id, sortOrder }) => [id, sortOrder])));
  }

  /** Gives the scene other values. */
  setScene(values: Partial<EventScene>): void {
    this.made = null;
    this.scene = { ...this.scene, ...values };
  }

  /** Gives a thing other values, where it is there. */
  private update(id: Uuid, values: object): void {
    this.made = null;
    const [tag, medium] = [this.tags.get(id), this.media.get(id)];
    if (tag) this.tags.replace({ ...tag, ...values });
    else if (medium) this.media.replace({ ...medium, ...values });
  }

  /** Adds a tag behind all others as the service does, behind those that are gone as well: they come back before it. */
  private addTag(tag: Omit<EventTag, "sortOrder">): void {
    this.made = null;
    this.gone.delete(tag.id);
    this.lastPlace += 1;
    this.tags.append({ ...tag, sortOrder: this.lastPlace });
  }

  /** Does an edit. One of what is not there changes nothing. */
  apply(edit: Edit): void {
    switch (edit.op) {
      case "create_tag":
        if (!this.find(edit.id))
          this.addTag({ ...edit.values, id: edit.id, eventId: this.eventId, version: 0 });
        return;
      case "create_media": {
        const { id, values, facts } = edit;
        if (this.find(id)) return;
        const medium = { ...facts, ...values, id, eventId: this.eventId, createdOn: NEWEST, version: 0 };
        this.put("media", medium);
        return;
      }
      case "update_tag":
      case "update_media":
        this.update(edit.id, edit.values);
        return;
      case "update_scene":
        this.setScene(edit.values);
        return;
      case "delete":
        this.drop(edit.id);
        return;
      case "restore": {
        const found = this.gone.get(edit.id);
        if (found) this.put(found.type, found.item);
        return;
      }
      case "duplicate": {
        const item = this.find(edit.id);
        if (!item || this.find(edit.newId)) return;
        const copy = { ...item, id: edit.newId, version: 0 };
        // As everything new: at the end.
        if (edit.type === "tag") this.addTag(copy as EventTag);
        else this.put("media", { ...(copy as EventMedia), createdOn: NEWEST });
        return;
      }
      case "move_tags":
        this.move(edit.ids, edit.before);
    }
  }

  /** What takes an edit back; null for one that changes nothing. To be asked before it is done. */
  inverseOf(edit: Edit): Inverse | null {
    switch (edit.op) {
      case "create_tag":
      case "create_media":
        if (this.find(edit.id)) return null;
        return {
          edits: [{ op: "delete", type: edit.op === "create_tag" ? "tag" : "media", id: edit.id }],
          moved: [],
        };
      case "update_tag":
      case "update_media":
      case "update_scene": {
        const item = itemOf(this, subjectOf(edit) ?? "");
        const fields = Object.keys(edit.values).filter(
          (field) => !isEqual((item as Values | undefined)?.[field], (edit.values as Values)[field]),
        );
        if (!item || fields.length === 0) return null;
        return { edits: [{ ...edit, values: pick(item, fields) } as Update], moved: [] };
      }
      case "delete":
        if (!this.find(edit.id)) return null;
        return {
          edits: [{ op: "restore", type: edit.type, id: edit.id }],
          moved: edit.type === "tag" ? [edit.id] : [],
        };
      case "restore":
        if (!this.gone.has(edit.id)) return null;
        return { edits: [{ op: "delete", type: edit.type, id: edit.id }], moved: [] };
      case "duplicate":
        if (!this.find(edit.id) || this.find(edit.newId)) return null;
        return { edits: [{ op: "delete", type: edit.type, id: edit.newId }], moved: [] };
      case "move_tags": {
        const moved = edit.ids.filter((id) => this.tags.get(id));
        return moved.length > 0 ? { edits: [], moved } : null;
      }
    }
  }
}

const rowOfTags = (tags: readonly EventTag[]) => new Row(tags, ({ sortOrder }: EventTag) => sortOrder);

/** What takes an edit back: edits, and the tags that then have to go back to where they stood. */
export interface Inverse {
  readonly edits: readonly Edit[];
  readonly moved: readonly Uuid[];
}

/**
 * Puts tags back to where they stood among the others, in one move however many they are: what stands between the first and the
 * last of them is named as well. None where they are together and nothing has to be done.
 */
export function movesBack(before: readonly EventTag[], moved: readonly Uuid[]): Edit[] {
  const wanted = new Set(moved);
  const places = before.flatMap(({ id }, at) => (wanted.has(id) ? [at] : []));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ids = before.slice(first, last + 1).map(({ id }) => id);
  return [{ op: "move_tags", ids, before: before[last + 1]?.id ?? null }];
}

/** What an edit makes of the content. */
export function applyEdit(content: Content, edit: Edit, eventId: Uuid): Content {
  const draft = new Draft(content, eventId);
  draft.apply(edit);
  return draft.content();
}
