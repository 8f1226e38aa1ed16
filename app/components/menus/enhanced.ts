import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";

/** Runs before the browser paints. On the server, where React warns about layout effects, it does nothing. */
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

type Replacements = typeof import("./headless.client");

const FIRST_EVENTS = ["pointerover", "pointerdown", "focusin"] as const;
const listeners = new Set<() => void>();
let code: Replacements | null = null;

const stopWaiting = () => {
  for (const name of FIRST_EVENTS) document.removeEventListener(name, load, true);
};

/** Loads the replacements. The native elements stay if that fails (Chromium does not fetch a failed module again). */
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

/** Loads the replacements at the page's first pointer or focus event. */
function subscribe(listener: () => void) {
  if (code === null && listeners.size === 0) {
    for (const name of FIRST_EVENTS) document.addEventListener(name, load, true);
    // An element may have received the focus before the scripts ran.
    if (document.activeElement !== document.body) load();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stopWaiting();
  };
}

/**
 * Returns the replacements once the native element in `host` may be replaced, and null before. The replacement waits while the native
 * element is open, pressed or typed into, and receives the focus that the native element had.
 * @param host the element around both forms; it is not replaced
 */
export function useEnhanced(host: RefObject<HTMLElement>): Replacements | null {
  const loaded = useSyncExternalStore(
    subscribe,
    () => code,
    () => null,
  );
  const [restoreFocus, setRestoreFocus] = useState<(() => void) | null>(null);
  useBeforePaint(() => {
    if (restoreFocus) restoreFocus();
    else if (loaded && host.current)
      return loaded.whenIdle(host.current, (restore) => setRestoreFocus(() => restore));
  }, [loaded, restoreFocus, host]);
  return restoreFocus && loaded;
}
