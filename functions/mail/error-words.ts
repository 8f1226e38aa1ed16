import type { ErrorWords } from "#functions/services/errors";
import type { Lang } from "~/domain/model";
import { errors as errorsEn } from "~/i18n/en/errors";
import { services as servicesEn } from "~/i18n/en/services";
import { createTranslator, type Translator } from "~/i18n/i18n";
import { errors as errorsJa } from "~/i18n/ja/errors";
import { services as servicesJa } from "~/i18n/ja/services";

const languages: Readonly<Record<Lang, Translator<string>>> = {
  ja: createTranslator<string>("ja", { errors: errorsJa, services: servicesJa }),
  en: createTranslator<string>("en", { errors: errorsEn, services: servicesEn }),
};

/** What went wrong in words of a language, for people whom no page of ours tells. */
export const errorWords =
  (lang: Lang) =>
  ({ key, values }: ErrorWords): string =>
    languages[lang].t(key, values);
