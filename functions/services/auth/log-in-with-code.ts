/** The second step of a log-in, after the correct password: a code of the second factor. */
import { canLogIn } from "~/domain/users/user-status";
import { UnauthenticatedError } from "../shared/errors";
import { sha256Hex } from "../shared/sha256";
import { auditFailedLogIns } from "./failed-log-ins";
import { consumeCode, openSecondStep } from "./second-factor";
import { beginSession, type IssuedSession, type LogInInput, type SessionDeps } from "./sessions";

/** The input of the second step. */
export interface SecondStepInput extends Omit<LogInInput, "email" | "password" | "oneTimeCode"> {
  /** SecondFactorRequiredError.pending. */
  readonly pending: string;
  readonly oneTimeCode: string;
}

/**
 * Logs in with a code after logIn has thrown SecondFactorRequiredError.
 * @throws UnauthenticatedError second_step_expired when the first step was too long ago, or the password was changed or the account blocked
 *   meanwhile; bad_one_time_code; the errors of beginSession
 * @throws RateLimitedError after too many wrong codes
 */
export async function logInWithCode(
  deps: SessionDeps,
  { pending, oneTimeCode, ...input }: SecondStepInput,
): Promise<IssuedSession> {
  const expired = () =>
    new UnauthenticatedError("second_step_expired", { key: "api:services.secondStepExpired" });
  const step = openSecondStep(deps, pending);
  const credentials = step && (await deps.sessions.findCredentials(step.email));
  if (!credentials || !canLogIn(credentials.user.status)) throw expired();
  if ((await sha256Hex(credentials.passwordHash)) !== step.passwordDigest) throw expired();
  const { network } = input;
  const method = await auditFailedLogIns(deps, { network, email: step.email }, () =>
    consumeCode(deps, { user: credentials.user, code: oneTimeCode, network }),
  );
  return beginSession(deps, credentials, { ...input, email: step.email }, method);
}
