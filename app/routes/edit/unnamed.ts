/** Tags that were put into the space and have no title of their own yet: visitors do not see them until they have. */
import type { TagValues } from "~/domain/content";
import type { Lang } from "~/domain/model";

/** What a tag without a title is called, and in which language. */
export interface Placeholder {
  readonly lang: Lang;
  readonly words: string;
}

/** What a tag is made with that somebody points at a place for. */
export const unnamed = ({ lang, words }: Placeholder): Pick<TagValues, "title" | "hidden"> => ({
  title: { ja: "", en: "", [lang]: words },
  hidden: true,
});

/** Whether a tag still waits for its title. */
export const isUnnamed = (
  { title, hidden }: Pick<TagValues, "title" | "hidden">,
  { lang, words }: Placeholder,
): boolean => hidden && title[lang] === words;

/** Values of a tag that somebody saves: with its title it begins to be shown. */
export function withName(
  tag: Pick<TagValues, "title" | "hidden">,
  values: Partial<TagValues>,
  placeholder: Placeholder,
): Partial<TagValues> {
  const isNamed = values.title !== undefined && values.title[placeholder.lang] !== placeholder.words;
  return isNamed && isUnnamed(tag, placeholder) ? { ...values, hidden: false } : values;
}
