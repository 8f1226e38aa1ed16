import { type RefObject, useEffect } from "react";
import type { Placing } from "../editor/editor-context";

/**
 * Whoever asks by keys to point at a place is led to where the keys do that, and back to the button afterwards: the space stands
 * before all of the panel, forty stops away from it.
 */
export function useLedIntoSpace(whole: RefObject<HTMLElement>, placing: Placing | null): void {
  useEffect(() => {
    const from = document.activeElement;
    const canvas = whole.current?.querySelector<HTMLElement>("[data-stage] canvas");
    if (!placing || !canvas || !(from instanceof HTMLElement) || !from.matches("main :focus-visible")) return;
    canvas.focus({ preventScroll: true });
    return () => {
      if (document.activeElement === canvas) from.focus();
    };
  }, [whole, placing]);
}
