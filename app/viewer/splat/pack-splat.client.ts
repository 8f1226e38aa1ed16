import { defines, PackedSplats } from "@sparkjsdev/spark";
import { Color, Quaternion, Vector3 } from "three";
import { SPLAT_BYTES } from "../core/splat-file";
import type { TimeSlicer } from "../core/time-slicer";

/** Number of splats between two checks of the clock. */
const SPLATS_PER_CHECK = 4096;

/**
 * Reads a .splat file. Spark's own reader derives the angle of a rotation only from w. A byte stores at most 127/128 of w, so splats without
 * rotation would be rotated by 14° about x. `pushSplat` normalizes rotations.
 * @throws AbortError when the signal of `slicer` is aborted
 */
export async function packSplat(bytes: Uint8Array, slicer: TimeSlicer): Promise<PackedSplats> {
  const count = Math.floor(bytes.length / SPLAT_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packed = new PackedSplats({
    maxSplats: count,
    splatEncoding: { ...defines.DEFAULT_SPLAT_ENCODING },
  });
  const [position, scale] = [new Vector3(), new Vector3()];
  const rotation = new Quaternion();
  const color = new Color();
  for (let index = 0; index < count; index++) {
    const start = index * SPLAT_BYTES;
    const float = (offset: number) => view.getFloat32(start + offset, true);
    const share = (offset: number) => view.getUint8(start + offset) / 255;
    const part = (offset: number) => view.getUint8(start + offset) - 128;
    position.set(float(0), float(4), float(8));
    scale.set(float(12), float(16), float(20));
    color.set(share(24), share(25), share(26));
    rotation.set(part(29), part(30), part(31), part(28));
    packed.pushSplat(position, scale, rotation, share(27), color);
    if (index % SPLATS_PER_CHECK === 0 && slicer.isDue) await slicer.pause();
  }
  return packed;
}
