import {
  BlobSource,
  BufferTarget,
  getFirstEncodableVideoCodec,
  Input,
  type InputVideoTrack,
  MATROSKA,
  Conversion as MediaConversion,
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
import { videoHandling } from "~/domain/library/formats/video-formats";
import { type Conversion, ConversionError, type Converter } from "./conversion";
import { SILENCE_MS } from "./time-limit";

/** Maximum pixels of the longer side of a video that is encoded again, because videos in a space are not drawn larger. */
const SIDE_MAX = 1920;
/** Codecs for converted videos in order of browser support. */
const OUTPUT_CODECS: VideoCodec[] = ["avc", "vp9", "vp8"];

/**
 * Converts videos that not all browsers can play (HEVC, Matroska, transport streams, H.264 with ten bits) to MP4 or WebM. Tracks that browsers can
 * play are copied; the others are encoded again with WebCodecs.
 * Rejects with ConversionError no_codec when this browser cannot decode or encode the video.
 */
export const convertVideo: Converter = async ({ file, quality, signal, onProgress }) => {
  onProgress(0, "read");
  const input = new Input({
    formats: [MP4, QTFF, MATROSKA, WEBM, MPEG_TS],
    source: new BlobSource(file),
  });
  try {
    const videoTrack = await input.getPrimaryVideoTrack().catch((cause) => {
      throw new ConversionError("damaged", "The video cannot be read.", {}, { cause });
    });
    signal.throwIfAborted();
    if (!videoTrack) throw new ConversionError("empty", "The file has no video track.");
    const { codec, isCopied } = await chooseOutputCodec(videoTrack);
    const isWebM = codec === "vp8" || codec === "vp9";
    const target = new BufferTarget();
    const output = new Output({
      format: isWebM ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: "in-memory" }),
      target,
    });
    const [width, height] = [await videoTrack.getDisplayWidth(), await videoTrack.getDisplayHeight()];
    const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
    const conversion = await MediaConversion.init({
      input,
      output,
      tracks: "primary",
      showWarnings: false,
      // The result has no metadata such as location, date or camera.
      tags: {},
      video: isCopied
        ? {}
        : {
            codec,
            quality: quality < 0.34 ? QUALITY_LOW : quality < 0.67 ? QUALITY_MEDIUM : QUALITY_HIGH,
            ...(scale < 1
              ? { width: roundToEven(width * scale), height: roundToEven(height * scale), fit: "fill" }
              : {}),
          },
    });
    if (!conversion.utilizedTracks.some((track) => track.isVideoTrack()))
      throw new ConversionError("no_codec", "This browser cannot convert the video track.", {
        codec: (await videoTrack.getCodec()) ?? "",
      });
    await runConversion(conversion, signal, (share) => onProgress(share, isCopied ? "write" : "decode"));
    return {
      files: [createConvertedFile(target.buffer, isWebM)],
      before: { bytes: file.size, width, height },
      after: {
        bytes: target.buffer?.byteLength ?? 0,
        width: isCopied ? width : roundToEven(width * scale),
        height: isCopied ? height : roundToEven(height * scale),
      },
      losses: conversion.discardedTracks.some(({ track }) => track.isAudioTrack()) ? ["sound"] : [],
    } satisfies Conversion;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof ConversionError) throw cause;
    throw new ConversionError("damaged", "The video could not be converted.", {}, { cause });
  } finally {
    input.dispose();
  }
};

/**
 * Runs a conversion to its end. Rejects with the signal's reason after an abort, and with ConversionError timeout after SILENCE_MS without progress,
 * because hardware decoders may hang.
 */
export async function runConversion(
  conversion: Pick<MediaConversion, "execute" | "cancel" | "onProgress">,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => void conversion.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const silenceTimeout = new Promise<never>((_, reject) => {
      const restartTimer = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          reject(new ConversionError("timeout", "The decoder did not respond."));
          cancel();
        }, SILENCE_MS);
      };
      conversion.onProgress = (share) => {
        restartTimer();
        onShare(share);
      };
      restartTimer();
    });
    await Promise.race([conversion.execute(), silenceTimeout]);
    signal.throwIfAborted();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  }
}

/** Rounds to an even number of pixels, which encoders require. */
const roundToEven = (pixels: number) => Math.max(2, Math.round(pixels / 2) * 2);

function createConvertedFile(buffer: ArrayBuffer | null, isWebM: boolean): Conversion["files"][number] {
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

/** Chooses the codec of the converted video. `isCopied`: the video track is copied without being encoded again. */
async function chooseOutputCodec(
  videoTrack: InputVideoTrack,
): Promise<{ readonly codec: VideoCodec; readonly isCopied: boolean }> {
  const sourceCodec = await videoTrack.getCodec();
  const codecId = videoTrack.internalCodecId;
  const codecName = typeof codecId === "string" ? codecId : null;
  const handling = videoHandling(sourceCodec, codecName, await videoTrack.getCodecParameterString());
  if (handling.kind === "unplayable")
    throw new ConversionError("no_codec", `No browser decodes ${handling.name}.`, { codec: handling.name });
  if (handling.kind === "playable" && sourceCodec) return { codec: sourceCodec, isCopied: true };
  if (!(await videoTrack.canDecode()))
    throw new ConversionError("no_codec", `This browser does not decode ${sourceCodec}.`, {
      codec: sourceCodec ?? "",
    });
  const codec = await getFirstEncodableVideoCodec(OUTPUT_CODECS);
  if (!codec)
    throw new ConversionError("no_codec", "This browser cannot encode videos.", { codec: sourceCodec ?? "" });
  return { codec, isCopied: false };
}
