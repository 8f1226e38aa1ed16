import type { Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import type { MessageKey, MessageValues } from "~/i18n/messages";

/** Title of a page in the language of the request: "Spaces – Hiroba". For loaders. */
export function pageTitle(context: { readonly lang: Lang }, key: MessageKey, values?: MessageValues): string {
  return namedTitle(context, languages[context.lang].t(key, values));
}

/** Title of a page with a name that a user entered, for example of an event: "Spring fair – Hiroba". */
export const namedTitle = (context: { readonly lang: Lang }, name: string): string =>
  languages[context.lang].t("shared:shell.titleWithPage", { page: name });
