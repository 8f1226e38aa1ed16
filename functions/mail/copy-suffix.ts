import type { CopySuffix } from "~/domain/folders/copy-name";
import type { Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";

/** The suffixes of copies that are in the same folder as their originals, in the language of the user who copies. */
export function copySuffix(lang: Lang): CopySuffix {
  const { t } = languages[lang];
  return { first: t("folders:copySuffix"), next: t("folders:copySuffixNext") };
}
