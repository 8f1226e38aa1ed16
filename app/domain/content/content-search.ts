import type { Lang, Uuid } from "../shared/model";
import { nameKey, searchKey } from "../shared/text";
import type { ContentQuery } from "./content-query";

/** A tag or media item with its searchable texts and keywords. */
export interface Findable {
  readonly id: Uuid;
  readonly texts: readonly string[];
  readonly keywords: readonly string[];
}

/**
 * Creates a search. Its first query that is not empty prepares the texts of all items. A match contains every word of the text and has every keyword.
 * Character width and case are ignored; in the text, the kind of kana too.
 * @returns a function from a query to the ids found, or to null for an empty query
 */
export function contentSearch(items: readonly Findable[]): (query: ContentQuery) => ReadonlySet<Uuid> | null {
  const prepare = () =>
    items.map(({ id, texts, keywords }) => ({
      id,
      // The line end keeps a word from matching across two texts.
      text: [...texts, ...keywords].map(searchKey).join("\n"),
      keywords: new Set(keywords.map(nameKey)),
    }));
  let prepared: ReturnType<typeof prepare> | undefined;
  return ({ text, keywords }) => {
    const words = searchKey(text).split(" ").filter(Boolean);
    const keywordKeys = keywords.map(nameKey);
    if (words.length === 0 && keywordKeys.length === 0) return null;
    prepared ??= prepare();
    const matches = prepared.filter(
      (item) =>
        words.every((word) => item.text.includes(word)) && keywordKeys.every((key) => item.keywords.has(key)),
    );
    return new Set(matches.map(({ id }) => id));
  };
}

/** The scripts of Japanese. */
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/**
 * Returns the keywords of the items; spellings with the same nameKey count once. Keywords have no language, so those in the script of
 * the reader's language come first. Both groups are sorted by frequency.
 */
export function collectKeywords(items: readonly Pick<Findable, "keywords">[], lang: Lang): readonly string[] {
  const keywordCounts = new Map<string, { readonly keyword: string; count: number }>();
  for (const { keywords } of items)
    for (const keyword of keywords) {
      const key = nameKey(keyword);
      const keywordCount = keywordCounts.get(key);
      if (keywordCount) keywordCount.count += 1;
      else keywordCounts.set(key, { keyword, count: 1 });
    }
  const scriptRank = (keyword: string) => (JAPANESE.test(keyword) === (lang === "ja") ? 0 : 1);
  return [...keywordCounts.values()]
    .sort((a, b) => scriptRank(a.keyword) - scriptRank(b.keyword) || b.count - a.count)
    .map(({ keyword }) => keyword);
}
