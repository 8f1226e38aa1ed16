/** Chooses which images in a space are in graphics memory, and in which size, so that a hundred of them fit into a phone. */

/** The texture memory needs of one placed image. */
export interface TextureNeed {
  readonly id: string;
  /** Pixels of its longer side on the screen. 0 when it is invisible. */
  readonly screenPixels: number;
  /** Height divided by width. */
  readonly aspect: number;
  /** Longer side of the current texture in pixels, 0 for none. */
  readonly loadedSide: number;
}

/** Available lengths of the longer side, in pixels. */
const SIDES = [256, 640, 1280, 2048] as const;
/** Minimum size on the screen in pixels. Smaller images are specks of one colour. */
const SCREEN_PIXELS_MIN = 14;
/** Factor by which the priority of a loaded image is raised, so that only a clearly more visible image replaces it. */
const LOADED_PRIORITY_FACTOR = 1.4;

/**
 * Returns the total number of pixels of all images that a device can store.
 * @param isSmall whether the device has little memory
 */
export const imagePixelBudget = (isSmall: boolean): number => (isSmall ? 6e6 : 24e6);

/** Returns the number of pixels of an image with this longer side. */
export function countImagePixels(side: number, aspect: number): number {
  return side * side * Math.min(aspect, 1 / aspect);
}

/**
 * Chooses the longer side of each image's texture. Images that are absent from the result are unloaded. The sum never exceeds the
 * budget.
 * @param budget pixels
 * @param largest maximum side that the device can store
 */
export function chooseTextureSides(
  needs: readonly TextureNeed[],
  budget: number,
  largest: number,
): ReadonlyMap<string, number> {
  const weight = ({ screenPixels, loadedSide }: TextureNeed) =>
    screenPixels * (loadedSide > 0 ? LOADED_PRIORITY_FACTOR : 1);
  const visibleNeeds = needs
    .filter(({ screenPixels }) => screenPixels >= SCREEN_PIXELS_MIN)
    .sort((a, b) => weight(b) - weight(a));
  const sides = SIDES.filter((side) => side <= largest);
  const [smallest = largest] = sides;
  const chosen = new Map<string, number>();
  let pixelsLeft = budget;
  // Everything in view is loaded before any image is loaded sharply.
  for (const { id, aspect } of visibleNeeds) {
    const pixels = countImagePixels(smallest, aspect);
    if (pixels > pixelsLeft) break;
    pixelsLeft -= pixels;
    chosen.set(id, smallest);
  }
  for (const { id, screenPixels, aspect, loadedSide } of visibleNeeds) {
    if (!chosen.has(id)) continue;
    const sufficientSide = sides.find((side) => side >= screenPixels) ?? sides.at(-1) ?? smallest;
    const preferredSide = Math.max(sufficientSide, sides.includes(loadedSide as never) ? loadedSide : 0);
    for (const side of [preferredSide, ...sides.filter((other) => other < preferredSide).reverse()]) {
      const extraPixels = countImagePixels(side, aspect) - countImagePixels(smallest, aspect);
      if (extraPixels > pixelsLeft) continue;
      pixelsLeft -= extraPixels;
      chosen.set(id, side);
      break;
    }
  }
  return chosen;
}
