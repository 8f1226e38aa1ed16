import { flushSync } from "react-dom";

const FOCUSABLE = "a[href], button, summary, input:not([type=hidden]), select, textarea";
const FIELD = "input, select, textarea";
/** Events after which an element may no longer be in use. */
const RELEASE_EVENTS = [
  "toggle",
  "focusout",
  "pointerup",
  "pointerover",
  "pointerdown",
  "keyup",
  "click",
] as const;

const listFocusable = (host: HTMLElement) =>
  [...host.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => !element.hidden);
const openDetails = (host: HTMLElement) => host.querySelector<HTMLDetailsElement>("details[open]");

/**
 * Whether the native element is open, pressed or being typed into. A `<details>` may have a panel beside it that the style sheet opens. A field that
 * was focused by focusField is not in use yet.
 */
function isInUse(host: HTMLElement, focusedElement: HTMLElement | null): boolean {
  const isTypedInto = focusedElement?.matches(FIELD) && focusedElement.dataset.unused === undefined;
  if (isTypedInto || host.matches(":active") || openDetails(host)) return true;
  const panel = host.querySelector("details + div");
  // A panel that is open only because its button has the focus may be replaced, because the focus opens the replacement as well.
  return panel?.checkVisibility() === true && !focusedElement?.matches("summary");
}

/** Closes a native menu that was open when the replacements were loaded: after a press outside, or when one of its links is followed. */
function closeNative(host: HTMLElement, { type, target }: Event): void {
  const details = openDetails(host);
  if (!details || !(target instanceof Element)) return;
  const isInside = host.contains(target);
  if (isInside ? type === "click" && target.closest("a") : type === "pointerdown") details.open = false;
}

/** Moves the focus in an open native menu with arrows, and closes the menu with Esc, as in the menu that replaces it after it is closed. */
function onMenuKey(host: HTMLElement, event: KeyboardEvent): void {
  const details = openDetails(host);
  if (!details?.contains(document.activeElement)) return;
  const [button, ...entries] = listFocusable(host);
  const index = entries.indexOf(document.activeElement as HTMLElement);
  if (event.key === "ArrowDown") entries[(index + 1) % entries.length]?.focus();
  else if (event.key === "ArrowUp") entries.at(Math.max(index, 0) - 1)?.focus();
  else if (event.key === "Escape") {
    details.open = false;
    button?.focus();
  } else return;
  event.preventDefault();
}

/**
 * Calls `replace` as soon as the native element in `host` is not in use, immediately if possible.
 * @param replace replaces the element; it receives a function that restores the focus
 * @returns a function that cancels the replacement
 */
export function whenIdle(host: HTMLElement, replace: (restoreFocus: () => void) => void): () => void {
  const replaceIdle = () => {
    const focusedElement = host.contains(document.activeElement)
      ? (document.activeElement as HTMLElement)
      : null;
    if (isInUse(host, focusedElement)) return;
    const index = focusedElement ? listFocusable(host).indexOf(focusedElement) : -1;
    replace(() => {
      // A dialog may have focused the native element in the meantime.
      const currentFocus = document.activeElement as HTMLElement | null;
      const isReplacedElementFocused = index === -1 && currentFocus?.hidden && host.contains(currentFocus);
      listFocusable(host)[isReplacedElementFocused ? 0 : index]?.focus();
    });
  };
  let timer = 0;
  const onRelease = (event: Event) => {
    closeNative(host, event);
    // The timer runs after the event's own effects, for example a focus change or an opening menu.
    window.clearTimeout(timer);
    timer = window.setTimeout(() => flushSync(replaceIdle));
  };
  const onKeyDown = (event: KeyboardEvent) => onMenuKey(host, event);
  for (const name of RELEASE_EVENTS) document.addEventListener(name, onRelease, true);
  host.addEventListener("keydown", onKeyDown);
  replaceIdle();
  return () => {
    host.removeEventListener("keydown", onKeyDown);
    window.clearTimeout(timer);
    for (const name of RELEASE_EVENTS) document.removeEventListener(name, onRelease, true);
  };
}
