import { useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { isEqual } from "~/domain/shared/same";
import type { ContentErrors } from "~/forms/content-field";
import { useEditorView } from "../editor/editor-context";
import { formHref } from "../editor/panels";
import { type Draft, type DraftRules, followItem, notTaken, openDraft, typeInto } from "./draft";

export interface DraftInput<Value extends object, Input extends object> extends DraftRules<Value, Input> {
  /** The thing as it is shown now. */
  readonly item: Value;
  /** There is no room for what is typed, right as it may be: it is kept while one is elsewhere, as what is wrong is. */
  readonly waits?: boolean;
  /** What came back from a form that was refused. */
  readonly came?: { readonly input: Input; readonly errors: ContentErrors } | null;
  /** Hears of values that are right and differ from the thing's; whether the thing takes them now. @param name the field that was typed in */
  readonly onValues: (values: Partial<Value>, name: string) => boolean;
}

/**
 * What a form holds while it is typed. Fields follow the thing when something else changes it (undo, another editor), and keep what
 * is typed when nothing does. What is wrong waits in the editor while one is elsewhere, and stands in the form again afterwards.
 */
export function useDraft<Value extends object, Input extends object>(options: DraftInput<Value, Input>) {
  const { item, came, waits = false } = options;
  const { unfinished } = useEditorView();
  const [search] = useSearchParams();
  const href = formHref(search);
  const [draft, setDraft] = useState<Draft<Input>>(() => {
    const kept = unfinished.all().get(href) as Draft<Input> | undefined;
    if (kept && !came) return followItem(kept, item, options);
    return { ...openDraft(item, options), ...came };
  });
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

  const { input, errors, round } = draft;
  const isTyped = !isEqual(input, options.toInput(item));
  const isUnfinished = isTyped && (waits || Object.keys(errors).length > 0);
  useEffect(() => unfinished.set(href, isUnfinished ? draft : null), [unfinished, href, isUnfinished, draft]);
  const last = useRef(href);
  useEffect(() => {
    // What was made has another address from then on.
    if (last.current !== href) unfinished.set(last.current, null);
    last.current = href;
  }, [unfinished, href]);

  const change = useCallback(
    (changes: Partial<Input>, name: string) => {
      const { item: current, onValues } = latest.current;
      const next = typeInto(now.current, changes, current, latest.current);
      put(next.draft);
      if (next.values && !onValues(next.values, name)) put(notTaken(now.current, next.values, current));
    },
    [put],
  );
  const onField = useCallback(
    (name: string, value: string) => change({ [name]: value } as unknown as Partial<Input>, name),
    [change],
  );
  return { input, errors, round, isTyped, change, onField };
}
