/** Packs an OBJ, FBX, COLLADA, USD or PLY model with its materials and textures, because a library item is one file. */
import { BlobWriter, configure, ZipWriter } from "@zip.js/zip.js/lib/zip-core-native.js";
import { markedEncoding } from "~/domain/library/formats/decode-text";
import type { FilesByPath } from "./pack-gltf";

configure({ useWebWorkers: false });

/** Model formats that may reference other files. */
const COMPOUND_MODEL = /\.(obj|fbx|dae|usd[ac]?|ply)$/i;
const MATERIALS = /\.mtl$/i;
const TEXTURE = /\.(png|jpe?g|jfif|webp|avif|tga|bmp|gif|tiff?)$/i;
/** Model formats that may contain the names of textures in compressed form, where a search cannot find them (USD crates). */
const COMPRESSED_NAMES = /\.usdc?$/i;
/** Number of bytes of a model that are searched at a time. */
const SEARCHED_BYTES = 4 * 1024 * 1024;
/** Maximum length of a file name, in bytes. */
const NAME_BYTES_MAX = 1024;

/** Whether a file may be a model that references other files. */
export const isCompoundName = (name: string): boolean => COMPOUND_MODEL.test(name);

const getBaseName = (path: string) => path.split("/").at(-1) ?? path;
const getFolder = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
const latin1 = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

/**
 * Packs a model and the chosen files that it references into a ZIP archive whose first file is the model. For the formats in
 * COMPRESSED_NAMES, all textures in the model's folder count as referenced.
 * @param path the model's own path among the files
 * @returns null when it references no other file and is sent separately
 */
export async function packModel(
  path: string,
  files: FilesByPath,
): Promise<{ readonly zip: Blob; readonly used: ReadonlySet<string> } | null> {
  const model = files.get(path);
  if (!model) return null;
  const otherPaths = [...files.keys()].filter((other) => other !== path);
  const libraries = /\.obj$/i.test(path) ? await findLibraries(path, model, otherPaths, files) : [];
  const textures = otherPaths.filter((other) => TEXTURE.test(other));
  const names = new Set(libraries);
  if (COMPRESSED_NAMES.test(path)) {
    for (const texture of textures) if (texture.startsWith(getFolder(path))) names.add(texture);
  } else
    for (const source of [path, ...libraries])
      for (const texture of await findReferencedPaths(files.get(source) ?? model, textures))
        names.add(texture);
  if (names.size === 0) return null;
  return { zip: await createZip([path, ...names], files), used: new Set([path, ...names]) };
}

/** Returns the material libraries that an OBJ file references. If no such library exists, the library with the model's own name is returned. */
async function findLibraries(path: string, model: Blob, others: readonly string[], files: FilesByPath) {
  const libraries = others.filter((other) => MATERIALS.test(other));
  const referencedPaths = await findReferencedPaths(model, libraries);
  if (referencedPaths.length > 0) return referencedPaths;
  const ownLibrary = path.replace(/\.obj$/i, ".mtl").toLowerCase();
  return libraries.filter((other) => other.toLowerCase() === ownLibrary && files.has(other));
}

/** Returns the paths whose file names occur in a file: in UTF-8, in UTF-16 with a byte order mark, or percent-encoded, ignoring case. */
async function findReferencedPaths(file: Blob, paths: readonly string[]): Promise<readonly string[]> {
  const namesByPath = new Map(
    paths.map((path) => {
      const base = getBaseName(path);
      const utf8Names = [base, base.normalize("NFC"), base.normalize("NFD")].map((name) =>
        latin1(new TextEncoder().encode(name)),
      );
      return [path, [...new Set([...utf8Names, encodeURIComponent(base)].map((name) => name.toLowerCase()))]];
    }),
  );
  const encoding = markedEncoding(new Uint8Array(await file.slice(0, 2).arrayBuffer()));
  const toUtf8 = (bytes: Uint8Array) =>
    encoding === "utf-8" ? bytes : new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));
  const foundPaths = new Set<string>();
  for (let offset = 0; offset < file.size && foundPaths.size < paths.length; offset += SEARCHED_BYTES) {
    const slice = await file
      .slice(Math.max(0, offset - NAME_BYTES_MAX), offset + SEARCHED_BYTES)
      .arrayBuffer();
    const text = latin1(toUtf8(new Uint8Array(slice))).toLowerCase();
    for (const [path, names] of namesByPath)
      if (!foundPaths.has(path) && names.some((name) => hasName(text, name))) foundPaths.add(path);
  }
  return paths.filter((path) => foundPaths.has(path));
}

/** Whether a name occurs in a text, and not as the end of a longer name. */
function hasName(text: string, name: string): boolean {
  for (let offset = text.indexOf(name); offset >= 0; offset = text.indexOf(name, offset + 1))
    if (offset === 0 || !/[\w.\-\x80-\xff]/.test(text.charAt(offset - 1))) return true;
  return false;
}

/** Stores files in an archive without compression. The same files result in the same bytes, so that an upload can continue after a reload. */
async function createZip(paths: readonly string[], files: FilesByPath): Promise<Blob> {
  const folder = getFolder(paths[0] ?? "");
  const writer = new ZipWriter(new BlobWriter("application/zip"), { level: 0, extendedTimestamp: false });
  for (const path of paths) {
    const name = path.startsWith(folder) ? path.slice(folder.length) : path;
    const lastModDate = new Date(2000, 0, 1);
    await writer.add(name, (files.get(path) ?? new Blob()).stream(), { lastModDate });
  }
  return writer.close();
}
