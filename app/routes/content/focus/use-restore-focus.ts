import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to the returned element when the focused form was removed, for example by an undo or by another editor. */
export function useRestoreFocus(): RefObject<HTMLDivElement> {
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) whole.current?.focus();
  }, []);
  return whole;
}
