/**
 * Packs a glTF model with its data and texture files into one GLB file (glTF 2.0, §4.4), because a library item is one file. Buffers and images
 * are copied unchanged.
 */
import { gltfFiles, splatShare } from "~/domain/library/formats/gltf-faults";
import { MODEL_JSON_MAX_BYTES, UPLOAD_MAX_BYTES } from "~/domain/shared/limits";

/** Files by their path relative to the chosen folder, with "/" between folders. */
export type FilesByPath = ReadonlyMap<string, Blob>;

/** Result of packing a model with its files. */
export type PackedGltf =
  | { readonly glb: Blob; readonly used: ReadonlySet<string> }
  /** The model references no other file and is uploaded unchanged. */
  | { readonly isSelfContained: true }
  /** Files that the model references but that were not chosen. */
  | { readonly missing: readonly string[] }
  | { readonly fault: "damaged" | "tooLarge" };

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  ktx2: "image/ktx2",
};

interface BufferDef {
  uri?: string;
  byteLength?: number;
}
interface GltfJson {
  buffers?: BufferDef[];
  bufferViews?: { buffer?: number; byteOffset?: number; byteLength?: number; extensions?: ViewExtensions }[];
  images?: { uri?: string; bufferView?: number; mimeType?: string }[];
}
type ViewExtensions = Readonly<Record<string, { buffer?: number; byteOffset?: number } | undefined>>;

/** Whether a file may be a glTF model with external files. */
export const isGltfName = (name: string): boolean => /\.gltf$/i.test(name);

/** Resolves a URI of a model to a path among the chosen files; null for other hosts, backslashes and paths outside of the chosen folder. */
export function resolvePath(model: string, uri: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/|\\/i.test(uri)) return null;
  let name = uri.split(/[?#]/, 1)[0] ?? "";
  try {
    name = decodeURIComponent(name);
  } catch {
    // Some exporters do not encode URIs: "50%.png" is then a file name.
  }
  const parts = model.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** Finds a file by its path, or otherwise by its name if that is unique, because some exporters omit the folder. */
function findFile(files: FilesByPath, path: string | null): [string, Blob] | null {
  if (path === null) return null;
  const exact = files.get(path);
  if (exact) return [path, exact];
  const fileName = path.split("/").at(-1)?.toLowerCase();
  const matches = [...files].filter(
    ([candidatePath]) => candidatePath.split("/").at(-1)?.toLowerCase() === fileName,
  );
  return matches.length === 1 ? (matches[0] ?? null) : null;
}

/**
 * Packs a model with the files that it references.
 * @param path the model's own path among the files
 */
export async function packGltf(path: string, files: FilesByPath): Promise<PackedGltf> {
  const model = files.get(path);
  if (!model || model.size > MODEL_JSON_MAX_BYTES) return { fault: "damaged" };
  let json: GltfJson;
  try {
    const parsedJson: unknown = JSON.parse(await model.text());
    if (typeof parsedJson !== "object" || parsedJson === null || Array.isArray(parsedJson))
      return { fault: "damaged" };
    json = parsedJson as GltfJson;
  } catch {
    return { fault: "damaged" };
  }
  const description = json as Readonly<Record<string, unknown>>;
  const referencedUris = gltfFiles(description);
  // Splats are read only from GLB files.
  if (referencedUris.length === 0 && splatShare(description) === "none") return { isSelfContained: true };
  const filesByUri = new Map(referencedUris.map((uri) => [uri, findFile(files, resolvePath(path, uri))]));
  const missing = referencedUris.filter((uri) => !filesByUri.get(uri));
  if (missing.length > 0) return { missing };
  const parts: Blob[] = [];
  let size = 0;
  const append = (part: Blob): number => {
    const offset = size;
    const padding = (4 - (part.size % 4)) % 4;
    parts.push(part, new Blob([new Uint8Array(padding)]));
    size += part.size + padding;
    return offset;
  };
  try {
    await moveBuffers(json, filesByUri, append);
    await moveImages(json, filesByUri, append);
  } catch {
    return { fault: "damaged" };
  }
  json.buffers = size > 0 ? [{ byteLength: size }, ...listFallbackBuffers(json)] : [];
  const glb = joinGlb(json, parts, size);
  if (glb.size > UPLOAD_MAX_BYTES) return { fault: "tooLarge" };
  return {
    glb,
    used: new Set([path, ...[...filesByUri.values()].flatMap((file) => (file ? [file[0]] : []))]),
  };
}

const decodeDataUri = async (uri: string) => {
  const [head = "", body = ""] = uri.split(/,(.*)/s, 2);
  const bytes = /;base64$/i.test(head)
    ? Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))
    : new TextEncoder().encode(decodeURIComponent(body));
  return new Blob([bytes]);
};

type FilesByUri = ReadonlyMap<string, [string, Blob] | null>;
type AppendPart = (part: Blob) => number;

const readContent = (uri: string, filesByUri: FilesByUri): Promise<Blob> | Blob =>
  uri.startsWith("data:") ? decodeDataUri(uri) : (filesByUri.get(uri)?.[1] ?? new Blob());

/** Returns the buffers without data that stand for uncompressed ones (EXT_meshopt_compression). They follow the buffer with the data. */
const listFallbackBuffers = (json: GltfJson): BufferDef[] =>
  (json.buffers ?? []).filter(({ uri }) => uri === undefined);

/** Joins all buffers that have a URI into one, and adjusts the buffer views. */
async function moveBuffers(json: GltfJson, filesByUri: FilesByUri, append: AppendPart): Promise<void> {
  const newLocations: { index: number; offset: number }[] = [];
  let bufferCount = 1;
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri === undefined) newLocations.push({ index: bufferCount++, offset: 0 });
    else {
      const content = await readContent(buffer.uri, filesByUri);
      const { byteLength = 0 } = buffer;
      if (content.size < byteLength) throw new RangeError("A file is shorter than the model says.");
      newLocations.push({ index: 0, offset: append(content.slice(0, byteLength)) });
    }
  }
  const moveReference = (reference: { buffer?: number; byteOffset?: number }) => {
    const newLocation = newLocations[reference.buffer ?? -1];
    if (!newLocation) return;
    reference.buffer = newLocation.index;
    if (newLocation.offset > 0) reference.byteOffset = (reference.byteOffset ?? 0) + newLocation.offset;
  };
  for (const view of json.bufferViews ?? []) {
    moveReference(view);
    for (const name of ["EXT_meshopt_compression", "KHR_meshopt_compression"]) {
      const packed = view.extensions?.[name];
      if (packed) moveReference(packed);
    }
  }
}

/** Appends the image files to the buffer, each with a buffer view. */
async function moveImages(json: GltfJson, filesByUri: FilesByUri, append: AppendPart): Promise<void> {
  const views = new Map<string, number>();
  for (const image of json.images ?? []) {
    const { uri } = image;
    if (uri === undefined || uri.startsWith("data:")) continue;
    let view = views.get(uri);
    if (view === undefined) {
      const content = await readContent(uri, filesByUri);
      json.bufferViews ??= [];
      view = json.bufferViews.push({ buffer: 0, byteOffset: append(content), byteLength: content.size }) - 1;
      views.set(uri, view);
    }
    image.bufferView = view;
    const extension = /\.(\w+)$/.exec(filesByUri.get(uri)?.[0] ?? "")?.[1]?.toLowerCase() ?? "";
    image.mimeType ??= IMAGE_TYPES[extension] ?? "image/png";
    delete image.uri;
  }
}

function joinGlb(json: GltfJson, parts: readonly Blob[], size: number): Blob {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padding = " ".repeat((4 - (text.length % 4)) % 4);
  const jsonLength = text.length + padding.length;
  const total = 20 + jsonLength + (size > 0 ? 8 + size : 0);
  const head = Uint32Array.of(GLB_MAGIC, 2, total, jsonLength, JSON_CHUNK);
  const binary = size > 0 ? [Uint32Array.of(size, BIN_CHUNK), ...parts] : [];
  return new Blob([head, text, padding, ...binary], { type: "model/gltf-binary" });
}
