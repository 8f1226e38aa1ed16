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
import type { FileRejectionReason, StoredMedium } from "#functions/services/library/uploads-ports";
import { filmHandling, typeToConvert, unplayableSound } from "~/domain/library/formats/film-formats";
import { boxesOf } from "~/domain/library/formats/picture-size";
import type { SniffedMedia } from "~/domain/library/formats/sniffed-media";
import { oggVideoCodec, SNIFF_BYTES } from "~/domain/library/media-kind";
import type { Ranges } from "../range-reader";

/** How long looking at a film may take, in milliseconds. */
const PATIENCE_MS = 15_000;
/** Bytes that the reader may keep. */
const CACHE_BYTES = 2 * 1024 * 1024;
/** Bytes that it may ask for at once: a film's index is unpacked in memory. */
const READ_MAX = 8 * 1024 * 1024;

/** Boxes of a film that are looked at: one that is cut in fragments has thousands. */
const BOXES_MAX = 50;

const FORMATS = [MP4, QTFF, WEBM, MATROSKA, MPEG_TS, OGG, MP3, ADTS, FLAC, WAVE];

/** A film's or sound's size and length, or why it is refused: it is damaged, or of a format that no browser plays. */
export type VideoInspection = Omit<StoredMedium, "byteSize"> | FileRejectionReason;

const unplayable = (codec: string): FileRejectionReason => ({ refusal: "format.film", values: { codec } });
/** Containers that no browser plays as sound, with the name that is shown. */
const NO_SOUND_CONTAINER: Readonly<Record<string, string>> = {
  "audio/x-matroska": "Matroska",
  "audio/mp2t": "MPEG-TS",
};

/**
 * Reads the size, duration and codec of a film or sound. A film container without a video track is a sound.
 * Facts that the header does not contain are null. The type of a film that not all browsers play names its codec (typeToConvert).
 */
export async function inspectVideo(file: Ranges, sniffed: SniffedMedia): Promise<VideoInspection> {
  if (sniffed.mimeType === "video/ogg") {
    const head = String.fromCharCode(...(await file.read(0, SNIFF_BYTES)));
    return unplayable(oggVideoCodec(head) ?? "Ogg");
  }
  if (!(await isWhole(file, sniffed.mimeType))) return { refusal: "damaged" };
  const open = { ...sniffed, width: null, height: null, duration: null };
  const input = new Input({
    formats: FORMATS,
    source: new CustomSource({
      getSize: () => file.size,
      maxCacheSize: CACHE_BYTES,
      async read(start, end) {
        if (end - start > READ_MAX) throw new RangeError("too much is asked for at once");
        // A copy: pages are shared with other readers.
        return (await file.read(start, end - start)).slice();
      },
    }),
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  try {
    const looked = await Promise.race([look(input, sniffed.mimeType), patience]);
    if (looked === null) return open;
    if (looked === "nothing") return { refusal: "damaged" };
    const { handling, silent, ...known } = looked;
    if (handling?.is === "unplayable") return unplayable(handling.name);
    if (handling) {
      const { mimeType } = sniffed;
      // A video without its sound would be played as a silent one. The conversion keeps the sound, or says that it is lost.
      const isConverted = silent !== null && /^video\/(mp4|quicktime)$/.test(mimeType);
      const codec = handling.is === "convertible" ? handling.codec : isConverted && "sound";
      return { kind: "video", mimeType: codec ? typeToConvert(mimeType, codec) : mimeType, ...known };
    }
    const mimeType = sniffed.mimeType.replace(/^\w+/, "audio").replace("audio/quicktime", "audio/mp4");
    const container = NO_SOUND_CONTAINER[mimeType];
    // The reader does not see the pictures of a transport stream whose codec it does not know.
    if (container === "MPEG-TS") return unplayable(container);
    if (silent !== null || container)
      return { refusal: "format.sound", values: { codec: silent || container || "" } };
    return { kind: "audio", mimeType, ...known };
  } catch (error) {
    // The reader has no errors of its own for what it cannot read; what it cannot read, browsers may.
    if (error instanceof Error && !(error instanceof InputDisposedError)) return open;
    throw error;
  } finally {
    clearTimeout(timer);
    input.dispose();
  }
}

async function look(input: Input, mimeType: string) {
  const [pictures, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  if (!pictures && !sound) return "nothing";
  const seconds = await input.getDurationFromMetadata();
  const entry = sound?.internalCodecId;
  return {
    /** Codec of the sound when not all browsers play it. */
    silent:
      sound &&
      unplayableSound(
        await sound.getCodec(),
        typeof entry === "string" || typeof entry === "number" ? entry : null,
        mimeType.replace(/^video\/wav$/, "audio/wav"),
      ),
    handling:
      pictures &&
      filmHandling(
        await pictures.getCodec(),
        typeof pictures.internalCodecId === "string" ? pictures.internalCodecId : null,
        await pictures.getCodecParameterString().catch(() => null),
      ),
    width: pictures ? await pictures.getDisplayWidth() : null,
    height: pictures ? await pictures.getDisplayHeight() : null,
    duration: seconds !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
  };
}

/** Whether a container says that it goes on behind its end. Streams, which say nothing, are taken as they are. */
async function isWhole(file: Ranges, mimeType: string): Promise<boolean> {
  switch (mimeType.replace(/^\w+\//, "")) {
    case "mp4":
    case "quicktime": {
      const boxes = await boxesOf(file, 0, file.size, BOXES_MAX);
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

/** RFC 8794 §4, §5: a number whose first bits say how many bytes it has, and an element's name. Null: no such number. */
function vint(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } | null {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || at + length > bytes.byteLength) return null;
  let value = first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? 0 : value, next: at + length };
}

/** The header, and behind it one segment, whose length is unknown only when it was recorded live. */
async function isWholeWebm(file: Ranges): Promise<boolean> {
  const bytes = await file.read(0, 4096);
  const header = vint(bytes, 4);
  const start = header && header.next + header.value;
  if (start === null || bytes[start] !== 0x18) return false;
  const segment = vint(bytes, start + 4);
  return segment !== null && segment.next + segment.value <= file.size;
}
