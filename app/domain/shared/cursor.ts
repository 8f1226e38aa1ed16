import { isUuid } from "./ids";
import type { Uuid } from "./model";

/**
 * Where a page of a list begins: at one of its ends, or beside a row. A row may have gone since: lists say so by being
 * empty.
 */
export type Cursor =
  | { readonly at: "first" }
  | { readonly at: "last" }
  | { readonly at: "after"; readonly id: Uuid }
  | { readonly at: "before"; readonly id: Uuid };

/** Where every list begins, and what an address without a valid cursor means. */
export const FIRST_PAGE: Cursor = { at: "first" };

/** A cursor as text: "last", "after~<id>", "before~<id>". Null for anything else. */
export function parseCursor(text: string): Cursor | null {
  if (text === "last") return { at: "last" };
  const match = /^(after|before)~(.+)$/.exec(text);
  const at = match?.[1];
  const id = match?.[2];
  return (at === "after" || at === "before") && isUuid(id) ? { at, id } : null;
}

/** The cursor of a page's address. What is none is the first page: a page shows something for every address. */
export const readCursor = (text: string | null): Cursor => parseCursor(text ?? "") ?? FIRST_PAGE;

/** The cursor as an address carries it; null for the first page, which needs none. */
export function writeCursor(cursor: Cursor): string | null {
  if (cursor.at === "first") return null;
  return cursor.at === "last" ? "last" : `${cursor.at}~${cursor.id}`;
}
