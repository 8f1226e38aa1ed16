import { useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { isEqual } from "~/domain/shared/same";
import type { ContentErrors } from "~/forms/content/content-field";
import { useEditorView } from "../editor/editor-context";
import { formHref } from "../editor/panels";
import { type DraftRules, type FormDraft, followItem, notTaken, openDraft, typeInto } from "./draft";

export interface DraftInput<Value extends object, Input extends object> extends DraftRules<Value, Input> {
  /** Current item. */
  readonly item: Value;
  /** The input is valid but cannot be saved yet because of a limit. It is kept like invalid input. */
  readonly waits?: boolean;
  /** Input and errors of a rejected submission. */
  readonly came?: { readonly input: Input; readonly errors: ContentErrors } | null;
  /** Called with valid values that differ from the item's; returns whether the item accepts them now. @param name the edited field */
  readonly onValues: (values: Partial<Value>, name: string) => boolean;
}

/**
 * State of a form while the user types. Fields follow the item when it changes elsewhere (undo, another editor), and otherwise keep the typed
 * text. Invalid input is kept in the editor while other panels are open, and is filled in again afterwards.
 */
export function useDraft<Value extends object, Input extends object>(options: DraftInput<Value, Input>) {
  const { item, came, waits = false } = options;
  const { unfinished } = useEditorView();
  const [search] = useSearchParams();
  const href = formHref(search);
  const [draft, setDraft] = useState<FormDraft<Input>>(() => {
    const draft = unfinished.all().get(href) as FormDraft<Input> | undefined;
    if (draft && !came) return followItem(draft, item, options);
    return { ...openDraft(item, options), ...came };
  });
  const latest = useRef(options);
  latest.current = options;
  // Changes arrive faster than React renders, so each is applied to the result of the previous change, not to the rendered state.
  const now = useRef(draft);
  const put = useCallback((next: FormDraft<Input>) => {
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
    // A newly created item has another address from then on.
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
