import { UnreadableFileError } from "~/domain/library/unreadable-file-error";
import { THUMBNAIL_MAX_BYTES } from "~/domain/shared/limits";
import type { MediaKind, Uuid } from "~/domain/shared/model";
import { browserApi } from "../browser-api";
import { reportUnreadable } from "../preflight/report-unreadable";
import { makeThumbnail, scaleToThumbnail, THUMBNAIL_WIDTH } from "./make-thumbnail";

/** A file that has no thumbnail and that the user may change. */
export interface ThumbnailRequest {
  readonly itemId: Uuid;
  readonly name: string;
  readonly kind: MediaKind;
  /** URL of the file that visitors receive. */
  readonly url: string;
  readonly byteSize: number;
}

/** Items for which this page has tried to upload a thumbnail, or is drawing one. */
const attemptedItems = new Set<Uuid>();

type ViewImage = HTMLCanvasElement | Promise<Blob | null> | null | undefined;

/**
 * Uploads a thumbnail for an item that has none, for example after an upload through the API or without JavaScript. Errors are ignored. An attempt
 * without an image may be repeated.
 * @param captureView returns the current view of the item as a canvas, or draws it with the given width in pixels
 */
export async function uploadThumbnail(
  itemId: Uuid,
  captureView: (width: number) => ViewImage,
): Promise<void> {
  if (attemptedItems.has(itemId)) return;
  attemptedItems.add(itemId);
  try {
    const image = captureView(THUMBNAIL_WIDTH);
    const thumbnail =
      image instanceof HTMLCanvasElement
        ? await scaleToThumbnail(image, image.width, image.height)
        : await image;
    // There is no image, for example because the viewer was closed before it had drawn one, so the next attempt is allowed.
    if (!thumbnail) attemptedItems.delete(itemId);
    else if (thumbnail.size <= THUMBNAIL_MAX_BYTES)
      await browserApi.bytes(`/api/v1/media/${itemId}/thumbnail`, thumbnail);
  } catch {
    // For example, the canvas cannot be read. The item then has no thumbnail.
  }
}

/**
 * Downloads a file, draws its thumbnail and stores it. A file that cannot be opened is reported to the server.
 * @returns whether the item may have changed
 */
export async function drawAndUploadThumbnail({
  itemId,
  name,
  kind,
  url,
}: Omit<ThumbnailRequest, "byteSize">): Promise<boolean> {
  let hasChanged = false;
  await uploadThumbnail(itemId, async () => {
    const response = await fetch(url);
    if (!response.ok) return null;
    const file = new File([await response.blob()], name);
    try {
      const thumbnail = await makeThumbnail(file, kind);
      hasChanged = thumbnail !== null;
      return thumbnail;
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      await markUnreadable(itemId);
      hasChanged = true;
      return null;
    }
  });
  return hasChanged;
}

/** Reports to the server that this browser could not open the file of an item. */
export const markUnreadable = (itemId: Uuid): Promise<void> => reportUnreadable(browserApi, itemId);
