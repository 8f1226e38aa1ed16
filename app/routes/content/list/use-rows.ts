import { startTransition, useEffect, useState } from "react";

/** Number of rows from which on rows outside of the viewport are not rendered by the browser. */
export const MANY = 60;

/** Rows of the search result: after each keystroke the first ones are rendered immediately, and the others when the browser is idle. */
export function useRows<Item>(matches: readonly Item[], searchParams: URLSearchParams): readonly Item[] {
  const [whole, setWhole] = useState(searchParams);
  useEffect(() => {
    if (whole !== searchParams) startTransition(() => setWhole(searchParams));
  }, [whole, searchParams]);
  return whole === searchParams ? matches : matches.slice(0, MANY);
}
