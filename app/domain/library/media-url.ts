import type { Uuid } from "../shared/model";

/** The widths in which images are served, in pixels. A page requests one of them. */
export const IMAGE_WIDTHS = [160, 320, 640, 1280, 2560] as const;
/** One of the widths. */
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];

/**
 * Returns the part of a file's URL that changes whenever the file is replaced. A URL therefore always means the same bytes and
 * can be cached without a time limit.
 * @param fileKey the file's key in R2, which ends with a new id for every upload, conversion and thumbnail; `library/{item}` for the oldest files
 */
export const fileVersion = (fileKey: string): string => fileKey.slice(-8);

/** Returns the URL of an item's uploaded or converted file. @param fileKey its R2 key, which is never sent to clients */
export const uploadedFileUrl = (id: Uuid, fileKey: string): string => `/media/${id}/${fileVersion(fileKey)}`;

interface WithImage {
  readonly kind: string;
  readonly fileKey: string | null;
  readonly thumbKey: string | null;
  /** Why the file may not be used; null or absent when it may. */
  readonly check?: unknown;
  /** Conversion of the file for visitors; null or absent when there is none. */
  readonly preparation?: { readonly display: { readonly fileKey: string } | null } | null;
}

/** Returns the R2 key of the image that shows an item: its thumbnail, or a converted or uploaded image that may be used. Null if there is neither. */
export const imageKey = ({ kind, fileKey, thumbKey, check, preparation }: WithImage): string | null =>
  thumbKey ?? (kind === "image" && !check ? (preparation?.display?.fileKey ?? fileKey) : null);

/** Returns the URL of the file that visitors receive: the converted file, or else the uploaded one. Null for an item without a file. */
export const displayUrl = (
  item: Omit<WithImage, "kind" | "thumbKey"> & { readonly id: Uuid },
): string | null => {
  const key = item.preparation?.display?.fileKey ?? item.fileKey;
  return key === null ? null : uploadedFileUrl(item.id, key);
};

/**
 * Returns the URL of an item's image (imageKey) at a width.
 * @returns null for an item without an image
 */
export function imageUrl(item: WithImage & { readonly id: Uuid }, width: ImageWidth): string | null {
  const key = imageKey(item);
  return key === null ? null : `/media/${item.id}/${fileVersion(key)}?w=${width}`;
}

/**
 * Returns the URL of a file's image at a width.
 * @param url URL of the file, with or without a query
 * @param width empty if the caller appends one of the widths itself
 */
export const atWidth = (url: string, width: ImageWidth | ""): string =>
  `${url}${url.includes("?") ? "&" : "?"}w=${width}`;

/** Returns the srcset of an img element. The browser chooses the width that fits the screen. */
export const imageSet = (url: string, widths: readonly ImageWidth[]): string =>
  widths.map((width) => `${atWidth(url, width)} ${width}w`).join(", ");

/** Returns the URL of a space's image, to which a caller adds a width. Null for a space without an image. */
export const spacePosterUrl = (space: {
  readonly posterMediaId: Uuid | null;
  readonly posterKey: string | null;
}): string | null =>
  space.posterMediaId !== null && space.posterKey !== null
    ? uploadedFileUrl(space.posterMediaId, space.posterKey)
    : null;
