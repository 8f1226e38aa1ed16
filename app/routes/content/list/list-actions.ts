/** Converts the buttons of the lists to edits, both for the editor's script and for pages without scripts. */
import type { PartType, TagValues } from "~/domain/content/content";
import { type CopySuffix, copyName } from "~/domain/folders/copy-name";
import { MEDIA_TITLE_MAX, TAG_TITLE_MAX } from "~/domain/shared/limits";
import type { EventMedia, EventTag, Uuid, Vec3 } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { type Edit, getUserValues } from "~/features/content/editor/content";
import { nudgePosition } from "~/viewer/core/nudge";
import { findPlaceholderTitle } from "../items/untitled-tag";
import { getSurfacePoint, placeEdit } from "../placement/placing";

/** Actions that apply to several items of a list at once. */
export const LIST_ACTIONS = ["up", "down", "duplicate", "hide", "show", "delete", "restore"] as const;
/** Name of an action. */
export type ListAction = (typeof LIST_ACTIONS)[number];

/** Content that actions apply to. */
export interface ListContent {
  readonly tags: readonly EventTag[];
  readonly media: readonly EventMedia[];
}

/** Moves tags together to one position above the first of them, or below the last; the others keep their order. */
function moveEdits(tags: readonly EventTag[], ids: readonly Uuid[], direction: "up" | "down"): Edit[] {
  const selected = new Set(ids);
  const selectedIndexes = tags.flatMap(({ id }, index) => (selected.has(id) ? [index] : []));
  const movedIds = selectedIndexes.flatMap((index) => tags[index]?.id ?? []);
  const [firstIndex, lastIndex] = [selectedIndexes[0], selectedIndexes.at(-1)];
  if (firstIndex === undefined || lastIndex === undefined) return [];
  if (direction === "up") {
    const previousTag = tags[firstIndex - 1];
    return previousTag ? [{ op: "move_tags", ids: movedIds, before: previousTag.id }] : [];
  }
  if (!tags[lastIndex + 1]) return [];
  return [{ op: "move_tags", ids: movedIds, before: tags[lastIndex + 2]?.id ?? null }];
}

/** Suffix of a copy's title, the same in every language. The title of an original may end in the same way, for example with a year: "Expo (2024)". */
const COPY_SUFFIX: CopySuffix = { first: " (2)", next: " ({{number}})" };
/** Distance between a copy and its original along the surface, in metres. */
const COPY_STEP = 0.25;
/** Distance below which two items count as being at the same place, in metres. */
const SAME_PLACE = 0.05;

/**
 * Values that distinguish copies from their originals: another title, and a position beside the original. A copy of an item without a title or
 * position has none either.
 * @param copies ids of the copies by the ids of their originals
 * @param titleMax maximum number of characters of a title
 */
function distinguishCopies<Item extends EventTag | EventMedia>(
  items: readonly Item[],
  copies: ReadonlyMap<Uuid, Uuid>,
  titleMax: number,
): { readonly item: Item; readonly id: Uuid; readonly values: object }[] {
  const langs = ["ja", "en"] as const;
  const titlesInUse = { ja: new Set<string>(), en: new Set<string>() };
  for (const { title } of items) for (const lang of langs) titlesInUse[lang].add(nameKey(title[lang]));
  const occupiedPositions = items.flatMap((item) => {
    const surfacePoint = getSurfacePoint(item);
    return surfacePoint ? [surfacePoint.position] : [];
  });
  const isOccupied = (position: Vec3) =>
    occupiedPositions.some(
      ([x, y, z]) => Math.hypot(x - position[0], y - position[1], z - position[2]) < SAME_PLACE,
    );
  return items.flatMap((item) => {
    const id = copies.get(item.id);
    if (!id) return [];
    const title = { ...item.title };
    for (const lang of langs) {
      if (title[lang] === "" || findPlaceholderTitle(item) !== null) continue;
      title[lang] = copyName(title[lang], COPY_SUFFIX, titleMax, titlesInUse[lang], false);
      titlesInUse[lang].add(nameKey(title[lang]));
    }
    const surfacePoint = getSurfacePoint(item);
    if (!surfacePoint) return [{ item, id, values: { title } }];
    let { position } = surfacePoint;
    for (let attempts = 0; attempts <= items.length && isOccupied(position); attempts++)
      position = nudgePosition(position, surfacePoint.normal, 0, "right", COPY_STEP);
    occupiedPositions.push(position);
    const placementEdit = placeEdit(item, { ...surfacePoint, position });
    return [{ item, id, values: { ...("values" in placementEdit && placementEdit.values), title } }];
  });
}

/** Ids of the copies that a list's edits create. */
export const createdIds = (edits: readonly Edit[]): readonly Uuid[] =>
  edits.flatMap((edit) =>
    edit.op === "duplicate" ? [edit.newId] : edit.op === "create_tag" ? [edit.id] : [],
  );

/**
 * Copies tags, each behind its original: the copies are created at the end and then moved there in one edit, together with the items between
 * them.
 */
function copyTags(tags: readonly EventTag[], ids: readonly Uuid[], newId: () => Uuid): Edit[] {
  const copies = new Map(ids.map((id) => [id, newId()]));
  const creations = distinguishCopies(tags, copies, TAG_TITLE_MAX).map(({ item, id, values }): Edit => {
    return { op: "create_tag", id, values: { ...(getUserValues(item) as unknown as TagValues), ...values } };
  });
  const originalIndexes = tags.flatMap(({ id }, index) => (copies.has(id) ? [index] : []));
  const [firstIndex, lastIndex] = [originalIndexes[0] ?? 0, originalIndexes.at(-1) ?? 0];
  const [, ...movedIds] = tags
    .slice(firstIndex, lastIndex + 1)
    .flatMap(({ id }) => [id, copies.get(id) ?? []].flat());
  const beforeId = tags[lastIndex + 1]?.id ?? null;
  const isInPlace = beforeId === null && movedIds.length <= 1;
  return isInPlace ? creations : [...creations, { op: "move_tags", ids: movedIds, before: beforeId }];
}

/**
 * Copies media items. Each copy is duplicated inside the event and then changed, instead of being added from the library, because the user may use
 * an item of the event without being permitted to see it in the library.
 */
function copyMedia(media: readonly EventMedia[], ids: readonly Uuid[], newId: () => Uuid): Edit[] {
  const copies = new Map(ids.map((id) => [id, newId()]));
  const duplications = [...copies].map(
    ([id, copyId]): Edit => ({ op: "duplicate", type: "media", id, newId: copyId }),
  );
  const distinctCopies = distinguishCopies(media, copies, MEDIA_TITLE_MAX);
  return [
    ...duplications,
    ...distinctCopies.map(({ id, values }): Edit => ({ op: "update_media", id, values })),
  ];
}

/** Edits of an action. Ids that the content does not contain are ignored, except for items that are restored. */
export function listEdits(
  { tags, media }: ListContent,
  action: ListAction,
  type: PartType,
  selectedIds: readonly Uuid[],
  newId: () => Uuid,
): Edit[] {
  if (action === "restore") return selectedIds.map((id) => ({ op: "restore", type, id }));
  const items: readonly (EventTag | EventMedia)[] = type === "tag" ? tags : media;
  const selected = new Set(selectedIds);
  const ids = items.filter(({ id }) => selected.has(id)).map(({ id }) => id);
  switch (action) {
    case "up":
    case "down":
      return type === "tag" ? moveEdits(tags, ids, action) : [];
    case "duplicate":
      if (type === "tag") return copyTags(tags, ids, newId);
      return copyMedia(media, ids, newId);
    case "delete":
      return ids.map((id) => ({ op: "delete", type, id }));
    case "hide":
    case "show": {
      const values = { hidden: action === "hide" };
      return ids.map((id) =>
        type === "tag" ? { op: "update_tag", id, values } : { op: "update_media", id, values },
      );
    }
  }
}

/** Parses the value of a button: an action and its only item; without an item the action applies to all selected ones. */
export function parseListAction(
  value: string,
): { readonly action: ListAction; readonly onlyId: Uuid | null } | null {
  const [name, onlyId] = value.split("~");
  const matchingAction = LIST_ACTIONS.find((action) => action === name);
  return matchingAction ? { action: matchingAction, onlyId: onlyId || null } : null;
}
