/** Parameters that open the page: a link's token and the visitor's cart, the link and the time of an owner's preview, or the state and the marks of the history. */
const OPENING_PARAMS = ["token", "cart", "link", "at", "seq", "marks"];

/**
 * Query with only the parameters that open the page, which forms submit. The server renders a cached page at a URL that differs from its
 * readers' URLs, so it does not know their other parameters.
 */
export function openingQuery(searchParams: URLSearchParams): string {
  const params = new URLSearchParams();
  for (const name of OPENING_PARAMS)
    if (searchParams.has(name)) params.set(name, searchParams.get(name) ?? "");
  return `${params}`;
}
