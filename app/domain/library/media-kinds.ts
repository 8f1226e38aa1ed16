import type { MediaKind } from "../shared/model";
import type { LibraryItem } from "./library-item";

/** Every kind of media item, in the order in which a filter offers them. */
export const MEDIA_KINDS = [
  "image",
  "video",
  "audio",
  "pdf",
  "model",
  "splat",
  "subtitle",
  "web",
] as const satisfies readonly MediaKind[];

/** Returns the kinds that a URL or a call names, in the order of MEDIA_KINDS and without duplicates. Unknown values are left out. */
export const readMediaKinds = (values: readonly string[]): readonly MediaKind[] =>
  MEDIA_KINDS.filter((kind) => values.includes(kind));

/** Kinds of media that open in a separate viewer. */
export type StagedKind = Extract<MediaKind, "model" | "splat">;

/** Returns whether a media item of this kind opens in a separate viewer. */
export const isStaged = (kind: MediaKind): kind is StagedKind => kind === "model" || kind === "splat";

/** The kinds of files other than images for which a page that shows them can make a thumbnail. */
const THUMBNAIL_KINDS: readonly MediaKind[] = ["pdf", "model", "splat"];

/** Returns whether a page that shows a file of this kind can make its thumbnail. */
export const canMakeThumbnail = (kind: MediaKind): boolean => THUMBNAIL_KINDS.includes(kind);

/** Size of a drawing (SVG) above which lists show a small image instead, in bytes. A browser makes the image. */
export const DRAWING_BYTES = 13_000;

/** Returns whether lists need a small image of a drawing. Drawings above DRAWING_BYTES would make lists slow. */
export const isLargeDrawing = ({ mimeType, byteSize }: Pick<LibraryItem, "mimeType" | "byteSize">): boolean =>
  mimeType === "image/svg+xml" && byteSize > DRAWING_BYTES;

/** Returns whether a file lacks a thumbnail that the page of a person with permission to change the file can make. */
export const lacksThumbnail = (
  item: Pick<LibraryItem, "kind" | "fileKey" | "thumbKey" | "mimeType" | "byteSize">,
): boolean =>
  item.fileKey !== null &&
  item.thumbKey === null &&
  (THUMBNAIL_KINDS.includes(item.kind) || isLargeDrawing(item));
