/** Creates small files of Gaussian splats: SPZ, SOG, compressed PLY and GLB. See tests/viewer/splat-writers.ts for .splat, .ply and .ksplat. */
import { crc32, deflateRawSync, gunzipSync, zstdCompressSync } from "node:zlib";
import sharp from "sharp";
import { concatBytes, glbFile, u32le } from "./media-files";
import { type Splat, writeSpz } from "./spz";
import { zipFile } from "./zip-file";

/** Bytes of a splat's spherical harmonics above degree 0, by the highest degree: three colours for each coefficient. */
const HARMONICS_BYTES = [0, 9, 24, 45, 72] as const;
/** The spherical harmonic of degree 0. */
const SH_C0 = 0.28209479177387814;
const byte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

/** An SPZ file of version 2 before gzip. */
export const rawSpz = (splats: readonly Splat[]): Uint8Array => new Uint8Array(gunzipSync(writeSpz(splats)));

/**
 * A rotation in the form of versions 3 and 4: the index of the largest component, and the other three in ten bits each
 * (load-spz.cc).
 */
function packRotation(rotation: Splat["rotation"]): number {
  const largest = rotation.reduce(
    (best, value, index) => (Math.abs(value) > Math.abs(rotation[best] ?? 0) ? index : best),
    0,
  );
  const isNegated = (rotation[largest] ?? 0) < 0;
  let packed = largest;
  rotation.forEach((value, index) => {
    if (index === largest) return;
    const magnitude = Math.round((Math.min(Math.SQRT1_2, Math.abs(value)) / Math.SQRT1_2) * 511);
    packed = packed * 1024 + (value < 0 !== isNegated ? 512 : 0) + magnitude;
  });
  return packed;
}

/** Faults and special features of an SPZ file of version 4. */
export interface Spz4Options {
  readonly degree?: 0 | 1 | 2 | 3 | 4;
  /** The coordinate system of SPZ_ADOBE_coordinate_system. */
  readonly system?: number;
  /** Number of splats in the header. */
  readonly count?: number;
  /** Number of bytes to which the first stream decompresses instead. */
  readonly bomb?: number;
}

/** An SPZ file of version 4: a plain header, extensions, a table of contents and a Zstandard frame for each property. */
export function writeSpz4(splats: readonly Splat[], options: Spz4Options = {}): Uint8Array {
  const { degree = 0, system, count = splats.length, bomb } = options;
  const raw = Buffer.from(rawSpz(splats));
  const splatCount = splats.length;
  const propertyBytes = (startByte: number, endByte: number) =>
    raw.subarray(16 + splatCount * startByte, 16 + splatCount * endByte);
  const rotations = Buffer.alloc(splatCount * 4);
  splats.forEach(({ rotation }, index) => {
    rotations.writeUInt32LE(packRotation(rotation), index * 4);
  });
  const streams = [
    propertyBytes(0, 9),
    propertyBytes(9, 10),
    propertyBytes(10, 13),
    propertyBytes(13, 16),
    rotations,
  ];
  if (degree > 0) streams.push(Buffer.alloc(splatCount * HARMONICS_BYTES[degree], 128));
  const packed = streams.map((stream, index) =>
    zstdCompressSync(index === 0 && bomb !== undefined ? Buffer.alloc(bomb) : stream),
  );
  const extensions =
    system === undefined ? concatBytes() : concatBytes(u32le(0xadbe0003), u32le(4), u32le(system));
  const toc = Buffer.alloc(streams.length * 16);
  streams.forEach((stream, index) => {
    toc.writeBigUInt64LE(BigInt(packed[index]?.length ?? 0), index * 16);
    toc.writeBigUInt64LE(BigInt(stream.length), index * 16 + 8);
  });
  return concatBytes(
    ...["NGSP", u32le(4), u32le(count), [degree, 12, system === undefined ? 0 : 2, streams.length]],
    ...[u32le(32 + extensions.length), new Uint8Array(12), extensions, toc],
    ...packed,
  );
}

/** Faults and special features of a SOG file. */
export interface SogOptions {
  readonly isDeflated?: boolean;
  /** Number of splats in meta.json. */
  readonly count?: number;
  /** Names of images that are omitted. */
  readonly without?: readonly string[];
  /** Side of every image in pixels, when it differs from the side that the splats need. */
  readonly side?: number;
  readonly folder?: string;
}

/** Splats as SOG, version 2: lossless WebP images with a pixel for each splat, and tables of 256 numbers (splat-transform). */
export async function writeSog(splats: readonly Splat[], options: SogOptions = {}): Promise<Uint8Array> {
  const { isDeflated = false, count = splats.length, without = [], folder = "" } = options;
  const side = options.side ?? Math.ceil(Math.sqrt(splats.length) / 4) * 4;
  const createCodebook = (values: readonly number[]) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return Array.from({ length: 256 }, (_, index) => low + ((high - low) * index) / 255);
  };
  const nearestIndex = (list: readonly number[], value: number) => {
    const [low = 0, high = 0] = [list[0], list.at(-1)];
    return high === low ? 0 : byte(((value - low) / (high - low)) * 255);
  };
  const signedLog = (value: number) => Math.sign(value) * Math.log(1 + Math.abs(value));
  const scales = createCodebook(splats.flatMap(({ scale }) => scale.map(Math.log)));
  const toCoefficient = (value: number) => (value - 0.5) / SH_C0;
  const colors = createCodebook(splats.flatMap(({ color }) => color.map(toCoefficient)));
  const logPositions = splats.map(({ position }) => position.map(signedLog));
  const mins = [0, 1, 2].map((axis) => Math.min(...logPositions.map((position) => position[axis] ?? 0)));
  const maxs = [0, 1, 2].map(
    (axis) => Math.max(...logPositions.map((position) => position[axis] ?? 0)) + 1e-6,
  );
  const quantize = (index: number, axis: number) => {
    const [low = 0, high = 1] = [mins[axis], maxs[axis]];
    return Math.round((((logPositions[index]?.[axis] ?? 0) - low) / (high - low)) * 65_535);
  };
  /** A quaternion without its largest component. The fourth byte states which one: 252 for w, then x, y, z. */
  const packQuaternion = ([x, y, z, w]: Splat["rotation"]) => {
    const components = [w, x, y, z];
    const largest = components.reduce(
      (best, value, index) => (Math.abs(value) > Math.abs(components[best] ?? 0) ? index : best),
      0,
    );
    const sign = (components[largest] ?? 0) < 0 ? -1 : 1;
    const otherComponents = components
      .filter((_, index) => index !== largest)
      .map((value) => byte(((value * sign) / Math.SQRT2 + 0.5) * 255));
    return [...otherComponents, 252 + largest];
  };
  const pixelReaders: Readonly<Record<string, (splat: Splat, index: number) => readonly number[]>> = {
    means_l: (_, index) => [...[0, 1, 2].map((axis) => quantize(index, axis) & 255), 255],
    means_u: (_, index) => [...[0, 1, 2].map((axis) => quantize(index, axis) >> 8), 255],
    quats: ({ rotation }) => packQuaternion(rotation),
    scales: ({ scale }) => [...scale.map((value) => nearestIndex(scales, Math.log(value))), 255],
    sh0: ({ color, opacity }) => [
      ...color.map((value) => nearestIndex(colors, toCoefficient(value))),
      byte(opacity * 255),
    ],
  };
  const files = await Promise.all(
    Object.entries(pixelReaders).map(async ([name, readPixels]) => {
      const data = Buffer.alloc(side * side * 4);
      splats.forEach((splat, index) => {
        if ((index + 1) * 4 <= data.length) data.set(readPixels(splat, index), index * 4);
      });
      const image = sharp(data, { raw: { width: side, height: side, channels: 4 } });
      return {
        name: `${name}.webp`,
        bytes: new Uint8Array(await image.webp({ lossless: true, exact: true }).toBuffer()),
      };
    }),
  );
  const meta = {
    version: 2,
    count,
    asset: { generator: "tests" },
    means: { mins, maxs, files: ["means_l.webp", "means_u.webp"] },
    scales: { codebook: scales, files: ["scales.webp"] },
    quats: { files: ["quats.webp"] },
    sh0: { codebook: colors, files: ["sh0.webp"] },
  };
  const allFiles = [...files, { name: "meta.json", bytes: concatBytes(JSON.stringify(meta)) }];
  return zipFile(
    allFiles
      .filter(({ name }) => !without.includes(name))
      .map(({ name, bytes }) =>
        isDeflated
          ? {
              name: folder + name,
              bytes: new Uint8Array(deflateRawSync(bytes)),
              method: 8,
              crc: crc32(bytes),
              size: bytes.length,
            }
          : { name: folder + name, bytes },
      ),
  );
}

/** Number of splats in a chunk of compressed PLY. */
const CHUNK = 256;

/** Compressed PLY as PlayCanvas writes it: chunks with the bounds of 256 splats, and four numbers for each splat. */
export function writeCompressedPly(splats: readonly Splat[]): Uint8Array {
  const names =
    "min_x min_y min_z max_x max_y max_z min_scale_x min_scale_y min_scale_z max_scale_x max_scale_y max_scale_z";
  const packedNames = "packed_position packed_rotation packed_scale packed_color";
  const chunks = Math.ceil(splats.length / CHUNK);
  const header = [
    ...["ply", "format binary_little_endian 1.0", `element chunk ${chunks}`],
    ...names.split(" ").map((name) => `property float ${name}`),
    ...[
      `element vertex ${splats.length}`,
      ...packedNames.split(" ").map((name) => `property uint ${name}`),
      "end_header",
      "",
    ],
  ].join("\n");
  const bounds = Buffer.alloc(chunks * 48);
  const body = Buffer.alloc(splats.length * 16);
  const quantize = (value: number, low: number, high: number, bits: number) =>
    high === low ? 0 : Math.round(((value - low) / (high - low)) * (2 ** bits - 1));
  const pack = (values: readonly number[], low: readonly number[], high: readonly number[]) => {
    const [x = 0, y = 0, z = 0] = [11, 10, 11].map((bits, axis) =>
      quantize(values[axis] ?? 0, low[axis] ?? 0, high[axis] ?? 0, bits),
    );
    return x * 2 ** 21 + y * 2 ** 11 + z;
  };
  for (let chunk = 0; chunk < chunks; chunk++) {
    const chunkSplats = splats.slice(chunk * CHUNK, (chunk + 1) * CHUNK);
    const range = (readVector: (splat: Splat) => readonly number[]) =>
      [Math.min, Math.max].map((pick) =>
        [0, 1, 2].map((axis) => pick(...chunkSplats.map((splat) => readVector(splat)[axis] ?? 0))),
      );
    const logScale = (splat: Splat) => splat.scale.map(Math.log);
    const [low = [], high = []] = range(({ position }) => position);
    const [minScale = [], maxScale = []] = range(logScale);
    [...low, ...high, ...minScale, ...maxScale].forEach((value, index) => {
      bounds.writeFloatLE(value, chunk * 48 + index * 4);
    });
    chunkSplats.forEach((splat, index) => {
      const offset = (chunk * CHUNK + index) * 16;
      const [x, y, z, w] = splat.rotation;
      const components = [w, x, y, z];
      const largest = components.reduce(
        (best, value, index) => (Math.abs(value) > Math.abs(components[best] ?? 0) ? index : best),
        0,
      );
      const sign = (components[largest] ?? 0) < 0 ? -1 : 1;
      const packedRotation = components
        .filter((_, position) => position !== largest)
        .reduce((sum, value) => sum * 1024 + Math.round(((value * sign) / Math.SQRT2 + 0.5) * 1023), largest);
      body.writeUInt32LE(pack(splat.position, low, high), offset);
      body.writeUInt32LE(packedRotation, offset + 4);
      body.writeUInt32LE(pack(logScale(splat), minScale, maxScale), offset + 8);
      body.writeUInt32LE(
        Buffer.from([...splat.color, splat.opacity].map((value) => byte(value * 255))).readUInt32BE(),
        offset + 12,
      );
    });
  }
  return concatBytes(header, bounds, body);
}

const SPLATTING = "KHR_gaussian_splatting";

/** Forms and faults of splats in a GLB file. */
export interface GlbSplatOptions {
  /** "quantized": normalized integers, interleaved with padding. "draft": logarithms of scales, and COLOR_0 with the opacity. */
  readonly form?: "floats" | "quantized" | "draft";
  /** An SPZ file that replaces the attributes. */
  readonly spz?: Uint8Array;
  /** Spherical harmonics coefficients of the degrees from 1 on, the same for all splats: three colours each, in sequence. */
  readonly harmonics?: readonly (readonly [number, number, number])[];
  readonly nodes?: readonly object[];
  /** Changes the glTF description before it is written. */
  readonly change?: (json: GlbSplatJson) => object;
}

export interface GlbSplatJson {
  readonly accessors: Record<string, unknown>[];
  readonly bufferViews: Record<string, unknown>[];
  readonly meshes: { primitives: { attributes: Record<string, number>; extensions: object }[] }[];
  readonly [name: string]: unknown;
}

/** Splats in a GLB file (KHR_gaussian_splatting, and KHR_gaussian_splatting_compression_spz_2 with `spz`). */
export function writeGlbSplats(splats: readonly Splat[], options: GlbSplatOptions = {}): Uint8Array {
  const { form = "floats", spz, harmonics = [], nodes = [{ mesh: 0 }], change = (json) => json } = options;
  const count = splats.length;
  const accessors: Record<string, unknown>[] = [];
  const bufferViews: Record<string, unknown>[] = [];
  const attributes: Record<string, number> = {};
  const chunks: Buffer[] = [];
  let size = 0;
  const addView = (bytes: Buffer, byteStride?: number) => {
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
    chunks.push(padded);
    size += padded.length;
    bufferViews.push({ buffer: 0, byteOffset: size - padded.length, byteLength: bytes.length, byteStride });
    return bufferViews.length - 1;
  };
  const addAccessor = (name: string, accessor: object) => {
    attributes[name] = accessors.push({ count, componentType: 5126, ...accessor }) - 1;
  };
  const addProperty = (name: string, valuesOf: (splat: Splat) => readonly number[]) => {
    const rows = splats.map(valuesOf);
    const type = { 1: "SCALAR", 3: "VEC3", 4: "VEC4" }[rows[0]?.length ?? 1];
    const bufferView = spz ? undefined : addView(Buffer.from(Float32Array.from(rows.flat()).buffer));
    addAccessor(name, { bufferView, type });
  };
  if (spz) addView(Buffer.from(spz));
  if (form === "quantized") {
    // Positions in metres / 16, of 16 bits; scales / 2, of 16 bits; rotations of 16 bits; opacities of 8 bits.
    const rows = Buffer.alloc(count * 24);
    splats.forEach(({ position, scale, rotation, opacity }, index) => {
      position.forEach((value, axis) => {
        rows.writeInt16LE(Math.round((value / 16) * 32_767), index * 24 + axis * 2);
      });
      scale.forEach((value, axis) => {
        rows.writeUInt16LE(Math.round((value / 2) * 65_535), index * 24 + 6 + axis * 2);
      });
      rotation.forEach((value, axis) => {
        rows.writeInt16LE(Math.round(value * 32_767), index * 24 + 12 + axis * 2);
      });
      rows[index * 24 + 20] = byte(opacity * 255);
    });
    const bufferView = addView(rows, 24);
    const field = (byteOffset: number, componentType: number, type: string) => ({
      bufferView,
      byteOffset,
      componentType,
      type,
      normalized: true,
    });
    addAccessor("POSITION", field(0, 5122, "VEC3"));
    addAccessor(`${SPLATTING}:SCALE`, field(6, 5123, "VEC3"));
    addAccessor(`${SPLATTING}:ROTATION`, field(12, 5122, "VEC4"));
    addAccessor(`${SPLATTING}:OPACITY`, field(20, 5121, "SCALAR"));
  } else {
    addProperty("POSITION", ({ position }) => position);
    addProperty(`${SPLATTING}:SCALE`, ({ scale }) => (form === "draft" ? scale.map(Math.log) : scale));
    addProperty(`${SPLATTING}:ROTATION`, ({ rotation }) => rotation);
    if (form === "floats") addProperty(`${SPLATTING}:OPACITY`, ({ opacity }) => [opacity]);
  }
  if (form === "draft") addProperty("COLOR_0", ({ color, opacity }) => [...color, opacity]);
  else
    addProperty(`${SPLATTING}:SH_DEGREE_0_COEF_0`, ({ color }) =>
      color.map((value) => (value - 0.5) / SH_C0),
    );
  harmonics.forEach((value, index) => {
    const degree = Math.floor(Math.sqrt(index + 1));
    addProperty(`${SPLATTING}:SH_DEGREE_${degree}_COEF_${index + 1 - degree * degree}`, () => value);
  });
  const spzExtension = spz && { extensions: { [`${SPLATTING}_compression_spz_2`]: { bufferView: 0 } } };
  const kernelProperties = form === "draft" ? {} : { kernel: "ellipse", colorSpace: "srgb_rec709_display" };
  const json: GlbSplatJson = {
    asset: { version: "2.0" },
    extensionsUsed: [SPLATTING],
    extensionsRequired: [SPLATTING],
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes,
    meshes: [
      {
        primitives: [
          { mode: 0, attributes, extensions: { [SPLATTING]: { ...kernelProperties, ...spzExtension } } },
        ],
      } as never,
    ],
    accessors,
    bufferViews,
    buffers: [{ byteLength: size }],
  };
  return glbFile(change(json), Buffer.concat(chunks));
}
