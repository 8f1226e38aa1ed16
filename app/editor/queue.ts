/** What is not saved yet: how it is put together, sent, and set against what others saved. */

import type { ContentCommand } from "~/domain/content";
import { CONTENT_COMMANDS_MAX } from "~/domain/limits";
import type { Localized } from "~/domain/model";
import { isEqual } from "~/domain/same";
import {
  type Content,
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

const isText = (value: unknown): value is Localized =>
  typeof value === "object" && value !== null && "ja" in value && "en" in value;

/** What a field is to say when it said `was`, somebody here made it `mine`, and somebody else made it `now`; undefined where both changed the same. */
function merged(was: unknown, mine: unknown, now: unknown): unknown {
  if (isEqual(now, was) || isEqual(now, mine)) return mine;
  if (isEqual(mine, was)) return now;
  if (!isText(was) || !isText(mine) || !isText(now)) return undefined;
  // Whoever writes one language leaves the other to whoever writes that.
  const [ja, en] = [merged(was.ja, mine.ja, now.ja), merged(was.en, mine.en, now.en)];
  return ja === undefined || en === undefined ? undefined : { ja, en };
}

/**
 * The queue with what waits for a thing set on what somebody else saved of it meanwhile; null where both changed the same. Fields and
 * languages that only one of them changed are as that one made them.
 */
export function rebase(queue: readonly Pending[], id: string, saved: object): readonly Pending[] | null {
  let now = saved as Values;
  let isPossible = true;
  const next = queue.map((pending) => {
    const { edit, was } = pending;
    if (!isUpdate(edit) || subjectOf(edit) !== id) return pending;
    const values: Record<string, unknown> = {};
    for (const [field, mine] of Object.entries(edit.values)) {
      const value = was === null ? mine : merged(was[field], mine, now[field]);
      if (value === undefined) isPossible = false;
      values[field] = value;
    }
    const before = was && pick(now, Object.keys(values));
    now = { ...now, ...values };
    return { edit: { ...edit, values } as Edit, was: before };
  });
  return isPossible ? next : null;
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
