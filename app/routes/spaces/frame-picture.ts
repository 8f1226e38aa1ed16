import type { CardImage } from "~/components/card";
import { atWidth, type PictureWidth, pictureSet } from "~/domain/library/media-address";

/**
 * The image of a space or an event for a PictureFrame; null if it has none.
 * @param sizes displayed widths, as in the attribute `sizes`
 */
export const framePicture = (
  url: string | null,
  widths: readonly PictureWidth[],
  sizes: string,
): CardImage | null =>
  url ? { src: atWidth(url, 320), srcSet: pictureSet(url, widths), sizes, width: 1600, height: 900 } : null;
