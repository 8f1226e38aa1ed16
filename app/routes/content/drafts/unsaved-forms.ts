import { useSyncExternalStore } from "react";
import { toUuid } from "~/domain/shared/ids";
import { type EditorContent, findItem } from "~/features/content/editor/content";
import { openItemId } from "../editor/panels";
import type { FormDraft } from "./draft";

type UnknownDraft = FormDraft<object>;

/** Discarded input of a form. */
interface DiscardedInput {
  readonly href: string;
  readonly draft: UnknownDraft;
}

/**
 * Input of forms that cannot be saved, by the forms' URLs. It is kept while other panels are open, and is filled in again when a form is opened.
 */
export interface UnsavedForms {
  readonly all: () => ReadonlyMap<string, UnknownDraft>;
  /** Stores the input of a form, or removes it. */
  readonly set: (href: string, draft: UnknownDraft | null) => void;
  /** Input that was discarded last; null if there is none or it was restored. */
  readonly discarded: () => DiscardedInput | null;
  /** Removes the input of a form. */
  readonly discard: (href: string) => void;
  /** Stores the input again that was discarded last. */
  readonly restore: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Creates the store for the editor of one event. */
export function createUnsavedForms(): UnsavedForms {
  let drafts: ReadonlyMap<string, UnknownDraft> = new Map();
  let discarded: DiscardedInput | null = null;
  const listeners = new Set<() => void>();
  const set = (href: string, draft: UnknownDraft | null) => {
    if ((drafts.get(href) ?? null) === draft) return;
    const newDrafts = new Map(drafts);
    if (draft) newDrafts.set(href, draft);
    else newDrafts.delete(href);
    drafts = newDrafts;
    for (const listener of listeners) listener();
  };
  return {
    all: () => drafts,
    set,
    discarded: () => discarded,
    discard: (href) => {
      const draft = drafts.get(href);
      discarded = draft ? { href, draft } : null;
      set(href, null);
    },
    restore: () => {
      const restored = discarded;
      discarded = null;
      if (restored) set(restored.href, restored.draft);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Whether the item of a form exists. True also for an item that is still to be created, and for a form without an item. */
export function itemExists(href: string, content: EditorContent): boolean {
  const searchParams = new URLSearchParams(href);
  const stopId = toUuid(searchParams.get("stop"));
  if (stopId) return content.scene.tour.some(({ id }) => id === stopId);
  const id = toUuid(openItemId(searchParams));
  return id === null || findItem(content, id) !== undefined;
}

/**
 * Counts the unsaved input of items that exist or are still to be created: the number of invalid fields (one for a form without an invalid field),
 * and the URLs of the forms.
 */
export function countUnsaved(drafts: ReadonlyMap<string, UnknownDraft>, content: EditorContent) {
  const forms = [...drafts].filter(([href]) => itemExists(href, content));
  const count = forms.reduce((sum, [, { errors }]) => sum + Math.max(1, Object.keys(errors).length), 0);
  return { count, hrefs: forms.map(([href]) => href) };
}

/** Returns the result of countUnsaved, and renders again when a form changes. */
export function useUnsavedForms(forms: UnsavedForms, content: EditorContent) {
  return countUnsaved(useSyncExternalStore(forms.subscribe, forms.all, forms.all), content);
}
