/** A small file out of a posted form. */
export interface Upload {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** What a form of one file has beside it. */
const OVERHEAD = 16 * 1024;

/**
 * The file of a posted form, read whole; null when none was chosen. "too_large" before anything of it is read, or when it is
 * larger than it said. Throws a 400 answer when the body is no form.
 */
export async function readUpload(
  request: Request,
  field: string,
  maxBytes: number,
): Promise<Upload | "too_large" | null> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes + OVERHEAD) return "too_large";
  let posted: FormData;
  try {
    posted = await request.formData();
  } catch {
    throw new Response(null, { status: 400, statusText: "Bad Request" });
  }
  const file: unknown = posted.get(field);
  if (!(file instanceof File) || file.name === "") return null;
  if (file.size > maxBytes) return "too_large";
  return { fileName: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}
