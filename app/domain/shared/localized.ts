import { LANGS } from "./lang";
import type { Lang, Localized } from "./model";

/**
 * Returns a text in the reader's language, or in the other language when it is missing. `lang` is the language of the result, for the
 * lang attribute. The text is empty when it is missing in both.
 */
export function inLanguage(text: Localized, lang: Lang): { readonly text: string; readonly lang: Lang } {
  const otherLang = lang === "ja" ? "en" : "ja";
  return text[lang] === "" && text[otherLang] !== ""
    ? { text: text[otherLang], lang: otherLang }
    : { text: text[lang], lang };
}

/** Returns the text of inLanguage. A plain string is a text without languages, such as the name of a space. */
export const textIn = (text: string | Localized, lang: Lang): string =>
  typeof text === "string" ? text : inLanguage(text, lang).text;

const isEmpty = (text: string) => text.trim() === "";

/** Returns the languages in which one of the texts is empty although another language has it. Spaces alone count as empty. */
export const missingLanguages = (...texts: readonly Localized[]): readonly Lang[] =>
  LANGS.filter((lang) =>
    texts.some((text) => isEmpty(text[lang]) && LANGS.some((otherLang) => !isEmpty(text[otherLang]))),
  );
