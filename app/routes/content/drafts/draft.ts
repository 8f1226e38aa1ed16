/** State of a form while the user types, as plain values without React, and how changes of the edited item update it. */
import { isEqual } from "~/domain/shared/is-equal";
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
  /** The item's values that the form knows: those that it was filled with, or that were typed and saved. A value that differs was changed elsewhere. */
  readonly seenValues: Values;
  /** Incremented when fields were changed by something other than typing, so that a field with a state of its own (keywords) is mounted again. */
  readonly resetCount: number;
}

/** Fills a form with the values of an item. */
export function openDraft<Value extends object, Input extends object>(
  item: Value,
  { fields, toInput }: DraftRules<Value, Input>,
): FormDraft<Input> {
  return { input: toInput(item), errors: {}, seenValues: pickValues(item, fields), resetCount: 0 };
}

/**
 * Updates a form after its item was changed elsewhere (undo, keyboard, another editor): the fields of changed values are filled again; the others keep
 * the typed text.
 */
export function followItem<Value extends object, Input extends object>(
  draft: FormDraft<Input>,
  item: Value,
  { fields, toInput, read }: DraftRules<Value, Input>,
): FormDraft<Input> {
  const itemValues = pickValues(item, fields);
  if (isEqual(itemValues, draft.seenValues)) return draft;
  const seenInput = toInput({ ...item, ...draft.seenValues }) as Values;
  const itemInput = toInput(item) as Values;
  const changedNames = Object.keys(itemInput).filter((name) => !isEqual(seenInput[name], itemInput[name]));
  if (changedNames.length === 0) return { ...draft, seenValues: itemValues };
  const input = { ...draft.input, ...(pickValues(itemInput, changedNames) as Partial<Input>) };
  return {
    input,
    errors: read(input, item).errors,
    seenValues: itemValues,
    resetCount: draft.resetCount + 1,
  };
}

/**
 * Applies typed input to a form and returns the valid values that differ from the item's. The form is first updated to the item, so that an untouched
 * field never writes a stale value.
 */
export function applyInput<Value extends object, Input extends object>(
  draft: FormDraft<Input>,
  changes: Partial<Input>,
  item: Value,
  rules: DraftRules<Value, Input>,
): { readonly draft: FormDraft<Input>; readonly values: Partial<Value> | null } {
  const followedDraft = followItem(draft, item, rules);
  const input = { ...followedDraft.input, ...changes };
  const checkResult = rules.read(input, item);
  const changedValues = Object.entries(checkResult.values).filter(
    ([field, value]) => !isEqual((item as Values)[field], value),
  );
  const newDraft = { ...followedDraft, input, errors: checkResult.errors };
  if (changedValues.length === 0) return { draft: newDraft, values: null };
  const values = Object.fromEntries(changedValues) as Partial<Value>;
  return { draft: { ...newDraft, seenValues: { ...followedDraft.seenValues, ...values } }, values };
}

/** Marks typed values that were rejected, for example because of a limit: the fields keep them, and the item's values count as the last seen ones. */
export function markUnaccepted<Input extends object>(
  draft: FormDraft<Input>,
  values: object,
  item: object,
): FormDraft<Input> {
  return { ...draft, seenValues: { ...draft.seenValues, ...pickValues(item, Object.keys(values)) } };
}
