/**
 * Parameters that open the page: `token` and `cart` of a visitor, `link` (public or preview) and `at` (time) of an owner's preview, or `seq` (number of a
 * past state) and `marks` (whether its changes are marked) of the event's history.
 */
const OPENING_PARAMS = ["token", "cart", "link", "at", "seq", "marks"];

/**
 * Query with only the parameters that open the page, for its forms and links. The server renders a cached page at a URL that differs from the
 * visitors' URLs, so it does not know their other parameters.
 */
export function openingQuery(searchParams: URLSearchParams): string {
  const params = new URLSearchParams();
  for (const name of OPENING_PARAMS)
    if (searchParams.has(name)) params.set(name, searchParams.get(name) ?? "");
  return `${params}`;
}
