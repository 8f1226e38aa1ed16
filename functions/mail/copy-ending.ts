import type { Lang } from "~/domain/model";
import { tree as en } from "~/i18n/en/tree";
import { tree as ja } from "~/i18n/ja/tree";

const endings: Readonly<Record<Lang, string>> = { ja: ja.copyEnding, en: en.copyEnding };

/** What the name of a copy ends in that lies beside its original, in the language of whoever copies. */
export const copyEnding = (lang: Lang): string => endings[lang];
