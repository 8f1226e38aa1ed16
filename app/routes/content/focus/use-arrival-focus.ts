import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to the heading of a form when the form arrives, because the link of the list that led here is gone. A field in
 * which the owner types while the page's scripts are loading keeps it.
 */
export function useArrivalFocus(): RefObject<HTMLHeadingElement> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const at = document.activeElement;
    const isTypedIn = at?.matches("input, select, textarea");
    if (at === document.body || (at?.closest("main") && !isTypedIn)) heading.current?.focus();
  }, []);
  return heading;
}
