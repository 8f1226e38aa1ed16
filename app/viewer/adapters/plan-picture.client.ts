import { type Camera, PerspectiveCamera } from "three";
import type { PlanImage } from "../core/contract";
import type { Extent } from "../core/orbit";
import { blobOf, type Stage } from "./stage.client";

/** Pixels of the longer side. */
const SIDE = 1024;
/** Nearly parallel rays. */
const FOV = 2;
/** Metres above the floor: what is higher is cut off, so that one looks into the rooms. */
const CUT = 2.2;
/** Around the space, as a share of it. */
const MARGIN = 0.02;

/**
 * The space from straight above, cut open above the heads.
 * @param floor its height, in metres.
 * @param arrange called with the camera before the picture is taken.
 */
export async function takePlan(
  stage: Stage,
  { min, max }: Extent,
  floor: number,
  arrange: (camera: Camera) => Promise<void>,
): Promise<PlanImage | null> {
  const [across, along] = [max[0] - min[0], max[2] - min[2]].map((size) => size * (1 + 2 * MARGIN));
  if (!across || !along || !Number.isFinite(across + along)) return null;
  const center = [(min[0] + max[0]) / 2, (min[2] + max[2]) / 2] as const;
  const away = along / 2 / Math.tan((FOV * Math.PI) / 360);
  const camera = new PerspectiveCamera(
    FOV,
    across / along,
    Math.max(0.1, away - CUT),
    away + floor - min[1] + 1,
  );
  camera.rotation.order = "YXZ";
  camera.rotation.x = -Math.PI / 2;
  camera.position.set(center[0], floor + away, center[1]);
  camera.updateMatrixWorld();
  await arrange(camera);
  const scale = SIDE / Math.max(across, along);
  const picture = stage.draw(
    camera,
    Math.max(1, Math.round(across * scale)),
    Math.max(1, Math.round(along * scale)),
  );
  const blob = picture && (await blobOf(picture));
  return blob && { blob, center, width: across, height: along };
}
