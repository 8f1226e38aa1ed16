import { isUuid } from "./ids";
import type { Uuid } from "./model";

/** The place where a page of a list begins or ends: an end of the list, or a row. If the row was deleted meanwhile, the page is empty. */
export type Cursor =
  | { readonly position: "first" }
  | { readonly position: "last" }
  | { readonly position: "after"; readonly id: Uuid }
  | { readonly position: "before"; readonly id: Uuid };

/** The start of a list, which also applies to a URL without a valid cursor. */
export const FIRST_PAGE: Cursor = { position: "first" };

/** Reads a cursor from text: "last", "after~<id>", "before~<id>". Null for anything else. */
export function parseCursor(text: string): Cursor | null {
  if (text === "last") return { position: "last" };
  const match = /^(after|before)~(.+)$/.exec(text);
  const position = match?.[1];
  const id = match?.[2];
  return (position === "after" || position === "before") && isUuid(id) ? { position, id } : null;
}

/** Reads the cursor of a page's URL. An invalid cursor means the first page, so that every URL shows a page. */
export const readCursor = (text: string | null): Cursor => parseCursor(text ?? "") ?? FIRST_PAGE;

/** Returns the cursor as text for a URL; null for the first page, which needs none. */
export function writeCursor(cursor: Cursor): string | null {
  if (cursor.position === "first") return null;
  return cursor.position === "last" ? "last" : `${cursor.position}~${cursor.id}`;
}
