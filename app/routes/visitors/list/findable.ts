import type { Findable } from "~/domain/content/content-search";
import { plainText } from "~/domain/content/rich-text";
import type { Scene } from "../scene/scene-types";

/** Entries of the list with their search texts. A tag is also found by the media that it shows. */
export function toFindables({ tags, media }: Pick<Scene, "tags" | "media">): Findable[] {
  const mediaById = new Map(media.map((mediaItem) => [mediaItem.id, mediaItem]));
  const taggedIds = new Set(tags.flatMap(({ mediaIds }) => mediaIds));
  return [
    ...tags.map(({ id, title, body, keywords, mediaIds }) => ({
      id,
      texts: [
        title.text,
        plainText(body.blocks),
        ...mediaIds.flatMap((mediaId) => {
          const mediaItem = mediaById.get(mediaId);
          return mediaItem ? [mediaItem.title.text, mediaItem.description.text] : [];
        }),
      ],
      keywords,
    })),
    ...media
      .filter(({ id }) => !taggedIds.has(id))
      .map(({ id, title, description }) => ({ id, texts: [title.text, description.text], keywords: [] })),
  ];
}
