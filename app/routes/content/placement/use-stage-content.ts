import { useMemo, useRef } from "react";
import type { EventMedia, EventTag, Lang, Uuid } from "~/domain/shared/model";
import { isEqual } from "~/domain/shared/same";
import { useTranslation } from "~/i18n/translation";
import { placedMedia } from "../../visitors/scene/placed-media";
import { makePins } from "../../visitors/scene/scene-pins";

/** Address of a library item's file, for users who are logged in. */
export const fileUrl = (id: Uuid): string => `/media/${id}`;

/** Pins and placed media of an event. Both keep their identity while their values are the same, so that typing does not render the stage again. */
export function useStageContent(
  { tags, media }: { readonly tags: readonly EventTag[]; readonly media: readonly EventMedia[] },
  lang: Lang,
) {
  const ids = useMemo(() => [...tags, ...media].map(({ id }) => id), [tags, media]);
  const { t } = useTranslation();
  const pins = useMemo(() => {
    const drafts = new Set([...tags, ...media].filter(({ hidden }) => hidden).map(({ id }) => id));
    return makePins({ tags, media, lang }).map((pin) =>
      drafts.has(pin.id as Uuid)
        ? { ...pin, label: t("content:draftLabel", { title: pin.label }), isDraft: true }
        : pin,
    );
  }, [tags, media, lang, t]);
  const hung = useMemo(() => placedMedia(media, lang, fileUrl), [media, lang]);
  return { ids: useStable(ids), pins: useStable(pins), hung: useStable(hung) };
}

/** Returns the same object while its value is deeply equal. */
export function useStable<T>(value: T): T {
  const latest = useRef(value);
  if (!isEqual(latest.current, value)) latest.current = value;
  return latest.current;
}
