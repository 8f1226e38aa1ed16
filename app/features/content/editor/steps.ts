/** Undo and redo of edits. */
import { merge } from "~/domain/events/merge";
import { isEqual } from "~/domain/shared/is-equal";
import {
  type ContentDraft,
  type Edit,
  findItem,
  getSubjectId,
  getUserValues,
  isUpdate,
  type Update,
  type Values,
} from "./content";

/** Edits that belong together, with the edits that undo them. */
export interface Step {
  readonly edits: readonly Edit[];
  readonly undo: readonly Edit[];
  /** Values of the records that the step created or restored, by their ids. */
  readonly createdValues: ReadonlyMap<string, Values>;
  /** Consecutive steps with the same key and short pauses are joined, for example the keystrokes of a word. */
  readonly key: string | null;
  /** Whether the edits belong to a gesture. A gesture is a single step, however long it lasts. */
  readonly isGesture: boolean;
  /** Time of the last edit, in milliseconds of the editor's clock. */
  readonly at: number;
}

/** Maximum pause within a step that is not a gesture, in milliseconds. */
export const STEP_PAUSE_MS = 1500;

/** Returns a step joined with the next one, or null when they are separate steps. */
export function joinSteps(last: Step | undefined, next: Step): Step | null {
  if (!last || next.key === null || last.key !== next.key) return null;
  if (!next.isGesture && next.at - last.at > STEP_PAUSE_MS) return null;
  const [lastEdit, nextEdit] = [last.edits[0], next.edits[0]];
  const [lastUndo, nextUndo] = [last.undo[0], next.undo[0]];
  if (!lastEdit || !nextEdit || !lastUndo || !nextUndo) return null;
  if (![lastEdit, nextEdit, lastUndo, nextUndo].every(isUpdate)) return null;
  const join = (a: Edit, b: Edit) =>
    ({ ...a, values: { ...(a as Update).values, ...(b as Update).values } }) as Edit;
  // The joined step restores the values from before its first edit.
  return { ...last, at: next.at, edits: [join(lastEdit, nextEdit)], undo: [join(nextUndo, lastUndo)] };
}

/**
 * Removes the steps that consist only of deletions of records that `edits` restore. Returns null if `edits` contains anything but restorations, or
 * restores a record that no such step deleted.
 */
export function withoutDeletions(steps: readonly Step[], edits: readonly Edit[]): readonly Step[] | null {
  const restoredIds = new Set(edits.map((edit) => (edit.op === "restore" ? edit.id : null)));
  const isUndone = (step: Step) =>
    step.edits.every((edit) => edit.op === "delete" && restoredIds.has(edit.id));
  const undoneIds = new Set(steps.filter(isUndone).flatMap((step) => step.edits.map(getSubjectId)));
  return undoneIds.size === restoredIds.size ? steps.filter((step) => !isUndone(step)) : null;
}

/** Returns the last value of each field that edits set, by record. */
function collectSetValues(edits: readonly Edit[]): ReadonlyMap<string, Values> {
  const values = new Map<string, Values>();
  for (const edit of edits)
    if (isUpdate(edit)) {
      const id = getSubjectId(edit) ?? "";
      values.set(id, { ...values.get(id), ...edit.values });
    }
  return values;
}

/**
 * Returns the edits of one direction of a step without those that would overwrite another user's changes: a field is reset only if it still has the
 * value of the step, and a record that the step created or restored is deleted only if it is unchanged. Edits of missing records are kept, because
 * the same step may restore them. `sparedIds` lists the records that are not deleted.
 */
export function selectApplicableEdits(
  content: ContentDraft,
  edits: readonly Edit[],
  {
    oppositeEdits,
    createdValues,
  }: { readonly oppositeEdits: readonly Edit[]; readonly createdValues: Step["createdValues"] },
): { readonly edits: Edit[]; readonly sparedIds: readonly string[] } {
  const stepValues = collectSetValues(oppositeEdits);
  const sparedIds: string[] = [];
  const remainingEdits = edits.flatMap((edit): Edit[] => {
    const id = getSubjectId(edit) ?? "";
    if (edit.op === "delete") {
      const [item, createdValue] = [content.find(id), createdValues.get(id)];
      if (!item || !createdValue || isEqual(getUserValues(item), createdValue)) return [edit];
      sparedIds.push(id);
      return [];
    }
    if (!isUpdate(edit)) return [edit];
    const item = findItem(content, id) as Values | undefined;
    const recordValues = stepValues.get(id) ?? {};
    const fields = Object.entries(edit.values).flatMap(([field, value]) => {
      if (!item || !Object.hasOwn(recordValues, field)) return [[field, value]];
      const merged = merge(recordValues[field], value, item[field]);
      return merged.clash ? [] : [[field, merged.value]];
    });
    return fields.length > 0 ? [{ ...edit, values: Object.fromEntries(fields) } as Edit] : [];
  });
  return { edits: remainingEdits, sparedIds };
}
