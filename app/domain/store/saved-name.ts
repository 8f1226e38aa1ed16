import type { Lang } from "../shared/model";

/**
 * Whether a product's saved name may appear on a page of this language until the store returns the translated one. The name is in the
 * language of the person who attached the product. An English page shows it unless it contains Japanese script.
 */
export const mayShowSavedName = (lang: Lang, name: string): boolean =>
  name !== "" && (lang === "ja" || !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(name));
