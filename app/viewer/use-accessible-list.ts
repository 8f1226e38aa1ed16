import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";

const ANCHOR = /^#tag-([A-Za-z0-9-]{1,64})$/;

/** Returns the id of the element of an entry in the page's list. `#tag-<id>` leads to it with and without scripts. */
export function tagAnchor(id: string): string {
  return `tag-${id}`;
}

/** State of the accessible list: the open entry, the focused entry, and the props of an entry's element. */
export interface AccessibleList {
  readonly openPinId: string | null;
  readonly focusedPinId: string | null;
  openPin(id: string | null): void;
  /** Returns the props of an entry's element: its id, and the focus events that move the camera for users of a keyboard. */
  entry(id: string): { id: string; onFocus(event: FocusEvent): void; onBlur(): void };
}

/**
 * Synchronizes the page's accessible list with the stage. Pass `openPinId`, `focusedPinId` and `onOpenPin={openPin}` to the
 * Viewer. A `#tag-<id>` link anywhere on the page opens that pin, and works as a plain link without scripts.
 * @param ids ids of all tags and media items
 * @param initialOpenId the pin that the URL requests; an unknown id opens nothing
 */
export function useAccessibleList(
  ids: readonly string[],
  initialOpenId: string | null = null,
): AccessibleList {
  const [openPinId, setOpen] = useState<string | null>(initialOpenId);
  const [focusedPinId, setFocused] = useState<string | null>(null);
  const knownIds = useMemo(() => new Set(ids), [ids]);

  const lastHash = useRef("");
  useEffect(() => {
    const openLinkedPin = (event?: Event) => {
      const { hash } = window.location;
      const [previousId, id] = [lastHash.current, hash].map((text) => ANCHOR.exec(text)?.[1]);
      if (id && knownIds.has(id)) setOpen(id);
      // The visitor navigated back to before the entry was opened.
      else if (event && !hash && previousId) setOpen((open) => (open === previousId ? null : open));
      lastHash.current = hash;
    };
    // The link is applied once for each URL, so that a closed entry stays closed when the list is loaded again.
    if (lastHash.current !== window.location.hash) openLinkedPin();
    window.addEventListener("hashchange", openLinkedPin);
    return () => window.removeEventListener("hashchange", openLinkedPin);
  }, [knownIds]);

  const entry = useCallback(
    (id: string) => ({
      id: tagAnchor(id),
      // Only keyboard focus moves the camera: users of a pointer choose the view themselves.
      onFocus: ({ target }: FocusEvent) => target.matches(":focus-visible") && setFocused(id),
      onBlur: () => setFocused((current) => (current === id ? null : current)),
    }),
    [],
  );
  return {
    openPinId: openPinId !== null && knownIds.has(openPinId) ? openPinId : null,
    focusedPinId: focusedPinId !== null && knownIds.has(focusedPinId) ? focusedPinId : null,
    openPin: setOpen,
    entry,
  };
}
