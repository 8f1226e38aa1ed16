/**
 * The bytes of a request's body, at most `maxBytes` of them; null when there are more. Counted as they arrive, whatever the
 * request says of its length, and whoever sends too much is not read to the end.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!request.body) return new Uint8Array();
  // What says that it is too long need not be read at all.
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return null;
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/**
 * The body as a posted form; "too_long" when it has more than `maxBytes`. Throws a 400 answer when the body is no form.
 */
export async function readFormData(request: Request, maxBytes: number): Promise<FormData | "too_long"> {
  const type = request.headers.get("content-type");
  const bytes = await readBody(request, maxBytes);
  if (bytes === null) return "too_long";
  try {
    return await new Response(bytes, { headers: type === null ? {} : { "content-type": type } }).formData();
  } catch {
    throw new Response(null, { status: 400, statusText: "Bad Request" });
  }
}
