import {
  BlobSource,
  BufferTarget,
  Conversion as FilmConversion,
  getFirstEncodableVideoCodec,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  MPEG_TS,
  Mp4OutputFormat,
  Output,
  QTFF,
  QUALITY_HIGH,
  QUALITY_LOW,
  QUALITY_MEDIUM,
  type VideoCodec,
  WEBM,
  WebMOutputFormat,
} from "mediabunny";
import { filmHandling } from "~/domain/film-formats";
import { type Conversion, ConversionError, type Converter } from "./contract";

/** Pixels of the longer side that a converted film has at most: a film in a space is never drawn larger. */
const SIDE_MAX = 1920;
/** Codecs in which a film is written, the most widely played first. */
const WRITTEN: VideoCodec[] = ["avc", "vp9", "vp8"];

/**
 * Films that not all browsers play (HEVC, Matroska, transport streams of cameras, H.264 with ten bits) to MP4 or WebM. Pictures
 * and sound that browsers play are copied; others are encoded anew with WebCodecs.
 * Rejects with ConversionError no_codec when this browser cannot decode the pictures.
 */
export const convertFilm: Converter = async ({ file, quality, signal, onProgress }) => {
  onProgress(0, "read");
  const input = new Input({
    formats: [MP4, QTFF, MATROSKA, WEBM, MPEG_TS],
    source: new BlobSource(file),
  });
  try {
    const pictures = await input.getPrimaryVideoTrack().catch((cause) => {
      throw new ConversionError("damaged", "The film cannot be read.", {}, { cause });
    });
    signal.throwIfAborted();
    if (!pictures) throw new ConversionError("empty", "The film has no pictures.");
    const { codec, isCopied } = await outputCodec(pictures);
    const isWebM = codec === "vp8" || codec === "vp9";
    const target = new BufferTarget();
    const output = new Output({
      format: isWebM ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: "in-memory" }),
      target,
    });
    const [width, height] = [await pictures.getDisplayWidth(), await pictures.getDisplayHeight()];
    const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
    const conversion = await FilmConversion.init({
      input,
      output,
      tracks: "primary",
      showWarnings: false,
      // Where and with what a film was taken is left out.
      tags: {},
      video: isCopied
        ? {}
        : {
            codec,
            quality: quality < 0.34 ? QUALITY_LOW : quality < 0.67 ? QUALITY_MEDIUM : QUALITY_HIGH,
            ...(scale < 1 ? { width: even(width * scale), height: even(height * scale), fit: "fill" } : {}),
          },
    });
    if (!conversion.utilizedTracks.some((track) => track.isVideoTrack()))
      throw new ConversionError("no_codec", "This browser cannot convert the pictures.", {
        codec: (await pictures.getCodec()) ?? "",
      });
    conversion.onProgress = (share) => onProgress(share, isCopied ? "write" : "decode");
    const cancel = () => void conversion.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    await conversion.execute().finally(() => signal.removeEventListener("abort", cancel));
    signal.throwIfAborted();
    return {
      files: [convertedFile(target.buffer, isWebM)],
      before: { bytes: file.size, width, height },
      after: {
        bytes: target.buffer?.byteLength ?? 0,
        width: isCopied ? width : even(width * scale),
        height: isCopied ? height : even(height * scale),
      },
      losses: conversion.discardedTracks.some(({ track }) => track.isAudioTrack()) ? ["sound"] : [],
    } satisfies Conversion;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof ConversionError) throw cause;
    throw new ConversionError("damaged", "The film could not be converted.", {}, { cause });
  } finally {
    input.dispose();
  }
};

/** Encoders take even numbers of pixels. */
const even = (pixels: number) => Math.max(2, Math.round(pixels / 2) * 2);

function convertedFile(buffer: ArrayBuffer | null, isWebM: boolean): Conversion["files"][number] {
  if (!buffer) throw new ConversionError("damaged", "The conversion wrote nothing.");
  const mimeType = isWebM ? "video/webm" : "video/mp4";
  return {
    role: "display",
    name: isWebM ? "film.webm" : "film.mp4",
    kind: "video",
    mimeType,
    blob: new Blob([buffer], { type: mimeType }),
  };
}

/** The codec of the converted film, and whether its pictures can stay as they are. */
async function outputCodec(
  pictures: InputVideoTrack,
): Promise<{ readonly codec: VideoCodec; readonly isCopied: boolean }> {
  const own = await pictures.getCodec();
  const handling = filmHandling(
    own,
    pictures.internalCodecId as string,
    await pictures.getCodecParameterString(),
  );
  if (handling.is === "unplayable")
    throw new ConversionError("no_codec", `No browser decodes ${handling.name}.`, { codec: handling.name });
  if (handling.is === "playable" && own) return { codec: own, isCopied: true };
  if (!(await pictures.canDecode()))
    throw new ConversionError("no_codec", `This browser does not decode ${own}.`, { codec: own ?? "" });
  const codec = await getFirstEncodableVideoCodec(WRITTEN);
  if (!codec) throw new ConversionError("no_codec", "This browser encodes no films.", { codec: own ?? "" });
  return { codec, isCopied: false };
}
