/**
 * Computes direct light from panels, screens and lamps with soft shadows, and finds what the rays of bounced light meet. Daylight and
 * lamplight are stored separately, because any weighted sum of them is correct too: one bake serves day and dusk. Light is stored as
 * irradiance / π, so that the visible colour is albedo × light.
 */
import type { Vec3 } from "~/domain/shared/model";
import { random } from "../noise";
import { pointOf, type SceneFace } from "../scene/geometry";
import { materialOf } from "../scene/materials";
import type { GalleryScene } from "../scene/scene";
import type { Grid, Grids } from "./grids";
import { Tracer } from "./tracer";

/** Number of rays towards a panel after which the rest are skipped if all of them agree. */
const probes = 13;
/** If neighbouring samples of direct light differ by a larger share, a shadow's edge is assumed between them. */
const maxDifference = 0.08;
/** Value in the list of hits for a ray that meets no reflecting surface. */
export const noHit = 0xffffffff;
/** Number of values per light sample: red, green and blue of daylight, then of lamplight. */
export const channels = 6;

/** Meshes that are too thin for a visible shadow. Leaving them out avoids noise in soft light. */
const thinNodes =
  /^ceiling-(lantern-bars|lamp|lamp-glow|track-.*)$|^wall-(screens|street-door)$|^lamp-andon$|^sign$/;

interface Panel {
  readonly face: SceneFace;
  readonly daylight: number;
  readonly lamplight: number;
  readonly centre: Vec3;
  readonly radius: number;
}

/** Computes the light of samples. One instance belongs to one thread, because it reuses its memory. */
export class Baker {
  /** Traces the whole scene. */
  readonly full: Tracer;
  /** Traces what casts shadows: everything except lights, materials that light does not change (`flat`) and thin meshes. */
  private readonly shadow: Tracer;
  private readonly panels: readonly Panel[];
  private readonly owners: readonly Owner[];
  private readonly coarseOwners: readonly Owner[];

  constructor(
    private readonly scene: GalleryScene,
    private readonly grids: Grids,
  ) {
    this.full = new Tracer(scene);
    const isLight = new Set(scene.lights);
    this.shadow = new Tracer(
      scene,
      (i) => !isLight.has(i) && !materialOf((scene.faces[i] as SceneFace).material).flat,
      (i) => !thinNodes.test(scene.meshes[i]?.node ?? ""),
    );
    this.panels = scene.lights.map((i) => {
      const face = scene.faces[i] as SceneFace;
      const { daylight, lamplight, boost } = materialOf(face.material);
      return {
        face,
        daylight: daylight * boost,
        lamplight: lamplight * boost,
        centre: pointOf(face, face.width / 2, face.height / 2),
        radius: Math.hypot(face.width, face.height) / 2,
      };
    });
    this.owners = ownersOf(grids.fine, grids.meshFine, scene);
    this.coarseOwners = ownersOf(grids.coarse, grids.meshCoarse, scene);
  }

  /**
   * Computes direct light of the fine samples `from`…`to`: in the first pass of vertices and of every second sample in each direction of
   * a face's grid, in the second pass of the samples between those, which are interpolated if their neighbours agree.
   * @param out two numbers per sample: daylight and lamplight; −1 if a sample is inside an object
   */
  direct(from: number, to: number, isSecondPass: boolean, out: Float32Array): void {
    const s = { p: [0, 0, 0], n: [0, 0, 0] } as Sample;
    for (let i = from; i < to; i++) {
      const owner = placeSample(s, i, this.owners, this.scene, this.grids.fine);
      const grid = this.grids.fine[owner.face];
      if (isBetween(i, grid) !== isSecondPass) continue;
      if (!grid || !isSecondPass || !interpolateSample(i, grid, out)) this.directAt(s, i, out, i * 2);
    }
  }

  /**
   * Finds what the rays of coarse samples meet: the number of a coarse sample, or noHit. The length of `hits` determines the number of rays
   * per sample.
   * @param direct gets −1 for samples inside an object
   */
  gather(from: number, to: number, direct: Float32Array, hits: Uint32Array): void {
    const s = { p: [0, 0, 0], n: [0, 0, 0] } as Sample;
    const rays = hits.length / this.grids.coarseCount;
    for (let i = from; i < to; i++) {
      placeSample(s, i, this.coarseOwners, this.scene, this.grids.coarse);
      const base = i * rays;
      if (this.isInside(s.p, s.n)) {
        direct[i * 2] = -1;
        hits.fill(noHit, base, base + rays);
        continue;
      }
      this.gatherAt(s, i, hits, base, rays);
    }
  }

  private gatherAt(
    { p, n, onMesh }: Sample,
    seed: number,
    hits: Uint32Array,
    base: number,
    rays: number,
  ): void {
    const [tx, ty, tz, bx, by, bz] = tangents(n[0], n[1], n[2]);
    const shiftA = random(seed, 11);
    const shiftB = random(seed, 12);
    for (let k = 0; k < rays; k++) {
      // Half as many rays are enough for vertices, because they are smoothed with their neighbours later.
      if (onMesh && k % 2 === 1) {
        hits[base + k] = hits[base + k - 1] as number;
        continue;
      }
      // The R2 sequence of M. Roberts distributes the rays evenly; each sample shifts it by its own amount.
      const a = (k * 0.7548776662466927 + shiftA) % 1;
      const b = (k * 0.5698402909980532 + shiftB) % 1;
      const r = Math.sqrt(a);
      const angle = 2 * Math.PI * b;
      const u = r * Math.cos(angle);
      const v = r * Math.sin(angle);
      const w = Math.sqrt(1 - a);
      const dx = tx * u + bx * v + n[0] * w;
      const dy = ty * u + by * v + n[1] * w;
      const dz = tz * u + bz * v + n[2] * w;
      hits[base + k] = this.full.closest(p[0], p[1], p[2], dx, dy, dz, 60)
        ? this.sampleAtHit(
            p[0] + dx * this.full.t,
            p[1] + dy * this.full.t,
            p[2] + dz * this.full.t,
            dx,
            dy,
            dz,
          )
        : noHit;
    }
  }

  /** Returns the coarse sample nearest to the last hit, or noHit if the hit reflects no light. */
  private sampleAtHit(x: number, y: number, z: number, dx: number, dy: number, dz: number): number {
    const { full, grids, scene } = this;
    if (full.face >= 0) {
      const face = scene.faces[full.face] as SceneFace;
      const grid = grids.coarse[full.face] as Grid;
      const facing = face.normalSign * (face.normalAxis === 0 ? dx : face.normalAxis === 1 ? dy : dz);
      if (facing > 0 || grid.nu === 0) return noHit;
      const hit = [x, y, z];
      const u = ((hit[face.uAxis] as number) - face.origin[face.uAxis]) * face.uSign;
      const v = ((hit[face.vAxis] as number) - face.origin[face.vAxis]) * face.vSign;
      const i = Math.round((u / face.width) * (grid.nu - 1));
      const j = Math.round((v / face.height) * (grid.nv - 1));
      return (
        grid.firstSample +
        Math.min(grid.nv - 1, Math.max(0, j)) * grid.nu +
        Math.min(grid.nu - 1, Math.max(0, i))
      );
    }
    const mesh = scene.meshes[full.mesh];
    if (!mesh) return noHit;
    const b0 = 1 - full.b1 - full.b2;
    const corner = b0 >= full.b1 && b0 >= full.b2 ? 0 : full.b1 >= full.b2 ? 1 : 2;
    return (grids.meshCoarse[full.mesh] as number) + (mesh.indices[full.triangle * 3 + corner] as number);
  }

  private directAt({ p, n }: Sample, seed: number, out: Float32Array, offset: number): void {
    if (this.isInside(p, n)) {
      out[offset] = -1;
      out[offset + 1] = -1;
      return;
    }
    let day = 0;
    let lamp = 0;
    for (const panel of this.panels) {
      const light = this.panelLight(panel, p, n, seed);
      day += light * panel.daylight;
      lamp += light * panel.lamplight;
    }
    lamp += this.spotLight(p, n);
    out[offset] = day;
    out[offset + 1] = lamp;
  }

  /** Returns whether a sample is inside an object: the first surface above it is the back of a face. */
  private isInside(p: Vec3, n: Vec3): boolean {
    const { full, scene } = this;
    // The ray is tilted a little, so that it does not run along an edge.
    const dx = n[0] + 0.011;
    const dy = n[1] + 0.017;
    const dz = n[2] - 0.013;
    const l = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!full.closest(p[0], p[1], p[2], dx / l, dy / l, dz / l, 30)) return false;
    if (full.face >= 0) {
      const face = scene.faces[full.face] as SceneFace;
      return face.normalSign * (face.normalAxis === 0 ? dx : face.normalAxis === 1 ? dy : dz) > 0;
    }
    return false;
  }

  /** Returns the light (irradiance / π) that a sample receives from a panel with radiance 1. */
  private panelLight({ face, centre, radius }: Panel, p: Vec3, n: Vec3, seed: number): number {
    const cx = centre[0] - p[0];
    const cy = centre[1] - p[1];
    const cz = centre[2] - p[2];
    const distance = Math.sqrt(cx * cx + cy * cy + cz * cz);
    // No light arrives when the panel is completely behind the sample, or the sample behind the panel.
    if (cx * n[0] + cy * n[1] + cz * n[2] < -radius) return 0;
    const axis = face.normalAxis;
    const sign = face.normalSign;
    const front = -sign * (axis === 0 ? cx : axis === 1 ? cy : cz);
    if (front <= 1e-4) return 0;
    const area = face.width * face.height;
    const size = area / Math.max(0.3, distance * distance - radius * radius * 0.5);
    // A panel that looks so small adds no visible light.
    if (size < 0.002) return 0;
    // Close to a panel the light changes quickly between samples.
    const maxRays = front < 1.3 ? 196 : 30;
    const rayCount = Math.min(maxRays, Math.max(8, Math.round(8 + size * 22)));
    const ratio = Math.sqrt(face.width / face.height);
    const root = Math.sqrt(rayCount);
    const nu = Math.max(1, Math.min(32, Math.round(root * ratio)));
    const nv = Math.max(1, Math.min(32, Math.round(root / ratio)));
    const total = nu * nv;
    const step = stepFor(total);
    const ju = random(seed, 21, face.node.length);
    const jv = random(seed, 22, face.node.length);
    let sum = 0;
    let unblockedSum = 0;
    let blocked = 0;
    let castRays = 0;
    for (let k = 0; k < total; k++) {
      // The rays are scattered over the panel, so that the first few show whether all of it is visible, or none.
      const cell = (k * step) % total;
      const i = cell % nu;
      const j = (cell / nu) | 0;
      const u = ((i + ((ju + j * 0.618034) % 1)) / nu) * face.width;
      const v = ((j + ((jv + i * 0.618034) % 1)) / nv) * face.height;
      const q = pointOf(face, u, v);
      const dx = q[0] - p[0];
      const dy = q[1] - p[1];
      const dz = q[2] - p[2];
      const d2 = dx * dx + dy * dy + dz * dz;
      const d = Math.sqrt(d2);
      const cosHere = (dx * n[0] + dy * n[1] + dz * n[2]) / d;
      if (cosHere <= 0) continue;
      const cosThere = (-sign * (axis === 0 ? dx : axis === 1 ? dy : dz)) / d;
      if (cosThere <= 0) continue;
      const light = (cosHere * cosThere) / Math.max(d2, 0.01);
      unblockedSum += light;
      if (castRays >= probes && (blocked === 0 || blocked === castRays)) {
        if (blocked > 0) return 0;
        continue;
      }
      castRays++;
      if (this.shadow.occluded(p[0], p[1], p[2], dx / d, dy / d, dz / d, d - 0.005)) blocked++;
      else sum += light;
    }
    if (blocked === 0) sum = unblockedSum;
    return (sum * area) / (nu * nv) / Math.PI;
  }

  private spotLight(p: Vec3, n: Vec3): number {
    let light = 0;
    for (const spot of this.scene.spots) {
      const dx = spot.position[0] - p[0];
      const dy = spot.position[1] - p[1];
      const dz = spot.position[2] - p[2];
      const d2 = dx * dx + dy * dy + dz * dz;
      // Beyond six metres a lamp adds no visible light.
      if (d2 > 36) continue;
      const d = Math.sqrt(d2);
      const cosHere = (dx * n[0] + dy * n[1] + dz * n[2]) / d;
      if (cosHere <= 0) continue;
      const cosThere = -(dx * spot.direction[0] + dy * spot.direction[1] + dz * spot.direction[2]) / d;
      if (cosThere <= spot.outer) continue;
      const t = Math.min(1, (cosThere - spot.outer) / (spot.inner - spot.outer));
      const cone = t * t * (3 - 2 * t);
      let visibleRays = 0;
      for (let k = 0; k < 4; k++) {
        const ox = (k & 1 ? 1 : -1) * 0.022;
        const oz = (k & 2 ? 1 : -1) * 0.022;
        const ex = dx + ox;
        const ez = dz + oz;
        const e = Math.sqrt(ex * ex + dy * dy + ez * ez);
        if (!this.shadow.occluded(p[0], p[1], p[2], ex / e, dy / e, ez / e, e - 0.01)) visibleRays++;
      }
      light += (spot.power * cone * cosHere * visibleRays) / (4 * d2);
    }
    return light;
  }
}

function isBetween(index: number, grid: Grid | undefined): boolean {
  if (!grid) return false;
  const k = index - grid.firstSample;
  const i = k % grid.nu;
  const j = (k / grid.nu) | 0;
  return (i % 2 === 1 && i < grid.nu - 1) || (j % 2 === 1 && j < grid.nv - 1);
}

/** Gives a sample the mean of its neighbours if there is no shadow's edge between them. Returns whether it did. */
function interpolateSample(index: number, { firstSample, nu, nv }: Grid, out: Float32Array): boolean {
  const k = index - firstSample;
  const i = k % nu;
  const j = (k / nu) | 0;
  const across = i % 2 === 1 && i < nu - 1 ? 1 : 0;
  const along = j % 2 === 1 && j < nv - 1 ? nu : 0;
  const [a, b, c, d] = [
    (index - across - along) * 2,
    (index + across - along) * 2,
    (index - across + along) * 2,
    (index + across + along) * 2,
  ];
  for (let group = 0; group < 2; group++) {
    const [p, q, r, t] = [out[a + group], out[b + group], out[c + group], out[d + group]] as [
      number,
      number,
      number,
      number,
    ];
    const low = Math.min(p, q, r, t);
    const high = Math.max(p, q, r, t);
    if (low < 0 || high - low > maxDifference * high + 0.002) return false;
    out[index * 2 + group] = (p + q + r + t) / 4;
  }
  return true;
}

/** Returns a step that visits every one of `total` cells, far from the previous one. */
function stepFor(total: number): number {
  for (let step = Math.max(1, Math.round(total * 0.381966)); ; step++) if (coprime(step, total)) return step;
}

function coprime(a: number, b: number): boolean {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return x === 1;
}

/** The owner of a sample: a face's grid or a mesh's vertices. */
interface Owner {
  readonly firstSample: number;
  readonly face: number;
  readonly mesh: number;
}

function ownersOf(grids: readonly Grid[], meshFirst: readonly number[], scene: GalleryScene): Owner[] {
  const faces = grids.flatMap((grid, face) =>
    grid.nu > 0 ? [{ firstSample: grid.firstSample, face, mesh: -1 }] : [],
  );
  const meshes = scene.meshes.map((_, mesh) => ({ firstSample: meshFirst[mesh] as number, face: -1, mesh }));
  return [...faces, ...meshes];
}

interface Sample {
  p: [number, number, number];
  n: [number, number, number];
  onMesh: boolean;
}

/** Finds the owner and the position of sample `index`: slightly above its surface, and a little inside a face's edges. */
function placeSample(
  s: Sample,
  index: number,
  owners: readonly Owner[],
  scene: GalleryScene,
  grids: readonly Grid[],
): Owner {
  let low = 0;
  let high = owners.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((owners[middle] as Owner).firstSample <= index) low = middle;
    else high = middle - 1;
  }
  const owner = owners[low] as Owner;
  const k = index - owner.firstSample;
  s.onMesh = owner.mesh >= 0;
  if (owner.face >= 0) {
    const face = scene.faces[owner.face] as SceneFace;
    const grid = grids[owner.face] as Grid;
    const inset = Math.min(0.012, face.width / 4, face.height / 4);
    const u = Math.min(face.width - inset, Math.max(inset, ((k % grid.nu) / (grid.nu - 1)) * face.width));
    const v = Math.min(
      face.height - inset,
      Math.max(inset, (Math.floor(k / grid.nu) / (grid.nv - 1)) * face.height),
    );
    s.p = pointOf(face, u, v, 0.0015);
    s.n[0] = 0;
    s.n[1] = 0;
    s.n[2] = 0;
    s.n[face.normalAxis] = face.normalSign;
    return owner;
  }
  const mesh = scene.meshes[owner.mesh];
  for (let axis = 0; mesh && axis < 3; axis++) {
    const n = mesh.normals[k * 3 + axis] as number;
    s.n[axis] = n;
    s.p[axis] = (mesh.samples[k * 3 + axis] as number) + n * 0.002;
  }
  return owner;
}

/**
 * Returns two unit vectors that are perpendicular to a unit vector and to each other (Duff et al., "Building an orthonormal basis,
 * revisited", 2017).
 */
function tangents(x: number, y: number, z: number): [number, number, number, number, number, number] {
  const sign = z >= 0 ? 1 : -1;
  const a = -1 / (sign + z);
  const b = x * y * a;
  return [1 + sign * x * x * a, sign * b, -sign * x, b, sign + y * y * a, -y];
}
