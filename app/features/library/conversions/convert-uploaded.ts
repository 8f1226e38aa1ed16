import type { MediaKind, Uuid } from "~/domain/shared/model";
import { convertItem } from "./current-conversion-queue";

/** Response of the API for an uploaded file. */
export interface ConvertibleItem {
  readonly uuid: Uuid;
  readonly kind: MediaKind;
  readonly file_name: string;
  readonly mime_type: string;
  /** Pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** State of the file's conversion. */
  readonly preparation: string;
}

/**
 * Starts the conversion of a file that this page has uploaded, if the server reports that it needs one.
 * @param file null when the page does not have the file any more, so that it is downloaded
 */
export async function convertUploaded(item: ConvertibleItem, file: File | null): Promise<void> {
  const { uuid: itemId, kind, file_name: name, mime_type: mimeType } = item;
  if (item.preparation !== "waiting") return;
  await convertItem({
    itemId,
    name,
    mimeType,
    kind,
    file,
    quality: null,
    needsComparison: false,
    updatesThumbnail: true,
  });
}
