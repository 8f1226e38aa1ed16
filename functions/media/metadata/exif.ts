/** Reduces Exif and XMP to the data that visitors receive: the orientation, and the data of panoramas (GPano). */

const ORIENTATION = 274;
/** Maximum number of directory entries that are read. */
const ENTRIES_MAX = 1000;

/** The orientation of a TIFF structure (TIFF 6.0 §2): 1 to 8, or null without a readable one. */
export function tiffOrientation(tiff: Uint8Array): number | null {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (tiff.byteLength < 14) return null;
  const isLittleEndian = view.getUint16(0) === 0x4949;
  if (view.getUint16(2, isLittleEndian) !== 42) return null;
  const offset = view.getUint32(4, isLittleEndian);
  if (offset + 2 > tiff.byteLength) return null;
  const count = Math.min(view.getUint16(offset, isLittleEndian), ENTRIES_MAX);
  for (let i = 0; i < count; i++) {
    const entry = offset + 2 + i * 12;
    if (entry + 12 > tiff.byteLength) return null;
    if (view.getUint16(entry, isLittleEndian) !== ORIENTATION) continue;
    const type = view.getUint16(entry + 2, isLittleEndian);
    const value =
      type === 4 ? view.getUint32(entry + 8, isLittleEndian) : view.getUint16(entry + 8, isLittleEndian);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/**
 * Returns a TIFF structure that contains only the orientation and is at most as long as the original; the caller fills
 * the rest with zeros. Empty if there is not enough room.
 */
export function reduceTiff(tiff: Uint8Array): Uint8Array {
  const orientation = tiffOrientation(tiff);
  const isLittleEndian = tiff[0] === 0x49;
  const size = orientation === null ? 14 : 26;
  if (tiff.byteLength < 14) return new Uint8Array();
  const reduced = new Uint8Array(size);
  const view = new DataView(reduced.buffer);
  view.setUint16(0, isLittleEndian ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, isLittleEndian);
  view.setUint32(4, 8, isLittleEndian);
  if (orientation !== null) {
    view.setUint16(8, 1, isLittleEndian);
    view.setUint16(10, ORIENTATION, isLittleEndian);
    view.setUint16(12, 3, isLittleEndian);
    view.setUint32(14, 1, isLittleEndian);
    view.setUint16(18, orientation, isLittleEndian);
  }
  return reduced.subarray(0, tiff.byteLength);
}

/**
 * Length of the prefix before the TIFF structure of Exif data, in bytes. Some WebP and HEIF writers omit the prefix.
 */
export const exifPrefix = (data: Uint8Array): number =>
  String.fromCharCode(...data.subarray(0, 6)) === "Exif\0\0" ? 6 : 0;

const GPANO = "http://ns.google.com/photos/1.0/panorama/";
const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
/** Size of a packet, in bytes, above which all of it is blanked. */
export const XMP_MAX = 1024 * 1024;
/** Maximum number of properties that are kept. */
const PROPERTIES_MAX = 60;

/**
 * Returns the properties of a namespace by name. They may be written as attributes or as elements. Values are XML text
 * without markup.
 */
function properties(text: string, prefix: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const name = prefix.replace(/[.-]/g, "\\$&");
  const attributes = new RegExp(
    `[\\s"']${name}:([A-Za-z]\\w{0,63})\\s{0,9}=\\s{0,9}(?:"([^"<]{0,300})"|'([^'"<]{0,300})')`,
    "g",
  );
  const elements = new RegExp(`<${name}:([A-Za-z]\\w{0,63})>([^<"]{0,300})</${name}:\\1>`, "g");
  for (const pattern of [attributes, elements])
    for (const [, key = "", value, elementValue] of text.matchAll(pattern))
      if (values.size < PROPERTIES_MAX) values.set(key, (value ?? elementValue ?? "").trim());
  return values;
}

/**
 * Returns an XMP packet that contains only the panorama's data (GPano) and the orientation and is at most as long as
 * the original; the caller fills the rest with spaces. Empty if there is no GPano or not enough room.
 */
export function reduceXmp(packet: Uint8Array): Uint8Array {
  if (packet.byteLength > XMP_MAX) return new Uint8Array();
  const text = new TextDecoder().decode(packet);
  const prefix =
    /xmlns:([A-Za-z_][\w.-]{0,30})\s{0,9}=\s{0,9}["']http:\/\/ns\.google\.com\/photos\/1\.0\/panorama\/["']/.exec(
      text,
    )?.[1];
  if (prefix === undefined) return new Uint8Array();
  const gpano = [...properties(text, prefix)].map(([key, value]) => ` GPano:${key}="${value}"`).join("");
  if (gpano === "") return new Uint8Array();
  const orientation = properties(text, "tiff").get("Orientation") ?? "";
  const orientationAttribute = /^[1-8]$/.test(orientation)
    ? ` xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="${orientation}"`
    : "";
  const rdf = (content: string) =>
    `<rdf:RDF xmlns:rdf="${RDF}"><rdf:Description rdf:about="" xmlns:GPano="${GPANO}"${gpano}${content}/></rdf:RDF>`;
  const wrapXmp = (content: string) => `<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf(content)}</x:xmpmeta>`;
  for (const candidate of [wrapXmp(orientationAttribute), wrapXmp(""), rdf("")]) {
    const bytes = new TextEncoder().encode(candidate);
    if (bytes.byteLength <= packet.byteLength) return bytes;
  }
  return new Uint8Array();
}
