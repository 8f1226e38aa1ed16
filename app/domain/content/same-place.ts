/** What of an event's positions still means something in another space. */
import type { EventScene, PanoramaNode, Space, TourStop, Uuid, Viewpoint } from "../shared/model";
import { isEqual } from "../shared/same";
import { MODEL_DISPLAY, type ModelDisplay } from "../spaces/model-display";

/** A space as far as it is a place. */
export type Place = Pick<Space, "sid" | "source">;

/** Two spaces have one frame: a point of the one is the same point of the other. */
export interface SharedFrame {
  /** Panorama nodes that are the same in both, by id; null where the source has none to name, or all are the same. */
  readonly nodes: readonly string[] | null;
}

/** Whether a model's points lie at the same places. */
const isSameFrame = (a: ModelDisplay = MODEL_DISPLAY, b: ModelDisplay = MODEL_DISPLAY) =>
  a.scale === b.scale && a.up === b.up && a.turn === b.turn && a.scene === b.scene;

const isSameNode = (a: PanoramaNode, b: PanoramaNode) =>
  a.mediaId === b.mediaId && isEqual(a.position, b.position) && a.heading === b.heading;

/**
 * Whether two spaces show the same place in the same frame: the same showcase; the same model; the same splats the same way up; or
 * panoramas of which some are the same and none of those stands elsewhere or is turned. Where one begins in it, how high the eyes
 * are, what nodes are called and how they are linked does not matter. Null when they do not.
 */
export function sharedFrame(a: Place, b: Place): SharedFrame | null {
  const whole: SharedFrame = { nodes: null };
  const [from, to] = [a.source, b.source];
  if (from.kind === "showcase" && to.kind === "showcase") return a.sid === b.sid ? whole : null;
  if (from.kind === "model" && to.kind === "model")
    return from.mediaId === to.mediaId && isSameFrame(from.display, to.display) ? whole : null;
  if (from.kind === "splat" && to.kind === "splat")
    return from.mediaId === to.mediaId && from.up === to.up ? whole : null;
  if (from.kind !== "panorama" || to.kind !== "panorama") return null;
  const there = new Map(to.nodes.map((node) => [node.id, node]));
  const nodes: string[] = [];
  for (const node of from.nodes) {
    const other = there.get(node.id);
    if (!other) continue;
    if (isSameNode(node, other)) nodes.push(node.id);
    // A picture that has moved would have everything that is seen in it lie elsewhere.
    else if (node.mediaId === other.mediaId) return null;
  }
  if (nodes.length === 0) return null;
  return nodes.length === from.nodes.length ? whole : { nodes };
}

/** Whether a viewpoint of the one space is one of the other: a node that is not there cannot be stood at. */
export const isKept = (viewpoint: Viewpoint, frame: SharedFrame | null): boolean =>
  frame !== null &&
  (frame.nodes === null || viewpoint.nodeId === undefined || frame.nodes.includes(viewpoint.nodeId));

/**
 * The scene of an event's copy. Stops follow their tags; one that leads nowhere any more is left out, as is a plan of another place.
 * @param idOf the copy of a tag or medium; undefined when it has none
 * @param newId the id of a copied stop
 */
export function copiedScene(
  scene: Omit<EventScene, "version">,
  frame: SharedFrame | null,
  idOf: (id: Uuid) => Uuid | undefined,
  newId: () => Uuid,
): Omit<EventScene, "version"> {
  const kept = (viewpoint: Viewpoint | null) =>
    viewpoint !== null && isKept(viewpoint, frame) ? viewpoint : null;
  const tour = scene.tour.flatMap((stop): TourStop[] => {
    const tagId = stop.tagId === null ? null : (idOf(stop.tagId) ?? null);
    const viewpoint = kept(stop.viewpoint);
    const isGone = (stop.tagId !== null && tagId === null) || (tagId === null && viewpoint === null);
    return isGone ? [] : [{ ...stop, id: newId(), tagId, viewpoint }];
  });
  const mediaId = scene.plan && frame ? idOf(scene.plan.mediaId) : undefined;
  return {
    startView: kept(scene.startView),
    tour,
    plan: scene.plan && mediaId !== undefined ? { ...scene.plan, mediaId } : null,
    products: scene.products,
  };
}
