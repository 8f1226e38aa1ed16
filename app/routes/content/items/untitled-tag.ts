/** Tags that were placed in the space and have no title yet: they stay hidden until they have one. */
import type { TagValues } from "~/domain/content/content";
import { newText } from "~/domain/events/event-texts";
import { TAG_TITLE_MAX } from "~/domain/shared/limits";
import type { Lang, TagProduct } from "~/domain/shared/model";
import { NEW_TAG_TITLE } from "~/i18n/new-tag";

type TitleAndVisibility = Pick<TagValues, "title" | "hidden">;

/** Title and visibility of a tag that is created by pointing at a position. */
export const untitledTag = (lang: Lang): TitleAndVisibility => ({
  title: { ja: "", en: "", [lang]: NEW_TAG_TITLE[lang] },
  hidden: true,
});

/** Placeholder that a hidden tag still has as its title in one of the languages; null for any other tag. */
export function findPlaceholderTitle({ title, hidden }: TitleAndVisibility): string | null {
  const lang = (["ja", "en"] as const).find((language) => title[language] === NEW_TAG_TITLE[language]);
  return hidden && lang ? title[lang] : null;
}

/** Values to save for a submitted tag: an untitled tag becomes visible with its first title. */
export function showIfTitled(tag: TitleAndVisibility, values: Partial<TagValues>): Partial<TagValues> {
  const isNamed = findPlaceholderTitle({ hidden: true, title: values.title ?? tag.title }) === null;
  return isNamed && findPlaceholderTitle(tag) !== null ? { ...values, hidden: false } : values;
}

/** Values to save for a tag whose product was chosen: an untitled tag gets the product's title, if there is one, and becomes visible with it. */
export function withProduct(
  tag: TitleAndVisibility,
  product: TagProduct,
  screenLang: Lang,
): Partial<TagValues> {
  if (findPlaceholderTitle(tag) === null) return { product };
  const title = [...product.title].slice(0, TAG_TITLE_MAX).join("").trim();
  return title === "" ? { product } : { product, title: newText(title, screenLang), hidden: false };
}

/** Removes the title's error from the errors of a form in which nothing was typed yet. */
export function withoutTitleError<T extends Readonly<Record<string, unknown>>>(errors: T): T {
  const { title: _title, ...otherErrors } = errors;
  return otherErrors as unknown as T;
}
