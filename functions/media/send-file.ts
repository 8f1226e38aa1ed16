import type { FileStore, StoredFile } from "#functions/services/library/stored-file-ports";
import { fileHeaders } from "./file-headers";
import { isUnchanged, passesIfRange, readCondition, readRange } from "./range-request";

/**
 * Sends a file to an authorized reader: the whole file, one range of it (206, 416), its headers (HEAD), or 304 if it is unchanged. Null if the store
 * has lost it. The file is streamed and never held in memory. The store is usually read once, because the record contains the file's length.
 * @param caching cache headers for a URL whose response never changes; empty for any other URL
 */
export async function sendFile(
  store: FileStore,
  file: StoredFile,
  request: Request,
  caching: Readonly<Record<string, string>> = {},
): Promise<Response | null> {
  const requestHeaders = request.headers;
  const range = request.method === "GET" ? readRange(requestHeaders.get("range"), file.byteSize) : "all";
  const unless = readCondition(requestHeaders);
  if (request.method === "HEAD" || range === "unsatisfiable" || unless === "several")
    return sendAfterHead(store, file, request, caching);
  const object = await store.get(file.fileKey, {
    range: range === "all" ? undefined : range,
    unless: unless ?? undefined,
  });
  if (!object) return null;
  const headers = headersOf(file, object, caching);
  if (range !== "all" && object.size !== file.byteSize) {
    await object.body?.cancel();
    return sendFile(store, { ...file, byteSize: object.size }, request, caching);
  }
  if (!object.body) return notModified(headers);
  if (range === "all") return new Response(object.body, { headers });
  if (!passesIfRange(requestHeaders.get("if-range"), object.etag, headers.get("last-modified") ?? "")) {
    await object.body.cancel();
    return sendFile(store, file, new Request(request.url), caching);
  }
  headers.set("content-length", String(range.last - range.first + 1));
  headers.set("content-range", `bytes ${range.first}-${range.last}/${object.size}`);
  return new Response(object.body, { status: 206, headers });
}

/** Handles the cases that read the file's head first: HEAD, a range after the recorded end of the file, and several etags. */
async function sendAfterHead(
  store: FileStore,
  file: StoredFile,
  request: Request,
  caching: Readonly<Record<string, string>>,
): Promise<Response | null> {
  const object = await store.head(file.fileKey);
  if (!object) return null;
  const headers = headersOf(file, object, caching);
  if (isUnchanged(request.headers, object.etag, object.uploadedAt)) return notModified(headers);
  if (request.method === "HEAD") return new Response(null, { headers });
  const actualFile = { ...file, byteSize: object.size };
  const includesRange = passesIfRange(
    request.headers.get("if-range"),
    object.etag,
    headers.get("last-modified") ?? "",
  );
  const range = includesRange ? request.headers.get("range") : null;
  if (readRange(range, object.size) !== "unsatisfiable")
    return sendFile(
      store,
      actualFile,
      new Request(request.url, { headers: range === null ? {} : { range } }),
      caching,
    );
  headers.delete("content-length");
  headers.set("cache-control", "no-store");
  headers.set("content-range", `bytes */${object.size}`);
  return new Response(null, { status: 416, headers });
}

function notModified(headers: Headers): Response {
  headers.delete("content-length");
  return new Response(null, { status: 304, headers });
}

function headersOf(
  file: StoredFile,
  stored: { size: number; etag: string; uploadedAt: Date },
  caching: Readonly<Record<string, string>>,
): Headers {
  return new Headers({
    ...fileHeaders(file),
    ...caching,
    etag: stored.etag,
    "last-modified": stored.uploadedAt.toUTCString(),
    "content-length": String(stored.size),
  });
}
