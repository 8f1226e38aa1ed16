/** Combines the parts of a bake into the light of every fine sample: bounces and smoothing. */

import type { Rgb } from "../color";
import { clamp, lerp } from "../noise";
import type { Mesh, SceneFace } from "../scene/geometry";
import type { MaterialId } from "../scene/materials";
import type { GalleryScene } from "../scene/scene";
import { channels, noHit } from "./bake";
import type { Grid, Grids } from "./grids";

/** Strength and colour of daylight and lamplight. */
export interface Variant {
  readonly daylight: Rgb;
  readonly lamplight: Rgb;
  readonly exposure: number;
}

/** A bright, slightly cool day, and dusk, when the lamps are brighter. */
export const variants = {
  day: { daylight: [0.99, 1, 1.015], lamplight: [0.58, 0.54, 0.475], exposure: 1.3 },
  dusk: { daylight: [0.068, 0.096, 0.178], lamplight: [1.26, 1.02, 0.74], exposure: 1.6 },
} as const satisfies Record<string, Variant>;

/** Name of a variant. */
export type VariantId = keyof typeof variants;

/**
 * Adds direct light and bounced light.
 * @param fineDirect direct daylight and lamplight of each fine sample, smoothed in place; the first is negative for a sample inside an object
 * @param coarseDirect the first number is negative for a coarse sample inside an object; receives the direct light of the others
 * @param hits what the rays of the coarse samples meet (see Baker.gather)
 * @param albedoOf returns the mean albedo of a face's image, or of the plain material
 * @param out receives six numbers per fine sample (see channels)
 */
export function gatherLight(
  scene: GalleryScene,
  grids: Grids,
  fineDirect: Float32Array,
  coarseDirect: Float32Array,
  hits: Uint32Array,
  albedoOf: (material: MaterialId, image: string | undefined) => Rgb,
  out: Float32Array,
): void {
  const albedo = coarseAlbedo(scene, grids, albedoOf);
  scene.faces.forEach((_, i) => {
    const fine = grids.fine[i] as Grid;
    if (fine.nu === 0) return;
    fillInside(fineDirect, 2, fine);
    soften(fineDirect, 2, fine, 1);
    thinOut(fineDirect, fine, coarseDirect, grids.coarse[i] as Grid);
  });
  scene.meshes.forEach((mesh, i) => {
    const fine = (grids.meshFine[i] as number) * 2;
    const direct = fineDirect.subarray(fine, fine + (mesh.positions.length / 3) * 2);
    coarseDirect.set(direct, (grids.meshCoarse[i] as number) * 2);
  });
  const bounced = bounce(grids, coarseDirect, hits, albedo);
  scene.faces.forEach((_, i) => {
    const coarse = grids.coarse[i] as Grid;
    const fine = grids.fine[i] as Grid;
    if (fine.nu === 0) return;
    const start = coarse.firstSample * channels;
    const bouncedPart = bounced.subarray(start, start + coarse.nu * coarse.nv * channels);
    const directPart = coarseDirect.subarray(
      coarse.firstSample * 2,
      (coarse.firstSample + coarse.nu * coarse.nv) * 2,
    );
    markInvalid(bouncedPart, directPart);
    const grid = { firstSample: 0, nu: coarse.nu, nv: coarse.nv };
    fillInside(bouncedPart, channels, grid);
    soften(bouncedPart, channels, grid, 2);
    interpolateBounced(fineDirect, bouncedPart, fine, grid, out);
  });
  scene.meshes.forEach((mesh, i) => {
    const fine = grids.meshFine[i] as number;
    const coarse = grids.meshCoarse[i] as number;
    for (let k = 0; k < mesh.positions.length / 3; k++) {
      for (let c = 0; c < channels; c++) {
        const direct = Math.max(0, fineDirect[(fine + k) * 2 + (c < 3 ? 0 : 1)] as number);
        out[(fine + k) * channels + c] = direct + (bounced[(coarse + k) * channels + c] as number);
      }
    }
    if (mesh.even) evenOut(mesh, out, fine);
    else relax(mesh, out, fine);
  });
}

function coarseAlbedo(
  scene: GalleryScene,
  grids: Grids,
  albedoOf: (m: MaterialId, image: string | undefined) => Rgb,
): Float32Array {
  const out = new Float32Array(grids.coarseCount * 3);
  const fill = (first: number, count: number, rgb: Rgb): void => {
    for (let k = first; k < first + count; k++) out.set(rgb, k * 3);
  };
  scene.faces.forEach((face: SceneFace, i) => {
    const grid = grids.coarse[i] as Grid;
    // Floors colour the rooms less than in reality, for a more neutral look.
    const rgb = albedoOf(face.material, face.image?.id);
    const grey = (rgb[0] + rgb[1] + rgb[2]) / 3;
    const greyShare = face.node.startsWith("floor") ? 0.55 : 0;
    fill(grid.firstSample, grid.nu * grid.nv, [
      lerp(rgb[0], grey, greyShare),
      lerp(rgb[1], grey, greyShare),
      lerp(rgb[2], grey, greyShare),
    ]);
  });
  scene.meshes.forEach((mesh, i) => {
    fill(grids.meshCoarse[i] as number, mesh.positions.length / 3, albedoOf(mesh.material, undefined));
  });
  return out;
}

/** Bounces light between samples four times. Each time a sample receives the mean of the light that its rays meet. */
function bounce(grids: Grids, direct: Float32Array, hits: Uint32Array, albedo: Float32Array): Float32Array {
  const count = grids.coarseCount;
  const rays = hits.length / count;
  let bounced = new Float32Array(count * channels);
  const emitted = new Float32Array(count * channels);
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < channels; c++) {
        const light =
          Math.max(0, direct[i * 2 + (c < 3 ? 0 : 1)] as number) + (bounced[i * channels + c] as number);
        emitted[i * channels + c] = light * (albedo[i * 3 + (c % 3)] as number);
      }
    }
    const nextLight = new Float32Array(count * channels);
    for (let i = 0; i < count; i++) {
      let [r, g, b, lr, lg, lb] = [0, 0, 0, 0, 0, 0];
      const base = i * rays;
      for (let k = 0; k < rays; k++) {
        const hit = hits[base + k] as number;
        if (hit === noHit) continue;
        const offset = hit * channels;
        r += emitted[offset] as number;
        g += emitted[offset + 1] as number;
        b += emitted[offset + 2] as number;
        lr += emitted[offset + 3] as number;
        lg += emitted[offset + 4] as number;
        lb += emitted[offset + 5] as number;
      }
      const offset = i * channels;
      nextLight[offset] = r / rays;
      nextLight[offset + 1] = g / rays;
      nextLight[offset + 2] = b / rays;
      nextLight[offset + 3] = lr / rays;
      nextLight[offset + 4] = lg / rays;
      nextLight[offset + 5] = lb / rays;
    }
    bounced = nextLight;
  }
  return bounced;
}

/** Marks samples inside an object with −1 as their first value. */
function markInvalid(part: Float32Array, direct: Float32Array): void {
  for (let k = 0; k * 2 < direct.length; k++) if ((direct[k * 2] as number) < 0) part[k * channels] = -1;
}

/** Gives samples that are inside an object (under a plinth, behind an image) the light of their neighbours. */
function fillInside(values: Float32Array, size: number, { firstSample, nu, nv }: Grid): void {
  for (let round = 0; round < 64; round++) {
    const neighbours: number[] = [];
    let missing = 0;
    for (let j = 0; j < nv; j++) {
      for (let i = 0; i < nu; i++) {
        const offset = (firstSample + j * nu + i) * size;
        if ((values[offset] as number) >= 0) continue;
        missing++;
        const sums = new Array<number>(size).fill(0);
        let count = 0;
        for (let y = Math.max(0, j - 1); y <= Math.min(nv - 1, j + 1); y++) {
          for (let x = Math.max(0, i - 1); x <= Math.min(nu - 1, i + 1); x++) {
            const neighbour = (firstSample + y * nu + x) * size;
            if ((values[neighbour] as number) < 0) continue;
            for (let c = 0; c < size; c++) sums[c] = (sums[c] as number) + (values[neighbour + c] as number);
            count++;
          }
        }
        if (count > 0) neighbours.push(offset, ...sums.map((sum) => sum / count));
      }
    }
    if (missing === 0) return;
    for (let k = 0; k < neighbours.length; k += size + 1) {
      for (let c = 0; c < size; c++) values[(neighbours[k] as number) + c] = neighbours[k + 1 + c] as number;
    }
    if (neighbours.length === 0) break;
  }
  for (let k = firstSample * size; k < (firstSample + nu * nv) * size; k += size) {
    if ((values[k] as number) < 0) values.fill(0, k, k + size);
  }
}

/** Smooths sampling noise with a 1-2-1 kernel. */
function soften(values: Float32Array, size: number, { firstSample, nu, nv }: Grid, rounds: number): void {
  const line = new Float32Array(Math.max(nu, nv));
  const pass = (start: number, step: number, count: number): void => {
    for (let k = 0; k < count; k++) line[k] = values[start + k * step] as number;
    for (let k = 0; k < count; k++) {
      const before = line[Math.max(0, k - 1)] as number;
      const after = line[Math.min(count - 1, k + 1)] as number;
      values[start + k * step] = ((line[k] as number) * 2 + before + after) / 4;
    }
  };
  for (let round = 0; round < rounds; round++) {
    for (let c = 0; c < size; c++) {
      for (let j = 0; j < nv; j++) pass((firstSample + j * nu) * size + c, size, nu);
      for (let i = 0; i < nu; i++) pass((firstSample + i) * size + c, nu * size, nv);
    }
  }
}

/** Copies direct light from the nearest fine samples of a face to its coarse samples; a coarse sample inside an object stays unchanged. */
function thinOut(direct: Float32Array, fine: Grid, out: Float32Array, coarse: Grid): void {
  for (let j = 0; j < coarse.nv; j++) {
    const y = Math.round((j / (coarse.nv - 1)) * (fine.nv - 1));
    for (let i = 0; i < coarse.nu; i++) {
      const to = (coarse.firstSample + j * coarse.nu + i) * 2;
      if ((out[to] as number) < 0) continue;
      const from = (fine.firstSample + y * fine.nu + Math.round((i / (coarse.nu - 1)) * (fine.nu - 1))) * 2;
      out[to] = direct[from] as number;
      out[to + 1] = direct[from + 1] as number;
    }
  }
}

/** Writes the sum of direct light and of bounced light that is interpolated from the coarse grid. */
function interpolateBounced(
  direct: Float32Array,
  bounced: Float32Array,
  fine: Grid,
  coarse: Grid,
  out: Float32Array,
): void {
  for (let j = 0; j < fine.nv; j++) {
    const y = (j / (fine.nv - 1)) * (coarse.nv - 1);
    const y0 = Math.min(coarse.nv - 2, Math.floor(y));
    const fy = clamp(y - y0);
    for (let i = 0; i < fine.nu; i++) {
      const x = (i / (fine.nu - 1)) * (coarse.nu - 1);
      const x0 = Math.min(coarse.nu - 2, Math.floor(x));
      const fx = clamp(x - x0);
      const sampleIndex = fine.firstSample + j * fine.nu + i;
      for (let c = 0; c < channels; c++) {
        const p = (y0 * coarse.nu + x0) * channels + c;
        const q = p + coarse.nu * channels;
        const top = (bounced[p] as number) * (1 - fx) + (bounced[p + channels] as number) * fx;
        const low = (bounced[q] as number) * (1 - fx) + (bounced[q + channels] as number) * fx;
        out[sampleIndex * channels + c] =
          (direct[sampleIndex * 2 + (c < 3 ? 0 : 1)] as number) + top * (1 - fy) + low * fy;
      }
    }
  }
}

/** Gives the vertices of a mesh with roughly the same normal (components rounded to −1, 0 or 1) their mean light. */
function evenOut(mesh: Mesh, out: Float32Array, first: number): void {
  const groups = new Map<string, { sum: Float64Array; members: number[] }>();
  for (let k = 0; k < mesh.positions.length / 3; k++) {
    const key = [0, 1, 2].map((axis) => Math.round(mesh.normals[k * 3 + axis] as number)).join();
    const group = groups.get(key) ?? { sum: new Float64Array(channels), members: [] };
    groups.set(key, group);
    group.members.push(first + k);
    for (let c = 0; c < channels; c++)
      group.sum[c] = (group.sum[c] as number) + (out[(first + k) * channels + c] as number);
  }
  for (const { sum, members } of groups.values()) {
    const mean = sum.map((x) => x / members.length);
    for (const k of members) out.set(mean, k * channels);
  }
}

/** Smooths sampling noise between neighbouring vertices with nearly the same normal. */
function relax(mesh: Mesh, out: Float32Array, first: number): void {
  const { indices, normals } = mesh;
  const count = mesh.positions.length / 3;
  const sums = new Float32Array(count * channels);
  const weights = new Float32Array(count);
  for (let round = 0; round < 2; round++) {
    sums.fill(0);
    weights.fill(0);
    const join = (a: number, b: number): void => {
      let dot = 0;
      for (let axis = 0; axis < 3; axis++)
        dot += (normals[a * 3 + axis] as number) * (normals[b * 3 + axis] as number);
      if (dot < 0.85) return;
      for (let c = 0; c < channels; c++) {
        sums[a * channels + c] =
          (sums[a * channels + c] as number) + (out[(first + b) * channels + c] as number);
        sums[b * channels + c] =
          (sums[b * channels + c] as number) + (out[(first + a) * channels + c] as number);
      }
      weights[a] = (weights[a] as number) + 1;
      weights[b] = (weights[b] as number) + 1;
    };
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [indices[t], indices[t + 1], indices[t + 2]] as [number, number, number];
      join(a, b);
      join(b, c);
      join(c, a);
    }
    for (let k = 0; k < count; k++) {
      const weight = weights[k] as number;
      if (weight === 0) continue;
      for (let c = 0; c < channels; c++) {
        const offset = (first + k) * channels + c;
        out[offset] = ((out[offset] as number) + (sums[k * channels + c] as number) / weight) / 2;
      }
    }
  }
}
