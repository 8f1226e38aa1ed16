/** Between a showcase's frame and the contract's: both have metres with y up, the showcase counts angles in degrees. */
import { clampPitch, lookAt, wrapAngle } from "./angles";
import type { Pin, Vec3, Viewpoint } from "./contract";
import type { SdkColor, SdkMode, SdkPose, SdkRotation, SdkSweep, SdkVector } from "./showcase-sdk";
import { add, distance, isFinitePoint, normalize, scale } from "./vec";

const DEGREE = Math.PI / 180;
/** How far from something one stands to look at it, in metres. */
const BEFORE = 2;
/** A viewpoint farther than that from every sweep is of another space. */
const FARTHEST = 30;

/** A point or direction in the showcase's form. */
export const toSdk = ([x, y, z]: Vec3): SdkVector => ({ x, y, z });
/** A point or direction of the showcase. */
export const fromSdk = ({ x, y, z }: SdkVector): Vec3 => [x, y, z];

const MODES: Readonly<Partial<Record<SdkMode, Viewpoint["mode"]>>> = {
  "mode.inside": "walk",
  "mode.outside": "walk",
  "mode.dollhouse": "orbit",
  "mode.floorplan": "plan",
};

/** The showcase's name of a mode. */
export const sdkMode = (mode: Viewpoint["mode"]): SdkMode =>
  mode === "walk" ? "mode.inside" : mode === "orbit" ? "mode.dollhouse" : "mode.floorplan";

/** Where a pose stands and looks; null while the showcase goes from one mode to another. */
export function viewpointOf(pose: SdkPose): Viewpoint | null {
  const mode = MODES[pose.mode];
  if (!mode) return null;
  return {
    position: fromSdk(pose.position),
    yaw: wrapAngle(pose.rotation.y * DEGREE),
    pitch: clampPitch(pose.rotation.x * DEGREE),
    mode,
    ...(mode === "walk" && pose.sweep && { nodeId: pose.sweep }),
  };
}

/** The rotation with which a camera looks as a viewpoint does; what is no number is straight ahead. */
export function rotationOf({ yaw, pitch }: Pick<Viewpoint, "yaw" | "pitch">): SdkRotation {
  const degrees = (angle: number) => (Number.isFinite(angle) ? angle / DEGREE : 0);
  return { x: degrees(clampPitch(pitch)), y: degrees(wrapAngle(yaw)) };
}

/** The colour #rrggbb; anything else is black. */
export function sdkColor(color: string): SdkColor {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  const [r = 0, g = 0, b = 0] = match?.slice(1).map((hex) => Number.parseInt(hex, 16) / 255) ?? [];
  return { r, g, b };
}

/** The sweeps in which one can stand. */
export const usable = (sweeps: Iterable<SdkSweep>): SdkSweep[] =>
  [...sweeps].filter(({ enabled, alignmentType }) => enabled && alignmentType === "aligned");

function nearest(sweeps: readonly SdkSweep[], cost: (at: Vec3) => number): SdkSweep | null {
  let found: SdkSweep | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const sweep of sweeps) {
    const costs = cost(fromSdk(sweep.position));
    if (costs < least) [found, least] = [sweep, costs];
  }
  return found;
}

/** The sweep that a viewpoint names, or the nearest one; null for a viewpoint that is nowhere near. */
export function sweepOf(sweeps: readonly SdkSweep[], { nodeId, position }: Viewpoint): SdkSweep | null {
  if (!isFinitePoint(position)) return null;
  const named = sweeps.find(({ id }) => id === nodeId);
  if (named) return named;
  const found = nearest(sweeps, (at) => distance(at, position));
  return found && distance(fromSdk(found.position), position) <= FARTHEST ? found : null;
}

/** From which sweep a pin is seen best, and how one looks there: near two metres before it, on the side that it faces. */
export function viewOfPin(sweeps: readonly SdkSweep[], pin: Pin): Viewpoint | null {
  if (pin.viewpoint) return pin.viewpoint;
  const middle = add(pin.position, pin.stem);
  const wanted = add(middle, scale(normalize([pin.stem[0], 0, pin.stem[2]], [0, 0, 0]), BEFORE));
  const found = nearest(sweeps, (at) => distance(at, wanted) + Math.max(0, 1 - distance(at, middle)) * 4);
  if (!found) return null;
  const position = fromSdk(found.position);
  return { position, ...lookAt(position, middle), mode: "walk", nodeId: found.id };
}
