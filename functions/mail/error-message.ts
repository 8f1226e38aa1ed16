import type { ErrorMessage } from "#functions/services/shared/errors";
import type { Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import type { MessageKey } from "~/i18n/messages";

/** Error messages in a language, for pages and the API. Never empty: a key without a text is logged and replaced with the general message. */
export const errorMessage =
  (lang: Lang) =>
  ({ key, values }: ErrorMessage): string =>
    languages[lang].t(key as MessageKey, values) || languages[lang].t("api:services.invalid");
