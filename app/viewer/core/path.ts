/** Ways through a space on foot: A* (Hart, Nilsson and Raphael, 1968) on a grid that is tested only where the search goes. */
import type { Vec3 } from "./contract";
import type { Triangles } from "./triangles";
import { type Body, standAt } from "./walker";

const CELL = 0.25;
/** About 300 m² of floor; beyond that the search costs more than a jump is worth. */
const MAX_CELLS = 5000;
/** A little more than 1: the search goes for the goal, and corners that it cuts too wide are straightened afterwards. */
const EAGERNESS = 1.3;
const NEIGHBOURS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const;

interface Cell {
  readonly i: number;
  readonly j: number;
  readonly feet: number;
  readonly cost: number;
  /** Cost and guess: what the heap sorts by. */
  readonly rank: number;
  readonly parent: Cell | null;
  closed: boolean;
}

/** The places around a start where someone can stand, each tested once. */
class Ground {
  private readonly known = new Map<string, number | null>();
  private readonly space: Triangles;
  private readonly body: Body;
  private readonly from: Vec3;

  constructor(space: Triangles, body: Body, from: Vec3) {
    this.space = space;
    this.body = body;
    this.from = from;
  }

  /** The floor of a cell for someone who comes from a floor at this height, or null. */
  at(i: number, j: number, feet: number): number | null {
    // Stairs lead over other rooms: a place is a column and a height.
    const key = `${i},${j},${Math.round(feet * 5)}`;
    let floor = this.known.get(key);
    if (floor === undefined) {
      floor = standAt(this.space, this.body, this.from[0] + i * CELL, feet, this.from[2] + j * CELL);
      this.known.set(key, floor);
    }
    return floor;
  }

  /** Whether someone can walk straight from one cell to another, over the cells on the line. */
  isClear(a: Cell, b: Cell): boolean {
    const steps = Math.ceil(Math.max(Math.abs(b.i - a.i), Math.abs(b.j - a.j)) * 1.5);
    let { feet } = a;
    for (let count = 1; count <= steps; count++) {
      const t = count / steps;
      const floor = this.at(Math.round(a.i + (b.i - a.i) * t), Math.round(a.j + (b.j - a.j) * t), feet);
      if (floor === null) return false;
      feet = floor;
    }
    return Math.abs(feet - b.feet) < 0.5;
  }
}

/**
 * A way on foot from one place of the eyes to another, both included, in straight pieces, or null when there is none or it is
 * too long to look for.
 * @param feet the floor's height at the start.
 */
export function findPath(space: Triangles, body: Body, from: Vec3, feet: number, to: Vec3): Vec3[] | null {
  // A little slimmer than the body: the grid's points need not be the middle of a door.
  const ground = new Ground(space, { ...body, radius: body.radius * 0.85 }, from);
  const goalI = Math.round((to[0] - from[0]) / CELL);
  const goalJ = Math.round((to[2] - from[2]) / CELL);
  const goalFeet = to[1] - body.eyeHeight;
  const rank = (i: number, j: number, cost: number) => cost + EAGERNESS * Math.hypot(goalI - i, goalJ - j);
  const key = (i: number, j: number, height: number) => `${i},${j},${Math.round(height)}`;
  const start: Cell = { i: 0, j: 0, feet, cost: 0, rank: 0, parent: null, closed: false };
  const open = new Heap();
  const best = new Map<string, Cell>([[key(0, 0, feet), start]]);
  open.push(start);
  let visited = 0;
  let goal: Cell | null = null;
  for (let cell = open.pop(); cell; cell = open.pop()) {
    if (cell.closed) continue;
    cell.closed = true;
    // The goal may be nearer to a wall than a cell's centre can be.
    if (Math.hypot(cell.i - goalI, cell.j - goalJ) <= 1 && Math.abs(cell.feet - goalFeet) < 1) {
      goal = cell;
      break;
    }
    if (++visited > MAX_CELLS) return null;
    for (const [di, dj] of NEIGHBOURS) {
      const [i, j] = [cell.i + di, cell.j + dj];
      const cost = cell.cost + Math.hypot(di, dj);
      const known = best.get(key(i, j, cell.feet));
      if (known && (known.closed || known.cost <= cost)) continue;
      const floor = ground.at(i, j, cell.feet);
      if (floor === null) continue;
      const reached: Cell = { i, j, feet: floor, cost, rank: rank(i, j, cost), parent: cell, closed: false };
      best.set(key(i, j, floor), reached);
      open.push(reached);
    }
  }
  if (!goal) return null;
  const cells: Cell[] = [];
  for (let cell: Cell | null = goal; cell; cell = cell.parent) cells.unshift(cell);
  const corners = straighten(ground, cells).map(
    (cell): Vec3 => [from[0] + cell.i * CELL, cell.feet + body.eyeHeight, from[2] + cell.j * CELL],
  );
  // The ends are where they are, not where the grid has them.
  return [from, ...corners.slice(1, -1), to];
}

/** Leaves out cells that one can walk past in a straight line. */
function straighten(ground: Ground, cells: readonly Cell[]): Cell[] {
  const first = cells[0];
  if (!first) return [];
  const result: Cell[] = [first];
  let from = first;
  let place = 0;
  while (place < cells.length - 1) {
    let next = place + 1;
    // The farthest clear cell; a few that are not clear, as in the frame of a door, do not end the search.
    for (let far = place + 2; far < cells.length; far++) {
      const cell = cells[far];
      if (!cell || !ground.isClear(from, cell)) {
        if (far > next + 8) break;
        continue;
      }
      next = far;
    }
    const cell = cells[next];
    if (!cell) break;
    result.push(cell);
    from = cell;
    place = next;
  }
  return result;
}

/** A binary heap of cells, the most promising first. */
class Heap {
  private readonly items: Cell[] = [];

  push(cell: Cell): void {
    const { items } = this;
    let place = items.push(cell) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = items[above];
      if (!parent || parent.rank <= cell.rank) break;
      items[place] = parent;
      place = above;
    }
    items[place] = cell;
  }

  pop(): Cell | undefined {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    if (!last || items.length === 0) return top;
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      const left = items[child];
      const right = items[child + 1];
      if (!left) break;
      let smaller = left;
      if (right && right.rank < left.rank) {
        smaller = right;
        child += 1;
      }
      if (smaller.rank >= last.rank) break;
      items[place] = smaller;
      place = child;
    }
    items[place] = last;
    return top;
  }
}
