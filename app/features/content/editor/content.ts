/** The content of an event as the editor shows it, and how edits change it, without network access. */
import type { ContentCommand, MediaItemMetadata, PartType, TagPositions } from "~/domain/content/content";
import { isEqual } from "~/domain/shared/is-equal";
import type { EventMedia, EventScene, EventTag, Uuid } from "~/domain/shared/model";

/** Tags and media that were deleted in this session, so that they can be restored at once. */
export type DeletedRecords = Readonly<
  Record<
    Uuid,
    { readonly type: "tag"; readonly item: EventTag } | { readonly type: "media"; readonly item: EventMedia }
  >
>;

/** Content that the editor shows. */
export interface EditorContent {
  /** Tags in their order. */
  readonly tags: readonly EventTag[];
  readonly media: readonly EventMedia[];
  readonly scene: EventScene;
  readonly deleted: DeletedRecords;
}

type Unversioned<C> = C extends { readonly version: number } ? Omit<C, "version"> : C;
/** A local change: a command without the version to which it applies. */
export type Edit =
  | Exclude<Unversioned<ContentCommand>, { readonly op: "create_media" }>
  | (Extract<ContentCommand, { readonly op: "create_media" }> & { readonly metadata: MediaItemMetadata });

/** Kinds of edits that set values of a record. */
export type Update = Extract<Edit, { readonly op: "update_tag" | "update_media" | "update_scene" }>;
/** Values by field, for any kind of record. */
export type Values = Readonly<Record<string, unknown>>;

/** Id that represents the scene among records. */
export const SCENE_ID = "scene";
/** A timestamp later than all others. It puts new media at the end until the server reports the time of their creation. */
const NEWEST = "9999-12-31T23:59:59.999Z";

/** Whether an edit sets values of a record. */
export function isUpdate(edit: Edit): edit is Update {
  return edit.op === "update_tag" || edit.op === "update_media" || edit.op === "update_scene";
}

/** Returns the id of the record that an edit changes, or null for moved tags. */
export function getSubjectId(edit: Edit): string | null {
  if (edit.op === "update_scene") return SCENE_ID;
  if (edit.op === "move_tags") return null;
  return edit.op === "duplicate" ? edit.newId : edit.id;
}

/** Returns a record of the content by its id, or undefined. */
export function findItem(
  content: EditorContent | ContentDraft,
  id: string,
): EventTag | EventMedia | EventScene | undefined {
  if (id === SCENE_ID) return content.scene;
  if (content instanceof ContentDraft) return content.find(id);
  return content.tags.find((tag) => tag.id === id) ?? content.media.find((mediaItem) => mediaItem.id === id);
}

/** Returns the values of some fields of a record. */
export function pickValues(item: object | undefined, fields: readonly string[]): Values {
  const record = (item ?? {}) as Values;
  return Object.fromEntries(fields.map((field) => [field, record[field]]));
}

/** Returns the values of a tag or media item that users can set: without its order and the fields that the server assigns. */
export function getUserValues(item: EventTag | EventMedia): Values {
  if ("placement" in item) return pickValues(item, ["title", "description", "placement", "hidden"]);
  const { id: _id, eventId: _event, sortOrder: _order, version: _version, ...values } = item;
  return values;
}

/** Returns the tags after a move: the given ones, in this order, before another tag or at the end. */
function moveTags(tags: readonly EventTag[], ids: readonly Uuid[], before: Uuid | null): readonly EventTag[] {
  const byId = new Map(tags.map((tag) => [tag.id, tag]));
  const moving = new Set(ids);
  const moved = [...moving].flatMap((id) => byId.get(id) ?? []);
  const otherTags = tags.filter(({ id }) => !moving.has(id));
  const index = before === null ? -1 : otherTags.findIndex(({ id }) => id === before);
  const order =
    index === -1
      ? [...otherTags, ...moved]
      : [...otherTags.slice(0, index), ...moved, ...otherTags.slice(index)];
  return order.map((tag, sortOrder) => ({ ...tag, sortOrder }));
}

/** An ordered list of records with lookup by id. */
class OrderedRecords<T extends { readonly id: Uuid }, Key extends number | string> {
  /** A removed record leaves an empty slot until the list is read. */
  #slots: { item: T | null; readonly key: Key }[] = [];
  readonly #byId = new Map<Uuid, { item: T | null; readonly key: Key }>();
  #list: readonly T[] | null;
  constructor(
    list: readonly T[],
    private readonly keyOf: (item: T) => Key,
  ) {
    for (const item of list) this.append(item);
    this.#list = list;
  }
  get(id: Uuid): T | undefined {
    return this.#byId.get(id)?.item ?? undefined;
  }
  append(item: T): void {
    const slot = { item, key: this.keyOf(item) };
    this.#slots.push(slot);
    this.#byId.set(item.id, slot);
    this.#list = null;
  }
  /** Inserts a record before the first one whose key is greater. */
  insert(item: T): void {
    const key = this.keyOf(item);
    let [from, to] = [0, this.#slots.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#slots[middle] as { key: Key }).key > key) to = middle;
      else from = middle + 1;
    }
    const slot = { item, key };
    this.#slots.splice(from, 0, slot);
    this.#byId.set(item.id, slot);
    this.#list = null;
  }
  /** Replaces the record with the same id. */
  replace(item: T): void {
    const slot = this.#byId.get(item.id);
    if (!slot) return;
    slot.item = item;
    this.#list = null;
  }
  remove(id: Uuid): void {
    const slot = this.#byId.get(id);
    if (!slot) return;
    slot.item = null;
    this.#byId.delete(id);
    this.#list = null;
  }
  items(): readonly T[] {
    if (this.#list === null) {
      this.#slots = this.#slots.filter(({ item }) => item !== null);
      this.#list = this.#slots.map(({ item }) => item as T);
    }
    return this.#list;
  }
}

/** Mutable content. An edit other than a move does not copy the lists of records. */
export class ContentDraft {
  scene: EventScene;
  #tags: OrderedRecords<EventTag, number>;
  readonly #media: OrderedRecords<EventMedia, string>;
  readonly #deleted: Map<Uuid, DeletedRecords[Uuid]>;
  /** The highest position that any tag has had. */
  #lastPosition = 0;
  #cachedContent: EditorContent | null;
  constructor(
    content: EditorContent,
    private readonly eventId: Uuid,
  ) {
    this.#tags = createTagList(content.tags);
    this.#media = new OrderedRecords(content.media, ({ createdOn }) => createdOn);
    this.scene = content.scene;
    this.#deleted = new Map(Object.entries(content.deleted));
    for (const tag of content.tags) this.#updateLastPosition(tag);
    for (const deletedRecord of this.#deleted.values())
      if (deletedRecord.type === "tag") this.#updateLastPosition(deletedRecord.item);
    this.#cachedContent = content;
  }

  /** Returns the current content. It is the same object until something changes. */
  content(): EditorContent {
    this.#cachedContent ??= {
      tags: this.#tags.items(),
      media: this.#media.items(),
      scene: this.scene,
      deleted: Object.fromEntries(this.#deleted),
    };
    return this.#cachedContent;
  }

  #updateLastPosition({ sortOrder }: EventTag): void {
    this.#lastPosition = Math.max(this.#lastPosition, sortOrder);
  }

  /** Returns a tag or media item that exists. */
  find(id: string): EventTag | EventMedia | undefined {
    return this.#tags.get(id) ?? this.#media.get(id);
  }
  /** Returns the type of a record that exists or was deleted; "tag" for an unknown id. */
  typeOf(id: string): PartType {
    return this.#media.get(id) || this.#deleted.get(id)?.type === "media" ? "media" : "tag";
  }

  /** Adds a record to the content, or replaces it. */
  put(type: PartType, item: EventTag | EventMedia): void {
    this.#cachedContent = null;
    this.#deleted.delete(item.id);
    if (type === "tag") {
      const tag = item as EventTag;
      this.#updateLastPosition(tag);
      if (this.#tags.get(tag.id)) this.#tags.replace(tag);
      else this.#tags.insert(tag);
    } else {
      // Media are ordered by the time at which they were added, which the server reports.
      this.#media.remove(item.id);
      this.#media.insert(item as EventMedia);
    }
  }

  /** Removes a record from the content and stores it as deleted. */
  drop(id: Uuid): void {
    const item = this.find(id);
    if (!item) return;
    this.addDeleted(this.typeOf(id), item);
    this.#tags.remove(id);
    this.#media.remove(id);
  }

  /** Stores a record as deleted, so that it can be restored at once. */
  addDeleted(type: PartType, item: EventTag | EventMedia): void {
    this.#cachedContent = null;
    this.#deleted.set(item.id, { type, item } as DeletedRecords[Uuid]);
    if (type === "tag") this.#updateLastPosition(item as EventTag);
  }

  /** Sets the positions of tags, including deleted ones. Tags without an entry keep theirs. */
  setPositions(positions: TagPositions): void {
    const withPosition = <Tag extends EventTag>(tag: Tag): Tag => ({
      ...tag,
      sortOrder: positions.get(tag.id) ?? tag.sortOrder,
    });
    const tags = this.#tags
      .items()
      .map(withPosition)
      .sort((a, b) => a.sortOrder - b.sortOrder);
    this.#cachedContent = null;
    this.#tags = createTagList(tags);
    for (const tag of tags) this.#updateLastPosition(tag);
    for (const [id, { type, item }] of this.#deleted)
      if (type === "tag" && positions.has(id)) this.#deleted.set(id, { type, item: withPosition(item) });
  }
  /** Moves tags as the service does: deleted tags keep their positions in the order, to which they return when they are restored. */
  #move(ids: readonly Uuid[], before: Uuid | null): void {
    if (!ids.some((id) => this.#tags.get(id))) return;
    const deletedTags = [...this.#deleted.values()].flatMap((deletedRecord) =>
      deletedRecord.type === "tag" ? [deletedRecord.item] : [],
    );
    const allTags = [...this.#tags.items(), ...deletedTags].sort((a, b) => a.sortOrder - b.sortOrder);
    this.setPositions(new Map(moveTags(allTags, ids, before).map(({ id, sortOrder }) => [id, sortOrder])));
  }

  /** Sets values of the scene. */
  setScene(values: Partial<EventScene>): void {
    this.#cachedContent = null;
    this.scene = { ...this.scene, ...values };
  }

  /** Sets values of a record, if it exists. */
  #update(id: Uuid, values: object): void {
    this.#cachedContent = null;
    const [tag, mediaItem] = [this.#tags.get(id), this.#media.get(id)];
    if (tag) this.#tags.replace({ ...tag, ...values });
    else if (mediaItem) this.#media.replace({ ...mediaItem, ...values });
  }

  /** Adds a tag after all others, including deleted ones, which return to positions before it when they are restored. The service does the same. */
  #addTag(tag: Omit<EventTag, "sortOrder">): void {
    this.#cachedContent = null;
    this.#deleted.delete(tag.id);
    this.#lastPosition += 1;
    this.#tags.append({ ...tag, sortOrder: this.#lastPosition });
  }

  /** Applies an edit. An edit of a missing record has no effect. */
  apply(edit: Edit): void {
    switch (edit.op) {
      case "create_tag":
        if (!this.find(edit.id))
          this.#addTag({ ...edit.values, id: edit.id, eventId: this.eventId, version: 0 });
        return;
      case "create_media": {
        const { id, values, metadata } = edit;
        if (this.find(id)) return;
        const mediaItem = {
          ...metadata,
          ...values,
          id,
          eventId: this.eventId,
          createdOn: NEWEST,
          version: 0,
        };
        this.put("media", mediaItem);
        return;
      }
      case "update_tag":
      case "update_media":
        this.#update(edit.id, edit.values);
        return;
      case "update_scene":
        this.setScene(edit.values);
        return;
      case "delete":
        this.drop(edit.id);
        return;
      case "restore": {
        const snapshot = this.#deleted.get(edit.id);
        if (snapshot) this.put(snapshot.type, snapshot.item);
        return;
      }
      case "duplicate": {
        const item = this.find(edit.id);
        if (!item || this.find(edit.newId)) return;
        const copy = { ...item, id: edit.newId, version: 0 };
        // A copy is added at the end, like every new record.
        if (edit.type === "tag") this.#addTag(copy as EventTag);
        else this.put("media", { ...(copy as EventMedia), createdOn: NEWEST });
        return;
      }
      case "move_tags":
        this.#move(edit.ids, edit.before);
    }
  }

  /** Returns the inverse of an edit, or null for one without effect. A move of existing tags always has one. It must be called before the edit is applied. */
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
        const item = findItem(this, getSubjectId(edit) ?? "");
        const fields = Object.keys(edit.values).filter(
          (field) => !isEqual((item as Values | undefined)?.[field], (edit.values as Values)[field]),
        );
        if (!item || fields.length === 0) return null;
        return { edits: [{ ...edit, values: pickValues(item, fields) } as Update], moved: [] };
      }
      case "delete":
        if (!this.find(edit.id)) return null;
        return {
          edits: [{ op: "restore", type: edit.type, id: edit.id }],
          moved: edit.type === "tag" ? [edit.id] : [],
        };
      case "restore":
        if (!this.#deleted.has(edit.id)) return null;
        return { edits: [{ op: "delete", type: edit.type, id: edit.id }], moved: [] };
      case "duplicate":
        if (!this.find(edit.id) || this.find(edit.newId)) return null;
        return { edits: [{ op: "delete", type: edit.type, id: edit.newId }], moved: [] };
      case "move_tags": {
        const moved = edit.ids.filter((id) => this.#tags.get(id));
        return moved.length > 0 ? { edits: [], moved } : null;
      }
    }
  }
}

const createTagList = (tags: readonly EventTag[]) =>
  new OrderedRecords(tags, ({ sortOrder }: EventTag) => sortOrder);

/** Edits that undo an edit, and the tags that must be moved back to their positions afterwards. */
export interface Inverse {
  readonly edits: readonly Edit[];
  readonly moved: readonly Uuid[];
}

/**
 * Returns a single move that returns tags to their positions among the others, including the tags between the first and the last of them. Returns no
 * edit when nothing must be moved.
 */
export function createMovesBack(previousTags: readonly EventTag[], moved: readonly Uuid[]): Edit[] {
  const movedIds = new Set(moved);
  const indexes = previousTags.flatMap(({ id }, index) => (movedIds.has(id) ? [index] : []));
  const [first, last] = [indexes[0], indexes.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ids = previousTags.slice(first, last + 1).map(({ id }) => id);
  return [{ op: "move_tags", ids, before: previousTags[last + 1]?.id ?? null }];
}

/** Returns the content after an edit. */
export function applyEdit(content: EditorContent, edit: Edit, eventId: Uuid): EditorContent {
  const draft = new ContentDraft(content, eventId);
  draft.apply(edit);
  return draft.content();
}
