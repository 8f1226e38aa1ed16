import type { CopySuffix } from "~/domain/folders/copy-name";
import type { Lang } from "~/domain/shared/model";
import { folders as en } from "~/i18n/en/folders";
import { folders as ja } from "~/i18n/ja/folders";

const endings: Readonly<Record<Lang, CopySuffix>> = {
  ja: { first: ja.copyEnding, next: ja.copyEndingNext },
  en: { first: en.copyEnding, next: en.copyEndingNext },
};

/** The suffixes of copies that are in the same folder as their originals, in the language of the user who copies. */
export const copySuffix = (lang: Lang): CopySuffix => endings[lang];
