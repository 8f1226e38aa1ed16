import * as z from "zod";
import { across, field, formError, readInteger } from "../shared/fields.schema";
import { toUuid } from "../shared/ids";
import type { Uuid } from "../shared/model";
import { BATCH_TARGETS_MAX, TREE_BATCH_MAX } from "./tree";

/** One thing of a batch that names nothing: it fails for itself, and the others go on. */
export interface Malformed {
  /** As it was sent; null for what is no text. */
  readonly uuid: string | null;
  /** Which part of it is no id, where it has parts. */
  readonly field?: string;
}

/** One list of a batch. */
export interface BatchList<Thing> {
  readonly things: readonly Thing[];
  readonly malformed: readonly Malformed[];
}

const sent = (value: unknown) => (typeof value === "string" ? value : null);

function batchList<Thing extends object | string>(read: (value: unknown) => Thing | Malformed) {
  const isMalformed = (one: Thing | Malformed): one is Malformed => typeof one === "object" && "uuid" in one;
  return field<BatchList<Thing>>((value) => {
    if (value === undefined || value === null) return { value: { things: [], malformed: [] } };
    if (!Array.isArray(value)) return { error: "shared-owners:errors.field.invalid" };
    if (value.length > TREE_BATCH_MAX) return { error: "folders:errors.tree.tooMany" };
    const all = value.map(read);
    return {
      value: {
        things: all.filter((one): one is Thing => !isMalformed(one)),
        malformed: all.filter(isMalformed),
      },
    };
  });
}

/** Ids of a batch, in any letters. */
const idList = batchList<Uuid>((value) => toUuid(value) ?? { uuid: sent(value) });

/** What a batch deletes or restores (§7): {folders?: [uuid], spaces?: [uuid], media?: [uuid]}. */
export function createBatchDeleteSchema() {
  return z.object({ folders: idList, spaces: idList, media: idList }, formError);
}

/** One thing of a batch and the folder it is to lie in. */
export interface BatchMove {
  readonly id: Uuid;
  readonly folderId: Uuid;
}

/** Things of one kind with their new folders, which stand in `data` under that name. */
const moveList = (name: "parent_uuid" | "folder_uuid") =>
  batchList<BatchMove>((value) => {
    const { uuid, data } = (value ?? {}) as { uuid?: unknown; data?: Record<string, unknown> | null };
    const id = toUuid(uuid);
    const folderId = toUuid(data?.[name]);
    if (id === null) return { uuid: sent(uuid), field: "uuid" };
    return folderId === null ? { uuid: id, field: `data.${name}` } : { id, folderId };
  });

/** What a batch moves (§7): {folders?: [{uuid, data: {parent_uuid}}], spaces?: [{uuid, data: {folder_uuid}}], media?: as spaces}. */
export function createBatchUpdateSchema() {
  const lists = z.object(
    { folders: moveList("parent_uuid"), spaces: moveList("folder_uuid"), media: moveList("folder_uuid") },
    formError,
  );
  return across(lists, (value, add) => {
    const named = BATCH_LISTS.filter((list) => (value[list]?.things.length ?? 0) > 0);
    const targets = named.flatMap((list) => value[list]?.things.map(({ folderId }) => folderId) ?? []);
    if (new Set(targets).size > BATCH_TARGETS_MAX)
      for (const list of named) add([list], "folders:errors.tree.tooManyTargets");
  });
}

/** The lists of a batch. */
export const BATCH_LISTS = ["folders", "spaces", "media"] as const;

/** The version that a caller saw last; null when it names none. */
export const versionField = field<number | null>((value) => {
  if (value === undefined || value === null) return { value: null };
  const number = readInteger(value, 0, Number.MAX_SAFE_INTEGER);
  return number === null ? { error: "shared-owners:errors.field.invalid" } : { value: number };
});
