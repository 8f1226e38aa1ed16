import type { CopyEnding } from "~/domain/copy-name";
import type { Lang } from "~/domain/model";
import { tree as en } from "~/i18n/en/tree";
import { tree as ja } from "~/i18n/ja/tree";

const endings: Readonly<Record<Lang, CopyEnding>> = {
  ja: { first: ja.copyEnding, next: ja.copyEndingNext },
  en: { first: en.copyEnding, next: en.copyEndingNext },
};

/** What the names of copies end in that lie beside their originals, in the language of whoever copies. */
export const copyEnding = (lang: Lang): CopyEnding => endings[lang];
