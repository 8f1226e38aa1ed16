import { useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { isEqual } from "~/domain/shared/is-equal";
import type { ContentErrors } from "~/forms/content/content-field";
import { useEditorView } from "../editor/editor-context";
import { formHref } from "../editor/panels";
import { applyInput, type DraftRules, type FormDraft, followItem, markUnaccepted, openDraft } from "./draft";

export interface DraftOptions<Value extends object, Input extends object> extends DraftRules<Value, Input> {
  /** The item that the form edits, in its current state. */
  readonly item: Value;
  /** Whether valid input exceeds a limit and therefore cannot be saved yet. It is kept like invalid input. */
  readonly isOverLimit?: boolean;
  /** Input and errors of a rejected submission. */
  readonly rejected?: { readonly input: Input; readonly errors: ContentErrors } | null;
  /** Saves valid values that differ from the item's. Returns whether the item accepts them now. @param name name of the edited field */
  readonly onValues: (values: Partial<Value>, name: string) => boolean;
}

/**
 * State of a form while the user types. Fields follow the item when it changes elsewhere (undo, another editor), and otherwise keep the typed
 * text. While other panels are open, the editor keeps invalid input, and the form contains it again afterwards.
 */
export function useDraft<Value extends object, Input extends object>(options: DraftOptions<Value, Input>) {
  const { item, rejected, isOverLimit = false } = options;
  const { unsavedForms } = useEditorView();
  const [searchParams] = useSearchParams();
  const href = formHref(searchParams);
  const [draft, setDraft] = useState<FormDraft<Input>>(() => {
    const unsavedDraft = unsavedForms.all().get(href) as FormDraft<Input> | undefined;
    if (unsavedDraft && !rejected) return followItem(unsavedDraft, item, options);
    return { ...openDraft(item, options), ...rejected };
  });
  const latestOptions = useRef(options);
  latestOptions.current = options;
  // Changes arrive faster than React renders, so each is applied to the result of the previous change, not to the rendered state.
  const currentDraft = useRef(draft);
  const updateDraft = useCallback((next: FormDraft<Input>) => {
    if (next === currentDraft.current) return;
    currentDraft.current = next;
    setDraft(next);
  }, []);

  useEffect(() => {
    if (rejected)
      updateDraft({ ...currentDraft.current, ...rejected, resetCount: currentDraft.current.resetCount + 1 });
  }, [rejected, updateDraft]);
  useEffect(
    () => updateDraft(followItem(currentDraft.current, item, latestOptions.current)),
    [item, updateDraft],
  );

  const { input, errors, resetCount } = draft;
  const isEdited = !isEqual(input, options.toInput(item));
  const cannotBeSaved = isEdited && (isOverLimit || Object.keys(errors).length > 0);
  useEffect(
    () => unsavedForms.set(href, cannotBeSaved ? draft : null),
    [unsavedForms, href, cannotBeSaved, draft],
  );
  const lastHref = useRef(href);
  useEffect(() => {
    // The form of a new item has another URL after the item was created.
    if (lastHref.current !== href) unsavedForms.set(lastHref.current, null);
    lastHref.current = href;
  }, [unsavedForms, href]);

  const change = useCallback(
    (changes: Partial<Input>, name: string) => {
      const { item: currentItem, onValues } = latestOptions.current;
      const applied = applyInput(currentDraft.current, changes, currentItem, latestOptions.current);
      updateDraft(applied.draft);
      if (applied.values && !onValues(applied.values, name))
        updateDraft(markUnaccepted(currentDraft.current, applied.values, currentItem));
    },
    [updateDraft],
  );
  const onField = useCallback(
    (name: string, value: string) => change({ [name]: value } as unknown as Partial<Input>, name),
    [change],
  );
  return { input, errors, resetCount, isEdited, change, onField };
}
