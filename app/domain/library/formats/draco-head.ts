/** How much a Draco mesh holds, from its first bytes (Draco bitstream specification 2.2, §3 and §5). */

const HEADER = 11;
/** Type of geometry in the header; glTF has no Draco point clouds (KHR_draco_mesh_compression). */
const MESH = 1;
/** Bytes of a face's three indices and of a point with its position, as they are decoded. */
const FACE_BYTES = 12;
const POINT_BYTES = 12;

/**
 * The least number of bytes that a Draco mesh takes when it is decoded.
 * @returns null for other bytes, for point clouds and for versions other than 2.2, which is the one of glTF. Do not decode these:
 *   their size is unknown
 */
export function dracoBytes(bytes: Uint8Array): number | null {
  if (bytes.length < HEADER || String.fromCharCode(...bytes.subarray(0, 5)) !== "DRACO") return null;
  const [major, minor, type, method] = bytes.subarray(5, 9);
  if (major !== 2 || minor !== 2 || type !== MESH) return null;
  const reader = { at: HEADER };
  if (method === 0) {
    const faces = varint(bytes, reader);
    return faces * FACE_BYTES + varint(bytes, reader) * POINT_BYTES;
  }
  // Edgebreaker: the kind of its traversal, then vertices and faces.
  reader.at++;
  const vertices = varint(bytes, reader);
  return vertices * POINT_BYTES + varint(bytes, reader) * FACE_BYTES;
}

/** A number in LEB128. */
function varint(bytes: Uint8Array, reader: { at: number }): number {
  let value = 0;
  for (let shift = 1; reader.at < bytes.length && shift <= 2 ** 35; shift *= 128) {
    const byte = bytes[reader.at++] ?? 0;
    value += (byte & 127) * shift;
    if (byte < 128) break;
  }
  return value;
}
