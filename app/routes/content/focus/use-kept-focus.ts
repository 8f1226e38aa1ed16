import { type RefObject, useEffect } from "react";

const FOCUSABLE =
  "a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled";

/** Element that receives the focus in a container: its heading, which is made focusable, or its first focusable element. */
function firstFocusTarget(element: Element): HTMLElement | null {
  const heading = element.querySelector<HTMLElement>("h2");
  if (heading && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  return heading ?? element.querySelector<HTMLElement>(FOCUSABLE);
}

/**
 * Keeps the keyboard focus in the panel when the focused element is removed, for example a followed link, a button whose action is done, or a form
 * that an undo removed. The focus moves into the nearest remaining ancestor, unless other code moves it.
 */
export function useKeptFocus(panel: RefObject<HTMLElement>): void {
  useEffect(() => {
    const panelElement = panel.current;
    if (!panelElement) return;
    /** The focused element and its ancestors, innermost first. */
    let path: readonly Element[] = [];
    let frameRequest = 0;
    const rememberPath = (target: EventTarget | null) => {
      path = [];
      if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
      for (
        let element: Element | null = target;
        element && element !== panelElement.parentElement;
        element = element.parentElement
      )
        path = [...path, element];
    };
    const restoreFocus = () => {
      frameRequest = 0;
      const [lastFocused] = path;
      if (!lastFocused || lastFocused.isConnected || document.activeElement !== document.body) return;
      const remaining = path.find((element) => element.isConnected && firstFocusTarget(element));
      (remaining ? firstFocusTarget(remaining) : panelElement)?.focus();
    };
    // The delay lets code that manages the focus itself run first.
    const observer = new MutationObserver(() => {
      if (path[0]?.isConnected === false)
        frameRequest ||= requestAnimationFrame(() => requestAnimationFrame(restoreFocus));
    });
    const onFocus = ({ target }: FocusEvent) => rememberPath(target);
    // The element may have received the focus before the scripts ran.
    rememberPath(document.activeElement);
    document.addEventListener("focusin", onFocus);
    observer.observe(panelElement, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocus);
      observer.disconnect();
      cancelAnimationFrame(frameRequest);
    };
  }, [panel]);
}
