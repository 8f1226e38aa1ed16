import type { Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import type { Translate } from "~/i18n/messages";

/** Translates the product's messages, so that tests find buttons by their names. */
export const translateIn = (lang: Lang): Translate => languages[lang].t;
