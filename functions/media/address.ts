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
}

const PATH = /^\/media\/([^/]+)(?:\/([^/]{1,64}))?$/;

/**
 * Reads `/media/{item}[/{version}][?w={width}]`.
 * @returns "unknown" for what leads nowhere, "bad-width" for a width in which no picture is sent
 */
export function readMediaAddress(url: URL): MediaAddress | "unknown" | "bad-width" {
  const [, id, version = null] = PATH.exec(url.pathname) ?? [];
  if (!isUuid(id)) return "unknown";
  const asked = url.searchParams.get("w");
  const width = PICTURE_WIDTHS.find((one) => String(one) === asked) ?? null;
  return asked !== null && width === null ? "bad-width" : { id, version, width };
}

/** The address of what is there now, where `url` names a file that has been replaced: everything else stays as asked. */
export const presentAddress = (url: URL, id: Uuid, fileKey: string): string =>
  `/media/${id}/${fileVersion(fileKey)}${url.search}`;
