/** Parameters that open the page: a link's token and the visitor's cart, or in an owner's preview the link and the moment. */
const OPENING = ["token", "cart", "link", "at", "seq", "marks"];

/**
 * The query of an address with only the parameters that open the page, which a form sends along. The server renders a cached page at another
 * address than its readers have, so the other parameters of their addresses are unknown to it.
 */
export function withoutAsked(search: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const name of OPENING) if (search.has(name)) kept.set(name, search.get(name) ?? "");
  return `${kept}`;
}
