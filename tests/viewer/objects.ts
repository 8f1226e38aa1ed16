/** Generated models of common kinds, for tests of a model's first view and its light. */
import { Document, type Material, NodeIO } from "@gltf-transform/core";
import {
  ALL_EXTENSIONS,
  KHRLightsPunctual,
  KHRMaterialsClearcoat,
  KHRMaterialsDispersion,
  KHRMaterialsIOR,
  KHRMaterialsTransmission,
  KHRMaterialsUnlit,
  KHRMaterialsVolume,
} from "@gltf-transform/extensions";

type Point = readonly [number, number, number];

/** Triangles with their normals. */
interface Shape {
  readonly positions: number[];
  readonly normals: number[];
  readonly indices: number[];
}

/** A surface over two parameters from 0 to 1. @param toPoint returns the point for the two parameters */
function surface(toPoint: (u: number, v: number) => Point, columns: number, rows: number): Shape {
  const shape: Shape = { positions: [], normals: [], indices: [] };
  const step = 1e-3;
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= columns; column++) {
      const [u, v] = [column / columns, row / rows];
      const point = toPoint(u, v);
      const [a, b] = [toPoint(u + step, v), toPoint(u - step, v)];
      // At a pole all points of a row coincide, so the tangent along the row is taken beside the pole.
      const w = Math.min(1 - step, Math.max(step, v));
      const [c, d] = [toPoint(u, w + step), toPoint(u, w - step)];
      const across = [a[0] - b[0], a[1] - b[1], a[2] - b[2]] as const;
      const [e, f] = [toPoint(u + step, w), toPoint(u - step, w)];
      const rowTangent =
        Math.hypot(...across) > 1e-9 ? across : ([e[0] - f[0], e[1] - f[1], e[2] - f[2]] as const);
      const columnTangent = [c[0] - d[0], c[1] - d[1], c[2] - d[2]] as const;
      const normal = [
        rowTangent[1] * columnTangent[2] - rowTangent[2] * columnTangent[1],
        rowTangent[2] * columnTangent[0] - rowTangent[0] * columnTangent[2],
        rowTangent[0] * columnTangent[1] - rowTangent[1] * columnTangent[0],
      ] as const;
      const size = Math.hypot(...normal) || 1;
      shape.positions.push(...point);
      shape.normals.push(normal[0] / size, normal[1] / size, normal[2] / size);
      if (row === rows || column === columns) continue;
      const corner = row * (columns + 1) + column;
      const [right, up, upperRight] = [corner + 1, corner + columns + 1, corner + columns + 2];
      shape.indices.push(corner, right, upperRight, corner, upperRight, up);
    }
  return shape;
}

/** An ellipsoid. @param wave amplitude of its waves, as a share of the radius */
export const ball = (middle: Point, radius: Point, wave = 0, columns = 48): Shape =>
  surface(
    (u, v) => {
      const [longitude, latitude] = [u * 2 * Math.PI, (v - 0.5) * Math.PI];
      const radiusFactor = 1 + wave * Math.sin(5 * longitude) * Math.cos(4 * latitude) * Math.cos(latitude);
      return [
        middle[0] + radius[0] * radiusFactor * Math.cos(latitude) * Math.sin(longitude),
        middle[1] + radius[1] * radiusFactor * Math.sin(latitude),
        middle[2] + radius[2] * radiusFactor * Math.cos(latitude) * Math.cos(longitude),
      ];
    },
    columns,
    columns / 2,
  );

/** A box, its faces outwards or inwards. */
export function boxShape(min: Point, max: Point, inwards = false): Shape {
  const shape: Shape = { positions: [], normals: [], indices: [] };
  for (const axis of [0, 1, 2] as const)
    for (const side of [0, 1] as const) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3] as [0 | 1 | 2, 0 | 1 | 2];
      const first = shape.positions.length / 3;
      for (const [a, b] of [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const) {
        const point = [0, 0, 0];
        point[axis] = side ? max[axis] : min[axis];
        point[u] = a ? max[u] : min[u];
        point[v] = b ? max[v] : min[v];
        const normal = [0, 0, 0];
        normal[axis] = (side ? 1 : -1) * (inwards ? -1 : 1);
        shape.positions.push(...point);
        shape.normals.push(...normal);
      }
      const isReversed = (side === 0) !== inwards;
      const order = isReversed ? [0, 2, 1, 0, 3, 2] : [0, 1, 2, 0, 2, 3];
      shape.indices.push(...order.map((corner) => first + corner));
    }
  return shape;
}

/** Material of a part. */
interface PartMaterial {
  readonly color: Point;
  readonly metal?: number;
  readonly rough?: number;
  readonly isDoubleSided?: boolean;
  readonly extend?: (document: Document, material: Material) => void;
}

export type Part = readonly [Shape, PartMaterial];

const io = new NodeIO().registerExtensions(ALL_EXTENSIONS);

/** A GLB file of some parts. @param scale length of one unit in metres @param change adds further content to the file */
export async function makeObject(
  parts: readonly Part[],
  scale = 1,
  change?: (document: Document) => void,
): Promise<Buffer> {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene();
  for (const [shape, { color, metal = 0, rough = 0.6, isDoubleSided = false, extend }] of parts) {
    const material = document
      .createMaterial()
      .setBaseColorFactor([...color, 1])
      .setMetallicFactor(metal)
      .setRoughnessFactor(rough)
      .setDoubleSided(isDoubleSided);
    extend?.(document, material);
    const primitive = document
      .createPrimitive()
      .setAttribute(
        "POSITION",
        accessor(
          document,
          shape.positions.map((value) => value * scale),
        ),
      )
      .setAttribute("NORMAL", accessor(document, shape.normals))
      .setIndices(
        document
          .createAccessor()
          .setType("SCALAR")
          .setArray(Uint32Array.from(shape.indices))
          .setBuffer(buffer),
      )
      .setMaterial(material);
    scene.addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
  }
  change?.(document);
  return Buffer.from(await io.writeBinary(document));
}

const accessor = (document: Document, values: readonly number[]) =>
  document
    .createAccessor()
    .setType("VEC3")
    .setArray(Float32Array.from(values))
    .setBuffer(document.getRoot().listBuffers()[0] ?? null);

const clearcoat: PartMaterial["extend"] = (document, material) => {
  const created = document.createExtension(KHRMaterialsClearcoat).createClearcoat();
  material.setExtension(
    "KHR_materials_clearcoat",
    created.setClearcoatFactor(1).setClearcoatRoughnessFactor(0.05),
  );
};

const glass =
  (dispersion: number): NonNullable<PartMaterial["extend"]> =>
  (document, material) => {
    const createExtension = document.createExtension.bind(document);
    const transmission = createExtension(KHRMaterialsTransmission)
      .createTransmission()
      .setTransmissionFactor(1);
    const volume = createExtension(KHRMaterialsVolume).createVolume().setThicknessFactor(0.4);
    material.setExtension("KHR_materials_transmission", transmission);
    material.setExtension("KHR_materials_volume", volume.setAttenuationColor([0.7, 0.9, 0.8]));
    material.setExtension("KHR_materials_ior", createExtension(KHRMaterialsIOR).createIOR().setIOR(1.45));
    if (dispersion > 0) {
      const created = createExtension(KHRMaterialsDispersion).createDispersion().setDispersion(dispersion);
      material.setExtension("KHR_materials_dispersion", created);
    }
  };

const unlit: PartMaterial["extend"] = (document, material) => {
  material.setExtension("KHR_materials_unlit", document.createExtension(KHRMaterialsUnlit).createUnlit());
};

const unreadable: PartMaterial["extend"] = (document, material) => {
  const texture = document.createTexture("bumps").setMimeType("image/png");
  material.setNormalTexture(texture.setImage(new TextEncoder().encode("This is no picture.")));
};

const sphere = ball([0, 0.5, 0], [0.5, 0.5, 0.5], 0, 64);
const gold: PartMaterial = { color: [1, 0.77, 0.34], metal: 1, rough: 0.1 };
const steel: PartMaterial = { color: [0.6, 0.62, 0.65], metal: 1, rough: 0.35 };
const dark: PartMaterial = { color: [0.05, 0.05, 0.06], rough: 0.3 };

const helmet: readonly Part[] = [
  [ball([0, 0, 0], [0.9, 0.95, 1], 0.04), steel],
  [ball([0, 0.05, 0.45], [0.62, 0.45, 0.62]), { color: [0.9, 0.5, 0.1], rough: 0.08 }],
  [boxShape([-0.7, -0.95, -0.5], [0.7, -0.6, 0.5]), dark],
];

const cat: readonly Part[] = [
  [ball([0, 0.11, 0], [0.07, 0.12, 0.08]), { color: [0.75, 0.68, 0.6], rough: 0.9 }],
  [ball([0, 0.25, 0.03], [0.055, 0.05, 0.05]), { color: [0.75, 0.68, 0.6], rough: 0.9 }],
  [ball([-0.035, 0.3, 0.03], [0.014, 0.028, 0.008]), { color: [0.4, 0.3, 0.25] }],
  [ball([0.035, 0.3, 0.03], [0.014, 0.028, 0.008]), { color: [0.4, 0.3, 0.25] }],
  [ball([0, 0.02, -0.12], [0.02, 0.02, 0.09]), { color: [0.4, 0.3, 0.25], rough: 0.9 }],
];

const hills = (u: number, v: number): Point => [
  (u - 0.5) * 300,
  16 * Math.sin(u * 23) * Math.cos(v * 19) + 34 * Math.sin(u * 4 + v * 3) + 7 * Math.sin(u * 61 + v * 40),
  (0.5 - v) * 300,
];

const room: readonly Part[] = [
  [boxShape([-2.5, 0, -3], [2.5, 2.7, 3], true), { color: [0.8, 0.78, 0.72], rough: 0.9 }],
  [boxShape([-1, 0, -2.6], [1, 0.75, -1.8]), { color: [0.35, 0.22, 0.14], rough: 0.5 }],
  [boxShape([1.6, 0, 0.5], [2.4, 1.9, 1.5]), { color: [0.15, 0.2, 0.35], rough: 0.6 }],
];

/** Walls of 20 cm around a floor, with a door at the front, and a roof. No part has a name. */
const house: readonly Part[] = [
  [boxShape([-4, -0.1, -3], [4, 0, 3]), { color: [0.5, 0.4, 0.3] }],
  [boxShape([-4, 0, -3], [-3.8, 2.6, 3]), { color: [0.85, 0.82, 0.75] }],
  [boxShape([3.8, 0, -3], [4, 2.6, 3]), { color: [0.85, 0.82, 0.75] }],
  [boxShape([-4, 0, -3], [4, 2.6, -2.8]), { color: [0.8, 0.75, 0.7] }],
  [boxShape([-4, 0, 2.8], [-0.6, 2.6, 3]), { color: [0.8, 0.75, 0.7] }],
  [boxShape([0.6, 0, 2.8], [4, 2.6, 3]), { color: [0.8, 0.75, 0.7] }],
  [boxShape([-0.6, 2.1, 2.8], [0.6, 2.6, 3]), { color: [0.8, 0.75, 0.7] }],
  [boxShape([-4.3, 2.6, -3.3], [4.3, 2.8, 3.3]), { color: [0.55, 0.2, 0.15] }],
  [boxShape([-3.4, 0, -2.6], [-1.4, 0.5, -1.6]), { color: [0.2, 0.3, 0.5] }],
];

/** A house with only its outside modelled, so that its walls are invisible from inside. */
const shell: readonly Part[] = [
  [boxShape([-4, 0, -3], [4, 3, 3]), { color: [0.85, 0.8, 0.7] }],
  [boxShape([-4.3, 3, -3.3], [4.3, 3.6, 3.3]), { color: [0.5, 0.2, 0.15] }],
  [boxShape([-0.6, 0, 3], [0.6, 2.1, 3.05]), { color: [0.3, 0.2, 0.1] }],
];

/** A camera at (2, 1.5, 2) in a separate node, which looks at the middle. */
const withCamera = (document: Document) => {
  const camera = document.createCamera("Entrance").setType("perspective").setYFov(0.8).setZNear(0.01);
  const node = document.createNode("Entrance").setCamera(camera).setTranslation([2, 1.5, 2]);
  // 45 degrees to the left about y: it looks along −x and −z.
  node.setRotation([0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)]);
  document.getRoot().listScenes()[0]?.addChild(node);
};

/** A sun in physical units, as Blender exports it, that shines from the front and above. */
const withSun = (document: Document) => {
  const sun = document.createExtension(KHRLightsPunctual).createLight("Sun").setType("directional");
  const node = document.createNode("Sun").setExtension("KHR_lights_punctual", sun.setIntensity(2049));
  node.setRotation([-Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)]);
  document.getRoot().listScenes()[0]?.addChild(node);
};

/** Moves the whole model 3 metres to the left with a bone. */
const withBone = (document: Document) => {
  const bone = document.createNode("bone").setTranslation([-3, 0, 0]);
  document.getRoot().listScenes()[0]?.addChild(bone);
  const buffer = document.getRoot().listBuffers()[0] ?? null;
  const skin = document.createSkin().addJoint(bone);
  for (const node of document.getRoot().listNodes()) {
    const [primitive] = node.getMesh()?.listPrimitives() ?? [];
    if (!primitive) continue;
    const count = primitive.getAttribute("POSITION")?.getCount() ?? 0;
    const weights = Float32Array.from({ length: count * 4 }, (_, index) => (index % 4 === 0 ? 1 : 0));
    const attribute = (values: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>) =>
      document.createAccessor().setType("VEC4").setArray(values).setBuffer(buffer);
    primitive
      .setAttribute("JOINTS_0", attribute(new Uint8Array(count * 4)))
      .setAttribute("WEIGHTS_0", attribute(weights));
    node.setSkin(skin);
  }
};

/** Every sample by its name. */
export const samples = {
  metal: () => makeObject([[sphere, gold]]),
  clearcoat: () => makeObject([[sphere, { color: [0.6, 0.02, 0.03], rough: 0.6, extend: clearcoat }]]),
  transmission: () =>
    makeObject([
      [sphere, { color: [1, 1, 1], rough: 0, extend: glass(0) }],
      [boxShape([-0.5, 0, -0.8], [0.5, 0.9, -0.7]), { color: [0.8, 0.3, 0.1] }],
    ]),
  dispersion: () =>
    makeObject([
      [sphere, { color: [1, 1, 1], rough: 0, extend: glass(6) }],
      [boxShape([-0.5, 0, -0.8], [0.1, 0.9, -0.7]), { color: [0.9, 0.9, 0.9] }],
    ]),
  unreadable: () => makeObject([[sphere, { ...gold, extend: unreadable }]]),
  helmet: () => makeObject(helmet),
  terrain: () =>
    makeObject([
      [surface(hills, 90, 90), { color: [0.32, 0.4, 0.2], rough: 1 }],
      [boxShape([-149, -60, -149], [149, -2, 149]), { color: [0.02, 0.06, 0.1], rough: 0.2 }],
    ]),
  room: () => makeObject(room),
  house: () => makeObject(house),
  shell: () => makeObject(shell),
  cat: () => makeObject(cat),
  plaster: () => makeObject(cat.map(([shape]) => [shape, { color: [1, 1, 1], rough: 1 }])),
  /** A closed box as large as a room, visible from inside as well. */
  crate: () =>
    makeObject([[boxShape([-4, 0, -4], [4, 8, 4]), { color: [0.6, 0.4, 0.25], isDoubleSided: true }]]),
  tiny: () => makeObject(helmet, 0.001),
  vast: () => makeObject(helmet, 1000),
  stool: () => makeObject([[boxShape([-0.3, 0, -0.3], [0.3, 0.4, 0.3]), steel]]),
  /** The stool: stored 3 m to the right, and moved back by a bone. */
  skinned: () => makeObject([[boxShape([2.7, 0, -0.3], [3.3, 0.4, 0.3]), steel]], 1, withBone),
  unlit: () =>
    makeObject([[boxShape([-0.5, 0, -0.5], [0.5, 1, 0.5]), { color: [0.2, 0.5, 0.8], extend: unlit }]]),
  sun: () => makeObject(cat, 1, withSun),
  camera: () => makeObject(room, 1, withCamera),
} as const satisfies Readonly<Record<string, () => Promise<Buffer>>>;
