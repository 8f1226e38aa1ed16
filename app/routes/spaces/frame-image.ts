import type { CardImage } from "~/components/card";
import { atWidth, type ImageWidth, imageSet } from "~/domain/library/media-url";

/**
 * The image of a space or an event for a card; null if it has none.
 * @param widths widths of the image that the browser can choose from, in pixels
 * @param sizes displayed widths, as in the attribute `sizes`
 */
export const frameImage = (
  url: string | null,
  widths: readonly ImageWidth[],
  sizes: string,
): CardImage | null =>
  url ? { src: atWidth(url, 320), srcSet: imageSet(url, widths), sizes, width: 1600, height: 900 } : null;
