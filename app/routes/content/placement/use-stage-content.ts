import { useMemo, useRef } from "react";
import type { EventMedia, EventTag, Lang, Uuid } from "~/domain/shared/model";
import { isEqual } from "~/domain/shared/same";
import { placedMedia } from "../../visitors/scene/placed-media";
import { makePins } from "../../visitors/scene/scene-pins";

/** The address of a library item's file, for somebody with a session. */
export const fileUrl = (id: Uuid): string => `/media/${id}`;

/**
 * The pins of an event and what hangs in its space. Both stay the same objects while they say the same: the stage is not drawn anew
 * for each letter typed.
 */
export function useStageContent(
  { tags, media }: { readonly tags: readonly EventTag[]; readonly media: readonly EventMedia[] },
  lang: Lang,
) {
  const ids = useMemo(() => [...tags, ...media].map(({ id }) => id), [tags, media]);
  const pins = useMemo(() => makePins({ tags, media, lang }), [tags, media, lang]);
  const hung = useMemo(() => placedMedia(media, lang, fileUrl), [media, lang]);
  return { ids: useStable(ids), pins: useStable(pins), hung: useStable(hung) };
}

/** The same object for as long as it says the same. */
export function useStable<T>(value: T): T {
  const kept = useRef(value);
  if (!isEqual(kept.current, value)) kept.current = value;
  return kept.current;
}
