import type { StoredFile } from "#functions/services/library/stored-file-ports";
import { fileVersion, IMAGE_WIDTHS, type ImageWidth, imageKey } from "~/domain/library/media-url";
import { PREPARED_TYPES, preparedExtension, preparedKey } from "~/domain/library/prepared";
import { isUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";

/** A parsed URL below /media/. */
export interface MediaUrl {
  readonly id: Uuid;
  /** Version of the file, or `original` or `prepared` (the current conversion); null for the current file. */
  readonly version: string | null;
  /** Name of a preview (a smaller version) or a tile (a part of a large image) that belongs to the current conversion. Null for any other file. */
  readonly part: string | null;
  /** Requested width of an image, in pixels; null for the stored file. */
  readonly width: ImageWidth | null;
  /** True if subtitles are requested as WebVTT, independent of the uploaded format. */
  readonly isWebVtt: boolean;
}

const PATH = /^\/media\/([^/]+)(?:\/([^/]{1,64})(?:\/(.{1,300}))?)?$/;

/** Path segments in place of a version: the current uploaded file, and the current conversion. */
const ORIGINAL = "original";
const PREPARED = "prepared";
/** Returns whether a URL names the current file by one of these segments. Its bytes may then change later. */
export const isAlias = ({ version }: MediaUrl): boolean => version === ORIGINAL || version === PREPARED;

/**
 * Parses `/media/{item}[/{version}[/{name}]][?w={width}|?format=vtt]`.
 * @returns "unknown" for a URL that leads to no file, "bad" for an unsupported width, format or combination
 */
export function readMediaUrl(url: URL): MediaUrl | "unknown" | "bad" {
  const [, id, version = null, part = null] = PATH.exec(url.pathname) ?? [];
  if (!isUuid(id) || (part !== null && preparedExtension(part) === null)) return "unknown";
  const [requestedWidth, format] = [url.searchParams.get("w"), url.searchParams.get("format")];
  const width = IMAGE_WIDTHS.find((imageWidth) => String(imageWidth) === requestedWidth) ?? null;
  const isBad =
    requestedWidth === null ? format !== null && format !== "vtt" : width === null || format !== null;
  if (isBad || (part !== null && (width !== null || format !== null))) return "bad";
  return { id, version, part, width, isWebVtt: format !== null };
}

/** A stored file at a URL. */
export interface RequestedFile {
  /** The file with the key, type and size of the bytes that are sent; the size of a preview or tile is unknown and 0. For an image, the uploaded file. */
  readonly file: StoredFile;
  /** Key of the file whose version the URL names. For an image, the file that it is made from. */
  readonly key: string;
  /** Whether the URL names the current version. */
  readonly isCurrent: boolean;
  /** The part after the item's id in the path of the current version. */
  readonly path: string;
}

/**
 * Returns the file that a URL means: the item's own file, the converted file that visitors see (`display`, made by an owner's browser), a
 * preview or tile of it, or the item's image. Null if there is none.
 */
export function findRequestedFile(file: StoredFile, address: MediaUrl): RequestedFile | null {
  const { version, part, width, isWebVtt } = address;
  const { runId = null, display = null } = file.preparation ?? {};
  const toRequestedFile = (storedFile: StoredFile, key: string, name = "") => ({
    file: storedFile,
    key,
    isCurrent: version === null || version === fileVersion(key) || isAlias(address),
    path: `${fileVersion(key)}${name}`,
  });
  if (part !== null) {
    const type = PREPARED_TYPES[preparedExtension(part) ?? ""];
    if (!display || runId === null || !type) return null;
    const fileKey = preparedKey(file.itemId, runId, part);
    const byteSize = fileKey === display.fileKey ? display.byteSize : 0;
    const fileName = part.slice(part.lastIndexOf("/") + 1);
    return toRequestedFile(
      { ...file, fileKey, fileName, mimeType: type.mimeType, byteSize },
      fileKey,
      `/${part}`,
    );
  }
  if (width !== null) {
    const key = imageKey(file);
    return key === null ? null : toRequestedFile(file, key);
  }
  if (!display || isWebVtt || version === ORIGINAL || version === fileVersion(file.fileKey))
    return toRequestedFile(file, file.fileKey);
  const extension = display.fileKey.split("/").at(-2)?.split(".").at(-1);
  const { fileKey, mimeType, byteSize, width: pixels, height } = display;
  const fileName = `${file.fileName.replace(/\.[^.]*$/, "")}.${extension}`;
  return toRequestedFile({ ...file, fileKey, fileName, mimeType, byteSize, width: pixels, height }, fileKey);
}
