/** The web worker that converts splats. Spark unpacks and merges them in workers of its own. */
import { defines, PackedSplats, writeSpz } from "@sparkjsdev/spark";
import { SPLATS_MAX } from "~/domain/library/formats/splats-max";
import { writeUpComment } from "~/domain/library/formats/spz";
import { hideInvalidSplats, readSplatFile } from "~/viewer/core/splat-file";
import { TimeSlicer } from "~/viewer/core/time-slicer";
import { chooseNodes } from "~/viewer/splat/choose-nodes";
import { convertForSpark } from "~/viewer/splat/convert-for-spark.client";
import { findUp } from "~/viewer/splat/upright-rotation.client";
import { ConversionError } from "./conversion";
import type { ReportProgress } from "./run-worker";
import { serveWorker } from "./serve-worker";

/**
 * Maximum number of splats of a converted file at the lowest and at the highest quality. The highest is the maximum of a phone (device-capacity.ts).
 */
const DISPLAY_SPLATS = { least: 300_000, most: 1_500_000 } as const;
/** Maximum bytes of a preview, and number of splats in the first attempt. */
const PREVIEW_BYTES = 1.5 * 1024 * 1024;
const PREVIEW_SPLATS = 110_000;
/** Degrees of spherical harmonics that are kept, by minimum quality. Merged splats keep none. */
const DEGREES = [
  [0.75, 3],
  [0.4, 1],
  [0, 0],
] as const;

/** Message from the page to the worker. */
export interface SplatRequest {
  readonly file: Blob;
  /** Quality, 0…1. */
  readonly quality: number;
}

/** Converted splats. The files are SPZ. */
export interface SplatResult {
  readonly display: Blob;
  /** Smaller version that is shown first. Null when the file is small enough, or has few splats. */
  readonly preview: Blob | null;
  /** Number of splats of the original and of the result. */
  readonly before: number;
  readonly after: number;
}

async function convert({ file, quality }: SplatRequest, report: ReportProgress): Promise<SplatResult> {
  const bytes: Uint8Array<ArrayBuffer> = new Uint8Array(await file.arrayBuffer());
  const header = await readSplatFile(bytes);
  if (!header) throw new ConversionError("damaged", "The file contains no splats.");
  const createTooManyError = (count: number) =>
    new ConversionError("too_large", `${count} splats are too many.`, { count, max: SPLATS_MAX });
  if (header.count !== null && header.count > SPLATS_MAX) throw createTooManyError(header.count);
  const inspection = hideInvalidSplats(bytes, header);
  let step = inspection.next();
  while (!step.done) step = inspection.next();
  if (step.value === 0) throw new ConversionError("empty", "Every splat has a number that is not finite.");
  report(0.1, "decode", { splats: header.count ?? SPLATS_MAX });
  const slicer = new TimeSlicer();
  const source = await convertForSpark(bytes, header.format, slicer);
  const splats = "packedSplats" in source ? source.packedSplats : await new PackedSplats(source).initialized;
  const before = splats.numSplats;
  if (before === 0) throw new ConversionError("empty", "No splats.");
  if (before > SPLATS_MAX) throw createTooManyError(before);
  const work = { splats: before };
  report(0.2, "decode", work);
  const up = await findUp(splats, header, slicer);
  const createBlob = (spz: Uint8Array) =>
    new Blob([writeUpComment(spz, up)], { type: "application/x-gaussian-spz" });
  const maxSplats = Math.round(
    DISPLAY_SPLATS.least + (DISPLAY_SPLATS.most - DISPLAY_SPLATS.least) * Math.min(1, Math.max(0, quality)),
  );
  const needsMerging = before > Math.min(maxSplats, PREVIEW_SPLATS);
  if (needsMerging) {
    report(0.3, "simplify", work);
    await splats.createLodSplats();
  }
  report(0.6, "compress", work);
  const { lodSplats } = splats;
  const maxDegree = DEGREES.find(([minQuality]) => quality >= minQuality)?.[1] ?? 0;
  const isReduced = before > maxSplats && lodSplats !== undefined;
  const reduced = isReduced ? mergeSplats(lodSplats, maxSplats) : null;
  // transcodeSpz is not used, because it fails for files whose spherical harmonics it reads (Spark 2.2.0).
  const display = writeSpz(reduced ?? splats, reduced ? 0 : maxDegree).fileBytes;
  report(0.85, "write", work);
  let preview: Blob | null = null;
  if (lodSplats && display.length > PREVIEW_BYTES)
    for (let count = PREVIEW_SPLATS; ; count = Math.floor(count * 0.75)) {
      preview = createBlob(writeSpz(mergeSplats(lodSplats, count), 0).fileBytes);
      if (preview.size <= PREVIEW_BYTES) break;
    }
  return { display: createBlob(display), preview, before, after: reduced?.numSplats ?? before };
}

/** Merges all splats to at most `count` splats. */
function mergeSplats(tree: PackedSplats, count: number): PackedSplats {
  const indices = chooseNodes(tree.extra.lodTree as Uint32Array, count);
  const packed = new PackedSplats({
    maxSplats: indices.length,
    splatEncoding: { ...defines.DEFAULT_SPLAT_ENCODING },
  });
  for (const index of indices) {
    const { center, scales, quaternion, opacity, color } = tree.getSplat(index);
    // Spark may give a merged splat an opacity above 1 (encode_lod_tree), which SPZ cannot store. It becomes larger instead.
    const scaleFactor = opacity > 1 ? 1 + 0.7 * (opacity * 4 - 4) : 1;
    packed.pushSplat(center, scales.multiplyScalar(scaleFactor), quaternion, Math.min(1, opacity), color);
  }
  return packed;
}

function toConversionError(error: unknown): ConversionError {
  if (error instanceof ConversionError) return error;
  const message = String((error as Error)?.message ?? error);
  const isOutOfMemory = error instanceof RangeError || /memory|allocation|unreachable/i.test(message);
  return new ConversionError(isOutOfMemory ? "out_of_memory" : "damaged", message);
}

serveWorker(convert, toConversionError);
