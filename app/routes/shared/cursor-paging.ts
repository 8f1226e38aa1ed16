import { type Cursor, writeCursor } from "~/domain/shared/cursor";
import { hrefWith } from "./paging";

/** Props of the cursor pager for a page of a list. Other parameters of the URL are kept. */
export function cursorPagerProps(
  page: {
    readonly ids: readonly string[];
    readonly hasPrevious: boolean;
    readonly hasNext: boolean;
    readonly total: { readonly count: number; readonly hasMore: boolean } | null;
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
  };
}
