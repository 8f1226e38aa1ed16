import { useMemo, useState } from "react";
import type { Uuid } from "~/domain/shared/model";
import { type ContentIndex, listedEntries, pageCount, pageOfEntry, resolvePageNumber } from "./list-pages";

/** Pages of a list: its entries, and the current page. */
export interface ListPages {
  readonly entries: readonly Uuid[];
  readonly page: number;
  readonly pages: number;
  show(page: number): void;
}

const isSameSet = (a: ReadonlySet<Uuid> | null, b: ReadonlySet<Uuid> | null) =>
  a === b || (a !== null && b !== null && a.size === b.size && [...a].every((id) => b.has(id)));

/**
 * The current page of the list: first the page of the URL, later the page of an entry that is opened in the space, the first page of another
 * search, or the page that the visitor chooses.
 */
export function useListPages(
  index: ContentIndex,
  matchingIds: ReadonlySet<Uuid> | null,
  openId: string | null,
  initial: number,
): ListPages {
  const entries = useMemo(() => listedEntries(index, matchingIds, openId), [index, matchingIds, openId]);
  const [position, setAt] = useState(() => ({
    page: resolvePageNumber(entries, openId, initial),
    matchingIds,
    openId,
  }));
  let { page } = position;
  const isSearched = !isSameSet(position.matchingIds, matchingIds);
  if (isSearched || position.openId !== openId) {
    // Closing an entry does not change the page.
    const openEntryPage = pageOfEntry(entries, openId);
    page = openEntryPage ?? (isSearched ? 1 : page);
    setAt({ page, matchingIds, openId });
  }
  const pages = pageCount(entries);
  return useMemo(
    () => ({
      entries,
      page: Math.min(page, pages),
      pages,
      show: (next) => setAt((before) => ({ ...before, page: next })),
    }),
    [entries, page, pages],
  );
}
