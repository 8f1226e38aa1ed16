import { RemixI18Next } from "remix-i18next/server";
import {
  acceptedLang,
  DEFAULT_LANG,
  isLang,
  LANG_COOKIE,
  LANG_PARAM,
  LANGS,
  resolveLang,
} from "~/domain/shared/lang";
import type { Lang } from "~/domain/shared/model";
import type { Config } from "./http/config";
import { cookieHeader, readCookie } from "./http/cookies";

/** The language of a request, and whether its URL has the language parameter, which may be invalid. */
export function requestLanguage(
  request: Request,
  url = new URL(request.url),
): { lang: Lang; isInUrl: boolean } {
  const param = url.searchParams.get(LANG_PARAM);
  return { lang: resolveLang(param, readCookie(request, LANG_COOKIE)), isInUrl: param !== null };
}

/** Finds the language of a rendered page: only by requestLanguage, not by Accept-Language. */
const pageLanguages = new RemixI18Next({
  detection: {
    supportedLanguages: [...LANGS],
    fallbackLanguage: DEFAULT_LANG,
    order: ["custom"],
    findLocale: async (request) => requestLanguage(request).lang,
  },
});

/** The language in which a page is rendered. */
export async function pageLanguage(request: Request): Promise<Lang> {
  const lang = await pageLanguages.getLocale(request);
  return isLang(lang) ? lang : DEFAULT_LANG;
}

/** The language of error messages for API callers: from the URL, the language cookie, Accept-Language, or English, in this order. */
export function apiLanguage(request: Request): Lang {
  const { lang, isInUrl } = requestLanguage(request);
  if (isInUrl || readCookie(request, LANG_COOKIE) !== null) return lang;
  return acceptedLang(request.headers.get("accept-language")) ?? "en";
}

/** The Set-Cookie value that stores the language for a year. */
export const languageCookie = (lang: Lang, config: Config) =>
  cookieHeader(LANG_COOKIE, lang, { maxAge: 31_536_000, secure: !config.development, httpOnly: true });
