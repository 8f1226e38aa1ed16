import type { CursorPagerProps } from "~/components/cursor-pager";
import { type Cursor, writeCursor } from "~/domain/shared/cursor";
import { hrefWith } from "./href-with";

/** Props of the cursor pager for a page of a list. Other parameters of the URL, except `toast`, are kept. */
export function cursorPagerProps(
  page: {
    readonly ids: readonly string[];
    readonly hasPrevious: boolean;
    readonly hasNext: boolean;
    readonly total: CursorPagerProps["total"];
    /** Total number of rows without a search or filter. */
    readonly unfiltered?: CursorPagerProps["total"];
  },
  searchParams: URLSearchParams,
) {
  const href = (cursor: Cursor) => hrefWith(searchParams, "cursor", writeCursor(cursor));
  const firstId = page.ids[0];
  const lastId = page.ids.at(-1);
  return {
    firstHref: page.hasPrevious ? href({ position: "first" }) : null,
    previousHref: page.hasPrevious && firstId ? href({ position: "before", id: firstId }) : null,
    nextHref: page.hasNext && lastId ? href({ position: "after", id: lastId }) : null,
    lastHref: page.hasNext ? href({ position: "last" }) : null,
    total: page.total,
    unfiltered: page.unfiltered,
  };
}
