import { toUuid } from "~/domain/shared/ids";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import type { EditorContent } from "~/features/content/editor/content";
import type { Translate } from "~/i18n/messages";
import { readPanel } from "../editor/panels";
import { stopTitle } from "../tours/stop-title";

/** Name of one of the editor's forms, by its URL: its panel and its item. */
export function formName(
  href: string,
  { tags, media, scene }: EditorContent,
  t: Translate,
  lang: Lang,
): string {
  const searchParams = new URLSearchParams(href);
  const panel = t(`content:panels.${readPanel(searchParams)}`);
  const stopId = toUuid(searchParams.get("stop"));
  const itemId = toUuid(searchParams.get("tag") ?? searchParams.get("medium"));
  const index = scene.tour.findIndex(({ id }) => id === stopId);
  const tourStop = scene.tour[index];
  if (tourStop) return `${panel} – ${stopTitle(tourStop, index, tags, t, lang)}`;
  const item = [...tags, ...media].find(({ id }) => id === itemId);
  return item ? `${panel} – ${inLanguage(item.title, lang).text || t("content:untitled")}` : panel;
}
