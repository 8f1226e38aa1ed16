import { z } from "zod";
import { field, formError, readInteger } from "./fields.schema";
import { toUuid } from "./ids";
import type { Uuid } from "./model";
import { BATCH_TARGETS_MAX, TREE_BATCH_MAX } from "./tree";

/** Ids of a batch, in any letters. */
const idList = field<readonly Uuid[]>((value) => {
  if (value === undefined || value === null) return { value: [] };
  if (!Array.isArray(value)) return { error: "errors.field.invalid" };
  if (value.length > TREE_BATCH_MAX) return { error: "errors.tree.tooMany" };
  const ids = value.map(toUuid);
  return ids.every((id) => id !== null) ? { value: ids as Uuid[] } : { error: "errors.field.invalid" };
});

/** What a batch deletes (§7): {folders?: [uuid], spaces?: [uuid], media?: [uuid]}. */
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
  field<readonly BatchMove[]>((value) => {
    if (value === undefined || value === null) return { value: [] };
    if (!Array.isArray(value)) return { error: "errors.field.invalid" };
    if (value.length > TREE_BATCH_MAX) return { error: "errors.tree.tooMany" };
    const moves: BatchMove[] = [];
    for (const each of value as { uuid?: unknown; data?: Record<string, unknown> | null }[]) {
      const id = toUuid(each?.uuid);
      const folderId = toUuid(each?.data?.[name]);
      if (id === null || folderId === null) return { error: "errors.field.invalid" };
      moves.push({ id, folderId });
    }
    return { value: moves };
  });

/** What a batch moves (§7): {folders?: [{uuid, data: {parent_uuid}}], spaces?: [{uuid, data: {folder_uuid}}], media?: as spaces}. */
export function createBatchUpdateSchema() {
  return z
    .object(
      { folders: moveList("parent_uuid"), spaces: moveList("folder_uuid"), media: moveList("folder_uuid") },
      formError,
    )
    .refine(
      ({ folders, spaces, media }) => {
        const moves = [...folders, ...spaces, ...media];
        return new Set(moves.map(({ folderId }) => folderId)).size <= BATCH_TARGETS_MAX;
      },
      { message: "errors.tree.tooManyTargets", path: ["folders"] },
    );
}

/** The version that a caller saw last; null when it names none. */
export const versionField = field<number | null>((value) => {
  if (value === undefined || value === null) return { value: null };
  const number = readInteger(value, 0, Number.MAX_SAFE_INTEGER);
  return number === null ? { error: "errors.field.invalid" } : { value: number };
});
