import { useContext } from "react";
import { I18nContext } from "react-i18next";
import { getTranslation, type Translation } from "./create-i18n";

export { I18nextProvider } from "react-i18next";

/**
 * The messages of the page, from react-i18next's provider. Its own hook keeps state for changes of the language and of messages, which
 * never happen here, and doubles the time in which a list of 1,000 tags renders.
 */
export function useTranslation(): Translation {
  const context = useContext(I18nContext);
  if (!context) throw new Error("useTranslation needs an I18nextProvider around it");
  return getTranslation(context.i18n);
}
