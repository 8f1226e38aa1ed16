import type { StoreFailureCode, StoreOperation } from "./store";

/** Details of a failure, in addition to its code. */
export interface StoreFailureDetails {
  /** The access scope that the token lacks, such as "unauthenticated_read_product_listings"; null if the store names none. */
  readonly scope?: string | null;
  /** The store's Retry-After, in milliseconds; null without one. */
  readonly retryAfterMs?: number | null;
  /** Whether this repeats the failure of an earlier call, without another call to the store. */
  readonly isRepeatedWithoutCall?: boolean;
}

/**
 * A store gave no usable response. The message, usually that of the Storefront API client (specification §8), contains neither token nor URL. It is for
 * owners and for the log, not for visitors.
 */
export class StoreFailure extends Error {
  readonly code: StoreFailureCode;
  /** HTTP status of the response; null without a response. */
  readonly status: number | null;
  readonly scope: string | null;
  readonly retryAfterMs: number | null;
  readonly isRepeatedWithoutCall: boolean;
  constructor(
    code: StoreFailureCode,
    message: string,
    status: number | null = null,
    { scope = null, retryAfterMs = null, isRepeatedWithoutCall = false }: StoreFailureDetails = {},
  ) {
    super(message);
    this.name = "StoreFailure";
    this.code = code;
    this.status = status;
    this.scope = scope;
    this.retryAfterMs = retryAfterMs;
    this.isRepeatedWithoutCall = isRepeatedWithoutCall;
  }

  /** Returns this failure for a later caller, for whom the store was not called. */
  repeatWithoutCall(): StoreFailure {
    const { code, message, status, scope, retryAfterMs } = this;
    return new StoreFailure(code, message, status, { scope, retryAfterMs, isRepeatedWithoutCall: true });
  }
}

/** Failures after which the store may have made a change: the request may have arrived, and no response states the result. */
const UNCERTAIN: ReadonlySet<StoreFailureCode> = new Set<StoreFailureCode>([
  ...(["network", "cut", "timeout", "too_large"] as const),
  ...(["server", "status", "content_type", "bad_answer"] as const),
]);

/** Whether the store may have made a change whose call failed. */
export const mayHaveSucceeded = ({ code, status, isRepeatedWithoutCall }: StoreFailure): boolean =>
  // A 503 means that the change was not made (specification §9 allows sending it again).
  !isRepeatedWithoutCall && status !== 503 && UNCERTAIN.has(code);

/** Message keys for failed operations. The wording follows specification §8 where it specifies one. */
export const FAILURE_MESSAGES: Readonly<Record<StoreOperation, string>> = {
  shop: "store:errors.store.connectionFailed",
  products: "store:errors.store.productsFailed",
  search: "store:errors.store.searchFailed",
  product: "store-visitors:states.productFailed",
  collections: "store:errors.store.collectionsFailed",
  collection: "store:errors.store.collectionFailed",
  attached: "store:errors.store.attachedFailed",
  cartCreate: "store:errors.store.cartCreateFailed",
  cart: "store:errors.store.cartFailed",
  cartAdd: "store:errors.store.addToCartFailed",
  cartUpdate: "store:errors.store.updateFailed",
  cartRemove: "store:errors.store.removeFailed",
};
