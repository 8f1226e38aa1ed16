import { gzipSync } from "node:zlib";

/** One Gaussian splat, in metres. */
export interface Splat {
  readonly position: readonly [number, number, number];
  /** One standard deviation along each of the splat's own axes. */
  readonly scale: readonly [number, number, number];
  /** Unit quaternion x, y, z, w. */
  readonly rotation: readonly [number, number, number, number];
  /** sRGB, 0…1. */
  readonly color: readonly [number, number, number];
  /** 0…1. */
  readonly opacity: number;
}

const MAGIC = 0x5053474e;
const VERSION = 2;
/** Positions have a resolution of a quarter of a millimetre, up to two kilometres. */
const FRACTION_BITS = 12;
/** The first spherical harmonic, and the factor from its coefficient to a byte's range: github.com/nianticlabs/spz, load-spz.cc. */
const SH_C0 = 0.28209479177387814;
const COLOR_SCALE = 0.15;

const byte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

/** Splats as an .spz file, version 2: each attribute of all splats in sequence, then compressed. */
export function writeSpz(splats: readonly Splat[]): Buffer {
  const count = splats.length;
  const raw = Buffer.alloc(16 + count * 19);
  raw.writeUInt32LE(MAGIC, 0);
  raw.writeUInt32LE(VERSION, 4);
  raw.writeUInt32LE(count, 8);
  raw.writeUInt8(0, 12);
  raw.writeUInt8(FRACTION_BITS, 13);
  const [alphaOffset, colorOffset, scaleOffset, rotationOffset] = [9, 10, 13, 16].map(
    (bytesBefore) => 16 + count * bytesBefore,
  ) as [number, number, number, number];
  splats.forEach(({ position, scale, rotation, color, opacity }, index) => {
    for (let axis = 0; axis < 3; axis++) {
      const fixedPoint = Math.round((position[axis] ?? 0) * 2 ** FRACTION_BITS);
      raw.writeIntLE(fixedPoint, 16 + (index * 3 + axis) * 3, 3);
      raw[colorOffset + index * 3 + axis] = byte(
        ((((color[axis] ?? 0) - 0.5) / SH_C0) * COLOR_SCALE + 0.5) * 255,
      );
      raw[scaleOffset + index * 3 + axis] = byte((Math.log(scale[axis] ?? 1) + 10) * 16);
      const sign = rotation[3] < 0 ? -1 : 1;
      raw[rotationOffset + index * 3 + axis] = byte((rotation[axis] ?? 0) * sign * 127.5 + 127.5);
    }
    raw[alphaOffset + index] = byte(opacity * 255);
  });
  return gzipSync(raw, { level: 6 });
}
