import { findBytes, parseBoundary } from "./multipart";

/**
 * Reads at most `maxBytes` bytes of a request's or response's body; null if it is longer or declares a longer Content-Length. Counts the bytes as they
 * arrive, because Content-Length may be missing, and stops reading at the limit.
 */
export async function readBody(
  request: Pick<Request, "body" | "headers">,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!request.body) return new Uint8Array();
  // A body that declares an excessive length is not read at all.
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
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Reads a response's body in the same way, and cancels it if it is too long. */
export async function readResponse(
  response: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = await readBody(response, maxBytes);
  // Content-Length alone may have exceeded the limit. The body is unread in this case.
  if (bytes === null && !response.body?.locked) await response.body?.cancel();
  return bytes;
}

/**
 * Reads and discards the rest of a body, up to `maxBytes`. Closing a connection while the client still sends resets it, and the client would never
 * see the response.
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
    // The body ended early or was read before. There is no client left to respond to.
  }
}

const encoder = new TextEncoder();

/**
 * True if a form has more than `max` fields, counted by separators without parsing: a megabyte of separators would become hundreds of megabytes of
 * fields.
 * @param boundary null for a form that is not multipart
 */
function hasMoreFields(bytes: Uint8Array, boundary: string | null, max: number): boolean {
  const separator = encoder.encode(boundary === null ? "&" : `--${boundary}`);
  // A separator stands between two fields. A boundary stands before each field and after the last one.
  let remaining = boundary === null ? max - 1 : max + 1;
  for (
    let offset = findBytes(bytes, separator);
    offset >= 0;
    offset = findBytes(bytes, separator, offset + separator.length)
  )
    if (--remaining < 0) return true;
  return false;
}

/**
 * Reads the body as a posted form; "too_long" if it has more than `maxBytes`. Throws a 400 response if the body is not a form or has more than
 * `maxFields` fields.
 */
export async function readFormData(
  request: Request,
  maxBytes: number,
  maxFields: number,
): Promise<FormData | "too_long"> {
  const badRequest = () => new Response(null, { status: 400, statusText: "Bad Request" });
  const contentType = request.headers.get("content-type") ?? "";
  const boundary = parseBoundary(contentType);
  const bytes = await readBody(request, maxBytes);
  if (bytes === null) return "too_long";
  if ((boundary === null && /^\s*multipart/i.test(contentType)) || hasMoreFields(bytes, boundary, maxFields))
    throw badRequest();
  // The parser must use the boundary that was counted, and not a second one in the header.
  const type = boundary === null ? contentType : `multipart/form-data; boundary="${boundary}"`;
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw badRequest();
  }
}
