/** Recognises the compressed formats of Gaussian splats, SPZ and SOG, by the first bytes of a file. */
import { readSpzFileHeader, readSpzHeader } from "./spz";

const startsWith = (head: Uint8Array, ...bytes: readonly number[]) =>
  bytes.every((byte, index) => head[index] === byte);

/**
 * Returns whether a file is SPZ: versions 1 to 3, with or without gzip, or version 4.
 * @returns undefined for other files; null for gzip with other content and for an invalid header
 */
export async function isSpz(head: Uint8Array): Promise<true | null | undefined> {
  if (startsWith(head, 0x4e, 0x47, 0x53, 0x50)) return readSpzHeader(head) ? true : null;
  if (!startsWith(head, 0x1f, 0x8b)) return undefined;
  const header = await readSpzFileHeader(head);
  return header && header.version < 4 ? true : null;
}

const SOG_FILE = /(?:^|\/)(?:means_[lu]|scales|quats|sh0|shN_(?:centroids|labels))\.webp$/;

/**
 * Returns whether a ZIP archive begins like SOG: with one of its images or, in a file with the extension .sog, with meta.json or a
 * folder.
 * @param extension in lower case, without the dot
 */
export function isSog(head: Uint8Array, extension: string): boolean {
  if (!startsWith(head, 0x50, 0x4b, 3, 4) || head.length < 30) return false;
  const length = (head[26] ?? 0) + (head[27] ?? 0) * 256;
  const name = new TextDecoder().decode(head.subarray(30, 30 + length));
  return SOG_FILE.test(name) || (extension === "sog" && /(?:^|\/)(?:meta\.json)?$/.test(name));
}

/** A list of images in a meta.json, or a list of meta.json files in a lod-meta.json. */
const DESCRIPTION =
  /"means"\s*:\s*\{[^}]*"files"\s*:\s*\[\s*"[^"]*\.webp"|"filenames"\s*:\s*\[\s*"[^"]*meta\.json"/;

/** Returns whether a file is only the description of SOG splats. It cannot be shown without its images. */
export const isSogDescription = (head: Uint8Array): boolean => {
  const text = new TextDecoder().decode(head);
  return /^\s*\{/.test(text) && DESCRIPTION.test(text);
};
