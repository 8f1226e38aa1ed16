import { type PackedSplats, SplatMesh } from "@sparkjsdev/spark";
import { readSog } from "~/domain/library/formats/sog";
import { createAbortError } from "../core/abort";
import { hideInvalidSplats, readSplatFile, type SplatFile } from "../core/splat-file";
import { TimeSlicer } from "../core/time-slicer";
import { ViewerError } from "../core/viewer-error";
import { DECODER_TIMEOUT_MS, DecoderWatchdog } from "../shared/decoder-watchdog";
import { convertForSpark } from "./convert-for-spark.client";

/** The splats of a file. */
export interface OpenedSplats {
  readonly mesh: SplatMesh;
  readonly packed: PackedSplats;
  readonly splatFile: SplatFile;
}

const NO_SPLATS_MESSAGE = "The file contains no splats that can be read.";

/**
 * Reads splats of every format.
 * @param rejectCount throws for a number of splats that is too large; receives null while the number is not known
 * @param onMesh receives the mesh before it is read; the caller must always dispose of it
 * @throws ViewerError load_failed for files that are damaged or have no visible splats, decoder_failed; errors of `rejectCount`; AbortError
 */
export async function openSplats(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  rejectCount: (count: number | null) => void,
  onMesh: (mesh: SplatMesh) => void,
): Promise<OpenedSplats> {
  const splatFile = await readSplatFile(bytes);
  if (!splatFile) throw new ViewerError("load_failed", NO_SPLATS_MESSAGE);
  rejectCount(splatFile.count ?? (await countSogSplats(bytes)));
  await hideInvalidSplatsInSlices(bytes, splatFile, new TimeSlicer(signal));
  const file = await convertForSpark(bytes, splatFile.format, new TimeSlicer(signal)).catch(throwLoadFailure);
  const mesh = new SplatMesh({ ...file, editable: false, raycastable: false });
  onMesh(mesh);
  await waitUntilDecoded(mesh, splatFile.count ?? 0);
  if (signal.aborted) throw createAbortError();
  const { packedSplats } = mesh;
  if (!packedSplats) throw new ViewerError("load_failed", NO_SPLATS_MESSAGE);
  rejectCount(packedSplats.numSplats);
  if (!hasVisibleSplats(packedSplats)) throw new ViewerError("load_failed", "No splat is visible.");
  return { mesh, packed: packedSplats, splatFile };
}

/** Time limit for each splat in milliseconds while Spark does not respond: 20 s for two million splats. */
const TIMEOUT_PER_SPLAT_MS = 0.01;

/**
 * Waits until Spark has decoded a file.
 * @throws ViewerError load_failed when Spark cannot decode it, decoder_failed when Spark does not respond in time
 */
async function waitUntilDecoded(mesh: SplatMesh, count: number): Promise<void> {
  const watchdog = new DecoderWatchdog(Math.max(DECODER_TIMEOUT_MS, count * TIMEOUT_PER_SPLAT_MS));
  try {
    await watchdog.race("Spark", mesh.initialized).catch(throwLoadFailure);
  } finally {
    watchdog.dispose();
  }
}

/** Converts a decoder's errors about the content of a file to ViewerErrors. */
function throwLoadFailure(cause: unknown): never {
  if (cause instanceof ViewerError || (cause as Error).name === "AbortError") throw cause;
  throw new ViewerError("load_failed", "The splats cannot be decoded.", { cause });
}

/** In a larger file, between this number of splats and twice as many are tested for visibility. */
const TESTED_SPLATS = 20_000;
/** Minimum opacity of a splat that is drawn (Spark's minAlpha is half a step of 255). */
const VISIBLE_OPACITY_MIN = 1 / 255;

/** Whether a file has visible splats. In a damaged file, all splats may lack opacity or size. */
function hasVisibleSplats(splats: PackedSplats): boolean {
  const step = Math.max(1, Math.floor(splats.numSplats / TESTED_SPLATS));
  for (let index = 0; index < splats.numSplats; index += step) {
    const { opacity, scales } = splats.getSplat(index);
    if (opacity >= VISIBLE_OPACITY_MIN && Math.max(scales.x, scales.y, scales.z) > 0) return true;
  }
  return false;
}

/** Makes invalid splats invisible, in slices between which the page can respond. Throws when no splat is valid. */
async function hideInvalidSplatsInSlices(
  bytes: Uint8Array,
  file: SplatFile,
  slicer: TimeSlicer,
): Promise<void> {
  const inspection = hideInvalidSplats(bytes, file);
  let step = inspection.next();
  for (; !step.done; step = inspection.next()) if (slicer.isDue) await slicer.pause();
  if (step.value === 0) throw new ViewerError("load_failed", "Every splat has a number that is not finite.");
}

/** Returns the number of splats that the JSON in an archive declares. Null for other files and for unreadable ones. */
async function countSogSplats(bytes: Uint8Array): Promise<number | null> {
  const sog = await readSog({
    size: bytes.length,
    read: async (first, length) => bytes.subarray(first, first + length),
  });
  if (typeof sog === "string") return null;
  return "tooMany" in sog ? sog.tooMany : sog.count;
}
