import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { User } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { bindUseCases } from "../shared/bind";
import { InvalidError, RateLimitedError } from "../shared/errors";
import { sha256Hex } from "../shared/sha256";
import type { AccountChange, LinkWithUser, PasswordHasher, RateLimiter } from "./auth-ports";
import { countUse } from "./limit-attempts";
import { inspectLink, type LinkDeps, redeemLink, sendEmail, sendLink } from "./mail-links";
import { listPersonalWords, type PasswordRuleDeps, requireStrongPassword } from "./password-rule";

/** Dependencies of the use cases of forgotten passwords. */
export interface PasswordDeps extends LinkDeps, PasswordRuleDeps {
  readonly sessions: Pick<Repositories["sessions"], "findCredentials">;
  readonly hasher: PasswordHasher;
  readonly limiter: RateLimiter;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** A request for a link for a new password. */
export interface RequestResetInput {
  /** The logged-in account; null for an unauthenticated caller. */
  readonly actor: Actor | null;
  /** Normalised by the form's schema. */
  readonly email: string;
  /** Network of the caller (clientNetwork), for which requests are counted. */
  readonly network: string;
}

/** A new password, and the link that permits it. */
export interface ResetPasswordInput {
  /** The token in the link's URL; null if it has none. */
  readonly token: string | null;
  /** Normalised by the form's schema. */
  readonly password: string;
}

/**
 * Sends a link for a new password (specification §7, POST /default/user/retrieve_password). For all callers except logged-in administrators, the account is looked up after
 * the response, so that neither the response nor its duration reveals whether the account exists. Administrators receive an error if it does not
 * exist (specification §8) or if the mail was not sent.
 * @throws RateLimitedError after too many requests for the address or from the same network; for administrators also after LINKS_PER_HOUR links
 * @throws InvalidError unknown_email, for administrators
 * @throws MailError for administrators
 */
export async function requestReset(deps: PasswordDeps, input: RequestResetInput): Promise<void> {
  const { actor, email, network } = input;
  await countUse(
    deps.limiter,
    [`place:mail:${network}`, `mail-to:${await sha256Hex(nameKey(email))}`],
    "password retrieval",
  );
  const findUser = async () => (await deps.sessions.findCredentials(email))?.user ?? null;
  const send = (user: User) => sendLink(deps, { actor, user, purpose: "reset" });
  // Callers with an API token get the same response for known and unknown addresses.
  if (actor?.role === "admin" && actor.scopes === undefined) {
    const user = await findUser();
    if (!user) throw new InvalidError({ email: [{ key: "auth:errors.email.unknown" }] }, "unknown_email");
    await send(user);
    return;
  }
  const findAndSend = async () => {
    const user = await findUser();
    if (!user) return;
    await send(user).catch((error) => {
      // Reaching the limit of links is not a failure of the deferred work.
      if (!(error instanceof RateLimitedError)) throw error;
    });
  };
  deps.defer(findAndSend());
}

/** Returns the address of the user whose password a link sets, without using the link. @throws LinkError as inspectLink */
export async function inspectReset(
  deps: PasswordDeps,
  input: { readonly token: string | null },
): Promise<Pick<User, "email">> {
  const { user } = await inspectLink(deps, { purpose: "reset", token: input.token });
  return { email: user.email };
}

/**
 * Sets a new password by a link and ends all sessions of the account (specification §7, POST /default/user/reset_password). It does not log the user in, and the
 * account's status and passkeys stay. The owner is notified by mail.
 * @throws LinkError as inspectLink
 * @throws InvalidError weak_password
 */
export async function resetPassword(deps: PasswordDeps, input: ResetPasswordInput): Promise<void> {
  const { user } = await setPasswordByLink(deps, { ...input, purpose: "reset" }, () => ({}));
  deps.defer(
    sendEmail(deps, user.email, "passwordChanged", {
      user,
      expiresAt: null,
      link: `${deps.origin}/account/security`,
    }),
  );
}

/** Uses a link to set a password. The password is hashed once, and only if the link can be used. @returns the link with the account as it was before */
export async function setPasswordByLink(
  deps: Pick<PasswordDeps, "links" | "clock" | "ids" | "hasher" | "commonPasswords">,
  input: ResetPasswordInput & { readonly purpose: "reset" | "invitation" },
  statusChange: (link: LinkWithUser) => Pick<AccountChange, "status">,
): Promise<LinkWithUser> {
  let passwordHash: string | undefined;
  return redeemLink(
    deps,
    {
      purpose: input.purpose,
      token: input.token,
      action: input.purpose === "reset" ? "password_reset" : "invitation_accepted",
    },
    async (link) => {
      const status = statusChange(link);
      const personalWords = listPersonalWords(link.user);
      await requireStrongPassword(deps, { password: input.password, use: "account", personalWords });
      passwordHash ??= await deps.hasher.hash(input.password);
      return { ...status, passwordHash, endSessions: true };
    },
  );
}

/** `context.services.passwords`. */
export const passwordServices = (deps: PasswordDeps) =>
  bindUseCases(deps, { requestReset, inspectReset, resetPassword });
