import { isImageTooLarge, readImageSize } from "~/domain/library/formats/image-size";
import type { UploadProblem } from "../upload-state";

/**
 * Checks the size of an image before the upload. When it cannot be read here, the server checks the size.
 * @param mimeType type from sniffMedia
 * @returns the problem; null when there is none
 */
export async function checkImage(file: File, mimeType: string): Promise<UploadProblem | null> {
  // SVG has no pixel size.
  if (mimeType === "image/svg+xml") return null;
  const bytes = {
    size: file.size,
    read: async (first: number, length: number) =>
      new Uint8Array(await file.slice(first, first + length).arrayBuffer()),
  };
  const size = await readImageSize(bytes, mimeType, false).catch(() => null);
  return size !== null && size !== "damaged" && isImageTooLarge(size)
    ? { key: "library:errors.upload.pixels" }
    : null;
}
