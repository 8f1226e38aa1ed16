import type { Lang } from "./model";

/** The cookie that remembers the language. */
export const LANG_COOKIE = "lang";
/** The query parameter that selects the language (specification §1). */
export const LANG_PARAM = "lang";
/** The default language (specification §9). */
export const DEFAULT_LANG: Lang = "ja";
/** The languages in the order in which they are offered. */
export const LANGS: readonly Lang[] = ["ja", "en"];

/** Returns whether a value is a supported language. */
export function isLang(value: unknown): value is Lang {
  return value === "ja" || value === "en";
}

/**
 * Returns the language of a request (specification §1). `param` is the query parameter, null when absent: jp and ja mean Japanese, anything
 * else means English. Without a parameter, the language of the cookie applies, then Japanese.
 */
export function resolveLang(param: string | null, cookie: string | null): Lang {
  if (param !== null) {
    const requestedLang = param.trim().toLowerCase();
    return requestedLang === "jp" || requestedLang === "ja" ? "ja" : "en";
  }
  return isLang(cookie) ? cookie : DEFAULT_LANG;
}

/** Returns the supported language with the highest weight in Accept-Language (RFC 9110 §12.5.4); null when it names none. */
export function acceptedLang(header: string | null): Lang | null {
  const ranked = (header ?? "")
    .slice(0, 1000)
    .split(",")
    .map((part) => {
      const [tag = "", ...params] = part.trim().toLowerCase().split(";");
      const weight = params.map((param) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(param)?.[1]).find(Boolean);
      return { lang: tag.split("-")[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { lang } of ranked) if (isLang(lang)) return lang;
  return null;
}
