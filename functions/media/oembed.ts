import { LRUCache } from "lru-cache";
import type { ThumbnailImage, WebLookup, WebMediaProblem } from "#functions/services/library/web-media-ports";
import {
  isImageUrl,
  readOembed,
  type WebMediaResponse,
  type WebUrlMatch,
  webMediaFromUrl,
} from "~/domain/library/oembed.schema";
import { SNIFF_BYTES, sniffMedia } from "~/domain/library/sniff-media";

/** Maximum duration of a provider's response including its body, in milliseconds. */
const TIMEOUT_MS = 3000;
const RESPONSE_MAX_BYTES = 64 * 1024;
const IMAGE_MAX_BYTES = 1024 * 1024;
/** Number of redirects that are followed, each only to an allowed URL. */
const REDIRECTS_MAX = 3;
/** Lifetime of a cached response in seconds: the stated one, between `min` and `max`, otherwise `usual`. `entries` is the maximum number of cached responses. */
const CACHE_LIFETIME = { min: 60, usual: 600, max: 86_400, entries: 200 } as const;

const RESPONSE_TYPE = /^(?:application|text)\/(?:json|javascript|[\w.-]+\+json|json\+oembed)\s*(?:;|$)/i;
/** Image types that every browser shows. */
const IMAGE_TYPE = /^image\/(?:jpeg|png|webp|gif|avif)$/;

/** Dependencies of the oEmbed lookup. */
export interface LookupDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Reads the body of a response; null if it is longer than the maximum. */
  readonly readBody: (response: Response, maxBytes: number) => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Sends requests to the oEmbed providers that the product supports: only by HTTPS, and only to their own endpoints and image hosts,
 * whatever URL a response contains. Lives as long as the isolate and caches responses, but not pending
 * requests, because workerd does not let a request await another request's promise.
 */
export function oembedLookup(deps: LookupDeps): WebLookup {
  const cachedResponses = new LRUCache<string, WebMediaResponse>({
    max: CACHE_LIFETIME.entries,
    ttlResolution: 0,
    perf: { now: deps.now },
  });

  async function requestOembed(match: WebUrlMatch): Promise<WebMediaResponse | WebMediaProblem> {
    const { endpoint } = match.provider;
    if (endpoint === null) return webMediaFromUrl(match);
    const cachedResult = cachedResponses.get(match.url);
    if (cachedResult) return cachedResult;
    const requestUrl = new URL(endpoint);
    requestUrl.searchParams.set("url", match.url);
    requestUrl.searchParams.set("format", "json");
    const body = await fetchAllowed(
      deps,
      requestUrl,
      RESPONSE_MAX_BYTES,
      (url) => url.origin === requestUrl.origin,
      RESPONSE_TYPE,
    );
    if (typeof body === "string") return body;
    const webResponse = readOembed(match, parseJson(body));
    if (typeof webResponse === "string") return webResponse;
    const seconds = Math.min(
      CACHE_LIFETIME.max,
      Math.max(CACHE_LIFETIME.min, webResponse.cacheAge ?? CACHE_LIFETIME.usual),
    );
    cachedResponses.set(match.url, webResponse, { ttl: seconds * 1000 });
    return webResponse;
  }

  async function fetchThumbnail({ provider }: WebUrlMatch, { image: imageUrl }: WebMediaResponse) {
    if (imageUrl === null) return null;
    const bytes = await fetchAllowed(
      deps,
      new URL(imageUrl),
      IMAGE_MAX_BYTES,
      (url) => isImageUrl(provider, url),
      null,
    );
    return typeof bytes === "string" ? null : toThumbnail(bytes);
  }

  return { requestOembed, fetchThumbnail };
}

/** Detects the type from the bytes and ignores the declared type. */
async function toThumbnail(bytes: Uint8Array<ArrayBuffer>): Promise<ThumbnailImage | null> {
  const mimeType = (await sniffMedia(bytes.subarray(0, SNIFF_BYTES), "", bytes.length))?.mimeType ?? "";
  return IMAGE_TYPE.test(mimeType) ? { bytes, mimeType } : null;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The problem that a status means (oembed.com §2.3.5); null for a success. YouTube responds with 400 if a video does not exist. */
function problemOfStatus(status: number): WebMediaProblem | null {
  if (status >= 200 && status < 300) return null;
  if (status === 401 || status === 403) return "private";
  if (status === 400 || status === 404 || status === 410) return "not_found";
  return status === 501 ? "unsupported" : "unreachable";
}

/**
 * Fetches a URL within the time and size limits. Follows redirects only to allowed URLs.
 * @param type content types of an accepted response; null for an image, whose type the caller reads from its bytes
 */
async function fetchAllowed(
  deps: LookupDeps,
  initialUrl: URL,
  maxBytes: number,
  isAllowed: (url: URL) => boolean,
  type: RegExp | null,
): Promise<Uint8Array<ArrayBuffer> | WebMediaProblem> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = initialUrl;
  try {
    for (let redirectCount = 0; redirectCount <= REDIRECTS_MAX; redirectCount++) {
      const response = await deps.fetch(url.href, {
        redirect: "manual",
        signal,
        headers: { accept: type ? "application/json" : "image/*" },
      });
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        url = new URL(location, url);
        if (!isAllowed(url)) return "unreachable";
        continue;
      }
      const problem = problemOfStatus(response.status);
      if (problem !== null || (type && !type.test(response.headers.get("content-type") ?? ""))) {
        await response.body?.cancel();
        return problem ?? "bad";
      }
      return (await deps.readBody(response, maxBytes)) ?? "bad";
    }
  } catch {
    // The provider is unreachable, too slow, disconnected, or redirected to an invalid URL.
  }
  return "unreachable";
}
