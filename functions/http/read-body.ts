import { boundaryOf, indexOf } from "./multipart";

/**
 * The bytes of the body of a request or an answer, at most `maxBytes` of them; null when there are more. Counted as they arrive, whatever the
 * request says of its length, and whoever sends too much is not read to the end.
 */
export async function readBody(
  request: Pick<Request, "body" | "headers">,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
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

/** The same of an answer from elsewhere, which is dropped when it is too long. */
export async function readResponse(
  response: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = await readBody(response, maxBytes);
  // Its length alone may have said so: then nothing of it was read.
  if (bytes === null && !response.body?.locked) await response.body?.cancel();
  return bytes;
}

/**
 * Reads what is left of a body and throws it away, up to `maxBytes`. A connection that is closed while its other end still
 * sends is reset, and whoever sends never sees why.
 */
export async function drainBody(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<void> {
  if (!body || body.locked) return;
  try {
    const reader = body.getReader();
    for (let size = 0; size < maxBytes; ) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // It broke off, or was read before: nobody waits for an answer.
  }
}

const encoder = new TextEncoder();

/**
 * Whether a form has more fields than that, told by what stands between them. Nothing is taken apart for it: a megabyte of separators becomes
 * a hundred of fields.
 * @param boundary null where no files may be in it
 */
function hasMoreFields(bytes: Uint8Array, boundary: string | null, max: number): boolean {
  const mark = encoder.encode(boundary === null ? "&" : `--${boundary}`);
  // Between fields, or around each of them.
  let left = boundary === null ? max - 1 : max + 1;
  for (let at = indexOf(bytes, mark); at >= 0; at = indexOf(bytes, mark, at + mark.length))
    if (--left < 0) return true;
  return false;
}

/**
 * The body as a posted form; "too_long" when it has more than `maxBytes`. Throws a 400 answer when the body is no form, or has more than
 * `maxFields` fields.
 */
export async function readFormData(
  request: Request,
  maxBytes: number,
  maxFields: number,
): Promise<FormData | "too_long"> {
  const refuse = () => new Response(null, { status: 400, statusText: "Bad Request" });
  const sent = request.headers.get("content-type") ?? "";
  const boundary = boundaryOf(sent);
  const bytes = await readBody(request, maxBytes);
  if (bytes === null) return "too_long";
  if ((boundary === null && /^\s*multipart/i.test(sent)) || hasMoreFields(bytes, boundary, maxFields))
    throw refuse();
  // By the boundary that was counted, and no other that the header may name as well.
  const type = boundary === null ? sent : `multipart/form-data; boundary="${boundary}"`;
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw refuse();
  }
}
