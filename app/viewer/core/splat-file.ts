/** What a file of Gaussian splats is, from its first bytes. */

import { openGlb, readGltfSplats } from "~/domain/library/formats/gltf-splats";
import { PLY_NUMBER_BYTES } from "~/domain/library/formats/ply-header";
import { notedUp, readSpzFileHeader, readSpzHeader, spzUp } from "~/domain/library/formats/spz";
import type { Vec3 } from "~/domain/shared/model";

/** The formats, by their usual extensions. */
export type SplatFormat = "ply" | "spz" | "splat" | "ksplat" | "sog" | "glb";

/** A file of splats. */
export interface SplatFile {
  readonly format: SplatFormat;
  /** How many splats it says it has; null where that is packed away. */
  readonly count: number | null;
  /** The axis that points upwards, where the file itself says it. */
  readonly up?: Vec3;
}

/** Bytes of a splat in the format of .splat: position and scale as floats, colour and rotation as bytes. */
export const SPLAT_BYTES = 32;
/** Bytes of the header of .ksplat. */
const KSPLAT_HEADER = 4096;
/** A header of a .ply that is longer describes something else. */
const PLY_HEADER_MAX = 16 * 1024;

/**
 * Tells the formats apart. .ply, .spz, .sog and .glb bear a mark; .ksplat has a header of its own; what is left and comes in whole splats is
 * .splat, which has none.
 * @returns null for anything else
 */
export async function readSplatFile(bytes: Uint8Array): Promise<SplatFile | null> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < SPLAT_BYTES) return null;
  const text = String.fromCharCode(...bytes.subarray(0, 4));
  if (text.startsWith("ply") && (text[3] === "\n" || text[3] === "\r")) return readPly(bytes);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const header = await readSpzFileHeader(bytes);
    const up = notedUp(bytes);
    return header && { format: "spz", count: header.count, ...(up && { up }) };
  }
  if (text === "NGSP") {
    const header = readSpzHeader(bytes);
    const up = header && spzUp(header, bytes);
    return header && { format: "spz", count: header.count, ...(up && { up }) };
  }
  if (text === "glTF") return readGlb(bytes);
  // The number of splats is in the archive's meta.json, which may be at its end.
  if (text === "PK\x03\x04") return { format: "sog", count: null };
  const isKsplat =
    bytes.length >= KSPLAT_HEADER &&
    bytes[0] === 0 &&
    (bytes[1] ?? 0) >= 1 &&
    view.getUint32(4, true) >= view.getUint32(8, true) &&
    view.getUint32(8, true) >= 1 &&
    view.getUint16(20, true) <= 2;
  if (isKsplat) return { format: "ksplat", count: view.getUint32(16, true) };
  if (bytes.length % SPLAT_BYTES !== 0) return null;
  const count = bytes.length / SPLAT_BYTES;
  const isThere = (index: number) =>
    SPLAT.floats.every((offset) => Number.isFinite(view.getFloat32(index * SPLAT_BYTES + offset, true)));
  // Captures have splats that are nowhere, among them the first ones.
  for (let index = 0; index < count; index++) if (isThere(index)) return { format: "splat", count };
  return null;
}

/** Null for a model, and while the description is not complete. In glTF, y points upwards. */
function readGlb(bytes: Uint8Array): SplatFile | null {
  const glb = openGlb(bytes);
  const splats = glb && readGltfSplats(glb.json, glb.binaryLength);
  if (!splats || typeof splats === "string") return null;
  return { format: "glb", count: splats.count, up: [0, 1, 0] };
}

/** A point cloud or mesh is a .ply as well; splats have an opacity, or are packed into chunks. */
function readPly(bytes: Uint8Array): SplatFile | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, PLY_HEADER_MAX));
  const end = head.indexOf("end_header");
  if (end < 0) return null;
  const header = head.slice(0, end);
  const isSplat = /property \w+ opacity\b/.test(header) || /property \w+ packed_position\b/.test(header);
  const count = /element vertex (\d+)/.exec(header)?.[1];
  return isSplat && count !== undefined ? { format: "ply", count: Number(count) } : null;
}

/** Splats that are looked at between two pauses. */
const PIECE = 20_000;
/** What a .ply says of a splat of no size that is not to be seen (logarithm, logit); all else is 0. */
const NOTHING: Readonly<Record<string, number>> = {
  opacity: -100,
  scale_0: -100,
  scale_1: -100,
  scale_2: -100,
  rot_0: 1,
};

/** Where the splats of a file begin, their size in bytes, and where in each its floats are. */
interface Layout {
  readonly begin: number;
  readonly stride: number;
  readonly floats: readonly number[];
  /** Makes the splat at an offset invisible. */
  hide(view: DataView, at: number): void;
}

/**
 * Makes splats with numbers that are not finite invisible, in place: drawn, each would be a fog over everything. Pauses now and then.
 * @returns how many others there are; null for formats whose numbers are whole ones, always finite, or packed in another way
 */
export function* hideBroken(bytes: Uint8Array, { format, count }: SplatFile): Generator<void, number | null> {
  const layout = format === "splat" ? SPLAT : format === "ply" ? plyLayout(bytes) : null;
  if (!layout || count === null) return null;
  const { begin, stride, floats } = layout;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = Math.min(count, Math.floor((bytes.length - begin) / stride));
  let left = 0;
  for (let index = 0; index < whole; index++) {
    const at = begin + index * stride;
    if (floats.every((offset) => Number.isFinite(view.getFloat32(at + offset, true)))) left++;
    else layout.hide(view, at);
    if (index % PIECE === PIECE - 1) yield;
  }
  return left;
}

/** Position and scale are floats; the fourth byte of the colour is the opacity. */
const SPLAT: Layout = {
  begin: 0,
  stride: SPLAT_BYTES,
  floats: [0, 4, 8, 12, 16, 20],
  hide(view, at) {
    for (const offset of SPLAT.floats) view.setFloat32(at + offset, 0, true);
    view.setUint8(at + 27, 0);
  },
};

/** Null for what is no list of plain splats. */
function plyLayout(bytes: Uint8Array): Layout | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, PLY_HEADER_MAX));
  const [header, ending] = /^[\s\S]*?end_header\r?\n/.exec(head)?.[0].split("element vertex") ?? [];
  if (!header || !ending || !header.includes("binary_little_endian") || header.includes("element "))
    return null;
  const places = new Map<string, number>();
  let stride = 0;
  for (const [, type = "", name = ""] of (ending.split("element ")[0] ?? "").matchAll(
    /property (\w+) (\w+)/g,
  )) {
    const size = PLY_NUMBER_BYTES[type];
    if (size === undefined) return null;
    // Of what colours do from the side, nothing hangs in the air.
    if (/^float(32)?$/.test(type) && !name.startsWith("f_rest_")) places.set(name, stride);
    stride += size;
  }
  if (!places.has("opacity")) return null;
  return {
    begin: header.length + "element vertex".length + ending.length,
    stride,
    floats: [...places.values()],
    hide(view, at) {
      for (const [name, offset] of places) view.setFloat32(at + offset, NOTHING[name] ?? 0, true);
    },
  };
}
