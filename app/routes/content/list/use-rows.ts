import { startTransition, useEffect, useState } from "react";

/** Number of rows that are rendered first. In a longer list, the browser does not render rows outside of the viewport. */
export const LAZY_ROWS_FROM = 60;

/** Rows of the search result. After each keystroke the first rows are rendered immediately. The others are rendered afterwards; typing interrupts this. */
export function useRows<Item>(matches: readonly Item[], searchParams: URLSearchParams): readonly Item[] {
  const [fullyRenderedQuery, setFullyRenderedQuery] = useState(searchParams);
  useEffect(() => {
    if (fullyRenderedQuery !== searchParams) startTransition(() => setFullyRenderedQuery(searchParams));
  }, [fullyRenderedQuery, searchParams]);
  return fullyRenderedQuery === searchParams ? matches : matches.slice(0, LAZY_ROWS_FROM);
}
