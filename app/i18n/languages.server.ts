import type { Lang } from "~/domain/model";
import { en } from "./en";
import { createTranslator, type Translator } from "./i18n";
import { ja } from "./ja";

/** Both languages, ready; for the server, which speaks both at once. */
export const languages: Readonly<Record<Lang, Translator>> = {
  ja: createTranslator("ja", ja),
  en: createTranslator("en", en),
};
