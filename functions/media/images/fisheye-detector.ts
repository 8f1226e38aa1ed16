import type { LibraryItem } from "~/domain/library/library-item";
import { isDualFisheye } from "~/domain/spaces/fisheye";
import { type ImageConverter, isWithinConverterLimits } from "./image-converter";

/** Pixels of the small copy in which circles are looked for. */
const COPY = { width: 128, height: 64 } as const;

/** Surroundings of the search for fisheye pictures. */
export interface FisheyeOptions {
  readonly tool: ImageConverter;
  /** The file's bytes; null when they are gone. */
  readonly open: (key: string) => Promise<ReadableStream<Uint8Array> | null>;
  readonly onError: (fileKey: string, error: unknown) => void;
}

/**
 * Whether a picture of 2:1 is an unstitched picture of a 360° camera.
 * @returns false as well where no small copy of it can be made
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
      return isDualFisheye(await tool.readPixels(stream, COPY), COPY.width, COPY.height);
    } catch (error) {
      onError(fileKey, error);
      return false;
    }
  };
