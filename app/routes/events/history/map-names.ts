/** Names beside the points of a picture from above: as many as there is room for. */

/** A point, with what is to stand beside it. */
export interface NamedPoint {
  readonly x: number;
  readonly y: number;
  /** Stands there whatever it covers; empty for none. */
  readonly number: string;
  readonly name: string;
}

/** What stands beside a point: `side` 1 at the right, −1 at the left. */
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

/** From a point to its name, and a line's height, in the picture's units; letters are 12 high. */
export const NAME_AWAY = 12;
const LINE = 16;
const LONGEST = 150;
const POINT = 9;

const widthOf = (text: string) =>
  [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) > 0x2e7f ? 12 : 7), 0);

/** As much of a name as is read at a glance. */
function short(text: string): string {
  if (widthOf(text) <= LONGEST) return text;
  let cut = "";
  for (const letter of text) {
    if (widthOf(`${cut}${letter}…`) > LONGEST) break;
    cut += letter;
  }
  return `${cut.trimEnd()}…`;
}

/** Puts names beside points, the first ones first, so that none covers another, a point or the edge. Null for a point without one. */
export function placeNames(points: readonly NamedPoint[], width: number): readonly (PlacedName | null)[] {
  const taken: Box[] = points.map(({ x, y }) => ({
    left: x - POINT,
    right: x + POINT,
    top: y - POINT,
    bottom: y + POINT,
  }));
  const boxOf = ({ x, y }: NamedPoint, { side, text }: PlacedName): Box => {
    const [near, far] = [x + side * NAME_AWAY, x + side * (NAME_AWAY + widthOf(text))];
    return { left: Math.min(near, far), right: Math.max(near, far), top: y - LINE / 2, bottom: y + LINE / 2 };
  };
  const isFree = (box: Box) =>
    box.left >= 4 &&
    box.right <= width - 4 &&
    taken.every(
      (other) =>
        box.right <= other.left ||
        other.right <= box.left ||
        box.bottom <= other.top ||
        other.bottom <= box.top,
    );
  return points.map((point) => {
    const { number, name } = point;
    const whole = [number, short(name)].filter(Boolean).join(" ");
    const ways = [whole, number]
      .filter(Boolean)
      .flatMap((text) => [{ side: 1, text } as const, { side: -1, text } as const]);
    const free = ways.find((way) => isFree(boxOf(point, way)));
    const placed = free ?? (number ? ({ side: point.x > width / 2 ? -1 : 1, text: number } as const) : null);
    if (placed) taken.push(boxOf(point, placed));
    return placed;
  });
}

/** Metres between two lines of a grid: a round number that is at least so many units long. @param scale units a metre */
export function gridStep(scale: number, least = 36): number {
  const rough = least / scale;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((each) => each * power >= rough) ?? 10) * power;
}
