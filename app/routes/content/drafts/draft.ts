/** State of a form while the user types, and how it follows its item: plain values without React. */
import { isEqual } from "~/domain/shared/same";
import { pickValues, type Values } from "~/features/content/editor/content";
import type { CheckResult } from "~/forms/content/content-check";
import type { ContentErrors } from "~/forms/content/content-field";

/** Rules that convert an item to the texts of its form, and back. */
export interface DraftRules<Value extends object, Input extends object> {
  /** Names of the item's fields that the form edits. */
  readonly fields: readonly string[];
  readonly toInput: (item: Value) => Input;
  /** Validates the typed values against the current item. */
  readonly read: (input: Input, item: Value) => CheckResult<Value>;
}

/** State of a form between the saved and the typed values. */
export interface FormDraft<Input extends object> {
  readonly input: Input;
  readonly errors: ContentErrors;
  /** Values that the form has seen: those that it was filled with, and those that were typed since. */
  readonly known: Values;
  /** Incremented when fields were changed by something other than typing. */
  readonly round: number;
}

/** Fills a form with the values of an item. */
export function openDraft<Value extends object, Input extends object>(
  item: Value,
  { fields, toInput }: DraftRules<Value, Input>,
): FormDraft<Input> {
  return { input: toInput(item), errors: {}, known: pickValues(item, fields), round: 0 };
}

/**
 * Updates a form after its item was changed elsewhere (undo, keyboard, another editor): fields that the form has not seen yet are updated; typed
 * text stays.
 */
export function followItem<Value extends object, Input extends object>(
  draft: FormDraft<Input>,
  item: Value,
  { fields, toInput, read }: DraftRules<Value, Input>,
): FormDraft<Input> {
  const now = pickValues(item, fields);
  if (isEqual(now, draft.known)) return draft;
  const before = toInput({ ...item, ...draft.known }) as Values;
  const after = toInput(item) as Values;
  const changed = Object.keys(after).filter((name) => !isEqual(before[name], after[name]));
  if (changed.length === 0) return { ...draft, known: now };
  const input = { ...draft.input, ...(pickValues(after, changed) as Partial<Input>) };
  return { input, errors: read(input, item).errors, known: now, round: draft.round + 1 };
}

/**
 * Applies typed input to a form and returns the valid values that differ from the item's. The form follows the item first, so that an untouched
 * field never writes a stale value.
 */
export function typeInto<Value extends object, Input extends object>(
  draft: FormDraft<Input>,
  changes: Partial<Input>,
  item: Value,
  rules: DraftRules<Value, Input>,
): { readonly draft: FormDraft<Input>; readonly values: Partial<Value> | null } {
  const current = followItem(draft, item, rules);
  const input = { ...current.input, ...changes };
  const checked = rules.read(input, item);
  const differing = Object.entries(checked.values).filter(
    ([field, value]) => !isEqual((item as Values)[field], value),
  );
  const next = { ...current, input, errors: checked.errors };
  if (differing.length === 0) return { draft: next, values: null };
  const values = Object.fromEntries(differing) as Partial<Value>;
  return { draft: { ...next, known: { ...current.known, ...values } }, values };
}

/** Marks typed values that the item did not accept: they stay typed, and do not count as values that the item had. */
export function notTaken<Input extends object>(
  draft: FormDraft<Input>,
  values: object,
  item: object,
): FormDraft<Input> {
  return { ...draft, known: { ...draft.known, ...pickValues(item, Object.keys(values)) } };
}
