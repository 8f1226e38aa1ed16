/** Audit entries of failed log-ins: at most one row per account and minute. */
import type { Repositories } from "#functions/data/shared/repositories";
import { EMAIL_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { SecondFactorRequiredError, UnauthenticatedError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock } from "../shared/ports";
import { sha256Hex } from "../shared/sha256";

const MINUTE_MS = 60_000;

/** A log line about failed log-ins. */
export interface FailedLogInLine {
  /** Id of the account; null for an email address or a passkey of no account. */
  readonly account: Uuid | null;
  /** Keyed hash of the client's network (an IPv4 address, or the /64 of an IPv6 address). */
  readonly network: string;
  /** Failures of this account, or of all attempts without an account, within this minute. */
  readonly count: number;
}

/** Dependencies of auditing failed log-ins. */
export interface FailedLogInDeps {
  readonly audit: Pick<Repositories["audit"], "countUp">;
  readonly sessions: Pick<Repositories["sessions"], "findCredentials">;
  readonly passkeys: Pick<Repositories["passkeys"], "findOwner">;
  readonly clock: Clock;
  /** Returns a keyed hash of a client's network. */
  readonly hashNetwork: (network: string) => string;
  readonly logFailedLogIn: (line: FailedLogInLine) => void;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** The email address or passkey of a log-in attempt, and the client's network. */
export type LogInAttempt = { readonly network: string } & (
  | { readonly email: string }
  | { readonly credential: { readonly id: string } }
);

/**
 * Executes a log-in, and writes an audit entry for its rejection after the response. Attempts that the rate limit rejected were not checked and have
 * no entry.
 */
export async function auditFailedLogIns<T>(
  deps: FailedLogInDeps,
  attempt: LogInAttempt,
  logIn: () => Promise<T>,
): Promise<T> {
  try {
    return await logIn();
  } catch (error) {
    // A log-in that still needs its second step has not failed.
    if (error instanceof UnauthenticatedError && !(error instanceof SecondFactorRequiredError))
      deps.defer(writeFailure(deps, attempt));
    throw error;
  }
}

/** Writes one failure. Failures without an account share one row a minute, so that invented addresses do not create many rows. */
async function writeFailure(deps: FailedLogInDeps, attempt: LogInAttempt): Promise<void> {
  const account =
    "email" in attempt
      ? ((await deps.sessions.findCredentials(attempt.email.slice(0, EMAIL_MAX)))?.user.id ?? null)
      : await deps.passkeys.findOwner(attempt.credential.id);
  const now = deps.clock.now();
  const networkHash = deps.hashNetwork(attempt.network);
  const count = await deps.audit.countUp({
    id: await rowId(account, Math.floor(now / MINUTE_MS)),
    at: toInstant(now),
    actorId: null,
    action: "log_in_failed",
    resourceType: "session",
    resourceId: account ?? "",
    detail: { count: 1 },
    network: networkHash,
  });
  // Logs the first failure of a minute, the tenth, the hundredth and so on.
  if (/^10*$/.test(String(count))) deps.logFailedLogIn({ account, network: networkHash, count });
}

/**
 * Computes the id of the row of an account and a minute from both, so that simultaneous attempts count in the same row. The id is a UUID of version 8
 * (RFC 9562 §5.8).
 */
async function rowId(account: Uuid | null, minute: number): Promise<Uuid> {
  const hash = await sha256Hex(`failed log-ins ${account ?? ""} ${minute}`);
  const digits = (from: number, to: number) => hash.slice(from, to);
  return `${digits(0, 8)}-${digits(8, 12)}-8${digits(13, 16)}-a${digits(17, 20)}-${digits(20, 32)}`;
}
