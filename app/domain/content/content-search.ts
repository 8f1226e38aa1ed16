import type { Lang, Uuid } from "../shared/model";
import { nameKey, searchKey } from "../shared/text";
import type { ContentQuery } from "./content-query";

/** A tag or medium with all that it can be found by. */
export interface Findable {
  readonly id: Uuid;
  readonly texts: readonly string[];
  readonly keywords: readonly string[];
}

/**
 * Prepares a search: what is found has every word of the text somewhere in it, and every keyword. Width, case and kana do not
 * matter.
 * @returns for a query the ids found, or null when it asks nothing
 */
export function contentSearch(items: readonly Findable[]): (query: ContentQuery) => ReadonlySet<Uuid> | null {
  const prepared = items.map(({ id, texts, keywords }) => ({
    id,
    // Words never reach over the end of a text.
    text: [...texts, ...keywords].map(searchKey).join("\n"),
    keywords: new Set(keywords.map(nameKey)),
  }));
  return ({ text, keywords }) => {
    const words = searchKey(text).split(" ").filter(Boolean);
    const wanted = keywords.map(nameKey);
    if (words.length === 0 && wanted.length === 0) return null;
    const found = prepared.filter(
      (item) =>
        words.every((word) => item.text.includes(word)) && wanted.every((key) => item.keywords.has(key)),
    );
    return new Set(found.map(({ id }) => id));
  };
}

/** Letters that only Japanese readers can be expected to read. */
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/**
 * The keywords of some items, each once however it is written. Keywords have no language of their own: those in the letters of the
 * reader's come first, and among them those of many items.
 */
export function keywordsOf(items: readonly Pick<Findable, "keywords">[], lang: Lang): readonly string[] {
  const known = new Map<string, { readonly keyword: string; count: number }>();
  for (const { keywords } of items)
    for (const keyword of keywords) {
      const seen = known.get(nameKey(keyword));
      if (seen) seen.count += 1;
      else known.set(nameKey(keyword), { keyword, count: 1 });
    }
  const isForeign = (keyword: string) => Number(JAPANESE.test(keyword) !== (lang === "ja"));
  return [...known.values()]
    .sort((a, b) => isForeign(a.keyword) - isForeign(b.keyword) || b.count - a.count)
    .map(({ keyword }) => keyword);
}
