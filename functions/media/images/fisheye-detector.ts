import type { LibraryItem } from "~/domain/library/library-item";
import { isDualFisheye } from "~/domain/spaces/fisheye";
import { type ImageConverter, isWithinConverterLimits } from "./image-converter";

/** Size of the reduced copy that is searched for circles, in pixels. */
const COPY_SIZE = { width: 128, height: 64 } as const;

/** Dependencies of the search for fisheye images. */
export interface FisheyeOptions {
  readonly tool: ImageConverter;
  /** Opens a file; null if it is missing. */
  readonly open: (key: string) => Promise<ReadableStream<Uint8Array> | null>;
  readonly onError: (fileKey: string, error: unknown) => void;
}

/**
 * Creates a function that returns whether a 2:1 image is an unstitched image of a 360° camera; false also if no reduced copy of it can be made.
 */
export const createFisheyeDetector =
  ({ tool, open, onError }: FisheyeOptions) =>
  async (
    item: Pick<LibraryItem, "fileKey" | "mimeType" | "byteSize" | "width" | "height" | "preparation">,
  ) => {
    const file = item.preparation?.display ?? item;
    const { fileKey, mimeType } = file;
    if (fileKey === null || !tool.canRead(mimeType) || !isWithinConverterLimits(file)) return false;
    try {
      const stream = await open(fileKey);
      if (!stream) return false;
      return isDualFisheye(await tool.readPixels(stream, COPY_SIZE), COPY_SIZE.width, COPY_SIZE.height);
    } catch (error) {
      onError(fileKey, error);
      return false;
    }
  };
