/** Generated content for the viewer's tests: two rooms with a door, as a model, as panoramas and as splats. */
import { Document, Logger, type Material, NodeIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS } from "@gltf-transform/extensions";
import { meshopt } from "@gltf-transform/functions";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";
import sharp from "sharp";
import type { Pin, PlacedMediaItem, Vec3, ViewerSource } from "~/viewer/core/contract";
import { directionAt } from "~/viewer/core/equirect";
import { Triangles } from "~/viewer/core/triangles";
import type { Splat } from "../support/files/spz";

interface Block {
  readonly name: string;
  readonly min: Vec3;
  readonly max: Vec3;
  readonly color: Vec3;
}

const wall = (name: string, min: Vec3, max: Vec3, color: Vec3): Block => ({
  name: `wall ${name}`,
  min,
  max,
  color,
});

/** The green room is at x −6…0 and the red room at x 0…6, both at z 0…6. The door is at x 0, z 2.5…3.5. */
export const blocks: readonly Block[] = [
  { name: "floor", min: [-6, -0.1, 0], max: [6, 0, 6], color: [0.62, 0.56, 0.48] },
  { name: "ceiling west", min: [-6, 3, 0], max: [0, 3.1, 6], color: [0.95, 0.95, 0.93] },
  { name: "ceiling east", min: [0, 3, 0], max: [6, 3.1, 6], color: [0.95, 0.95, 0.93] },
  wall("west", [-6.1, 0, 0], [-6, 3, 6], [0.45, 0.7, 0.5]),
  wall("east", [6, 0, 0], [6.1, 3, 6], [0.8, 0.45, 0.4]),
  wall("north west", [-6, 0, -0.1], [0, 3, 0], [0.75, 0.85, 0.75]),
  wall("north east", [0, 0, -0.1], [6, 3, 0], [0.9, 0.75, 0.7]),
  wall("south west", [-6, 0, 6], [0, 3, 6.1], [0.55, 0.7, 0.85]),
  wall("south east", [0, 0, 6], [6, 3, 6.1], [0.85, 0.8, 0.55]),
  wall("middle a", [-0.05, 0, 0], [0.05, 3, 2.5], [0.85, 0.85, 0.88]),
  wall("middle b", [-0.05, 0, 3.5], [0.05, 3, 6], [0.85, 0.85, 0.88]),
  wall("lintel", [-0.05, 2.2, 2.5], [0.05, 3, 3.5], [0.85, 0.85, 0.88]),
  { name: "bench", min: [-3.6, 0, 2.6], max: [-2.4, 0.45, 3.4], color: [0.35, 0.28, 0.22] },
];

/** Six faces of four corners each, counterclockwise seen from outside. Each face is two triangles. */
const FACES: readonly { readonly normal: Vec3; readonly corners: readonly [number, number, number][] }[] = [
  {
    normal: [1, 0, 0],
    corners: [
      [1, 0, 1],
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ],
  },
  {
    normal: [-1, 0, 0],
    corners: [
      [0, 0, 0],
      [0, 0, 1],
      [0, 1, 1],
      [0, 1, 0],
    ],
  },
  {
    normal: [0, 1, 0],
    corners: [
      [0, 1, 1],
      [1, 1, 1],
      [1, 1, 0],
      [0, 1, 0],
    ],
  },
  {
    normal: [0, -1, 0],
    corners: [
      [0, 0, 0],
      [1, 0, 0],
      [1, 0, 1],
      [0, 0, 1],
    ],
  },
  {
    normal: [0, 0, 1],
    corners: [
      [0, 0, 1],
      [1, 0, 1],
      [1, 1, 1],
      [0, 1, 1],
    ],
  },
  {
    normal: [0, 0, -1],
    corners: [
      [1, 0, 0],
      [0, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
    ],
  },
];

function geometry({ min, max }: Block) {
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  for (const { normal, corners } of FACES)
    for (const index of [0, 1, 2, 0, 2, 3]) {
      const corner = corners[index] ?? [0, 0, 0];
      const point = corner.map((side, axis) => (side === 1 ? max : min)[axis] ?? 0);
      positions.push(...point);
      normals.push(...normal);
      uvs.push((point[0] ?? 0) / 2, (point[2] ?? 0) / 2);
    }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    uvs: Float32Array.from(uvs),
  };
}

/** The rooms as a GLB: meshopt-compressed, with a texture on the floor, without lights. */
export async function makeModel(): Promise<Buffer> {
  const document = new Document().setLogger(new Logger(Logger.Verbosity.ERROR));
  const buffer = document.createBuffer();
  const scene = document.createScene();
  const checker = await sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#d8cdbb"/><path d="M0 0h32v32H0zM32 32h32v32H32z" fill="#c4b59d"/></svg>',
    ),
  )
    .png()
    .toBuffer();
  const texture = document
    .createTexture("checker")
    .setImage(new Uint8Array(checker))
    .setMimeType("image/png");
  for (const block of blocks) {
    const { positions, normals, uvs } = geometry(block);
    const material: Material = document
      .createMaterial(block.name)
      .setRoughnessFactor(0.9)
      .setMetallicFactor(0);
    if (block.name === "floor") material.setBaseColorTexture(texture);
    else material.setBaseColorFactor([...(block.color as [number, number, number]), 1]);
    const accessor = (array: Float32Array<ArrayBuffer>, type: "VEC2" | "VEC3") =>
      document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
    const primitive = document
      .createPrimitive()
      .setAttribute("POSITION", accessor(positions, "VEC3"))
      .setAttribute("NORMAL", accessor(normals, "VEC3"))
      .setAttribute("TEXCOORD_0", accessor(uvs, "VEC2"))
      .setMaterial(material);
    scene.addChild(
      document.createNode(block.name).setMesh(document.createMesh(block.name).addPrimitive(primitive)),
    );
  }
  await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
  await document.transform(meshopt({ encoder: MeshoptEncoder, level: "medium" }));
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ "meshopt.encoder": MeshoptEncoder, "meshopt.decoder": MeshoptDecoder });
  return Buffer.from(await io.writeBinary(document));
}

/** Distance between two splats in metres. It also determines their size, so that they cover the gaps between them. */
const SPLAT_STEP = 0.3;

/** The faces of the blocks, as flat splats. */
export function makeSplats(): readonly Splat[] {
  const splats: Splat[] = [];
  for (const { min, max, color } of blocks)
    for (const { normal } of FACES) {
      const axis = normal.findIndex((component) => component !== 0);
      const [u, v] = [0, 1, 2].filter((otherAxis) => otherAxis !== axis) as [number, number];
      const side = (normal[axis] ?? 0) > 0 ? max : min;
      const steps = (dimension: number) =>
        Math.max(1, Math.round(((max[dimension] ?? 0) - (min[dimension] ?? 0)) / SPLAT_STEP));
      for (let i = 0; i < steps(u); i++)
        for (let j = 0; j < steps(v); j++) {
          const position: [number, number, number] = [side[0], side[1], side[2]];
          const scale: [number, number, number] = [0.005, 0.005, 0.005];
          for (const [dimension, step] of [
            [u, i],
            [v, j],
          ] as const) {
            const width = ((max[dimension] ?? 0) - (min[dimension] ?? 0)) / steps(dimension);
            position[dimension] = (min[dimension] ?? 0) + (step + 0.5) * width;
            scale[dimension] = width / 2;
          }
          const tile = axis === 1 && (i >> 2) % 2 === (j >> 2) % 2 ? 0.85 : 1;
          const light = (0.75 + 0.15 * (normal[1] ?? 0) + 0.1 * (normal[0] ?? 0)) * tile;
          const [r, g, b] = color.map((value) => value ** (1 / 2.2) * light) as [number, number, number];
          splats.push({ position, scale, rotation: [0, 0, 0, 1], color: [r, g, b], opacity: 0.99 });
        }
    }
  return splats;
}

export const splatSource = (url: string): Extract<ViewerSource, { kind: "splat" }> => ({
  kind: "splat",
  url,
  eyeHeight: 1.6,
  up: "y",
  start: { position: [-1.5, 1.6, 4.8], yaw: 0.5, pitch: 0, mode: "walk" },
});

export const modelSource = (url: string): ViewerSource => ({
  kind: "model",
  url,
  start: { position: [-1.5, 1.6, 4.8], yaw: 0.5, pitch: 0, mode: "walk" },
  eyeHeight: 1.6,
});

const nodes = [
  { id: "green", title: "Green room", position: [-3, 1.6, 4.5], heading: 0, links: ["door"] },
  { id: "door", title: "Door", position: [0, 1.6, 3], heading: 1.2, links: ["green", "red"] },
  { id: "red", title: "Red room", position: [3, 1.6, 3], heading: Math.PI, links: ["door"] },
] as const;

export const panoramaSource = (base: string): Extract<ViewerSource, { kind: "panorama" }> => ({
  kind: "panorama",
  nodes: nodes.map((node) => ({ ...node, url: `${base}/${node.id}.jpg` })),
  start: { position: [-3, 1.6, 4.5], yaw: -0.6, pitch: 0, mode: "walk", nodeId: "green" },
});

/** The image from each node, made by casting rays at the model's triangles. */
export async function makePanoramas(width = 512): Promise<ReadonlyMap<string, Buffer>> {
  const colors: Vec3[] = [];
  const points: number[] = [];
  for (const block of blocks) {
    const { positions } = geometry(block);
    points.push(...positions);
    for (let triangle = 0; triangle < positions.length / 9; triangle++) colors.push(block.color);
  }
  const space = new Triangles(Float32Array.from(points));
  const images = new Map<string, Buffer>();
  const height = width / 2;
  for (const node of nodes) {
    const pixels = Buffer.alloc(width * height * 3);
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        const ray = directionAt((column + 0.5) / width, 1 - (row + 0.5) / height, node.heading);
        const hit = space.raycast(node.position, ray);
        const base = hit ? (colors[hit.triangle] ?? [0, 0, 0]) : [0.1, 0.1, 0.12];
        const light = hit ? 0.72 + 0.2 * hit.normal[1] + 0.08 * hit.normal[0] : 1;
        const tile =
          hit && hit.normal[1] > 0.5 && (Math.floor(hit.position[0]) + Math.floor(hit.position[2])) % 2;
        for (let channel = 0; channel < 3; channel++)
          pixels[(row * width + column) * 3 + channel] = Math.min(
            255,
            Math.round((base[channel] ?? 0) ** (1 / 2.2) * 255 * (light + (tile ? 0.06 : 0))),
          );
      }
    images.set(
      node.id,
      await sharp(pixels, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 85 })
        .toBuffer(),
    );
  }
  return images;
}

const pin = (id: string, label: string, position: Vec3, stem: Vec3, overrides: Partial<Pin> = {}): Pin => ({
  id,
  type: "tag",
  label,
  color: "#3b4fa8",
  icon: "info",
  position,
  stem,
  viewpoint: null,
  ...overrides,
});

/** Pins on the walls, on the bench, close together, and in the other room. */
export const pins: readonly Pin[] = [
  pin("north", "Picture on the north wall", [-3, 1.5, 0], [0, 0, 0.25], { icon: "picture" }),
  pin("bench", "Bench", [-3, 0.45, 3], [0, 0.3, 0], { color: "#ffe14d" }),
  pin("west-a", "First of three", [-6, 1.6, 2], [0.2, 0, 0], { color: "#17683f" }),
  pin("west-b", "Second of three", [-6, 1.5, 2.1], [0.2, 0, 0], { color: "#17683f" }),
  pin("west-c", "Third of three", [-6, 1.4, 2.05], [0.2, 0, 0], { color: "#17683f" }),
  pin("red", "In the red room", [6, 1.5, 3], [-0.25, 0, 0], { color: "#b02a1f", icon: "star" }),
];

const placedMediaItem = (
  id: string,
  kind: PlacedMediaItem["kind"],
  overrides: Partial<PlacedMediaItem> & { position: Vec3; normal: Vec3; width: number },
): PlacedMediaItem => {
  const { position, normal, width, ...rest } = overrides;
  return {
    id,
    kind,
    url: "",
    imageUrl: null,
    title: id,
    aspect: null,
    placement: { position, normal, width, rotation: 0, play: "click", reach: 8 },
    ...rest,
  };
};

/** Placed media items of each kind except splats, in both rooms, and one whose file is missing. */
export const media: readonly PlacedMediaItem[] = [
  placedMediaItem("m-picture", "image", {
    position: [-4.6, 1.5, 0],
    normal: [0, 0, 1],
    width: 1.2,
    url: "/picture.jpg",
    aspect: 0.75,
  }),
  placedMediaItem("m-film", "video", {
    position: [-6, 1.5, 4.2],
    normal: [1, 0, 0],
    width: 1.6,
    url: "/film.webm",
    imageUrl: "/green.jpg",
    aspect: 9 / 16,
  }),
  placedMediaItem("m-sound", "audio", {
    position: [-1.2, 1.5, 0],
    normal: [0, 0, 1],
    width: 0.5,
    url: "/sound.wav",
    title: "Waves on the shore",
  }),
  placedMediaItem("m-paper", "pdf", {
    position: [-2, 0, 4],
    normal: [0, 1, 0],
    width: 0.6,
    url: "/paper.pdf",
    title: "Leaflet",
  }),
  placedMediaItem("m-page", "web", {
    position: [-2, 1.5, 0],
    normal: [0, 0, 1],
    width: 0.8,
    imageUrl: "/red.jpg",
    url: "https://example.com/",
  }),
  placedMediaItem("m-model", "model", {
    position: [-4.5, 0, 1.5],
    normal: [0, 1, 0],
    width: 1,
    url: "/rooms.glb",
  }),
  placedMediaItem("m-gone", "image", {
    position: [-6, 1.5, 1],
    normal: [1, 0, 0],
    width: 0.8,
    url: "/gone.jpg",
    title: "A picture that does not come",
  }),
  placedMediaItem("m-red", "image", {
    position: [6, 1.5, 4.5],
    normal: [-1, 0, 0],
    width: 1,
    url: "/picture.jpg",
  }),
];
