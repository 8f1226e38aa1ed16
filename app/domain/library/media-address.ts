import type { Uuid } from "../shared/model";

/** Widths in pixels in which pictures are sent; a page asks for one of them. */
export const PICTURE_WIDTHS = [160, 320, 640, 1280, 2560] as const;
/** One of the widths. */
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

/**
 * What changes in the address of a file with every file that is put in its place, so that an address always means the same
 * bytes and may be kept for ever.
 * @param fileKey the file's key in R2, `library/{item}/{upload}`, or `library/{item}` of the first ones
 */
export const fileVersion = (fileKey: string): string => fileKey.slice(-8);

/** The address of a file as it was uploaded. @param fileKey its key in R2; the key itself does not leave the server */
export const fileAddress = (id: Uuid, fileKey: string): string => `/media/${id}/${fileVersion(fileKey)}`;

interface Pictured {
  readonly kind: string;
  readonly fileKey: string | null;
  readonly thumbKey: string | null;
  /** Why the file may not be used; null or absent when it may. */
  readonly check?: unknown;
  /** Conversion of the file for visitors; null or absent when there is none. */
  readonly preparation?: { readonly display: { readonly fileKey: string } | null } | null;
}

/** Which file a picture of something is made of: its still picture, or an image itself. Null for what has no picture. */
export const pictureKey = ({ kind, fileKey, thumbKey, check, preparation }: Pictured): string | null =>
  thumbKey ?? (kind === "image" && !check ? (preparation?.display?.fileKey ?? fileKey) : null);

/** Address of the file that visitors receive: the converted file, or else the uploaded one. Null for an item without a file. */
export const displayAddress = (
  item: Omit<Pictured, "kind" | "thumbKey"> & { readonly id: Uuid },
): string | null => {
  const key = item.preparation?.display?.fileKey ?? item.fileKey;
  return key === null ? null : fileAddress(item.id, key);
};

/**
 * The address of a picture at a width: of an image itself, of anything else its still picture.
 * @returns null for what has no picture
 */
export function pictureAddress(item: Pictured & { readonly id: Uuid }, width: PictureWidth): string | null {
  const key = pictureKey(item);
  return key === null ? null : `/media/${item.id}/${fileVersion(key)}?w=${width}`;
}

/**
 * The address of a picture of a file, at a width.
 * @param address of the file, with or without a query
 * @param width empty for whoever puts one of the widths at its end
 */
export const atWidth = (address: string, width: PictureWidth | ""): string =>
  `${address}${address.includes("?") ? "&" : "?"}w=${width}`;

/** The widths of a picture for an img's srcset: the browser takes the one that fits the screen. */
export const pictureSet = (address: string, widths: readonly PictureWidth[]): string =>
  widths.map((width) => `${atWidth(address, width)} ${width}w`).join(", ");

/** The address of a space's picture, to be asked for at a width. Null when it has none. */
export const posterAddress = (space: {
  readonly posterMediaId: Uuid | null;
  readonly posterKey: string | null;
}): string | null =>
  space.posterMediaId !== null && space.posterKey !== null
    ? fileAddress(space.posterMediaId, space.posterKey)
    : null;
