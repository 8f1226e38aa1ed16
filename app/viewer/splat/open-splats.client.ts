import { type PackedSplats, SplatMesh } from "@sparkjsdev/spark";
import { readSog } from "~/domain/library/formats/sog";
import { createAbortError } from "../core/abort";
import { ViewerError } from "../core/contract";
import { hideInvalidSplats, readSplatFile, type SplatFile } from "../core/splat-file";
import { TimeSlicer } from "../core/time-slicer";
import { DECODER_PATIENCE_MS, DecoderWatchdog } from "../shared/decoder-watchdog";
import { sparkFile } from "./spark-file.client";

/** The splats of a file. */
export interface OpenedSplats {
  readonly mesh: SplatMesh;
  readonly packed: PackedSplats;
  readonly head: SplatFile;
}

const NONE = "The file holds no splats that can be read.";

/**
 * Reads splats of every format.
 * @param refuse throws for a number of splats that is too large; receives null while the number is not known
 * @param onMesh receives the mesh before it is read; the caller must always dispose of it
 * @throws ViewerError load_failed for files that are damaged or have no visible splats, decoder_failed; errors of `refuse`; AbortError
 */
export async function openSplats(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  refuse: (count: number | null) => void,
  onMesh: (mesh: SplatMesh) => void,
): Promise<OpenedSplats> {
  const head = await readSplatFile(bytes);
  if (!head) throw new ViewerError("load_failed", NONE);
  refuse(head.count ?? (await sogCount(bytes)));
  await refuseBroken(bytes, head, new TimeSlicer(signal));
  const file = await sparkFile(bytes, head.format, new TimeSlicer(signal)).catch(asLoadFailure);
  const mesh = new SplatMesh({ ...file, editable: false, raycastable: false });
  onMesh(mesh);
  await decoded(mesh, head.count ?? 0);
  if (signal.aborted) throw createAbortError();
  const { packedSplats } = mesh;
  if (!packedSplats) throw new ViewerError("load_failed", NONE);
  refuse(packedSplats.numSplats);
  if (!isAnySeen(packedSplats)) throw new ViewerError("load_failed", "None of the splats can be seen.");
  return { mesh, packed: packedSplats, head };
}

/** Time limit for each splat in milliseconds while Spark does not respond: 20 s for two million splats, the maximum of converted files. */
const SPLAT_MS = 0.01;

/**
 * Waits until Spark has decoded a file.
 * @throws ViewerError decoder_failed when it does not respond in time
 */
async function decoded(mesh: SplatMesh, count: number): Promise<void> {
  const watchdog = new DecoderWatchdog(Math.max(DECODER_PATIENCE_MS, count * SPLAT_MS));
  try {
    await watchdog.race("Spark", mesh.initialized).catch(asLoadFailure);
  } finally {
    watchdog.dispose();
  }
}

/** Converts a decoder's errors about the content of a file to ViewerErrors. */
function asLoadFailure(cause: unknown): never {
  if (cause instanceof ViewerError || (cause as Error).name === "AbortError") throw cause;
  throw new ViewerError("load_failed", "The splats cannot be decoded.", { cause });
}

/** Maximum number of splats that are tested for visibility. */
const LOOKED_AT = 20_000;
/** Minimum opacity of a splat that is drawn (Spark's minAlpha is half a step of 255). */
const OPACITY_SEEN = 1 / 255;

/** Whether a file has visible splats. In a damaged file, all splats may lack opacity or size. */
function isAnySeen(splats: PackedSplats): boolean {
  const step = Math.max(1, Math.floor(splats.numSplats / LOOKED_AT));
  for (let index = 0; index < splats.numSplats; index += step) {
    const { opacity, scales } = splats.getSplat(index);
    if (opacity >= OPACITY_SEEN && Math.max(scales.x, scales.y, scales.z) > 0) return true;
  }
  return false;
}

async function refuseBroken(bytes: Uint8Array, file: SplatFile, breath: TimeSlicer): Promise<void> {
  const looking = hideInvalidSplats(bytes, file);
  let looked = looking.next();
  for (; !looked.done; looked = looking.next()) if (breath.isDue) await breath.pause();
  if (looked.value === 0) throw new ViewerError("load_failed", "None of the splats is somewhere.");
}

/** Returns the number of splats that the JSON in an archive declares. Null for other files and for unreadable ones. */
async function sogCount(bytes: Uint8Array): Promise<number | null> {
  const sog = await readSog({
    size: bytes.length,
    read: async (first, length) => bytes.subarray(first, first + length),
  });
  if (typeof sog === "string") return null;
  return "tooMany" in sog ? sog.tooMany : sog.count;
}
