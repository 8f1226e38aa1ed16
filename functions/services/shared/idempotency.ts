/** Calls that come again under the same key are answered as they were the first time, and done once. */
import type { Repositories } from "#functions/data/shared/repositories";
import { KEPT_ANSWERS_MAX_BYTES } from "~/domain/shared/limits";
import type { Actor, Instant, Uuid } from "~/domain/shared/model";
import { bindUseCases } from "./bind";
import { instant, sha256Hex } from "./digest";
import { KeyError } from "./errors";
import type { Clock } from "./ports";

/** For how long an answer is kept. */
export const KEPT_HOURS = 24;
const KEPT_MS = KEPT_HOURS * 3_600_000;
/** After so long a call that has no answer has none coming: its machine stopped in the middle of it. */
const LEFT_MS = 60_000;
/** How often and at which distance in milliseconds a call looks for the answer of another one that is under way. */
const LOOKS = 40;
const LOOK_MS = 150;
/** Characters of an answer that is kept: sealed they are at most five times as many bytes, of the 2 MB that a row of D1 has. */
const ANSWER_MAX = 400_000;
/** What is kept in place of a longer one, which is no answer of any call. */
const SPENT = "";
/** Waits before each further attempt to keep an answer, in milliseconds. */
const KEEP_AGAIN_MS = [300, 2_000, 10_000];
/** Answers that one run forgets at most; the next one goes on. */
const SWEPT_AT_ONCE = 5000;

/** A call that is under way. */
export interface BegunCall {
  readonly id: string;
  readonly userId: Uuid;
  readonly asked: string;
  readonly beganAt: Instant;
  readonly expiresAt: Instant;
}

/** Texts that nobody can read in the database. */
export interface TextSealer {
  /** @param expires epoch milliseconds */
  seal(about: string, text: string, expires: number): string;
  /** Null for what was not sealed about this, or has expired. */
  open(about: string, value: string, now: number): string | null;
}

/** What the use cases of repeated calls need. */
export interface IdempotencyDeps extends Pick<Repositories, "idempotentResponses"> {
  readonly textSealer: TextSealer;
  readonly clock: Clock;
  /** Lets work finish when nobody waits for it any more (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** An answer to be kept as a text; null for one that is to be found anew the next time. */
export interface StorableResponse<T> {
  readonly answer: T;
  readonly kept: string | null;
}

/** A call with a key. */
export interface KeyedCall<T> {
  readonly actor: Actor;
  /** The caller's. */
  readonly key: string;
  /** All that the call asks. */
  readonly asked: string;
  /** Does it. When it throws, nothing is kept. */
  readonly work: () => Promise<StorableResponse<T>>;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Does a call, unless one with its key was done or is under way: then it answers what that one did. The call goes on when its caller has
 * gone, as that is who will ask again. The answer is sealed with the key, of which the database has a digest alone: it may hold what is
 * shown once.
 * @throws KeyError when something else was asked under the key, when the other one is not done in time, and when its answer was too long
 */
export async function runOnce<T>(
  deps: IdempotencyDeps,
  { actor, key, asked, work }: KeyedCall<T>,
): Promise<{ readonly answer: T } | { readonly repeated: string }> {
  const { idempotentResponses, textSealer, clock } = deps;
  const id = await sha256Hex(`${actor.userId}\n${key}`);
  const about = `kept answer\n${actor.userId}\n${key}`;
  const fingerprint = await sha256Hex(asked);
  for (let look = 0; look < LOOKS; look++) {
    const now = clock.now();
    const expires = now + KEPT_MS;
    const call: BegunCall = {
      id,
      userId: actor.userId,
      asked: fingerprint,
      beganAt: instant(now),
      expiresAt: instant(expires),
    };
    if (await idempotentResponses.begin(call, instant(now - LEFT_MS))) {
      const done = finish(deps, call, work, (text) => textSealer.seal(about, text, expires));
      deps.defer(done.catch(() => {}));
      return { answer: await done };
    }
    const found = await idempotentResponses.find(id);
    if (found && found.asked !== fingerprint) throw new KeyError("reused");
    const repeated = found?.answer ? textSealer.open(about, found.answer, now) : null;
    if (repeated === SPENT) throw new KeyError("spent");
    if (repeated !== null) return { repeated };
    await sleep(LOOK_MS);
  }
  throw new KeyError("busy");
}

async function finish<T>(
  deps: IdempotencyDeps,
  call: BegunCall,
  work: () => Promise<StorableResponse<T>>,
  seal: (text: string) => string,
): Promise<T> {
  const { idempotentResponses } = deps;
  // What cannot be dropped is under way for a minute longer, which is nothing against another answer than what became of the call.
  const drop = () => idempotentResponses.drop(call).catch(() => {});
  const { answer, kept } = await work().catch(async (error: unknown) => {
    await drop();
    throw error;
  });
  if (kept === null) {
    await drop();
    return answer;
  }
  const sealed = seal(kept.length > ANSWER_MAX ? SPENT : kept);
  // What has been done is told, whatever becomes of its answer; and the key stays taken, or it would be done again.
  const keep = async () => {
    const isKept = await idempotentResponses.keep(call, sealed, KEPT_ANSWERS_MAX_BYTES);
    if (!isKept) await idempotentResponses.keep(call, seal(SPENT), Number.MAX_SAFE_INTEGER);
  };
  await keep().catch(() => deps.defer(keepLater(keep)));
  return answer;
}

async function keepLater(keep: () => Promise<void>): Promise<void> {
  for (const [index, wait] of KEEP_AGAIN_MS.entries()) {
    await sleep(wait);
    try {
      await keep();
      return;
    } catch (error) {
      if (index === KEEP_AGAIN_MS.length - 1) throw error;
    }
  }
}

/** Forgets answers whose time is over; for the cron trigger. Returns how many went. */
export const deleteExpiredResponses = (
  deps: Pick<IdempotencyDeps, "idempotentResponses" | "clock">,
): Promise<number> => deps.idempotentResponses.deleteExpired(instant(deps.clock.now()), SWEPT_AT_ONCE);

/** `context.services.idempotency`. */
export const idempotencyServices = (deps: IdempotencyDeps) => ({
  ...bindUseCases(deps, { deleteExpiredResponses }),
  runOnce: <T>(call: KeyedCall<T>) => runOnce(deps, call),
});
