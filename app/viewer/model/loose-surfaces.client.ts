import { type BufferGeometry, type Object3D, Points, PointsMaterial, Vector3 } from "three";
import type { TimeSlicer } from "../core/time-slicer";
import { Triangles } from "../core/triangles";

/** Maximum number of sampled points. More make picking slower, not better. */
const SAMPLES_MAX = 60_000;
/** Side of a sample's square, as a share of the distance between neighbours. */
const REACH = 0.75;
/** Minimum and maximum size of a point, in pixels. With one pixel, a scan is hard to see. */
const LEAST_PIXELS = 2;
const MOST_PIXELS = 40;

interface Loose {
  readonly object: Object3D;
  readonly geometry: BufferGeometry;
}

function looseParts(root: Object3D): Loose[] {
  const parts: Loose[] = [];
  root.traverse((object) => {
    const { isPoints, isLine, geometry } = object as Points & { isLine?: boolean };
    if ((isPoints || isLine) && geometry?.attributes.position) parts.push({ object, geometry });
  });
  return parts;
}

/**
 * Creates surfaces for models of points and lines: a small square at each point, for picking and for walking on.
 */
export async function looseSurfaces(root: Object3D, breath: TimeSlicer): Promise<Triangles> {
  const parts = looseParts(root);
  const total = parts.reduce((sum, { geometry }) => sum + (geometry.attributes.position?.count ?? 0), 0);
  const stride = Math.max(1, Math.ceil(total / SAMPLES_MAX));
  const places: Vector3[] = [];
  for (const { object, geometry } of parts) {
    const { position } = geometry.attributes;
    for (let index = 0; position && index < position.count; index += stride) {
      const place = new Vector3().fromBufferAttribute(position, index).applyMatrix4(object.matrixWorld);
      if (Number.isFinite(place.x + place.y + place.z)) places.push(place);
      if (breath.isDue) await breath.pause();
    }
  }
  const half = (spacing(places) * REACH) / 2;
  const points = new Float32Array(places.length * 18);
  let at = 0;
  // Both triangles of a square that faces upwards and to the front.
  for (const { x, y, z } of places)
    for (const [dx, dy, dz] of [
      [-1, -1, 1],
      [1, -1, 1],
      [1, 1, -1],
      [-1, -1, 1],
      [1, 1, -1],
      [-1, 1, -1],
    ] as const) {
      points.set([x + dx * half, y + dy * half * 0.05, z + dz * half], at);
      at += 3;
    }
  return Triangles.buildInSlices(points, new Uint8Array(places.length * 2).fill(1), breath);
}

/** Estimates the distance between neighbouring points, as if all lay on the sides of their bounding box. */
function spacing(places: readonly Vector3[]): number {
  const [min, max] = [
    new Vector3(Infinity, Infinity, Infinity),
    new Vector3(-Infinity, -Infinity, -Infinity),
  ];
  for (const place of places) {
    min.min(place);
    max.max(place);
  }
  const { x, y, z } = max.sub(min);
  const area = 2 * (x * y + y * z + z * x) || Math.max(x, y, z) ** 2;
  return Math.sqrt(Math.max(area, 1e-9) / Math.max(1, places.length));
}

/** Enlarges the points of a model to the distance between them. Points of one pixel, as in glTF (§3.7.2.1), are hard to see. */
export function enlargePoints(root: Object3D): void {
  root.traverse((object) => {
    if (!(object instanceof Points)) return;
    const { position } = object.geometry.attributes;
    if (!position) return;
    const step = Math.max(1, Math.ceil(position.count / 10_000));
    const places: Vector3[] = [];
    for (let index = 0; index < position.count; index += step)
      places.push(new Vector3().fromBufferAttribute(position, index).applyMatrix4(object.matrixWorld));
    const size = spacing(places) / Math.sqrt(step);
    for (const material of [object.material].flat()) {
      if (!(material instanceof PointsMaterial)) continue;
      material.sizeAttenuation = true;
      material.size = size;
      material.onBeforeCompile = (shader) => {
        const clamp = `gl_PointSize = clamp(gl_PointSize, ${LEAST_PIXELS.toFixed(1)}, ${MOST_PIXELS.toFixed(1)});`;
        shader.vertexShader = shader.vertexShader.replace(
          "#include <logdepthbuf_vertex>",
          `${clamp}\n#include <logdepthbuf_vertex>`,
        );
      };
      material.needsUpdate = true;
    }
  });
}
