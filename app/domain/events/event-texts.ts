/**
 * The name and the details of an event exist in each language. The specification's fields `event_name` and `event_detail` (specification §3) hold one
 * text: the Japanese one, or the English one if there is no Japanese one. Everything that reads or writes this one text does so here.
 */
import { isRecord } from "../shared/is-record";
import { LANGS } from "../shared/lang";
import type { Lang, Localized } from "../shared/model";
import { isBlank, nameKey } from "../shared/text";

const EMPTY: Localized = { ja: "", en: "" };

/** Kana, Han characters and half-width kana. The first migration of these texts (migrations/0002) uses the same ranges. */
const JAPANESE = /[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]/;

/** Returns the language whose text the single field reads and writes. */
export const singleLang = (text: Localized): Lang => (text.ja === "" ? "en" : "ja");

/** Returns the single text. It is empty only if every language is. */
export const singleText = (text: Localized): string => text[singleLang(text)];

/** Returns the single name of a record. Only an event has a name by language. */
export const singleName = (name: string | Localized): string =>
  typeof name === "string" ? name : singleText(name);

/** Returns the language of a text that was written without one: Japanese if it has Japanese characters, otherwise English. */
export const writtenLang = (text: string): Lang => (JAPANESE.test(text) ? "ja" : "en");

/**
 * Returns a new text that was written in one field for all languages. Text with Japanese characters is Japanese. Other text, such as a brand's
 * name in Latin letters, has the language of the screen on which it was typed; English without a screen.
 */
export const newText = (text: string, screenLang: Lang = "en"): Localized => ({
  ...EMPTY,
  [writtenLang(text) === "ja" ? "ja" : screenLang]: text,
});

/**
 * Returns the languages in which an event is offered: those of its name. An event with a name in one language is for readers of that language, so
 * that no text is missing.
 */
export const offeredLangs = (name: Localized): readonly Lang[] => LANGS.filter((lang) => name[lang] !== "");

/** Returns the distinct nameKeys of a name in all languages. No other event of the space may have one of them. */
export const nameKeys = (name: Localized): readonly string[] => [
  ...new Set(LANGS.flatMap((lang) => (name[lang] === "" ? [] : [nameKey(name[lang])]))),
];

/**
 * Combines a saved text with the values of a request: `single` is the specification's field, `byLang` has texts by language. Languages that are not
 * sent stay unchanged. A value that equals the saved text changes nothing, so that a caller can send back what it has read and change either field.
 * If both change the same language, `byLang` is used. The result is not validated yet.
 * @param saved null for a new event, whose single text gets the language in which it is written
 */
export function mergeSentText(saved: Localized | null, single: unknown, byLang: unknown): unknown {
  if (byLang !== undefined && byLang !== null && !isRecord(byLang)) return byLang;
  const sentTexts = byLang ?? {};
  if (saved === null)
    return { ...EMPTY, ...(single !== undefined && { [writtenLang(String(single))]: single }), ...sentTexts };
  if (single === undefined || single === singleText(saved)) return { ...saved, ...sentTexts };
  const changed = Object.entries(sentTexts).filter(([lang, text]) => text !== saved[lang as Lang]);
  return { ...saved, [singleLang(saved)]: single, ...Object.fromEntries(changed) };
}

/**
 * Combines a saved name with the values of a request, as mergeSentText does. An empty single name that is sent alone is an error even if another
 * language has a name, because a caller that knows only the single field must not remove a language.
 */
export const mergeSentName = (saved: Localized | null, single: unknown, byLang: unknown): unknown =>
  byLang == null && (single === null || (typeof single === "string" && isBlank(single)))
    ? EMPTY
    : mergeSentText(saved, single, byLang);
