/** Places as many names as fit beside the points of a drawing from above. */

/** A point and its label. */
export interface NamedPoint {
  readonly x: number;
  readonly y: number;
  /** Always displayed, even over other labels; empty for none. */
  readonly number: string;
  readonly name: string;
}

/** Label beside a point: `side` is 1 at the right and −1 at the left. */
export interface PlacedName {
  readonly side: 1 | -1;
  readonly text: string;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Distance from a point to its name, and height of a line, in the drawing's units; letters are 12 high. */
export const NAME_OFFSET = 12;
const LINE_HEIGHT = 16;
const NAME_WIDTH_MAX = 150;
const POINT_RADIUS = 9;

/** Estimates the width of a text: 12 units for an East Asian character (from U+2E80), 7 for others. */
const estimateWidth = (text: string) =>
  [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) > 0x2e7f ? 12 : 7), 0);

/** Shortens a name to the maximal width of a label. */
function shorten(text: string): string {
  if (estimateWidth(text) <= NAME_WIDTH_MAX) return text;
  let shortened = "";
  for (const letter of text) {
    if (estimateWidth(`${shortened}${letter}…`) > NAME_WIDTH_MAX) break;
    shortened += letter;
  }
  return `${shortened.trimEnd()}…`;
}

/**
 * Places names beside points, in the order of the points, so that no name covers another name, a point or the edge. A label that does not
 * fit is reduced to its number, or to null if it has none.
 */
export function placeNames(points: readonly NamedPoint[], width: number): readonly (PlacedName | null)[] {
  const occupiedBoxes: Box[] = points.map(({ x, y }) => ({
    left: x - POINT_RADIUS,
    right: x + POINT_RADIUS,
    top: y - POINT_RADIUS,
    bottom: y + POINT_RADIUS,
  }));
  const getBox = ({ x, y }: NamedPoint, { side, text }: PlacedName): Box => {
    const [near, far] = [x + side * NAME_OFFSET, x + side * (NAME_OFFSET + estimateWidth(text))];
    return {
      left: Math.min(near, far),
      right: Math.max(near, far),
      top: y - LINE_HEIGHT / 2,
      bottom: y + LINE_HEIGHT / 2,
    };
  };
  const fits = (box: Box) =>
    box.left >= 4 &&
    box.right <= width - 4 &&
    occupiedBoxes.every(
      (occupiedBox) =>
        box.right <= occupiedBox.left ||
        occupiedBox.right <= box.left ||
        box.bottom <= occupiedBox.top ||
        occupiedBox.bottom <= box.top,
    );
  return points.map((point) => {
    const { number, name } = point;
    const fullText = [number, shorten(name)].filter(Boolean).join(" ");
    const candidates = [fullText, number]
      .filter(Boolean)
      .flatMap((text) => [{ side: 1, text } as const, { side: -1, text } as const]);
    const firstFit = candidates.find((candidate) => fits(getBox(point, candidate)));
    const placedName =
      firstFit ?? (number ? ({ side: point.x > width / 2 ? -1 : 1, text: number } as const) : null);
    if (placedName) occupiedBoxes.push(getBox(point, placedName));
    return placedName;
  });
}

/** Smallest distance between two lines of a grid, in units of the drawing. */
const GRID_MIN = 36;

/**
 * Distance between two lines of a grid in metres: a round number that is at least GRID_MIN units of the drawing.
 * @param scale units per metre
 */
export function gridStep(scale: number): number {
  const minimumMetres = GRID_MIN / scale;
  const power = 10 ** Math.floor(Math.log10(minimumMetres));
  return ([1, 2, 5].find((factor) => factor * power >= minimumMetres) ?? 10) * power;
}
