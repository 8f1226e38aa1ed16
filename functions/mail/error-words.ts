import type { ErrorWords } from "#functions/services/errors";
import type { Lang } from "~/domain/model";
import { api as apiEn } from "~/i18n/en/api";
import { errors as errorsEn } from "~/i18n/en/errors";
import { reference as referenceEn } from "~/i18n/en/reference";
import { services as servicesEn } from "~/i18n/en/services";
import { sources as sourcesEn } from "~/i18n/en/sources";
import { tree as treeEn } from "~/i18n/en/tree";
import { createTranslator, type Translator } from "~/i18n/i18n";
import { api as apiJa } from "~/i18n/ja/api";
import { errors as errorsJa } from "~/i18n/ja/errors";
import { reference as referenceJa } from "~/i18n/ja/reference";
import { services as servicesJa } from "~/i18n/ja/services";
import { sources as sourcesJa } from "~/i18n/ja/sources";
import { tree as treeJa } from "~/i18n/ja/tree";

const languages: Readonly<Record<Lang, Translator<string>>> = {
  ja: createTranslator<string>("ja", {
    ...{
      api: apiJa,
      errors: errorsJa,
      reference: referenceJa,
      services: servicesJa,
      sources: sourcesJa,
      tree: treeJa,
    },
  }),
  en: createTranslator<string>("en", {
    ...{
      api: apiEn,
      errors: errorsEn,
      reference: referenceEn,
      services: servicesEn,
      sources: sourcesEn,
      tree: treeEn,
    },
  }),
};

/** What went wrong in words of a language, for people whom no page of ours tells, and for callers of the API. */
export const errorWords =
  (lang: Lang) =>
  ({ key, values }: ErrorWords): string =>
    languages[lang].t(key, values);
