/** What is not saved yet: how it is put together, sent, and set against what others saved. */

import type { ContentCommand } from "~/domain/content";
import { CONTENT_COMMANDS_MAX } from "~/domain/limits";
import { isEqual } from "~/domain/same";
import { type Content, type Edit, isUpdate, itemOf, subjectOf, type Update, type Values } from "./content";

/** An edit on its way. */
export interface Pending {
  readonly edit: Edit;
  /** What stood in its fields when it was made; null where nothing is to be compared. */
  readonly was: Values | null;
}

/** The queue with one more edit; values of the same thing that wait behind `fixed` others are joined. */
export function enqueue(queue: readonly Pending[], next: Pending, fixed: number): Pending[] {
  const last = queue.length > fixed ? queue.at(-1) : undefined;
  const joins =
    last && isUpdate(last.edit) && isUpdate(next.edit) && subjectOf(last.edit) === subjectOf(next.edit);
  if (!joins || !last) return [...queue, next];
  const edit = {
    ...last.edit,
    values: { ...(last.edit as Update).values, ...(next.edit as Update).values },
  } as Edit;
  const was = last.was && next.was ? { ...next.was, ...last.was } : null;
  return [...queue.slice(0, -1), { edit, was }];
}

/** Everything that an edit of one thing needs to be there, or changes. */
function touched(edit: Edit): readonly string[] {
  const values = "values" in edit ? (edit.values as { readonly mediaIds?: readonly string[] }) : {};
  return [subjectOf(edit) ?? "", ...(edit.op === "duplicate" ? [edit.id] : []), ...(values.mediaIds ?? [])];
}

/**
 * How many of the first edits can go in one call: nothing in it may build on something else in it, whose version is not known yet. A
 * move goes alone, so that doing it twice, after an answer that was lost, is doing it once.
 */
export function batchSize(queue: readonly Pending[]): number {
  if (queue[0]?.edit.op === "move_tags") return 1;
  const changed = new Set<string>();
  let size = 0;
  for (const { edit } of queue) {
    const isOver = size === CONTENT_COMMANDS_MAX || edit.op === "move_tags";
    if (isOver || touched(edit).some((id) => changed.has(id))) break;
    changed.add(subjectOf(edit) ?? "");
    size++;
  }
  return size;
}

/** An edit as a command about what is saved now. */
export function toCommand(edit: Edit, base: Content): ContentCommand {
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
 * Whether what waits for a thing would write over what somebody else saved in the same fields meanwhile. Fields that the other
 * one left alone, or gave the same value, are none.
 */
export function collides(queue: readonly Pending[], id: string, saved: object): boolean {
  let now = saved as Values;
  for (const { edit, was } of queue) {
    if (!isUpdate(edit) || subjectOf(edit) !== id) continue;
    const values = edit.values as Values;
    const differs = ([field, mine]: [string, unknown]) =>
      was !== null && !isEqual(now[field], was[field]) && !isEqual(now[field], mine);
    if (Object.entries(values).some(differs)) return true;
    now = { ...now, ...values };
  }
  return false;
}

/** All values that wait for a thing, and the queue without them. */
export function takeOut(
  queue: readonly Pending[],
  id: string,
): { readonly mine: Values; readonly rest: readonly Pending[] } {
  let mine: Values = {};
  const rest = queue.filter(({ edit }) => {
    if (!isUpdate(edit) || subjectOf(edit) !== id) return true;
    mine = { ...mine, ...edit.values };
    return false;
  });
  return { mine, rest };
}
