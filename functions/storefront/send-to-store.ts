/** Sends requests to a store, with limits of time and size, with retries, and without following redirects (specification §5, §9). */
import { STOREFRONT_RETRY_WAIT_MS } from "~/domain/shared/limits";
import type { StoreFailureCode } from "~/domain/store/store";
import { regroupMultipart } from "./regroup-multipart";

/** Time limit of one operation with all its attempts, in milliseconds. */
export const OPERATION_TIMEOUT_MS = 10_000;
/** Maximum bytes of a response. 250 products with all requested fields stay well below. */
export const RESPONSE_MAX_BYTES = 8 * 1024 * 1024;
/** Statuses after which a request is retried (specification §9). */
const RETRIABLE: ReadonlySet<number> = new Set([429, 503]);

/** Reason phrases, which the client's messages contain but HTTP/2 does not have. */
const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  423: "Locked",
  429: "Too Many Requests",
  430: "Shopify Security Rejection",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** Dependencies of calls to stores. */
export interface SendDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns a number from 0 to 1 for jitter; without it, no jitter is added. */
  readonly random?: () => number;
}

/** Data about a call, collected while it runs, for the log, the owner and the circuit breaker. */
export interface CallTrace {
  /** Number of times that the call was sent. */
  attempts: number;
  /** HTTP status of the last attempt; null if it got no response. */
  status: number | null;
  /** Version of the API in the response (x-shopify-api-version); null without the header. */
  version: string | null;
  /** Retry-After of the last attempt's response, in milliseconds; null without the header. */
  retryAfterMs: number | null;
}

/** Creates the trace of a call that was not sent yet. */
export const newTrace = (): CallTrace => ({ attempts: 0, status: null, version: null, retryAfterMs: null });

/** Maximum random addition to a wait, as a share of it, so that requests that failed together are not repeated together. */
const JITTER = 0.25;

/** State of a call, which Shopify's client does not keep. */
export interface CallState {
  /** 0 to 3. */
  readonly retries: number;
  /** Whether it is a mutation. It may have been executed although no response arrived, so it is retried only after 429 and 503. */
  readonly isMutation: boolean;
  /** Time limit of all attempts together, in milliseconds. */
  readonly limitMs: number;
  readonly trace: CallTrace;
  /** Called before the first retry. False forbids retries; after true, `endRetry` is called once at the end. Default: true. */
  readonly beginRetry?: () => boolean;
  readonly endRetry?: () => void;
  /** Reason why there is no usable response. Shopify's client passes on only a message. */
  failure: StoreFailureCode | null;
}

/** A failure that is not retried, with its code. */
class RejectedRequestError extends Error {
  readonly code: StoreFailureCode;
  constructor(code: StoreFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the time to wait before the next attempt, in milliseconds: Retry-After in seconds or as an HTTP date (RFC 9110 §10.2.3), otherwise 1000
 * (specification §9).
 * @param now epoch milliseconds
 */
export function retryWait(header: string | null, now: number): number {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // HTTP dates begin with the name of a day. Date.parse also accepts many other texts.
  const time = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? STOREFRONT_RETRY_WAIT_MS : Math.max(0, time - now);
}

/**
 * Sends a request to a store. An aborted call is never retried. If all retries fail, the error states whether the store was unreachable or responded
 * with 429 or 503.
 * @throws the failure, whose code is recorded in `call`
 */
export async function sendToStore(
  deps: SendDeps,
  url: string,
  init: RequestInit,
  call: CallState,
): Promise<Response> {
  const startedAt = deps.now();
  const signal = init.signal ?? undefined;
  const { trace } = call;
  let isRetrying = false;
  try {
    for (let attempt = 0; ; attempt++) {
      const { response, error } = await tryOnce(deps, url, init);
      trace.attempts = attempt + 1;
      trace.status = response?.status ?? null;
      trace.version = response?.headers.get("x-shopify-api-version") ?? trace.version;
      const retryAfter = response?.headers.get("retry-after") ?? null;
      trace.retryAfterMs = retryAfter === null ? null : retryWait(retryAfter, deps.now());
      signal?.throwIfAborted();
      if (response && !RETRIABLE.has(response.status)) return await convertResponse(response, call, signal);
      if (!response && call.isMutation) throw error;
      const lastReason = response ? reasonOf(response) : messageOf(error);
      const wait = Math.round(retryWait(retryAfter, deps.now()) * (1 + JITTER * (deps.random?.() ?? 0)));
      const isTooLate = deps.now() - startedAt + wait >= call.limitMs;
      const isLastAttempt = attempt >= call.retries || isTooLate;
      if (!isLastAttempt && !isRetrying) isRetrying = call.beginRetry?.() ?? true;
      if (isLastAttempt || !isRetrying) {
        if (attempt === 0 && response) return await convertResponse(response, call, signal);
        if (attempt === 0) throw error;
        await dropBody(response);
        throw new RejectedRequestError(
          "retries",
          `Attempted maximum number of ${attempt} network retries. Last message - ${lastReason}`,
        );
      }
      await dropBody(response);
      await abortable(deps.sleep(wait), signal);
    }
  } catch (error) {
    call.failure ??= failureCodeOf(error, signal);
    throw error;
  } finally {
    if (isRetrying) call.endRetry?.();
  }
}

async function tryOnce(deps: SendDeps, url: string, init: RequestInit) {
  try {
    return { response: await abortable(deps.fetch(url, { ...init, redirect: "manual" }), init.signal) };
  } catch (error) {
    return { error };
  }
}

const dropBody = async (response: Response | undefined) => {
  await response?.body?.cancel().catch(() => {});
};
const reasonOf = ({ status, statusText }: Response) => statusText || REASONS[status] || `HTTP ${status}`;
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Whether an error means that a connection was lost. The platform uses other messages for a connection that was never made. */
const isConnectionLost = (error: unknown) =>
  /connection (?:was )?(?:lost|reset|closed)|econnreset/i.test(messageOf(error));

function failureCodeOf(error: unknown, signal: AbortSignal | undefined): StoreFailureCode {
  if (error instanceof RejectedRequestError) return error.code;
  if (signal?.aborted) return "timeout";
  return isConnectionLost(error) ? "cut" : "network";
}

/** Rejects when the signal aborts, whether or not the work itself reacts to the signal. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  // Prevents an unhandled rejection of the slower promise.
  work.catch(() => {});
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

const STATUS_FAILURES: Readonly<Record<number, StoreFailureCode>> = {
  401: "unauthorized",
  402: "payment",
  403: "forbidden",
  404: "not_found",
  423: "inactive",
  429: "throttled",
  430: "security",
  // Cloudflare's own statuses for a failed connection to the store.
  520: "cut",
  521: "network",
  522: "timeout",
  523: "network",
  524: "timeout",
  530: "network",
};

/** Prepares a response for the client: limits its size, records a failure, and splits a stream into complete parts. */
async function convertResponse(
  response: Response,
  call: CallState,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { status } = response;
  const headers = new Headers(response.headers);
  const type = headers.get("content-type") ?? "";
  const init = { status, statusText: reasonOf(response), headers };
  if (status >= 300 && status < 400) {
    await dropBody(response);
    // A redirect leads to a URL that was not checked. The owner must enter the new URL.
    throw new RejectedRequestError("elsewhere", `The store's address leads elsewhere (${status})`);
  }
  if (status < 200 || status >= 300) {
    await dropBody(response);
    call.failure = STATUS_FAILURES[status] ?? (status >= 500 ? "server" : "status");
    return new Response(null, init);
  }
  if (Number(headers.get("content-length") ?? 0) > RESPONSE_MAX_BYTES) {
    await dropBody(response);
    throw new RejectedRequestError("too_large", "The store's response is too large");
  }
  headers.delete("content-length");
  headers.delete("content-encoding");
  const body = response.body && limitBody(response.body, call, signal);
  if (/^multipart\/mixed\b/i.test(type)) {
    const parts = body && regroupMultipart(body, type);
    if (parts) headers.set("content-type", `multipart/mixed; boundary=${parts.boundary}`);
    return new Response(parts?.body ?? null, init);
  }
  // The body is read here, so that a failure during the transfer gets its own code.
  return new Response(body && (await new Response(body).arrayBuffer()), init);
}

/** Returns a body that fails if it is too long or takes too long, and records the reason. */
function limitBody(
  body: ReadableStream<Uint8Array>,
  call: CallState,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await abortable(reader.read(), signal);
        if (done) return controller.close();
        size += value.byteLength;
        if (size > RESPONSE_MAX_BYTES)
          throw new RejectedRequestError("too_large", "The store's response is too large");
        controller.enqueue(value);
      } catch (error) {
        // The response had begun, so the store was reachable.
        const code = failureCodeOf(error, signal);
        call.failure ??= code === "network" ? "cut" : code;
        controller.error(error);
        await reader.cancel().catch(() => {});
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
