/** Malformed page requests, plain http, and the normal form of visitor pages' URLs. */
import { normaliseVisitorQuery, visitorPageKind } from "~/domain/visitors/visitor-url";

/** Parameter with which Remix requested a page's data before single fetch. The router still reads it, and would log an error for each such request. */
const LEGACY_DATA = "_data";
const MAY_BE_LEGACY = /_data|%/;
/**
 * True if a page request is malformed: a legacy data request, or a path that is not percent-encoded UTF-8. The router would report each of them as
 * an unexpected error.
 */
export function isMalformedPageRequest(url: URL): boolean {
  const { pathname, search } = url;
  // Creating a URLSearchParams takes longer than this test, and few queries contain the name or an encoded character.
  if (MAY_BE_LEGACY.test(search) && url.searchParams.has(LEGACY_DATA)) return true;
  try {
    // The path is never empty. The result is used, because the bundler's minifiers remove a call without effect, even if it can throw.
    return decodeURIComponent(pathname) === "";
  } catch {
    return true;
  }
}

/** The queries of links to an event and to a tag, as owners share them. They are in their normal form, and most visitors arrive with them. */
const SHARED_QUERY = /^\?token=[\w-]+$/;
const TAG_QUERY = /^\?token=[\w-]+&tag=[\w-]+$/;
/** The query of a link to a viewpoint. Only scripts read the view, so the normal form is the first group. */
const VIEW_QUERY = /^(\?token=[\w-]+)&view=[^&]*$/;

/**
 * Returns the normal form of a visitor page's URL (domain/visitors/visitor-url.ts). Every other URL is returned unchanged.
 */
export function normaliseVisitorUrl(url: URL): URL {
  const kind = visitorPageKind(url.pathname);
  // "closed" is the page at /error/event/… for a link that is not open. Its URL has no token.
  if (kind === null || (kind !== "closed" && SHARED_QUERY.test(url.search))) return url;
  if (kind === "event" && TAG_QUERY.test(url.search)) return url;
  const [, sharedQuery] = (kind === "event" && VIEW_QUERY.exec(url.search)) || [];
  if (sharedQuery !== undefined) return new URL(url.pathname + sharedQuery, url);
  const normal = new URL(url);
  normal.search = normaliseVisitorQuery(kind, url.searchParams).toString();
  return normal;
}

/** Host names of the local machine, which has no TLS. */
const isLocalHost = (hostname: string) =>
  /^(?:([a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Whether a response may have Strict-Transport-Security: the request used TLS, and its host is not the local machine. */
export const isSecureRequest = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" && !isLocalHost(hostname);

/** The https URL to which a plain http request is redirected. Null if no redirect applies: over TLS, on the local machine, and in development. */
export function httpsUrl(url: URL, development: boolean): string | null {
  if (development || url.protocol !== "http:" || isLocalHost(url.hostname)) return null;
  const secure = new URL(url);
  secure.protocol = "https:";
  // Port 80 belongs to http. A different explicit port would not respond to TLS.
  secure.port = "";
  return secure.href;
}
