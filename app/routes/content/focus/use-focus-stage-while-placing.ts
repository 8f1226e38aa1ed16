import { type RefObject, useEffect } from "react";
import type { Placing } from "../editor/editor-context";

/**
 * Moves the focus to the stage when the user starts placing by keyboard, and back to the button afterwards. The stage precedes the panel, about
 * forty tab stops away.
 */
export function useFocusStageWhilePlacing(container: RefObject<HTMLElement>, placing: Placing | null): void {
  useEffect(() => {
    const from = document.activeElement;
    const canvas = container.current?.querySelector<HTMLElement>("[data-stage] canvas");
    if (!placing || !canvas || !(from instanceof HTMLElement) || !from.matches("main :focus-visible")) return;
    const row = from.closest("li");
    canvas.focus({ preventScroll: true });
    return () => {
      // The button of a list's row disappears with the placing.
      if (document.activeElement === canvas) (from.isConnected ? from : row?.querySelector("a"))?.focus();
    };
  }, [container, placing]);
}
