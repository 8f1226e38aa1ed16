import type { Lang } from "./model";

/** The cookie that remembers the language. */
export const LANG_COOKIE = "lang";
/** The query parameter that chooses it (§1). */
export const LANG_PARAM = "lang";
/** The language when nothing was chosen (§9). */
export const DEFAULT_LANG: Lang = "ja";
/** The languages in the order in which they are offered. */
export const LANGS: readonly Lang[] = ["ja", "en"];

/** Whether a value is one of our languages. */
export function isLang(value: unknown): value is Lang {
  return value === "ja" || value === "en";
}

/**
 * The language of a request (§1, DESIGN §4). `param` is the query parameter, null when absent: jp and ja are Japanese,
 * anything else is English. Without one, the remembered language holds; without that, Japanese.
 */
export function resolveLang(param: string | null, cookie: string | null): Lang {
  if (param !== null) {
    const asked = param.trim().toLowerCase();
    return asked === "jp" || asked === "ja" ? "ja" : "en";
  }
  return isLang(cookie) ? cookie : DEFAULT_LANG;
}
