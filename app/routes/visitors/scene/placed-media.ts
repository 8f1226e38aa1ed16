import { atWidth } from "~/domain/library/media-url";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang, MediaKind, Uuid } from "~/domain/shared/model";
import type { PlacedMediaItem, PlacedMediaKind } from "~/viewer/Viewer";
import type { SceneInput } from "./scene-types";

/** Width of images and thumbnails in the space, in pixels. */
const IMAGE_WIDTH = 1280;

/** Whether a media item can be placed in a space. Subtitles cannot: they belong to videos. */
export const isPlaceable = (kind: MediaKind): kind is PlacedMediaKind => kind !== "subtitle";

type PlaceableMediaItem = Pick<
  SceneInput["media"][number],
  "id" | "kind" | "libraryItemId" | "title" | "placement" | "width" | "height" | "hasThumbnail" | "web"
>;

/**
 * Returns the media that are placed in the space, in the form in which the viewer displays them.
 * @param fileUrl returns the URL of a library item's file for this visitor or owner
 */
export function makePlacedMedia(
  media: readonly PlaceableMediaItem[],
  lang: Lang,
  fileUrl: (libraryItemId: Uuid) => string,
): PlacedMediaItem[] {
  return media.flatMap(({ id, kind, libraryItemId, title, placement, width, height, hasThumbnail, web }) => {
    if (placement === null || !isPlaceable(kind)) return [];
    const file = fileUrl(libraryItemId);
    return [
      {
        id,
        kind,
        url: web?.url ?? (kind === "image" ? atWidth(file, IMAGE_WIDTH) : file),
        imageUrl: kind !== "image" && hasThumbnail ? atWidth(file, IMAGE_WIDTH) : null,
        title: inLanguage(title, lang).text,
        placement,
        aspect: width && height ? height / width : null,
      },
    ];
  });
}
