import { useEffect, useMemo, useRef } from "react";
import type { Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { AccessibleList } from "~/viewer/Viewer";
import type { Scene } from "../scene/scene-types";
import { MediaItemEntry, TagEntry } from "./entries";
import { scrollToEntry } from "./scroll-to-entry";

/** Data about the whole list, which a page of a long list does not contain. */
export interface WholeListData {
  /** Number of tags, and of media items that no tag shows, on all pages together. */
  readonly tagCount: number;
  readonly untaggedMediaCount: number;
  /** Whether some media items belong to tags. */
  readonly hasTaggedMedia: boolean;
}

export interface ContentListProps {
  readonly scene: Scene;
  readonly accessibleList: AccessibleList;
  /** Entries that match the search; all if null. The open entry is always displayed. */
  readonly matchingIds?: ReadonlySet<Uuid> | null;
  /** Data of the list whose page the scene contains; null if the scene contains the whole list. */
  readonly wholeList?: WholeListData | null;
}

/** In a list with more entries than this, the browser does not render the entries outside of the viewport. */
const LAZY_RENDERING_ABOVE = 60;
const LAZY_RENDERING_CLASSES = "-mx-2 px-2 [content-visibility:auto] [contain-intrinsic-size:auto_3.5rem]";

/** Attributes of the list to which the page's skip link leads. */
const SKIP_LINK_TARGET = { id: "list", tabIndex: -1 } as const;

/** The event's content as a list: the accessible equivalent of the pins in 3D. It works without scripts. */
export function ContentList({
  scene,
  accessibleList,
  matchingIds = null,
  wholeList = null,
}: ContentListProps) {
  const { t } = useTranslation();
  const { tags, untaggedMedia, hasTaggedMedia } = useMemo(() => {
    const media = new Map(scene.media.map((mediaItem) => [mediaItem.id, mediaItem]));
    const taggedIds = new Set(scene.tags.flatMap((tag) => tag.mediaIds));
    return {
      tags: scene.tags.map((tag) => ({ tag, media: tag.mediaIds.flatMap((id) => media.get(id) ?? []) })),
      untaggedMedia: scene.media.filter((mediaItem) => !taggedIds.has(mediaItem.id)),
      hasTaggedMedia: taggedIds.size > 0,
    };
  }, [scene]);
  useOpenEntryInView(accessibleList.openPinId, scene);
  const { openPinId, openPin, entry } = accessibleList;
  const isVisible = (id: Uuid) => matchingIds === null || matchingIds.has(id) || id === openPinId;
  const countVisible = (ids: readonly Uuid[]) => ids.filter(isVisible).length;
  const tagCount = wholeList?.tagCount ?? countVisible(tags.map(({ tag }) => tag.id));
  const untaggedMediaCount = wholeList?.untaggedMediaCount ?? countVisible(untaggedMedia.map(({ id }) => id));
  const isTagListShown = tags.length > 0 && tagCount > 0;
  const className =
    tags.length + untaggedMedia.length > LAZY_RENDERING_ABOVE ? LAZY_RENDERING_CLASSES : undefined;
  return (
    <>
      {tags.length > 0 && (
        <section aria-labelledby="tags-title" hidden={tagCount === 0} className="grid gap-3">
          <ListTitle id="tags-title" count={tagCount}>
            {t("visitors:tags")}
          </ListTitle>
          <ol {...(isTagListShown && SKIP_LINK_TARGET)} className="entries ruled">
            {tags.map(({ tag, media }) => (
              <TagEntry
                key={tag.id}
                tag={tag}
                media={media}
                open={openPinId === tag.id}
                hidden={!isVisible(tag.id)}
                className={className}
                openPin={openPin}
                entry={entry}
              />
            ))}
          </ol>
        </section>
      )}
      {untaggedMedia.length > 0 && (
        <section aria-labelledby="media-title" hidden={untaggedMediaCount === 0} className="grid gap-4">
          <ListTitle id="media-title" count={untaggedMediaCount}>
            {(wholeList?.hasTaggedMedia ?? hasTaggedMedia) ? t("visitors:otherMedia") : t("visitors:media")}
          </ListTitle>
          <ul {...(!isTagListShown && SKIP_LINK_TARGET)} className="entries grid gap-8">
            {untaggedMedia.map((mediaItem) => (
              <MediaItemEntry
                key={mediaItem.id}
                item={mediaItem}
                open={openPinId === mediaItem.id}
                hidden={!isVisible(mediaItem.id)}
                className={className}
                openPin={openPin}
                entry={entry}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function ListTitle({ id, count, children }: { id: string; count: number; children: string }) {
  return (
    <h2 id={id} className="flex items-baseline gap-2 text-base font-semibold">
      {children} <span className="text-sm font-normal text-muted tabular-nums">{count}</span>
    </h2>
  );
}

/** Scrolls an entry into view when it opens, without moving the focus. */
function useOpenEntryInView(openPinId: string | null, scene: Scene) {
  const scrolledId = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry may come with the rest of the list
  useEffect(() => {
    if (openPinId !== scrolledId.current && (scrollToEntry(openPinId) || openPinId === null))
      scrolledId.current = openPinId;
  }, [openPinId, scene]);
}
