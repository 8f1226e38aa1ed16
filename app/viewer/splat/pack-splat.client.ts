import { defines, PackedSplats } from "@sparkjsdev/spark";
import { Color, Quaternion, Vector3 } from "three";
import { SPLAT_BYTES } from "../core/splat-file";
import type { TimeSlicer } from "../core/time-slicer";

/** Number of splats between two checks of the clock. */
const SPLATS_PER_CHECK = 4096;

/**
 * Reads a .splat file into Spark's packed form. Spark's own reader would rotate splats without rotation by 14° about x: it derives the angle only
 * from w, and a byte stores at most 127/128 of it. `pushSplat` normalizes rotations instead.
 * @throws AbortError when the signal of `slicer` is aborted
 */
export async function packSplatFile(bytes: Uint8Array, slicer: TimeSlicer): Promise<PackedSplats> {
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
    const readFloat = (offset: number) => view.getFloat32(start + offset, true);
    const readShare = (offset: number) => view.getUint8(start + offset) / 255;
    const readComponent = (offset: number) => view.getUint8(start + offset) - 128;
    position.set(readFloat(0), readFloat(4), readFloat(8));
    scale.set(readFloat(12), readFloat(16), readFloat(20));
    color.set(readShare(24), readShare(25), readShare(26));
    rotation.set(readComponent(29), readComponent(30), readComponent(31), readComponent(28));
    packed.pushSplat(position, scale, rotation, readShare(27), color);
    if (index % SPLATS_PER_CHECK === 0 && slicer.isDue) await slicer.pause();
  }
  return packed;
}
