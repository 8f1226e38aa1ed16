/** A box and a texture for model files. */
import { deflateSync } from "node:zlib";
import { concatBytes, pngChunk, u32 } from "../files/media-files";

export type Triple = readonly [number, number, number];

/** A box from the origin: eight corners, and six faces of four corners each, counterclockwise seen from outside. */
export interface BoxMesh {
  readonly corners: readonly Triple[];
  readonly faces: readonly (readonly [number, number, number, number])[];
  /** Twelve triangles. */
  readonly triangles: readonly Triple[];
}

export function createBox([x, y, z]: Triple): BoxMesh {
  const corners = Array.from({ length: 8 }, (_, i): Triple => [i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0]);
  const faces = [
    ...[[0, 2, 3, 1] as const, [4, 5, 7, 6] as const, [0, 1, 5, 4] as const],
    ...[[2, 6, 7, 3] as const, [0, 4, 6, 2] as const, [1, 3, 7, 5] as const],
  ];
  const triangles = faces.flatMap(([a, b, c, d]): Triple[] => [
    [a, b, c],
    [a, c, d],
  ]);
  return { corners, faces, triangles };
}

/** Texture coordinates of a face's corners. */
export const FACE_UV = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

/** A PNG of 8 × 8 pixels of one colour. */
export function colourPng(...colour: Triple): Uint8Array {
  const row = concatBytes([0], ...Array.from({ length: 8 }, () => [...colour]));
  const rows = concatBytes(...Array.from({ length: 8 }, () => row));
  return concatBytes(
    "\x89PNG\r\n\x1a\n",
    pngChunk("IHDR", concatBytes(u32(8), u32(8), [8, 2, 0, 0, 0])),
    pngChunk("IDAT", new Uint8Array(deflateSync(rows))),
    pngChunk("IEND", new Uint8Array()),
  );
}
