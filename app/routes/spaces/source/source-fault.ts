import { isEquirectangular } from "~/domain/spaces/panorama-shape";
import { hasRoomForModel } from "~/viewer/core/device-capacity";
import { readModelSummary } from "~/viewer/core/model-summary";
import type { ViewerSource } from "~/viewer/Viewer";

/** Reason why a space cannot be displayed, for its owner. */
export type SourceFault =
  | { readonly why: "offline" }
  /** `panoramaTitle` is null for a model or a splat file. */
  | { readonly why: "missing" | "unreadable"; readonly panoramaTitle: string | null }
  /** The file ends too early. */
  | { readonly why: "cut"; readonly receivedBytes: number; readonly expectedBytes: number }
  /** The image, of this size in pixels, does not have the shape of a panorama. */
  | {
      readonly why: "shape";
      readonly panoramaTitle: string;
      readonly width: number;
      readonly height: number;
    };

/** Functions that read files. */
export interface FaultPorts {
  fetch(url: string): Promise<Response>;
  /** Size of an image. Rejects for an invalid image. */
  measure(image: Blob): Promise<{ readonly width: number; readonly height: number }>;
}

const GLB_MAGIC = 0x46546c67;
/** Number of bytes at the beginning of a model in which its JSON (the glTF description) is searched. */
const HEAD_BYTES = 4 * 1024 * 1024;
/** Device data of a typical phone; the texture size is in pixels. */
const PHONE = { isSmall: true, maxTextureSize: 4096 };

/**
 * Finds the fault of a space whose files the viewer could not load. Null if a panorama space has none, and for a showcase (a Matterport space),
 * which reports its own errors.
 */
export async function findSourceFault(source: ViewerSource, ports: FaultPorts): Promise<SourceFault | null> {
  if (source.kind === "showcase") return null;
  try {
    if (source.kind === "panorama") return await findPanoramaFault(source.nodes, ports);
    const file = await readFile(source.url, ports);
    if (!file) return { why: "missing", panoramaTitle: null };
    const expectedBytes = source.kind === "model" ? await readGlbLength(file) : null;
    if (expectedBytes !== null && file.size < expectedBytes)
      return { why: "cut", receivedBytes: file.size, expectedBytes };
    return { why: "unreadable", panoramaTitle: null };
  } catch {
    return { why: "offline" };
  }
}

/**
 * Checks whether phones can display the model of a space.
 * @returns the number of its triangles if they cannot; null if they can, for other sources, and if the number is unknown
 */
export async function countUnsupportedTriangles(
  source: ViewerSource,
  ports: Pick<FaultPorts, "fetch">,
): Promise<number | null> {
  if (source.kind !== "model") return null;
  const file = await readFile(source.url, ports).catch(() => null);
  const summary = file && readModelSummary(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  return summary && !hasRoomForModel(summary, PHONE) ? summary.triangles : null;
}

async function findPanoramaFault(
  nodes: readonly { readonly url: string; readonly title: string }[],
  ports: FaultPorts,
): Promise<SourceFault | null> {
  for (const { url, title } of nodes) {
    const file = await readFile(url, ports);
    if (!file) return { why: "missing", panoramaTitle: title };
    const size = await ports.measure(file).catch(() => null);
    if (!size) return { why: "unreadable", panoramaTitle: title };
    if (!isEquirectangular(size.width, size.height)) return { why: "shape", panoramaTitle: title, ...size };
  }
  return null;
}

async function readFile(url: string, ports: Pick<FaultPorts, "fetch">): Promise<Blob | null> {
  const response = await ports.fetch(url);
  return response.ok ? response.blob() : null;
}

/** Length in bytes that the header of a binary glTF file states (glTF 2.0, §4.4.2); null for any other file. */
async function readGlbLength(file: Blob): Promise<number | null> {
  const header = new DataView(await file.slice(0, 12).arrayBuffer());
  return header.byteLength === 12 && header.getUint32(0, true) === GLB_MAGIC
    ? header.getUint32(8, true)
    : null;
}
