import { isEquirectangular } from "~/domain/spaces/panorama-shape";
import { hasRoomForModel } from "~/viewer/core/device-room";
import { readModelSummary } from "~/viewer/core/model-summary";
import type { ViewerSource } from "~/viewer/Viewer";

/** Why a space cannot be shown, as its owner should know it. */
export type SourceFault =
  | { readonly why: "offline" }
  /** A panorama is named by its place, other files by nothing. */
  | { readonly why: "missing" | "unreadable"; readonly place: string | null }
  /** Bytes that have come, and that there should be. */
  | { readonly why: "cut"; readonly came: number; readonly whole: number }
  | { readonly why: "shape"; readonly place: string; readonly width: number; readonly height: number };

/** What looks at files. */
export interface FaultPorts {
  fetch(url: string): Promise<Response>;
  /** How large a picture is. Rejects for what is none. */
  measure(picture: Blob): Promise<{ readonly width: number; readonly height: number }>;
}

const GLB = 0x46546c67;
/** Bytes at the beginning of a model in which its description is looked for: the viewer has asked for all of them anyway. */
const HEAD_BYTES = 4 * 1024 * 1024;
/** What telephones are, to those who ask what fits into a device. */
const TELEPHONE = { isSmall: true, maxTextureSize: 4096 };

/** Looks for what is wrong with the files of a space that could not be loaded. Null for a showcase, which says itself why it does not answer. */
export async function findFault(source: ViewerSource, ports: FaultPorts): Promise<SourceFault | null> {
  if (source.kind === "showcase") return null;
  try {
    if (source.kind === "panorama") return await findInPanoramas(source.nodes, ports);
    const file = await read(source.url, ports);
    if (!file) return { why: "missing", place: null };
    const whole = source.kind === "model" ? await glbLength(file) : null;
    if (whole !== null && file.size < whole) return { why: "cut", came: file.size, whole };
    return { why: "unreadable", place: null };
  } catch {
    return { why: "offline" };
  }
}

/**
 * Looks whether telephones have room for the model of a space.
 * @returns how many triangles it has when they do not; null when they do, and for what is no model or does not say
 */
export async function findWeight(
  source: ViewerSource,
  ports: Pick<FaultPorts, "fetch">,
): Promise<number | null> {
  if (source.kind !== "model") return null;
  const file = await read(source.url, ports).catch(() => null);
  const head = file && readModelSummary(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  return head && !hasRoomForModel(head, TELEPHONE) ? head.triangles : null;
}

async function findInPanoramas(
  nodes: readonly { readonly url: string; readonly title: string }[],
  ports: FaultPorts,
): Promise<SourceFault | null> {
  for (const { url, title } of nodes) {
    const file = await read(url, ports);
    if (!file) return { why: "missing", place: title };
    const size = await ports.measure(file).catch(() => null);
    if (!size) return { why: "unreadable", place: title };
    if (!isEquirectangular(size.width, size.height)) return { why: "shape", place: title, ...size };
  }
  return null;
}

async function read(url: string, ports: Pick<FaultPorts, "fetch">): Promise<Blob | null> {
  const response = await ports.fetch(url);
  return response.ok ? response.blob() : null;
}

/** The length that a binary glTF says it has (glTF 2.0, §4.4.2); null for what is none. */
async function glbLength(file: Blob): Promise<number | null> {
  const head = new DataView(await file.slice(0, 12).arrayBuffer());
  return head.byteLength === 12 && head.getUint32(0, true) === GLB ? head.getUint32(8, true) : null;
}
