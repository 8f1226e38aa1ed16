import { type RefObject, useEffect, useRef } from "react";

/** Takes the focus where what had it has gone: an undo, or another editor, has taken away what was open. */
export function useLeftOver(): RefObject<HTMLDivElement> {
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) whole.current?.focus();
  }, []);
  return whole;
}
