import { isUuid } from "~/domain/ids";
import { fileVersion, PICTURE_WIDTHS, type PictureWidth } from "~/domain/media-address";
import type { Uuid } from "~/domain/model";

/** What an address below /media/ asks for. */
export interface MediaAddress {
  readonly id: Uuid;
  /** Of which file; null for the one that there is now. */
  readonly version: string | null;
  /** Of a picture; null for the file as it was uploaded. */
  readonly width: PictureWidth | null;
  /** Subtitles in the form that browsers read, whatever was uploaded. */
  readonly asVtt: boolean;
}

const PATH = /^\/media\/([^/]+)(?:\/([^/]{1,64}))?$/;

/**
 * Reads `/media/{item}[/{version}][?w={width}|?format=vtt]`.
 * @returns "unknown" for what leads nowhere, "bad" for a width or form in which nothing is sent
 */
export function readMediaAddress(url: URL): MediaAddress | "unknown" | "bad" {
  const [, id, version = null] = PATH.exec(url.pathname) ?? [];
  if (!isUuid(id)) return "unknown";
  const [asked, format] = [url.searchParams.get("w"), url.searchParams.get("format")];
  const width = PICTURE_WIDTHS.find((one) => String(one) === asked) ?? null;
  const isBad = asked === null ? format !== null && format !== "vtt" : width === null || format !== null;
  return isBad ? "bad" : { id, version, width, asVtt: format !== null };
}

/** The address of what is there now, where `url` names a file that has been replaced: everything else stays as asked. */
export const presentAddress = (url: URL, id: Uuid, fileKey: string): string =>
  `/media/${id}/${fileVersion(fileKey)}${url.search}`;
