import { useMemo, useState } from "react";
import type { Uuid } from "~/domain/shared/model";
import { type ContentIndex, listedEntries, pageCount, pageOfEntry, resolvePageNumber } from "./list-pages";

/** Pages of a list: its entries, and the current page. */
export interface ListPages {
  /** Entries on all pages. */
  readonly entries: readonly Uuid[];
  /** Current page, counted from 1. */
  readonly page: number;
  /** Number of pages. */
  readonly pages: number;
  goToPage(page: number): void;
}

const isSameSet = (a: ReadonlySet<Uuid> | null, b: ReadonlySet<Uuid> | null) =>
  a === b || (a !== null && b !== null && a.size === b.size && [...a].every((id) => b.has(id)));

/**
 * The current page of the list: first the page of the open entry or else of the URL, later the page of an entry that is opened, the first page of
 * another search, or the page that the visitor chooses.
 */
export function useListPages(
  index: ContentIndex,
  matchingIds: ReadonlySet<Uuid> | null,
  openId: string | null,
  initialPage: number,
): ListPages {
  const entries = useMemo(() => listedEntries(index, matchingIds, openId), [index, matchingIds, openId]);
  const [listState, setListState] = useState(() => ({
    page: resolvePageNumber(entries, openId, initialPage),
    matchingIds,
    openId,
  }));
  let { page } = listState;
  const hasSearchChanged = !isSameSet(listState.matchingIds, matchingIds);
  if (hasSearchChanged || listState.openId !== openId) {
    // Closing an entry does not change the page.
    const openEntryPage = pageOfEntry(entries, openId);
    page = openEntryPage ?? (hasSearchChanged ? 1 : page);
    setListState({ page, matchingIds, openId });
  }
  const pages = pageCount(entries);
  return useMemo(
    () => ({
      entries,
      page: Math.min(page, pages),
      pages,
      goToPage: (targetPage) => setListState((current) => ({ ...current, page: targetPage })),
    }),
    [entries, page, pages],
  );
}
