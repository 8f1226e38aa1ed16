/** What the buttons of the lists do, as edits: the editor's script and the page without scripts do the same. */
import type { PartType, TagValues } from "~/domain/content/content";
import { type CopyEnding, copyName } from "~/domain/folders/copy-name";
import { MEDIA_TITLE_MAX, TAG_TITLE_MAX } from "~/domain/shared/limits";
import type { EventMedia, EventTag, Uuid, Vec3 } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { type Edit, getUserValues } from "~/editor/content";
import { nudgePosition } from "~/viewer/core/nudge";
import { placeEdit, spotOf } from "./placing";
import { placeholderOf } from "./unnamed";

/** What can be done to several things of a list at once. */
export const LIST_ACTS = ["up", "down", "duplicate", "hide", "show", "delete", "restore"] as const;
/** One of them. */
export type ListAct = (typeof LIST_ACTS)[number];

/** The content that acts are about. */
export interface Listed {
  readonly tags: readonly EventTag[];
  readonly media: readonly EventMedia[];
}

/** Tags one place further up or down, those in between staying as they are to each other. */
function moveEdits(tags: readonly EventTag[], ids: readonly Uuid[], by: "up" | "down"): Edit[] {
  const wanted = new Set(ids);
  const places = tags.flatMap(({ id }, at) => (wanted.has(id) ? [at] : []));
  const chosen = places.flatMap((at) => tags[at]?.id ?? []);
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (by === "up") {
    const before = tags[first - 1];
    return before ? [{ op: "move_tags", ids: chosen, before: before.id }] : [];
  }
  if (!tags[last + 1]) return [];
  return [{ op: "move_tags", ids: chosen, before: tags[last + 2]?.id ?? null }];
}

/** What the title of a copy ends in, in every language alike; other titles may end so as well, in a year say. */
const COPY_ENDING: CopyEnding = { first: " (2)", next: " ({{number}})" };
/** Metres along its surface that a copy stands beside what it is a copy of. */
const COPY_STEP = 0.25;
/** Metres within which two things stand at the same place. */
const SAME_PLACE = 0.05;

/**
 * What tells copies from what they are copies of, by their ids: a title of their own, and a place beside it. Those that wait for their
 * name keep waiting.
 */
function apart<Item extends EventTag | EventMedia>(
  items: readonly Item[],
  copies: ReadonlyMap<Uuid, Uuid>,
  max: number,
): { readonly item: Item; readonly id: Uuid; readonly values: object }[] {
  const langs = ["ja", "en"] as const;
  const taken = { ja: new Set<string>(), en: new Set<string>() };
  for (const { title } of items) for (const lang of langs) taken[lang].add(nameKey(title[lang]));
  const places = items.flatMap((item) => {
    const spot = spotOf(item);
    return spot ? [spot.position] : [];
  });
  const isTaken = (position: Vec3) =>
    places.some(([x, y, z]) => Math.hypot(x - position[0], y - position[1], z - position[2]) < SAME_PLACE);
  return items.flatMap((item) => {
    const id = copies.get(item.id);
    if (!id) return [];
    const title = { ...item.title };
    for (const lang of langs) {
      if (title[lang] === "" || placeholderOf(item) !== null) continue;
      title[lang] = copyName(title[lang], COPY_ENDING, max, taken[lang], false);
      taken[lang].add(nameKey(title[lang]));
    }
    const spot = spotOf(item);
    if (!spot) return [{ item, id, values: { title } }];
    let { position } = spot;
    for (let tries = 0; tries <= items.length && isTaken(position); tries++)
      position = nudgePosition(position, spot.normal, 0, "right", COPY_STEP);
    places.push(position);
    const placed = placeEdit(item, { ...spot, position });
    return [{ item, id, values: { ...("values" in placed && placed.values), title } }];
  });
}

/** What an act has made new, by its ids. */
export const madeBy = (edits: readonly Edit[]): readonly Uuid[] =>
  edits.flatMap((edit) =>
    edit.op === "duplicate" ? [edit.newId] : edit.op === "create_tag" ? [edit.id] : [],
  );

/** Copies, each behind what it is a copy of: made at the end, then brought there in one move, with what stands between them. */
function copyTags(tags: readonly EventTag[], ids: readonly Uuid[], newId: () => Uuid): Edit[] {
  const copies = new Map(ids.map((id) => [id, newId()]));
  const made = apart(tags, copies, TAG_TITLE_MAX).map(({ item, id, values }): Edit => {
    return { op: "create_tag", id, values: { ...(getUserValues(item) as unknown as TagValues), ...values } };
  });
  const places = tags.flatMap(({ id }, at) => (copies.has(id) ? [at] : []));
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const [, ...behind] = tags.slice(first, last + 1).flatMap(({ id }) => [id, copies.get(id) ?? []].flat());
  const before = tags[last + 1]?.id ?? null;
  const isThere = before === null && behind.length <= 1;
  return isThere ? made : [...made, { op: "move_tags", ids: behind, before }];
}

/** Copies of media: those who may not see them in the library may have them twice in the event, so they are copied there, then told apart. */
function copyMedia(media: readonly EventMedia[], ids: readonly Uuid[], newId: () => Uuid): Edit[] {
  const copies = new Map(ids.map((id) => [id, newId()]));
  const made = [...copies].map(([id, copy]): Edit => ({ op: "duplicate", type: "media", id, newId: copy }));
  const told = apart(media, copies, MEDIA_TITLE_MAX);
  return [...made, ...told.map(({ id, values }): Edit => ({ op: "update_media", id, values }))];
}

/** The edits of an act. Ids that the content does not have are left out, but for those that are to come back. */
export function listEdits(
  { tags, media }: Listed,
  act: ListAct,
  type: PartType,
  asked: readonly Uuid[],
  newId: () => Uuid,
): Edit[] {
  if (act === "restore") return asked.map((id) => ({ op: "restore", type, id }));
  const all: readonly (EventTag | EventMedia)[] = type === "tag" ? tags : media;
  const wanted = new Set(asked);
  const ids = all.filter(({ id }) => wanted.has(id)).map(({ id }) => id);
  switch (act) {
    case "up":
    case "down":
      return type === "tag" ? moveEdits(tags, ids, act) : [];
    case "duplicate":
      if (type === "tag") return copyTags(tags, ids, newId);
      return copyMedia(media, ids, newId);
    case "delete":
      return ids.map((id) => ({ op: "delete", type, id }));
    case "hide":
    case "show": {
      const values = { hidden: act === "hide" };
      return ids.map((id) =>
        type === "tag" ? { op: "update_tag", id, values } : { op: "update_media", id, values },
      );
    }
  }
}

/** What a button says with its value: an act, and the one thing that it means; without one, all that are ticked. */
export function readListAct(value: string): { readonly act: ListAct; readonly only: Uuid | null } | null {
  const [name, only] = value.split("~");
  const act = LIST_ACTS.find((each) => each === name);
  return act ? { act, only: only || null } : null;
}
