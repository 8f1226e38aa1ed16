import { useMemo, useState } from "react";
import type { Uuid } from "~/domain/shared/model";
import { askedPage, type ContentIndex, listedEntries, pageCount, pageOfEntry } from "./list-pages";

/** Pages of a list: its entries, and the current page. */
export interface ListPages {
  readonly entries: readonly Uuid[];
  readonly page: number;
  readonly pages: number;
  show(page: number): void;
}

const isSame = (one: ReadonlySet<Uuid> | null, other: ReadonlySet<Uuid> | null) =>
  one === other ||
  (one !== null && other !== null && one.size === other.size && [...one].every((id) => other.has(id)));

/**
 * The current page of the list: first the page of the address, later the page of an entry that is opened in the space, the first page of another
 * search, or the page that the visitor chooses.
 */
export function useListPages(
  index: ContentIndex,
  shown: ReadonlySet<Uuid> | null,
  openId: string | null,
  initial: number,
): ListPages {
  const entries = useMemo(() => listedEntries(index, shown, openId), [index, shown, openId]);
  const [at, setAt] = useState(() => ({ page: askedPage(entries, openId, initial), shown, openId }));
  let { page } = at;
  const isSearched = !isSame(at.shown, shown);
  if (isSearched || at.openId !== openId) {
    // Closing an entry does not change the page.
    const opened = pageOfEntry(entries, openId);
    page = opened ?? (isSearched ? 1 : page);
    setAt({ page, shown, openId });
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
