import type { Lang } from "../shared/model";

/**
 * Whether a product's name, as it was kept in the language of whoever attached it, may stand on a page of this language until the store tells
 * its own: on an English page, unless it is written in Japanese.
 */
export const isNameIn = (lang: Lang, name: string): boolean =>
  name !== "" && (lang === "ja" || !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(name));
