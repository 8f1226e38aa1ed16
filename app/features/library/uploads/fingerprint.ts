/** Number of bytes at each end of a file that its fingerprint includes. */
const END_BYTES = 64 * 1024;

/**
 * Computes a fingerprint by which a file is recognized when it is chosen again: a hash of its name, size and modification time, and of its first and
 * last 64 KB. Reading the whole file would take as long as sending it.
 * @returns hex digits; "" on a page without TLS, where browsers do not compute hashes
 */
export async function computeFingerprint(file: File): Promise<string> {
  if (!globalThis.crypto?.subtle) return "";
  const metadata = new TextEncoder().encode(`${file.name}\n${file.size}\n${file.lastModified}\n`);
  const ends = [file.slice(0, END_BYTES), file.slice(Math.max(END_BYTES, file.size - END_BYTES))];
  const bytes = await new Blob([metadata, ...ends]).arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
