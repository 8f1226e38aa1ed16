/** Creates large models, panoramas and captures, similar to those of scanners and cameras. Only their images differ between runs. */
import sharp from "sharp";

const concat = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts));

/** An image of random noise, which no format compresses well. */
const noiseImage = (width: number, height: number, quality: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "grey",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
    limitInputPixels: false,
  })
    .jpeg({ quality })
    .toBuffer();

function chunk(type: number, content: Uint8Array, paddingByte: number): Uint8Array {
  const length = Math.ceil(content.length / 4) * 4;
  const bytes = Buffer.alloc(8 + length, paddingByte);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt32LE(type, 4);
  bytes.set(content, 8);
  return bytes;
}

/** A terrain of 2 × side² triangles, 40 m wide, with normals and with strips that each have a texture. */
export async function scannedModel(side: number, textures: number): Promise<Uint8Array<ArrayBuffer>> {
  const rowLength = side + 1;
  const vertices = new Float32Array(rowLength * rowLength * 8);
  let [low, high] = [0, 0];
  for (let z = 0, offset = 0; z <= side; z++)
    for (let x = 0; x <= side; x++, offset += 8) {
      const [u, v] = [x / side, z / side];
      const height = 3 * Math.sin(u * 9) * Math.cos(v * 7) + 0.05 * Math.sin(u * 900) * Math.sin(v * 700);
      vertices.set([u * 40 - 20, height, v * 40 - 20, 0, 1, 0, u * 4, v * 4], offset);
      [low, high] = [Math.min(low, height), Math.max(high, height)];
    }
  const strips = Array.from({ length: textures }, (_, strip) => {
    const [firstRow, endRow] = [strip, strip + 1].map((edge) => Math.round((edge * side) / textures)) as [
      number,
      number,
    ];
    const indices = new Uint32Array((endRow - firstRow) * side * 6);
    for (let z = firstRow, offset = 0; z < endRow; z++)
      for (let x = 0; x < side; x++, offset += 6) {
        const corner = z * rowLength + x;
        indices.set(
          [corner, corner + rowLength, corner + 1, corner + 1, corner + rowLength, corner + rowLength + 1],
          offset,
        );
      }
    return indices;
  });
  const textureImages = await Promise.all(strips.map(() => noiseImage(4096, 4096, 95)));
  const views: object[] = [];
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  const addView = (bytes: Uint8Array, properties: object = {}) => {
    views.push({ buffer: 0, byteOffset: byteLength, byteLength: bytes.length, ...properties });
    const paddedLength = Math.ceil(bytes.length / 4) * 4;
    chunks.push(bytes, new Uint8Array(paddedLength - bytes.length));
    byteLength += paddedLength;
    return views.length - 1;
  };
  const toBytes = (array: Float32Array | Uint32Array) => new Uint8Array(array.buffer);
  const vertexView = addView(toBytes(vertices), { byteStride: 32 });
  const attribute = (byteOffset: number, type: string, properties: object = {}) => ({
    bufferView: vertexView,
    byteOffset,
    componentType: 5126,
    count: rowLength * rowLength,
    type,
    ...properties,
  });
  const accessors: object[] = [
    attribute(0, "VEC3", { min: [-20, Math.fround(low), -20], max: [20, Math.fround(high), 20] }),
    attribute(12, "VEC3"),
    attribute(24, "VEC2"),
    ...strips.map((indices) => ({
      bufferView: addView(toBytes(indices)),
      componentType: 5125,
      count: indices.length,
      type: "SCALAR",
    })),
  ];
  const images = textureImages.map((image) => ({ bufferView: addView(image), mimeType: "image/jpeg" }));
  const scene = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    accessors,
    bufferViews: views,
    images,
    meshes: [
      {
        primitives: strips.map((_, index) => ({
          attributes: { POSITION: 0, NORMAL: 1, TEXCOORD_0: 2 },
          indices: 3 + index,
          material: index,
        })),
      },
    ],
    materials: strips.map((_, index) => ({
      pbrMetallicRoughness: { baseColorTexture: { index }, metallicFactor: 0 },
    })),
    textures: strips.map((_, source) => ({ source })),
    buffers: [{ byteLength }],
  };
  const json = chunk(0x4e4f534a, new TextEncoder().encode(JSON.stringify(scene)), 0x20);
  const binary = chunk(0x004e4942, concat(chunks), 0);
  const header = Buffer.alloc(12);
  header.write("glTF", 0);
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + json.length + binary.length, 8);
  return concat([header, json, binary]);
}

/** A panorama of random noise. */
export const photographedPanorama = async (width: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await noiseImage(width, width / 2, 88));

/** Splats on the floor and the walls of a room, in the .splat format: 32 bytes each, y down. */
export function capturedSplats(count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count * 32);
  const view = new DataView(bytes.buffer);
  // Fractional parts of irrational multiples are evenly distributed.
  const fraction = (index: number, step: number) => (index * step) % 1;
  for (let index = 0; index < count; index++) {
    const [u, v] = [fraction(index, 0.7548776662), fraction(index, 0.5698402909)];
    const position = [
      [u * 8 - 4, 1.5, v * 8 - 4],
      [u * 8 - 4, v * 3 - 1.5, index % 8 < 4 ? -4 : 4],
      [index % 8 < 4 ? -4 : 4, v * 3 - 1.5, u * 8 - 4],
    ][index % 4 < 2 ? 0 : (index % 4) - 1] as readonly number[];
    for (const [axis, value] of position.entries()) view.setFloat32(index * 32 + axis * 4, value, true);
    for (let axis = 0; axis < 3; axis++) view.setFloat32(index * 32 + 12 + axis * 4, 0.006, true);
    bytes.set(
      [90 + u * 150, 90 + v * 150, 120 + 60 * Math.sin(u * 40), 255, 255, 128, 128, 128],
      index * 32 + 24,
    );
  }
  return bytes;
}
