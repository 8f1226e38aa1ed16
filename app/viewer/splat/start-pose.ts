/** Chooses the start of a visitor in a capture: inside at eye height, or outside when no position inside is suitable. */
import { direction } from "../core/angles";
import type { Vec3 } from "../core/contract";
import type { Extent } from "../core/orbit";
import { createProjector, type Size } from "../core/projection";
import type { Triangles } from "../core/triangles";
import { distance, mix, scale, subtract } from "../core/vec";
import { type Body, findFloorBelow, findStandingFloor } from "../core/walker";

/** Number of tested places along each side of the floor. */
const GRID_STEPS = 9;
/** Number of directions that are tested around each place, and their elevations in radians. */
const YAW_COUNT = 24;
const PITCHES = [-0.25, 0.1];
/** Distance in metres below which a surface is too close, and distance above which a longer view is no better. */
const TOO_CLOSE_DISTANCE = 0.6;
const FAR_DISTANCE = 8;
/** Minimum share of the directions that hit something, and maximum share that hit something too close. */
const ENCLOSED_SHARE = 0.7;
const TOO_CLOSE_SHARE = 0.35;
/** Minimum height of the capture above the eyes, in metres. Lower captures are objects. */
const HEIGHT_ABOVE_EYES_MIN = 0.3;

/** Position and direction of the start. */
export interface StartPose {
  readonly position: Vec3;
  readonly yaw: number;
  readonly pitch: number;
}

/**
 * Finds the most open place inside a capture, and the direction with the longest view. Returns null when the capture is too low, or when no place on
 * its floor is enclosed, as with an object or a façade.
 */
export function findInsideStart(space: Triangles, body: Body): StartPose | null {
  const { min, max } = space;
  if (max[1] - min[1] < body.eyeHeight + HEIGHT_ABOVE_EYES_MIN) return null;
  let best: (StartPose & { readonly score: number }) | null = null;
  for (let row = 0; row < GRID_STEPS; row++)
    for (let column = 0; column < GRID_STEPS; column++) {
      const x = min[0] + ((max[0] - min[0]) * (column + 0.5)) / GRID_STEPS;
      const z = min[2] + ((max[2] - min[2]) * (row + 0.5)) / GRID_STEPS;
      const floor = findLowestFloor(space, body, x, z);
      if (floor === null) continue;
      const candidate = lookAround(space, [x, floor + body.eyeHeight, z]);
      if (candidate && (!best || candidate.score > best.score)) best = candidate;
    }
  return best && { position: best.position, yaw: best.yaw, pitch: best.pitch };
}

/** Returns the lowest floor on which a visitor can stand. Tables and ceilings above it are passed. Null when there is none. */
function findLowestFloor(space: Triangles, body: Body, x: number, z: number): number | null {
  const { min, max } = space;
  let height: number | null = null;
  let top = max[1];
  // Each search starts below the previous surface.
  for (let tries = 0; tries < 6; tries++) {
    const floor = findFloorBelow(space, [x, top, z]);
    if (floor === null) break;
    if (floor + body.eyeHeight < max[1]) {
      const feet = findStandingFloor(space, body, x, floor, z);
      if (feet !== null) height = feet;
    }
    top = floor - 0.05;
    if (top <= min[1]) break;
  }
  return height;
}

/** Casts rays around a place and chooses the direction with the longest view. Returns null when the place is not enclosed, or too close to surfaces. */
function lookAround(space: Triangles, eye: Vec3): (StartPose & { score: number }) | null {
  let hits = 0;
  let tooClose = 0;
  let reachSum = 0;
  const reaches: number[] = [];
  for (let turn = 0; turn < YAW_COUNT; turn++) {
    const yaw = (turn / YAW_COUNT) * 2 * Math.PI - Math.PI;
    let reach = 0;
    for (const pitch of PITCHES) {
      const hit = space.raycast(eye, direction(yaw, pitch));
      if (hit) hits++;
      if (hit && hit.distance < TOO_CLOSE_DISTANCE) tooClose++;
      reach += hit ? Math.min(FAR_DISTANCE, hit.distance) : 0;
    }
    reachSum += reach;
    reaches.push(reach);
  }
  const rayCount = YAW_COUNT * PITCHES.length;
  if (hits / rayCount < ENCLOSED_SHARE || tooClose / rayCount > TOO_CLOSE_SHARE) return null;
  // The neighbouring directions count too, because a view through a gap is far but narrow.
  const openness = (turn: number) =>
    [-2, -1, 0, 1, 2].reduce((sum, step) => {
      const reach = reaches[(turn + step + YAW_COUNT) % YAW_COUNT] ?? 0;
      return sum + reach;
    }, 0);
  let bestTurn = 0;
  for (let turn = 1; turn < YAW_COUNT; turn++) if (openness(turn) > openness(bestTurn)) bestTurn = turn;
  const score = (hits / rayCount) * 4 + reachSum / rayCount - (tooClose / rayCount) * 4;
  return { position: eye, yaw: (bestTurn / YAW_COUNT) * 2 * Math.PI - Math.PI, pitch: -0.05, score };
}

/** Pitch of an overview in radians, for tall and for flat captures. */
const OVERVIEW_PITCH = { tall: (-12 * Math.PI) / 180, flat: (-40 * Math.PI) / 180 } as const;
/** Ratio of width to height of tall and of flat captures. */
const SHAPE_RATIOS = { tall: 1, flat: 3.5 } as const;
/** Shares of the canvas that stay empty at the sides and the top, and below, where the stage has buttons. */
const MARGINS = { side: 0.06, below: 0.14 } as const;
/** Minimum distance of the camera, in metres. */
const DISTANCE_MIN = 1.5;

/**
 * Finds the view from outside in which a box fills the canvas.
 * @param fov vertical field of view, in radians
 * @param yaw direction of view in radians; 0 looks along −z
 */
export function findOutsideStart({ min, max }: Extent, size: Size, fov: number, yaw: number): StartPose {
  const middle = mix(min, max, 0.5);
  const width = Math.max(max[0] - min[0], max[2] - min[2]);
  const shape = width / Math.max(1e-6, max[1] - min[1]);
  const share = Math.min(
    1,
    Math.max(0, (shape - SHAPE_RATIOS.tall) / (SHAPE_RATIOS.flat - SHAPE_RATIOS.tall)),
  );
  const pitch = OVERVIEW_PITCH.tall + (OVERVIEW_PITCH.flat - OVERVIEW_PITCH.tall) * share;
  const corners = [min, max].flatMap(([x]) =>
    [min, max].flatMap(([, y]) => [min, max].map(([, , z]): Vec3 => [x, y, z])),
  );
  const positionAt = (cameraDistance: number): Vec3 =>
    subtract(middle, scale(direction(yaw, pitch), cameraDistance));
  const fitsFrom = (cameraDistance: number): boolean => {
    const project = createProjector({ position: positionAt(cameraDistance), yaw, pitch, fov }, size);
    return corners.every((corner) => {
      const { x, y, depth } = project(corner);
      const [horizontal, vertical] = [x / size.width, y / size.height];
      return (
        depth > 0 &&
        Math.abs(horizontal - 0.5) <= 0.5 - MARGINS.side &&
        vertical >= MARGINS.side &&
        vertical <= 1 - MARGINS.below
      );
    });
  };
  let near = DISTANCE_MIN;
  let far = Math.max(DISTANCE_MIN, distance(min, max));
  for (let tries = 0; tries < 20 && !fitsFrom(far); tries++) far *= 2;
  for (let tries = 0; tries < 12; tries++) {
    const middleDistance = (near + far) / 2;
    if (fitsFrom(middleDistance)) far = middleDistance;
    else near = middleDistance;
  }
  return { position: positionAt(far), yaw, pitch };
}
