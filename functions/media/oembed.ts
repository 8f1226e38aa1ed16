import { LRUCache } from "lru-cache";
import type { StillImage, WebLookup, WebMediaProblem } from "#functions/services/library/web-media-ports";
import { SNIFF_BYTES, sniffMedia } from "~/domain/library/media-kind";
import {
  isPictureAddress,
  readOembed,
  unaskedAnswer,
  type WebAddressMatch,
  type WebAnswer,
} from "~/domain/library/oembed.schema";

/** How long a provider may take for an answer with its body, in milliseconds. */
const TIMEOUT = 3000;
const ANSWER_MAX_BYTES = 64 * 1024;
const PICTURE_MAX_BYTES = 1024 * 1024;
/** Redirects that are followed, each to where we would have asked as well. */
const REDIRECTS_MAX = 3;
/** For how long an answer is kept, in seconds: what it says, within these. */
const KEPT = { min: 60, usual: 600, max: 86_400, entries: 200 } as const;

const ANSWER_TYPE = /^(?:application|text)\/(?:json|javascript|[\w.-]+\+json|json\+oembed)\s*(?:;|$)/i;
/** Pictures that every browser shows. */
const PICTURE_TYPE = /^image\/(?:jpeg|png|webp|gif|avif)$/;

/** Dependencies of the oEmbed lookup. */
export interface LookupDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The bytes of an answer; null when there are more than that. */
  readonly readAnswer: (response: Response, maxBytes: number) => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Asks the providers of our table: https to their own endpoints and to where they keep their pictures, no other address
 * however an answer names it. Lives as long as the isolate, which keeps answers (not questions: see SingleFlight).
 */
export function webLookup(deps: LookupDeps): WebLookup {
  const cachedResponses = new LRUCache<string, WebAnswer>({
    max: KEPT.entries,
    ttlResolution: 0,
    perf: { now: deps.now },
  });

  async function ask(match: WebAddressMatch): Promise<WebAnswer | WebMediaProblem> {
    const { endpoint } = match.provider;
    if (endpoint === null) return unaskedAnswer(match);
    const known = cachedResponses.get(match.url);
    if (known) return known;
    const question = new URL(endpoint);
    question.searchParams.set("url", match.url);
    question.searchParams.set("format", "json");
    const read = await get(
      deps,
      question,
      ANSWER_MAX_BYTES,
      (url) => url.origin === question.origin,
      ANSWER_TYPE,
    );
    if (typeof read === "string") return read;
    const answer = readOembed(match, parseJson(read));
    if (typeof answer === "string") return answer;
    const seconds = Math.min(KEPT.max, Math.max(KEPT.min, answer.cacheAge ?? KEPT.usual));
    cachedResponses.set(match.url, answer, { ttl: seconds * 1000 });
    return answer;
  }

  async function picture({ provider }: WebAddressMatch, { picture: address }: WebAnswer) {
    if (address === null) return null;
    const bytes = await get(
      deps,
      new URL(address),
      PICTURE_MAX_BYTES,
      (url) => isPictureAddress(provider, url),
      null,
    );
    return typeof bytes === "string" ? null : asPicture(bytes);
  }

  return { ask, picture };
}

/** By its bytes: what it is called where it comes from counts for nothing. */
async function asPicture(bytes: Uint8Array<ArrayBuffer>): Promise<StillImage | null> {
  const mimeType = (await sniffMedia(bytes.subarray(0, SNIFF_BYTES), "", bytes.length))?.mimeType ?? "";
  return PICTURE_TYPE.test(mimeType) ? { bytes, mimeType } : null;
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

/** The body of what is at an address, in time and within bounds; redirects lead to allowed addresses alone. */
async function get(
  deps: LookupDeps,
  from: URL,
  maxBytes: number,
  isAllowed: (url: URL) => boolean,
  type: RegExp | null,
): Promise<Uint8Array<ArrayBuffer> | WebMediaProblem> {
  const signal = AbortSignal.timeout(TIMEOUT);
  let url = from;
  try {
    for (let turn = 0; turn <= REDIRECTS_MAX; turn++) {
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
      return (await deps.readAnswer(response, maxBytes)) ?? "bad";
    }
  } catch {
    // The provider is unreachable, too slow, disconnected, or redirected to an invalid address.
  }
  return "unreachable";
}
