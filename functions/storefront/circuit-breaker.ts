/** Remembers failures of stores, so that a failing store gets one trial call at a time and not a call from every visitor (decision 048). */
import { LRUCache } from "lru-cache";
import { StoreFailure } from "~/domain/store/store-failure";
import { OPERATION_MS } from "./send-to-store";

/** Time for which the first failure is remembered, in milliseconds. Each failed trial doubles it. */
export const OPEN_MS = 1_000;
/** The longest time between two trials, in milliseconds, unless the store requests a longer one. */
export const OPEN_MAX_MS = 60_000;
/** The longest Retry-After that is respected, in milliseconds: a mistake in it must not close a shop for a day. */
const RETRY_AFTER_MAX_MS = 600_000;
/** Part of the time that is added at random, so that isolates do not try together. */
const JITTER = 0.25;
/** Operations of one circuit that may wait for another attempt at the same time; all others fail after their first. */
const RETRYING_MAX = 3;
/** Number of circuits that an isolate remembers. */
const CIRCUITS_MAX = 500;
/** Time after which a trial without a result was cut off with its request, in milliseconds. */
const TRIAL_MS = OPERATION_MS + 2_000;

/** Dependencies of the circuit breaker. */
export interface BreakerDeps {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
}

interface Circuit {
  /** Failures since the last success. */
  failures: number;
  /** Number of times that it has opened since the last success. */
  opened: number;
  /** The time before which no call goes out, in epoch milliseconds; null while it is closed. */
  until: number | null;
  failure: StoreFailure | null;
  /** Start of the trial that is under way, in epoch milliseconds; null without one. */
  trialSince: number | null;
  /** Operations that wait for another attempt. */
  retrying: number;
}

const newCircuit = (): Circuit => ({
  failures: 0,
  opened: 0,
  until: null,
  failure: null,
  trialSince: null,
  retrying: 0,
});

/** Circuits by name. A circuit is closed (calls go out), open (the failure is thrown without a call) or half open (one trial goes out). */
export class CircuitBreaker {
  readonly #circuits = new LRUCache<string, Circuit>({ max: CIRCUITS_MAX });
  readonly #deps: BreakerDeps;

  constructor(deps: BreakerDeps) {
    this.#deps = deps;
  }

  /**
   * Lets a call go out that depends on all of these circuits, as the trial of those that are half open.
   * @throws the remembered StoreFailure where one of them is open, or its trial is under way
   */
  enter(names: readonly string[]): void {
    const now = this.#deps.now();
    const halfOpen: Circuit[] = [];
    for (const name of names) {
      const circuit = this.#circuits.get(name);
      if (!circuit || circuit.until === null || !circuit.failure) continue;
      const isTried = circuit.trialSince !== null && now - circuit.trialSince < TRIAL_MS;
      if (now < circuit.until || isTried) throw circuit.failure.remembered();
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
   * @param threshold failures in a row that open it; a trial that fails opens it again at once
   */
  fail(name: string, failure: StoreFailure, threshold: number): void {
    const { now, random } = this.#deps;
    const circuit = this.#circuit(name);
    circuit.failures++;
    circuit.trialSince = null;
    if (circuit.failures < threshold && circuit.until === null) return;
    // Calls that were sent together fail together: they count as one.
    if (circuit.until !== null && now() < circuit.until) return;
    const waitMs = OPEN_MS * 2 ** Math.min(circuit.opened, 10);
    const requestedDelay = Math.min(RETRY_AFTER_MAX_MS, failure.retryAfterMs ?? 0);
    const wait = Math.max(Math.min(OPEN_MAX_MS, waitMs), requestedDelay);
    circuit.opened++;
    circuit.failure = failure;
    circuit.until = now() + wait * (1 + JITTER * random());
  }

  /** Ends the trial of half-open circuits without a result: the next call is the trial. */
  endTrial(names: readonly string[]): void {
    for (const name of names) {
      const circuit = this.#circuits.get(name);
      if (circuit) circuit.trialSince = null;
    }
  }

  /**
   * Whether an operation of a circuit may wait for another attempt, which only few may at a time. After true the caller calls `retryEnded`.
   */
  mayRetry(name: string): boolean {
    const circuit = this.#circuit(name);
    if (circuit.retrying >= RETRYING_MAX) return false;
    circuit.retrying++;
    return true;
  }

  /** Ends an attempt that `mayRetry` allowed. */
  retryEnded(name: string): void {
    const circuit = this.#circuits.get(name);
    if (circuit) circuit.retrying = Math.max(0, circuit.retrying - 1);
  }

  #circuit(name: string): Circuit {
    const circuit = this.#circuits.get(name) ?? newCircuit();
    this.#circuits.set(name, circuit);
    return circuit;
  }
}

/** Failures that any call to the store would meet: the first one opens its circuit. */
const STORE_WIDE: ReadonlySet<string> = new Set([
  ...["network", "elsewhere", "retries", "unauthorized", "payment", "forbidden"],
  ...["not_found", "throttled", "security", "content_type", "inactive"],
]);
/** Failures of one kind of operation: a missing scope of the token, or too high a cost of the requested fields. */
const OPERATION_WIDE: ReadonlySet<string> = new Set(["access_denied", "too_costly"]);
/** Failures of one query, which the address of a visitor's page can cause. They open no circuit. */
const QUERY_ONLY: ReadonlySet<string> = new Set(["graphql", "too_large"]);
/** Number of other failures in a row that open a circuit: a single one may be chance. */
export const DOUBTFUL_MAX = 3;

/** The circuit of a failure, and the number of failures in a row that opens it; null for a failure that does not concern the store's other calls. */
export function circuitOf(failure: StoreFailure): { of: "store" | "operation"; threshold: number } | null {
  if (QUERY_ONLY.has(failure.code)) return null;
  if (OPERATION_WIDE.has(failure.code)) return { of: "operation", threshold: 1 };
  return { of: "store", threshold: STORE_WIDE.has(failure.code) ? 1 : DOUBTFUL_MAX };
}

/** The StoreFailure of an error; null for any other error. */
export const storeFailureOf = (error: unknown): StoreFailure | null =>
  error instanceof StoreFailure ? error : null;
