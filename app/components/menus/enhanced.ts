import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";

/** Effect that runs before the browser paints. It is a plain effect on the server, where React warns about layout effects. */
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

type Replacements = typeof import("./headless.client");

const FIRST_EVENTS = ["pointerover", "pointerdown", "focusin"] as const;
const listeners = new Set<() => void>();
let replacements: Replacements | null = null;

const stopWaiting = () => {
  for (const name of FIRST_EVENTS) document.removeEventListener(name, load, true);
};

/** Loads the replacements. If that fails, the native elements stay, because Chromium does not fetch a failed module again. */
function load(): void {
  stopWaiting();
  import("./headless.client").then(
    (loaded) => {
      replacements = loaded;
      for (const listener of listeners) listener();
    },
    () => {},
  );
}

/** Loads the replacements at the page's first pointer or focus event. */
function subscribe(listener: () => void) {
  if (replacements === null && listeners.size === 0) {
    for (const name of FIRST_EVENTS) document.addEventListener(name, load, true);
    // An element may have been focused before the scripts ran.
    if (document.activeElement !== document.body) load();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stopWaiting();
  };
}

/**
 * Returns the replacements once the native element in `host` may be replaced, and null before. The native element stays while it is open, pressed or
 * being typed into. If it had the focus, the replacement gets it.
 * @param host element around the native element and its replacement, which stays in the page
 */
export function useEnhanced(host: RefObject<HTMLElement>): Replacements | null {
  const loaded = useSyncExternalStore(
    subscribe,
    () => replacements,
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
