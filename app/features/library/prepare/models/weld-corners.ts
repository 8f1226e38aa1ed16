/** Triangles as indices of shared corners. */
export interface Welded {
  readonly positions: Float32Array;
  readonly index: Uint32Array;
}

/**
 * Merges equal corners of triangles, with a hash table over their bits. Omits triangles with corners that are not finite, and
 * triangles with two equal corners, which have no area.
 * @param corners nine numbers for each triangle
 */
export function weldCorners(corners: Float32Array): Welded {
  const triangles = Math.floor(corners.length / 9);
  const bits = new Uint32Array(corners.buffer, corners.byteOffset, triangles * 9);
  let tableSize = 1024;
  while (tableSize < triangles * 2) tableSize *= 2;
  const table = new Uint32Array(tableSize);
  const index = new Uint32Array(triangles * 3);
  const positions = new Float32Array(triangles * 9);
  const storedBits = new Uint32Array(positions.buffer);
  let [cornerCount, indexCount] = [0, 0];
  const indexOfCorner = (offset: number): number => {
    const [x, y, z] = [bits[offset] ?? 0, bits[offset + 1] ?? 0, bits[offset + 2] ?? 0];
    let hash = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35);
    hash ^= hash >>> 15;
    for (let slot = hash & (tableSize - 1); ; slot = (slot + 1) & (tableSize - 1)) {
      const entry = table[slot] ?? 0;
      if (entry === 0) {
        storedBits.set([x, y, z], cornerCount * 3);
        table[slot] = ++cornerCount;
        return cornerCount - 1;
      }
      const existing = (entry - 1) * 3;
      if (storedBits[existing] === x && storedBits[existing + 1] === y && storedBits[existing + 2] === z)
        return entry - 1;
    }
  };
  for (let i = 0; i < triangles; i++) {
    if (!areNineFinite(corners, i * 9)) continue;
    const [a, b, c] = [indexOfCorner(i * 9), indexOfCorner(i * 9 + 3), indexOfCorner(i * 9 + 6)];
    if (a === b || b === c || a === c) continue;
    index[indexCount++] = a;
    index[indexCount++] = b;
    index[indexCount++] = c;
  }
  return { positions: positions.slice(0, cornerCount * 3), index: index.slice(0, indexCount) };
}

const areNineFinite = (values: Float32Array, offset: number): boolean => {
  for (let i = 0; i < 9; i++) if (!Number.isFinite(values[offset + i])) return false;
  return true;
};
