import type { Lang } from "~/domain/model";

/** A tree of words: texts by key, in groups. */
export interface WordTree {
  readonly [key: string]: string | WordTree;
}

/** Values that a text names: `{{count}}`. Numbers are written as people read them. `count` also chooses between a key's `_one` and `_other`. */
export type WordValues = Readonly<Record<string, string | number>>;

type Plain<K extends string> = K extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : K;
/** The keys of some words by their path. */
export type KeysOf<T> = {
  [K in keyof T & string]: T[K] extends string ? Plain<K> : `${K}.${KeysOf<T[K]>}`;
}[keyof T & string];

/** Every key of the words by its path: "spaces.detail.colName". A key that does not exist is a type error. */
export type WordKey = KeysOf<typeof import("./en").en>;
export type Translate<Key extends string = WordKey> = (key: Key, values?: WordValues) => string;

/** The words of one language, ready to use. Never switched to another one, so a server may keep it. */
export interface Translator<Key extends string = WordKey> {
  readonly language: Lang;
  readonly t: Translate<Key>;
}

/** A number as both languages write it: 2,033. */
export const formatNumber = (value: number): string => value.toLocaleString("en");

/** Words that came after the page, in its language. Of browsers alone: a server has all words from the start. */
const learnt: WordTree[] = [];

/** Adds words of the page's language, those of a part that comes later (see later). */
export function learn(words: WordTree): void {
  learnt.push(words);
}

function find(words: WordTree, key: string): string | undefined {
  let at: string | WordTree | undefined = words;
  for (const part of key.split("."))
    at = typeof at === "object" && Object.hasOwn(at, part) ? at[part] : undefined;
  return typeof at === "string" ? at : undefined;
}

/**
 * Makes the translator of a language from its words (decision 008). A key without words is reported on the console, which
 * fails every test, and shows as nothing.
 */
export function createTranslator<Key extends string = WordKey>(lang: Lang, words: WordTree): Translator<Key> {
  const plurals = new Intl.PluralRules(lang);
  const text = (key: string) =>
    [words, ...learnt].reduce<string | undefined>((found, tree) => found ?? find(tree, key), undefined);
  const t: Translate<Key> = (key, values) => {
    const count = values?.count;
    const plural = typeof count === "number" ? text(`${key}_${plurals.select(count)}`) : undefined;
    const said = plural ?? text(key) ?? text(`${key}_other`);
    if (said === undefined) {
      console.error(`No words for "${key}" in ${lang}`);
      return "";
    }
    return values
      ? said.replace(/\{\{(\w+)\}\}/g, (slot, name: string) => {
          const value = values[name] ?? slot;
          return typeof value === "number" ? formatNumber(value) : value;
        })
      : said;
  };
  return { language: lang, t };
}
