import { type Camera, PerspectiveCamera } from "three";
import type { PlanImage } from "../core/contract";
import type { Extent } from "../core/orbit";
import { encodeImage, type Stage } from "./stage.client";

/** Pixels of the longer side. */
const LONGER_SIDE = 1024;
/** Field of view in degrees. It is small, so that the rays are nearly parallel. */
const FOV = 2;
/** Height above the floor in metres at which the space is cut, so that the rooms are visible from above. */
const CUT_HEIGHT = 2.2;
/** Margin around the space, as a share of its size. */
const MARGIN = 0.02;

/**
 * Draws the space from straight above, cut open above the visitors' heads. Resolves to null for a space without width or depth, and while the stage
 * cannot draw.
 * @param floor height of the floor, in metres
 * @param arrange called with the camera before the image is drawn
 */
export async function drawPlanImage(
  stage: Stage,
  { min, max }: Extent,
  floor: number,
  arrange: (camera: Camera) => Promise<void>,
): Promise<PlanImage | null> {
  const [width, height] = [max[0] - min[0], max[2] - min[2]].map((size) => size * (1 + 2 * MARGIN));
  if (!width || !height || !Number.isFinite(width + height)) return null;
  const center = [(min[0] + max[0]) / 2, (min[2] + max[2]) / 2] as const;
  const cameraDistance = height / 2 / Math.tan((FOV * Math.PI) / 360);
  const camera = new PerspectiveCamera(
    FOV,
    width / height,
    Math.max(0.1, cameraDistance - CUT_HEIGHT),
    cameraDistance + floor - min[1] + 1,
  );
  camera.rotation.order = "YXZ";
  camera.rotation.x = -Math.PI / 2;
  camera.position.set(center[0], floor + cameraDistance, center[1]);
  camera.updateMatrixWorld();
  await arrange(camera);
  const scale = LONGER_SIDE / Math.max(width, height);
  const canvas = stage.drawWithCamera(
    camera,
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
  const blob = canvas && (await encodeImage(canvas));
  return blob && { blob, center, width, height };
}
