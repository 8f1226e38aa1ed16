/** What is read of a query; the rest of a longer one is left out. */
export const QUERY_MAX = 100;
/** How many keywords filter at once. */
const FILTERS_MAX = 10;

/** What a visitor looks for among an event's tags and media. */
export interface ContentQuery {
  readonly text: string;
  readonly keywords: readonly string[];
}

/** The query of an address (`?q=…&k=…&k=…`). Never throws; what is too long or too many is left out. */
export function readContentQuery(search: URLSearchParams): ContentQuery {
  const text = [...(search.get("q") ?? "").slice(0, QUERY_MAX * 4)].slice(0, QUERY_MAX).join("").trim();
  const keywords: string[] = [];
  for (const keyword of search.getAll("k")) {
    if (keywords.length === FILTERS_MAX) break;
    if (keyword !== "" && keyword.length <= QUERY_MAX && !keywords.includes(keyword)) keywords.push(keyword);
  }
  return { text, keywords };
}

/** The parameters of a query, for an address. */
export function contentQueryParams({ text, keywords }: ContentQuery): [string, string][] {
  return [
    ...(text === "" ? [] : [["q", text] as [string, string]]),
    ...keywords.map((k) => ["k", k] as [string, string]),
  ];
}
