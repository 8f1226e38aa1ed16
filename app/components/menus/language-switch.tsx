import { isLang } from "~/domain/shared/lang";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { cx } from "../cx";
import { useHydrated } from "../use-hydrated";

export interface LanguageSwitchProps {
  readonly lang: Lang;
  /** URL of the page: path and query, or absolute. Its other parameters are kept. */
  readonly url: string;
  readonly className?: string;
}

/** Returns the URL of the page in another language: path and query, with `lang` set. */
export function withLang(url: string, lang: Lang): string {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  searchParams.set("lang", lang);
  return `${pathname}?${searchParams}`;
}

/** The links 日本語 | English: `<LanguageSwitch lang={lang} url={url} />`. They load a new document, because all texts and `<html lang>` change. */
export function LanguageSwitch({ lang, url, className }: LanguageSwitchProps) {
  const { t } = useTranslation();
  const options = [
    ["ja", t("shared:japanese")],
    ["en", t("shared:english")],
  ] as const;
  return (
    <nav aria-label={t("shared:language")} className={cx("flex items-center", className)}>
      {options.map(([option, name]) => (
        <a
          key={option}
          href={withLang(url, option)}
          lang={option}
          hrefLang={option}
          aria-current={option === lang ? "true" : undefined}
          className="language-link"
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

/**
 * Link to the page in the browser's preferred language, written in that language. It appears only with scripts, if the page has another language and
 * its URL names none. It is positioned absolutely, so that its appearance does not move other elements.
 */
export function PreferredLanguageLink({ lang, url }: Omit<LanguageSwitchProps, "className">) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const preferredLang = hydrated && navigator.languages.map((tag) => tag.slice(0, 2)).find(isLang);
  if (!preferredLang || preferredLang === lang || /[?&]lang=/.test(url)) return null;
  return (
    <a
      href={withLang(url, preferredLang)}
      lang={preferredLang}
      hrefLang={preferredLang}
      className="text-link absolute top-2 right-4 text-sm"
    >
      {t("shared:viewInOther")}
    </a>
  );
}
