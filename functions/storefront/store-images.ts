/**
 * Images of stores, served by Hiroba, so that visitors' browsers send no request to the store before checkout, and the pages' CSP need not allow the
 * store's image hosts. Each URL contains the store's image URL with a signature, so that a caller cannot make the worker fetch any other URL.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { SNIFF_BYTES, sniffMedia } from "~/domain/library/sniff-media";
import { isPublicHostname } from "~/domain/webhooks/public-url";

/** Path prefix of store images. */
export const STORE_IMAGE_PATH = "/shop-picture/";
/** Limits for fetching an image: time in milliseconds, and bytes. */
const TIMEOUT_MS = 8000;
const MAX_BYTES = 5 * 1024 * 1024;
/** Maximum length of a URL from a store. URLs of its CDN are short. */
const URL_MAX = 2000;
/** Browsers and the edge cache an image for a day. A changed image has another URL. */
const IMAGE_CACHING = "public, max-age=86400, stale-while-revalidate=604800";
/** Image types that every browser shows, and that cannot contain scripts. */
const IMAGE_TYPE = /^image\/(?:jpeg|png|webp|gif|avif)$/;

const sign = (secret: string, url: string) =>
  createHmac("sha256", secret).update(`shop-picture\n${url}`).digest("base64url").slice(0, 22);

/** Whether a URL from a store, of an image or of its checkout, may be used: https to a public host, or http or https to an allowed one. */
export function isStoreUrl(href: string, isAllowedHost: (host: string) => boolean): boolean {
  if (href.length > URL_MAX || !URL.canParse(href)) return false;
  const url = new URL(href);
  if (url.username !== "" || url.password !== "") return false;
  if (isAllowedHost(url.host)) return url.protocol === "https:" || url.protocol === "http:";
  return url.protocol === "https:" && url.port === "" && isPublicHostname(url.hostname);
}

/** Returns our path for a store's image; null if its URL may not be used. */
export function storeImagePath(
  secret: string,
  url: string,
  isAllowedHost: (host: string) => boolean,
): string | null {
  if (!isStoreUrl(url, isAllowedHost)) return null;
  return `${STORE_IMAGE_PATH}${sign(secret, url)}/${Buffer.from(url).toString("base64url")}`;
}

/** Dependencies of serving store images. */
export interface StoreImageDeps {
  readonly secret: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Reads the bytes of a response; null if there are more than the limit. */
  readonly readBody: (response: Response, maxBytes: number) => Promise<Uint8Array<ArrayBuffer> | null>;
  readonly isAllowedHost: (host: string) => boolean;
  /** The edge cache for images. */
  readonly cache: () => Promise<Pick<Cache, "match" | "put">>;
  readonly defer: (work: Promise<unknown>) => void;
}

/** Returns the store's URL in one of our paths; null if the signature is invalid. */
function verifiedStoreUrl(secret: string, pathname: string): string | null {
  const [mac = "", encoded = "", ...extraSegments] = pathname.slice(STORE_IMAGE_PATH.length).split("/");
  if (extraSegments.length > 0 || encoded.length > URL_MAX * 2) return null;
  const url = Buffer.from(encoded, "base64url").toString();
  const [expectedMac, receivedMac] = [Buffer.from(sign(secret, url)), Buffer.from(mac)];
  return expectedMac.length === receivedMac.length && timingSafeEqual(expectedMac, receivedMac) ? url : null;
}

const HEADERS = {
  "cache-control": IMAGE_CACHING,
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
} as const;

const emptyResponse = (status: number) =>
  new Response(null, { status, headers: { ...HEADERS, "cache-control": "no-store" } });

/**
 * Responds to a request for a store's image, from the edge cache or from the store. 405 for another method than GET or HEAD, 404 if the path's
 * signature or URL is invalid, 502 if the image cannot be fetched, is too large or does not have a permitted type.
 */
export async function serveStoreImage(request: Request, deps: StoreImageDeps): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  const { origin, pathname } = new URL(request.url);
  const url = verifiedStoreUrl(deps.secret, pathname);
  if (url === null || !isStoreUrl(url, deps.isAllowedHost)) return emptyResponse(404);
  const cache = await deps.cache();
  const key = `${origin}${pathname}`;
  const cachedResponse = await cache.match(key);
  if (cachedResponse) return cachedResponse;
  const image = await fetchImage(deps, url);
  if (!image) return emptyResponse(502);
  const headers = {
    ...HEADERS,
    "content-type": image.type,
    "content-length": String(image.bytes.length),
  };
  deps.defer(cache.put(key, new Response(image.bytes, { headers })));
  return new Response(request.method === "HEAD" ? null : image.bytes, { headers });
}

async function fetchImage(deps: StoreImageDeps, url: string) {
  try {
    const response = await deps.fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: "image/avif,image/webp,image/*" },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return null;
    }
    const bytes = await deps.readBody(response, MAX_BYTES);
    const type = bytes && (await sniffMedia(bytes.subarray(0, SNIFF_BYTES), "", bytes.length))?.mimeType;
    return bytes && type && IMAGE_TYPE.test(type) ? { bytes, type } : null;
  } catch {
    return null;
  }
}
