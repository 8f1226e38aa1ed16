import type { Lang } from "~/domain/shared/model";
import { createI18n, type Translation } from "./create-i18n";
import { readMessages } from "./resources.server";

const instances: Partial<Record<Lang, Translation>> = {};

function instanceOf(lang: Lang): Translation {
  const instance = instances[lang] ?? createI18n(lang, readMessages(lang));
  instances[lang] = instance;
  return instance;
}

/** The instances of both languages, for the server. It keeps one of each, which is created at its first use. */
export const languages: Readonly<Record<Lang, Translation>> = {
  get ja() {
    return instanceOf("ja");
  },
  get en() {
    return instanceOf("en");
  },
};
