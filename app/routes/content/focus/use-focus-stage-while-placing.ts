import { type RefObject, useEffect } from "react";
import type { Placing } from "../editor/editor-context";

/**
 * Moves the focus to the stage (the 3D view) when the user starts placing an item by keyboard, and back to the button afterwards. The stage precedes the
 * panel, many tab stops away.
 */
export function useFocusStageWhilePlacing(container: RefObject<HTMLElement>, placing: Placing | null): void {
  useEffect(() => {
    const focusedElement = document.activeElement;
    const canvas = container.current?.querySelector<HTMLElement>("[data-stage] canvas");
    if (
      !placing ||
      !canvas ||
      !(focusedElement instanceof HTMLElement) ||
      !focusedElement.matches("main :focus-visible")
    )
      return;
    const row = focusedElement.closest("li");
    canvas.focus({ preventScroll: true });
    return () => {
      // The button of a list's row disappears when the item is placed.
      if (document.activeElement === canvas)
        (focusedElement.isConnected ? focusedElement : row?.querySelector("a"))?.focus();
    };
  }, [container, placing]);
}
