import { type BufferGeometry, type Object3D, Points, PointsMaterial, Vector3 } from "three";
import type { TimeSlicer } from "../core/time-slicer";
import { Triangles } from "../core/triangles";
import { pointNormals, pointSpacing, pointSquares } from "../shared/point-normals";
import { BOTH_SIDES, ROOM_LAYER } from "./model-content.client";

/** Maximum number of sampled points. More make picking slower, not better. */
const SAMPLES_MAX = 60_000;
/**
 * Side of a sample's square, as a multiple of the distance between neighbours. The squares of a surface overlap, so that no ray passes between them.
 */
const SQUARE_FACTOR = 1.5;
/** Minimum and maximum size of a point, in pixels. A scan whose points have one pixel is hard to see. */
const POINT_PIXELS_MIN = 2;
const POINT_PIXELS_MAX = 40;

interface PointPart {
  readonly object: Object3D;
  readonly geometry: BufferGeometry;
}

function findPointParts(root: Object3D): PointPart[] {
  const parts: PointPart[] = [];
  root.traverse((object) => {
    const { isPoints, isLine, geometry } = object as Points & { isLine?: boolean };
    if ((isPoints || isLine) && geometry?.attributes.position) parts.push({ object, geometry });
  });
  return parts;
}

/**
 * Creates surfaces for models of points and lines: a small square at each sampled point, parallel to the surface that its neighbours form. Rays hit
 * these squares, and visitors walk on them.
 */
export async function createPointSurfaces(root: Object3D, slicer: TimeSlicer): Promise<Triangles> {
  const parts = findPointParts(root);
  const total = parts.reduce((sum, { geometry }) => sum + (geometry.attributes.position?.count ?? 0), 0);
  const stride = Math.max(1, Math.ceil(total / SAMPLES_MAX));
  const coordinates: number[] = [];
  const point = new Vector3();
  for (const { object, geometry } of parts) {
    const { position } = geometry.attributes;
    for (let sample = 0; position && sample * stride < position.count; sample++) {
      point
        .fromBufferAttribute(position, sampleIndex(sample, stride, position.count))
        .applyMatrix4(object.matrixWorld);
      if (Number.isFinite(point.x + point.y + point.z)) coordinates.push(...point.toArray());
      if (slicer.isDue) await slicer.pause();
    }
  }
  const positions = Float32Array.from(coordinates);
  const normals = await pointNormals(positions, slicer);
  const corners = pointSquares(positions, normals, (pointSpacing(positions) * SQUARE_FACTOR) / 2);
  return Triangles.buildInSlices(
    corners,
    new Uint8Array(corners.length / 9).fill(ROOM_LAYER | BOTH_SIDES),
    slicer,
  );
}

/**
 * Returns the index of a sample. The irregular step (fractions of multiples of the golden ratio) avoids sampling only one phase of a regular pattern
 * in the file.
 */
function sampleIndex(sample: number, stride: number, count: number): number {
  const offset = Math.floor(((sample * 0.618_033_988_75) % 1) * stride);
  return Math.min(count - 1, sample * stride + offset);
}

/** Enlarges the points of a model to the distance between them. Points of one pixel (the default of glTF, §3.7.2.1) are hard to see. */
export function enlargePoints(root: Object3D): void {
  root.traverse((object) => {
    if (!(object instanceof Points)) return;
    const { position } = object.geometry.attributes;
    if (!position) return;
    const step = Math.max(1, Math.ceil(position.count / 10_000));
    const coordinates: number[] = [];
    const point = new Vector3();
    for (let sample = 0; sample * step < position.count; sample++)
      coordinates.push(
        ...point
          .fromBufferAttribute(position, sampleIndex(sample, step, position.count))
          .applyMatrix4(object.matrixWorld)
          .toArray(),
      );
    const size = pointSpacing(Float32Array.from(coordinates)) / Math.sqrt(step);
    for (const material of [object.material].flat()) {
      if (!(material instanceof PointsMaterial)) continue;
      material.sizeAttenuation = true;
      material.size = size;
      material.onBeforeCompile = (shader) => {
        const clamp = `gl_PointSize = clamp(gl_PointSize, ${POINT_PIXELS_MIN.toFixed(1)}, ${POINT_PIXELS_MAX.toFixed(1)});`;
        shader.vertexShader = shader.vertexShader.replace(
          "#include <logdepthbuf_vertex>",
          `${clamp}\n#include <logdepthbuf_vertex>`,
        );
      };
      material.needsUpdate = true;
    }
  });
}
