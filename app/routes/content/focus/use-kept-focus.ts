import { type RefObject, useEffect } from "react";

const REACHED = "a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled";

/** Element that receives the focus in a container: its heading, or its first focusable element. */
function firstOf(element: Element): HTMLElement | null {
  const heading = element.querySelector<HTMLElement>("h2");
  if (heading && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  return heading ?? element.querySelector<HTMLElement>(REACHED);
}

/**
 * Keeps the keyboard focus in the panel when the focused element is removed: a link that was followed, a button whose action is done, a form
 * that an undo removed. The focus moves to the nearest remaining element, unless something else takes it.
 */
export function useKeptFocus(panel: RefObject<HTMLElement>): void {
  useEffect(() => {
    const main = panel.current;
    if (!main) return;
    /** The focused element and its ancestors, innermost first. */
    let path: readonly Element[] = [];
    let frameRequest = 0;
    const onFocus = ({ target }: FocusEvent) => {
      path = [];
      if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
      for (let at: Element | null = target; at && at !== main.parentElement; at = at.parentElement)
        path = [...path, at];
    };
    const keep = () => {
      frameRequest = 0;
      const [last] = path;
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      const left = path.find((each) => each.isConnected && firstOf(each));
      (left ? firstOf(left) : main)?.focus();
    };
    // The delay lets code that handles the focus itself go first.
    const observer = new MutationObserver(() => {
      if (path[0]?.isConnected === false)
        frameRequest ||= requestAnimationFrame(() => requestAnimationFrame(keep));
    });
    document.addEventListener("focusin", onFocus);
    observer.observe(main, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocus);
      observer.disconnect();
      cancelAnimationFrame(frameRequest);
    };
  }, [panel]);
}
