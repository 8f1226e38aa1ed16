/** One call to a store, with the circuit breaker and with the report for the log and the owner. */
import { createHash } from "node:crypto";
import type { StoreAccess, StoreCallReport } from "#functions/services/store/shop-ports";
import type { StoreOperation } from "~/domain/store/store";
import type { StoreFailure } from "~/domain/store/store-failure";
import { type CircuitBreaker, chooseCircuit, toStoreFailure } from "./circuit-breaker";
import type { OperationOptions } from "./client";
import { newTrace } from "./send-to-store";

/** Dependencies of calls to stores. */
export interface StoreCallDeps {
  readonly breaker: CircuitBreaker;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Receives each outcome of `StoreCall`. Calls that an open circuit stopped have none. */
  readonly report: (report: StoreCallReport) => void;
}

/** Operations on visitors' carts. */
const CART_OPERATIONS: ReadonlySet<StoreOperation> = new Set<StoreOperation>([
  "cartCreate",
  "cart",
  "cartAdd",
  "cartUpdate",
  "cartRemove",
]);

/** Returns the access scope that a token lacks: the one in the failure, or else the one that the operation needs (Shopify, access scopes). Null for other failures. */
function scopeOf(failure: StoreFailure | null, operation: StoreOperation): string | null {
  if (failure?.code !== "access_denied") return null;
  const requiredScope = CART_OPERATIONS.has(operation)
    ? "unauthenticated_write_checkouts"
    : "unauthenticated_read_product_listings";
  return failure.scope ?? requiredScope;
}

/**
 * A call in progress, which ends with `succeed` or `fail`. Only a response in several parts may have both: `succeed` after the first part, then `fail`
 * if a later one fails.
 */
export interface StoreCall {
  /** Options of the client's operation. */
  readonly options: Pick<OperationOptions, "trace" | "beginRetry" | "endRetry">;
  readonly succeed: () => void;
  readonly fail: (failure: StoreFailure) => void;
}

/**
 * Begins a call. Two circuits (CircuitBreaker) can stop it after failures: one that all product calls, or all cart calls, to the store share, and one of
 * its operation.
 * @param ignoresCircuit sends the call even if a circuit is open
 * @throws the StoreFailure that opened a circuit, while it is open or has a trial in progress; nothing is sent then
 */
export function beginStoreCall(
  deps: StoreCallDeps,
  store: StoreAccess,
  operation: StoreOperation,
  { ignoresCircuit = false } = {},
): StoreCall {
  const { breaker, now, report } = deps;
  const tokenHash = createHash("sha256").update(store.token).digest("hex");
  const circuitPrefix = `${store.origin} ${tokenHash}`;
  const sharedCircuit = `${circuitPrefix} ${CART_OPERATIONS.has(operation) ? "carts" : "products"}`;
  const operationCircuit = `${circuitPrefix} ${operation}`;
  // An owner's connection test is always sent, and its failure opens no circuit, because the typed token may be wrong.
  const isTest = operation === "shop";
  if (!isTest && !ignoresCircuit) breaker.enter([sharedCircuit, operationCircuit]);
  const startedAt = now();
  const trace = newTrace();
  const reportOutcome = (failure: StoreFailure | null) =>
    report({
      origin: store.origin,
      eventId: store.eventId ?? null,
      isTyped: store.isTyped ?? false,
      response: {
        at: now(),
        operation,
        code: failure?.code ?? null,
        status: trace.status ?? failure?.status ?? null,
        message: failure?.message ?? "",
        scope: scopeOf(failure, operation),
        version: trace.version,
        ms: now() - startedAt,
        attempts: trace.attempts,
      },
    });
  return {
    options: isTest
      ? { trace }
      : {
          trace,
          beginRetry: () => breaker.beginRetry(sharedCircuit),
          endRetry: () => breaker.endRetry(sharedCircuit),
        },
    succeed() {
      breaker.succeed(
        isTest ? [`${circuitPrefix} products`, `${circuitPrefix} carts`] : [sharedCircuit, operationCircuit],
      );
      reportOutcome(null);
    },
    fail(failure) {
      reportOutcome(failure);
      if (isTest) return;
      // If this call was the trial of a half-open circuit, the next call is the new trial.
      breaker.endTrial([sharedCircuit, operationCircuit]);
      const circuit = chooseCircuit(failure);
      if (circuit?.scope === "store") breaker.fail(sharedCircuit, failure, circuit.threshold);
      else {
        // The store itself has responded.
        breaker.succeed([sharedCircuit]);
        if (circuit) breaker.fail(operationCircuit, failure, circuit.threshold);
      }
    },
  };
}

/** Does the work of a call, and ends the call if the work succeeds or throws a StoreFailure. @throws the errors of the work and of beginStoreCall */
export async function runStoreCall<T>(
  deps: StoreCallDeps,
  store: StoreAccess,
  operation: StoreOperation,
  work: (options: StoreCall["options"]) => Promise<T>,
  callOptions: { readonly ignoresCircuit?: boolean } = {},
): Promise<T> {
  const call = beginStoreCall(deps, store, operation, callOptions);
  try {
    const result = await work(call.options);
    call.succeed();
    return result;
  } catch (error) {
    const failure = toStoreFailure(error);
    if (failure) call.fail(failure);
    throw error;
  }
}
