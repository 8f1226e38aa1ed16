/**
 * Reads stored positions, viewpoints, placements and sources. An earlier version, an import or a manual edit of the database may have
 * written an invalid value. An item with an invalid point counts as not placed: visitors see it listed without a pin.
 */
import {
  COORDINATE_MAX,
  EYE_HEIGHT,
  PLACEMENT_REACH,
  PLACEMENT_WIDTH_MAX,
  TOUR_SECONDS,
} from "../shared/limits";
import type {
  EventScene,
  FloorPlan,
  Localized,
  PanoramaNode,
  Placement,
  SpaceSource,
  SplatUp,
  TourStop,
  Vec3,
  Viewpoint,
} from "../shared/model";
import { storedDisplay } from "../spaces/model-display";
import { fullPlacement, type StoredPlacement } from "./placement";

const MODES: readonly unknown[] = ["walk", "orbit", "plan"] satisfies Viewpoint["mode"][];
const SPLAT_UPS = ["auto", "y", "-y", "z"] as const satisfies SplatUp[];
/** Distance between panoramas with unknown positions, in metres. */
const NODE_STEP = 4;
/** Maximum pitch in radians, with a tolerance for rounding. */
const PITCH_MAX = Math.PI / 2 + 1e-6;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isCoordinate = (value: unknown): value is number =>
  isNumber(value) && Math.abs(value) <= COORDINATE_MAX;
const isPoint = (value: unknown, length: number): boolean =>
  Array.isArray(value) && value.length === length && value.every(isCoordinate);

/** Returns a valid point in metres; null for anything else. */
export const storedPoint = (value: unknown): Vec3 | null => (isPoint(value, 3) ? (value as Vec3) : null);

/** Returns a valid viewpoint; null for anything else. */
export function storedView(value: unknown): Viewpoint | null {
  const view = value as Viewpoint | null | undefined;
  const isValid =
    storedPoint(view?.position) &&
    isNumber(view?.yaw) &&
    isNumber(view?.pitch) &&
    Math.abs(view.pitch) <= PITCH_MAX &&
    MODES.includes(view.mode);
  return isValid ? (view as Viewpoint) : null;
}

/** Returns a placement with the defaults of newer fields; null when its position, normal or width is invalid. */
export function storedPlacement(value: unknown): Placement | null {
  const stored = value as StoredPlacement | null | undefined;
  const position = storedPoint(stored?.position);
  const normal = storedPoint(stored?.normal);
  if (!stored || !position || !normal || Math.hypot(...normal) < 1e-6) return null;
  if (!isNumber(stored.width) || stored.width <= 0 || stored.width > PLACEMENT_WIDTH_MAX) return null;
  const full = fullPlacement(stored);
  return {
    ...full,
    rotation: isNumber(full.rotation) ? full.rotation : 0,
    reach: isNumber(full.reach) && full.reach > 0 ? full.reach : PLACEMENT_REACH.usual,
  };
}

const storedStop = (stop: TourStop): TourStop => ({
  ...stop,
  viewpoint: storedView(stop.viewpoint),
  seconds: isNumber(stop.seconds) && stop.seconds > 0 ? stop.seconds : TOUR_SECONDS.usual,
});

function storedPlan(plan: FloorPlan | null): FloorPlan | null {
  const isValid =
    plan && isPoint(plan.center, 2) && isNumber(plan.width) && plan.width > 0 && isNumber(plan.rotation);
  return isValid ? plan : null;
}

/** Returns a scene without its invalid viewpoints and plan, and with the default for an invalid duration of a stop. */
export const storedScene = (scene: EventScene): EventScene => ({
  ...scene,
  startView: storedView(scene.startView),
  tour: scene.tour.map(storedStop),
  plan: storedPlan(scene.plan),
});

/** Returns a valid panorama node. A node with an invalid position is put in a row with the others, so that its owner can correct it. */
const storedNode = (node: PanoramaNode, index: number): PanoramaNode => ({
  ...node,
  title: isLocalized(node.title) ? node.title : { ja: "", en: "" },
  position: storedPoint(node.position) ?? [index * NODE_STEP, EYE_HEIGHT.usual, 0],
  heading: isNumber(node.heading) ? node.heading : 0,
  links: Array.isArray(node.links) ? node.links.filter((link) => typeof link === "string") : [],
});

const isLocalized = (value: unknown): value is Localized => {
  const texts = value as Partial<Localized> | null | undefined;
  return typeof texts?.ja === "string" && typeof texts.en === "string";
};

const isNode = (node: unknown): node is PanoramaNode => {
  const { id, mediaId } = (node ?? {}) as Partial<PanoramaNode>;
  return typeof id === "string" && typeof mediaId === "string";
};

const storedEyeHeight = (value: unknown): number =>
  isNumber(value) && value >= EYE_HEIGHT.min && value <= EYE_HEIGHT.max ? value : EYE_HEIGHT.usual;

type ModelSource = Extract<SpaceSource, { readonly kind: "model" }>;

/** Returns the stored light of a model; an empty object for the default light, and for an HDR panorama without a media id. */
function storedLight(light: unknown, image: unknown): Pick<ModelSource, "light" | "lightPicture"> {
  if (light === "daylight" || light === "evening") return { light };
  const { mediaId } = (image ?? {}) as { readonly mediaId?: unknown };
  return light === "file" && typeof mediaId === "string" ? { light, lightPicture: { mediaId } } : {};
}

/**
 * Returns a valid source for any stored value. An invalid start becomes null, so that the viewer chooses one. An invalid upward
 * axis of splats becomes +y. A source that names no file gets an empty media id, and the pages of the space then show the same notice as for a
 * deleted file.
 */
export function readStoredSource(value: unknown): SpaceSource {
  const source = (typeof value === "object" && value !== null ? value : {}) as Partial<
    Record<string, unknown>
  >;
  const start = storedView(source.start);
  const mediaId = typeof source.mediaId === "string" ? source.mediaId : "";
  switch (source.kind) {
    case "model": {
      const display = storedDisplay(source.display);
      return {
        kind: "model",
        mediaId,
        start,
        eyeHeight: storedEyeHeight(source.eyeHeight),
        ...storedLight(source.light, source.lightPicture),
        ...(display && { display }),
      };
    }
    case "splat": {
      const up = SPLAT_UPS.find((candidate) => candidate === source.up) ?? "y";
      return { kind: "splat", mediaId, start, eyeHeight: storedEyeHeight(source.eyeHeight), up };
    }
    case "panorama": {
      const nodes = Array.isArray(source.nodes) ? source.nodes.filter(isNode) : [];
      return { kind: "panorama", nodes: nodes.map(storedNode), start };
    }
    default:
      return { kind: "showcase" };
  }
}
