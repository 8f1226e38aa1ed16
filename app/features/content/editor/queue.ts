/** The queue of unsaved edits: how edits are joined, sent, and rebased on other users' changes. */
import type { ContentCommand } from "~/domain/content/content";
import { commandToJson } from "~/domain/content/content-json";
import { merge } from "~/domain/events/merge";
import { CONTENT_COMMANDS_MAX } from "~/domain/shared/limits";
import {
  type ContentDraft,
  type Edit,
  type EditorContent,
  findItem,
  getSubjectId,
  isUpdate,
  pickValues,
  type Update,
  type Values,
} from "./content";

/** An edit that waits to be saved. */
export interface Pending {
  readonly edit: Edit;
  /** Previous values of the fields that the edit sets. Null when they need not be compared. */
  readonly previousValues: Values | null;
}

/** Whether an edit sets values of a record, so that later values of the same record can be joined with it. */
function setsValues(
  edit: Edit,
): edit is Update | Extract<Edit, { readonly op: "create_tag" | "create_media" }> {
  return isUpdate(edit) || edit.op === "create_tag" || edit.op === "create_media";
}

/**
 * Adds an edit to the queue. Its values are joined with the last edit if that edit sets values of the same record and is not among the `fixedCount`
 * first edits, which were sent. They are also joined with the creation of the record: one call cannot both create and change a record, and only one
 * call can be sent while a page closes.
 */
export function enqueue(queue: Pending[], next: Pending, fixedCount: number): void {
  const last = queue.length > fixedCount ? queue.at(-1) : undefined;
  const joins =
    last &&
    setsValues(last.edit) &&
    isUpdate(next.edit) &&
    getSubjectId(last.edit) === getSubjectId(next.edit);
  if (!joins || !last) {
    queue.push(next);
    return;
  }
  const edit = {
    ...last.edit,
    values: { ...(last.edit as Update).values, ...(next.edit as Update).values },
  } as Edit;
  const previousValues =
    last.previousValues && next.previousValues ? { ...next.previousValues, ...last.previousValues } : null;
  queue[queue.length - 1] = { edit, previousValues };
}

/** Returns the ids of the record that an edit changes, of the record that it copies, and of the media that it assigns to a tag. */
function listAffectedIds(edit: Edit): readonly string[] {
  const values = "values" in edit ? (edit.values as { readonly mediaIds?: readonly string[] }) : {};
  return [
    getSubjectId(edit) ?? "",
    ...(edit.op === "duplicate" ? [edit.id] : []),
    ...(values.mediaIds ?? []),
  ];
}

/** Returns the size of a command in the API's JSON in bytes, including the separator. */
export function commandBytes(command: ContentCommand): number {
  return new TextEncoder().encode(JSON.stringify(commandToJson(command))).length + 1;
}

/**
 * Returns the commands from the start of the queue that fit into one call, and their size. No command depends on another one in the call, because the
 * new versions are not known yet. A move is sent alone, so that repeating it after a lost response has no further effect. The first command is
 * included even when it is too large.
 */
export function takeBatch(
  queue: readonly Pending[],
  base: EditorContent | ContentDraft,
  bytesMax: number,
): { readonly commands: readonly ContentCommand[]; readonly bytes: number } {
  const changedIds = new Set<string>();
  const commands: ContentCommand[] = [];
  let bytes = 0;
  for (const { edit } of queue) {
    const isFull = commands.length === CONTENT_COMMANDS_MAX;
    if (isFull || listAffectedIds(edit).some((id) => changedIds.has(id))) break;
    if (edit.op === "move_tags" && commands.length > 0) break;
    const command = toCommand(edit, base);
    const addedBytes = commandBytes(command);
    if (commands.length > 0 && bytes + addedBytes > bytesMax) break;
    commands.push(command);
    bytes += addedBytes;
    if (edit.op === "move_tags") break;
    changedIds.add(getSubjectId(edit) ?? "");
  }
  return { commands, bytes };
}

/** Converts an edit to a command for the last saved version. */
export function toCommand(edit: Edit, base: EditorContent | ContentDraft): ContentCommand {
  const version = findItem(base, getSubjectId(edit) ?? "")?.version ?? 0;
  switch (edit.op) {
    case "update_tag":
    case "update_media":
    case "update_scene":
    case "delete":
      return { ...edit, version };
    case "create_media": {
      const { metadata: _metadata, ...command } = edit;
      return command;
    }
    default:
      return edit;
  }
}

/**
 * Rebases the queued edits of some records on another user's changes. A field that only one user changed keeps that user's value. Records in which
 * both users changed the same field are listed in `clashing` and keep their local values in the queue.
 */
export function rebase(
  queue: readonly Pending[],
  saved: ReadonlyMap<string, object>,
): { readonly queue: Pending[]; readonly clashing: ReadonlySet<string> } {
  const rebasedValues = new Map<string, Values>();
  const clashing = new Set<string>();
  const next = queue.map((pending) => {
    const { edit, previousValues } = pending;
    const id = getSubjectId(edit) ?? "";
    const latestValues = rebasedValues.get(id) ?? (saved.get(id) as Values | undefined);
    if (!isUpdate(edit) || !latestValues) return pending;
    const values: Record<string, unknown> = {};
    for (const [field, localValue] of Object.entries(edit.values)) {
      const { value, clash } =
        previousValues === null
          ? { value: localValue, clash: false }
          : merge(previousValues[field], localValue, latestValues[field]);
      if (clash) clashing.add(id);
      values[field] = value;
    }
    rebasedValues.set(id, { ...latestValues, ...values });
    return {
      edit: { ...edit, values } as Edit,
      previousValues: previousValues && pickValues(latestValues, Object.keys(values)),
    };
  });
  return { queue: next, clashing };
}

/** Separates the queued values of some records, by their ids, from the rest of the queue. */
export function separateQueued(
  queue: readonly Pending[],
  ids: { has(id: string): boolean },
): { readonly localValues: ReadonlyMap<string, Values>; readonly remainingQueue: Pending[] } {
  const localValues = new Map<string, Values>();
  const remainingQueue = queue.filter(({ edit }) => {
    const id = getSubjectId(edit) ?? "";
    if (!isUpdate(edit) || !ids.has(id)) return true;
    localValues.set(id, { ...localValues.get(id), ...edit.values });
    return false;
  });
  return { localValues, remainingQueue };
}

/** Kinds of queued edits that a record has. */
export interface QueuedKinds {
  readonly isUpdated: boolean;
  readonly isDeleted: boolean;
  /** Whether a queued edit creates the record, also as a copy of another one, or restores it. */
  readonly isCreated: boolean;
}

/** Returns the kinds of queued edits by record. */
export function listQueuedKinds(queue: readonly Pending[]): ReadonlyMap<string, QueuedKinds> {
  const kinds = new Map<string, QueuedKinds>();
  for (const { edit } of queue) {
    const id = getSubjectId(edit);
    if (id === null) continue;
    const previous = kinds.get(id);
    const isCreating = !isUpdate(edit) && edit.op !== "delete";
    kinds.set(id, {
      isUpdated: previous?.isUpdated || isUpdate(edit),
      isDeleted: previous?.isDeleted || edit.op === "delete",
      isCreated: previous?.isCreated || isCreating,
    });
  }
  return kinds;
}
