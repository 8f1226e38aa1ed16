/** Converts between the viewpoints of a showcase's SDK and those of core/contract.ts. Both use metres with y up. The SDK measures angles in degrees. */
import { clampPitch, lookAt, wrapAngle } from "../core/angles";
import type { Pin, Vec3, Viewpoint } from "../core/contract";
import { add, distance, isFinitePoint, normalize, scale } from "../core/vec";
import type { SdkColor, SdkMode, SdkPose, SdkRotation, SdkSweep, SdkVector } from "./showcase-sdk";

const DEGREE = Math.PI / 180;
/** Preferred distance from a pin to its viewpoint, in metres. */
const PIN_DISTANCE = 2;
/**
 * Maximum distance from a viewpoint to its sweep (a place from which the showcase was captured), in metres. A viewpoint farther away belongs to
 * another space.
 */
const SWEEP_DISTANCE_MAX = 30;

/** Converts a point or direction to the SDK's form. */
export const toSdkVector = ([x, y, z]: Vec3): SdkVector => ({ x, y, z });
/** Converts a point or direction of the SDK. */
export const fromSdkVector = ({ x, y, z }: SdkVector): Vec3 => [x, y, z];

const MODES: Readonly<Partial<Record<SdkMode, Viewpoint["mode"]>>> = {
  "mode.inside": "walk",
  "mode.outside": "walk",
  "mode.dollhouse": "orbit",
  "mode.floorplan": "plan",
};

/** Returns the SDK's name of a mode. */
export const toSdkMode = (mode: Viewpoint["mode"]): SdkMode =>
  mode === "walk" ? "mode.inside" : mode === "orbit" ? "mode.dollhouse" : "mode.floorplan";

/** Converts a pose to a viewpoint. Returns null while the showcase changes from one mode to another. */
export function toViewpoint(pose: SdkPose): Viewpoint | null {
  const mode = MODES[pose.mode];
  if (!mode) return null;
  return {
    position: fromSdkVector(pose.position),
    yaw: wrapAngle(pose.rotation.y * DEGREE),
    pitch: clampPitch(pose.rotation.x * DEGREE),
    mode,
    ...(mode === "walk" && pose.sweep && { nodeId: pose.sweep }),
  };
}

/** Returns the camera rotation of a viewpoint. A yaw that is not finite and a pitch that is not a number become 0. */
export function toSdkRotation({ yaw, pitch }: Pick<Viewpoint, "yaw" | "pitch">): SdkRotation {
  const degrees = (angle: number) => (Number.isFinite(angle) ? angle / DEGREE : 0);
  return { x: degrees(clampPitch(pitch)), y: degrees(wrapAngle(yaw)) };
}

/** Converts the colour #rrggbb. Any other text becomes black. */
export function toSdkColor(color: string): SdkColor {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  const [r = 0, g = 0, b = 0] = match?.slice(1).map((hex) => Number.parseInt(hex, 16) / 255) ?? [];
  return { r, g, b };
}

/** Returns the sweeps at which a visitor can stand. */
export const selectUsableSweeps = (sweeps: Iterable<SdkSweep>): SdkSweep[] =>
  [...sweeps].filter(({ enabled, alignmentType }) => enabled && alignmentType === "aligned");

/** Returns the sweep with the lowest cost; null without sweeps. */
function findCheapestSweep(sweeps: readonly SdkSweep[], cost: (position: Vec3) => number): SdkSweep | null {
  let cheapest: SdkSweep | null = null;
  let lowestCost = Number.POSITIVE_INFINITY;
  for (const sweep of sweeps) {
    const sweepCost = cost(fromSdkVector(sweep.position));
    if (sweepCost < lowestCost) [cheapest, lowestCost] = [sweep, sweepCost];
  }
  return cheapest;
}

/** Returns the sweep that a viewpoint names, or else the nearest one within reach. Returns null when there is none, or the position is not finite. */
export function findSweep(sweeps: readonly SdkSweep[], { nodeId, position }: Viewpoint): SdkSweep | null {
  if (!isFinitePoint(position)) return null;
  const requestedSweep = sweeps.find(({ id }) => id === nodeId);
  if (requestedSweep) return requestedSweep;
  const sweep = findCheapestSweep(sweeps, (sweepPosition) => distance(sweepPosition, position));
  return sweep && distance(fromSdkVector(sweep.position), position) <= SWEEP_DISTANCE_MAX ? sweep : null;
}

/**
 * Returns the pin's own viewpoint, or else one at the sweep nearest to the point two metres in front of the pin. Sweeps less than a metre from the
 * pin are avoided. Returns null without sweeps.
 */
export function findShowcasePinViewpoint(sweeps: readonly SdkSweep[], pin: Pin): Viewpoint | null {
  if (pin.viewpoint) return pin.viewpoint;
  const disc = add(pin.position, pin.stem);
  const preferredPosition = add(
    disc,
    scale(normalize([pin.stem[0], 0, pin.stem[2]], [0, 0, 0]), PIN_DISTANCE),
  );
  const sweep = findCheapestSweep(
    sweeps,
    (position) => distance(position, preferredPosition) + Math.max(0, 1 - distance(position, disc)) * 4,
  );
  if (!sweep) return null;
  const position = fromSdkVector(sweep.position);
  return { position, ...lookAt(position, disc), mode: "walk", nodeId: sweep.id };
}
