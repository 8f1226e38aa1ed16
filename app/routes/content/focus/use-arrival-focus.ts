import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to the heading of a form when it opens, because the link that opened the form is no longer in the page. A field of the panel keeps the
 * focus, because the owner may have typed in it while the page's scripts were loading; so does an element outside of the panel.
 */
export function useArrivalFocus(): RefObject<HTMLHeadingElement> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const focused = document.activeElement;
    const isTypedIn = focused?.matches("input, select, textarea");
    if (focused === document.body || (focused?.closest("main") && !isTypedIn)) heading.current?.focus();
  }, []);
  return heading;
}
