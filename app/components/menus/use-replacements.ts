import { type RefObject, useState, useSyncExternalStore } from "react";
import { useBeforePaint } from "../use-before-paint";

/** Components based on Headless UI that replace native elements. */
type Replacements = typeof import("./headless.client");

const INTERACTION_EVENTS = ["pointerover", "pointerdown", "focusin"] as const;
const loadListeners = new Set<() => void>();
let replacements: Replacements | null = null;

const removeInteractionListeners = () => {
  for (const name of INTERACTION_EVENTS) document.removeEventListener(name, loadReplacements, true);
};

/** Loads the replacements. After a failure the native elements stay: a second attempt would fail as well, because Chromium does not fetch a failed module again. */
export function loadReplacements(): void {
  removeInteractionListeners();
  import("./headless.client").then(
    (loaded) => {
      replacements = loaded;
      for (const listener of loadListeners) listener();
    },
    () => {},
  );
}

/** Loads the replacements at the page's first pointer or focus event. */
function subscribe(listener: () => void) {
  if (replacements === null && loadListeners.size === 0) {
    for (const name of INTERACTION_EVENTS) document.addEventListener(name, loadReplacements, true);
    // An element may have been focused before the scripts ran.
    if (document.activeElement !== document.body) loadReplacements();
  }
  loadListeners.add(listener);
  return () => {
    loadListeners.delete(listener);
    if (loadListeners.size === 0) removeInteractionListeners();
  };
}

/**
 * Returns the replacements once the native element in `host` may be replaced, and null before. The native element stays while it is open, pressed or
 * being typed into. If it had the focus, the replacement gets it.
 * @param host element around the native element and its replacement, which stays in the page
 */
export function useReplacements(host: RefObject<HTMLElement>): Replacements | null {
  const loadedReplacements = useSyncExternalStore(
    subscribe,
    () => replacements,
    () => null,
  );
  // Set as soon as the native element is not in use. Until then, the replacements are not returned.
  const [restoreFocus, setRestoreFocus] = useState<(() => void) | null>(null);
  useBeforePaint(() => {
    if (restoreFocus) restoreFocus();
    else if (loadedReplacements && host.current)
      return loadedReplacements.whenIdle(host.current, (restore) => setRestoreFocus(() => restore));
  }, [loadedReplacements, restoreFocus, host]);
  return restoreFocus && loadedReplacements;
}
