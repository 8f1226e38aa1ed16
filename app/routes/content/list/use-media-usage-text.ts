import { useMemo } from "react";
import { inLanguage } from "~/domain/shared/localized";
import type { EventTag, Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

/** Returns a function for the text about the tags that show a media item: the name of the only one, or their number; null if none does. */
export function useMediaUsageText(tags: readonly EventTag[]): (mediaId: Uuid) => string | null {
  const { t, language } = useTranslation();
  const tagsByMedia = useMemo(() => {
    const byMedia = new Map<Uuid, EventTag[]>();
    for (const tag of tags) for (const id of tag.mediaIds) byMedia.set(id, [...(byMedia.get(id) ?? []), tag]);
    return byMedia;
  }, [tags]);
  return (mediaId) => {
    const uses = tagsByMedia.get(mediaId) ?? [];
    if (!uses[0]) return null;
    return t("content:usedIn", {
      count: uses.length,
      name: inLanguage(uses[0].title, language).text || t("content:untitled"),
    });
  };
}
