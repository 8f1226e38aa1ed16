/** What is not saved yet: how it is put together, sent, and set against what others saved. */

import type { ContentCommand } from "~/domain/content/content";
import { commandToJson } from "~/domain/content/content-json";
import { merge } from "~/domain/events/merge";
import { CONTENT_COMMANDS_MAX } from "~/domain/shared/limits";
import {
  type Content,
  type Draft,
  type Edit,
  isUpdate,
  itemOf,
  pick,
  subjectOf,
  type Update,
  type Values,
} from "./content";

/** An edit on its way. */
export interface Pending {
  readonly edit: Edit;
  /** What stood in its fields when it was made; null where nothing is to be compared. */
  readonly was: Values | null;
}

/** Whether an edit says what a thing is to be, all of it or some: further values of the thing can go with it. */
function saysValues(
  edit: Edit,
): edit is Update | Extract<Edit, { readonly op: "create_tag" | "create_media" }> {
  return isUpdate(edit) || edit.op === "create_tag" || edit.op === "create_media";
}

/**
 * Puts one more edit into the queue; values of the same thing that wait behind `fixed` others are joined. What is being made is made with
 * them: a call cannot change what it makes, and of a page that is left only one call arrives.
 */
export function enqueue(queue: Pending[], next: Pending, fixed: number): void {
  const last = queue.length > fixed ? queue.at(-1) : undefined;
  const joins =
    last && saysValues(last.edit) && isUpdate(next.edit) && subjectOf(last.edit) === subjectOf(next.edit);
  if (!joins || !last) {
    queue.push(next);
    return;
  }
  const edit = {
    ...last.edit,
    values: { ...(last.edit as Update).values, ...(next.edit as Update).values },
  } as Edit;
  const was = last.was && next.was ? { ...next.was, ...last.was } : null;
  queue[queue.length - 1] = { edit, was };
}

/** Everything that an edit of one thing needs to be there, or changes. */
function touched(edit: Edit): readonly string[] {
  const values = "values" in edit ? (edit.values as { readonly mediaIds?: readonly string[] }) : {};
  return [subjectOf(edit) ?? "", ...(edit.op === "duplicate" ? [edit.id] : []), ...(values.mediaIds ?? [])];
}

/** Bytes of a command as the API reads it, with what stands between it and the next. */
export function bytesOf(command: ContentCommand): number {
  return new TextEncoder().encode(JSON.stringify(commandToJson(command))).length + 1;
}

/**
 * The commands that can go in one call, of the first edits, and how many bytes they have: nothing in it may build on something else
 * in it, whose version is not known yet. A move goes alone, so that doing it twice, after an answer that was lost, is doing it once.
 * There is always one, however long.
 */
export function batchOf(
  queue: readonly Pending[],
  base: Content | Draft,
  bytesMax: number,
): { readonly commands: readonly ContentCommand[]; readonly bytes: number } {
  const changed = new Set<string>();
  const commands: ContentCommand[] = [];
  let bytes = 0;
  for (const { edit } of queue) {
    const isFull = commands.length === CONTENT_COMMANDS_MAX;
    if (isFull || touched(edit).some((id) => changed.has(id))) break;
    if (edit.op === "move_tags" && commands.length > 0) break;
    const command = toCommand(edit, base);
    const more = bytesOf(command);
    if (commands.length > 0 && bytes + more > bytesMax) break;
    commands.push(command);
    bytes += more;
    if (edit.op === "move_tags") break;
    changed.add(subjectOf(edit) ?? "");
  }
  return { commands, bytes };
}

/** An edit as a command about what is saved now. */
export function toCommand(edit: Edit, base: Content | Draft): ContentCommand {
  const version = itemOf(base, subjectOf(edit) ?? "")?.version ?? 0;
  switch (edit.op) {
    case "update_tag":
    case "update_media":
    case "update_scene":
    case "delete":
      return { ...edit, version };
    case "create_media": {
      const { facts: _facts, ...command } = edit;
      return command;
    }
    default:
      return edit;
  }
}

/**
 * The queue with what waits for some things set on what somebody else saved of them meanwhile. What only one of the two changed is
 * as that one made it; where both changed the same, the thing is named in `clashing`, and what waits for it is there as it was meant here.
 */
export function rebase(
  queue: readonly Pending[],
  saved: ReadonlyMap<string, object>,
): { readonly queue: Pending[]; readonly clashing: ReadonlySet<string> } {
  const now = new Map<string, Values>();
  const clashing = new Set<string>();
  const next = queue.map((pending) => {
    const { edit, was } = pending;
    const id = subjectOf(edit) ?? "";
    const last = now.get(id) ?? (saved.get(id) as Values | undefined);
    if (!isUpdate(edit) || !last) return pending;
    const values: Record<string, unknown> = {};
    for (const [field, mine] of Object.entries(edit.values)) {
      const { value, clash } =
        was === null ? { value: mine, clash: false } : merge(was[field], mine, last[field]);
      if (clash) clashing.add(id);
      values[field] = value;
    }
    now.set(id, { ...last, ...values });
    return { edit: { ...edit, values } as Edit, was: was && pick(last, Object.keys(values)) };
  });
  return { queue: next, clashing };
}

/** All values that wait for some things, by their ids, and the queue without them. */
export function takeOut(
  queue: readonly Pending[],
  ids: { has(id: string): boolean },
): { readonly mine: ReadonlyMap<string, Values>; readonly rest: Pending[] } {
  const mine = new Map<string, Values>();
  const rest = queue.filter(({ edit }) => {
    const id = subjectOf(edit) ?? "";
    if (!isUpdate(edit) || !ids.has(id)) return true;
    mine.set(id, { ...mine.get(id), ...edit.values });
    return false;
  });
  return { mine, rest };
}

/** What waits for a thing. */
export interface Waiting {
  readonly updated: boolean;
  readonly deleted: boolean;
  /** It is made, or brought back, before anything else. */
  readonly made: boolean;
}

/** What waits for things, by their ids. */
export function waitingOf(queue: readonly Pending[]): ReadonlyMap<string, Waiting> {
  const waiting = new Map<string, Waiting>();
  for (const { edit } of queue) {
    const id = subjectOf(edit);
    if (id === null) continue;
    const { updated, deleted, made } = waiting.get(id) ?? { updated: false, deleted: false, made: false };
    const isOther = !isUpdate(edit) && edit.op !== "delete";
    waiting.set(id, {
      updated: updated || isUpdate(edit),
      deleted: deleted || edit.op === "delete",
      made: made || isOther,
    });
  }
  return waiting;
}
