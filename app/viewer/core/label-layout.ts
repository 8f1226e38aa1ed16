/**
 * Decides which pins show their label, which show only a disc, and which share a disc, so that nothing overlaps. A greedy
 * placement in order of importance (Christensen, Marks and Shieber, An Empirical Study of Algorithms for Point-Feature Label
 * Placement, 1995, §4.1). Labels of the previous frame come first and need a smaller gap, so that nothing flickers.
 */
import type { Box, Size } from "./projection";

/** A pin that is on the screen. */
export interface LabelPin {
  readonly id: string;
  /** The centre of the disc in CSS pixels. */
  readonly x: number;
  readonly y: number;
  /** Distance from the camera in any unit. Near pins come first. */
  readonly distance: number;
  /** The size of the label in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * 0 for most pins, higher for pins that are open, hovered or focused. An emphasised pin shows its label even over others,
   * except over that of a more important emphasised pin.
   */
  readonly emphasis: number;
}

/** Position of a label relative to its disc. */
export type LabelSide = "right" | "left" | "below" | "above";

/** A disc on the screen. */
export interface LabelDisc {
  /** Id of the pin to which the disc belongs. When several pins share it, this is their leader. */
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** Position of the label, or null for a disc without a label. */
  readonly side: LabelSide | null;
  /** Ids of all pins that share this disc, with the leader first. */
  readonly members: readonly string[];
  /** True when the label of an emphasised pin or an opened column of discs is in this place. The disc is then hidden. */
  readonly isCovered?: true;
}

/** All discs, with the most important first. */
export type LabelLayout = readonly LabelDisc[];

/** The screen for which a layout is computed. */
export interface LabelOptions {
  readonly size: Size;
  /** Id of a pin whose shared disc the visitor opened. Its members are shown in a column. */
  readonly expandedId?: string | null;
  /** Height of the area at the bottom that labels avoid, in CSS pixels. */
  readonly bottom?: number;
  /** Boxes that labels avoid. */
  readonly reservedBoxes?: readonly Box[];
}

/** Minimum distance of two discs, which is the size of their clickable areas, in CSS pixels. */
export const DISC_DISTANCE_MIN = 40;
/** Distance at which pins that share a disc get discs of their own again, in CSS pixels. */
const SEPARATION_DISTANCE = 50;
/** Distance from the disc's centre to its label, in CSS pixels. */
export const LABEL_OFFSET = 22;
/** Radius of the visible disc, which is smaller than its clickable area, in CSS pixels. */
const DISC_RADIUS = 17;
/** Minimum gap around a label that keeps its side of the previous frame, in CSS pixels. */
const GAP_SAME_SIDE = 2;
/** Minimum gap around other labels, in CSS pixels. */
const GAP_OTHER = 10;
/** Minimum gap between other labels and the screen's edge, in CSS pixels. */
const EDGE_GAP = 4;
const SIDES: readonly LabelSide[] = ["right", "left", "below", "above"];
/** Minimum distance from the canvas's edge to the disc's centre, so that the disc and its rings are completely visible, in CSS pixels. */
const DISC_MARGIN = 22;
/** The same distance from the lower edge. On phones, the page's panel covers the last 16 pixels. */
const DISC_MARGIN_BOTTOM = 38;

interface Group {
  readonly leader: LabelPin;
  readonly members: LabelPin[];
  x: number;
  y: number;
  side: LabelSide | null;
  isCovered?: true;
}

/** Cell size in CSS pixels: large enough that a label is in few cells. */
const CELL_SIZE = 80;
const NEIGHBOUR_OFFSETS = [-1, 0, 1] as const;

/** Factor of the column in the key of a cell. No screen has more rows, so each cell has its own key. */
const ROWS_MAX = 4096;

/** An index of boxes on the screen. With hundreds of pins, only the few nearby boxes are tested for an overlap. */
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

  /** Counts the boxes of other groups that are nearer than the gap. */
  count(box: Box, gap: number, except: Group | null = null): number {
    const overlapping = new Set<unknown>();
    this.visit(box, gap, (key) => {
      for (const entry of this.cells.get(key) ?? [])
        if ((except === null || entry.owner !== except) && overlaps(box, entry.box, gap))
          overlapping.add(entry);
    });
    return overlapping.size;
  }

  private visit({ left, top, right, bottom }: Box, gap: number, visitCell: (key: number) => void): void {
    for (let x = Math.floor((left - gap) / CELL_SIZE); x <= Math.floor((right + gap) / CELL_SIZE); x++)
      for (let y = Math.floor((top - gap) / CELL_SIZE); y <= Math.floor((bottom + gap) / CELL_SIZE); y++)
        visitCell(x * ROWS_MAX + y);
  }
}

const overlaps = (a: Box, b: Box, gap: number) =>
  a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap;

/** Returns the box of a label beside a disc. */
export function labelBox(x: number, y: number, side: LabelSide, width: number, height: number): Box {
  if (side === "below" || side === "above") {
    const top = side === "below" ? y + LABEL_OFFSET : y - LABEL_OFFSET - height;
    return { left: x - width / 2, top, right: x + width / 2, bottom: top + height };
  }
  const left = side === "right" ? x + LABEL_OFFSET : x - LABEL_OFFSET - width;
  return { left, top: y - height / 2, right: left + width, bottom: y + height / 2 };
}

/**
 * Returns the position of the disc of a pin at a point of the screen. The disc is completely visible and, where possible, outside of reserved
 * boxes, with the smallest possible shift. Its stem, a line, still leads to the pin.
 */
export function placeDisc(
  point: { readonly x: number; readonly y: number },
  size: Size,
  reservedBoxes: readonly Box[] = [],
): { x: number; y: number } {
  const clampToScreen = (x: number, y: number) => ({
    x: Math.min(Math.max(x, DISC_MARGIN), Math.max(DISC_MARGIN, size.width - DISC_MARGIN)),
    y: Math.min(Math.max(y, DISC_MARGIN), Math.max(DISC_MARGIN, size.height - DISC_MARGIN_BOTTOM)),
  });
  const half = DISC_DISTANCE_MIN / 2;
  const isCovered = ({ x, y }: { x: number; y: number }) =>
    reservedBoxes.some((box) =>
      overlaps({ left: x - half, top: y - half, right: x + half, bottom: y + half }, box, 0),
    );
  const start = clampToScreen(point.x, point.y);
  if (!isCovered(start)) return start;
  // Candidates: all positions that touch one or two edges of reserved boxes.
  const xs = [start.x, ...reservedBoxes.flatMap((box) => [box.left - half, box.right + half])];
  const ys = [start.y, ...reservedBoxes.flatMap((box) => [box.top - half, box.bottom + half])];
  const candidates = xs
    .flatMap((x) => ys.map((y) => clampToScreen(x, y)))
    .filter((candidate) => !isCovered(candidate));
  const shift = (candidate: { x: number; y: number }) =>
    Math.hypot(candidate.x - start.x, candidate.y - start.y);
  return candidates.reduce(
    (best, candidate) => (shift(candidate) < shift(best) ? candidate : best),
    candidates[0] ?? start,
  );
}

/** Returns boxes of the page relative to the stage. Hidden elements, whose boxes are empty, are left out. */
export const boxesOnStage = (boxes: readonly Box[], stage: Box): Box[] =>
  boxes
    .filter(({ left, right }) => right > left)
    .map(({ left, top, right, bottom }) => ({
      left: left - stage.left,
      top: top - stage.top,
      right: right - stage.left,
      bottom: bottom - stage.top,
    }));

/** Returns the box of a disc. */
export const discBox = (x: number, y: number): Box => ({
  left: x - DISC_RADIUS,
  top: y - DISC_RADIUS,
  right: x + DISC_RADIUS,
  bottom: y + DISC_RADIUS,
});

/**
 * Computes the layout of one frame.
 * @param pins pins on the screen, in the list's order
 * @param previous layout of the previous frame, or null
 */
export function layoutLabels(
  pins: readonly LabelPin[],
  options: LabelOptions,
  previous: LabelLayout | null = null,
): LabelLayout {
  const leaderIds = new Map<string, string>();
  const sides = new Map<string, LabelSide>();
  for (const disc of previous ?? []) {
    for (const member of disc.members) leaderIds.set(member, disc.id);
    if (disc.side) sides.set(disc.id, disc.side);
  }
  const byImportance = pins
    .map((pin, order) => ({ pin, order }))
    .sort(
      (a, b) =>
        b.pin.emphasis - a.pin.emphasis ||
        Number(leaderIds.get(b.pin.id) === b.pin.id) - Number(leaderIds.get(a.pin.id) === a.pin.id) ||
        a.pin.distance - b.pin.distance ||
        a.order - b.order,
    )
    .map(({ pin }) => pin);

  const groups = groupPins(byImportance, leaderIds);
  const occupied = new BoxGrid();
  const reserved = new BoxGrid();
  for (const box of options.reservedBoxes ?? []) {
    occupied.add(box);
    reserved.add(box);
  }
  const expandedGroup = options.expandedId
    ? groups.find(
        (group) => group.members.length > 1 && group.members.some(({ id }) => id === options.expandedId),
      )
    : undefined;
  const column = expandedGroup ? expandGroup(expandedGroup, pins, options) : [];
  /** Boxes of the column, and of emphasised labels. Discs behind them are hidden. */
  const emphasizedBoxes = new BoxGrid();
  /** Visible discs of emphasised pins. No label of a less emphasised pin covers them. */
  const emphasizedDiscs = new BoxGrid();
  for (const { leader, x, y, side } of column) {
    const label = side && labelBox(x, y, side, leader.width, leader.height);
    for (const box of [discBox(x, y), ...(label ? [label] : [])]) {
      occupied.add(box);
      emphasizedBoxes.add(box);
    }
  }

  const otherGroups = groups.filter((group) => group !== expandedGroup);
  const discs = new BoxGrid();
  for (const group of otherGroups) discs.add(discBox(group.x, group.y), group);
  const bottomLimit = options.size.height - (options.bottom ?? 0);
  const orderedGroups = [
    ...otherGroups.filter(({ leader }) => leader.emphasis > 0),
    ...otherGroups.filter(({ leader }) => leader.emphasis === 0 && sides.has(leader.id)),
    ...otherGroups.filter(({ leader }) => leader.emphasis === 0 && !sides.has(leader.id)),
  ];
  for (const group of orderedGroups) {
    const { leader } = group;
    if (emphasizedBoxes.count(discBox(group.x, group.y), 0) > 0) {
      group.isCovered = true;
      continue;
    }
    const previousSide = sides.get(leader.id);
    const isEmphasized = leader.emphasis > 0;
    if (isEmphasized) emphasizedDiscs.add(discBox(group.x, group.y));
    // A disc of several pins shows no label until one of them is emphasised.
    if (group.members.length > 1 && !isEmphasized) continue;
    let best: LabelSide | null = null;
    let bestBox: Box | null = null;
    let fewestConflicts = Number.POSITIVE_INFINITY;
    for (const side of previousSide
      ? [previousSide, ...SIDES.filter((other) => other !== previousSide)]
      : SIDES) {
      const box = labelBox(group.x, group.y, side, leader.width, leader.height);
      const gap = side === previousSide ? GAP_SAME_SIDE : GAP_OTHER;
      const edge = side === previousSide ? 0 : EDGE_GAP;
      const { width, height } = options.size;
      const isCut =
        box.left < edge || box.right > width - edge || box.top < edge || box.bottom > height - edge;
      const isOutside = isCut || box.bottom > bottomLimit - edge || reserved.count(box, 0) > 0;
      const conflicts =
        occupied.count(box, gap) + discs.count(box, gap, group) + (isCut ? 1000 : isOutside ? 100 : 0);
      if (conflicts < fewestConflicts) {
        best = side;
        bestBox = box;
        fewestConflicts = conflicts;
      }
      // The label of an emphasised pin may cover others, and keeps its side.
      if (conflicts === 0 || (isEmphasized && side === previousSide && !isOutside)) break;
    }
    if (!bestBox || (fewestConflicts > 0 && !isEmphasized)) continue;
    if (emphasizedBoxes.count(bestBox, 0) + emphasizedDiscs.count(bestBox, 0) > 0) continue;
    group.side = best;
    occupied.add(bestBox);
    if (isEmphasized) emphasizedBoxes.add(bestBox);
  }

  return [...column, ...otherGroups].map((group) => ({
    id: group.leader.id,
    x: group.x,
    y: group.y,
    side: group.side,
    members: group.members.map(({ id }) => id),
    ...(group.isCovered && { isCovered: true as const }),
  }));
}

/**
 * Puts pins that are too near to each other under one disc.
 * @param leaderIds for each pin, the leader of its disc in the previous frame
 */
function groupPins(pins: readonly LabelPin[], leaderIds: ReadonlyMap<string, string>): Group[] {
  const groups: Group[] = [];
  const groupsByPreviousLeader = new Map<string, Group>();
  const cells = new Map<number, Group[]>();
  const cell = (value: number) => Math.floor(value / DISC_DISTANCE_MIN);
  for (const pin of pins) {
    const distanceTo = (group: Group) => Math.hypot(group.x - pin.x, group.y - pin.y);
    // Pins that shared a disc continue to share it while they are near, even if another disc is now nearer.
    const leader = leaderIds.get(pin.id);
    const previousGroup = leader === undefined ? undefined : groupsByPreviousLeader.get(leader);
    let nearest = previousGroup && distanceTo(previousGroup) < SEPARATION_DISTANCE ? previousGroup : null;
    if (!nearest)
      for (const dx of NEIGHBOUR_OFFSETS)
        for (const dy of NEIGHBOUR_OFFSETS)
          for (const group of cells.get((cell(pin.x) + dx) * ROWS_MAX + cell(pin.y) + dy) ?? [])
            if (
              distanceTo(group) < DISC_DISTANCE_MIN &&
              (!nearest || distanceTo(group) < distanceTo(nearest))
            )
              nearest = group;
    if (nearest) {
      nearest.members.push(pin);
      continue;
    }
    const group: Group = { leader: pin, members: [pin], x: pin.x, y: pin.y, side: null };
    groups.push(group);
    if (leader !== undefined && !groupsByPreviousLeader.has(leader))
      groupsByPreviousLeader.set(leader, group);
    const key = cell(pin.x) * ROWS_MAX + cell(pin.y);
    cells.set(key, [...(cells.get(key) ?? []), group]);
  }
  return groups;
}

/** Returns the members of a disc in a column in the list's order, each with its label, inside of the screen. */
function expandGroup(group: Group, pins: readonly LabelPin[], { size, bottom = 0 }: LabelOptions): Group[] {
  const memberIds = new Set(group.members.map(({ id }) => id));
  const members = pins.filter(({ id }) => memberIds.has(id));
  const widest = Math.max(...members.map(({ width }) => width));
  const side: LabelSide =
    group.x + LABEL_OFFSET + widest <= size.width - EDGE_GAP || group.x < size.width / 2 ? "right" : "left";
  const height = (members.length - 1) * DISC_DISTANCE_MIN;
  const half = DISC_DISTANCE_MIN / 2;
  const top = Math.max(
    half + EDGE_GAP,
    Math.min(group.y - height / 2, size.height - bottom - half - EDGE_GAP - height),
  );
  return members.map((leader, index) => ({
    leader,
    members: [leader],
    x: group.x,
    y: top + index * DISC_DISTANCE_MIN,
    side,
  }));
}
