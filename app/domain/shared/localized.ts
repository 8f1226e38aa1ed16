import type { Lang, Localized } from "./model";

/**
 * A text in the reader's language, or in the other one when it is missing there; `lang` says which it is, for the lang
 * attribute. Empty when it is missing in both.
 */
export function inLanguage(text: Localized, lang: Lang): { readonly text: string; readonly lang: Lang } {
  const other = lang === "ja" ? "en" : "ja";
  return text[lang] === "" && text[other] !== ""
    ? { text: text[other], lang: other }
    : { text: text[lang], lang };
}
