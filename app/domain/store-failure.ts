import type { StoreFailureCode } from "./store";

/**
 * A store gave nothing that can be used. The message is the client's own (§8), without token and address: for owners and for the log, not
 * for visitors.
 */
export class StoreFailure extends Error {
  readonly code: StoreFailureCode;
  /** The HTTP status of the answer; null without one. */
  readonly status: number | null;
  constructor(code: StoreFailureCode, message: string, status: number | null = null) {
    super(message);
    this.name = "StoreFailure";
    this.code = code;
    this.status = status;
  }
}
