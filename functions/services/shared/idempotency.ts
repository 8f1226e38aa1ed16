/** Runs calls with the same key once. A repetition returns the first response. */
import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { STORED_RESPONSES_MAX_BYTES } from "~/domain/shared/limits";

import { bindUseCases } from "./bind";
import { KeyError } from "./errors";
import { toInstant } from "./instant";
import type { Clock, RunningCall, TextSealer } from "./ports";
import { sha256Hex } from "./sha256";

/** Time for which a response is stored, in hours. */
export const STORED_HOURS = 24;
const STORED_MS = STORED_HOURS * 3_600_000;
/** Time after which a call without a response counts as interrupted, in milliseconds. */
const INTERRUPTED_AFTER_MS = 60_000;
/** Number of times that a call with the key of a running call polls for its response. */
const POLLS_MAX = 40;
/** Interval of these polls, in milliseconds. All of them take six seconds. */
const POLL_INTERVAL_MS = 150;
/** Maximum length of a stored response in characters. Sealed (encrypted), it has at most five times as many bytes; a row of D1 may have 2 MB. */
const RESPONSE_MAX = 400_000;
/** Stored in place of a response that is too long, or for which the account has no room. No call has this response. */
const NOT_STORED = "";
/** Delays before each further attempt to store a response, in milliseconds. */
const STORE_RETRY_MS = [300, 2_000, 10_000];
/** Maximum number of responses that one run deletes; the next run continues. */
const DELETED_PER_RUN = 5000;

/** Dependencies of idempotent calls. */
export interface IdempotencyDeps extends Pick<Repositories, "idempotentResponses"> {
  readonly textSealer: TextSealer;
  readonly clock: Clock;
  /** Completes work after the client has disconnected (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** A response and its text for storing; null for a response that is computed again by the next call. */
export interface StorableResponse<T> {
  readonly response: T;
  readonly storable: string | null;
}

/** A call with a key. */
export interface KeyedCall<T> {
  readonly actor: Actor;
  /** The caller's Idempotency-Key. */
  readonly key: string;
  /** The whole request as text, to detect another request with the same key. */
  readonly request: string;
  /** Executes the call. When it throws, no response is stored. */
  readonly work: () => Promise<StorableResponse<T>>;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Executes a call once per key. If a call with the same key has finished or is running, returns that call's response. The call continues after its
 * client has disconnected, because that client will repeat it. The stored response is sealed with the key, because it may contain a secret that is
 * shown only once. The database stores only a digest of the key.
 * @throws KeyError if the key was used for a different request, if the other call does not finish in time, or if its response was not stored
 */
export async function runOnce<T>(
  deps: IdempotencyDeps,
  { actor, key, request, work }: KeyedCall<T>,
): Promise<{ readonly result: T } | { readonly repeated: string }> {
  const { idempotentResponses, textSealer, clock } = deps;
  const id = await sha256Hex(`${actor.userId}\n${key}`);
  const purpose = `kept answer\n${actor.userId}\n${key}`;
  const fingerprint = await sha256Hex(request);
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    const now = clock.now();
    const expires = now + STORED_MS;
    const call: RunningCall = {
      id,
      userId: actor.userId,
      requestHash: fingerprint,
      beganAt: toInstant(now),
      expiresAt: toInstant(expires),
    };
    if (await idempotentResponses.begin(call, toInstant(now - INTERRUPTED_AFTER_MS))) {
      const outcome = executeCall(deps, call, work, (text) => textSealer.seal(purpose, text, expires));
      deps.defer(outcome.catch(() => {}));
      return { result: await outcome };
    }
    const stored = await idempotentResponses.find(id);
    if (stored && stored.requestHash !== fingerprint) throw new KeyError("reused");
    const repeated = stored?.response ? textSealer.open(purpose, stored.response, now) : null;
    if (repeated === NOT_STORED) throw new KeyError("spent");
    if (repeated !== null) return { repeated };
    await sleep(POLL_INTERVAL_MS);
  }
  throw new KeyError("busy");
}

async function executeCall<T>(
  deps: IdempotencyDeps,
  call: RunningCall,
  work: () => Promise<StorableResponse<T>>,
  seal: (text: string) => string,
): Promise<T> {
  const { idempotentResponses } = deps;
  // If dropping fails, the key stays busy for up to a minute, which is better than a wrong response.
  const drop = () => idempotentResponses.drop(call).catch(() => {});
  const { response, storable } = await work().catch(async (error: unknown) => {
    await drop();
    throw error;
  });
  if (storable === null) {
    await drop();
    return response;
  }
  const sealed = seal(storable.length > RESPONSE_MAX ? NOT_STORED : storable);
  // The result is returned even if storing the response fails. The key is not dropped, because a repetition would then run the call again.
  const store = async () => {
    const isStored = await idempotentResponses.keep(call, sealed, STORED_RESPONSES_MAX_BYTES);
    if (!isStored) await idempotentResponses.keep(call, seal(NOT_STORED), Number.MAX_SAFE_INTEGER);
  };
  await store().catch(() => deps.defer(retryStoring(store)));
  return response;
}

async function retryStoring(store: () => Promise<void>): Promise<void> {
  for (const [index, delayMs] of STORE_RETRY_MS.entries()) {
    await sleep(delayMs);
    try {
      await store();
      return;
    } catch (error) {
      if (index === STORE_RETRY_MS.length - 1) throw error;
    }
  }
}

/** Deletes expired responses; for the cron trigger. Returns the number of deleted responses. */
export const deleteExpiredResponses = (
  deps: Pick<IdempotencyDeps, "idempotentResponses" | "clock">,
): Promise<number> => deps.idempotentResponses.deleteExpired(toInstant(deps.clock.now()), DELETED_PER_RUN);

/** `context.services.idempotency`. */
export const idempotencyServices = (deps: IdempotencyDeps) => ({
  ...bindUseCases(deps, { deleteExpiredResponses }),
  runOnce: <T>(call: KeyedCall<T>) => runOnce(deps, call),
});
