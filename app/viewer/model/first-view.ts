/**
 * Chooses the first view of a model by casting rays. In a room, the visitor starts at a position where a person can stand between walls. Every other
 * model is an object and is shown from outside.
 */
import { direction } from "../core/angles";
import type { Vec3, Viewpoint } from "../core/contract";
import type { Size } from "../core/projection";
import type { TimeSlicer } from "../core/time-slicer";
import type { RayHit, Triangles } from "../core/triangles";
import { add, distance, dot, mix, scale, subtract } from "../core/vec";
import { type Body, findStandingFloor } from "../core/walker";
import {
  cameraAxes,
  frameObject,
  heightAboveView,
  measureRelativeWidth,
  NARROW_MARGINS,
} from "./frame-object";

/** First view of a model. */
export interface FirstView {
  /** True for an object, which is viewed from outside; false for a room, which is viewed from inside. */
  readonly isObject: boolean;
  readonly start: Viewpoint;
  /** Viewpoint at which a visitor can stand and walk; null when the model has too little floor. */
  readonly walkStart: Viewpoint | null;
}

/** Input of the choice of the first view. */
export interface FirstViewInput {
  readonly space: Triangles;
  readonly body: Body;
  readonly size: Size;
  /** Vertical angles of view inside (walkFov) and outside (orbitFov), in radians. */
  readonly walkFov: number;
  readonly orbitFov: number;
  readonly slicer: TimeSlicer;
  /** Bit of a triangle's layer that marks it as double-sided. */
  readonly doubleSidedBit: number;
  /** Positions of pins. Of the places in a room, one that shows more of them is preferred. */
  readonly pins?: readonly Vec3[];
  /** Points of an animated object in the other poses of its animation, three numbers each. The view must include them. */
  readonly poses?: Float32Array;
}

/** Columns of the search grid for standing places, along each side. */
const GRID_COLUMNS = 12;
/** Minimum distance between two columns, in metres: about a step. */
const SPACING_MIN = 0.35;
/** Maximum number of surfaces, such as the floors of storeys, that are tested in one column. */
const SURFACES_MAX = 8;
/** Minimum vertical component of a floor's unit normal. */
const FLOOR_NORMAL_Y = 0.8;
/** Minimum standing area, in square metres: for a room, and for an object on which visitors can walk. */
const ROOM_AREA_MIN = 1;
const OBJECT_AREA_MIN = 4;
/** For a room: minimum share of the standing places that are enclosed, and minimum share of those that are on one floor. */
const ENCLOSED_SHARE = 0.15;
const ONE_FLOOR_SHARE = 0.35;
/** Maximum distance of an enclosing wall, in metres. */
const WALL_REACH = 40;
/** Distance in metres beyond which a surface counts as no farther away. */
const COUNTED_DISTANCE_MAX = 12;
/** Number of rays around a visitor. */
const RING_RAYS = 16;
/** Elevation of the rays at eye height, in radians. They point upwards, so that hills do not count as walls. */
const RING_RISE = (8 * Math.PI) / 180;
/** Minimum shares of the rays, around the visitor and upwards, that hit a visible surface. Without a roof, more of the rays must hit walls. */
const WALL_SHARE_UNDER_ROOF = 0.6;
const ROOF_SHARE = 0.6;
const WALL_SHARE_WITHOUT_ROOF = 0.85;
/** Minimum share of the visible surfaces of a room that face its inside. Models with less are closed objects with two-sided materials. */
const FACING_INSIDE_SHARE = 0.05;
/** Elevations of the rays towards furniture and the ceiling, in radians. */
const RING_FALL = (-30 * Math.PI) / 180;
const RING_CLIMB = (40 * Math.PI) / 180;
/** Assumed thickness of a wall, in metres. Behind it, the search for further parts of the model begins. */
const WALL_THICKNESS = 0.5;
/** Maximum vertical component of a wall's unit normal, and minimum vertical component of a ceiling's. */
const WALL_NORMAL_Y_MAX = 0.5;
const CEILING_NORMAL_Y_MIN = 0.9;
/**
 * Maximum number of places that are tested for walls; number of places whose views are compared, for each criterion; number of compared directions
 * for each place.
 */
const PLACES_TESTED_MAX = 60;
const PLACES_COMPARED = 6;
const YAW_COUNT = 12;
/**
 * Maximum number of pins that are tested, and the value of a view that shows all of them. For comparison, `rateView` gives about 5 to a good view.
 */
const PINS_TESTED = 40;
const PINS_VALUE = 4;
/** Share of the half canvas in which a pin counts as visible, and tolerance in metres for a pin on a surface. */
const PIN_CANVAS_SHARE = 0.9;
const PIN_TOLERANCE = 0.1;
/** Distance below which a surface counts as too close, in metres. */
const NEAR_DISTANCE = 0.9;

/** Directions from which an object is viewed, as yaw and pitch in radians, in order of preference. glTF models face +z. */
const OBJECT_DIRECTIONS = [
  [0.45, -0.28],
  [-0.45, -0.28],
  [0, -0.2],
  [1.2, -0.28],
  [-1.2, -0.28],
  [Math.PI, -0.28],
  [0.45, -0.75],
] as const;
/** Minimum share of the canvas that an object should cover: a little more than 15 % (decision 083). */
const COVERAGE_MIN = 0.155;
/** Coverage above which directions count as equally good. A box seen straight from the front covers most of the canvas but shows no depth. */
const COVERAGE_ENOUGH = 0.2;
/** Minimum distance of a camera that moves closer, as a share of the distance that shows the whole object. */
const CLOSEST_SHARE = 0.3;
/** Columns and rows of the rays that measure how much of the canvas an object covers. */
const GRID = [26, 16] as const;
/** Grid of rays that decides whether the camera moves so close that parts of the object leave the canvas. */
const FINE_GRID = [52, 32] as const;

/** Returns the nearest surface that is visible along a ray. Back faces that are not drawn are skipped. */
function castVisibleRay(input: FirstViewInput, from: Vec3, towards: Vec3, reach: number): RayHit | null {
  const { space, doubleSidedBit } = input;
  let origin = from;
  let travelled = 0;
  for (let tries = 0; tries < 8 && travelled < reach; tries++) {
    const hit = space.raycast(origin, towards, reach - travelled);
    if (!hit) return null;
    if ((space.layer(hit.triangle) & doubleSidedBit) !== 0 || space.isFacing(hit.triangle, towards))
      return { ...hit, distance: travelled + hit.distance };
    // The next ray starts slightly behind the surface.
    const step = hit.distance + Math.max(1e-6, hit.distance * 1e-5);
    travelled += step;
    origin = add(origin, scale(towards, step));
  }
  return null;
}

/** Chooses the first view. Rejects when the signal of `slicer` is aborted. */
export async function chooseFirstView(input: FirstViewInput): Promise<FirstView> {
  const { slicer } = input;
  const { places, spacing } = await findStandingPlaces(input);
  const toArea = (count: number) => count * spacing * spacing;
  const testedPlaces = pickEvenly(places, PLACES_TESTED_MAX);
  const enclosedPlaces: Place[] = [];
  for (const place of testedPlaces) {
    if (isEnclosed(input, place) && facesInside(input, place)) enclosedPlaces.push(place);
    if (slicer.isDue) await slicer.pause();
  }
  // Only a sample of the places was tested, so the enclosed area is scaled up to all places.
  const testedShare = testedPlaces.length / Math.max(1, places.length);
  const isRoom =
    toArea(enclosedPlaces.length / Math.max(testedShare, 1e-9)) >= ROOM_AREA_MIN &&
    hasCommonFloor(input.body, testedPlaces, enclosedPlaces);
  const insideView = isRoom ? await findBestViewpoint(input, enclosedPlaces) : null;
  if (insideView) return { isObject: false, start: insideView, walkStart: insideView };
  const walkStart =
    toArea(places.length) >= OBJECT_AREA_MIN ? await findBestViewpoint(input, testedPlaces) : null;
  return { isObject: true, start: await findObjectView(input), walkStart };
}

/** Whether enough places are enclosed, and enough of these are on one floor. Machines, trees and figures have only a few. */
function hasCommonFloor(
  { step }: Body,
  testedPlaces: readonly Place[],
  enclosedPlaces: readonly Place[],
): boolean {
  const countOnSameFloor = ({ eye }: Place) =>
    enclosedPlaces.filter((other) => Math.abs(other.eye[1] - eye[1]) <= step).length;
  const mostOnOneFloor = enclosedPlaces.reduce((best, place) => Math.max(best, countOnSameFloor(place)), 0);
  return (
    enclosedPlaces.length >= ENCLOSED_SHARE * testedPlaces.length &&
    mostOnOneFloor >= ONE_FLOOR_SHARE * enclosedPlaces.length
  );
}

/**
 * Whether a place is in a room and not inside a closed solid. In a room, visible surfaces besides the floor show their fronts to the visitor. A
 * back counts against it only when more of the model is behind it, because the outermost walls of a room may face outwards.
 */
function facesInside(input: FirstViewInput, { eye }: Place): boolean {
  const { space, body } = input;
  const floor = eye[1] - body.eyeHeight + body.step;
  let hits = 0;
  let fronts = 0;
  let innerBacks = 0;
  for (let turn = 0; turn < RING_RAYS; turn++)
    for (const rise of [RING_RISE, RING_FALL, RING_CLIMB]) {
      const towards = direction((turn / RING_RAYS) * 2 * Math.PI, rise);
      const hit = castVisibleRay(input, eye, towards, WALL_REACH);
      if (!hit || (hit.normal[1] >= FLOOR_NORMAL_Y && hit.position[1] <= floor)) continue;
      hits++;
      if (space.isFacing(hit.triangle, towards)) fronts++;
      else if (space.raycast(add(hit.position, scale(towards, WALL_THICKNESS)), towards)) innerBacks++;
    }
  return fronts >= Math.max(FACING_INSIDE_SHARE * hits, innerBacks);
}

interface Place {
  readonly eye: Vec3;
  /** Mean distance to the surrounding surfaces, in metres. Set by `isEnclosed`. */
  meanDistance: number;
}

async function findStandingPlaces(
  input: FirstViewInput,
): Promise<{ readonly places: Place[]; readonly spacing: number }> {
  const { space, body, slicer } = input;
  const { min, max } = space;
  const places: Place[] = [];
  const spacing = Math.max(SPACING_MIN, (max[0] - min[0]) / GRID_COLUMNS, (max[2] - min[2]) / GRID_COLUMNS);
  // A model narrower than the visitor's body has no place to stand.
  if (Math.max(max[0] - min[0], max[2] - min[2]) < 2 * body.radius) return { places, spacing };
  for (let x = min[0] + spacing / 2; x < max[0]; x += spacing)
    for (let z = min[2] + spacing / 2; z < max[2]; z += spacing) {
      let from = max[1] + 0.1;
      for (let surface = 0; surface < SURFACES_MAX; surface++) {
        const hit = castVisibleRay(input, [x, from, z], [0, -1, 0], from - min[1] + 0.2);
        if (!hit) break;
        const height = hit.position[1];
        if (hit.normal[1] >= FLOOR_NORMAL_Y) {
          const feet = findStandingFloor(space, body, x, height, z);
          if (feet !== null && Math.abs(feet - height) < body.step)
            places.push({ eye: [x, feet + body.eyeHeight, z], meanDistance: 0 });
        }
        from = height - 0.01;
      }
      if (slicer.isDue) await slicer.pause();
    }
  return { places, spacing };
}

/** Returns an evenly distributed subset with at most `max` items. */
function pickEvenly<Item>(items: readonly Item[], max: number): readonly Item[] {
  if (items.length <= max) return items;
  return Array.from({ length: max }, (_, index) => items[Math.floor((index * items.length) / max)] as Item);
}

/** Whether a place is enclosed by walls that are visible from inside. With few walls, it also needs a roof. Also sets the place's `meanDistance`. */
function isEnclosed(input: FirstViewInput, place: Place): boolean {
  let wallOrCeilingHits = 0;
  let wallHits = 0;
  let distanceSum = 0;
  for (let turn = 0; turn < RING_RAYS; turn++) {
    const hit = castVisibleRay(
      input,
      place.eye,
      direction((turn / RING_RAYS) * 2 * Math.PI, RING_RISE),
      WALL_REACH,
    );
    // Counts walls and, in a wide hall, the ceiling. The slopes of a valley and the crowns of trees have other angles. A ray that hits nothing counts
    // as a slope.
    const slant = Math.abs(hit?.normal[1] ?? 0.7);
    if (slant < WALL_NORMAL_Y_MAX) wallHits++;
    if (slant < WALL_NORMAL_Y_MAX || slant > CEILING_NORMAL_Y_MIN) wallOrCeilingHits++;
    distanceSum += Math.min(COUNTED_DISTANCE_MAX, hit?.distance ?? COUNTED_DISTANCE_MAX);
  }
  place.meanDistance = distanceSum / RING_RAYS;
  let roofHits = 0;
  for (let turn = 0; turn < 5; turn++) {
    const towards = turn === 0 ? ([0, 1, 0] as const) : direction((turn / 4) * 2 * Math.PI, Math.PI / 3);
    if (castVisibleRay(input, place.eye, towards, WALL_REACH)) roofHits++;
  }
  return (
    wallHits / RING_RAYS >= WALL_SHARE_WITHOUT_ROOF ||
    (wallOrCeilingHits / RING_RAYS >= WALL_SHARE_UNDER_ROOF && roofHits / 5 >= ROOF_SHARE)
  );
}

/** Finds the place and direction with the best view (rateView), which should also show many of the pins. Returns null without places. */
async function findBestViewpoint(input: FirstViewInput, places: readonly Place[]): Promise<Viewpoint | null> {
  const { slicer } = input;
  const pins = pickEvenly(input.pins ?? [], PINS_TESTED);
  const bestPlaces = (value: (place: Place) => number) =>
    places
      .map((place) => ({ place, value: value(place) }))
      .sort((a, b) => b.value - a.value)
      .slice(0, PLACES_COMPARED)
      .map(({ place }) => place);
  const countPinsInSight = ({ eye }: Place) => pins.filter((pin) => isInSight(input, eye, pin)).length;
  const widestPlaces = bestPlaces(({ meanDistance }) => meanDistance);
  const comparedPlaces = new Set(
    pins.length > 0 ? [...widestPlaces, ...bestPlaces(countPinsInSight)] : widestPlaces,
  );
  let best: Viewpoint | null = null;
  let bestValue = Number.NEGATIVE_INFINITY;
  for (const { eye } of comparedPlaces)
    for (let turn = 0; turn < YAW_COUNT; turn++) {
      const yaw = (turn / YAW_COUNT) * 2 * Math.PI;
      const value = rateView(input, eye, yaw) + PINS_VALUE * measureVisiblePins(input, pins, eye, yaw);
      if (value > bestValue) [best, bestValue] = [{ position: eye, yaw, pitch: 0, mode: "walk" }, value];
      if (slicer.isDue) await slicer.pause();
    }
  return best && { ...best, yaw: best.yaw > Math.PI ? best.yaw - 2 * Math.PI : best.yaw };
}

/** Returns the share of the pins that are visible in a horizontal view. */
function measureVisiblePins(input: FirstViewInput, pins: readonly Vec3[], eye: Vec3, yaw: number): number {
  if (pins.length === 0) return 0;
  const { right, up, ahead } = cameraAxes(yaw, 0);
  const halfHeight = Math.tan(input.walkFov / 2) * PIN_CANVAS_SHARE;
  const halfWidth = halfHeight * (input.size.width / input.size.height);
  const visible = pins.filter((pin) => {
    const ray = subtract(pin, eye);
    const depth = dot(ray, ahead);
    if (
      depth <= 0 ||
      Math.abs(dot(ray, right)) > depth * halfWidth ||
      Math.abs(dot(ray, up)) > depth * halfHeight
    )
      return false;
    return isInSight(input, eye, pin);
  });
  return visible.length / pins.length;
}

/** Whether nothing is between the eyes and a pin, whatever the direction of view. */
function isInSight(input: FirstViewInput, eye: Vec3, pin: Vec3): boolean {
  const pinDistance = distance(eye, pin);
  return (
    pinDistance <= PIN_TOLERANCE ||
    !castVisibleRay(input, eye, scale(subtract(pin, eye), 1 / pinDistance), pinDistance - PIN_TOLERANCE)
  );
}

/** Rates a view: it is best when it shows many surfaces with different directions, some of them far away, and none too close. */
function rateView(input: FirstViewInput, eye: Vec3, yaw: number): number {
  const rays = gridRays(input.size, input.walkFov, yaw, 0, 8, 5);
  let hits = 0;
  let nearHits = 0;
  let depth = 0;
  let variety = 0;
  let previousHit: RayHit | null = null;
  for (const ray of rays) {
    const hit = castVisibleRay(input, eye, ray, 200);
    if (hit) {
      hits++;
      if (hit.distance < NEAR_DISTANCE) nearHits++;
      depth += Math.log2(1 + Math.min(20, hit.distance));
      if (previousHit && dot(previousHit.normal, hit.normal) < 0.9) variety++;
    }
    previousHit = hit;
  }
  const count = rays.length;
  return (3 * hits) / count + (0.4 * depth) / count + (1.2 * variety) / count - (4 * nearHits) / count;
}

/** Returns rays through the centres of a grid's cells on the canvas. */
function gridRays(
  size: Size,
  fov: number,
  yaw: number,
  pitch: number,
  columns: number,
  rows: number,
): Vec3[] {
  const { right, up, ahead } = cameraAxes(yaw, pitch);
  const halfHeight = Math.tan(fov / 2);
  const halfWidth = halfHeight * (size.width / size.height);
  const rays: Vec3[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const x = (((column + 0.5) / columns) * 2 - 1) * halfWidth;
      const y = (1 - ((row + 0.5) / rows) * 2) * halfHeight;
      const ray = add(ahead, add(scale(right, x), scale(up, y)));
      rays.push(scale(ray, 1 / Math.hypot(...ray)));
    }
  return rays;
}

/** Finds a view from outside in which the object is large enough on the canvas, if possible as a whole. */
async function findObjectView(input: FirstViewInput): Promise<Viewpoint> {
  const { slicer } = input;
  let best: Viewpoint | null = null;
  let bestValue = Number.NEGATIVE_INFINITY;
  for (const [order, [yaw, pitch]] of OBJECT_DIRECTIONS.entries()) {
    const framed = frameObject(input, yaw, pitch);
    const coverage = measureCoverage(input, framed);
    // A direction later in the list must show clearly more to be chosen.
    const value = Math.min(coverage, COVERAGE_ENOUGH) - order * 0.012;
    if (value > bestValue) [best, bestValue] = [framed, value];
    if (slicer.isDue) await slicer.pause();
    if (order === 0 && coverage >= COVERAGE_ENOUGH) break;
  }
  const view = best ?? frameObject(input, OBJECT_DIRECTIONS[0][0], OBJECT_DIRECTIONS[0][1]);
  if (measureCoverage(input, view, FINE_GRID) >= COVERAGE_MIN) return view;
  // From another side, a figure with outstretched arms may be narrow enough for a closer view that does not cut off its hands.
  const directions = [[view.yaw, view.pitch] as const, ...OBJECT_DIRECTIONS];
  let leastWidth = Number.POSITIVE_INFINITY;
  let closest = view;
  for (const [yaw, pitch] of directions) {
    const closer = await moveCloser(input, frameObject(input, yaw, pitch, NARROW_MARGINS));
    // When no direction covers enough, the first one is chosen.
    const isEnough = measureCoverage(input, closer, FINE_GRID) >= COVERAGE_MIN;
    const width = isEnough ? Math.max(1, measureRelativeWidth(input, closer)) : 1e9;
    if (width < leastWidth) [closest, leastWidth] = [closer, width];
    if (leastWidth === 1) break;
  }
  return closest;
}

/**
 * Moves the camera closer to a thin object, which covers little of the canvas even when its height fills it. The object's upper edge stays in view,
 * so that a figure's feet are cut off rather than its head.
 */
async function moveCloser(input: FirstViewInput, overview: Viewpoint): Promise<Viewpoint> {
  const { space, slicer } = input;
  const middle = mix(space.min, space.max, 0.5);
  const { up } = cameraAxes(overview.yaw, overview.pitch);
  const overviewDistance = distance(overview.position, middle);
  let view = overview;
  let currentDistance = overviewDistance;
  for (let tries = 0; tries < 4; tries++) {
    const coverage = measureCoverage(input, view, FINE_GRID);
    if (coverage >= COVERAGE_MIN) break;
    const nextDistance = Math.max(
      CLOSEST_SHARE * overviewDistance,
      currentDistance * Math.sqrt(Math.max(0.3, coverage / (COVERAGE_MIN * 1.02))),
    );
    const axisPosition = add(middle, scale(direction(view.yaw, view.pitch), -nextDistance));
    const nearerView = {
      ...view,
      position: add(axisPosition, scale(up, heightAboveView(input, view, nextDistance))),
    };
    if (
      nextDistance >= currentDistance ||
      isTooClose(input, nearerView, nextDistance) ||
      measureCoverage(input, nearerView, FINE_GRID) <= coverage
    )
      break;
    [view, currentDistance] = [nearerView, nextDistance];
    if (slicer.isDue) await slicer.pause();
  }
  return view;
}

/** Whether a surface is too close to an outside camera. @param cameraDistance distance of the camera from the object's centre, in metres */
const isTooClose = (input: FirstViewInput, view: Viewpoint, cameraDistance: number) =>
  gridRays(input.size, input.orbitFov, view.yaw, view.pitch, 5, 3).some(
    (ray) => input.space.raycast(view.position, ray, cameraDistance * 0.08) !== null,
  );

/** Share of the canvas that the object covers, by rays through the centres of a grid's cells. */
function measureCoverage(
  input: FirstViewInput,
  view: Viewpoint,
  grid: readonly [number, number] = GRID,
): number {
  const rays = gridRays(input.size, input.orbitFov, view.yaw, view.pitch, ...grid);
  const hits = rays.filter((ray) =>
    castVisibleRay(input, view.position, ray, Number.POSITIVE_INFINITY),
  ).length;
  return hits / rays.length;
}
