import type { FileRejection } from "#functions/services/library/uploads-ports";
import { decodeLatin1, markedEncoding } from "~/domain/library/formats/decode-text";
import { LAS_HEADER_BYTES, readLasHeader } from "~/domain/library/formats/las/las-header";
import { CONVERTED_MODEL_TYPES } from "~/domain/library/formats/mime-types";
import { readPlyHeader } from "~/domain/library/formats/ply-header";
import {
  FBX_HEADER,
  FBX_SIGNATURE,
  isTextStl,
  STL_HEADER,
  STL_TRIANGLE,
} from "~/domain/library/formats/sniff-model-formats";
import { chooseModelPath } from "~/domain/library/formats/zip/zip-model";
import { fillZip64Fields } from "~/domain/library/formats/zip/zip64";
import { SNIFF_BYTES } from "~/domain/library/sniff-media";
import { MODEL_UNPACKED_MAX_BYTES } from "~/domain/shared/limits";
import type { Ranges } from "../range-reader";

const TYPE = CONVERTED_MODEL_TYPES;
/** Number of bytes at the end of a text file that must contain its last statement. */
const TAIL_BYTES = 4096;

const dataView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** Returns the end of a text file. The zero bytes of UTF-16 are dropped, so that its ASCII characters can be searched. */
const readTail = async (file: Ranges) => {
  const tail = await file.read(Math.max(0, file.size - TAIL_BYTES), TAIL_BYTES);
  const isPlain = markedEncoding(await file.read(0, 2)) === "utf-8";
  return decodeLatin1(isPlain ? tail : tail.filter((byte) => byte !== 0));
};

/** Null accepts the file. "model" rejects a model that is too large, "model_zip" a ZIP file without a model. */
type Check = (file: Ranges) => Promise<FileRejection | null>;

const damagedUnless = (isWhole: boolean): FileRejection | null => (isWhole ? null : "damaged");
const endsWith =
  (end: RegExp): Check =>
  async (file) =>
    damagedUnless(end.test(await readTail(file)));

const inspectStl: Check = async (file) => {
  const head = await file.read(0, STL_HEADER);
  if (head.byteLength === STL_HEADER) {
    const count = dataView(head).getUint32(80, true);
    if (count > 0 && file.size === STL_HEADER + count * STL_TRIANGLE) return null;
    if (!isTextStl(decodeLatin1(await file.read(0, 2048))))
      return damagedUnless(count > 0 && file.size > STL_HEADER + count * STL_TRIANGLE);
  }
  const hasTriangle = /\bvertex\b/i.test(decodeLatin1(await file.read(0, SNIFF_BYTES)));
  return damagedUnless(hasTriangle && /\bend(solid\b[^\n]*|facet)\s*$/i.test(await readTail(file)));
};

/** Shortest line of a vertex in a text file, in bytes: three digits, two spaces, a line end. */
const PLY_TEXT_VERTEX_BYTES_MIN = 6;
/** Shortest line of a face, in bytes: the number of its vertices and their three indexes. */
const PLY_TEXT_FACE_BYTES_MIN = 8;

const inspectPly: Check = async (file) => {
  const header = readPlyHeader(await file.read(0, SNIFF_BYTES));
  if (header === null || header.vertices <= 0) return "damaged";
  // The last line of a text file may have no line end.
  const minBytes = header.isText
    ? header.vertices * PLY_TEXT_VERTEX_BYTES_MIN + header.faces * PLY_TEXT_FACE_BYTES_MIN - 1
    : header.fixedBytes;
  return damagedUnless(header.dataAt + minBytes <= file.size);
};

/** Maximum number of top-level records in a binary FBX file; no writer uses that many. */
const FBX_RECORDS_MAX = 64;

const inspectFbx: Check = async (file) => {
  const head = await file.read(0, FBX_HEADER);
  if (!decodeLatin1(head).startsWith(FBX_SIGNATURE)) {
    if (decodeLatin1(head).startsWith("Kaydara")) return "damaged";
    return endsWith(/\}\s*(;[^\n]*\s*)*$/)(file);
  }
  const version = dataView(head).getUint32(23, true);
  const hasWideOffsets = version >= 7500;
  let offset = FBX_HEADER;
  for (let records = 0; records < FBX_RECORDS_MAX; records++) {
    const bytes = await file.read(offset, hasWideOffsets ? 8 : 4);
    if (bytes.byteLength < (hasWideOffsets ? 8 : 4)) return "damaged";
    const end = hasWideOffsets
      ? Number(dataView(bytes).getBigUint64(0, true))
      : dataView(bytes).getUint32(0, true);
    // A record of zeros is the last one.
    if (end === 0) return damagedUnless(records > 0);
    if (end <= offset || end > file.size) return "damaged";
    offset = end;
  }
  return "damaged";
};

/** Number of bytes at the end of a ZIP file that contain the end record, with the longest comment. */
const ZIP_END_BYTES = 22 + 0xffff;
/** Maximum size of a ZIP directory in bytes, and maximum number of its entries; models have fewer. */
const ZIP_DIRECTORY_MAX = 4 * 1024 * 1024;
const ZIP_ENTRIES_MAX = 10_000;

/**
 * Checks that a ZIP file has its directory, stays within the unpacked limit, and contains a scene (PKWARE APPNOTE
 * §4.3).
 * @param missingSceneReason reason for the rejection of a file without a scene
 */
const inspectZip =
  (isScene: (name: string) => boolean, missingSceneReason: FileRejection = "damaged"): Check =>
  async (file) => {
    const tailStart = Math.max(0, file.size - ZIP_END_BYTES);
    const tail = await file.read(tailStart, ZIP_END_BYTES);
    const end = decodeLatin1(tail).lastIndexOf("PK\x05\x06");
    if (end < 0 || end + 22 > tail.byteLength) return "damaged";
    const record = dataView(tail);
    const [count, length, start] = [
      record.getUint16(end + 10, true),
      record.getUint32(end + 12, true),
      record.getUint32(end + 16, true),
    ];
    if (start + length > tailStart + end) return "damaged";
    if (count > ZIP_ENTRIES_MAX || length > ZIP_DIRECTORY_MAX) return "model";
    const directory = (await file.read(start, length)).slice();
    fillZip64Fields(directory, 0, count);
    const view = dataView(directory);
    let unpackedBytes = 0;
    let hasScene = false;
    for (let offset = 0, i = 0; i < count; i++) {
      if (offset + 46 > length || view.getUint32(offset, true) !== 0x02014b50) return "damaged";
      const isEncrypted = (view.getUint16(offset + 8, true) & 1) !== 0;
      if (isEncrypted) return "damaged";
      unpackedBytes += view.getUint32(offset + 24, true);
      const nameLength = view.getUint16(offset + 28, true);
      hasScene ||= isScene(decodeLatin1(directory.subarray(offset + 46, offset + 46 + nameLength)));
      offset += 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
    }
    if (unpackedBytes > MODEL_UNPACKED_MAX_BYTES) return "model";
    return hasScene ? null : missingSceneReason;
  };

const nameMatches = (pattern: RegExp) => (name: string) => pattern.test(name);

const inspectUsdc: Check = async (file) => {
  const head = await file.read(0, 24);
  if (head.byteLength < 24) return "damaged";
  const contentsOffset = Number(dataView(head).getBigUint64(16, true));
  return damagedUnless(contentsOffset >= 24 && contentsOffset < file.size);
};

const inspectLas: Check = async (file) => {
  const header = readLasHeader(await file.read(0, LAS_HEADER_BYTES));
  if (header === null || header.count === 0) return "damaged";
  const { pointsOffset, count, recordLength, isCompressed } = header;
  if (isCompressed) return damagedUnless(await hasChunkTable(file, pointsOffset));
  return damagedUnless(pointsOffset + count * recordLength <= file.size);
};

/** Length of the field that states where a LAZ file's chunk table begins, and of the table's version and chunk count, in bytes. */
const LAZ_OFFSET_BYTES = 8;
const LAZ_TABLE_HEAD_BYTES = 8;

/**
 * Returns whether the chunk table behind the points of a LAZ file is there. Its offset stands before the points, or at
 * the end of the file if the file was streamed.
 */
async function hasChunkTable(file: Ranges, pointsAt: number): Promise<boolean> {
  const positionAt = async (offset: number) => {
    const bytes = await file.read(offset, LAZ_OFFSET_BYTES);
    return bytes.byteLength === LAZ_OFFSET_BYTES ? Number(dataView(bytes).getBigInt64(0, true)) : null;
  };
  let tablePosition = await positionAt(pointsAt);
  if (tablePosition === -1) tablePosition = await positionAt(file.size - LAZ_OFFSET_BYTES);
  return (
    tablePosition !== null &&
    tablePosition >= pointsAt + LAZ_OFFSET_BYTES &&
    tablePosition + LAZ_TABLE_HEAD_BYTES <= file.size
  );
}

const inspectText: Check = async (file) => damagedUnless(!(await readTail(file)).includes("\0"));

const CHECKS: Readonly<Record<string, Check>> = {
  [TYPE.stl]: inspectStl,
  [TYPE.ply]: inspectPly,
  [TYPE.fbx]: inspectFbx,
  [TYPE.obj]: inspectText,
  [TYPE.threeMf]: inspectZip(nameMatches(/^\/?3d\/.*\.model$/i)),
  [TYPE.usdz]: inspectZip(nameMatches(/\.usd[ac]?$/i)),
  [TYPE.kmz]: inspectZip(nameMatches(/\.dae$/i)),
  [TYPE.colladaZip]: inspectZip(nameMatches(/\.dae$/i)),
  [TYPE.zip]: inspectZip((name) => chooseModelPath([name]) !== null, "model_zip"),
  [TYPE.usda]: inspectText,
  [TYPE.usdc]: inspectUsdc,
  [TYPE.collada]: endsWith(/<\/(\w+:)?COLLADA\s*>/),
  [TYPE.ifc]: endsWith(/END-ISO-10303-21/),
  [TYPE.las]: inspectLas,
  [TYPE.laz]: inspectLas,
};

/**
 * Returns the check of a model type that the owner's browser converts; null for other types. The check reads bounded
 * parts of the file and decides whether it is plausible and, if its format shows that, complete.
 */
export const inspectConvertedModel = (mimeType: string): Check | null => CHECKS[mimeType] ?? null;
