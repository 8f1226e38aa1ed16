import { tagAnchor } from "~/viewer/Viewer";

/** Scrolls an entry of the list into view, without moving the focus. Returns false if the page has no such entry. */
export function scrollToEntry(id: string | null): boolean {
  const entry = id === null ? null : document.getElementById(tagAnchor(id));
  const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  entry?.scrollIntoView({ block: "nearest", behavior: reducesMotion ? "auto" : "smooth" });
  return entry !== null;
}
