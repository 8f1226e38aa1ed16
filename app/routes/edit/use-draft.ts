import { useCallback, useEffect, useRef, useState } from "react";
import type { ContentErrors } from "~/forms/content-field";
import { type Draft, type DraftRules, followItem, openDraft, typeInto } from "./draft";

export interface DraftInput<Value extends object, Input extends object> extends DraftRules<Value, Input> {
  /** The thing as it is shown now. */
  readonly item: Value;
  /** What came back from a form that was refused. */
  readonly came?: { readonly input: Input; readonly errors: ContentErrors } | null;
  /** Hears of values that are right and differ from the thing's. @param name the field that was typed in */
  readonly onValues: (values: Partial<Value>, name: string) => void;
}

/**
 * What a form holds while it is typed. Fields follow the thing when something else changes it (undo, another editor), and keep what
 * is typed when nothing does.
 */
export function useDraft<Value extends object, Input extends object>(options: DraftInput<Value, Input>) {
  const { item, came } = options;
  const [draft, setDraft] = useState<Draft<Input>>(() => ({ ...openDraft(item, options), ...came }));
  const latest = useRef(options);
  latest.current = options;
  // Changes come faster than React draws: each is made on what the one before it left, never on what was drawn last.
  const now = useRef(draft);
  const put = useCallback((next: Draft<Input>) => {
    if (next === now.current) return;
    now.current = next;
    setDraft(next);
  }, []);

  useEffect(() => {
    if (came) put({ ...now.current, ...came, round: now.current.round + 1 });
  }, [came, put]);
  useEffect(() => put(followItem(now.current, item, latest.current)), [item, put]);

  const change = useCallback(
    (changes: Partial<Input>, name: string) => {
      const { item: current, onValues } = latest.current;
      const next = typeInto(now.current, changes, current, latest.current);
      put(next.draft);
      if (next.values) onValues(next.values, name);
    },
    [put],
  );
  const onField = useCallback(
    (name: string, value: string) => change({ [name]: value } as unknown as Partial<Input>, name),
    [change],
  );
  const { input, errors, round } = draft;
  return { input, errors, round, change, onField };
}
