/** What the buttons of the lists do, as edits: the editor's script and the page without scripts do the same. */
import type { PartType } from "~/domain/content";
import type { EventMedia, EventTag, Uuid } from "~/domain/model";
import type { Edit } from "~/editor/content";

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

/** Copies, each behind what it is a copy of: made at the end, then brought there in one move, with what stands between them. */
function copyTags(tags: readonly EventTag[], ids: readonly Uuid[], newId: () => Uuid): Edit[] {
  const copies = new Map(ids.map((id) => [id, newId()]));
  const made = [...copies].map(([id, copy]): Edit => ({ op: "duplicate", type: "tag", id, newId: copy }));
  const places = tags.flatMap(({ id }, at) => (copies.has(id) ? [at] : []));
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const [, ...behind] = tags.slice(first, last + 1).flatMap(({ id }) => [id, copies.get(id) ?? []].flat());
  const before = tags[last + 1]?.id ?? null;
  const isThere = before === null && behind.length <= 1;
  return isThere ? made : [...made, { op: "move_tags", ids: behind, before }];
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
      return ids.map((id) => ({ op: "duplicate", type, id, newId: newId() }));
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
