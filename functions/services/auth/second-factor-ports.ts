/** Ports of second factors. */
import type { Instant, Uuid } from "~/domain/shared/model";

/** An authenticator app to add. */
export interface NewSecondFactor {
  readonly userId: Uuid;
  /** Sealed (encrypted) for its account. */
  readonly secret: string;
  /** Time step (RFC 6238) of the code that confirmed the app. */
  readonly lastCounter: number;
  /** Hashes: see hashRecoveryCode. */
  readonly recoveryCodes: readonly string[];
  readonly createdAt: Instant;
}

/** The second factors of an account. */
export interface AccountFactors {
  /** Whether there is an authenticator app. */
  readonly app: boolean;
  /** Number of passkeys. */
  readonly passkeys: number;
}
