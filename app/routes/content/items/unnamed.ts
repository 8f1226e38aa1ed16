/** Tags that were put into the space and have no title of their own yet: visitors do not see them until they have. */
import type { TagValues } from "~/domain/content/content";
import type { Lang } from "~/domain/shared/model";
import { NEW_TAG_TITLE } from "~/i18n/new-tag";

type Named = Pick<TagValues, "title" | "hidden">;

/** What a tag is made with that somebody points at a place for. */
export const unnamed = (lang: Lang): Named => ({
  title: { ja: "", en: "", [lang]: NEW_TAG_TITLE[lang] },
  hidden: true,
});

/** The words that still stand where a tag's title will be, in whichever language it was made; null for any other tag. */
export function placeholderOf({ title, hidden }: Named): string | null {
  const lang = (["ja", "en"] as const).find((each) => title[each] === NEW_TAG_TITLE[each]);
  return hidden && lang ? title[lang] : null;
}

/** What is saved of a tag that somebody sends: with its title it begins to be shown. */
export function withTitle(tag: Named, values: Partial<TagValues>): Partial<TagValues> {
  const isNamed = placeholderOf({ hidden: true, title: values.title ?? tag.title }) === null;
  return isNamed && placeholderOf(tag) !== null ? { ...values, hidden: false } : values;
}
