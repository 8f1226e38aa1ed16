import type { MediaItemMetadata } from "~/domain/content/content";
import type { LibraryItem } from "~/domain/library/library-item";

/** Metadata that an event's media item takes from its library item. */
export const mediaItemMetadata = ({
  kind,
  mimeType,
  byteSize,
  width,
  height,
  duration,
  thumbKey,
  web,
}: Pick<
  LibraryItem,
  "kind" | "mimeType" | "byteSize" | "width" | "height" | "duration" | "thumbKey" | "web"
>): MediaItemMetadata => ({
  kind,
  mimeType,
  byteSize,
  width,
  height,
  duration,
  hasThumbnail: thumbKey !== null,
  web,
});
