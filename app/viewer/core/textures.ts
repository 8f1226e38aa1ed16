/** Which pictures in a space are held by the graphics memory, and how large, so that a hundred of them fit into a phone. */

/** A picture that hangs somewhere, as far as its memory goes. */
export interface TextureNeed {
  readonly id: string;
  /** Pixels that its longer side takes on the screen; 0 for one that cannot be seen. */
  readonly across: number;
  /** Height by width. */
  readonly aspect: number;
  /** The longer side of what is held now, 0 for nothing. */
  readonly held: number;
}

/** The longer sides in which pictures are held, in pixels. */
const SIDES = [256, 640, 1280, 2048] as const;
/** What is smaller on the screen is a speck of one colour. */
const LEAST_ACROSS = 14;
/** What is held is given up only for what is clearly more in view. */
const KEEP = 1.4;

/** Pixels of all pictures together that a device holds. @param isSmall one with little memory. */
export const pictureBudget = (isSmall: boolean): number => (isSmall ? 6e6 : 24e6);

/** Pixels that a picture of this longer side has. */
export function picturePixels(side: number, aspect: number): number {
  return side * side * Math.min(aspect, 1 / aspect);
}

/**
 * The longer side that each picture is to be held in; those that are not named are let go. Never more than the budget together.
 * @param budget pixels.
 * @param largest the longest side that the device can hold.
 */
export function chooseTextures(
  needs: readonly TextureNeed[],
  budget: number,
  largest: number,
): ReadonlyMap<string, number> {
  const weight = ({ across, held }: TextureNeed) => across * (held > 0 ? KEEP : 1);
  const inView = needs.filter(({ across }) => across >= LEAST_ACROSS).sort((a, b) => weight(b) - weight(a));
  const sides = SIDES.filter((side) => side <= largest);
  const [smallest = largest] = sides;
  const chosen = new Map<string, number>();
  let left = budget;
  // Everything in view is to be seen before anything is to be seen sharply.
  for (const { id, aspect } of inView) {
    const pixels = picturePixels(smallest, aspect);
    if (pixels > left) break;
    left -= pixels;
    chosen.set(id, smallest);
  }
  for (const { id, across, aspect, held } of inView) {
    if (!chosen.has(id)) continue;
    const enough = sides.find((side) => side >= across) ?? sides.at(-1) ?? smallest;
    const wanted = Math.max(enough, sides.includes(held as never) ? held : 0);
    for (const side of [wanted, ...sides.filter((other) => other < wanted).reverse()]) {
      const more = picturePixels(side, aspect) - picturePixels(smallest, aspect);
      if (more > left) continue;
      left -= more;
      chosen.set(id, side);
      break;
    }
  }
  return chosen;
}
