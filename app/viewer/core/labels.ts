/**
 * Which pins show their label, which are a disc only, and which share a disc, so that nothing covers anything else. A greedy
 * placement in order of importance (Christensen, Marks and Shieber, An Empirical Study of Algorithms for Point-Feature Label
 * Placement, 1995, §4.1); what the last frame showed comes first and needs less room, so that nothing flickers.
 */
import type { Box, Size } from "./projection";

/** A pin that is on the screen. */
export interface LabelPin {
  readonly id: string;
  /** The centre of the disc in CSS pixels. */
  readonly x: number;
  readonly y: number;
  /** From the camera, in any unit: near pins come first. */
  readonly distance: number;
  /** The size of the label in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** 0 for most; more for pins that are open, pointed at or focused. They show their label whatever it covers, except that of one with more. */
  readonly emphasis: number;
}

/** Where a label is, seen from its disc. */
export type LabelSide = "right" | "left" | "below" | "above";

/** A disc on the screen. */
export interface LabelDisc {
  /** The pin that the disc belongs to: of several, the one that leads. */
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** Where its label is, or null for a disc without one. */
  readonly side: LabelSide | null;
  /** All pins that share this disc, the leader first; one for most. */
  readonly members: readonly string[];
  /** True where the label of what the visitor points at takes the place: the disc is not shown meanwhile. */
  readonly isCovered?: true;
}

/** Everything that is shown, the most important first. */
export type LabelLayout = readonly LabelDisc[];

/** The screen that a layout is for. */
export interface LabelOptions {
  readonly size: Size;
  /** A pin of the disc that the visitor opened to see all its members one below the other. */
  readonly expanded?: string | null;
  /** Pixels at the bottom that labels leave free. */
  readonly bottom?: number;
  /** What no label covers. */
  readonly keepFree?: readonly Box[];
}

/** A disc's target: no two are nearer than this (40 CSS pixels, DESIGN §7). */
export const TARGET = 40;
/** Discs that share a place part only when there is clearly room again. */
const PART = 50;
/** From the disc's centre to its label. */
export const LABEL_OFFSET = 22;
/** The disc that is seen inside of the target. */
const DISC_RADIUS = 17;
const GAP_SHOWN = 2;
const GAP_NEW = 10;
const EDGE = 4;
const SIDES: readonly LabelSide[] = ["right", "left", "below", "above"];
/** A disc with its rings is whole when its centre is this far from the edge. */
const WHOLE = 22;
/** On phones the sheet lies over the last 16 pixels. */
const WHOLE_BELOW = 38;

interface Group {
  readonly leader: LabelPin;
  readonly members: LabelPin[];
  x: number;
  y: number;
  side: LabelSide | null;
  isCovered?: true;
}

/** Wide enough that a label lies in few cells, in CSS pixels. */
const CELL = 80;
const AROUND = [-1, 0, 1] as const;

/** Boxes on the screen, to be asked quickly which of them touch another: of hundreds of pins only the few nearby matter. */
class BoxGrid {
  private readonly cells = new Map<number, { readonly box: Box; readonly owner: Group | null }[]>();

  add(box: Box, owner: Group | null = null): void {
    const entry = { box, owner };
    this.visit(box, 0, (key) => {
      const cell = this.cells.get(key);
      if (cell) cell.push(entry);
      else this.cells.set(key, [entry]);
    });
  }

  /** How many boxes of others are nearer than the gap. */
  count(box: Box, gap: number, except: Group | null = null): number {
    const met = new Set<unknown>();
    this.visit(box, gap, (key) => {
      for (const entry of this.cells.get(key) ?? [])
        if ((except === null || entry.owner !== except) && overlaps(box, entry.box, gap)) met.add(entry);
    });
    return met.size;
  }

  private visit({ left, top, right, bottom }: Box, gap: number, act: (key: number) => void): void {
    for (let x = Math.floor((left - gap) / CELL); x <= Math.floor((right + gap) / CELL); x++)
      for (let y = Math.floor((top - gap) / CELL); y <= Math.floor((bottom + gap) / CELL); y++)
        act(x * 4096 + y);
  }
}

const overlaps = (a: Box, b: Box, gap: number) =>
  a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap;

/** The box of a label beside a disc. */
export function labelBox(x: number, y: number, side: LabelSide, width: number, height: number): Box {
  if (side === "below" || side === "above") {
    const top = side === "below" ? y + LABEL_OFFSET : y - LABEL_OFFSET - height;
    return { left: x - width / 2, top, right: x + width / 2, bottom: top + height };
  }
  const left = side === "right" ? x + LABEL_OFFSET : x - LABEL_OFFSET - width;
  return { left, top: y - height / 2, right: left + width, bottom: y + height / 2 };
}

/**
 * Where the disc of a pin is drawn that is at a point of the screen: whole, and beside what it must not cover, by the shortest
 * way there is. Its stem still leads to the pin.
 */
export function placeDisc(
  point: { readonly x: number; readonly y: number },
  size: Size,
  keepFree: readonly Box[] = [],
): { x: number; y: number } {
  const whole = (x: number, y: number) => ({
    x: Math.min(Math.max(x, WHOLE), Math.max(WHOLE, size.width - WHOLE)),
    y: Math.min(Math.max(y, WHOLE), Math.max(WHOLE, size.height - WHOLE_BELOW)),
  });
  const half = TARGET / 2;
  const covered = ({ x, y }: { x: number; y: number }) =>
    keepFree.some((box) =>
      overlaps({ left: x - half, top: y - half, right: x + half, bottom: y + half }, box, 0),
    );
  const start = whole(point.x, point.y);
  if (!covered(start)) return start;
  // Every place that touches what must stay free, from one side or two.
  const xs = [start.x, ...keepFree.flatMap((box) => [box.left - half, box.right + half])];
  const ys = [start.y, ...keepFree.flatMap((box) => [box.top - half, box.bottom + half])];
  const ways = xs.flatMap((x) => ys.map((y) => whole(x, y))).filter((way) => !covered(way));
  const far = (way: { x: number; y: number }) => Math.hypot(way.x - start.x, way.y - start.y);
  return ways.reduce((best, way) => (far(way) < far(best) ? way : best), ways[0] ?? start);
}

/** The box of a disc. */
export const discBox = (x: number, y: number): Box => ({
  left: x - DISC_RADIUS,
  top: y - DISC_RADIUS,
  right: x + DISC_RADIUS,
  bottom: y + DISC_RADIUS,
});

/**
 * The layout of one frame.
 * @param pins those on the screen, in the list's order.
 * @param previous the layout of the last frame, or null.
 */
export function layoutLabels(
  pins: readonly LabelPin[],
  options: LabelOptions,
  previous: LabelLayout | null = null,
): LabelLayout {
  const led = new Map<string, string>();
  const sides = new Map<string, LabelSide>();
  for (const disc of previous ?? []) {
    for (const member of disc.members) led.set(member, disc.id);
    if (disc.side) sides.set(disc.id, disc.side);
  }
  const byImportance = pins
    .map((pin, order) => ({ pin, order }))
    .sort(
      (a, b) =>
        b.pin.emphasis - a.pin.emphasis ||
        Number(led.get(b.pin.id) === b.pin.id) - Number(led.get(a.pin.id) === a.pin.id) ||
        a.pin.distance - b.pin.distance ||
        a.order - b.order,
    )
    .map(({ pin }) => pin);

  const groups = gather(byImportance, led);
  const taken = new BoxGrid();
  for (const box of options.keepFree ?? []) taken.add(box);
  const opened = options.expanded
    ? groups.find(
        (group) => group.members.length > 1 && group.members.some(({ id }) => id === options.expanded),
      )
    : undefined;
  const column = opened ? expand(opened, pins, options) : [];
  /** What was asked for: whatever is behind it goes until it is not asked for any more. */
  const inFront = new BoxGrid();
  /** Discs of what was asked for and is seen: no label of less comes over them. */
  const asked = new BoxGrid();
  for (const { leader, x, y, side } of column) {
    const label = side && labelBox(x, y, side, leader.width, leader.height);
    for (const box of [discBox(x, y), ...(label ? [label] : [])]) {
      taken.add(box);
      inFront.add(box);
    }
  }

  const rest = groups.filter((group) => group !== opened);
  const discs = new BoxGrid();
  for (const group of rest) discs.add(discBox(group.x, group.y), group);
  const limit = options.size.height - (options.bottom ?? 0);
  const inOrder = [
    ...rest.filter(({ leader }) => leader.emphasis > 0),
    ...rest.filter(({ leader }) => leader.emphasis === 0 && sides.has(leader.id)),
    ...rest.filter(({ leader }) => leader.emphasis === 0 && !sides.has(leader.id)),
  ];
  for (const group of inOrder) {
    const { leader } = group;
    if (inFront.count(discBox(group.x, group.y), 0) > 0) {
      group.isCovered = true;
      continue;
    }
    const before = sides.get(leader.id);
    const emphasised = leader.emphasis > 0;
    if (emphasised) asked.add(discBox(group.x, group.y));
    // A disc for several pins has no name of its own until one of them is chosen.
    if (group.members.length > 1 && !emphasised) continue;
    let best: LabelSide | null = null;
    let bestBox: Box | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const side of before ? [before, ...SIDES.filter((other) => other !== before)] : SIDES) {
      const box = labelBox(group.x, group.y, side, leader.width, leader.height);
      const gap = side === before ? GAP_SHOWN : GAP_NEW;
      const edge = side === before ? 0 : EDGE;
      const { width, height } = options.size;
      const cut = box.left < edge || box.right > width - edge || box.top < edge || box.bottom > height - edge;
      const outside = cut || box.bottom > limit - edge;
      const conflicts =
        taken.count(box, gap) + discs.count(box, gap, group) + (cut ? 1000 : outside ? 100 : 0);
      if (conflicts < fewest) {
        best = side;
        bestBox = box;
        fewest = conflicts;
      }
      // What the visitor points at covers others if it must, but stays where it is.
      if (conflicts === 0 || (emphasised && side === before && !outside)) break;
    }
    if (!bestBox || (fewest > 0 && !emphasised)) continue;
    if (inFront.count(bestBox, 0) + asked.count(bestBox, 0) > 0) continue;
    group.side = best;
    taken.add(bestBox);
    if (emphasised) inFront.add(bestBox);
  }

  return [...column, ...rest].map((group) => ({
    id: group.leader.id,
    x: group.x,
    y: group.y,
    side: group.side,
    members: group.members.map(({ id }) => id),
    ...(group.isCovered && { isCovered: true as const }),
  }));
}

/** Puts pins that are too near to each other under one disc. @param led by pin, the leader of its disc in the last frame. */
function gather(pins: readonly LabelPin[], led: ReadonlyMap<string, string>): Group[] {
  const groups: Group[] = [];
  const before = new Map<string, Group>();
  const cells = new Map<number, Group[]>();
  const cell = (value: number) => Math.floor(value / TARGET);
  for (const pin of pins) {
    const away = (group: Group) => Math.hypot(group.x - pin.x, group.y - pin.y);
    // Whoever shared a disc goes on sharing it for as long as they are near, even if another disc has come nearer.
    const leader = led.get(pin.id);
    const together = leader === undefined ? undefined : before.get(leader);
    let nearest = together && away(together) < PART ? together : null;
    if (!nearest)
      for (const dx of AROUND)
        for (const dy of AROUND)
          for (const group of cells.get((cell(pin.x) + dx) * 4096 + cell(pin.y) + dy) ?? [])
            if (away(group) < TARGET && (!nearest || away(group) < away(nearest))) nearest = group;
    if (nearest) {
      nearest.members.push(pin);
      continue;
    }
    const group: Group = { leader: pin, members: [pin], x: pin.x, y: pin.y, side: null };
    groups.push(group);
    if (leader !== undefined && !before.has(leader)) before.set(leader, group);
    const key = cell(pin.x) * 4096 + cell(pin.y);
    cells.set(key, [...(cells.get(key) ?? []), group]);
  }
  return groups;
}

/** The members of a disc one below the other in the list's order, each with its label, inside of the screen. */
function expand(group: Group, pins: readonly LabelPin[], { size, bottom = 0 }: LabelOptions): Group[] {
  const inside = new Set(group.members.map(({ id }) => id));
  const members = pins.filter(({ id }) => inside.has(id));
  const widest = Math.max(...members.map(({ width }) => width));
  const side: LabelSide =
    group.x + LABEL_OFFSET + widest <= size.width - EDGE || group.x < size.width / 2 ? "right" : "left";
  const height = (members.length - 1) * TARGET;
  const half = TARGET / 2;
  const top = Math.max(
    half + EDGE,
    Math.min(group.y - height / 2, size.height - bottom - half - EDGE - height),
  );
  return members.map((leader, index) => ({
    leader,
    members: [leader],
    x: group.x,
    y: top + index * TARGET,
    side,
  }));
}
