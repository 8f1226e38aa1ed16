/** Determines which positions of an event remain valid in another space. */

import { isEqual } from "../shared/is-equal";
import type { EventScene, PanoramaNode, Space, TourStop, Uuid, Viewpoint } from "../shared/model";
import { MODEL_DISPLAY, type ModelDisplay } from "../spaces/model-display";

/** The fields of a space that identify the place it shows: `sid` for a showcase (a space that Matterport hosts), `source` for others. */
export type Place = Pick<Space, "sid" | "source">;

/** A coordinate frame of two spaces in which points have the same coordinates. */
export interface SharedFrame {
  /** Ids of the panorama nodes of the first space that are the same in both; null when these are all of its nodes, or it shows no panoramas. */
  readonly nodes: readonly string[] | null;
}

/** Returns whether two display settings put a model's points at the same positions. */
const isSameFrame = (a: ModelDisplay = MODEL_DISPLAY, b: ModelDisplay = MODEL_DISPLAY) =>
  a.scale === b.scale && a.up === b.up && a.turn === b.turn && a.scene === b.scene;

const isSameNode = (a: PanoramaNode, b: PanoramaNode) =>
  a.mediaId === b.mediaId && isEqual(a.position, b.position) && a.heading === b.heading;

/**
 * Returns the frame that two spaces share, or null when they share none. They share a frame when both show the same showcase; the same
 * model with the same scale, upward axis, turn and scene of its file; the same splats with the same upward axis; or panoramas
 * with at least one node in common: the same id, image, position and heading. A node whose image has another position or heading in the other space
 * rules this out.
 * The start view, the eye height, and the titles and links of nodes are ignored.
 */
export function sharedFrame(a: Place, b: Place): SharedFrame | null {
  const frame: SharedFrame = { nodes: null };
  const [fromSource, toSource] = [a.source, b.source];
  if (fromSource.kind === "showcase" && toSource.kind === "showcase") return a.sid === b.sid ? frame : null;
  if (fromSource.kind === "model" && toSource.kind === "model")
    return fromSource.mediaId === toSource.mediaId && isSameFrame(fromSource.display, toSource.display)
      ? frame
      : null;
  if (fromSource.kind === "splat" && toSource.kind === "splat")
    return fromSource.mediaId === toSource.mediaId && fromSource.up === toSource.up ? frame : null;
  if (fromSource.kind !== "panorama" || toSource.kind !== "panorama") return null;
  const targetNodes = new Map(toSource.nodes.map((node) => [node.id, node]));
  const nodes: string[] = [];
  for (const node of fromSource.nodes) {
    const targetNode = targetNodes.get(node.id);
    if (!targetNode) continue;
    if (isSameNode(node, targetNode)) nodes.push(node.id);
    // If the same image has another position or heading, everything visible in it has another position.
    else if (node.mediaId === targetNode.mediaId) return null;
  }
  if (nodes.length === 0) return null;
  return nodes.length === fromSource.nodes.length ? frame : { nodes };
}

/** Returns whether a viewpoint of one space is valid in the other. A node that it names must be the same in both. */
export const isValidInFrame = (viewpoint: Viewpoint, frame: SharedFrame | null): boolean =>
  frame !== null &&
  (frame.nodes === null || viewpoint.nodeId === undefined || frame.nodes.includes(viewpoint.nodeId));

/**
 * Returns the scene for a copy of an event. Stops refer to the copied tags. A stop is omitted if its tag has no copy, or if it has neither a tag nor
 * a valid viewpoint; a plan is omitted if its image has no copy, or the spaces share no frame.
 * @param copyIdOf returns the id of the copy of a tag or media item; undefined when there is no copy
 * @param newId creates the id of a copied stop
 */
export function copyScene(
  scene: Omit<EventScene, "version">,
  frame: SharedFrame | null,
  copyIdOf: (id: Uuid) => Uuid | undefined,
  newId: () => Uuid,
): Omit<EventScene, "version"> {
  const validViewpoint = (viewpoint: Viewpoint | null) =>
    viewpoint !== null && isValidInFrame(viewpoint, frame) ? viewpoint : null;
  const tour = scene.tour.flatMap((stop): TourStop[] => {
    const tagId = stop.tagId === null ? null : (copyIdOf(stop.tagId) ?? null);
    const viewpoint = validViewpoint(stop.viewpoint);
    const isOmitted = (stop.tagId !== null && tagId === null) || (tagId === null && viewpoint === null);
    return isOmitted ? [] : [{ ...stop, id: newId(), tagId, viewpoint }];
  });
  const mediaId = scene.plan && frame ? copyIdOf(scene.plan.mediaId) : undefined;
  return {
    startView: validViewpoint(scene.startView),
    tour,
    plan: scene.plan && mediaId !== undefined ? { ...scene.plan, mediaId } : null,
    products: scene.products,
  };
}
