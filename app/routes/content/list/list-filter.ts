/** Filters the lists of tags and media items. Server and browser use the same rules. */

import { missingLanguages } from "~/domain/shared/localized";
import type { EventMedia, EventTag, Lang } from "~/domain/shared/model";
import { nameKey, searchKey } from "~/domain/shared/text";

/** Filters beside the search text: hidden from visitors, without a position, without a title or text in one of the languages. */
export const FILTERS = ["hidden", "unplaced", "missing"] as const;
/** Name of a filter. */
export type FilterName = (typeof FILTERS)[number];

/** Search and filters of a list. */
export interface ListFilter {
  readonly q: string;
  readonly keyword: string;
  readonly show: FilterName | null;
}

/** Parses the query of a URL (`?q=…&k=…&show=…`). */
export function readListQuery(searchParams: URLSearchParams): ListFilter {
  const show = searchParams.get("show");
  return {
    q: (searchParams.get("q") ?? "").slice(0, 200),
    keyword: (searchParams.get("k") ?? "").slice(0, 200),
    show: FILTERS.find((filter) => filter === show) ?? null,
  };
}

/** Languages that an item's title or text lacks. */
export const listMissingLanguages = (item: EventTag | EventMedia): readonly Lang[] =>
  missingLanguages(item.title, "body" in item ? item.body : item.description);

/** Whether an item has no position in the space. */
export const isUnplaced = (item: EventTag | EventMedia): boolean =>
  "placement" in item ? item.placement === null : item.position === null;

const listTexts = (item: EventTag | EventMedia): string[] => {
  const { ja, en } = "body" in item ? item.body : item.description;
  return [item.title.ja, item.title.en, ja, en, ...("keywords" in item ? item.keywords : [])];
};

/** Search texts by item. A changed item is a new object. */
const searchTexts = new WeakMap<EventTag | EventMedia, string>();

function getSearchText(item: EventTag | EventMedia): string {
  const cachedText = searchTexts.get(item);
  if (cachedText !== undefined) return cachedText;
  // A search word never matches across the boundary of two texts.
  const text = listTexts(item).map(searchKey).join("\n");
  searchTexts.set(item, text);
  return text;
}

/** Items that match a query, in their order. Search words match regardless of width, case and kind of kana. */
export function filterItems<Item extends EventTag | EventMedia>(
  items: readonly Item[],
  { q, keyword, show }: ListFilter,
): readonly Item[] {
  const words = searchKey(q).split(" ").filter(Boolean);
  const wantedKeyword = nameKey(keyword);
  if (words.length === 0 && wantedKeyword === "" && show === null) return items;
  return items.filter((item) => {
    if (show === "hidden" && !item.hidden) return false;
    if (show === "unplaced" && !isUnplaced(item)) return false;
    // The publish checklist, which links to this filter, counts only items that visitors see.
    if (show === "missing" && (item.hidden || listMissingLanguages(item).length === 0)) return false;
    const keywords = "keywords" in item ? item.keywords : [];
    if (wantedKeyword !== "" && !keywords.some((candidate) => nameKey(candidate) === wantedKeyword))
      return false;
    if (words.length === 0) return true;
    const text = getSearchText(item);
    return words.every((word) => text.includes(word));
  });
}

/** All keywords of some tags, each once regardless of width and case, in the language's order. */
export function listKeywords(tags: readonly EventTag[], lang: Lang): readonly string[] {
  const keywordsByKey = new Map<string, string>();
  for (const keyword of tags.flatMap(({ keywords }) => keywords))
    if (!keywordsByKey.has(nameKey(keyword))) keywordsByKey.set(nameKey(keyword), keyword);
  return [...keywordsByKey.values()].sort((a, b) => a.localeCompare(b, lang, { numeric: true }));
}
