/** Recognises files of 3D models that browsers cannot show and that the owner's browser converts to GLB. */

import { asciiBytes } from "./decode-text";
import { FileHead, HEAD_BYTES } from "./file-head";
import { CONVERTED_MODEL_TYPES } from "./mime-types";
import type { SniffedMedia } from "./sniffed-media";
import { listModelPaths } from "./zip/zip-model";

type Format = keyof typeof CONVERTED_MODEL_TYPES;

/**
 * Detects the type of a model that has to be converted; undefined for every other file. The bytes decide. The file name helps only with
 * OBJ, IFC, ZIP archives and binary STL.
 */
export function sniffModelFormat(head: FileHead): SniffedMedia | undefined {
  const file = toAscii(head);
  for (const [format, isFormat] of CHECKS)
    if (isFormat(file)) return { kind: "model", mimeType: CONVERTED_MODEL_TYPES[format] };
  return undefined;
}

/** Returns the head of a UTF-16 text as ASCII bytes; any other head is returned unchanged. */
function toAscii(file: FileHead): FileHead {
  const bytes = asciiBytes(file.bytes);
  return bytes === file.bytes ? file : new FileHead(bytes, `.${file.extension}`, file.size ?? undefined);
}

/** Size of the header of a binary FBX file in bytes: a signature of 23 bytes and the version. */
export const FBX_HEADER = 27;
/** The signature of a binary FBX file, without its last two bytes. */
export const FBX_SIGNATURE = "Kaydara FBX Binary  \0";

const isFbx = (file: FileHead) => {
  // Text-mode transfers corrupt the bytes after these letters. Such a file is recognised and later reported as damaged.
  if (file.begins(FBX_SIGNATURE.slice(0, 18))) return file.has(FBX_HEADER);
  const text = file.text(0, HEAD_BYTES);
  return (
    /^\s*(;[^\n]*\n\s*)*FBXHeaderExtension:\s*\{/.test(text) ||
    /^; FBX \d+\.\d+\.\d+ +project file/.test(text)
  );
};

/** Number of bytes before the triangles of a binary STL file. */
export const STL_HEADER = 84;
/** Size of a triangle of a binary STL file in bytes. */
export const STL_TRIANGLE = 50;

/** Returns whether a text is the beginning of an ASCII STL file. Some writers omit the normals. */
export const isTextStl = (text: string): boolean => /^\s*solid\b[^\n]*\n\s*(facet|endsolid)\b/i.test(text);

const isStl = (file: FileHead) => {
  if (isTextStl(file.text(0, 2048))) return true;
  if (!file.has(STL_HEADER)) return false;
  const count = file.view.getUint32(80, true);
  const isExactSize = file.size !== null && count > 0 && file.size === STL_HEADER + count * STL_TRIANGLE;
  return isExactSize || (file.extension === "stl" && file.bytes.includes(0));
};

/** Size of the header of LAS 1.0 to 1.2 in bytes. Later headers are longer. */
const LAS_HEADER_MIN = 227;
/** The two bits of the point format byte that mark compressed points (LASzip specification). */
const LAZ_BITS = 0xc0;
const isLasFile = (file: FileHead) => file.begins("LASF") && file.has(LAS_HEADER_MIN) && file.bytes[24] === 1;
const isCompressed = (file: FileHead) => ((file.bytes[104] ?? 0) & LAZ_BITS) !== 0;

/** Properties that occur only in Gaussian splats. */
const SPLAT_PROPERTY = /^property \w+ (f_dc_0|packed_position)\s*$/m;

const isPly = (file: FileHead) => {
  const text = file.text(0, HEAD_BYTES);
  if (!/^ply[ \t]*\r?\n/.test(text)) return false;
  const header = text.slice(0, Math.max(0, text.search(/\nend_header[ \t]*\r?\n/)));
  return (
    /^format (ascii|binary_little_endian|binary_big_endian) 1\.0\s*$/m.test(header) &&
    /^element vertex \d+\s*$/m.test(header) &&
    ["x", "y", "z"].every((axis) => new RegExp(`^property \\w+ ${axis}\\s*$`, "m").test(header)) &&
    !SPLAT_PROPERTY.test(header)
  );
};

/** The text that may precede the root element of a COLLADA document, with each byte as one character. */
const MARKUP = /^(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*\?>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE\s+COLLADA[^>]*>)*/;
const isCollada = (file: FileHead) =>
  /^<(?:\w+:)?COLLADA[\s>]/.test(file.text(0, HEAD_BYTES).replace(MARKUP, ""));

const isIfc = (file: FileHead) => {
  const text = file.text(0, HEAD_BYTES);
  if (!/^(?:\xef\xbb\xbf)?\s*(?:\/\*[\s\S]*?\*\/\s*)?ISO-10303-21;/.test(text)) return false;
  const schema = /FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'/i.exec(text)?.[1];
  return schema === undefined ? file.extension === "ifc" : /^IFC/i.test(schema);
};

/** Returns the names of a ZIP archive's entries whose headers are in the head. */
export function zipNames(file: FileHead): readonly string[] {
  if (!file.begins("PK\x03\x04")) return [];
  const text = file.text(0, HEAD_BYTES);
  const names: string[] = [];
  for (
    let offset = 0;
    offset >= 0 && offset + 30 <= text.length;
    offset = text.indexOf("PK\x03\x04", offset + 30)
  ) {
    const length = file.view.getUint16(offset + 26, true);
    if (offset + 30 + length <= text.length) names.push(text.slice(offset + 30, offset + 30 + length));
  }
  return names;
}

/**
 * Formats that are ZIP archives: the format, its extension, and the name of a file that only its archives contain. A ZIP archive with a .dae file may
 * also be a model with textures, so only the extension decides about colladaZip.
 */
const ZIPS: readonly (readonly [Format, string, RegExp | null])[] = [
  // The first file of a USDZ package is its scene (USDZ specification, "Layout").
  ["usdz", "usdz", /^[^/]*\.usd[ac]?$/i],
  ["threeMf", "3mf", /^\/?3d\/[^/]*\.model$/i],
  ["kmz", "kmz", /(^|\/)[^/]*\.kml$/i],
  ["colladaZip", "zae", null],
];

/**
 * Returns whether an archive may contain a model with textures. The head contains only the first names, so the directory is checked later.
 */
const isModelZip = (file: FileHead) => {
  const [firstName, ...otherNames] = zipNames(file);
  if (firstName === undefined) return false;
  return isZipName(file) || listModelPaths([firstName, ...otherNames]).length > 0;
};
const isZipName = (file: FileHead) => ["zip", "ifczip"].includes(file.extension);

const isZipOf = (format: Format) => (file: FileHead) => {
  const names = zipNames(file);
  if (names.length === 0) return false;
  const [, extension, pattern] = ZIPS.find(([name]) => name === format) ?? [];
  const candidateNames = format === "usdz" ? names.slice(0, 1) : names;
  return candidateNames.some((name) => pattern?.test(name)) || file.extension === extension;
};

/** A line of an OBJ file: a statement or a comment, or an empty line. */
const OBJ_LINE =
  /^(?:#.*|(?:v|vn|vt|vp)(?:\s+[-+]?(?:\d+(?:\.\d*)?|\.\d+|nan|inf)(?:e[-+]?\d+)?)+\s*|(?:f|l|p)(?:\s+-?\d+(?:\/(?:-?\d+)?){0,2})+\s*|(?:o|g|s|mtllib|usemtl|usemap|cstype|deg|curv|curv2|surf|parm|trim|hole|scrv|sp|end|mg|bevel|c_interp|d_interp|lod|shadow_obj|trace_obj|ctech|stech|maplib|vw)(?:\s.*)?|)$/i;

/** The beginning of a statement of a material library (MTL), which some writers put into the OBJ file itself. */
export const MATERIAL_LINE =
  /(?:newmtl|k[aeds]|tf|ns|ni|d|tr|illum|sharpness|p[rmsc]|aniso|map_\w+|bump|disp|decal|refl|norm)\s/i;
const STARTS_MATERIAL = new RegExp(`^${MATERIAL_LINE.source}`, "i");

const isObj = (file: FileHead) => {
  const text = file.text(0, HEAD_BYTES).replace(/^\xef\xbb\xbf/, "");
  if (text.includes("\0")) return false;
  const hasObjExtension = file.extension === "obj";
  const lines = text.replace(/\\\r?\n/g, " ").split(/\r?\n/);
  // The head may end inside a line.
  const isCut = file.bytes.length >= HEAD_BYTES;
  if (isCut) lines.pop();
  // The comments at the beginning of an OBJ file may be longer than the head.
  if (hasObjExtension && isCut && text.startsWith("#") && lines.every((line) => /^\s*(#|$)/.test(line)))
    return true;
  // A comment may follow a statement.
  const statements = lines.map((line) => line.replace(/(\s)#.*$/, "$1").trim());
  const validCount = statements.filter(
    (line) => OBJ_LINE.test(line) || (hasObjExtension && STARTS_MATERIAL.test(line)),
  ).length;
  const vertexCount = statements.filter((line) => /^v\s/.test(line)).length;
  if (hasObjExtension)
    return (
      validCount >= 0.9 * statements.length &&
      (vertexCount > 0 || statements.some((line) => /^(mtllib|o|g)\s/.test(line)))
    );
  return validCount === statements.length && vertexCount >= 3;
};

const CHECKS: readonly (readonly [Format, (file: FileHead) => boolean])[] = [
  ["fbx", isFbx],
  ["laz", (file) => isLasFile(file) && isCompressed(file)],
  ["las", isLasFile],
  ["ply", isPly],
  ["usdc", (file) => file.begins("PXR-USDC")],
  ["usda", (file) => /^#usda \d/.test(file.text(0, 16))],
  ["zip", (file) => isZipName(file) && isModelZip(file)],
  ["usdz", isZipOf("usdz")],
  ["threeMf", isZipOf("threeMf")],
  ["kmz", isZipOf("kmz")],
  ["colladaZip", isZipOf("colladaZip")],
  ["zip", isModelZip],
  ["collada", isCollada],
  ["ifc", isIfc],
  ["stl", isStl],
  ["obj", isObj],
];
