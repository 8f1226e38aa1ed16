/** Decides which video and audio files browsers play, which the owner's browser converts, and which are rejected with advice. */

import { latin1 } from "./file-head";

/** Handling of a video by its codec. */
export type VideoHandling =
  /** The video is shown as it was uploaded. */
  | { readonly kind: "playable" }
  /** Not all browsers play the video, but WebCodecs may decode it. `codec` is the beginning of its codec string (RFC 6381). */
  | { readonly kind: "convertible"; readonly codec: string }
  /** The video is rejected. `name` is the usual name of its format; empty if it is unknown. */
  | { readonly kind: "unplayable"; readonly name: string };

/** Sample entries (ISO 14496-12), FourCCs and Matroska codec ids of rejected videos, with the name that export dialogs show. */
const UNPLAYABLE: Readonly<Record<string, string>> = {
  mp4v: "MPEG-4 part 2",
  "V_MPEG4/ISO/ASP": "MPEG-4 part 2",
  "V_MPEG4/ISO/SP": "MPEG-4 part 2",
  jpeg: "Motion JPEG",
  mjpa: "Motion JPEG",
  mjpb: "Motion JPEG",
  V_MJPEG: "Motion JPEG",
  s263: "H.263",
  h263: "H.263",
  cvid: "Cinepak",
  SVQ1: "Sorenson Video",
  SVQ3: "Sorenson Video 3",
  "rle ": "QuickTime Animation",
  "raw ": "uncompressed",
  "2vuy": "uncompressed",
  v210: "uncompressed",
  "dvc ": "DV",
  dvcp: "DV",
  dvpp: "DV",
  dv5p: "DVCPRO50",
  dvh5: "DVCPRO HD",
  AVdn: "DNxHD",
  AVdh: "DNxHR",
  CFHD: "CineForm",
  xdvc: "XDCAM",
  m2v1: "MPEG-2",
  V_MPEG1: "MPEG-1",
  V_MPEG2: "MPEG-2",
  V_THEORA: "Theora",
};

/** Profiles of H.264 with 4:2:2 or 4:4:4 chroma or ten bits per sample, which not all browsers play: profile_idc in hexadecimal. */
const H264_PROFESSIONAL = /^avc[13]\.(6e|7a|f4|2c)/i;

/**
 * Decides how a video is handled.
 * @param codec the codec family as mediabunny (the library that reads videos) names it; null for one that it does not know
 * @param entry the name in the file: a sample entry, a FourCC or a codec id of Matroska
 * @param parameters the whole codec string (RFC 6381), where it is known
 */
export function videoHandling(
  codec: string | null,
  entry: string | number | null,
  parameters: string | null,
): VideoHandling {
  if (codec === "avc" && H264_PROFESSIONAL.test(parameters ?? ""))
    return { kind: "convertible", codec: (parameters ?? "").slice(0, 7).toLowerCase() };
  if (codec === "hevc") return { kind: "convertible", codec: "hvc1" };
  if (codec === "prores") return { kind: "unplayable", name: "Apple ProRes" };
  if (codec !== null) return { kind: "playable" };
  const name = typeof entry === "string" ? (UNPLAYABLE[entry] ?? entry.trim()) : "";
  return { kind: "unplayable", name };
}

/** Audio codecs that all browsers play, in the containers that may hold them. PCM is played only in WAV. */
const PLAYED_AUDIO: readonly string[] = ["aac", "mp3", "opus", "vorbis", "flac"];
const PCM = /^(pcm-|ulaw|alaw)/;

/** Other codecs, by mediabunny's name or the name in the file, with the name that export dialogs show. */
const UNPLAYABLE_AUDIO: Readonly<Record<string, string>> = {
  ac3: "Dolby Digital, AC-3",
  eac3: "Dolby Digital Plus, E-AC-3",
  dts: "DTS",
  alac: "Apple Lossless",
  A_ALAC: "Apple Lossless",
  mlpa: "Dolby TrueHD",
  A_TRUEHD: "Dolby TrueHD",
  samr: "AMR",
  sawb: "AMR",
};

/**
 * Returns the name of an audio codec that not all browsers play, empty if it is unknown; null for one that they play. `codec` and `entry` are
 * as in videoHandling.
 * @param mimeType MIME type of the container
 */
export function unplayableAudio(
  codec: string | null,
  entry: string | number | null,
  mimeType: string,
): string | null {
  if (codec !== null && PLAYED_AUDIO.includes(codec)) return null;
  if (codec !== null && PCM.test(codec)) return mimeType === "audio/wav" ? null : "PCM";
  const name = codec ?? (typeof entry === "string" ? entry : "");
  return UNPLAYABLE_AUDIO[name] ?? name.trim();
}

/**
 * Returns the MIME type of a video that not all browsers play. Visitors see the video after its conversion.
 * @param codec codec string, or "sound" if browsers play the video without its sound
 */
export const typeToConvert = (mimeType: string, codec: string): string => `${mimeType}; codecs=${codec}`;

const ASF = [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11];

/** Codecs of AVI files by their FourCC in upper case, with the name that export dialogs show. */
const AVI_CODECS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["XVID", "DIVX", "DX50", "FMP4", "MP4V", "MP4S", "M4S2", "3IV2", "RMP4"].map((code) => [
      code,
      "MPEG-4 part 2",
    ]),
  ),
  ...Object.fromEntries(["DIV3", "DIV4", "MP42", "MP43", "MPG4"].map((code) => [code, "Microsoft MPEG-4"])),
  ...Object.fromEntries(["MJPG", "AVRN", "DMB1"].map((code) => [code, "Motion JPEG"])),
  ...Object.fromEntries(["DVSD", "DVHD", "DV25", "DV50"].map((code) => [code, "DV"])),
  ...Object.fromEntries(["H264", "X264", "AVC1"].map((code) => [code, "AVI, H.264"])),
  CVID: "Cinepak",
  HFYU: "HuffYUV",
  FFV1: "FFV1",
  IV31: "Indeo",
  IV32: "Indeo",
  IV41: "Indeo",
  IV50: "Indeo",
  MPG1: "MPEG-1",
  MPG2: "MPEG-2",
  MSVC: "Microsoft Video 1",
  CRAM: "Microsoft Video 1",
  "\0\0\0\0": "uncompressed",
};

/**
 * Returns the name of the codec of an AVI file's video stream: the compression in its format (BITMAPINFOHEADER in the chunk `strf`), or the handler in
 * its stream header (`strh`); "AVI" where the beginning of the file states neither.
 */
function aviCodec(text: string): string {
  const headerOffset = text.search(/strh[\s\S]{4}vids/);
  if (headerOffset < 0) return "AVI";
  const formatOffset = text.indexOf("strf", headerOffset);
  const codes = [
    formatOffset < 0 ? "" : text.substr(formatOffset + 24, 4),
    text.substr(headerOffset + 12, 4),
  ];
  const knownName = codes.map((code) => AVI_CODECS[code.toUpperCase()]).find((name) => name !== undefined);
  const writtenCode = codes.find((code) => /^[\w .-]{4}$/.test(code));
  return knownName ?? (writtenCode === undefined ? "AVI" : `AVI, ${writtenCode.trim()}`);
}

/**
 * Returns the name of the codec, or of the container, of a video that neither browsers nor the converter read, from the file's first bytes; null for
 * other files.
 */
export function unreadableVideo(head: Uint8Array): string | null {
  const text = latin1(head.subarray(0, 16));
  if (text.startsWith("RIFF") && text.startsWith("AVI ", 8)) return aviCodec(latin1(head));
  if (ASF.every((byte, index) => head[index] === byte)) return "Windows Media";
  if (text.startsWith("FLV\x01")) return "Flash Video";
  if (text.startsWith("\0\0\x01\xba") || text.startsWith("\0\0\x01\xb3")) return "MPEG";
  if (text.startsWith(".RMF")) return "RealMedia";
  return null;
}

/** Size of a packet and offset of its sync byte, in bytes (ISO 13818-1 §2.4.3.2). In the files of cameras (M2TS), a time code precedes each packet. */
const PACKETS = [
  { size: 188, sync: 0 },
  { size: 192, sync: 4 },
] as const;

/** Returns whether a file is an MPEG transport stream (.ts, .mts, .m2ts). Each of its packets begins with 0x47. */
export const isTransportStream = (head: Uint8Array): boolean =>
  PACKETS.some(({ size, sync }) => [0, 1, 2, 3].every((packet) => head[packet * size + sync] === 0x47));
