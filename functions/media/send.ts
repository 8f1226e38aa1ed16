import type { FileStore, StoredFile } from "#functions/services/ports";
import { fileHeaders } from "./headers";
import { matchesEtag, passesIfRange, readRange } from "./range";

/**
 * Sends a file to somebody who may have it: whole, one range of it (206, 416), its headers (HEAD), or word that it has not
 * changed (304). Null when the store has lost it. Streams: no file is held in memory.
 */
export async function sendFile(
  store: FileStore,
  file: StoredFile,
  request: Request,
): Promise<Response | null> {
  const rangeHeader = request.headers.get("range");
  const conditional = request.headers.has("if-none-match") || request.headers.has("if-modified-since");
  // Whoever asks without conditions needs no look beforehand.
  if (request.method === "GET" && !conditional && rangeHeader === null) {
    const found = await store.get(file.fileKey);
    return found && new Response(found.body, { headers: headersOf(file, found) });
  }
  const found = await store.head(file.fileKey);
  if (!found) return null;
  const headers = headersOf(file, found);
  if (isUnchanged(request.headers, found.etag, headers.get("last-modified") ?? "")) {
    headers.delete("content-length");
    return new Response(null, { status: 304, headers });
  }
  const passes = passesIfRange(
    request.headers.get("if-range"),
    found.etag,
    headers.get("last-modified") ?? "",
  );
  const range = request.method === "GET" && passes ? readRange(rangeHeader, found.size) : "all";
  if (range === "unsatisfiable") {
    headers.delete("content-length");
    headers.set("content-range", `bytes */${found.size}`);
    return new Response(null, { status: 416, headers });
  }
  if (request.method === "HEAD") return new Response(null, { headers });
  if (range === "all") {
    const whole = await store.get(file.fileKey);
    return whole && new Response(whole.body, { headers: headersOf(file, whole) });
  }
  const part = await store.get(file.fileKey, range);
  // Replaced between the two looks: the range was reckoned for another file.
  if (part?.etag !== found.etag) return sendFile(store, file, new Request(request.url));
  headers.set("content-length", String(range.last - range.first + 1));
  headers.set("content-range", `bytes ${range.first}-${range.last}/${found.size}`);
  return new Response(part.body, { status: 206, headers });
}

function headersOf(file: StoredFile, found: { size: number; etag: string; uploadedAt: Date }): Headers {
  return new Headers({
    ...fileHeaders(file),
    etag: found.etag,
    "last-modified": found.uploadedAt.toUTCString(),
    "content-length": String(found.size),
  });
}

function isUnchanged(request: Headers, etag: string, lastModified: string): boolean {
  const noneMatch = request.get("if-none-match");
  if (noneMatch !== null) return matchesEtag(noneMatch, etag);
  const since = Date.parse(request.get("if-modified-since") ?? "");
  return !Number.isNaN(since) && Date.parse(lastModified) <= since;
}
