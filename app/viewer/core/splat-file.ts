/** What a file of Gaussian splats is, from its first bytes. */

/** The formats, by their usual extensions. */
export type SplatFormat = "ply" | "spz" | "splat" | "ksplat";

/** A file of splats. */
export interface SplatFile {
  readonly format: SplatFormat;
  /** How many splats it says it has; null where that is packed away. */
  readonly count: number | null;
}

/** Bytes of a splat in the format of .splat: position and scale as floats, colour and rotation as bytes. */
const SPLAT_BYTES = 32;
/** Bytes of the header of .ksplat. */
const KSPLAT_HEADER = 4096;
/** A header of a .ply that is longer describes something else. */
const PLY_HEADER_MAX = 16 * 1024;

/**
 * Tells the formats apart. .ply and .spz bear a mark; .ksplat has a header of its own; what is left and comes in whole splats is
 * .splat, which has none.
 * @returns null for anything else
 */
export function readSplatFile(bytes: Uint8Array): SplatFile | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < SPLAT_BYTES) return null;
  const text = String.fromCharCode(...bytes.subarray(0, 4));
  if (text.startsWith("ply") && (text[3] === "\n" || text[3] === "\r")) return readPly(bytes);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { format: "spz", count: null };
  const isKsplat =
    bytes.length >= KSPLAT_HEADER &&
    bytes[0] === 0 &&
    (bytes[1] ?? 0) >= 1 &&
    view.getUint32(4, true) >= view.getUint32(8, true) &&
    view.getUint32(8, true) >= 1 &&
    view.getUint16(20, true) <= 2;
  if (isKsplat) return { format: "ksplat", count: view.getUint32(16, true) };
  if (bytes.length % SPLAT_BYTES !== 0) return null;
  const firstIsFinite = [0, 4, 8, 12, 16, 20].every((at) => Number.isFinite(view.getFloat32(at, true)));
  return firstIsFinite ? { format: "splat", count: bytes.length / SPLAT_BYTES } : null;
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
