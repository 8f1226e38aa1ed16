import type { Lang } from "~/domain/model";

/** A tree of words: texts by key, in groups. */
export interface WordTree {
  readonly [key: string]: string | WordTree;
}

/** Values that a text names: `{{count}}`. `count` also chooses between a key's `_one` and `_other`. */
export type WordValues = Readonly<Record<string, string | number>>;

type Plain<K extends string> = K extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : K;
type Keys<T> = {
  [K in keyof T & string]: T[K] extends string ? Plain<K> : `${K}.${Keys<T[K]>}`;
}[keyof T & string];

/** Every key of the words by its path: "spaces.detail.colName". A key that does not exist is a type error. */
export type WordKey = Keys<typeof import("./en").en>;
export type Translate = (key: WordKey, values?: WordValues) => string;

/** The words of one language, ready to use. Never switched to another one, so a server may keep it. */
export interface Translator {
  readonly language: Lang;
  readonly t: Translate;
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
export function createTranslator(lang: Lang, words: WordTree): Translator {
  const plurals = new Intl.PluralRules(lang);
  const t: Translate = (key, values) => {
    const count = values?.count;
    const plural = typeof count === "number" ? find(words, `${key}_${plurals.select(count)}`) : undefined;
    const text = plural ?? find(words, key) ?? find(words, `${key}_other`);
    if (text === undefined) {
      console.error(`No words for "${key}" in ${lang}`);
      return "";
    }
    return values
      ? text.replace(/\{\{(\w+)\}\}/g, (slot, name: string) => String(values[name] ?? slot))
      : text;
  };
  return { language: lang, t };
}
