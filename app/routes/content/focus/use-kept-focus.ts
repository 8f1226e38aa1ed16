import { type RefObject, useEffect } from "react";

const REACHED = "a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled";

/** What of an element one goes on with: its heading, or the first thing in it that keys reach. */
function firstOf(element: Element): HTMLElement | null {
  const heading = element.querySelector<HTMLElement>("h2");
  if (heading && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  return heading ?? element.querySelector<HTMLElement>(REACHED);
}

/**
 * Whoever works by keys is not thrown to the page's beginning when what had the focus goes: a link that led on, a button whose work is
 * done, a form that an undo took away. The focus stays as near as it can, unless something else takes it.
 */
export function useKeptFocus(panel: RefObject<HTMLElement>): void {
  useEffect(() => {
    const main = panel.current;
    if (!main) return;
    /** Where the focus is, and all that it is in, from the inside out. */
    let path: readonly Element[] = [];
    let asked = 0;
    const onFocus = ({ target }: FocusEvent) => {
      path = [];
      if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
      for (let at: Element | null = target; at && at !== main.parentElement; at = at.parentElement)
        path = [...path, at];
    };
    const keep = () => {
      asked = 0;
      const [last] = path;
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      const left = path.find((each) => each.isConnected && firstOf(each));
      (left ? firstOf(left) : main)?.focus();
    };
    // A moment later: what knows better has had its turn by then.
    const observer = new MutationObserver(() => {
      if (path[0]?.isConnected === false) asked ||= requestAnimationFrame(() => requestAnimationFrame(keep));
    });
    document.addEventListener("focusin", onFocus);
    observer.observe(main, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocus);
      observer.disconnect();
      cancelAnimationFrame(asked);
    };
  }, [panel]);
}
