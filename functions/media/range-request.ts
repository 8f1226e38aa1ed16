import type { ByteRange, FileCondition } from "#functions/services/library/stored-file-ports";

const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * Parses a Range header for a file of `size` bytes (RFC 9110 §14). "all": no header, or one that may be ignored (another unit, several ranges,
 * invalid syntax). "unsatisfiable": 416.
 */
export function readRange(header: string | null, size: number): ByteRange | "all" | "unsatisfiable" {
  const match = header === null ? null : SINGLE.exec(header.trim());
  if (!match) return "all";
  const [startText, endText] = [match[1] ?? "", match[2] ?? ""];
  if (startText === "") {
    if (endText === "") return "all";
    const suffix = Number(endText);
    return suffix === 0 || size === 0
      ? "unsatisfiable"
      : { first: Math.max(0, size - suffix), last: size - 1 };
  }
  const first = Number(startText);
  if (endText !== "" && Number(endText) < first) return "all";
  if (first >= size) return "unsatisfiable";
  return { first, last: endText === "" ? size - 1 : Math.min(Number(endText), size - 1) };
}

/** Returns whether an If-None-Match header contains the file's etag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((value) => value.trim().replace(/^W\//, "") === etag);
}

/**
 * Returns whether an If-Range header allows a range: the same strong etag, or exactly the same date (RFC 9110 §13.1.5).
 */
export function passesIfRange(header: string | null, etag: string, lastModified: string): boolean {
  return header === null || header.trim() === etag || header.trim() === lastModified;
}

const ONE_ETAG = /^(?:W\/)?"([\x21\x23-\x7e]+)"$/;

/**
 * Returns the condition of a request that the store can check itself: one etag or, without etags, a date (RFC 9110
 * §13.2.2). "several": several etags, `*` or invalid ones, which the caller compares with the file's. Null: no condition.
 */
export function readCondition(requestHeaders: Headers): FileCondition | "several" | null {
  const etags = requestHeaders.get("if-none-match");
  if (etags !== null) {
    const etag = ONE_ETAG.exec(etags.trim())?.[1];
    return etag === undefined ? "several" : { etag };
  }
  const modifiedSince = Date.parse(requestHeaders.get("if-modified-since") ?? "");
  return Number.isNaN(modifiedSince) ? null : { since: new Date(modifiedSince) };
}

/**
 * Returns whether the client already has the file. If-None-Match takes precedence over If-Modified-Since, whose dates
 * have whole seconds.
 */
export function isUnchanged(requestHeaders: Headers, etag: string, uploadedAt: Date): boolean {
  const etags = requestHeaders.get("if-none-match");
  if (etags !== null) return matchesEtag(etags, etag);
  const modifiedSince = Date.parse(requestHeaders.get("if-modified-since") ?? "");
  return !Number.isNaN(modifiedSince) && Math.floor(uploadedAt.getTime() / 1000) * 1000 <= modifiedSince;
}
