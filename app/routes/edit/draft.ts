/** What a form holds while it is typed, and how it follows the thing that it is of: plain values, nothing of React. */
import { isEqual } from "~/domain/shared/same";
import { pickValues, type Values } from "~/editor/content";
import type { Checked } from "~/forms/content-check";
import type { ContentErrors } from "~/forms/content-field";

/** How a thing becomes the texts of its form, and back. */
export interface DraftRules<Value extends object, Input extends object> {
  /** The names of the values that the form is about. */
  readonly fields: readonly string[];
  readonly toInput: (item: Value) => Input;
  /** What is typed, checked against the thing as it is now. */
  readonly read: (input: Input, item: Value) => Checked<Value>;
}

/** A form between what is saved and what is typed. */
export interface Draft<Input extends object> {
  readonly input: Input;
  readonly errors: ContentErrors;
  /** The values that the form knows of: what it was filled with, and what was typed since. */
  readonly known: Values;
  /** Grows when fields were changed by something else than typing. */
  readonly round: number;
}

/** A form filled with a thing. */
export function openDraft<Value extends object, Input extends object>(
  item: Value,
  { fields, toInput }: DraftRules<Value, Input>,
): Draft<Input> {
  return { input: toInput(item), errors: {}, known: pickValues(item, fields), round: 0 };
}

/** The form of a thing that something else has changed (undo, keys, another editor): what it does not show yet, it shows; what is typed stays. */
export function followItem<Value extends object, Input extends object>(
  draft: Draft<Input>,
  item: Value,
  { fields, toInput, read }: DraftRules<Value, Input>,
): Draft<Input> {
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
 * The form with something typed, and what of it is right and differs from the thing's values. It follows the thing first: a field
 * that nobody touched never says what the thing no longer is.
 */
export function typeInto<Value extends object, Input extends object>(
  draft: Draft<Input>,
  changes: Partial<Input>,
  item: Value,
  rules: DraftRules<Value, Input>,
): { readonly draft: Draft<Input>; readonly values: Partial<Value> | null } {
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

/** A form whose thing does not take yet what was typed: it stays typed, and is nothing that the thing could have lost again. */
export function notTaken<Input extends object>(
  draft: Draft<Input>,
  values: object,
  item: object,
): Draft<Input> {
  return { ...draft, known: { ...draft.known, ...pickValues(item, Object.keys(values)) } };
}
