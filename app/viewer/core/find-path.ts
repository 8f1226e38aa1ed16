/** Routes through a space on foot: A* (Hart, Nilsson and Raphael, 1968) on a grid whose cells are tested only when the search reaches them. */
import type { Vec3 } from "./contract";
import type { Triangles } from "./triangles";
import { type Body, findStandingFloor } from "./walker";

/** Width of a grid cell, in metres. */
const CELL_SIZE = 0.25;
/** Maximum number of visited cells, about 300 m² of floor. A longer search costs more than it is worth. */
const CELLS_MAX = 5000;
/** Weight of the heuristic, a little more than 1: the search prefers the target's direction, and detours are straightened afterwards. */
const HEURISTIC_WEIGHT = 1.3;
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
  /** Length of the way from the start, in cell widths. */
  readonly cost: number;
  /** Cost plus estimated remaining cost, by which the heap sorts. */
  readonly rank: number;
  readonly parent: Cell | null;
  isClosed: boolean;
}

/** The cells around a start with the floors on which a visitor can stand. Each cell is tested once for each height. */
class FloorGrid {
  private readonly floors = new Map<string, number | null>();
  private readonly space: Triangles;
  private readonly body: Body;
  private readonly from: Vec3;

  constructor(space: Triangles, body: Body, from: Vec3) {
    this.space = space;
    this.body = body;
    this.from = from;
  }

  /** Returns the floor's height in a cell for a visitor who comes from a floor at this height, or null. */
  floorAt(i: number, j: number, feet: number): number | null {
    // Stairs lead over other rooms, so the key contains the column and the height, in steps of 20 cm.
    const key = `${i},${j},${Math.round(feet * 5)}`;
    let floor = this.floors.get(key);
    if (floor === undefined) {
      floor = findStandingFloor(
        this.space,
        this.body,
        this.from[0] + i * CELL_SIZE,
        feet,
        this.from[2] + j * CELL_SIZE,
      );
      this.floors.set(key, floor);
    }
    return floor;
  }

  /** Whether a visitor can walk straight from one cell to another, over the cells on the line. */
  isClear(a: Cell, b: Cell): boolean {
    const steps = Math.ceil(Math.max(Math.abs(b.i - a.i), Math.abs(b.j - a.j)) * 1.5);
    let { feet } = a;
    for (let count = 1; count <= steps; count++) {
      const t = count / steps;
      const floor = this.floorAt(Math.round(a.i + (b.i - a.i) * t), Math.round(a.j + (b.j - a.j) * t), feet);
      if (floor === null) return false;
      feet = floor;
    }
    return Math.abs(feet - b.feet) < 0.5;
  }
}

/**
 * Finds a route on foot between two positions of the eyes, in straight pieces with both ends included. Returns null when there is
 * no route or the search is too long.
 * @param feet height of the floor at the start
 */
export function findPath(space: Triangles, body: Body, from: Vec3, feet: number, to: Vec3): Vec3[] | null {
  // The body is a little slimmer here, because the grid's points are not always in the middle of a door.
  const floorGrid = new FloorGrid(space, { ...body, radius: body.radius * 0.85 }, from);
  const goalI = Math.round((to[0] - from[0]) / CELL_SIZE);
  const goalJ = Math.round((to[2] - from[2]) / CELL_SIZE);
  const goalFeet = to[1] - body.eyeHeight;
  const rank = (i: number, j: number, cost: number) =>
    cost + HEURISTIC_WEIGHT * Math.hypot(goalI - i, goalJ - j);
  const key = (i: number, j: number, height: number) => `${i},${j},${Math.round(height)}`;
  const start: Cell = { i: 0, j: 0, feet, cost: 0, rank: 0, parent: null, isClosed: false };
  const open = new Heap();
  const cellsByKey = new Map<string, Cell>([[key(0, 0, feet), start]]);
  open.push(start);
  let visited = 0;
  let goal: Cell | null = null;
  for (let cell = open.pop(); cell; cell = open.pop()) {
    if (cell.isClosed) continue;
    cell.isClosed = true;
    // The target may be nearer to a wall than a cell's centre can be.
    if (Math.hypot(cell.i - goalI, cell.j - goalJ) <= 1 && Math.abs(cell.feet - goalFeet) < 1) {
      goal = cell;
      break;
    }
    if (++visited > CELLS_MAX) return null;
    for (const [di, dj] of NEIGHBOURS) {
      const [i, j] = [cell.i + di, cell.j + dj];
      const cost = cell.cost + Math.hypot(di, dj);
      const knownCell = cellsByKey.get(key(i, j, cell.feet));
      if (knownCell && (knownCell.isClosed || knownCell.cost <= cost)) continue;
      const floor = floorGrid.floorAt(i, j, cell.feet);
      if (floor === null) continue;
      const reached: Cell = {
        i,
        j,
        feet: floor,
        cost,
        rank: rank(i, j, cost),
        parent: cell,
        isClosed: false,
      };
      cellsByKey.set(key(i, j, floor), reached);
      open.push(reached);
    }
  }
  if (!goal) return null;
  const cells: Cell[] = [];
  for (let cell: Cell | null = goal; cell; cell = cell.parent) cells.unshift(cell);
  const corners = removeSkippableCells(floorGrid, cells).map(
    (cell): Vec3 => [from[0] + cell.i * CELL_SIZE, cell.feet + body.eyeHeight, from[2] + cell.j * CELL_SIZE],
  );
  // The first and last points are exact, not on the grid.
  return [from, ...corners.slice(1, -1), to];
}

/** Removes cells that a straight line can skip. */
function removeSkippableCells(floorGrid: FloorGrid, cells: readonly Cell[]): Cell[] {
  const first = cells[0];
  if (!first) return [];
  const result: Cell[] = [first];
  let from = first;
  let index = 0;
  while (index < cells.length - 1) {
    let nextIndex = index + 1;
    // Finds the farthest cell that can be reached in a straight line. A few unreachable cells, such as those beside a door frame, do not end the
    // search.
    for (let candidateIndex = index + 2; candidateIndex < cells.length; candidateIndex++) {
      const cell = cells[candidateIndex];
      if (!cell || !floorGrid.isClear(from, cell)) {
        if (candidateIndex > nextIndex + 8) break;
        continue;
      }
      nextIndex = candidateIndex;
    }
    const cell = cells[nextIndex];
    if (!cell) break;
    result.push(cell);
    from = cell;
    index = nextIndex;
  }
  return result;
}

/** A binary heap of cells, with the lowest rank first. */
class Heap {
  private readonly items: Cell[] = [];

  push(cell: Cell): void {
    const { items } = this;
    let index = items.push(cell) - 1;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = items[parentIndex];
      if (!parent || parent.rank <= cell.rank) break;
      items[index] = parent;
      index = parentIndex;
    }
    items[index] = cell;
  }

  pop(): Cell | undefined {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    if (!last || items.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = index * 2 + 1;
      const leftItem = items[child];
      const right = items[child + 1];
      if (!leftItem) break;
      let smaller = leftItem;
      if (right && right.rank < leftItem.rank) {
        smaller = right;
        child += 1;
      }
      if (smaller.rank >= last.rank) break;
      items[index] = smaller;
      index = child;
    }
    items[index] = last;
    return top;
  }
}
