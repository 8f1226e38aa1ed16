import { isPictureTooLarge, pictureSize } from "~/domain/library/formats/picture-size";
import type { UploadProblem } from "./model";

/**
 * Looks at the size of a picture before it is sent. A picture that says none here is left to the server.
 * @param mimeType as sniffMedia names it
 * @returns why it cannot be stored; null when it can
 */
export async function checkPicture(file: File, mimeType: string): Promise<UploadProblem | null> {
  // A drawing has no pixels of its own.
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
