import { useSyncExternalStore } from "react";
import { toUuid } from "~/domain/shared/ids";
import { type Content, findItem } from "~/editor/content";
import type { Draft } from "./draft";

type AnyDraft = Draft<object>;

/** Forms that hold what cannot be saved as it is, by their addresses: kept while one goes through the panels, and shown again in them. */
export interface UnfinishedForms {
  readonly all: () => ReadonlyMap<string, AnyDraft>;
  /** Keeps a form, or lets it go. */
  readonly set: (href: string, draft: AnyDraft | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Forms of one event's editor. */
export function createUnfinished(): UnfinishedForms {
  let kept: ReadonlyMap<string, AnyDraft> = new Map();
  const listeners = new Set<() => void>();
  return {
    all: () => kept,
    set: (href, draft) => {
      if ((kept.get(href) ?? null) === draft) return;
      const next = new Map(kept);
      if (draft) next.set(href, draft);
      else next.delete(href);
      kept = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Whether what a form is of can still be saved: it is there, or is still to be made. */
export function isThere(href: string, content: Content): boolean {
  const search = new URLSearchParams(href);
  const stop = toUuid(search.get("stop"));
  if (stop) return content.scene.tour.some(({ id }) => id === stop);
  const id = toUuid(search.get("tag") ?? search.get("medium"));
  return id === null || findItem(content, id) !== undefined;
}

/** What cannot be saved as it is, of what is there: how many fields, one for a form that waits with nothing wrong in it, and the addresses of the forms. */
export function unfinishedOf(kept: ReadonlyMap<string, AnyDraft>, content: Content) {
  const forms = [...kept].filter(([href]) => isThere(href, content));
  const count = forms.reduce((sum, [, { errors }]) => sum + Math.max(1, Object.keys(errors).length), 0);
  return { count, hrefs: forms.map(([href]) => href) };
}

/** The same, followed. */
export function useUnfinished(forms: UnfinishedForms, content: Content) {
  return unfinishedOf(useSyncExternalStore(forms.subscribe, forms.all, forms.all), content);
}
