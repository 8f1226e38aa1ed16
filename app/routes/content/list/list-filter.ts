/** What a list of tags or media shows of all there are. The server and the browser come to the same result. */
import type { EventMedia, EventTag, Lang } from "~/domain/shared/model";
import { nameKey, searchKey } from "~/domain/shared/text";

/** What can be asked for beside a text: what visitors do not see, what has no place, what lacks a language. */
export const SHOWS = ["hidden", "unplaced", "missing"] as const;
/** One of them. */
export type Show = (typeof SHOWS)[number];

/** What is looked for. */
export interface ListQuery {
  readonly q: string;
  readonly keyword: string;
  readonly show: Show | null;
}

/** The query of an address (`?q=…&k=…&show=…`). */
export function readListQuery(search: URLSearchParams): ListQuery {
  const show = search.get("show");
  return {
    q: (search.get("q") ?? "").slice(0, 200),
    keyword: (search.get("k") ?? "").slice(0, 200),
    show: SHOWS.find((each) => each === show) ?? null,
  };
}

/** The languages in which a thing has no title. */
export function missingLanguages({ title }: Pick<EventTag, "title">): Lang[] {
  return (["ja", "en"] as const).filter((lang) => title[lang] === "");
}

/** Whether a thing has no place in the space. */
export const isUnplaced = (item: EventTag | EventMedia): boolean =>
  "placement" in item ? item.placement === null : item.position === null;

const textsOf = (item: EventTag | EventMedia): string[] => {
  const { ja, en } = "body" in item ? item.body : item.description;
  return [item.title.ja, item.title.en, ja, en, ...("keywords" in item ? item.keywords : [])];
};

/** What things are found by: a thing that changes is another object. */
const searchTexts = new WeakMap<EventTag | EventMedia, string>();

function searchTextOf(item: EventTag | EventMedia): string {
  const known = searchTexts.get(item);
  if (known !== undefined) return known;
  // Words never reach over the end of a text.
  const text = textsOf(item).map(searchKey).join("\n");
  searchTexts.set(item, text);
  return text;
}

/** The things that a query asks for, in their order. Width, case and kana do not matter. */
export function filterItems<Item extends EventTag | EventMedia>(
  items: readonly Item[],
  { q, keyword, show }: ListQuery,
): readonly Item[] {
  const words = searchKey(q).split(" ").filter(Boolean);
  const wanted = nameKey(keyword);
  if (words.length === 0 && wanted === "" && show === null) return items;
  return items.filter((item) => {
    if (show === "hidden" && !item.hidden) return false;
    if (show === "unplaced" && !isUnplaced(item)) return false;
    if (show === "missing" && missingLanguages(item).length === 0) return false;
    const keywords = "keywords" in item ? item.keywords : [];
    if (wanted !== "" && !keywords.some((each) => nameKey(each) === wanted)) return false;
    if (words.length === 0) return true;
    const text = searchTextOf(item);
    return words.every((word) => text.includes(word));
  });
}

/** All keywords of some tags, each once however it is written, in the order of their language. */
export function keywordsOf(tags: readonly EventTag[], lang: Lang): readonly string[] {
  const known = new Map<string, string>();
  for (const keyword of tags.flatMap(({ keywords }) => keywords))
    if (!known.has(nameKey(keyword))) known.set(nameKey(keyword), keyword);
  return [...known.values()].sort((a, b) => a.localeCompare(b, lang));
}
