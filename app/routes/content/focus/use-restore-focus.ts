import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to the element of the returned ref when the focused form was removed, for example by an undo or by another editor. */
export function useRestoreFocus(): RefObject<HTMLDivElement> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus();
  }, []);
  return element;
}
