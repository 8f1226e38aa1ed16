import { ebmlDocType } from "./formats/ebml-doc-type";
import { FileHead, HEAD_BYTES } from "./formats/file-head";
import { SPLAT_TYPES } from "./formats/mime-types";
import { sniffLight } from "./formats/sniff-light";
import { sniffModelFormat } from "./formats/sniff-model-formats";
import { isSog, isSpz } from "./formats/sniff-splat";
import type { SniffedMedia } from "./formats/sniffed-media";
import { isTransportStream } from "./formats/video-formats";

/** Number of bytes at a file's beginning that sniffMedia reads. A shorter file is read completely. */
export const SNIFF_BYTES = HEAD_BYTES;

const image = (type: string): SniffedMedia => ({ kind: "image", mimeType: `image/${type}` });
const video = (type: string): SniffedMedia => ({ kind: "video", mimeType: `video/${type}` });
const audio = (type: string): SniffedMedia => ({ kind: "audio", mimeType: `audio/${type}` });
const splat = (type: keyof typeof SPLAT_TYPES): SniffedMedia => ({
  kind: "splat",
  mimeType: SPLAT_TYPES[type],
});
const subtitle = (mimeType: string): SniffedMedia => ({ kind: "subtitle", mimeType });

/**
 * Detects the kind and type of a file from its bytes. The file name is used only where the bytes are ambiguous: for example for a video
 * container without video, which may be music, for ZIP archives, and for splats without a signature whose content is plausible.
 * @param head the first SNIFF_BYTES of the file, or all of it
 * @param byteSize size of the whole file, if known
 * @returns null for a file of an unsupported kind: pages, scripts, programs, archives, plain text
 */
export async function sniffMedia(
  head: Uint8Array,
  fileName: string,
  byteSize?: number,
): Promise<SniffedMedia | null> {
  const file = new FileHead(head, fileName, byteSize);
  for (const sniff of SNIFFERS) {
    const sniffed = await sniff(file);
    if (sniffed !== undefined) return sniffed;
  }
  return null;
}

/** Undefined when the file has another format; null when it is not supported and no further check is needed. */
type Sniffer = (file: FileHead) => SniffResult | Promise<SniffResult>;
type SniffResult = SniffedMedia | null | undefined;

const images: Sniffer = (file) => {
  if (file.begins("\x89PNG\r\n\x1a\n") && file.begins("IHDR", 12)) return image("png");
  if (file.begins("\xff\xd8\xff")) return image("jpeg");
  if (file.begins("GIF87a") || file.begins("GIF89a")) return image("gif");
  if (file.begins("RIFF") && file.begins("WEBPVP8", 8)) return image("webp");
  // The last two are BigTIFF, for files above 4 GB. Some programs always write it.
  if (file.has(12) && ["II*\0", "MM\0*", "II+\0\x08\0", "MM\0+\0\x08"].some((mark) => file.begins(mark)))
    return image("tiff");
  return isBitmap(file) ? image("bmp") : undefined;
};

/** A text may begin with "BM" too, so the length of the header must be a defined one. */
const isBitmap = (file: FileHead) =>
  file.begins("BM") &&
  file.has(18) &&
  file.view.getUint32(6, true) === 0 &&
  [12, 40, 52, 56, 64, 108, 124].includes(file.view.getUint32(14, true));

const hdrImages: Sniffer = (file) => {
  const mimeType = sniffLight(file.bytes);
  return mimeType === null ? undefined : { kind: "image", mimeType };
};

/** Returns the brands of a container, the major brand first (ISO 14496-12 §4.3); null for a file without brands. */
function readBrands(file: FileHead): readonly string[] | null {
  if (!file.begins("ftyp", 4)) return null;
  const length = Math.min(file.view.getUint32(0), 1024);
  if (length < 16) return null;
  const brands = [file.text(8, 4)];
  for (let offset = 16; offset + 4 <= length; offset += 4) brands.push(file.text(offset, 4));
  return brands;
}

const HEIC = /^(heic|heix|heim|heis|hevc|hevx|hevm|hevs)$/;
const VIDEO_BRAND = /^(iso[m2-9a-c]|mp4[12]|mp71|avc1|av01|hvc1|dash|mmp4|MSNV|M4V.|f4v |3g[p2].)$/;

const isoMedia: Sniffer = (file) => {
  const brands = readBrands(file);
  if (brands === null) {
    // Old QuickTime files have no ftyp box.
    const isOld = ["moov", "mdat", "wide", "free", "skip"].some((type) => file.begins(type, 4));
    return isOld && file.has(16) && isQuickTime(file) ? video("quicktime") : undefined;
  }
  const hasBrand = (...names: readonly string[]) => brands.some((brand) => names.includes(brand));
  if (hasBrand("avif", "avis")) return image("avif");
  if (brands.some((brand) => HEIC.test(brand))) return image("heic");
  if (hasBrand("mif1", "msf1")) return image("heif");
  const [majorBrand = ""] = brands;
  if (/^M4[ABP] $/.test(majorBrand)) return audio("mp4");
  if (majorBrand === "qt  ") return video("quicktime");
  if (!brands.some((brand) => VIDEO_BRAND.test(brand) || brand === "M4A ")) return null;
  return file.extension === "m4a" || file.extension === "m4b" ? audio("mp4") : video("mp4");
};

/** Returns whether the head consists of consecutive boxes and one of them is a box of a video. */
function isQuickTime(file: FileHead): boolean {
  let hasMovieBox = false;
  for (let offset = 0; offset + 8 <= file.bytes.length; ) {
    const length = file.view.getUint32(offset);
    const type = file.text(offset + 4, 4);
    if (!["moov", "mdat", "wide", "free", "skip", "pnot", "PICT"].includes(type)) return false;
    hasMovieBox ||= type === "moov" || type === "mdat";
    if (length < 8) return hasMovieBox && length <= 1;
    if (file.size !== null && offset + length > file.size) return false;
    offset += length;
  }
  return hasMovieBox;
}

const matroska: Sniffer = (file) => {
  if (!file.begins("\x1a\x45\xdf\xa3")) return undefined;
  const head = file.text(0, SNIFF_BYTES);
  const type = ebmlDocType(file.bytes);
  if (type === "matroska") return video("x-matroska");
  if (type !== "webm") return null;
  const hasVideo = /V_(VP[89]|AV1)/.test(head);
  const hasSound = /A_(OPUS|VORBIS)/.test(head);
  const isAudio = !hasVideo && (hasSound || file.extension === "weba");
  return isAudio ? audio("webm") : video("webm");
};

const transportStream: Sniffer = (file) => (isTransportStream(file.bytes) ? video("mp2t") : undefined);

/** The first characters of the video packets of an Ogg file, and the name of their codec. */
const OGG_VIDEO_CODECS = [
  ["\x80theora", "Theora"],
  ["OVP80", "VP8"],
  ["BBCD\0", "Dirac"],
  ["\x01video\0\0\0", "DirectShow"],
] as const;

/**
 * Returns the name of the video codec at the beginning of an Ogg file; undefined for audio only.
 * @param head one character for each byte
 */
export const oggVideoCodec = (head: string): string | undefined =>
  OGG_VIDEO_CODECS.find(([mark]) => head.includes(mark))?.[1];

const ogg: Sniffer = (file) => {
  if (!file.begins("OggS\0")) return undefined;
  const head = file.text(0, SNIFF_BYTES);
  if (oggVideoCodec(head)) return video("ogg");
  return ["\x01vorbis", "OpusHead", "\x7fFLAC", "Speex   "].some((mark) => head.includes(mark))
    ? audio("ogg")
    : null;
};

/** Bit rates of layer III by their number in a frame header, from 1, in kbit/s (ISO 11172-3 §2.4.2.3; ISO 13818-3 for MPEG-2). */
const BITRATES = {
  mpeg1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
/** Sampling rates of MPEG-1 by their number in a frame header, in hertz. */
const MP3_RATES = [44_100, 48_000, 32_000];

/** Size of an MPEG audio frame of layer III in bytes (ISO 11172-3 §2.4.1.3); null if there is none. */
function mp3Frame(file: FileHead, offset: number): number | null {
  if (!file.has(offset + 4)) return null;
  const frameHeader = file.view.getUint32(offset);
  const version = (frameHeader >>> 19) & 3;
  const [layer, bitrate, rate] = [
    (frameHeader >>> 17) & 3,
    (frameHeader >>> 12) & 15,
    (frameHeader >>> 10) & 3,
  ];
  if (frameHeader >>> 21 !== 0x7ff || version === 1 || layer !== 1 || rate === 3) return null;
  const kilobits = BITRATES[version === 3 ? "mpeg1" : "mpeg2"][bitrate - 1];
  const hertz = (MP3_RATES[rate] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  if (kilobits === undefined) return null;
  return Math.floor(((version === 3 ? 144 : 72) * kilobits * 1000) / hertz) + ((frameHeader >>> 9) & 1);
}

/** Size of an AAC frame in bytes (ADTS, ISO 13818-7 §6.2); null if there is none. */
function aacFrame(file: FileHead, offset: number): number | null {
  if (!file.has(offset + 7) || (file.view.getUint16(offset) & 0xfff6) !== 0xfff0) return null;
  const length = (file.view.getUint32(offset + 2) >>> 5) & 0x1fff;
  return length >= 7 && ((file.bytes[offset + 2] ?? 0) >> 2) % 16 < 13 ? length : null;
}

/** Returns whether a second frame follows the first, or the first is the whole file. The two sync bytes of one frame also occur in other files. */
const hasSecondFrame = (
  file: FileHead,
  frame: (file: FileHead, offset: number) => number | null,
): boolean => {
  const length = frame(file, 0);
  return length !== null && (length === file.bytes.length || frame(file, length) !== null);
};

const audioFiles: Sniffer = (file) => {
  if (file.begins("fLaC")) return audio("flac");
  if (file.begins("RIFF") && file.begins("WAVE", 8)) return audio("wav");
  if (file.begins("ID3") && file.has(10) && (file.bytes[3] ?? 255) < 5)
    return audio(file.extension === "aac" ? "aac" : "mpeg");
  if (hasSecondFrame(file, mp3Frame)) return audio("mpeg");
  return hasSecondFrame(file, aacFrame) ? audio("aac") : undefined;
};

const pdf: Sniffer = (file) =>
  /^%PDF-[12]\.\d/.test(file.text(0, 8)) ? { kind: "pdf", mimeType: "application/pdf" } : undefined;

const glb: Sniffer = (file) => {
  if (!file.begins("glTF") || !file.has(12)) return undefined;
  if (file.view.getUint32(4, true) !== 2) return null;
  // The JSON chunk comes first (glTF 2.0 §4.4). The server inspects a JSON chunk that is longer than the head.
  const jsonChunk = file.has(20) ? file.text(20, file.view.getUint32(12, true)) : "";
  const isSplat = jsonChunk.includes('"KHR_gaussian_splatting"');
  return isSplat ? splat("glb") : { kind: "model", mimeType: "model/gltf-binary" };
};

/** Properties of the points of Gaussian splats; the second list is the packed form. */
const PLY_SPLAT_PROPERTIES = [
  ["x", "y", "z", "f_dc_0", "opacity", "scale_0", "rot_0"],
  ["packed_position", "packed_rotation", "packed_scale", "packed_color"],
];

const ply: Sniffer = (file) => {
  if (!/^ply\r?\n/.test(file.text(0, 5))) return undefined;
  const text = file.text(0, SNIFF_BYTES);
  const end = text.search(/\nend_header\r?\n/);
  const properties = new Set(
    [...text.slice(0, end).matchAll(/^property \w+ (\w+)\r?$/gm)].map(([, name]) => name),
  );
  return end > 0 && PLY_SPLAT_PROPERTIES.some((names) => names.every((name) => properties.has(name)))
    ? splat("ply")
    : null;
};

const packedSplats: Sniffer = async (file) => {
  if (isSog(file.bytes, file.extension)) return splat("sog");
  const isSpzFile = await isSpz(file.bytes);
  return isSpzFile ? splat("spz") : isSpzFile;
};

/** The text that may precede the root element of an SVG. */
const MARKUP = /^(?:\s|<\?xml[^>]*\?>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE\s+svg(?:[^>[]|\[[^\]]*\])*>)*/i;
/** Possible first keys of a glTF document, because writers use different orders (glTF 2.0 §5.17). */
const GLTF_KEYS =
  /^\{\s*"(asset|accessors|animations|buffers|bufferViews|cameras|extensions|extensionsUsed|extensionsRequired|extras|images|materials|meshes|nodes|samplers|scene|scenes|skins|textures)"\s*:/;

const texts: Sniffer = (file) => {
  const start = file.begins("\xef\xbb\xbf") ? 3 : 0;
  const text = file.text(start, SNIFF_BYTES);
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return subtitle("text/vtt");
  if (/^\s*\d+[ \t]*\r?\n\d{1,3}:\d\d:\d\d[,.]\d{1,3}[ \t]+-->[ \t]+\d{1,3}:\d\d:\d\d[,.]\d/.test(text))
    return subtitle("application/x-subrip");
  if (/^<(?:\w+:)?svg[\s>/]/.test(text.replace(MARKUP, ""))) return image("svg+xml");
  const json = text.trimStart();
  // The version may be after the head, so a caller with the whole file must check again.
  const isGltf = /"asset"\s*:\s*\{[^}]*"version"\s*:\s*"2\./.test(json) || file.extension === "gltf";
  if (isGltf && GLTF_KEYS.test(json)) return { kind: "model", mimeType: "model/gltf+json" };
  return undefined;
};

/** Returns whether a file has mkkellogg's format: a header of 4,096 bytes with the numbers of sections and points. */
const isKsplat = (file: FileHead): boolean => {
  if (file.extension !== "ksplat" || !file.has(44)) return false;
  const readCount = (offset: number) => file.view.getUint32(offset, true);
  const [major, minor = 0] = file.bytes;
  return (
    major === 0 &&
    minor >= 1 &&
    minor < 16 &&
    readCount(8) > 0 &&
    readCount(8) <= readCount(4) &&
    readCount(16) > 0 &&
    readCount(16) <= readCount(12) &&
    file.view.getUint16(20, true) <= 2 &&
    [24, 28, 32].every((offset) => Number.isFinite(file.view.getFloat32(offset, true))) &&
    (file.size === null || file.size > 4096 + 1024 * readCount(4))
  );
};

/** Size of a point in antimatter15's format in bytes: position, size, colour, rotation. */
const SPLAT_RECORD = 32;
/** Maximum plausible coordinate or size of a point. */
const SPLAT_REACH_MAX_METRES = 1e6;

/** The format has no signature. Every point with finite numbers must have a plausible position and size, and a rotation of about length 1. */
const isSplat = (file: FileHead): boolean => {
  if (file.extension !== "splat" || !file.has(SPLAT_RECORD)) return false;
  if (file.size !== null && file.size % SPLAT_RECORD !== 0) return false;
  const pointCount = Math.floor(file.bytes.length / SPLAT_RECORD);
  let validPoints = 0;
  for (let i = 0; i < pointCount; i++) {
    const offset = i * SPLAT_RECORD;
    const numbers = Array.from({ length: 6 }, (_, n) => file.view.getFloat32(offset + n * 4, true));
    // Captures contain splats with non-finite positions, which are not drawn.
    if (!numbers.every(Number.isFinite)) continue;
    if (numbers.some((number, n) => Math.abs(number) >= SPLAT_REACH_MAX_METRES || (n >= 3 && number < 0)))
      return false;
    const rotation = [...file.bytes.subarray(offset + 28, offset + 32)].map((byte) => (byte - 128) / 128);
    const length = Math.hypot(...rotation);
    if (length < 0.9 || length > 1.1) return false;
    validPoints++;
  }
  // If all points of the head are non-finite, later points decide, so a caller with the whole file must check them.
  return validPoints > 0 || (file.bytes.length >= SNIFF_BYTES && file.size !== SNIFF_BYTES);
};

const splatsWithoutSignature: Sniffer = (file) => {
  if (isKsplat(file)) return splat("ksplat");
  return isSplat(file) ? splat("splat") : undefined;
};

const SNIFFERS: readonly Sniffer[] = [
  images,
  hdrImages,
  isoMedia,
  transportStream,
  matroska,
  ogg,
  audioFiles,
  pdf,
  glb,
  packedSplats,
  sniffModelFormat,
  ply,
  texts,
  splatsWithoutSignature,
];
