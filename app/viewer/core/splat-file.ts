/** Recognises files of Gaussian splats, and hides invalid splats. */
import { openGlb, readGltfSplats } from "~/domain/library/formats/gltf-splats";
import { PLY_NUMBER_BYTES } from "~/domain/library/formats/ply-header";
import { readSpzFileHeader, readSpzHeader, readUpComment, spzUp } from "~/domain/library/formats/spz";
import type { Vec3 } from "~/domain/shared/model";

/** Formats, named by their usual extensions. */
export type SplatFormat = "ply" | "spz" | "splat" | "ksplat" | "sog" | "glb";

/** A file of splats. */
export interface SplatFile {
  readonly format: SplatFormat;
  /** Number of splats: declared by the file or, for a .splat, computed from its length. Null for a .sog, whose archive is not opened here. */
  readonly count: number | null;
  /** The upward axis, if the file or its format defines it. */
  readonly up?: Vec3;
}

/** Bytes of a splat in a .splat file: position and scale as floats, colour and rotation as bytes. */
export const SPLAT_BYTES = 32;
/** Bytes of the header of a .ksplat file. */
const KSPLAT_HEADER = 4096;
/** Maximum length of a .ply header of splats, in bytes. */
const PLY_HEADER_MAX = 16 * 1024;

/**
 * Recognises the format of a file. .ply, .spz, .sog and .glb start with a signature, and .ksplat has a header. Any other file
 * whose length is a multiple of SPLAT_BYTES and that contains a valid splat is a .splat, which has neither.
 * @param bytes the file, or its start; then only the splats in it are counted for a .splat
 * @returns null for all other files
 */
export async function readSplatFile(bytes: Uint8Array): Promise<SplatFile | null> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < SPLAT_BYTES) return null;
  const text = String.fromCharCode(...bytes.subarray(0, 4));
  if (text.startsWith("ply") && (text[3] === "\n" || text[3] === "\r")) return readPly(bytes);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const header = await readSpzFileHeader(bytes);
    const up = readUpComment(bytes);
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
  // The header of a .ksplat: version 0.x, the reserved and the used number of sections, the number of splats, and a compression level of 0 to 2.
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
  const isValid = (index: number) =>
    SPLAT_LAYOUT.floats.every((offset) =>
      Number.isFinite(view.getFloat32(index * SPLAT_BYTES + offset, true)),
    );
  // Captures contain invalid splats, sometimes at the start, so one valid splat is enough.
  for (let index = 0; index < count; index++) if (isValid(index)) return { format: "splat", count };
  return null;
}

/** Returns null for a glTF file without splats, and if `bytes` ends before its JSON does. In glTF, y points upwards. */
function readGlb(bytes: Uint8Array): SplatFile | null {
  const glb = openGlb(bytes);
  const splats = glb && readGltfSplats(glb.json, glb.binaryLength);
  if (!splats || typeof splats === "string") return null;
  return { format: "glb", count: splats.count, up: [0, 1, 0] };
}

/** Returns null for point clouds and meshes. Splats have an opacity, or are packed into chunks. */
function readPly(bytes: Uint8Array): SplatFile | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, PLY_HEADER_MAX));
  const end = head.indexOf("end_header");
  if (end < 0) return null;
  const header = head.slice(0, end);
  const isSplat = /property \w+ opacity\b/.test(header) || /property \w+ packed_position\b/.test(header);
  const count = /element vertex (\d+)/.exec(header)?.[1];
  return isSplat && count !== undefined ? { format: "ply", count: Number(count) } : null;
}

/** Number of splats that are tested between two pauses. */
const SPLATS_PER_SLICE = 20_000;
/**
 * Values that make a splat of a .ply file invisible (opacity, a logit) and give it no size (scales, logarithms) and a valid rotation (rot_0 is w of a
 * quaternion). All other values are 0.
 */
const INVISIBLE_PLY_VALUES: Readonly<Record<string, number>> = {
  opacity: -100,
  scale_0: -100,
  scale_1: -100,
  scale_2: -100,
  rot_0: 1,
};

/** Offset of the first splat in a file, bytes of a splat, and offsets of its floats within a splat. */
interface Layout {
  readonly begin: number;
  readonly stride: number;
  readonly floats: readonly number[];
  /** Makes the splat at an offset invisible. */
  hide(view: DataView, offset: number): void;
}

/**
 * Makes splats with non-finite numbers invisible, in place. Otherwise they would be drawn as fog over everything. Yields regularly, so that the
 * caller can pause.
 * @returns number of the remaining splats; null for files that are not tested: all except .splat and plain binary .ply
 */
export function* hideInvalidSplats(
  bytes: Uint8Array,
  { format, count }: SplatFile,
): Generator<void, number | null> {
  const layout = format === "splat" ? SPLAT_LAYOUT : format === "ply" ? readPlyLayout(bytes) : null;
  if (!layout || count === null) return null;
  const { begin, stride, floats } = layout;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const completeCount = Math.min(count, Math.floor((bytes.length - begin) / stride));
  let visibleCount = 0;
  for (let index = 0; index < completeCount; index++) {
    const position = begin + index * stride;
    if (floats.every((offset) => Number.isFinite(view.getFloat32(position + offset, true)))) visibleCount++;
    else layout.hide(view, position);
    if (index % SPLATS_PER_SLICE === SPLATS_PER_SLICE - 1) yield;
  }
  return visibleCount;
}

/** Position and scale are floats. The fourth byte of the colour is the opacity. */
const SPLAT_LAYOUT: Layout = {
  begin: 0,
  stride: SPLAT_BYTES,
  floats: [0, 4, 8, 12, 16, 20],
  hide(view, position) {
    for (const offset of SPLAT_LAYOUT.floats) view.setFloat32(position + offset, 0, true);
    view.setUint8(position + 27, 0);
  },
};

/** Returns null for files that are not a list of plain splats. */
function readPlyLayout(bytes: Uint8Array): Layout | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, PLY_HEADER_MAX));
  const header = /^[\s\S]*?end_header\r?\n/.exec(head)?.[0];
  const [beforeVertices, fromVertices] = header?.split("element vertex") ?? [];
  if (!header || !beforeVertices || !fromVertices) return null;
  if (!beforeVertices.includes("binary_little_endian") || beforeVertices.includes("element ")) return null;
  const offsets = new Map<string, number>();
  let stride = 0;
  for (const [, type = "", name = ""] of (fromVertices.split("element ")[0] ?? "").matchAll(
    /property (\w+) (\w+)/g,
  )) {
    const size = PLY_NUMBER_BYTES[type];
    if (size === undefined) return null;
    // View-dependent colours (f_rest_*) cannot move or enlarge a splat, so they are not tested.
    if (/^float(32)?$/.test(type) && !name.startsWith("f_rest_")) offsets.set(name, stride);
    stride += size;
  }
  if (!offsets.has("opacity")) return null;
  return {
    begin: header.length,
    stride,
    floats: [...offsets.values()],
    hide(view, position) {
      for (const [name, offset] of offsets)
        view.setFloat32(position + offset, INVISIBLE_PLY_VALUES[name] ?? 0, true);
    },
  };
}
