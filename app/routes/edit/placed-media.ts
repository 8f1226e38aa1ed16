import { inLanguage } from "~/domain/localized";
import { atWidth } from "~/domain/media-address";
import type { EventMedia, Lang, MediaKind } from "~/domain/model";
import type { PlacedKind, PlacedMedium } from "~/viewer/Viewer";

const HUNG: readonly MediaKind[] = ["image", "video", "audio", "pdf", "model", "web"];
const hangs = (kind: MediaKind): kind is PlacedKind => HUNG.includes(kind);

/** What hangs in the space, for somebody with a session. */
export function placedMedia(media: readonly EventMedia[], lang: Lang): PlacedMedium[] {
  return media.flatMap(({ id, kind, libraryItemId, title, placement, width, height, web, mimeType }) => {
    if (placement === null || !hangs(kind)) return [];
    const file = `/media/${libraryItemId}`;
    const isPicture = kind === "image" || mimeType.startsWith("image/") || kind === "pdf" || kind === "video";
    return [
      {
        id,
        kind,
        url: web?.url ?? (kind === "image" ? atWidth(file, 1280) : file),
        picture: kind !== "image" && isPicture ? atWidth(file, 1280) : null,
        title: inLanguage(title, lang).text,
        placement,
        aspect: width && height ? height / width : null,
      },
    ];
  });
}
