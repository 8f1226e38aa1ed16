import type { Lang } from "~/domain/model";
import { en } from "~/i18n/en";
import { ja } from "~/i18n/ja";
import type { Translate } from "~/i18n/messages";

const translators: Readonly<Record<Lang, Translate>> = {
  ja: createTranslator("ja", ja as WordTree).t,
  en: createTranslator("en", en as WordTree).t,
};

/** The product's own words in a language, so that a test names a button as a person would. */
export const wordsIn = (lang: Lang): Translate => translators[lang];
