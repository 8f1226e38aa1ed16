/** Reconstructs an earlier state of an event from its current state and the changes since, and compares two states. */
import type { ChangeType, EventFields, MediaItemRecord, TagPositions } from "../content/content";
import { isEqual } from "../shared/is-equal";
import { LANGS } from "../shared/lang";
import type { EventScene, EventTag, Lang, Localized, TourStop, Uuid, Vec3 } from "../shared/model";

/** The complete state of an event at one moment. */
export interface EventState {
  readonly fields: EventFields;
  readonly tags: ReadonlyMap<Uuid, EventTag>;
  readonly media: ReadonlyMap<Uuid, MediaItemRecord>;
  readonly scene: EventScene;
  /** Positions of tags that do not exist in this state have no effect. */
  readonly order: TagPositions;
}

/** The state of an item by the type of its change; null where the item did not exist. */
interface StateByType {
  readonly tag: EventTag | null;
  readonly media: MediaItemRecord | null;
  readonly scene: EventScene;
  readonly order: TagPositions;
  readonly event: EventFields;
}
/** A change of an item. `before` is the item's state before the change; null where the item did not exist. */
export type HistoryChange = {
  [Type in ChangeType]: {
    readonly itemType: Type;
    readonly itemId: Uuid;
    readonly before: StateByType[Type];
  };
}[ChangeType];

function setOrDelete<Item>(map: Map<Uuid, Item>, id: Uuid, item: Item | null): void {
  if (item === null) map.delete(id);
  else map.set(id, item);
}

/** Returns the state before changes, computed from the state after them. @param changes oldest first */
export function undoChanges(state: EventState, changes: readonly HistoryChange[]): EventState {
  let { fields, scene, order } = state;
  const [tags, media] = [new Map(state.tags), new Map(state.media)];
  for (const change of [...changes].reverse()) {
    switch (change.itemType) {
      case "tag":
        setOrDelete(tags, change.itemId, change.before);
        break;
      case "media":
        setOrDelete(media, change.itemId, change.before);
        break;
      case "scene":
        scene = change.before;
        break;
      case "order":
        order = change.before;
        break;
      case "event":
        fields = change.before;
    }
  }
  return { fields, tags, media, scene, order };
}

/** Returns the tags of a state in their order, without references to media that do not exist. */
export function listTags(state: EventState): readonly EventTag[] {
  const getOrder = ({ id, sortOrder }: EventTag) => state.order.get(id) ?? sortOrder;
  return [...state.tags.values()]
    .sort((a, b) => getOrder(a) - getOrder(b) || (a.id < b.id ? -1 : 1))
    .map((tag) => ({ ...tag, mediaIds: tag.mediaIds.filter((id) => state.media.has(id)) }));
}

/** Returns the media of a state, ordered by createdOn (specification §3). */
export function listMedia(state: EventState): readonly MediaItemRecord[] {
  const key = ({ createdOn, id }: MediaItemRecord) => `${createdOn}${id}`;
  return [...state.media.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/**
 * The kind of a difference of a tag, media item or tour stop between two states. `restyled` covers all other fields, such as colour, icon and link.
 */
export type ItemChange = "added" | "removed" | "moved" | "reworded" | "restyled" | "hidden" | "shown";

/** A text that differs between two states. */
export interface TextDifference {
  readonly field: "title" | "body" | "description" | "keywords";
  /** Null for a field that has one text for all languages. */
  readonly lang: Lang | null;
  readonly before: string;
  readonly after: string;
}

/** A tag or media item that differs between two states. */
export interface ItemDifference {
  readonly type: "tag" | "media";
  readonly id: Uuid;
  /** The title in the later state, or in the earlier one for a removed item. */
  readonly title: Localized;
  readonly kinds: readonly ItemChange[];
  readonly texts: readonly TextDifference[];
  /** Earlier and later position; null where the item has none or does not exist. */
  readonly from: Vec3 | null;
  readonly to: Vec3 | null;
}

/** A stop of the tour that differs between two states. */
export interface StopDifference extends Pick<ItemDifference, "id" | "title" | "kinds" | "texts"> {
  /** Position in the tour of the later state, or of the earlier one for a removed stop; from 1. */
  readonly at: number;
  /** Title of the stop's tag, which names a stop without a title. */
  readonly tagTitle: Localized | null;
}

/** A part of the scene that differs between two states. */
export type SceneChange = "startView" | "tour" | "plan" | "products";

/** A field of the event that differs between two states. */
export type FieldDifference = {
  [Field in keyof EventFields]: {
    readonly field: Field;
    readonly before: EventFields[Field];
    readonly after: EventFields[Field];
  };
}[keyof EventFields];

/** An item of an ordered list. */
type Listed = Pick<EventTag, "id">;

/** All differences between two states. */
export interface StateDifference {
  readonly items: readonly ItemDifference[];
  readonly scene: readonly SceneChange[];
  readonly stops: readonly StopDifference[];
  /** Whether the stops that both states have are in a different order. */
  readonly tourReordered: boolean;
  /** Whether the tags that both states have are in a different order. */
  readonly reordered: boolean;
  readonly fields: readonly FieldDifference[];
}

/** An item's values, grouped by the kind of change (ItemChange) that a difference means. */
interface Comparable {
  readonly title: Localized;
  readonly texts: readonly (readonly [TextDifference["field"], Localized | string])[];
  readonly placement: unknown;
  readonly style: unknown;
  readonly hidden: boolean;
  readonly position: Vec3 | null;
}

const comparableTag = (tag: EventTag): Comparable => ({
  title: tag.title,
  texts: [
    ["title", tag.title],
    ["body", tag.body],
    ["keywords", tag.keywords.join(", ")],
  ],
  placement: [tag.position, tag.stem, tag.viewpoint],
  style: [tag.color, tag.icon, tag.linkUrl, tag.mediaIds, tag.product],
  hidden: tag.hidden,
  position: tag.position,
});

const comparableMediaItem = ({
  title,
  description,
  placement,
  hidden,
  libraryItemId,
}: MediaItemRecord): Comparable => ({
  title,
  texts: [
    ["title", title],
    ["description", description],
  ],
  placement: placement && [placement.position, placement.normal, placement.rotation],
  style: [libraryItemId, placement && [placement.width, placement.play, placement.reach]],
  hidden,
  position: placement?.position ?? null,
});

const comparableStop = ({ title, text, tagId, viewpoint, seconds }: TourStop): Comparable => ({
  title,
  texts: [
    ["title", title],
    ["body", text],
  ],
  placement: [tagId, viewpoint],
  style: seconds,
  hidden: false,
  position: null,
});

interface NamedStop extends Pick<StopDifference, "at" | "tagTitle"> {
  readonly stop: Comparable;
}

const listStops = ({ scene, tags }: EventState): ReadonlyMap<Uuid, NamedStop> =>
  new Map(
    scene.tour.map((stop, index) => {
      const tagTitle = (stop.tagId !== null && tags.get(stop.tagId)?.title) || null;
      return [stop.id, { stop: comparableStop(stop), at: index + 1, tagTitle }];
    }),
  );

/** Returns the differences of a tour's stops, in the order of the later state; removed stops come last. */
function stopDifferences(before: EventState, after: EventState): readonly StopDifference[] {
  const [earlierStops, laterStops] = [listStops(before), listStops(after)];
  return [...new Set([...laterStops.keys(), ...earlierStops.keys()])].flatMap((id) => {
    const [earlierStop, laterStop] = [earlierStops.get(id), laterStops.get(id)];
    const difference = itemDifference("stop", id, earlierStop?.stop ?? null, laterStop?.stop ?? null);
    const existingStop = laterStop ?? earlierStop;
    if (!difference || !existingStop) return [];
    const { title, kinds, texts } = difference;
    return { id, title, kinds, texts, at: existingStop.at, tagTitle: existingStop.tagTitle };
  });
}

function textDifferences(before: Comparable, after: Comparable): readonly TextDifference[] {
  return before.texts.flatMap(([field, earlierText], index): TextDifference[] => {
    const laterText = after.texts[index]?.[1] ?? "";
    if (typeof earlierText === "string" || typeof laterText === "string")
      return earlierText === laterText
        ? []
        : [{ field, lang: null, before: String(earlierText), after: String(laterText) }];
    return LANGS.filter((lang) => earlierText[lang] !== laterText[lang]).map((lang) => ({
      field,
      lang,
      before: earlierText[lang],
      after: laterText[lang],
    }));
  });
}

function itemDifference<Type extends ItemDifference["type"] | "stop">(
  type: Type,
  id: Uuid,
  before: Comparable | null,
  after: Comparable | null,
): (Omit<ItemDifference, "type"> & { readonly type: Type }) | null {
  const existingItem = after ?? before;
  if (!existingItem) return null;
  const base = {
    type,
    id,
    title: existingItem.title,
    from: before?.position ?? null,
    to: after?.position ?? null,
  };
  if (!before || !after) return { ...base, kinds: [before ? "removed" : "added"], texts: [] };
  const texts = textDifferences(before, after);
  const kinds: ItemChange[] = [
    ...(isEqual(before.placement, after.placement) ? [] : (["moved"] as const)),
    ...(texts.length === 0 ? [] : (["reworded"] as const)),
    ...(isEqual(before.style, after.style) ? [] : (["restyled"] as const)),
    ...(before.hidden === after.hidden ? [] : [after.hidden ? ("hidden" as const) : ("shown" as const)]),
  ];
  return kinds.length === 0 ? null : { ...base, kinds, texts };
}

const FIELDS = Object.keys({
  eventName: true,
  startDate: true,
  endDate: true,
  statusId: true,
  enableAutoChangeStatus: true,
  eventDetail: true,
  urlParams: true,
  hasStore: true,
  hasPassword: true,
  showBeforePassword: true,
} satisfies Record<keyof EventFields, true>) as readonly (keyof EventFields)[];

/** Returns the differences between two lists of tags or media, in the order of the later list; removed ones come last. */
function itemDifferences<Item extends Listed>(
  type: ItemDifference["type"],
  earlier: readonly Item[],
  later: readonly Item[],
  toComparable: (item: Item) => Comparable,
): readonly ItemDifference[] {
  const earlierById = new Map(earlier.map((item) => [item.id, toComparable(item)]));
  const laterById = new Map(later.map((item) => [item.id, toComparable(item)]));
  return [...new Set([...laterById.keys(), ...earlierById.keys()])].flatMap(
    (id) => itemDifference(type, id, earlierById.get(id) ?? null, laterById.get(id) ?? null) ?? [],
  );
}

/** Returns the ids of a list's items that another list has too, in the order of the first list. */
function commonIds(list: readonly Listed[], otherList: readonly Listed[]): readonly Uuid[] {
  const otherIds = new Set(otherList.map(({ id }) => id));
  return list.flatMap(({ id }) => (otherIds.has(id) ? [id] : []));
}

/** Returns whether the items that both lists have are in a different order. */
const isReordered = (earlier: readonly Listed[], later: readonly Listed[]): boolean =>
  !isEqual(commonIds(earlier, later), commonIds(later, earlier));

/** Returns the differences between two states of an event, in the order of the later state: tags, then media, each with the removed ones last. */
export function compareStates(before: EventState, after: EventState): StateDifference {
  const [earlierTags, laterTags] = [listTags(before), listTags(after)];
  const [earlierMedia, laterMedia] = [listMedia(before), listMedia(after)];
  return {
    items: [
      ...itemDifferences("tag", earlierTags, laterTags, comparableTag),
      ...itemDifferences("media", earlierMedia, laterMedia, comparableMediaItem),
    ],
    scene: (["startView", "tour", "plan", "products"] as const).filter(
      (part) => !isEqual(before.scene[part], after.scene[part]),
    ),
    stops: stopDifferences(before, after),
    tourReordered: isReordered(before.scene.tour, after.scene.tour),
    reordered: isReordered(earlierTags, laterTags),
    fields: FIELDS.filter((field) => !isEqual(before.fields[field], after.fields[field])).map(
      (field) => ({ field, before: before.fields[field], after: after.fields[field] }) as FieldDifference,
    ),
  };
}
