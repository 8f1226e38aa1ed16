import { useMemo, useRef } from "react";
import { isEqual } from "~/domain/shared/is-equal";
import type { EventMedia, EventTag, Lang, Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { makePins } from "../../visitors/scene/make-pins";
import { makePlacedMedia } from "../../visitors/scene/placed-media";
import type { HiddenFiles } from "../editor/editor-context";

/** URL of a library item's file, for users who are logged in. */
export const fileUrl = (id: Uuid): string => `/media/${id}`;

/**
 * Returns the item ids, pins and placed media of an event. Drafts and media with hidden files, which visitors do not see, are marked. Each list keeps its
 * identity while its values are the same, so that typing does not render the stage again.
 */
export function useStageContent(
  { tags, media }: { readonly tags: readonly EventTag[]; readonly media: readonly EventMedia[] },
  lang: Lang,
  hiddenFiles: HiddenFiles,
) {
  const ids = useMemo(() => [...tags, ...media].map(({ id }) => id), [tags, media]);
  const { t } = useTranslation();
  const pins = useMemo(() => {
    const draftIds = new Set([...tags, ...media].filter(({ hidden }) => hidden).map(({ id }) => id));
    return makePins({ tags, media, lang }).map((pin) =>
      draftIds.has(pin.id as Uuid)
        ? { ...pin, label: t("content:draftLabel", { title: pin.label }), isDraft: true }
        : pin,
    );
  }, [tags, media, lang, t]);
  const stageMedia = useMemo(() => {
    // A media item whose file is hidden is not visible either.
    const invisibleIds = new Set<string>(
      media
        .filter((mediaItem) => mediaItem.hidden || hiddenFiles[mediaItem.libraryItemId])
        .map(({ id }) => id),
    );
    const draftMark = t("content:hiddenMark");
    return makePlacedMedia(media, lang, fileUrl).map((item) =>
      invisibleIds.has(item.id)
        ? { ...item, title: t("content:draftLabel", { title: item.title }), draftMark }
        : item,
    );
  }, [media, lang, hiddenFiles, t]);
  return { ids: useStableValue(ids), pins: useStableValue(pins), placedMedia: useStableValue(stageMedia) };
}

/** Returns the same object while its value is deeply equal. */
export function useStableValue<T>(value: T): T {
  const latest = useRef(value);
  if (!isEqual(latest.current, value)) latest.current = value;
  return latest.current;
}
