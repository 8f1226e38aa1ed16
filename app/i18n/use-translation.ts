import { createContext, useContext } from "react";
import type { Lang } from "~/domain/model";
import type { Translate, Translator } from "./i18n";

/** The words of the page. Set once by the entries; components only read it. */
export const TranslatorContext = createContext<Translator | null>(null);

/** The words of the page's language: `const { t, language } = useTranslation()`. */
export function useTranslation(): { readonly t: Translate; readonly language: Lang } {
  const translator = useContext(TranslatorContext);
  if (!translator) throw new Error("useTranslation needs a TranslatorContext around it");
  return translator;
}
