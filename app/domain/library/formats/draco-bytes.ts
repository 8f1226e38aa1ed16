/** Reads the size of a Draco mesh from its first bytes (Draco bitstream specification 2.2, §3 and §5). */

/** Size of the header: "DRACO", two bytes for the version, type, method, and two bytes for flags. */
const HEADER_BYTES = 11;
/** Type of geometry in the header. glTF does not allow Draco point clouds (KHR_draco_mesh_compression). */
const MESH = 1;
/** Bytes of a face's three indices and of a point with its position, after decoding. */
const FACE_BYTES = 12;
const POINT_BYTES = 12;

/**
 * Returns the minimum number of bytes of a Draco mesh after decoding.
 * @returns null for other bytes, for point clouds and for versions other than 2.2, the version that glTF uses. Do not decode these, because
 * their size is unknown
 */
export function dracoBytes(bytes: Uint8Array): number | null {
  if (bytes.length < HEADER_BYTES || String.fromCharCode(...bytes.subarray(0, 5)) !== "DRACO") return null;
  const [major, minor, type, method] = bytes.subarray(5, 9);
  if (major !== 2 || minor !== 2 || type !== MESH) return null;
  const reader = { offset: HEADER_BYTES };
  if (method === 0) {
    const faces = readVarint(bytes, reader);
    return faces * FACE_BYTES + readVarint(bytes, reader) * POINT_BYTES;
  }
  // An Edgebreaker header has the kind of traversal, then the numbers of vertices and faces.
  reader.offset++;
  const vertices = readVarint(bytes, reader);
  return vertices * POINT_BYTES + readVarint(bytes, reader) * FACE_BYTES;
}

/** Reads a number in LEB128. */
function readVarint(bytes: Uint8Array, reader: { offset: number }): number {
  let value = 0;
  for (let shift = 1; reader.offset < bytes.length && shift <= 2 ** 35; shift *= 128) {
    const byte = bytes[reader.offset++] ?? 0;
    value += (byte & 127) * shift;
    if (byte < 128) break;
  }
  return value;
}
