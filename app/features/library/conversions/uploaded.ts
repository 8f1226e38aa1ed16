import type { MediaKind, Uuid } from "~/domain/model";
import { canConvert } from "~/domain/prepared";
import { convertItem } from "./store";

/** Response of the API for an uploaded file. */
export interface UploadedItem {
  readonly uuid: Uuid;
  readonly kind: MediaKind;
  readonly file_name: string;
  readonly mime_type: string;
  /** Pixels. */
  readonly width: number | null;
  readonly height: number | null;
  readonly preparation: string;
}

/** Starts the conversion of a file that this page has uploaded when browsers cannot show the file or when it is heavy. */
export async function convertUploaded(item: UploadedItem, file: File | null): Promise<void> {
  const { uuid: itemId, kind, file_name: name, mime_type: mimeType } = item;
  if (!canConvert({ mimeType, width: item.width, height: item.height })) return;
  // The server knows the bytes of a model, and its file how many triangles it has.
  const isHeavy =
    item.preparation === "none" &&
    kind === "model" &&
    file !== null &&
    (await (await import("./heavy")).isHeavyModel(file));
  if (item.preparation !== "waiting" && !isHeavy) return;
  await convertItem({ itemId, name, mimeType, kind, file, quality: null, asks: false, takesStill: true });
}
