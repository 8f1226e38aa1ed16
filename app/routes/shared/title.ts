import type { Lang } from "~/domain/model";
import type { WordKey, WordValues } from "~/i18n/i18n";
import { languages } from "~/i18n/languages.server";

/** A page's title in the language of the request: "Spaces – Hiroba". For loaders. */
export function pageTitle(context: { readonly lang: Lang }, key: WordKey, values?: WordValues): string {
  return namedTitle(context, languages[context.lang].t(key, values));
}

/** The same for a name that people gave. */
export const namedTitle = (context: { readonly lang: Lang }, name: string): string =>
  languages[context.lang].t("shell.titleWithPage", { page: name });
