/** What can be taken back, and done again. */
import { merge } from "~/domain/events/merge";
import { isEqual } from "~/domain/shared/same";
import {
  type Draft,
  type Edit,
  isUpdate,
  itemOf,
  subjectOf,
  type Update,
  type Values,
  valuesOf,
} from "./content";

/** Things done at once, with what takes them back. */
export interface Step {
  readonly edits: readonly Edit[];
  readonly undo: readonly Edit[];
  /** What the things that it made say, by their ids. */
  readonly made: ReadonlyMap<string, Values>;
  /** Steps of the same key that follow each other at once are one: letters of a word. */
  readonly key: string | null;
  /** One movement of the hand: it is one step however long it takes. */
  readonly isGesture: boolean;
  readonly at: number;
}

/** How long one may pause within one step, in milliseconds. */
export const STEP_PAUSE_MS = 1500;

/** A step with what was typed next, when that belongs to it; null when it does not. */
export function continued(last: Step | undefined, next: Step): Step | null {
  if (!last || next.key === null || last.key !== next.key) return null;
  if (!next.isGesture && next.at - last.at > STEP_PAUSE_MS) return null;
  const [before, after] = [last.edits[0], next.edits[0]];
  const [lastBack, nextBack] = [last.undo[0], next.undo[0]];
  if (!before || !after || !lastBack || !nextBack) return null;
  if (![before, after, lastBack, nextBack].every(isUpdate)) return null;
  const join = (a: Edit, b: Edit) =>
    ({ ...a, values: { ...(a as Update).values, ...(b as Update).values } }) as Edit;
  // What stood there before the first letter is what counts.
  return { ...last, at: next.at, edits: [join(before, after)], undo: [join(nextBack, lastBack)] };
}

/** What edits set, by thing and field: the last value of each. */
function valuesAfter(edits: readonly Edit[]): ReadonlyMap<string, Values> {
  const values = new Map<string, Values>();
  for (const edit of edits)
    if (isUpdate(edit)) {
      const id = subjectOf(edit) ?? "";
      values.set(id, { ...values.get(id), ...edit.values });
    }
  return values;
}

/**
 * The edits of one direction of a step, without what would write over somebody else's work: what the step made of a field is set back
 * as far as it still says that, and what the step made is deleted only while it says just that. Of what is not there nobody
 * knows: it may come back by the same step. `spared`: what is not deleted.
 */
export function applicable(
  content: Draft,
  edits: readonly Edit[],
  { other, made }: { readonly other: readonly Edit[]; readonly made: Step["made"] },
): { readonly edits: Edit[]; readonly spared: readonly string[] } {
  const set = valuesAfter(other);
  const spared: string[] = [];
  const left = edits.flatMap((edit): Edit[] => {
    const id = subjectOf(edit) ?? "";
    if (edit.op === "delete") {
      const [item, own] = [content.find(id), made.get(id)];
      if (!item || !own || isEqual(valuesOf(item), own)) return [edit];
      spared.push(id);
      return [];
    }
    if (!isUpdate(edit)) return [edit];
    const item = itemOf(content, id) as Values | undefined;
    const values = set.get(id) ?? {};
    const fields = Object.entries(edit.values).flatMap(([field, value]) => {
      if (!item || !Object.hasOwn(values, field)) return [[field, value]];
      const merged = merge(values[field], value, item[field]);
      return merged.clash ? [] : [[field, merged.value]];
    });
    return fields.length > 0 ? [{ ...edit, values: Object.fromEntries(fields) } as Edit] : [];
  });
  return { edits: left, spared };
}
