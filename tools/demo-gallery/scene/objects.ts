/** Makes the five objects, and the flower in the alcove. */
import type { Vec3 } from "~/domain/shared/model";
import { add, cross, dot, scale, subtract } from "~/viewer/core/vec";
import { alcove, type ObjectId, objects } from "../../../seed/gallery-plan";
import { randomSequence } from "../noise";
import { addLathe, addRod, type Mesh, MeshBuilder, toUnitVector } from "./geometry";

type Profile = readonly (readonly [radius: number, y: number])[];

/** Adds the objects, and the flower in the alcove. */
export function addObjects(meshes: Mesh[]): void {
  const makeMeshes: Readonly<Record<ObjectId, (foot: Vec3, node: string) => Mesh[]>> = {
    vase: celadonBottle,
    facets: thirtyRhombi,
    ring: oneFace,
    jar: moonJar,
    bowl: teaBowl,
  };
  for (const { id, number, x, baseHeight, z } of objects)
    meshes.push(...makeMeshes[id]([x, baseHeight, z], `object-${number}`));
  meshes.push(...alcoveFlower([alcove.x0 + 0.32, alcove.step, alcove.z0 + 0.36]));
}

/** Returns a Catmull–Rom curve through the points, with `parts` steps between each two. */
function smoothProfile(points: Profile, parts: number): Profile {
  const curve: [number, number][] = [];
  const pointAt = (i: number): readonly [number, number] =>
    points[Math.max(0, Math.min(points.length - 1, i))] as readonly [number, number];
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b, c, d] = [pointAt(i - 1), pointAt(i), pointAt(i + 1), pointAt(i + 2)];
    for (let k = 0; k < parts; k++) {
      const t = k / parts;
      const blend = (p: number, q: number, r: number, s: number): number =>
        0.5 *
        (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t * t * t);
      curve.push([Math.max(0, blend(a[0], b[0], c[0], d[0])), blend(a[1], b[1], c[1], d[1])]);
    }
  }
  curve.push([...pointAt(points.length - 1)]);
  return curve;
}

function celadonBottle(foot: Vec3, node: string): Mesh[] {
  const bottle = new MeshBuilder();
  const outside = smoothProfile(
    [
      [0.055, 0],
      [0.062, 0.012],
      [0.105, 0.07],
      [0.122, 0.13],
      [0.1, 0.19],
      [0.05, 0.24],
      [0.03, 0.29],
      [0.027, 0.335],
      [0.036, 0.37],
      [0.041, 0.38],
    ],
    4,
  );
  addLathe(bottle, foot, [...outside, [0.036, 0.379], [0.024, 0.33], [0, 0.3]], 40);
  const wood = new MeshBuilder();
  const blossom = new MeshBuilder();
  branch(wood, blossom, add(foot, [0, 0.33, 0]), [0.34, 0.92, -0.1], 0.62, 11);
  return [bottle.build(node, "celadon"), wood.build(node, "branch"), blossom.build(node, "blossom")];
}

/** Adds a twig that bends a little at every knot and has side shoots with blossoms. */
function branch(
  wood: MeshBuilder,
  blossom: MeshBuilder,
  from: Vec3,
  towards: Vec3,
  length: number,
  seed: number,
): void {
  const next = randomSequence(seed);
  const grow = (start: Vec3, direction: Vec3, reach: number, radius: number, depth: number): void => {
    const knots = depth === 0 ? 8 : 5;
    const points: Vec3[] = [start];
    const radii: number[] = [radius];
    let d = toUnitVector(direction);
    let p = start;
    for (let i = 1; i <= knots; i++) {
      d = toUnitVector(add(d, [(next() - 0.5) * 0.42, (next() - 0.35) * 0.22, (next() - 0.5) * 0.42]));
      p = add(p, scale(d, reach / knots));
      points.push(p);
      radii.push(radius * (1 - (0.72 * i) / knots));
      if (depth === 0 && i >= 2 && i < knots) {
        const side = toUnitVector(add(cross(d, [next() - 0.5, next() - 0.5, next() - 0.5]), scale(d, 0.9)));
        grow(p, side, reach * (0.18 + next() * 0.22), radius * 0.5, 1);
      }
      if (depth === 1 && i >= 2 && next() < 0.62)
        ball(
          blossom,
          add(p, scale([next() - 0.5, next() - 0.3, next() - 0.5], 0.012)),
          0.007 + next() * 0.006,
        );
    }
    addRod(wood, points, radii, 5);
  };
  grow(from, towards, length, 0.0055, 0);
}

function ball(b: MeshBuilder, centre: Vec3, radius: number): void {
  const profile: [number, number][] = [];
  for (let i = 0; i <= 4; i++) {
    const t = -Math.PI / 2 + (Math.PI * i) / 4;
    profile.push([radius * Math.cos(t), radius * Math.sin(t)]);
  }
  addLathe(b, centre, profile, 6);
}

/** Makes the rhombic triacontahedron: each edge of an icosahedron becomes a rhombus whose other two corners are from the dual. */
function thirtyRhombi(foot: Vec3, node: string): Mesh[] {
  const phi = (1 + Math.sqrt(5)) / 2;
  const rotations = ([x, y, z]: Vec3): Vec3[] => [
    [x, y, z],
    [y, z, x],
    [z, x, y],
  ];
  const signs = [-1, 1];
  const ico = signs.flatMap((s) => signs.flatMap((t) => rotations([0, s, t * phi])));
  const dodeca = [
    ...signs.flatMap((s) => signs.flatMap((t) => signs.map((u): Vec3 => [s, t, u]))),
    ...signs.flatMap((s) => signs.flatMap((t) => rotations([0, s * phi, t / phi]))),
  ];
  const edge = 2;
  const radius = 0.21;
  const builder = new MeshBuilder();
  const quads: Vec3[][] = [];
  for (let i = 0; i < ico.length; i++) {
    for (let j = i + 1; j < ico.length; j++) {
      const [a, c] = [ico[i] as Vec3, ico[j] as Vec3];
      if (Math.abs(Math.hypot(...subtract(a, c)) - edge) > 1e-6) continue;
      const middle = scale(add(a, c), 0.5);
      const nearestFirst = [...dodeca].sort(
        (p, q) => Math.hypot(...subtract(p, middle)) - Math.hypot(...subtract(q, middle)),
      );
      const [d, e] = nearestFirst as [Vec3, Vec3];
      // The dual is scaled until its edges cross those of the icosahedron.
      const k = Math.hypot(...middle) / Math.hypot(...scale(add(d, e), 0.5));
      const [p, q] = [scale(d, k), scale(e, k)];
      const outwards = dot(cross(subtract(p, a), subtract(c, a)), middle) > 0;
      quads.push(outwards ? [a, p, c, q] : [a, q, c, p]);
    }
  }
  const size = radius / Math.max(...quads.flat().map((p) => Math.hypot(...p)));
  // The solid is rotated so that it rests on one face.
  const down = toUnitVector(
    scale(add((quads[0] as Vec3[])[0] as Vec3, (quads[0] as Vec3[])[2] as Vec3), 0.5),
  );
  const up = scale(down, -1);
  const side = toUnitVector(cross(up, [0.3, 0.2, 0.9]));
  const depth = cross(side, up);
  const lowest = Math.min(...quads.flat().map((p) => dot(p, up)));
  const toScene = (p: Vec3): Vec3 =>
    add(foot, scale([dot(p, side), dot(p, up) - lowest, dot(p, depth)], size));
  const isRightHanded = dot(cross(side, up), depth) > 0;
  for (const quad of quads) {
    const corners = quad.map(toScene);
    const [a, c, d, e] = (isRightHanded ? corners : corners.reverse()) as [Vec3, Vec3, Vec3, Vec3];
    subdivide(builder, a, c, d, e, 5);
  }
  return [builder.build(node, "gypsum")];
}

/** Adds a flat quad as n × n parts, so that light can change across it. */
function subdivide(b: MeshBuilder, a: Vec3, c: Vec3, d: Vec3, e: Vec3, n: number): void {
  const normal = toUnitVector(cross(subtract(c, a), subtract(e, a)));
  const rows = Array.from({ length: n + 1 }, (_, j) =>
    Array.from({ length: n + 1 }, (_, i) => {
      const [s, t] = [i / n, j / n];
      const low = add(scale(a, 1 - s), scale(c, s));
      const high = add(scale(e, 1 - s), scale(d, s));
      return { p: add(scale(low, 1 - t), scale(high, t)), n: normal };
    }),
  );
  b.grid(rows, false);
}

/** Makes an upright ring with a square cross-section that makes a quarter turn along the ring. */
function oneFace(foot: Vec3, node: string): Mesh[] {
  const ring = new MeshBuilder();
  const [radius, half, steps, parts] = [0.19, 0.052, 120, 4];
  /** Rotation about the vertical axis, in radians, so that the ring is seen obliquely. */
  const yaw = 0.5;
  const centre = add(foot, [0, radius + half * 1.36, 0]);
  const corner = (step: number, c: number): Vec3 => {
    const t = (step / steps) * 2 * Math.PI;
    const twist = (step / steps) * (Math.PI / 2) + (c * Math.PI) / 2 + Math.PI / 4;
    const r = radius + half * Math.SQRT2 * Math.cos(twist);
    const z = half * Math.SQRT2 * Math.sin(twist);
    const x = r * Math.sin(t);
    return [
      centre[0] + x * Math.cos(yaw) + z * Math.sin(yaw),
      centre[1] - r * Math.cos(t),
      centre[2] - x * Math.sin(yaw) + z * Math.cos(yaw),
    ];
  };
  for (let c = 0; c < 4; c++) {
    const rows = Array.from({ length: steps + 1 }, (_, step) => {
      const a = corner(step, c);
      const e = corner(step, c + 1);
      const previousCorner = corner(step - 1, c);
      const nextCorner = corner(step + 1, c);
      const n = toUnitVector(cross(subtract(nextCorner, previousCorner), subtract(e, a)));
      return Array.from({ length: parts + 1 }, (_, k) => ({
        p: add(scale(a, 1 - k / parts), scale(e, k / parts)),
        n,
      }));
    });
    ring.grid(rows, false);
  }
  return [ring.build(node, "indigoLacquer")];
}

function moonJar(foot: Vec3, node: string): Mesh[] {
  const jar = new MeshBuilder();
  const outside = smoothProfile(
    [
      [0.075, 0],
      [0.08, 0.012],
      [0.15, 0.07],
      [0.205, 0.16],
      [0.216, 0.225],
      [0.202, 0.29],
      [0.155, 0.37],
      [0.098, 0.412],
      [0.092, 0.428],
      [0.095, 0.44],
    ],
    4,
  );
  addLathe(jar, foot, [...outside, [0.088, 0.439], [0.085, 0.42], [0, 0.36]], 48);
  // The shape is slightly crooked, like a jar that was joined from two bowls by hand.
  for (let i = 0; i < jar.positions.length; i += 3) {
    const y = (jar.positions[i + 1] as number) - foot[1];
    jar.positions[i] = (jar.positions[i] as number) + 0.006 * Math.sin(y * 9);
    jar.positions[i + 2] = (jar.positions[i + 2] as number) + 0.004 * Math.cos(y * 11 + 1);
  }
  return [jar.build(node, "porcelain")];
}

function teaBowl(foot: Vec3, node: string): Mesh[] {
  const outside = new MeshBuilder();
  const wall = smoothProfile(
    [
      [0.028, 0],
      [0.029, 0.009],
      [0.044, 0.02],
      [0.058, 0.045],
      [0.064, 0.075],
    ],
    4,
  );
  addLathe(outside, foot, wall, 40);
  const inside = new MeshBuilder();
  const glaze = smoothProfile(
    [
      [0.064, 0.075],
      [0.0605, 0.074],
      [0.054, 0.046],
      [0.038, 0.024],
      [0, 0.016],
    ],
    4,
  );
  addLathe(inside, foot, glaze, 40);
  return [outside.build(node, "bowlOutside"), inside.build(node, "porcelain")];
}

function alcoveFlower(foot: Vec3): Mesh[] {
  const vessel = new MeshBuilder();
  const outside = smoothProfile(
    [
      [0.05, 0],
      [0.056, 0.01],
      [0.05, 0.09],
      [0.034, 0.17],
      [0.026, 0.22],
      [0.031, 0.24],
    ],
    4,
  );
  addLathe(vessel, foot, [...outside, [0.026, 0.239], [0, 0.2]], 32);
  const wood = new MeshBuilder();
  const blossom = new MeshBuilder();
  branch(wood, blossom, add(foot, [0, 0.21, 0]), [0.25, 0.95, 0.18], 0.5, 29);
  return [
    vessel.build("object-alcove", "bowlOutside"),
    wood.build("object-alcove", "branch"),
    blossom.build("object-alcove", "blossom"),
  ];
}
