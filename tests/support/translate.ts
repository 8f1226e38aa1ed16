import type { Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/instances.server";
import type { Translate } from "~/i18n/messages";

/** The product's own words in a language, so that a test names a button as a person would. */
export const translateIn = (lang: Lang): Translate => languages[lang].t;
