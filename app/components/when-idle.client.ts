import { flushSync } from "react-dom";

const REACHED = "a[href], button, summary, input:not([type=hidden]), select, textarea";
const TYPED = "input, select, textarea";
/** Events after which an element that was in use may be idle. */
const RELEASES = ["toggle", "focusout", "pointerup", "pointerover", "pointerdown", "keyup", "click"] as const;

const reached = (host: HTMLElement) => [...host.querySelectorAll<HTMLElement>(REACHED)];
const openDetails = (host: HTMLElement) => host.querySelector<HTMLDetailsElement>("details[open]");

/** The native element is open, pressed or typed into. A sheet beside a `<details>` is opened by the style sheet. */
function isInUse(host: HTMLElement, active: Element | null): boolean {
  if (active?.matches(TYPED) || host.matches(":active") || openDetails(host)) return true;
  const sheet = host.querySelector("details + div");
  // The focus of its button has opened the sheet: it opens the replacement as well.
  return sheet?.checkVisibility() === true && !active?.matches("summary");
}

/** Closes a native menu when its scripts came while it was open, and a person presses elsewhere or follows a link in it. */
function closeNative(host: HTMLElement, { type, target }: Event): void {
  const details = openDetails(host);
  if (!details || !(target instanceof Element)) return;
  const isInside = host.contains(target);
  if (isInside ? type === "click" && target.closest("a") : type === "pointerdown") details.open = false;
}

/**
 * Waits until the native element in `host` is not in use, which may be now.
 * @param replace replaces it, and is given what restores the focus afterwards
 * @returns stops waiting
 */
export function whenIdle(host: HTMLElement, replace: (restoreFocus: () => void) => void): () => void {
  const replaceIdle = () => {
    const active = host.contains(document.activeElement) ? document.activeElement : null;
    if (isInUse(host, active)) return;
    const index = reached(host).findIndex((element) => element === active);
    replace(() => reached(host)[index]?.focus());
  };
  let timer = 0;
  const onRelease = (event: Event) => {
    closeNative(host, event);
    // After the event's own effects: the element that gets the focus, a menu that opens.
    window.clearTimeout(timer);
    timer = window.setTimeout(() => flushSync(replaceIdle));
  };
  for (const name of RELEASES) document.addEventListener(name, onRelease, true);
  replaceIdle();
  return () => {
    window.clearTimeout(timer);
    for (const name of RELEASES) document.removeEventListener(name, onRelease, true);
  };
}
