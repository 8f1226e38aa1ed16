/** Maximum length of a search text in characters, and of a keyword in UTF-16 code units. Longer texts are truncated, longer keywords ignored. */
export const QUERY_MAX = 100;
/** Maximum number of selected keywords. */
const SELECTED_KEYWORDS_MAX = 10;

/** A visitor's search of an event's tags and media. */
export interface ContentQuery {
  readonly text: string;
  readonly keywords: readonly string[];
}

/** Reads the query of a URL (`?q=…&k=…&k=…`). Never throws. Excess characters and keywords are ignored. */
export function readContentQuery(searchParams: URLSearchParams): ContentQuery {
  // A character has at most two code units. The first limit keeps the division of a very long text into characters cheap.
  const text = [...(searchParams.get("q") ?? "").slice(0, QUERY_MAX * 4)].slice(0, QUERY_MAX).join("").trim();
  const keywords: string[] = [];
  for (const keyword of searchParams.getAll("k")) {
    if (keywords.length === SELECTED_KEYWORDS_MAX) break;
    if (keyword !== "" && keyword.length <= QUERY_MAX && !keywords.includes(keyword)) keywords.push(keyword);
  }
  return { text, keywords };
}

/** Returns the URL parameters of a query. */
export function contentQueryParams({ text, keywords }: ContentQuery): [string, string][] {
  return [
    ...(text === "" ? [] : [["q", text] as [string, string]]),
    ...keywords.map((k) => ["k", k] as [string, string]),
  ];
}
