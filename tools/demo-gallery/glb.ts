/**
 * Writes the lit gallery as a binary glTF 2.0 file: light and colour are baked into textures and vertex colours (KHR_materials_unlit), the
 * geometry uses EXT_meshopt_compression, and images use EXT_texture_webp. Faces are visible from one side only, so that a viewer outside
 * sees into the rooms.
 */
import { Document, Logger, type Material, NodeIO, type Primitive } from "@gltf-transform/core";
import { ALL_EXTENSIONS, EXTTextureWebP, KHRMaterialsUnlit } from "@gltf-transform/extensions";
import { meshopt } from "@gltf-transform/functions";
import { MeshoptEncoder } from "meshoptimizer";
import sharp from "sharp";
import { tone } from "./color";
import { pointOf, splitAroundHoles } from "./scene/geometry";
import { materialOf } from "./scene/materials";
import { channels } from "./trace/bake";
import { type Variant, variants } from "./trace/light";
import type { Pixels, Studio, TexturePart } from "./trace/studio";

/** WebGL's number of the wrapping mode. */
const CLAMP_TO_EDGE = 33071;
/** Width of the atlas, which faces without their own texture share, in pixels. */
const atlasWidth = 2048;
/** Number of pixels that are repeated around each part of the atlas. */
const padding = 2;
/** Area in square metres above which a face may get a texture of its own. */
const largeArea = 8;
/** Number of pixels per metre from which a large face gets a texture of its own. */
const finePixelsPerMetre = 90;

/** Position of a face's texture: the texture's name and the rectangle of the face's samples in it, 0…1. */
interface TextureArea {
  readonly texture: string;
  readonly u0: number;
  readonly v0: number;
  readonly u1: number;
  readonly v1: number;
}

/** Returns the gallery by day as the bytes of a .glb file. */
export async function writeModel(studio: Studio): Promise<Uint8Array> {
  const { textureAreas, textures } = await bakeTextureAreas(studio);
  const document = new Document().setLogger(new Logger(Logger.Verbosity.WARN));
  document.getRoot().getAsset().generator = "Hiroba demo";
  const buffer = document.createBuffer();
  const scene = document.createScene("showroom");
  const unlit = document.createExtension(KHRMaterialsUnlit).setRequired(false);
  document.createExtension(EXTTextureWebP).setRequired(true);

  const newMaterial = (name: string): Material =>
    document
      .createMaterial(name)
      .setRoughnessFactor(1)
      .setMetallicFactor(0)
      .setExtension("KHR_materials_unlit", unlit.createUnlit());
  const materials = new Map<string, Material>();
  for (const [name, bytes] of textures) {
    const texture = document.createTexture(name).setMimeType("image/webp").setImage(bytes);
    const material = newMaterial(name).setBaseColorTexture(texture);
    // Samples reach to the edge of their part, so the texture must not wrap around.
    material.getBaseColorTextureInfo()?.setWrapS(CLAMP_TO_EDGE).setWrapT(CLAMP_TO_EDGE);
    materials.set(name, material);
  }
  const paintedMaterial = newMaterial("painted");
  materials.set("", paintedMaterial);

  const geometries = new Map<string, Map<string, Geometry>>();
  const geometryFor = (node: string, material: string): Geometry => {
    const byMaterial = geometries.get(node) ?? new Map<string, Geometry>();
    geometries.set(node, byMaterial);
    const geometry = byMaterial.get(material) ?? { positions: [], uvs: [], colors: [], indices: [] };
    byMaterial.set(material, geometry);
    return geometry;
  };

  studio.scene.faces.forEach((face, index) => {
    const textureArea = textureAreas.get(index);
    const geometry = geometryFor(face.node, textureArea?.texture ?? "");
    // Walls extend slightly beyond floor and ceiling, because edges with different divisions leave single-pixel gaps.
    const overlap =
      face.vAxis === 1 && /^(wall|skirting)-/.test(face.node) && !materialOf(face.material).flat ? 0.003 : 0;
    for (const { u0, u1, v0: bottom, v1: top } of splitAroundHoles(face)) {
      const v0 = bottom === 0 ? -overlap : bottom;
      const v1 = top === face.height && face.node.startsWith("wall") ? top + overlap : top;
      const firstVertex = geometry.positions.length / 3;
      for (const [u, v] of [
        [u0, v0],
        [u1, v0],
        [u1, v1],
        [u0, v1],
      ] as const) {
        geometry.positions.push(...pointOf(face, u, v));
        if (textureArea) {
          const s = u / face.width;
          const t = 1 - v / face.height;
          geometry.uvs.push(
            textureArea.u0 + (textureArea.u1 - textureArea.u0) * s,
            textureArea.v0 + (textureArea.v1 - textureArea.v0) * t,
          );
        } else {
          geometry.colors.push(...materialOf(face.material).albedo);
        }
      }
      geometry.indices.push(
        firstVertex,
        firstVertex + 1,
        firstVertex + 2,
        firstVertex,
        firstVertex + 2,
        firstVertex + 3,
      );
    }
  });
  studio.scene.meshes.forEach((mesh, index) => {
    const geometry = geometryFor(mesh.node, "");
    const firstVertex = geometry.positions.length / 3;
    const material = materialOf(mesh.material);
    const firstSample = studio.grids.meshFine[index] as number;
    for (let k = 0; k < mesh.positions.length / 3; k++) {
      for (let axis = 0; axis < 3; axis++) geometry.positions.push(mesh.positions[k * 3 + axis] as number);
      geometry.colors.push(...vertexColor(studio.light, firstSample + k, material, variants.day));
    }
    for (const i of mesh.indices) geometry.indices.push(firstVertex + i);
  });

  for (const [name, byMaterial] of [...geometries].sort(([a], [b]) => a.localeCompare(b))) {
    const mesh = document.createMesh(name);
    for (const [material, geometry] of byMaterial) {
      const accessor = (
        type: "VEC2" | "VEC3" | "SCALAR",
        array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
      ) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
      const primitive: Primitive = document
        .createPrimitive()
        .setMaterial(materials.get(material) ?? paintedMaterial)
        .setAttribute("POSITION", accessor("VEC3", Float32Array.from(geometry.positions)))
        .setIndices(accessor("SCALAR", Uint32Array.from(geometry.indices)));
      if (geometry.uvs.length > 0)
        primitive.setAttribute("TEXCOORD_0", accessor("VEC2", Float32Array.from(geometry.uvs)));
      if (geometry.colors.length > 0)
        primitive.setAttribute("COLOR_0", accessor("VEC3", Float32Array.from(geometry.colors)));
      mesh.addPrimitive(primitive);
    }
    scene.addChild(document.createNode(name).setMesh(mesh));
  }

  await MeshoptEncoder.ready;
  await document.transform(
    meshopt({
      encoder: MeshoptEncoder,
      level: "high",
      quantizePosition: 16,
      // All nodes use one grid, so that adjacent faces stay adjacent, without hairline gaps.
      quantizationVolume: "scene",
      quantizeTexcoord: 15,
      quantizeColor: 12,
    }),
  );
  return new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ "meshopt.encoder": MeshoptEncoder })
    .writeBinary(document);
}

interface Geometry {
  readonly positions: number[];
  readonly uvs: number[];
  readonly colors: number[];
  readonly indices: number[];
}

/** Returns the linear colour of a mesh's vertex in a variant of the light, after the tone curve. */
export function vertexColor(
  light: Float32Array,
  sample: number,
  material: ReturnType<typeof materialOf>,
  { daylight, lamplight, exposure }: Variant,
): [number, number, number] {
  const channelValue = (c: 0 | 1 | 2): number => {
    const incomingLight =
      (light[sample * channels + c] as number) * daylight[c] +
      (light[sample * channels + 3 + c] as number) * lamplight[c];
    return tone(
      (material.albedo[c] * incomingLight +
        material.daylight * daylight[c] +
        material.lamplight * lamplight[c]) *
        exposure,
    );
  };
  return [channelValue(0), channelValue(1), channelValue(2)];
}

/**
 * Bakes the textures of all faces that light changes. Works and large, finely textured faces get a texture of their own, all others share
 * an atlas.
 * @returns the texture area of each face by its index, and the textures as WebP by name
 */
async function bakeTextureAreas(
  studio: Studio,
): Promise<{ textureAreas: Map<number, TextureArea>; textures: Map<string, Uint8Array> }> {
  const textureAreas = new Map<number, TextureArea>();
  const textures = new Map<string, Uint8Array>();
  const atlasFaces: { face: number; width: number; height: number }[] = [];
  const ownTextures: { face: number; name: string; width: number; height: number; quality: number }[] = [];
  studio.scene.faces.forEach((face, index) => {
    if (materialOf(face.material).flat) return;
    const isWork = face.pixels === 0;
    if (isWork || (face.pixels >= finePixelsPerMetre && face.width * face.height > largeArea)) {
      const longest = Math.max(face.width, face.height);
      const perMetre = isWork ? Math.min(640, 1000 / longest) : face.pixels;
      ownTextures.push({
        face: index,
        name: face.node,
        width: Math.round(face.width * perMetre),
        height: Math.round(face.height * perMetre),
        quality: isWork ? 82 : 80,
      });
    } else {
      atlasFaces.push({
        face: index,
        width: Math.max(2, Math.round(face.width * face.pixels) + 1),
        height: Math.max(2, Math.round(face.height * face.pixels) + 1),
      });
    }
  });
  await Promise.all(
    ownTextures.map(async ({ face, name, width, height, quality }) => {
      const pixels = await studio.bakeTexture(width, height, [{ face, x: 0, y: 0, width, height }], 0, false);
      textures.set(name, await webp(pixels, quality));
      textureAreas.set(face, { texture: name, u0: 0, v0: 0, u1: 1, v1: 1 });
    }),
  );
  const { parts, height } = pack(atlasFaces);
  const pixels = await studio.bakeTexture(atlasWidth, height, parts, padding, true);
  textures.set("rooms", await webp(pixels, 88));
  for (const part of parts) {
    textureAreas.set(part.face, {
      texture: "rooms",
      u0: (part.x + 0.5) / atlasWidth,
      v0: (part.y + 0.5) / height,
      u1: (part.x + part.width - 0.5) / atlasWidth,
      v1: (part.y + part.height - 0.5) / height,
    });
  }
  return { textureAreas, textures };
}

/** Arranges rectangles in rows, the highest first. */
function pack(items: readonly { face: number; width: number; height: number }[]): {
  parts: TexturePart[];
  height: number;
} {
  let x = padding;
  let y = padding;
  let rowHeight = 0;
  const parts: TexturePart[] = [];
  for (const item of [...items].sort((a, b) => b.height - a.height)) {
    if (x + item.width + padding > atlasWidth) {
      x = padding;
      y += rowHeight + 2 * padding;
      rowHeight = 0;
    }
    parts.push({ ...item, x, y });
    x += item.width + 2 * padding;
    rowHeight = Math.max(rowHeight, item.height);
  }
  return { parts, height: Math.ceil((y + rowHeight + padding) / 4) * 4 };
}

function webp({ data, width, height }: Pixels, quality: number): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .webp({ quality, effort: 4, smartSubsample: true })
    .toBuffer();
}
