import type { LibraryItem, MediaKind } from "../shared/model";

/** Every kind of medium, in the order in which a filter offers them. */
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

/** The kinds that an address or a call names, each once, in their order; what is no kind is left out. */
export const readMediaKinds = (values: readonly string[]): readonly MediaKind[] =>
  MEDIA_KINDS.filter((kind) => values.includes(kind));

/** Kinds of media that open in a viewer of their own. */
export type StagedKind = Extract<MediaKind, "model" | "splat">;

/** Whether a medium opens in a viewer of its own. */
export const isStaged = (kind: MediaKind): kind is StagedKind => kind === "model" || kind === "splat";

/** The kinds of files that are no pictures themselves, and of which a page that shows them can take one. */
const PICTURED_LATE: readonly MediaKind[] = ["pdf", "model", "splat"];

/** Whether a page that shows a file of a kind can take its picture. */
export const canReadStill = (kind: MediaKind): boolean => PICTURED_LATE.includes(kind);

/** Bytes of a drawing (SVG) above which lists show a small picture of it, which a browser draws. */
export const DRAWING_BYTES = 13_000;

/** Whether lists need a small picture of a drawing: one of more than DRAWING_BYTES would make them heavy. */
export const isLargeDrawing = ({ mimeType, byteSize }: Pick<LibraryItem, "mimeType" | "byteSize">): boolean =>
  mimeType === "image/svg+xml" && byteSize > DRAWING_BYTES;

/** Whether a file has no still picture, and gets one from the page of whoever looks at it and may change it. */
export const wantsStill = (
  item: Pick<LibraryItem, "kind" | "fileKey" | "thumbKey" | "mimeType" | "byteSize">,
): boolean =>
  item.fileKey !== null &&
  item.thumbKey === null &&
  (PICTURED_LATE.includes(item.kind) || isLargeDrawing(item));
