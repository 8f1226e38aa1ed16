import { isPictureTooLarge, pictureSize } from "~/domain/library/formats/picture-size";
import type { UploadProblem } from "../model";

/**
 * Checks the size of an image before the upload. An image whose size cannot be read here is checked by the server.
 * @param mimeType type as sniffMedia reports it
 * @returns the problem; null when the image can be stored
 */
export async function checkImage(file: File, mimeType: string): Promise<UploadProblem | null> {
  // SVG has no pixel size.
  if (mimeType === "image/svg+xml") return null;
  const bytes = {
    size: file.size,
    read: async (first: number, length: number) =>
      new Uint8Array(await file.slice(first, first + length).arrayBuffer()),
  };
  const size = await pictureSize(bytes, mimeType, false).catch(() => null);
  return size !== null && size !== "damaged" && isPictureTooLarge(size)
    ? { key: "library:errors.upload.pixels" }
    : null;
}
