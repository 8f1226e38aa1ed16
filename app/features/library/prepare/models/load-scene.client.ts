/** Loads FBX, OBJ, USD, STL and PLY files as scenes. It needs no DOM. */
import {
  BufferAttribute,
  type BufferGeometry,
  type Group,
  Mesh,
  type Object3D,
  SRGBColorSpace,
  TextureLoader,
} from "three";
import { unzipSync } from "three/examples/jsm/libs/fflate.module.js";
import { FBXLoader } from "three/examples/jsm/loaders/FBXLoader.js";
import { MTLLoader } from "three/examples/jsm/loaders/MTLLoader.js";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import { PLYLoader } from "three/examples/jsm/loaders/PLYLoader.js";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { USDLoader } from "three/examples/jsm/loaders/USDLoader.js";
import { USDCParser } from "three/examples/jsm/loaders/usd/USDCParser.js";
import { decodeText } from "~/domain/library/formats/decode-text";
import { readPlyHeader } from "~/domain/library/formats/ply-header";
import { FBX_HEADER, isTextStl, MATERIAL_LINE } from "~/domain/library/formats/sniff-model-formats";
import type { PreparationNote } from "~/domain/library/prepared";
import { ConversionError, type ConversionLoss } from "../conversion";
import { checkZip } from "./check-zip";
import { findCompanion } from "./companion-files";
import { type LoadedScene, TRIANGLES_MAX } from "./export-scene.client";
import { ModelImages } from "./model-images.client";
import type { ModelRequest } from "./model-request";
import { guessMeshUnit, guessStlUnit } from "./model-units";
import { createPlainMaterial, replaceUndeclared } from "./plain-material.client";
import { PointCloud } from "./point-cloud.client";
import { weldCorners } from "./weld-corners";

/** FBX's default unit is the centimetre (FBX SDK, FbxSystemUnit). */
const FBX_UNIT = 0.01;

/** Loads an FBX file with its animations, skins and embedded textures. */
export async function loadFbx({ file, companions }: ModelRequest): Promise<LoadedScene> {
  // The loader reads the size of a window when it reads cameras.
  Object.assign(globalThis, { window: globalThis.window ?? globalThis });
  const images = new ModelImages(companions);
  const bytes = await file.arrayBuffer();
  if (!isWholeFbx(bytes)) throw new ConversionError("damaged", "Records of the FBX file are missing.");
  const { scene, losses, shapelessCount } = images.collect(() => parseFbx(bytes, images));
  const unitFactor = Number(scene.userData.unitScaleFactor ?? 1);
  return {
    scene,
    images,
    losses,
    animations: scene.animations,
    notes: shapelessCount > 0 ? [{ key: "objects_left_out", values: { count: shapelessCount } }] : [],
    unit: FBX_UNIT * (Number.isFinite(unitFactor) && unitFactor > 0 ? unitFactor : 1),
  };
}

/** Whether the records of a binary FBX file are complete. FBX files in text form count as complete. */
function isWholeFbx(bytes: ArrayBuffer): boolean {
  const view = new DataView(bytes);
  // Binary files begin with "Kaydara".
  if (view.byteLength < FBX_HEADER || view.getUint32(0) !== 0x4b617964) return true;
  const has64BitOffsets = view.getUint32(FBX_HEADER - 4, true) >= 7500;
  for (let offset = FBX_HEADER; offset + 8 <= view.byteLength; ) {
    const end = has64BitOffsets ? Number(view.getBigUint64(offset, true)) : view.getUint32(offset, true);
    if (end === 0) return true;
    if (end <= offset) return false;
    offset = end;
  }
  return false;
}

/** Records of FBX files that the loader may not support, and the loss that is reported when they are removed. */
const FBX_RECORDS = [
  ["AnimationCurve", "animations"],
  ["LayerElementColor", "colours"],
  ["LayerElementUV", "materials"],
] as const;

/** Result of parsing an FBX file. */
interface ParsedFbx {
  readonly scene: Group;
  readonly losses: ConversionLoss[];
  /** Number of meshes without geometry. */
  readonly shapelessCount: number;
}

/**
 * Parses an FBX file. If the loader fails, the file is parsed again without meshes that have no geometry, and then without one more kind of
 * unsupported record each time.
 * @param shapelessCount number of meshes without geometry that were removed
 */
function parseFbx(bytes: ArrayBuffer, images: ModelImages, shapelessCount = 0): ParsedFbx {
  const parse = () => new FBXLoader(images).parse(bytes, "");
  const losses: ConversionLoss[] = [];
  for (const [name, loss] of FBX_RECORDS)
    try {
      return { scene: parse(), losses, shapelessCount };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const count = shapelessCount > 0 ? 0 : renameShapeless(bytes);
      if (count > 0) return parseFbx(bytes, images, count);
      if (renameRecords(bytes, name)) losses.push(loss);
    }
  return { scene: parse(), losses, shapelessCount };
}

/** Connections between two records of a binary or a text FBX file: the ids of a record and of its parent. */
const FBX_CONNECTIONS = /CS\x02\0{3}OOL(.{8})L(.{8})|C: ?"OO", ?(\d+), ?(\d+)/gs;

/** Returns the records of a kind that have the class "Mesh", with their ids, in a binary or a text FBX file. Each match ends with the class. */
const matchMeshRecords = (file: string, kind: "Geometry" | "Model") =>
  [
    ...file.matchAll(
      new RegExp(
        `${kind}(?:L(.{8})S(?:(?!\\x01${kind}).){4,999}\\x01${kind}S\\x04\\0{3}|: ?(\\d+), ?"[^"\n]*", ?")Mesh`,
        "gs",
      ),
    ),
  ].map(({ 0: match, 1: binaryId, 2: id = binaryId, index }) => ({ id, end: index + match.length }));

/** Changes the class of meshes without geometry to "Null", because the loader fails on them. @returns their number */
function renameShapeless(bytes: ArrayBuffer): number {
  const file = new TextDecoder("latin1").decode(bytes);
  const geometries = new Set(matchMeshRecords(file, "Geometry").map(({ id }) => id));
  const idsWithGeometry = new Set<string | undefined>();
  for (const [, binaryId, binaryParent, id = binaryId, parent = binaryParent] of file.matchAll(
    FBX_CONNECTIONS,
  ))
    if (geometries.has(id)) idsWithGeometry.add(parent);
  const shapeless = matchMeshRecords(file, "Model").filter(({ id }) => !idsWithGeometry.has(id));
  for (const { end } of shapeless) new Uint8Array(bytes, end - 4, 4).set(new TextEncoder().encode("Null"));
  return shapeless.length;
}

/** Changes the first letter wherever a record name occurs in the file, so that the loader ignores these records. @returns whether it occurs */
function renameRecords(bytes: ArrayBuffer, name: string): boolean {
  const data = new Uint8Array(bytes);
  const letters = new TextEncoder().encode(name);
  const [firstByte = 0] = letters;
  let isFound = false;
  for (let offset = data.indexOf(firstByte); offset >= 0; offset = data.indexOf(firstByte, offset + 1)) {
    if (!letters.every((letter, i) => data[offset + i] === letter)) continue;
    // An "X" replaces the first letter.
    data[offset] = 0x58;
    isFound = true;
  }
  return isFound;
}

/** Material statements that are written in the model file itself. */
const MATERIAL_LINES = new RegExp(`^[ \\t]*${MATERIAL_LINE.source}.*$`, "gim");

/** Maximum number of lines of an OBJ file. The loader stores each line as a string; this many need about a gigabyte. */
const OBJ_LINES_MAX = 15_000_000;

/** Loads an OBJ file with the material libraries that it references. */
export async function loadObj({ file, companions }: ModelRequest): Promise<LoadedScene> {
  const images = new ModelImages(companions);
  const bytes = new Uint8Array(await file.arrayBuffer());
  // A small archive can unpack to more lines than the loader has memory for.
  if (countLines(bytes) > OBJ_LINES_MAX)
    throw new ConversionError("too_large", "The file has too many lines.");
  const text = withoutComments(decodeText(bytes));
  const loader = new OBJLoader(images);
  const libraryNames = [...text.matchAll(/^\s*mtllib\s+(.+?)\s*$/gm)].map(([, name = ""]) => name);
  const sources: string[] = [];
  for (const name of new Set(libraryNames)) {
    const library = findCompanion(companions, name);
    if (library) sources.push(decodeText(new Uint8Array(await library.arrayBuffer())));
    else images.missing.add(name);
  }
  // Some tools write the materials into the model file.
  const embeddedMaterials = text.match(MATERIAL_LINES)?.join("\n") ?? "";
  if (/^\s*newmtl\s/m.test(embeddedMaterials)) sources.push(embeddedMaterials);
  const hasLibrary = sources.length > 0;
  const library = hasLibrary ? new MTLLoader(images).parse(sources.join("\n"), "") : null;
  // Some tools write Tr 1 for an opaque material. Interpreted as transparency, the material would be invisible.
  for (const material of Object.values(library?.materialsInfo ?? {}))
    if (Number(material.tr) === 1) delete material.tr;
  if (library) loader.setMaterials(library);
  const scene = loader.parse(text.replace(MATERIAL_LINES, ""));
  const declaredNames = new Set(Object.keys(library?.materialsInfo ?? {}));
  replaceUndeclared(scene, ({ name }) => declaredNames.has(name));
  return {
    scene,
    images,
    unit: guessMeshUnit,
    losses: libraryNames.length > 0 && !hasLibrary ? ["materials"] : [],
  };
}

/** Loads a USDZ package, or a USDA or USDC file with its textures as companions. The loader converts the unit and the up axis. */
export async function loadUsd({ file, companions, fileName }: ModelRequest): Promise<LoadedScene> {
  const bytes = await file.arrayBuffer();
  const isPackage = new Uint8Array(bytes, 0, 2).every((byte, i) => byte === [0x50, 0x4b][i]);
  if (isPackage) checkZip(new Uint8Array(bytes), fileName);
  const packagedImages = isPackage ? listUnsupportedImages(new Uint8Array(bytes)) : [];
  const images = new ModelImages(new Map([...companions, ...packagedImages]));
  const { scene, hasBinaryReferences } = watchBinaryLayers(() =>
    images.collect(() => new USDLoader(images).parse(readableLayer(bytes), ".") as Group),
  );
  const removedCount = removeShapeless(scene);
  const hasReferences =
    hasBinaryReferences ||
    (isPackage
      ? listTextLayers(new Uint8Array(bytes)).some(refersInside)
      : refersInside(new Uint8Array(bytes)));
  const notes: PreparationNote[] = [
    ...(hasReferences ? [{ key: "references_left_out" as const, values: {} }] : []),
    ...(removedCount > 0 ? [{ key: "objects_left_out" as const, values: { count: removedCount } }] : []),
  ];
  return { scene, images, animations: scene.animations, notes };
}

/** Returns the files of a USDZ package that may be text layers. */
const listTextLayers = (bytes: Uint8Array): readonly Uint8Array[] =>
  Object.values(unzipSync(bytes, { filter: ({ name }) => /\.usda?$/i.test(name) }));

/** Fields by which a prim includes other prims or layers (OpenUSD, "Composition Arcs"). The loader ignores them in binary layers. */
const REFERENCE_FIELDS = ["references", "payload", "inheritPaths", "specializes"];

/** Runs a loader. @returns the scene, and whether binary layers contain references to other prims or layers */
function watchBinaryLayers<T>(load: () => T): { readonly scene: T; readonly hasBinaryReferences: boolean } {
  const { parseData } = USDCParser.prototype;
  let hasBinaryReferences = false;
  USDCParser.prototype.parseData = function (buffer) {
    const layer = parseData.call(this, buffer);
    hasBinaryReferences ||= Object.values(layer.specsByPath).some(({ fields }) =>
      REFERENCE_FIELDS.some((name) => name in fields),
    );
    return layer;
  };
  try {
    return { scene: load(), hasBinaryReferences };
  } finally {
    USDCParser.prototype.parseData = parseData;
  }
}

/** Reference from a prim of a text layer to another prim of the same layer: a path without a file. The loader ignores such references. */
const REFERENCE = /\b(?:references|inherits|specializes|payload)\s*=\s*\[?\s*</;
const refersInside = (layer: Uint8Array): boolean =>
  decodeText(layer.subarray(0, 5)) === "#usda" && REFERENCE.test(decodeText(layer));

/** Removes meshes whose points are missing or invalid. @returns their number */
function removeShapeless(scene: Object3D): number {
  const removed: Object3D[] = [];
  scene.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const positions = object.geometry.getAttribute("position")?.array ?? [];
    if (positions.length === 0 || !positions.every(Number.isFinite)) removed.push(object);
  });
  for (const object of removed) object.removeFromParent();
  return removed.length;
}

/** Returns the images in a USDZ package whose type the loader does not support. */
const listUnsupportedImages = (bytes: Uint8Array): readonly (readonly [string, Blob])[] =>
  Object.entries(unzipSync(bytes, { filter: ({ name }) => /\.(tga|webp|bmp|gif)$/i.test(name) })).map(
    ([name, content]) => [name, new Blob([content.slice()])],
  );

/** Empty metadata of prims, which the loader interprets as the end of the prim. */
const EMPTY_METADATA = /^([ \t]*(?:def|over|class)\b[^\n("]*"[^"\n]*"\s*)\(\s*\)/gm;
/** Attributes with a namespace and metadata but without a value. The loader reads only their last line. */
const VALUELESS = /^[ \t]*[\w[\] ]+:[\w:]+[ \t]*\((?:"[^"\n]*"|[^()"])*\)[ \t]*$/gm;

/** Returns a text layer without statements that have no content and that the loader misinterprets. Other files are returned unchanged. */
function readableLayer(bytes: ArrayBuffer): ArrayBuffer {
  const head = new Uint8Array(bytes, 0, Math.min(5, bytes.byteLength));
  if (decodeText(head) !== "#usda") return bytes;
  const text = decodeText(new Uint8Array(bytes)).replace(EMPTY_METADATA, "$1").replace(VALUELESS, "");
  return new TextEncoder().encode(text).buffer;
}

/** Counts the line feeds in a text without decoding it. */
function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let offset = bytes.indexOf(10); offset >= 0; offset = bytes.indexOf(10, offset + 1)) count++;
  return count;
}

/** Comments after numbers, which the loader interprets as further values. */
const NUMBERS_COMMENT = /^([ \t]*(?:v|vn|vt|f|l|p)[ \t][^#\n]*)#.*$/gm;
const withoutComments = (text: string): string =>
  text.search(NUMBERS_COMMENT) < 0 ? text : text.replace(NUMBERS_COMMENT, "$1");

/** Loads an STL file. Without colours, equal corners are merged to reduce the size. The faces stay flat, as a 3D printer prints them. */
export async function loadStl({ file, fileName }: ModelRequest): Promise<LoadedScene> {
  const bytes = await file.arrayBuffer();
  // A triangle has 50 bytes in a binary file, and more in a text file.
  if (bytes.byteLength / 50 > 2 * TRIANGLES_MAX)
    throw new ConversionError("too_large", "The file is too large.");
  // The loader reads the number of triangles after the header of every file.
  if (bytes.byteLength < 84) throw new ConversionError("empty", "The file has no triangles.");
  const geometry = new STLLoader().parse(readableStl(bytes));
  const hasColours = geometry.hasAttribute("color");
  geometry.deleteAttribute("normal");
  if (!hasColours) {
    const { positions, index } = weldCorners(geometry.getAttribute("position").array as Float32Array);
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(index, 1));
  }
  if ((geometry.index?.count ?? geometry.getAttribute("position").count) === 0)
    throw new ConversionError("empty", "The file has no triangles.");
  const scene = new Mesh(geometry, createPlainMaterial(hasColours));
  scene.name = fileName.replace(/\.\w+$/, "");
  return { scene, unit: guessStlUnit, isZUp: true };
}

/** Facets without a normal in a text STL file. The loader requires a normal in each facet. */
const BARE_FACET = /\bfacet\b(?!\s+normal)/g;

/** Returns a text STL file with keywords in lower case and a normal in each facet; the normals are not used. Other files are returned unchanged. */
function readableStl(bytes: ArrayBuffer): ArrayBuffer {
  if (!isTextStl(decodeText(new Uint8Array(bytes, 0, Math.min(2048, bytes.byteLength))))) return bytes;
  const text = decodeText(new Uint8Array(bytes)).toLowerCase();
  return new TextEncoder().encode(text.replace(BARE_FACET, "facet normal 0 0 1")).buffer;
}

/** Loads a PLY mesh or point cloud with colours, and a mesh's texture. */
export async function loadPly({ file, fileName, companions }: ModelRequest): Promise<LoadedScene> {
  const bytes = await file.arrayBuffer();
  const head = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 64 * 1024));
  const header = readPlyHeader(head);
  if (!header) throw new ConversionError("damaged", "The file has no PLY header.");
  if (header.vertices > 5 * TRIANGLES_MAX || header.faces > TRIANGLES_MAX)
    throw new ConversionError("too_large", "The file has too many vertices or faces.");
  const geometry = new PLYLoader().parse(
    header.isText ? withoutPlyComments(bytes, header.dataAt) : withPlainHeader(bytes, header.dataAt),
  );
  const name = fileName.replace(/\.\w+$/, "");
  if (header.faces === 0) return pointScene(geometry, name);
  const images = new ModelImages(companions);
  const [, texture] = /^comment TextureFile (.+?)\r?$/m.exec(new TextDecoder("latin1").decode(head)) ?? [];
  if (!geometry.hasAttribute("normal")) geometry.computeVertexNormals();
  const material = createPlainMaterial(geometry.hasAttribute("color"));
  if (texture && geometry.hasAttribute("uv")) {
    material.map = new TextureLoader(images).load(texture);
    material.map.colorSpace = SRGBColorSpace;
    material.color.set(0xffffff);
  }
  const scene = new Mesh(geometry, material);
  scene.name = name;
  return { scene, images, unit: guessMeshUnit };
}

/** Comments within the data of a text PLY file, which the loader interprets as numbers. */
const PLY_COMMENT = /^[ \t]*(?:comment|obj_info|#).*$/gm;

/** Returns a text PLY file without the comments within its data. */
function withoutPlyComments(bytes: ArrayBuffer, dataOffset: number): ArrayBuffer {
  const text = decodeText(new Uint8Array(bytes, dataOffset));
  if (text.search(PLY_COMMENT) < 0) return bytes;
  const data = new TextEncoder().encode(text.replace(PLY_COMMENT, ""));
  const plain = new Uint8Array(dataOffset + data.length);
  plain.set(new Uint8Array(bytes, 0, dataOffset));
  plain.set(data, dataOffset);
  return plain.buffer;
}

/** Returns a binary PLY file whose header has no carriage returns, because the loader assumes one byte at the end of each line. */
function withPlainHeader(bytes: ArrayBuffer, dataOffset: number): ArrayBuffer {
  const head = new Uint8Array(bytes, 0, dataOffset);
  if (!head.includes(13)) return bytes;
  const plainHeader = head.filter((byte) => byte !== 13);
  const plain = new Uint8Array(plainHeader.length + bytes.byteLength - dataOffset);
  plain.set(plainHeader);
  plain.set(new Uint8Array(bytes, dataOffset), plainHeader.length);
  return plain.buffer;
}

/** Returns a point cloud as a scene. Scanners write metres. PLY declares no up axis, so it is detected. */
async function pointScene(geometry: BufferGeometry, name: string): Promise<LoadedScene> {
  const position = geometry.getAttribute("position");
  const color = geometry.getAttribute("color");
  const cloud = new PointCloud(position.count, color !== undefined);
  for (let i = 0; i < position.count; i++)
    if (cloud.keeps(i))
      cloud.add(
        [position.getX(i), position.getY(i), position.getZ(i)],
        color && [color.getX(i), color.getY(i), color.getZ(i)],
      );
  await cloud.turnZUp();
  return cloud.finish(name);
}
