import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";

/** The browser paints after a layout effect. The server paints nothing, and React warns about layout effects there. */
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

type Replacements = typeof import("./headless.client");

const FIRST_EVENTS = ["pointerover", "pointerdown", "focusin"] as const;
const listeners = new Set<() => void>();
let code: Replacements | null = null;

const stopWaiting = () => {
  for (const name of FIRST_EVENTS) document.removeEventListener(name, load, true);
};

/** Without the code, because a newer build is out or the connection is lost, the native elements stay. */
function load(): void {
  stopWaiting();
  import("./headless.client").then(
    (loaded) => {
      code = loaded;
      for (const listener of listeners) listener();
    },
    () => {},
  );
}

/** Loads the code at the first event of a pointer or of the focus, if a page has elements to replace. */
function subscribe(listener: () => void) {
  if (code === null && listeners.size === 0) {
    for (const name of FIRST_EVENTS) document.addEventListener(name, load, true);
    // The page may have had its first focus before its scripts ran.
    if (document.activeElement !== document.body) load();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stopWaiting();
  };
}

/**
 * The replacements once the native element in `host` may be replaced, and null before. A replacement waits while the native element is
 * open, pressed or typed into. It keeps the focus.
 * @param host the element around both forms; it stays
 */
export function useEnhanced(host: RefObject<HTMLElement>): Replacements | null {
  const loaded = useSyncExternalStore(
    subscribe,
    () => code,
    () => null,
  );
  const [restoreFocus, setReplaced] = useState<(() => void) | null>(null);
  useBeforePaint(() => {
    if (restoreFocus) restoreFocus();
    else if (loaded && host.current)
      return loaded.whenIdle(host.current, (restore) => setReplaced(() => restore));
  }, [loaded, restoreFocus, host]);
  return restoreFocus && loaded;
}
