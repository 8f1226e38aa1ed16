import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to the element of the returned ref when it replaces a removed form that had the focus, for example after an undo. */
export function useRestoreFocus(): RefObject<HTMLDivElement> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus();
  }, []);
  return element;
}
