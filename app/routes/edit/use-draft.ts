import { useCallback, useEffect, useRef, useState } from "react";
import { isEqual } from "~/domain/same";
import { pick, type Values } from "~/editor/content";
import type { Checked } from "~/forms/content-check";
import type { ContentErrors } from "~/forms/content-field";

export interface DraftInput<Value extends object, Input extends object> {
  /** The thing as it is shown now. */
  readonly item: Value;
  readonly fields: readonly string[];
  /** What came back from a form that was refused. */
  readonly came?: { readonly input: Input; readonly errors: ContentErrors } | null;
  readonly toInput: (item: Value) => Input;
  readonly read: (input: Input, item: Value) => Checked<Value>;
  /** Hears of values that are right and differ from the thing's. @param name the field that was typed in */
  readonly onValues: (values: Partial<Value>, name: string) => void;
}

/**
 * What a form holds while it is typed. Fields follow the thing when something else changes it (undo, another editor), and keep what
 * is typed when nothing does.
 */
export function useDraft<Value extends object, Input extends object>(options: DraftInput<Value, Input>) {
  const { item, fields, came, toInput } = options;
  const [input, setInput] = useState<Input>(() => came?.input ?? toInput(item));
  const [errors, setErrors] = useState<ContentErrors>(came?.errors ?? {});
  const [round, setRound] = useState(0);
  const latest = useRef(options);
  latest.current = options;
  const typed = useRef(input);
  typed.current = input;
  /** The values that the form knows of: what it was filled with, and what was typed since. */
  const known = useRef<Values>(pick(item, fields));

  useEffect(() => {
    if (!came) return;
    setInput(came.input);
    setErrors(came.errors);
    setRound((count) => count + 1);
  }, [came]);

  useEffect(() => {
    const now = pick(item, fields);
    if (isEqual(now, known.current)) return;
    const before = toInput({ ...item, ...known.current }) as Values;
    const after = toInput(item) as Values;
    known.current = now;
    const changed = Object.keys(after).filter((name) => !isEqual(before[name], after[name]));
    if (changed.length === 0) return;
    setInput({ ...typed.current, ...(pick(after, changed) as Partial<Input>) });
    setRound((count) => count + 1);
    setErrors({});
  }, [item, fields, toInput]);

  const change = useCallback((changes: Partial<Input>, name: string) => {
    const { item: current, read, onValues } = latest.current;
    const next = { ...typed.current, ...changes };
    typed.current = next;
    setInput(next);
    const checked = read(next, current);
    setErrors(checked.errors);
    const differing = Object.entries(checked.values).filter(
      ([field, value]) => !isEqual((current as Values)[field], value),
    );
    if (differing.length === 0) return;
    const values = Object.fromEntries(differing) as Partial<Value>;
    known.current = { ...known.current, ...values };
    onValues(values, name);
  }, []);
  const onField = useCallback(
    (name: string, value: string) => change({ [name]: value } as unknown as Partial<Input>, name),
    [change],
  );
  return { input, errors, round, change, onField };
}
