/** The rule that decides which models are converted automatically: large files, many triangles, large textures (decision 079). */
import { isRecord } from "../shared/is-record";
import { HEAVY_BYTES, HEAVY_TEXTURE_BYTES, HEAVY_TRIANGLES } from "./prepared";

/** Bytes of graphics memory per pixel, including the mipmaps. */
const PIXEL_BYTES = 4 * (4 / 3);

/** Properties of a model that decide whether it is heavy. */
export interface ModelWeight {
  /** Size of the file in bytes. */
  readonly bytes: number;
  /** Number of drawn triangles. */
  readonly triangles: number;
  /** Number of pixels of all textures that a graphics card stores uncompressed. */
  readonly pixels: number;
}

/** Returns whether phones need a lighter version of a model. */
export const isHeavyModel = ({ bytes, triangles, pixels }: ModelWeight): boolean =>
  bytes >= HEAVY_BYTES || triangles >= HEAVY_TRIANGLES || pixels * PIXEL_BYTES >= HEAVY_TEXTURE_BYTES;

const records = (value: unknown) =>
  Array.isArray(value) ? value.map((item) => (isRecord(item) ? item : {})) : [];
const toCount = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);

/** Returns the number of triangles for a number of vertices, by the mode of a primitive (glTF 2.0 §3.7.2.1). */
function countTriangles(vertices: number, mode: unknown): number {
  if (mode === undefined || mode === 4) return Math.floor(vertices / 3);
  return mode === 5 || mode === 6 ? Math.max(0, vertices - 2) : 0;
}

/** Returns the number of triangles that a glTF model draws, from its JSON. A mesh counts once for each node that shows it. */
export function gltfTriangles(json: Readonly<Record<string, unknown>>): number {
  const accessors = records(json.accessors);
  const meshes = records(json.meshes).map(({ primitives }) =>
    records(primitives).reduce((sum, { indices, attributes, mode }) => {
      const accessorIndex = indices ?? (isRecord(attributes) ? attributes.POSITION : undefined);
      return sum + countTriangles(toCount(accessors[Number(accessorIndex)]?.count), mode);
    }, 0),
  );
  return records(json.nodes).reduce((sum, { mesh }) => sum + (meshes[Number(mesh)] ?? 0), 0);
}
