/** Remembers failures of stores, so that a failing store receives one trial call at a time instead of a call for every visitor (decision 048). */
import { LRUCache } from "lru-cache";
import { StoreFailure } from "~/domain/store/store-failure";
import { OPERATION_TIMEOUT_MS } from "./send-to-store";

/** Time for which a circuit is open at first, in milliseconds. Each failed trial doubles it. */
export const CIRCUIT_OPEN_MS = 1_000;
/** The longest time for which a circuit is open, in milliseconds without JITTER, unless the store requests a longer one. */
export const CIRCUIT_OPEN_MAX_MS = 60_000;
/** Maximum respected Retry-After, in milliseconds, so that a wrong value cannot close a shop for a day. */
const RETRY_AFTER_MAX_MS = 600_000;
/** Maximum random addition to the time, as a share of it, so that isolates do not make their trials at the same time. */
const JITTER = 0.25;
/** Maximum number of operations per circuit that are retried at the same time. All others fail after their first attempt. */
const RETRYING_MAX = 3;
/** Maximum number of circuits in an isolate's memory. */
const CIRCUITS_MAX = 500;
/** Time after which a trial without a result counts as interrupted, in milliseconds. */
const TRIAL_MS = OPERATION_TIMEOUT_MS + 2_000;

/** Dependencies of the circuit breaker. */
export interface BreakerDeps {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
}

interface Circuit {
  /** Consecutive failures since the last success. */
  failures: number;
  /** Number of times that it has opened since the last success. */
  openings: number;
  /** Time before which no call is sent, in epoch milliseconds; null while the circuit is closed. */
  openUntil: number | null;
  failure: StoreFailure | null;
  /** Start of the trial in progress, in epoch milliseconds; null without one. */
  trialSince: number | null;
  /** Number of operations that are being retried. */
  retrying: number;
}

const newCircuit = (): Circuit => ({
  failures: 0,
  openings: 0,
  openUntil: null,
  failure: null,
  trialSince: null,
  retrying: 0,
});

/** Circuits by name. A circuit is closed (calls are sent), open (the failure is thrown without a call) or half open (one trial is sent). */
export class CircuitBreaker {
  readonly #circuits = new LRUCache<string, Circuit>({ max: CIRCUITS_MAX });
  readonly #deps: BreakerDeps;

  constructor(deps: BreakerDeps) {
    this.#deps = deps;
  }

  /**
   * Admits a call that depends on all of these circuits. It becomes the trial of those that are half open.
   * @throws the StoreFailure that opened a circuit, if one of them is open or has a trial in progress
   */
  enter(names: readonly string[]): void {
    const now = this.#deps.now();
    const halfOpen: Circuit[] = [];
    for (const name of names) {
      const circuit = this.#circuits.get(name);
      if (!circuit || circuit.openUntil === null || !circuit.failure) continue;
      const isOnTrial = circuit.trialSince !== null && now - circuit.trialSince < TRIAL_MS;
      if (now < circuit.openUntil || isOnTrial) throw circuit.failure.repeatWithoutCall();
      halfOpen.push(circuit);
    }
    for (const circuit of halfOpen) circuit.trialSince = now;
  }

  /** Closes these circuits after a successful call. */
  succeed(names: readonly string[]): void {
    for (const name of names) {
      const circuit = this.#circuits.get(name);
      if (!circuit) continue;
      if (circuit.retrying === 0) this.#circuits.delete(name);
      else Object.assign(circuit, { ...newCircuit(), retrying: circuit.retrying });
    }
  }

  /**
   * Counts a failed call of this circuit.
   * @param threshold number of consecutive failures that open the circuit; a failed trial opens it again at once
   */
  fail(name: string, failure: StoreFailure, threshold: number): void {
    const { now, random } = this.#deps;
    const circuit = this.#circuit(name);
    circuit.failures++;
    circuit.trialSince = null;
    if (circuit.failures < threshold && circuit.openUntil === null) return;
    // Calls that were sent concurrently fail together and count as one.
    if (circuit.openUntil !== null && now() < circuit.openUntil) return;
    const backoffMs = CIRCUIT_OPEN_MS * 2 ** Math.min(circuit.openings, 10);
    const requestedMs = Math.min(RETRY_AFTER_MAX_MS, failure.retryAfterMs ?? 0);
    const openMs = Math.max(Math.min(CIRCUIT_OPEN_MAX_MS, backoffMs), requestedMs);
    circuit.openings++;
    circuit.failure = failure;
    circuit.openUntil = now() + openMs * (1 + JITTER * random());
  }

  /** Ends the trial of half-open circuits without a result. The next call is the new trial. */
  endTrial(names: readonly string[]): void {
    for (const name of names) {
      const circuit = this.#circuits.get(name);
      if (circuit) circuit.trialSince = null;
    }
  }

  /**
   * Returns whether an operation of a circuit may be retried: at most RETRYING_MAX may at the same time. After true the caller must call `endRetry`.
   */
  beginRetry(name: string): boolean {
    const circuit = this.#circuit(name);
    if (circuit.retrying >= RETRYING_MAX) return false;
    circuit.retrying++;
    return true;
  }

  /** Ends the retries that `beginRetry` allowed. */
  endRetry(name: string): void {
    const circuit = this.#circuits.get(name);
    if (circuit) circuit.retrying = Math.max(0, circuit.retrying - 1);
  }

  #circuit(name: string): Circuit {
    const circuit = this.#circuits.get(name) ?? newCircuit();
    this.#circuits.set(name, circuit);
    return circuit;
  }
}

/**
 * Failures that concern every call to the store. The first one opens its circuit. "elsewhere" is a redirect, "retries" means that every attempt failed, and
 * "security" is Shopify's status 430.
 */
const STORE_WIDE: ReadonlySet<string> = new Set([
  "network",
  "elsewhere",
  "retries",
  "unauthorized",
  "payment",
  "forbidden",
  "not_found",
  "throttled",
  "security",
  "content_type",
  "inactive",
]);
/** Failures of one kind of operation: a missing scope of the token, or too high a cost of the requested fields. */
const OPERATION_WIDE: ReadonlySet<string> = new Set(["access_denied", "too_costly"]);
/** Failures of a single query, which a visitor's URL can cause. They open no circuit. */
const QUERY_ONLY: ReadonlySet<string> = new Set(["graphql", "too_large"]);
/** Number of consecutive failures of all other kinds that open a circuit, because a single one may be a coincidence. */
export const OTHER_FAILURES_MAX = 3;

/**
 * Returns the circuit of a failure, and the number of consecutive failures that opens it; null for a failure that does not concern the store's other
 * calls.
 */
export function chooseCircuit(
  failure: StoreFailure,
): { scope: "store" | "operation"; threshold: number } | null {
  if (QUERY_ONLY.has(failure.code)) return null;
  if (OPERATION_WIDE.has(failure.code)) return { scope: "operation", threshold: 1 };
  return { scope: "store", threshold: STORE_WIDE.has(failure.code) ? 1 : OTHER_FAILURES_MAX };
}

/** Returns the StoreFailure of an error; null for any other error. */
export const toStoreFailure = (error: unknown): StoreFailure | null =>
  error instanceof StoreFailure ? error : null;
