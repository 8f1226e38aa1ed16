import { decodeLatin1 } from "~/domain/library/formats/decode-text";
import type { OverwriteList } from "../overwrites";
import { type Ranges, ReadBudgetError } from "../range-reader";
import { fourCc, listBoxes, type MediaBox, readBoxes, readTable, readView } from "./boxes";
import { reduceXmp, XMP_MAX } from "./exif";
import { blankMetaItems, freeBox } from "./heif";

/**
 * Top-level boxes that are kept or have a rule of their own. `meta` holds the items of an image; in a video it holds
 * metadata and is blanked.
 */
const KEPT_BOXES = new Set(
  "ftyp styp moov moof mfra mdat sidx ssix prft pdin emsg free skip wide meta idat uuid".split(" "),
);
const XMP_UUID = "be7acfcb97a942e89c71999491e3afac";
/** Boxes that are kept: the panorama mark (Spherical Video V1), and the encryption of PIFF. */
const KEPT_UUIDS = new Set([
  "ffcc82636f8855f0a9348814587a0252",
  "ffcc8263f8554a938814587a02521fdd",
  "a2394f525a9b4f14a2446c427c648df4",
  "8974dbce7be74c5184f97148f9882554",
  "6d1d9b0542d544e680e2141daff757b2",
]);
/** Handlers of data tracks, in which cameras record positions, motion and faces. */
const DATA_TRACK = /^(meta|camm|data|gpmd|subp)$/;
const TEXT_TRACK = /^(text|sbtl|subt)$/;
/** Names under which drones write positions as subtitles. */
const POSITIONS = /dji|gps|telemetry|location/i;

/** Blanks the metadata of a file in the ISO base media file format (ISOBMFF): MP4, MOV, HEIF or AVIF. */
export async function blankIsobmff(file: Ranges, list: OverwriteList, isImage: boolean): Promise<void> {
  let hasBlankMovie = false;
  try {
    for await (const box of readBoxes(file, 0, file.size)) {
      if (box.type === "moov") {
        hasBlankMovie = false;
        await blankMoov(file, list, box);
        hasBlankMovie = !isImage;
      } else if (box.type === "uuid") await blankUuid(file, list, box);
      else if (box.type === "free" || box.type === "skip") list.fill(box.start, box.end);
      else if (box.type === "meta" && isImage) await blankMetaItems(file, list, box);
      else if (box.type === "meta" || !KEPT_BOXES.has(box.type)) freeBox(list, box);
    }
  } catch (error) {
    // A fragmented video may have more boxes after its movie than may be read. The boxes before the limit are blanked.
    if (!hasBlankMovie || !(error instanceof ReadBudgetError)) throw error;
  }
}

async function blankUuid(file: Ranges, list: OverwriteList, box: MediaBox): Promise<void> {
  const bytes = await file.read(box.start, Math.min(16, box.end - box.start));
  const name = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (KEPT_UUIDS.has(name)) return;
  const start = box.start + 16;
  const isPacket = name === XMP_UUID && box.end - start <= XMP_MAX;
  const xmp = isPacket ? reduceXmp(await file.read(start, box.end - start)) : new Uint8Array();
  if (xmp.byteLength > 0) list.replace(start, box.end, xmp, 0x20);
  else freeBox(list, box);
}

/** Boxes of a movie or a track that hold metadata. */
const METADATA_BOX = /^(udta|meta|free|skip)$/;

async function blankMoov(file: Ranges, list: OverwriteList, moov: MediaBox): Promise<void> {
  for (const box of await listBoxes(file, moov.start, moov.end)) {
    if (box.type === "mvhd") await blankTimes(file, list, box);
    else if (box.type === "trak") await blankTrack(file, list, box);
    else if (box.type === "uuid") await blankUuid(file, list, box);
    else if (METADATA_BOX.test(box.type)) freeBox(list, box);
  }
}

/** Blanks the creation and modification times (ISO 14496-12 §8.2.2). */
async function blankTimes(file: Ranges, list: OverwriteList, { start, end }: MediaBox): Promise<void> {
  const version = (await readView(file, start, 1))?.getUint8(0) ?? 0;
  list.fill(start + 4, Math.min(start + (version === 1 ? 20 : 12), end));
}

async function blankTrack(file: Ranges, list: OverwriteList, track: MediaBox): Promise<void> {
  for (const box of await listBoxes(file, track.start, track.end)) {
    if (box.type === "tkhd") await blankTimes(file, list, box);
    else if (box.type === "uuid") await blankUuid(file, list, box);
    else if (METADATA_BOX.test(box.type)) freeBox(list, box);
    // Without its samples, a data track is removed from the movie. Its data then belongs to no track.
    else if (box.type === "mdia" && !(await blankMedia(file, list, box))) freeBox(list, track);
  }
}

/** Blanks the metadata of a track's media. @returns false for a data track whose samples cannot be found */
async function blankMedia(file: Ranges, list: OverwriteList, media: MediaBox): Promise<boolean> {
  const boxes = await listBoxes(file, media.start, media.end);
  const findBox = (type: string) => boxes.find((box) => box.type === type);
  const [head, handler, info] = [findBox("mdhd"), findBox("hdlr"), findBox("minf")];
  if (head) await blankTimes(file, list, head);
  for (const box of boxes) if (METADATA_BOX.test(box.type)) freeBox(list, box);
  if (!handler || !info) return true;
  const view = await readView(file, handler.start, 12);
  if (!view) return true;
  const type = fourCc(view, 8);
  const name = decodeLatin1(
    await file.read(handler.start + 24, Math.min(handler.end - handler.start - 24, 256)),
  );
  if (!DATA_TRACK.test(type) && !(TEXT_TRACK.test(type) && POSITIONS.test(name))) return true;
  const table = (await listBoxes(file, info.start, info.end)).find((box) => box.type === "stbl");
  return table !== undefined && blankSamples(file, list, table);
}

/**
 * Blanks the samples of a track, using its chunk and sample tables (ISO 14496-12, §8.7).
 * @returns false if a table is missing or too large
 */
async function blankSamples(file: Ranges, list: OverwriteList, table: MediaBox): Promise<boolean> {
  const boxes = await listBoxes(file, table.start, table.end);
  const readChild = async (type: string) => {
    const box = boxes.find((child) => child.type === type);
    if (!box) return null;
    return readTable(file, box).catch((error) => {
      if (error instanceof ReadBudgetError) return null;
      throw error;
    });
  };
  const [sizes, runs, shortOffsets, longOffsets] = [
    await readChild("stsz"),
    await readChild("stsc"),
    await readChild("stco"),
    await readChild("co64"),
  ];
  const offsets = shortOffsets ?? longOffsets;
  if (!sizes || !runs || !offsets) return false;
  const isInside = (view: DataView, offset: number, bytes: number) => offset + bytes <= view.byteLength;
  const readNumber = (view: DataView, offset: number) =>
    isInside(view, offset, 4) ? view.getUint32(offset) : 0;
  const [fixedSize, sampleCount, runCount] = [
    readNumber(sizes, 4),
    readNumber(sizes, 8),
    readNumber(runs, 4),
  ];
  const sizeOf = (sample: number) => fixedSize || readNumber(sizes, 12 + sample * 4);
  const chunkCount = Math.min(readNumber(offsets, 4), offsets.byteLength / 4);
  let [run, sample] = [0, 0];
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    while (run + 1 < runCount && readNumber(runs, 8 + (run + 1) * 12) === chunk + 1) run++;
    const start = shortOffsets
      ? readNumber(shortOffsets, 8 + chunk * 4)
      : longOffsets && isInside(longOffsets, 8 + chunk * 8, 8)
        ? Number(longOffsets.getBigUint64(8 + chunk * 8))
        : 0;
    const samplesInChunk = Math.min(readNumber(runs, 8 + run * 12 + 4), sampleCount - sample);
    // With a fixed sample size the sum needs no loop. The list clips it to the file.
    let bytes = fixedSize * Math.max(0, samplesInChunk);
    if (fixedSize === 0)
      for (let i = 0; i < samplesInChunk && isInside(sizes, 12 + (sample + i) * 4, 4); i++)
        bytes += sizeOf(sample + i);
    sample += Math.max(0, samplesInChunk);
    if (start > 0) list.fill(start, start + bytes);
    if (samplesInChunk <= 0) break;
  }
  return true;
}
