import {
  ADTS,
  CustomSource,
  FLAC,
  Input,
  InputDisposedError,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from "mediabunny";
import type { FileRejectionReason, InspectedFile } from "#functions/services/library/uploads-ports";
import { readIsoBoxes } from "~/domain/library/formats/image-size";
import type { SniffedMedia } from "~/domain/library/formats/sniffed-media";
import { typeToConvert, unplayableAudio, videoHandling } from "~/domain/library/formats/video-formats";
import { oggVideoCodec, SNIFF_BYTES } from "~/domain/library/sniff-media";
import type { Ranges } from "../range-reader";

/** Maximum duration of the inspection of a video, in milliseconds. */
const TIMEOUT_MS = 15_000;
/** Size of the reader's cache in bytes. */
const CACHE_BYTES = 2 * 1024 * 1024;
/** Maximum number of bytes in one read. The reader unpacks a video's index in memory. */
const READ_MAX = 8 * 1024 * 1024;

/** Maximum number of boxes of a video that are read. A fragmented video has thousands. */
const BOXES_MAX = 50;

const FORMATS = [MP4, QTFF, WEBM, MATROSKA, MPEG_TS, OGG, MP3, ADTS, FLAC, WAVE];

/**
 * Type, size and duration of a video or audio file, or the reason for its rejection: it is damaged, or its format is not
 * supported.
 */
export type VideoInspection = Omit<InspectedFile, "byteSize"> | FileRejectionReason;

/** Rejects a video of an unsupported format. @param codec the name that the message shows */
const unplayable = (codec: string): FileRejectionReason => ({ rejection: "format.film", values: { codec } });
/** Containers that are not supported for audio, with their names for the message. */
const UNPLAYABLE_AUDIO_CONTAINERS: Readonly<Record<string, string>> = {
  "audio/x-matroska": "Matroska",
  "audio/mp2t": "MPEG-TS",
};

/**
 * Reads the size, duration and codec of a video or audio file. A video container without a video track is audio. Values
 * that the header does not contain are null. The returned type of a video that must be converted, because not all browsers play it, includes its
 * codec (typeToConvert).
 */
export async function inspectVideo(file: Ranges, sniffed: SniffedMedia): Promise<VideoInspection> {
  if (sniffed.mimeType === "video/ogg") {
    const head = String.fromCharCode(...(await file.read(0, SNIFF_BYTES)));
    return unplayable(oggVideoCodec(head) ?? "Ogg");
  }
  if (!(await isWhole(file, sniffed.mimeType))) return { rejection: "damaged" };
  const unmeasured = { ...sniffed, width: null, height: null, duration: null };
  const input = new Input({
    formats: FORMATS,
    source: new CustomSource({
      getSize: () => file.size,
      maxCacheSize: CACHE_BYTES,
      async read(start, end) {
        if (end - start > READ_MAX) throw new RangeError("one read asks for too many bytes");
        // The copy is needed because cached pages are shared between reads.
        return (await file.read(start, end - start)).slice();
      },
    }),
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), TIMEOUT_MS);
  });
  try {
    const tracks = await Promise.race([readTracks(input, sniffed.mimeType), timeout]);
    if (tracks === null) return unmeasured;
    if (tracks === "nothing") return { rejection: "damaged" };
    const { handling, unplayableAudio, ...metadata } = tracks;
    if (handling?.kind === "unplayable") return unplayable(handling.name);
    if (handling) {
      const { mimeType } = sniffed;
      // A browser would play the video silently. The conversion keeps the sound, or reports its loss.
      const isConverted = unplayableAudio !== null && /^video\/(mp4|quicktime)$/.test(mimeType);
      const codec = handling.kind === "convertible" ? handling.codec : isConverted && "sound";
      return { kind: "video", mimeType: codec ? typeToConvert(mimeType, codec) : mimeType, ...metadata };
    }
    const mimeType = sniffed.mimeType.replace(/^\w+/, "audio").replace("audio/quicktime", "audio/mp4");
    const container = UNPLAYABLE_AUDIO_CONTAINERS[mimeType];
    // mediabunny reports no video track for a transport stream whose codec it does not know.
    if (container === "MPEG-TS") return unplayable(container);
    if (unplayableAudio !== null || container)
      return { rejection: "format.sound", values: { codec: unplayableAudio || container || "" } };
    return { kind: "audio", mimeType, ...metadata };
  } catch (error) {
    // mediabunny throws no specific error for unreadable files. A browser may still play them.
    if (error instanceof Error && !(error instanceof InputDisposedError)) return unmeasured;
    throw error;
  } finally {
    clearTimeout(timer);
    input.dispose();
  }
}

async function readTracks(input: Input, mimeType: string) {
  const [videoTrack, audioTrack] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  if (!videoTrack && !audioTrack) return "nothing";
  const seconds = await input.getDurationFromMetadata();
  const codecId = audioTrack?.internalCodecId;
  return {
    /** Codec of the audio track if not all browsers play it. */
    unplayableAudio:
      audioTrack &&
      unplayableAudio(
        await audioTrack.getCodec(),
        typeof codecId === "string" || typeof codecId === "number" ? codecId : null,
        mimeType.replace(/^video\/wav$/, "audio/wav"),
      ),
    handling:
      videoTrack &&
      videoHandling(
        await videoTrack.getCodec(),
        typeof videoTrack.internalCodecId === "string" ? videoTrack.internalCodecId : null,
        await videoTrack.getCodecParameterString().catch(() => null),
      ),
    width: videoTrack ? await videoTrack.getDisplayWidth() : null,
    height: videoTrack ? await videoTrack.getDisplayHeight() : null,
    duration: seconds !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
  };
}

/**
 * Returns whether a container is complete according to its own header. Streams state no length and are accepted as they
 * are.
 */
async function isWhole(file: Ranges, mimeType: string): Promise<boolean> {
  switch (mimeType.replace(/^\w+\//, "")) {
    case "mp4":
    case "quicktime": {
      const boxes = await readIsoBoxes(file, 0, file.size, BOXES_MAX);
      return boxes.some(({ type }) => type === "moov");
    }
    case "wav": {
      const head = await file.read(0, 12);
      const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(4, true);
      return length === 0xffffffff || length === 0 || length + 8 <= file.size + 1;
    }
    case "webm":
    case "x-matroska":
      return isWholeWebm(file);
    default:
      return true;
  }
}

/**
 * Reads a number whose leading bits give its length in bytes (RFC 8794 §4). The value is 0 for an unknown length of an
 * element. Null if there is no number.
 */
function readVint(
  bytes: Uint8Array,
  offset: number,
): { readonly value: number; readonly next: number } | null {
  const firstByte = bytes[offset] ?? 0;
  const length = Math.clz32(firstByte) - 23;
  if (firstByte === 0 || offset + length > bytes.byteLength) return null;
  let value = firstByte & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let i = 1; i < length; i++) {
    const byte = bytes[offset + i] ?? 0;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? 0 : value, next: offset + length };
}

/** Checks the header and the segment behind it. Only live recordings have a segment of unknown length. */
async function isWholeWebm(file: Ranges): Promise<boolean> {
  const bytes = await file.read(0, 4096);
  const header = readVint(bytes, 4);
  const start = header && header.next + header.value;
  if (start === null || bytes[start] !== 0x18) return false;
  const segment = readVint(bytes, start + 4);
  return segment !== null && segment.next + segment.value <= file.size;
}
