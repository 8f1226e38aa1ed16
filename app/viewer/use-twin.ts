import { useCallback, useEffect, useMemo, useRef, useState } from "react";

const ANCHOR = /^#tag-([A-Za-z0-9-]{1,64})$/;

/** Returns the id of an entry in the page's list. `#tag-<id>` leads to it with and without scripts. */
export function tagAnchor(id: string): string {
  return `tag-${id}`;
}

/** State of the accessible list: the open entry, the focused entry, and the props of an entry's element. */
export interface Twin {
  readonly openPinId: string | null;
  readonly focusedPinId: string | null;
  openPin(id: string | null): void;
  /** Returns the props of an entry's element: its id, and the focus events that move the camera. */
  entry(id: string): { id: string; onFocus(): void; onBlur(): void };
}

/**
 * Synchronizes the page's accessible list with the stage. Pass `openPinId`, `focusedPinId` and `onOpenPin={openPin}` to the
 * Viewer. A `#tag-<id>` link anywhere on the page opens that pin, and works as a plain link without scripts.
 * @param ids all ids of tags and media, in the list's order
 * @param initialOpenId the pin that the address requests; an unknown id opens nothing
 */
export function useTwin(ids: readonly string[], initialOpenId: string | null = null): Twin {
  const [openPinId, setOpen] = useState<string | null>(initialOpenId);
  const [focusedPinId, setFocused] = useState<string | null>(null);
  const known = useMemo(() => new Set(ids), [ids]);

  const followed = useRef("");
  useEffect(() => {
    const follow = (event?: Event) => {
      const { hash } = window.location;
      const [before, id] = [followed.current, hash].map((one) => ANCHOR.exec(one)?.[1]);
      if (id && known.has(id)) setOpen(id);
      // The visitor navigated back to before the entry was opened.
      else if (event && !hash && before) setOpen((open) => (open === before ? null : open));
      followed.current = hash;
    };
    // Applied once for each address, so that a closed entry stays closed when the list is loaded again.
    if (followed.current !== window.location.hash) follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [known]);

  const entry = useCallback(
    (id: string) => ({
      id: tagAnchor(id),
      onFocus: () => setFocused(id),
      onBlur: () => setFocused((current) => (current === id ? null : current)),
    }),
    [],
  );
  return {
    openPinId: openPinId !== null && known.has(openPinId) ? openPinId : null,
    focusedPinId: focusedPinId !== null && known.has(focusedPinId) ? focusedPinId : null,
    openPin: setOpen,
    entry,
  };
}
