/** Verdicts on uploads. An external service that the deployment configures accepts or rejects each file (decision 047). */

/** States of a file that may not be used: it waits for its verdict, or was rejected. */
export const CHECK_STATES = ["waiting", "rejected"] as const;
/** A state of a file that may not be used. */
export type CheckState = (typeof CHECK_STATES)[number];

/** The check of a file that may not be used. */
export interface UploadCheck {
  readonly state: CheckState;
  /** Reason of a rejection, from the service; may be empty. */
  readonly reason: string;
}

/** Characters of a reason that are shown. */
export const CHECK_REASON_MAX = 200;
/** Characters of the service's response that are read. */
export const VERDICT_RESPONSE_MAX = 2000;
/** Delays after the first, second and further attempts without a verdict, in seconds; the last one repeats. */
export const CHECK_RETRY_SECONDS = [60, 60, 300, 900, 3600] as const;
