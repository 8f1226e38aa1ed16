import * as z from "zod";
import { field, formError, readInteger, withCrossFieldRules } from "../shared/fields.schema";
import { toUuid } from "../shared/ids";
import type { Uuid } from "../shared/model";
import { BATCH_TARGETS_MAX, TREE_BATCH_MAX } from "./tree";

/** An invalid entry of a batch. Only this entry fails; the others are processed. */
export interface MalformedEntry {
  /** The item's id, as sent if it is invalid; null if it is not a text. */
  readonly uuid: string | null;
  /** The field that is not an id, if the entry has several fields. */
  readonly field?: string;
}

/** One list of a batch. */
export interface BatchList<Entry> {
  readonly valid: readonly Entry[];
  readonly malformed: readonly MalformedEntry[];
}

const sentText = (value: unknown) => (typeof value === "string" ? value : null);

function batchList<Entry extends object | string>(read: (value: unknown) => Entry | MalformedEntry) {
  const isMalformed = (entry: Entry | MalformedEntry): entry is MalformedEntry =>
    typeof entry === "object" && "uuid" in entry;
  return field<BatchList<Entry>>((value) => {
    if (value === undefined || value === null) return { value: { valid: [], malformed: [] } };
    if (!Array.isArray(value)) return { error: "shared-owners:errors.field.invalid" };
    if (value.length > TREE_BATCH_MAX) return { error: "folders:errors.tree.tooMany" };
    const entries = value.map(read);
    return {
      value: {
        valid: entries.filter((entry): entry is Entry => !isMalformed(entry)),
        malformed: entries.filter(isMalformed),
      },
    };
  });
}

/** Ids of a batch, in upper or lower case. */
const idList = batchList<Uuid>((value) => toUuid(value) ?? { uuid: sentText(value) });

/** The batch that deletes or restores items (specification §7): {folders?: [uuid], spaces?: [uuid], media?: [uuid]}. */
export function createBatchDeleteSchema() {
  return z.object({ folders: idList, spaces: idList, media: idList }, formError);
}

/** An item of a batch and its target folder. */
export interface BatchMove {
  readonly id: Uuid;
  readonly folderId: Uuid;
}

/** Returns a schema for items of one kind with their target folders, which `data` contains under that name. */
const moveList = (name: "parent_uuid" | "folder_uuid") =>
  batchList<BatchMove>((value) => {
    const { uuid, data } = (value ?? {}) as { uuid?: unknown; data?: Record<string, unknown> | null };
    const id = toUuid(uuid);
    const folderId = toUuid(data?.[name]);
    if (id === null) return { uuid: sentText(uuid), field: "uuid" };
    return folderId === null ? { uuid: id, field: `data.${name}` } : { id, folderId };
  });

/**
 * The batch that moves items (specification §7): {folders?: [{uuid, data: {parent_uuid}}], spaces?: [{uuid, data: {folder_uuid}}], media?: the same as
 * spaces}.
 */
export function createBatchUpdateSchema() {
  const lists = z.object(
    { folders: moveList("parent_uuid"), spaces: moveList("folder_uuid"), media: moveList("folder_uuid") },
    formError,
  );
  return withCrossFieldRules(lists, (value, add) => {
    const nonEmptyLists = BATCH_LISTS.filter((list) => (value[list]?.valid.length ?? 0) > 0);
    const targets = nonEmptyLists.flatMap((list) => value[list]?.valid.map(({ folderId }) => folderId) ?? []);
    if (new Set(targets).size > BATCH_TARGETS_MAX)
      for (const list of nonEmptyLists) add([list], "folders:errors.tree.tooManyTargets");
  });
}

/** Names of the lists of a batch. */
export const BATCH_LISTS = ["folders", "spaces", "media"] as const;

/** The expected version; null if the caller sends none. */
export const optionalVersionField = field<number | null>((value) => {
  if (value === undefined || value === null) return { value: null };
  const number = readInteger(value, 0, Number.MAX_SAFE_INTEGER);
  return number === null ? { error: "shared-owners:errors.field.invalid" } : { value: number };
});
