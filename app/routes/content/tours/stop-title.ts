import { inLanguage } from "~/domain/shared/localized";
import type { EventTag, Lang, TourStop } from "~/domain/shared/model";
import type { Translate } from "~/i18n/messages";

/** Title of a stop as visitors read it: its own, its tag's, or its number. */
export function stopTitle(
  { title, tagId }: Pick<TourStop, "title" | "tagId">,
  index: number,
  tags: readonly EventTag[],
  t: Translate,
  lang: Lang,
): string {
  const tag = tags.find(({ id }) => id === tagId);
  const ownTitle = inLanguage(title, lang).text;
  return (
    ownTitle ||
    (tag && inLanguage(tag.title, lang).text) ||
    t("content:sceneEditor.tour.stop", { at: index + 1 })
  );
}
