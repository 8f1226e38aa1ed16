import type { PackedSplats } from "@sparkjsdev/spark";
import { Vector3 } from "three";
import type { TimeSlicer } from "../core/time-slicer";
import type { SplatSamples } from "./detect-up";

/** In a larger capture, between this number of splats and twice as many are sampled to detect the up axis. The same splats are chosen each time. */
const SAMPLE_COUNT = 24_000;
/** Minimum opacity of a sampled splat, 0…1. Fainter ones are treated as fog. */
const OPACITY_MIN = 0.2;
/** Maximum ratio of thickness to width of a splat that has a normal. */
const FLAT_RATIO_MAX = 0.5;
/** Maximum weight of a splat, as a multiple of the median weight. */
const WEIGHT_MAX = 20;

/** Samples splats for detectUp, in the file's frame. */
export async function sampleSplats(splats: PackedSplats, slicer: TimeSlicer): Promise<SplatSamples> {
  const stride = Math.max(1, Math.floor(splats.numSplats / SAMPLE_COUNT));
  const maxSamples = Math.ceil(splats.numSplats / stride);
  const positions = new Float32Array(maxSamples * 3);
  const normals = new Float32Array(maxSamples * 3);
  const weights = new Float32Array(maxSamples);
  let sampleCount = 0;
  const normal = new Vector3();
  for (let index = 0; index < splats.numSplats; index += stride) {
    if (slicer.isDue) await slicer.pause();
    const { center, scales, quaternion, opacity } = splats.getSplat(index);
    if (!(opacity >= OPACITY_MIN) || ![...center, ...scales].every(Number.isFinite)) continue;
    const sizes = [scales.x, scales.y, scales.z];
    const thickness = Math.min(...sizes);
    const axis = sizes.indexOf(thickness);
    const [u = 0, v = 0] = sizes.filter((_, sizeAxis) => sizeAxis !== axis);
    positions.set(center.toArray(), sampleCount * 3);
    if (thickness < Math.min(u, v) * FLAT_RATIO_MAX)
      normal
        .setComponent(axis, 1)
        .applyQuaternion(quaternion)
        .toArray(normals, sampleCount * 3);
    normal.set(0, 0, 0);
    weights[sampleCount++] = u * v * Math.min(1, opacity);
  }
  const sampledWeights = weights.slice(0, sampleCount);
  const medianWeight = sampledWeights.slice().sort()[sampleCount >> 1] ?? 0;
  return {
    positions: positions.slice(0, sampleCount * 3),
    normals: normals.slice(0, sampleCount * 3),
    weights: sampledWeights.map((weight) => Math.min(weight, medianWeight * WEIGHT_MAX)),
  };
}
