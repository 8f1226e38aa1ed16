/** ETag, If-Match and If-None-Match (RFC 9110 §8.8.3, §13.1) for responses with one record. */
import { ConflictError, NotFoundError } from "#functions/services/shared/errors";
import { HttpError } from "./problem";
import type { ApiCall } from "./request";

/** A 53-bit hash of a text (cyrb53). It distinguishes responses of the same version, for example after an automatic status change. */
function digest(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

const OWN_ETAG = /^"(\d{1,15})-[0-9a-z]+"$/;
const ALL_ETAGS = /(?:W\/)?"[^"]*"/g;

/** Whether If-None-Match contains this ETag (weak comparison). */
export function includesEtag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return (header.match(ALL_ETAGS) ?? []).some((etag) => etag.replace(/^W\//, "") === tag);
}

/**
 * Responds with one record, or an array of one, and its ETag: the version and a digest of the content. A read by a client that has this tag receives
 * 304.
 */
export function respondWithEtag(c: ApiCall, value: unknown, status: 200 | 201): Response {
  const isList = Array.isArray(value);
  const record = (isList ? value[0] : value) as { readonly version?: number } | undefined;
  const text = JSON.stringify(record ?? null);
  const tag = `"${record?.version ?? 0}-${digest(text)}"`;
  c.header("etag", tag);
  // Clients must revalidate every time. An unchanged response has no body.
  c.header("cache-control", "private, no-cache");
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (isRead && includesEtag(c.req.header("if-none-match"), tag)) return c.body(null, 304);
  return c.body(isList ? `[${text}]` : text, status, { "content-type": "application/json" });
}

/** Rejects an If-Match that the call does not support. Ignoring it would overwrite changes that the caller has not seen. @throws HttpError 400 */
export function rejectExpectedVersion(): never {
  throw new HttpError(400, "if_match_refused");
}

/**
 * Reads the version in If-Match; null without the header, and for `*`. Without a valid tag it is 0, which no saved record has.
 * @throws HttpError 400 if it contains several versions, because a change is based on one
 */
export function readExpectedVersion(c: ApiCall): number | null {
  const header = c.req.header("if-match");
  if (header === undefined || header.trim() === "*") return null;
  const versions = (header.match(ALL_ETAGS) ?? []).map((tag) => Number(OWN_ETAG.exec(tag)?.[1] ?? 0));
  const [version = 0, ...others] = new Set(versions.filter((candidate) => candidate > 0));
  return others.length > 0 ? rejectExpectedVersion() : version;
}

/** Checks that a record still has the version of If-Match. @param shape converts a record to its JSON @throws ConflictError with the saved record; NotFoundError if there is none */
export function requireVersion<T extends { readonly version: number }>(
  expectedVersion: number | null,
  saved: T | null,
  shape: (saved: T) => unknown,
): void {
  if (expectedVersion === null) return;
  if (saved === null) throw new NotFoundError("item");
  if (saved.version !== expectedVersion) throw new ConflictError(shape(saved), null);
}
