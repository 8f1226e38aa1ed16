/** Draws a plain gallery room as a glTF file, for owners who want to try a space before they have a file of their own. */

import type { TemplatePlace } from "../events/template-content";

type Vec = readonly [number, number, number];

/** Size of the room in metres, from wall to wall. The floor is at y = 0. */
const ROOM = { width: 10, depth: 8, height: 3.6 } as const;

/** Initial viewpoint: in front of the bench, facing the wall with the paintings. */
export const SAMPLE_START = { position: [0, 1.6, 3.1], yaw: 0, pitch: -0.05, mode: "walk" } as const;

/** Positions of the exhibition's tags, with their stems, in metres: the bench, the three paintings, the right wall and the left wall. */
export const SAMPLE_PLACES: readonly TemplatePlace[] = [
  { position: [0, 0.47, 0.55], stem: [0, 0.3, 0] },
  ...[-2.9, 0, 2.9].map((x): TemplatePlace => ({ position: [x + 0.86, 1.04, -4], stem: [0, 0, 0.2] })),
  { position: [5, 1.6, -1.2], stem: [-0.25, 0, 0] },
  { position: [-5, 1.6, -1.2], stem: [0.25, 0, 0] },
];

/** Materials: linear base colour, roughness, and emitted light. */
const MATERIALS = [
  { name: "wall", color: [0.86, 0.85, 0.82], roughness: 0.95, emits: [0.08, 0.078, 0.072] },
  { name: "ceiling", color: [0.88, 0.87, 0.85], roughness: 0.95, emits: [0.28, 0.275, 0.26] },
  { name: "floor", color: [0.5, 0.36, 0.24], roughness: 0.7 },
  { name: "skirting", color: [0.7, 0.69, 0.66], roughness: 0.9 },
  { name: "light", color: [1, 1, 1], roughness: 1, emits: [1, 0.98, 0.94] },
  { name: "oak", color: [0.46, 0.3, 0.17], roughness: 0.6 },
  { name: "frame", color: [0.03, 0.03, 0.035], roughness: 0.5 },
  { name: "mount", color: [0.92, 0.91, 0.88], roughness: 1 },
  { name: "indigo", color: [0.04, 0.09, 0.26], roughness: 0.9 },
  { name: "vermilion", color: [0.58, 0.11, 0.05], roughness: 0.9 },
  { name: "moss", color: [0.16, 0.22, 0.1], roughness: 0.9 },
] as const;

type MaterialName = (typeof MATERIALS)[number]["name"];

interface Mesh {
  readonly positions: number[];
  readonly normals: number[];
  readonly colors: number[];
  readonly indices: number[];
}

const addScaled = (a: Vec, b: Vec, factor: number): Vec => [
  a[0] + b[0] * factor,
  a[1] + b[1] * factor,
  a[2] + b[2] * factor,
];

/** Brightness at a point of the room's shell, as a factor from 0.4 to 1: corners receive less light. */
function brightness([x, y, z]: Vec): number {
  const { width, depth, height } = ROOM;
  const distances = [width / 2 - Math.abs(x), depth / 2 - Math.abs(z), y, height - y];
  // One of the distances is zero, because the point is on the shell.
  const shade = distances
    .sort((a, b) => a - b)
    .slice(1)
    .reduce((product, distance) => product * (1 - 0.28 * Math.exp(-distance / 0.45)), 1);
  return Math.max(0.4, shade);
}

class Drawing {
  readonly meshes = new Map<MaterialName, Mesh>();

  /** Draws a rectangle as a grid, so that its colours can change across it. Right × up points to its front. */
  rectangle(
    material: MaterialName,
    corner: Vec,
    right: Vec,
    up: Vec,
    [columns, rows]: readonly [number, number] = [1, 1],
    brightnessOf: (point: Vec, column: number) => number = () => 1,
  ): void {
    const mesh = this.meshOf(material);
    const cross: Vec = [
      right[1] * up[2] - right[2] * up[1],
      right[2] * up[0] - right[0] * up[2],
      right[0] * up[1] - right[1] * up[0],
    ];
    const length = Math.hypot(...cross);
    const firstVertex = mesh.positions.length / 3;
    for (let row = 0; row <= rows; row++)
      for (let column = 0; column <= columns; column++) {
        const point = addScaled(addScaled(corner, right, column / columns), up, row / rows);
        const color = brightnessOf(point, column);
        mesh.positions.push(...point);
        mesh.normals.push(...cross.map((component) => component / length));
        mesh.colors.push(color, color, color);
      }
    const vertexIndex = (column: number, row: number) => firstVertex + row * (columns + 1) + column;
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const [a, b, c, d] = [
          vertexIndex(column, row),
          vertexIndex(column + 1, row),
          vertexIndex(column + 1, row + 1),
          vertexIndex(column, row + 1),
        ] as const;
        mesh.indices.push(a, b, c, a, c, d);
      }
  }

  /** Draws a box from the corner with its smallest coordinates. */
  box(material: MaterialName, [x, y, z]: Vec, [w, h, d]: Vec): void {
    this.rectangle(material, [x, y, z + d], [w, 0, 0], [0, h, 0]);
    this.rectangle(material, [x + w, y, z], [-w, 0, 0], [0, h, 0], [1, 1], () => 0.8);
    this.rectangle(material, [x + w, y, z + d], [0, 0, -d], [0, h, 0], [1, 1], () => 0.85);
    this.rectangle(material, [x, y, z], [0, 0, d], [0, h, 0], [1, 1], () => 0.85);
    this.rectangle(material, [x, y + h, z + d], [w, 0, 0], [0, 0, -d]);
    this.rectangle(material, [x, y, z], [w, 0, 0], [0, 0, d], [1, 1], () => 0.5);
  }

  private meshOf(material: MaterialName): Mesh {
    const mesh = this.meshes.get(material) ?? { positions: [], normals: [], colors: [], indices: [] };
    this.meshes.set(material, mesh);
    return mesh;
  }
}

/** Draws the floor, walls, ceiling lights, a bench and three framed paintings. */
function drawRoom(): Drawing {
  const drawing = new Drawing();
  const { width: w, depth: d, height: h } = ROOM;
  const boardCount = 25;
  const boardWidth = w / boardCount;
  for (let index = 0; index < boardCount; index++) {
    const x = -w / 2 + index * boardWidth;
    // Boards differ slightly in brightness, with a thin gap between them.
    const tone = 0.88 + 0.12 * Math.abs(Math.sin(index * 12.9898));
    drawing.rectangle("floor", [x, 0, d / 2], [boardWidth - 0.008, 0, 0], [0, 0, -d], [2, 20], (point) => {
      return tone * brightness(point);
    });
  }
  drawing.rectangle("frame", [-w / 2, -0.004, d / 2], [w, 0, 0], [0, 0, -d]);
  const grid = [28, 16] as const;
  drawing.rectangle("wall", [-w / 2, 0, -d / 2], [w, 0, 0], [0, h, 0], grid, brightness);
  drawing.rectangle("wall", [w / 2, 0, d / 2], [-w, 0, 0], [0, h, 0], grid, brightness);
  drawing.rectangle("wall", [w / 2, 0, -d / 2], [0, 0, d], [0, h, 0], grid, brightness);
  drawing.rectangle("wall", [-w / 2, 0, d / 2], [0, 0, -d], [0, h, 0], grid, brightness);
  drawing.rectangle("ceiling", [-w / 2, h, -d / 2], [w, 0, 0], [0, 0, d], [28, 20], brightness);
  const skirting = 0.09;
  drawing.box("skirting", [-w / 2, 0, -d / 2], [w, skirting, 0.015]);
  drawing.box("skirting", [-w / 2, 0, d / 2 - 0.015], [w, skirting, 0.015]);
  drawing.box("skirting", [-w / 2, 0, -d / 2], [0.015, skirting, d]);
  drawing.box("skirting", [w / 2 - 0.015, 0, -d / 2], [0.015, skirting, d]);
  for (const x of [-3, 0, 3]) {
    drawing.box("skirting", [x - 0.62, h - 0.05, -2.52], [1.24, 0.05, 5.04]);
    drawing.rectangle("light", [x - 0.55, h - 0.052, -2.45], [1.1, 0, 0], [0, 0, 4.9]);
  }
  drawing.box("oak", [-0.9, 0.4, 0.3], [1.8, 0.07, 0.5]);
  for (const x of [-0.78, 0.7]) drawing.box("oak", [x, 0, 0.36], [0.08, 0.4, 0.38]);
  for (const [x, color] of [
    [-2.9, "indigo"],
    [0, "vermilion"],
    [2.9, "moss"],
  ] as const) {
    const z = -d / 2;
    drawing.box("frame", [x - 0.72, 1, z], [1.44, 1.14, 0.04]);
    drawing.rectangle("mount", [x - 0.68, 1.04, z + 0.042], [1.36, 0, 0], [0, 1.06, 0]);
    drawing.rectangle(color, [x - 0.48, 1.2, z + 0.044], [0.96, 0, 0], [0, 0.74, 0], [8, 6], ([, y]) => {
      return 0.6 + 0.5 * (y - 1.2);
    });
  }
  return drawing;
}

// Constants of the glTF 2.0 specification: component types, buffer targets, and the magic numbers of a GLB file.
const UNSIGNED_BYTE = 5121;
const UNSIGNED_SHORT = 5123;
const FLOAT = 5126;
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;
const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** Pads a chunk of a GLB file to a multiple of four bytes. */
function pad(bytes: Uint8Array, filler: number): Uint8Array {
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(filler);
  padded.set(bytes);
  return padded;
}

/** The sample room as a GLB file of less than 200 KB. */
export function createSampleRoom(): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  let length = 0;
  const store = (
    array: Float32Array | Uint8Array | Uint16Array,
    target: number,
    accessor: { readonly count: number } & Record<string, unknown>,
  ) => {
    const bytes = pad(new Uint8Array(array.buffer), 0);
    bufferViews.push({ buffer: 0, byteOffset: length, byteLength: array.byteLength, target });
    length += bytes.length;
    chunks.push(bytes);
    return accessors.push({ bufferView: bufferViews.length - 1, ...accessor }) - 1;
  };
  const primitives = [...drawRoom().meshes].map(([material, mesh]) => {
    const count = mesh.positions.length / 3;
    const axis = (axisIndex: number) => mesh.positions.filter((_, index) => index % 3 === axisIndex);
    const [min, max] = [Math.min, Math.max].map((extreme) =>
      [0, 1, 2].map((axisIndex) => extreme(...axis(axisIndex).map(Math.fround))),
    );
    const vertex = { componentType: FLOAT, type: "VEC3", count } as const;
    return {
      attributes: {
        POSITION: store(Float32Array.from(mesh.positions), ARRAY_BUFFER, { ...vertex, min, max }),
        NORMAL: store(Float32Array.from(mesh.normals), ARRAY_BUFFER, vertex),
        COLOR_0: store(
          Uint8Array.from(
            Array.from({ length: count }, (_, index) => [
              ...mesh.colors.slice(index * 3, index * 3 + 3).map((component) => Math.round(component * 255)),
              255,
            ]).flat(),
          ),
          ARRAY_BUFFER,
          { componentType: UNSIGNED_BYTE, normalized: true, type: "VEC4", count },
        ),
      },
      indices: store(Uint16Array.from(mesh.indices), ELEMENT_ARRAY_BUFFER, {
        componentType: UNSIGNED_SHORT,
        type: "SCALAR",
        count: mesh.indices.length,
      }),
      material: MATERIALS.findIndex(({ name }) => name === material),
    };
  });
  const json = {
    asset: { version: "2.0", generator: "Hiroba" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name: "room", mesh: 0 }],
    meshes: [{ primitives }],
    materials: MATERIALS.map(({ name, color, roughness, ...optional }) => ({
      name,
      pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0, roughnessFactor: roughness },
      ...("emits" in optional && { emissiveFactor: optional.emits }),
    })),
    accessors,
    bufferViews,
    buffers: [{ byteLength: length }],
  };
  const text = pad(new TextEncoder().encode(JSON.stringify(json)), 0x20);
  const file = new Uint8Array(12 + 8 + text.length + 8 + length);
  const view = new DataView(file.buffer);
  [GLB_MAGIC, 2, file.length, text.length, JSON_CHUNK].forEach((word, index) => {
    view.setUint32(index * 4, word, true);
  });
  file.set(text, 20);
  view.setUint32(20 + text.length, length, true);
  view.setUint32(24 + text.length, BINARY_CHUNK, true);
  let offset = 28 + text.length;
  for (const chunk of chunks) {
    file.set(chunk, offset);
    offset += chunk.length;
  }
  return file;
}
