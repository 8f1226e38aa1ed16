/**
 * The use cases of the actor's own account. All except updateProfile and inspectEmailLink throw InteractiveSessionRequiredError for an API token.
 */
import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { changedProfileFields, type ProfileValue } from "~/domain/auth/profile.schema";
import { hasIdledOut } from "~/domain/auth/session";
import type { Instant, User } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { bindUseCases } from "../shared/bind";
import { InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { EmailKind } from "../shared/ports";
import { sha256Hex } from "../shared/sha256";
import { mailAdministrators } from "../users/administrator-alerts";
import { auditEntry } from "../users/audit-entry";
import { requirePermission } from "../users/users";
import type { SessionListItem } from "./auth-ports";
import { inspectLink, issueLink, type LinkDeps, redeemLink, sendEmail } from "./mail-links";
import { listPersonalWords, type PasswordRuleDeps, requireStrongPassword } from "./password-rule";
import {
  type ReauthenticationCheckDeps,
  requireInteractiveSession,
  requirePassword,
} from "./require-reauthentication";
import type { IssuedSession } from "./sessions";

/** Maximum number of sessions in the list. All sessions can be ended together. */
const SESSIONS_SHOWN = 50;

/** Dependencies of the use cases of the actor's own account. */
export interface AccountDeps extends ReauthenticationCheckDeps, PasswordRuleDeps, LinkDeps {
  readonly account: Repositories["account"];
  readonly users: Pick<Repositories["users"], "find">;
  readonly sessions: Pick<Repositories["sessions"], "findCredentials">;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Result of saving the profile form. */
export type UpdateProfileResult =
  | { readonly status: "updated"; readonly user: User }
  /** The save wrote nothing: the form equals the saved values. */
  | { readonly status: "unchanged"; readonly user: User }
  /** The save wrote nothing: the account was saved in between. */
  | { readonly status: "conflict"; readonly saved: User; readonly submitted: ProfileValue };

/** A new address that is not confirmed yet. */
export interface PendingEmail {
  readonly email: string;
  readonly expiresAt: Instant;
}

/** A session in the list of its owner. */
export interface OwnSession extends SessionListItem {
  /** Whether the request belongs to this session. */
  readonly isCurrent: boolean;
}

const findOwn = async (deps: Pick<AccountDeps, "users">, actor: Actor): Promise<User> => {
  requirePermission(actor, "read", actor.userId);
  const user = await deps.users.find(actor.userId);
  if (!user) throw new NotFoundError("user");
  return user;
};

/**
 * Saves the actor's own profile. Writes nothing if the account was saved since the form was filled.
 * @param input.values checked by the schema of the form; contains the version that the form was filled from
 * @throws NotFoundError when the account was deleted, or a token's scopes do not allow the change
 */
export async function updateProfile(
  deps: Pick<AccountDeps, "account" | "users" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly values: ProfileValue },
): Promise<UpdateProfileResult> {
  const { actor, values: submitted } = input;
  requirePermission(actor, "update", actor.userId);
  const saved = await findOwn(deps, actor);
  const fields = changedProfileFields(saved, submitted);
  // Another user may have changed other fields since, but this form equals the saved values and overwrites nothing.
  if (fields.length === 0) return { status: "unchanged", user: saved };
  if (saved.version !== submitted.version) return { status: "conflict", saved, submitted };
  const { version: _, ...values } = submitted;
  const result = await deps.account.updateProfile(
    saved,
    values,
    toInstant(deps.clock.now()),
    auditEntry(deps, actor, "profile_updated", "user", saved.id, { fields }),
  );
  if (result.status === "updated") return result;
  if (!result.saved) throw new NotFoundError("user");
  return { status: "conflict", saved: result.saved, submitted };
}

/**
 * Changes the actor's password after checking the current one, gives the session a new ticket (the secret in its cookie), ends all other sessions and
 * notifies the owner by mail.
 * @returns the session's new ticket; null when the session was ended meanwhile
 * @throws InvalidError wrong_password, same_password or weak_password
 * @throws RateLimitedError after ten wrong passwords
 */
export async function changePassword(
  deps: AccountDeps,
  input: {
    readonly actor: Actor;
    readonly sessionId: string;
    readonly currentPassword: string;
    readonly password: string;
  },
): Promise<IssuedSession | null> {
  const { actor } = input;
  const oldHash = await requirePassword(deps, { actor, password: input.currentPassword });
  if (input.password === input.currentPassword)
    throw new InvalidError({ password: [{ key: "auth:services.samePassword" }] }, "same_password");
  const user = await findOwn(deps, actor);
  await requireStrongPassword(deps, {
    password: input.password,
    use: "account",
    personalWords: listPersonalWords(user),
  });
  const ticket = deps.ids.token();
  const changed = await deps.account.changePassword(
    actor.userId,
    { from: oldHash, to: await deps.hasher.hash(input.password) },
    { oldId: input.sessionId, newId: await sha256Hex(ticket) },
    toInstant(deps.clock.now()),
    auditEntry(deps, actor, "password_changed", "user", actor.userId),
  );
  // The password was changed during this call: the given password is no longer the current one.
  if (!changed)
    throw new InvalidError({ currentPassword: [{ key: "api:services.wrongPassword" }] }, "wrong_password");
  notifyOwner(deps, user, "passwordChanged");
  return changed.expiresAt === null ? null : { ticket, user, expiresAt: changed.expiresAt };
}

/** Notifies the owner of a change to the account, after the response. @param newEmail the new address, for the kind emailChanged */
function notifyOwner(
  deps: AccountDeps,
  user: User,
  kind: EmailKind,
  to = user.email,
  newEmail?: string,
): void {
  const path = kind === "passwordChanged" ? "/account/security" : "/login";
  const content = { user, link: deps.origin + path, expiresAt: null, ...(newEmail && { email: newEmail }) };
  deps.defer(sendEmail(deps, to, kind, content));
}

/**
 * Requests a change of the email address: a link is sent to the new address, and the current address stays until the link is used. If another
 * account has the address, the response is the same and no mail is sent, so that it reveals nothing.
 * @throws InvalidError wrong_password, or same_email
 * @throws RateLimitedError after ten wrong passwords, or LINKS_PER_HOUR links
 */
export async function requestEmailChange(
  deps: AccountDeps,
  input: { readonly actor: Actor; readonly email: string; readonly currentPassword: string },
): Promise<void> {
  const { actor, email } = input;
  requirePermission(actor, "update", actor.userId);
  await requirePassword(deps, { actor, password: input.currentPassword });
  const user = await findOwn(deps, actor);
  if (nameKey(email) === nameKey(user.email))
    throw new InvalidError({ email: [{ key: "api:services.sameEmail" }] }, "same_email");
  await sendConfirmation(deps, actor, user, email);
}

async function sendConfirmation(deps: AccountDeps, actor: Actor, user: User, email: string): Promise<void> {
  const { link, url } = await issueLink(deps, { actor, user, purpose: "email", email });
  const deliver = async () => {
    if (await deps.sessions.findCredentials(email)) return;
    try {
      await sendEmail(deps, email, "email", { user, link: url, expiresAt: link.expiresAt, email });
    } catch (error) {
      await deps.links.withdraw(link.id);
      throw error;
    }
  };
  // The mail is sent after the response, because its duration would reveal whether a mail was sent.
  deps.defer(deliver());
}

/** The new address that is not confirmed yet, or null. */
export async function pendingEmail(
  deps: Pick<AccountDeps, "links" | "clock">,
  input: { readonly actor: Actor },
): Promise<PendingEmail | null> {
  requireInteractiveSession(input.actor);
  const link = await deps.links.findLatest(input.actor.userId, "email");
  if (!link || link.usedAt !== null || Date.parse(link.expiresAt) <= deps.clock.now()) return null;
  return { email: link.email, expiresAt: link.expiresAt };
}

/**
 * Sends a new link for the address that is not confirmed yet, and closes the earlier link.
 * @throws NotFoundError when there is no such address
 * @throws RateLimitedError after LINKS_PER_HOUR links
 */
export async function resendEmailChange(deps: AccountDeps, input: { readonly actor: Actor }): Promise<void> {
  const pending = await pendingEmail(deps, input);
  if (!pending) throw new NotFoundError("pending address");
  await sendConfirmation(deps, input.actor, await findOwn(deps, input.actor), pending.email);
}

/** Cancels a pending change of the address. Has no effect if there is none. */
export async function cancelEmailChange(
  deps: Pick<AccountDeps, "account" | "clock" | "ids">,
  input: { readonly actor: Actor },
): Promise<void> {
  const { actor } = input;
  requireInteractiveSession(actor);
  await deps.account.cancelEmailChange(
    actor.userId,
    toInstant(deps.clock.now()),
    auditEntry(deps, actor, "email_change_cancelled", "user", actor.userId),
  );
}

/**
 * Returns the effect of a link for a new address.
 * @param input.actor the logged-in account, if any
 * @returns `email`: the new address. `from`: the present one. `isForeign`: whether another account is logged in
 * @throws LinkError link_unknown, link_used, link_expired
 */
export async function inspectEmailLink(
  deps: Pick<AccountDeps, "links" | "clock">,
  input: { readonly actor: Actor | null; readonly token: string | null },
): Promise<{ readonly email: string; readonly from: string; readonly isForeign: boolean }> {
  const { link, user } = await inspectLink(deps, { purpose: "email", token: input.token });
  const isForeign = input.actor !== null && input.actor.userId !== user.id;
  return { email: link.email, from: user.email, isForeign };
}

/**
 * Sets an account's address from a link, once, and notifies the old address.
 * @throws LinkError as inspectEmailLink
 * @throws NotFoundError when another account is logged in
 * @throws InvalidError email_taken when another account has the address by now
 */
export async function confirmEmailChange(
  deps: AccountDeps,
  input: { readonly actor: Actor | null; readonly token: string | null },
): Promise<{ readonly email: string }> {
  const { actor, token } = input;
  if (actor !== null) requireInteractiveSession(actor);
  if ((await inspectEmailLink(deps, input)).isForeign) throw new NotFoundError("link of another account");
  const redeemed = await redeemLink(
    deps,
    { purpose: "email", token, action: "email_changed" },
    ({ link }) => ({
      email: link.email,
      endSessions: false,
    }),
  );
  notifyOwner(deps, redeemed.user, "emailChanged", redeemed.user.email, redeemed.link.email);
  return { email: redeemed.link.email };
}

/** Lists the SESSIONS_SHOWN last used of the actor's live sessions: the current session first if it is among them, then by last use. */
export async function listSessions(
  deps: Pick<AccountDeps, "account" | "clock">,
  input: { readonly actor: Actor; readonly sessionId: string },
): Promise<readonly OwnSession[]> {
  requireInteractiveSession(input.actor);
  const now = toInstant(deps.clock.now());
  const sessions = await deps.account.listSessions(input.actor.userId, now, SESSIONS_SHOWN);
  return sessions
    .filter(({ lastSeenAt }) => !hasIdledOut(input.actor.role, lastSeenAt, deps.clock.now()))
    .map((session) => ({ ...session, isCurrent: input.sessionId.startsWith(session.handle) }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** Ends one of the actor's own sessions. @throws NotFoundError when the actor has no such session */
export async function endSession(
  deps: Pick<AccountDeps, "account" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly handle: string },
): Promise<void> {
  const { actor } = input;
  requireInteractiveSession(actor);
  const entry = auditEntry(deps, actor, "session_ended", "user", actor.userId);
  if (!(await deps.account.endSession(actor.userId, input.handle, entry))) throw new NotFoundError("session");
}

/** Ends all of the actor's sessions except `exceptSessionId`, if it is not null. */
export async function endSessions(
  deps: Pick<AccountDeps, "account" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly exceptSessionId: string | null },
): Promise<void> {
  const { actor, exceptSessionId } = input;
  requireInteractiveSession(actor);
  const action = exceptSessionId === null ? "sessions_ended" : "other_sessions_ended";
  await deps.account.endSessions(
    actor.userId,
    exceptSessionId,
    auditEntry(deps, actor, action, "user", actor.userId),
  );
}

/**
 * Records the actor's request to delete the account and its data, and notifies the administrators. Repeating it has no effect.
 * @throws InvalidError wrong_password
 * @throws RateLimitedError after ten wrong passwords
 */
export async function requestDeletion(
  deps: AccountDeps,
  input: { readonly actor: Actor; readonly currentPassword: string },
): Promise<void> {
  const { actor } = input;
  await requirePassword(deps, { actor, password: input.currentPassword });
  const now = toInstant(deps.clock.now());
  const entry = auditEntry(deps, actor, "deletion_requested", "user", actor.userId);
  if (!(await deps.account.setDeletionRequest(actor.userId, now, now, entry))) return;
  const { email } = await findOwn(deps, actor);
  const link = `${deps.origin}/user-list?q=${encodeURIComponent(email)}`;
  deps.defer(mailAdministrators(deps, "deletionRequested", { link, email }));
}

/** Withdraws a deletion request. Has no effect if there is none. */
export async function withdrawDeletion(
  deps: Pick<AccountDeps, "account" | "clock" | "ids">,
  input: { readonly actor: Actor },
): Promise<void> {
  const { actor } = input;
  requireInteractiveSession(actor);
  const now = toInstant(deps.clock.now());
  const entry = auditEntry(deps, actor, "deletion_withdrawn", "user", actor.userId);
  await deps.account.setDeletionRequest(actor.userId, null, now, entry);
}

/** `context.services.account`. */
export const accountServices = (deps: AccountDeps) =>
  bindUseCases(deps, {
    updateProfile,
    changePassword,
    requestEmailChange,
    pendingEmail,
    resendEmailChange,
    cancelEmailChange,
    inspectEmailLink,
    confirmEmailChange,
    listSessions,
    endSession,
    endSessions,
    requestDeletion,
    withdrawDeletion,
  });
