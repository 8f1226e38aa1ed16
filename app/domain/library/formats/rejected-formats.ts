/** Recognises 3D, CAD, image and video files that cannot be converted here, so that the message can name a format to export instead. */
import { FileHead, HEAD_BYTES } from "./file-head";
import { hasWaveforms, readLasHeader } from "./las/las-header";
import { FBX_HEADER, FBX_SIGNATURE } from "./sniff-model-formats";
import { isSogDescription } from "./sniff-splat";
import { unreadableVideo } from "./video-formats";

const isOle = (file: FileHead) => file.begins("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
const hasExtension =
  (...extensions: readonly string[]) =>
  (file: FileHead) =>
    extensions.includes(file.extension);
const isText = (file: FileHead) => !file.bytes.includes(0);
const hasText = (pattern: RegExp) => (file: FileHead) => pattern.test(file.text(0, 4096));
const allOf =
  (...checks: readonly ((file: FileHead) => boolean)[]) =>
  (file: FileHead) =>
    checks.every((check) => check(file));
const anyOf =
  (...checks: readonly ((file: FileHead) => boolean)[]) =>
  (file: FileHead) =>
    checks.some((check) => check(file));
const startsWithAny =
  (...signatures: readonly string[]) =>
  (file: FileHead) =>
    signatures.some((signature) => file.begins(signature));

/** The oldest versions of FBX that can be read: binary and text. */
const FBX_BINARY_MIN = 6400;
const FBX_TEXT_MIN = 7000;

/** Returns the version of an FBX file, for example 7400 for FBX 7.4; null for other files. */
function fbxVersion(file: FileHead): { readonly version: number; readonly isText: boolean } | null {
  if (file.begins(FBX_SIGNATURE) && file.has(FBX_HEADER))
    return { version: file.view.getUint32(23, true), isText: false };
  const version = /FBXHeaderExtension:[\s\S]{0,400}?FBXVersion:\s*(\d{4})/.exec(file.text(0, 4096))?.[1];
  return version === undefined ? null : { version: Number(version), isText: true };
}

const isOldFbx = (file: FileHead) => {
  const version = fbxVersion(file);
  return version !== null && version.version < (version.isText ? FBX_TEXT_MIN : FBX_BINARY_MIN);
};

/** Returns whether a file is LAZ with waveforms, which no decoder for browsers supports. */
function isLazWithWaveforms(file: FileHead): boolean {
  const header = file.begins("LASF") ? readLasHeader(file.bytes) : null;
  return header?.isCompressed === true && hasWaveforms(header.format);
}

/** Extensions of raw files of cameras. Most of these files begin like TIFF files and contain a small preview, which would be shown instead. */
const CAMERA_RAW = "dng cr2 cr3 nef nrw arw srf sr2 raf orf rw2 pef srw 3fr iiq".split(" ");
/** Beginning of an image in the low-overhead form of HEIF (ISO/IEC 23008-12, 2025). */
const LOW_OVERHEAD = /^\0\0\0.ftypmif3/s;
/** An item of uncompressed pixels (ISO/IEC 23001-17) in a HEIF file, which the bundled libheif cannot decode. */
const UNCOMPRESSED = /infe[\s\S]{8}unci/;

/** Returns the name of an image format that the converter and most browsers do not read, from the file's beginning; null for other files. */
function describeUnreadableImage(file: FileHead): string | null {
  if (file.begins("\0\0\0\x0cjP  ") || file.begins("\xff\x4f\xff\x51")) return "JPEG 2000";
  if (file.begins("\0\0\0\x0cJXL ") || file.begins("\xff\x0a")) return "JPEG XL";
  if (file.begins("8BPS")) return "Photoshop";
  if (file.begins("%!PS") || file.begins("\xc5\xd0\xd3\xc6")) return "EPS";
  if (file.begins("qoif")) return "QOI";
  if (file.begins("gimp xcf")) return "GIMP";
  if (file.begins("FUJIFILMCCD-RAW") || file.begins("ftypcrx", 4)) return "RAW";
  if (CAMERA_RAW.includes(file.extension) && !file.begins("\xff\xd8")) return "RAW";
  if (LOW_OVERHEAD.test(file.text(0, 12))) return "HEIF (mif3)";
  if (file.begins("ftyp", 4) && UNCOMPRESSED.test(file.text(0, HEAD_BYTES))) return "uncompressed HEIF";
  if (file.extension === "tga" && file.has(18) && (file.bytes[1] ?? 2) <= 1) return "Targa";
  return null;
}

/** gzip and Zstandard, the compression formats of Blender files. */
const isPacked = startsWithAny("\x1f\x8b", "\x28\xb5\x2f\xfd");

/** glTF 1.0, binary or text. */
const isOldGltf = (file: FileHead) =>
  (file.begins("glTF") && file.has(8) && file.view.getUint32(4, true) === 1) ||
  (file.extension === "gltf" && /"asset"\s*:\s*\{[^}]*"version"\s*:\s*"1\./.test(file.text(0, 16_384)));

/** The check for each format with its own message (errors.upload.format.*). Checks use the bytes if possible. */
const CHECKS = {
  gltfOld: isOldGltf,
  fbxOld: isOldFbx,
  blend: anyOf(startsWithAny("BLENDER"), allOf(isPacked, hasExtension("blend"))),
  max: allOf(isOle, hasExtension("max")),
  cinema4d: anyOf(startsWithAny("QC4DC4D6"), hasExtension("c4d")),
  maya: anyOf(startsWithAny("//Maya ASCII"), allOf(startsWithAny("FOR4", "FOR8"), hasText(/Maya/))),
  houdini: hasExtension("hip", "hipnc", "hiplc", "bgeo"),
  lightwave: hasText(/^FORM[\s\S]{4}(LWO|LXO)/),
  alembic: anyOf(startsWithAny("Ogawa"), allOf(hasExtension("abc"), startsWithAny("\x89HDF"))),
  threeDs: allOf(startsWithAny("MM"), hasExtension("3ds")),
  vrml: anyOf(startsWithAny("#VRML"), allOf(isText, hasText(/<X3D[\s>]/))),
  sketchup: anyOf(hasText(/^\xff\xfe\xff\x0eS\0k\0e\0t\0c\0h\0U\0p\0/), hasExtension("skp")),
  rhino: startsWithAny("3D Geometry File Format"),
  revit: allOf(isOle, hasExtension("rvt", "rfa", "rte", "rft")),
  dwg: hasText(/^AC10\d\d\0/),
  dxf: anyOf(
    startsWithAny("AutoCAD Binary DXF"),
    allOf(isText, hasText(/^\s*(999\r?\n[^\n]*\n\s*)*0\r?\n\s*SECTION\r?\n/)),
  ),
  step: allOf(
    hasText(/^\s*ISO-10303-21;/),
    (file) => !/FILE_SCHEMA\s*\(\s*\(\s*'IFC/i.test(file.text(0, 16_384)),
    (file) => file.extension !== "ifc",
  ),
  iges: allOf(isText, hasExtension("igs", "iges")),
  solidworks: hasExtension("sldprt", "sldasm", "slddrw"),
  archicad: hasExtension("pln", "pla"),
  navisworks: hasExtension("nwd", "nwc", "nwf"),
  ifcXml: allOf(isText, anyOf(hasExtension("ifcxml"), hasText(/<(\w+:)?ifcXML[\s>]/))),
  e57: startsWithAny("ASTM-E57"),
  recap: hasExtension("rcp", "rcs"),
  lazWaves: isLazWithWaveforms,
  usdLayers: allOf(startsWithAny("#usda"), (file) => /@[^@\n]*\.usd[acz]?@/i.test(file.text(0, 16_384))),
  sogDescription: (file) => isSogDescription(file.bytes),
  film: (file) => unreadableVideo(file.bytes) !== null,
  /** An audio format that not all browsers play. Only the whole file shows this, so inspect-video decides. */
  sound: () => false,
  picture: (file) => describeUnreadableImage(file) !== null,
  mtl: allOf(
    isText,
    anyOf(
      hasExtension("mtl"),
      allOf((file) => file.extension !== "obj", hasText(/^\s*(#[^\n]*\n\s*)*newmtl\s/)),
    ),
  ),
} as const satisfies Readonly<Record<string, (file: FileHead) => boolean>>;

/** A format with its own rejection message. */
export type RejectedFormat = keyof typeof CHECKS;

/** All formats with their own rejection message. */
export const REJECTED_FORMATS = Object.keys(CHECKS) as readonly RejectedFormat[];

/** A rejected format with the values of its message. */
export interface FormatRejection {
  readonly format: RejectedFormat;
  readonly values: Readonly<Record<string, string | number>>;
}

/**
 * Returns the known format of a file that cannot be converted here; null for other files.
 * @param head the first HEAD_BYTES of the file, or all of it
 * @param byteSize size of the whole file in bytes, if known
 */
export function findRejectedFormat(
  head: Uint8Array,
  fileName: string,
  byteSize?: number,
): FormatRejection | null {
  const file = new FileHead(head, fileName, byteSize);
  const format = REJECTED_FORMATS.find((candidate) => CHECKS[candidate](file));
  if (format === undefined) return null;
  return { format, values: messageValues(format, file) };
}

/** Returns the values of a format's message. */
function messageValues(format: RejectedFormat, file: FileHead): FormatRejection["values"] {
  if (format === "film") return { codec: unreadableVideo(file.bytes) ?? "" };
  if (format === "picture") return { name: describeUnreadableImage(file) ?? "" };
  const version = format === "fbxOld" ? fbxVersion(file)?.version : undefined;
  return version === undefined ? {} : { version: `${version / 1000}` };
}
