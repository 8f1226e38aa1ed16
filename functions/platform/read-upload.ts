import { readFormData } from "./read-body";

/** A small file out of a posted form. */
export interface Upload {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** What a form of one file has beside it. */
const OVERHEAD = 16 * 1024;

/**
 * The file of a posted form, read whole; null when none was chosen. "too_large" as soon as more was read than it may have, or
 * before, when it says so itself. Throws a 400 answer when the body is no form.
 */
export async function readUpload(
  request: Request,
  field: string,
  maxBytes: number,
): Promise<Upload | "too_large" | null> {
  const posted = await readFormData(request, maxBytes + OVERHEAD);
  if (posted === "too_long") return "too_large";
  const file: unknown = posted.get(field);
  if (!(file instanceof File) || file.name === "") return null;
  if (file.size > maxBytes) return "too_large";
  return { fileName: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}
