import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

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

const REACHED = "a[href], button, summary, input:not([type=hidden]), select, textarea";
const TYPED = "input, select, textarea";
/** Events after which an element that was in use may be idle. */
const RELEASES = ["toggle", "focusout", "pointerup", "pointerover", "pointerdown", "keyup", "click"] as const;

const reached = (host: HTMLElement) => [...host.querySelectorAll<HTMLElement>(REACHED)];
const openDetails = (host: HTMLElement) => host.querySelector<HTMLDetailsElement>("details[open]");
const isDetailsOpen = (host: HTMLElement) => openDetails(host) !== null;

/** Closes a native menu when its scripts came while it was open, and a person presses elsewhere or follows a link in it. */
function closeNative(host: HTMLElement, { type, target }: Event): void {
  const details = openDetails(host);
  if (!details || !(target instanceof Element)) return;
  const isInside = host.contains(target);
  if (isInside ? type === "click" && target.closest("a") : type === "pointerdown") details.open = false;
}

/**
 * The replacements once the native element in `host` may be replaced, and null before. A replacement waits while the native element is
 * open, pressed or typed into. It keeps the focus.
 * @param host the element around both forms; it stays
 * @param isOpen tells if the native form is open
 */
export function useEnhanced(
  host: RefObject<HTMLElement>,
  isOpen: (host: HTMLElement) => boolean = isDetailsOpen,
): Replacements | null {
  const loaded = useSyncExternalStore(
    subscribe,
    () => code,
    () => null,
  );
  const [isReplaced, setReplaced] = useState(false);
  const focused = useRef(-1);
  const isOpenNow = useRef(isOpen);
  isOpenNow.current = isOpen;

  useBeforePaint(() => {
    const element = host.current;
    if (loaded === null || isReplaced || !element) return;
    const replaceIdle = () => {
      const active = element.contains(document.activeElement) ? document.activeElement : null;
      if (active?.matches(TYPED) || element.matches(":active") || isOpenNow.current(element)) return;
      focused.current = active instanceof HTMLElement ? reached(element).indexOf(active) : -1;
      setReplaced(true);
    };
    replaceIdle();
    let timer = 0;
    const onRelease = (event: Event) => {
      closeNative(element, event);
      // After the event's own effects: the element that gets the focus, a menu that opens.
      window.clearTimeout(timer);
      timer = window.setTimeout(() => flushSync(replaceIdle));
    };
    for (const name of RELEASES) document.addEventListener(name, onRelease, { capture: true });
    return () => {
      window.clearTimeout(timer);
      for (const name of RELEASES) document.removeEventListener(name, onRelease, { capture: true });
    };
  }, [loaded, isReplaced, host]);

  useBeforePaint(() => {
    if (isReplaced && host.current) reached(host.current)[focused.current]?.focus();
  }, [isReplaced, host]);
  return isReplaced ? loaded : null;
}
