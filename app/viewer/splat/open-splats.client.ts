import { type PackedSplats, SplatMesh } from "@sparkjsdev/spark";
import { readSog } from "~/domain/sog";
import { abortError } from "../core/abort";
import { Breath } from "../core/breath";
import { ViewerError } from "../core/contract";
import { hideBroken, readSplatFile, type SplatFile } from "../core/splat-file";
import { sparkFile } from "./spark-file.client";

/** Splats that were read. */
export interface OpenedSplats {
  readonly mesh: SplatMesh;
  readonly packed: PackedSplats;
  readonly head: SplatFile;
}

const NONE = "The file holds no splats that can be read.";

/**
 * Reads splats of every format.
 * @param refuse throws where a number of splats is too many; null is a number that is not known yet
 * @param onMesh is given the mesh before it is read, to be disposed of by the caller whatever happens
 * @throws ViewerError for what holds no splats, what `refuse` throws, and AbortError
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
  await refuseBroken(bytes, head, new Breath(signal));
  const mesh = new SplatMesh({
    ...(await sparkFile(bytes, head.format, new Breath(signal))),
    editable: false,
    raycastable: false,
  });
  onMesh(mesh);
  await mesh.initialized;
  if (signal.aborted) throw abortError();
  const { packedSplats } = mesh;
  if (!packedSplats) throw new ViewerError("load_failed", NONE);
  refuse(packedSplats.numSplats);
  return { mesh, packed: packedSplats, head };
}

async function refuseBroken(bytes: Uint8Array, file: SplatFile, breath: Breath): Promise<void> {
  const looking = hideBroken(bytes, file);
  let looked = looking.next();
  for (; !looked.done; looked = looking.next()) if (breath.isDue) await breath.pause();
  if (looked.value === 0) throw new ViewerError("load_failed", "None of the splats is somewhere.");
}

/** How many splats an archive's description says it has; null for other files, and for those that will not be read. */
async function sogCount(bytes: Uint8Array): Promise<number | null> {
  const sog = await readSog({
    size: bytes.length,
    read: async (first, length) => bytes.subarray(first, first + length),
  });
  if (typeof sog === "string") return null;
  return "tooMany" in sog ? sog.tooMany : sog.count;
}
