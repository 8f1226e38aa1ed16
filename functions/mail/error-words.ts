import type { ErrorWords } from "#functions/services/errors";
import type { Lang } from "~/domain/model";
import { admin as adminEn } from "~/i18n/en/admin";
import { api as apiEn } from "~/i18n/en/api";
import { errors as errorsEn } from "~/i18n/en/errors";
import { reference as referenceEn } from "~/i18n/en/reference";
import { services as servicesEn } from "~/i18n/en/services";
import { shop as shopEn } from "~/i18n/en/shop";
import { sources as sourcesEn } from "~/i18n/en/sources";
import { tokens as tokensEn } from "~/i18n/en/tokens";
import { transfer as transferEn } from "~/i18n/en/transfer";
import { tree as treeEn } from "~/i18n/en/tree";
import { webhooks as webhooksEn } from "~/i18n/en/webhooks";

import { admin as adminJa } from "~/i18n/ja/admin";
import { api as apiJa } from "~/i18n/ja/api";
import { calls as callsJa } from "~/i18n/ja/calls";
import { errors as errorsJa } from "~/i18n/ja/errors";
import { reference as referenceJa } from "~/i18n/ja/reference";
import { services as servicesJa } from "~/i18n/ja/services";
import { shop as shopJa } from "~/i18n/ja/shop";
import { sources as sourcesJa } from "~/i18n/ja/sources";
import { tokens as tokensJa } from "~/i18n/ja/tokens";
import { transfer as transferJa } from "~/i18n/ja/transfer";
import { tree as treeJa } from "~/i18n/ja/tree";
import { webhooks as webhooksJa } from "~/i18n/ja/webhooks";

const languages: Readonly<Record<Lang, Translator<string>>> = {
  ja: createTranslator<string>("ja", {
    ...{
      api: apiJa,
      admin: adminJa,
      calls: callsJa,
      shop: shopJa,
      tokens: tokensJa,
      webhooks: webhooksJa,
      errors: errorsJa,
      reference: referenceJa,
      services: servicesJa,
      sources: sourcesJa,
      transfer: transferJa,
      tree: treeJa,
    },
  }),
  en: createTranslator<string>("en", {
    ...{
      api: apiEn,
      admin: adminEn,
      shop: shopEn,
      tokens: tokensEn,
      webhooks: webhooksEn,
      errors: errorsEn,
      reference: referenceEn,
      services: servicesEn,
      sources: sourcesEn,
      transfer: transferEn,
      tree: treeEn,
    },
  }),
};

/**
 * Error messages in a language for e-mail recipients and API callers. Never empty: a key without a text is logged and replaced
 * with the general message.
 */
export const errorWords =
  (lang: Lang) =>
  ({ key, values }: ErrorWords): string =>
    languages[lang].t(key, values) || languages[lang].t("api:services.invalid");
