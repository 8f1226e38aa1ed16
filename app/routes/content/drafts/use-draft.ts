import { useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { isEqual } from "~/domain/shared/same";
import type { ContentErrors } from "~/forms/content/content-field";
import { useEditorView } from "../editor/editor-context";
import { formHref } from "../editor/panels";
import { applyInput, type DraftRules, type FormDraft, followItem, markUnaccepted, openDraft } from "./draft";

export interface DraftInput<Value extends object, Input extends object> extends DraftRules<Value, Input> {
  /** Current item. */
  readonly item: Value;
  /** The input is valid but cannot be saved yet because of a limit. It is kept like invalid input. */
  readonly isOverLimit?: boolean;
  /** Input and errors of a rejected submission. */
  readonly rejected?: { readonly input: Input; readonly errors: ContentErrors } | null;
  /** Called with valid values that differ from the item's; returns whether the item accepts them now. @param name the edited field */
  readonly onValues: (values: Partial<Value>, name: string) => boolean;
}

/**
 * State of a form while the user types. Fields follow the item when it changes elsewhere (undo, another editor), and otherwise keep the typed
 * text. Invalid input is kept in the editor while other panels are open, and is filled in again afterwards.
 */
export function useDraft<Value extends object, Input extends object>(options: DraftInput<Value, Input>) {
  const { item, rejected, isOverLimit = false } = options;
  const { unsavedForms } = useEditorView();
  const [search] = useSearchParams();
  const href = formHref(search);
  const [draft, setDraft] = useState<FormDraft<Input>>(() => {
    const draft = unsavedForms.all().get(href) as FormDraft<Input> | undefined;
    if (draft && !rejected) return followItem(draft, item, options);
    return { ...openDraft(item, options), ...rejected };
  });
  const latest = useRef(options);
  latest.current = options;
  // Changes arrive faster than React renders, so each is applied to the result of the previous change, not to the rendered state.
  const now = useRef(draft);
  const updateDraft = useCallback((next: FormDraft<Input>) => {
    if (next === now.current) return;
    now.current = next;
    setDraft(next);
  }, []);

  useEffect(() => {
    if (rejected) updateDraft({ ...now.current, ...rejected, resetCount: now.current.resetCount + 1 });
  }, [rejected, updateDraft]);
  useEffect(() => updateDraft(followItem(now.current, item, latest.current)), [item, updateDraft]);

  const { input, errors, resetCount } = draft;
  const isTyped = !isEqual(input, options.toInput(item));
  const isUnfinished = isTyped && (isOverLimit || Object.keys(errors).length > 0);
  useEffect(
    () => unsavedForms.set(href, isUnfinished ? draft : null),
    [unsavedForms, href, isUnfinished, draft],
  );
  const last = useRef(href);
  useEffect(() => {
    // A newly created item gets another address.
    if (last.current !== href) unsavedForms.set(last.current, null);
    last.current = href;
  }, [unsavedForms, href]);

  const change = useCallback(
    (changes: Partial<Input>, name: string) => {
      const { item: current, onValues } = latest.current;
      const next = applyInput(now.current, changes, current, latest.current);
      updateDraft(next.draft);
      if (next.values && !onValues(next.values, name))
        updateDraft(markUnaccepted(now.current, next.values, current));
    },
    [updateDraft],
  );
  const onField = useCallback(
    (name: string, value: string) => change({ [name]: value } as unknown as Partial<Input>, name),
    [change],
  );
  return { input, errors, resetCount, isTyped, change, onField };
}
