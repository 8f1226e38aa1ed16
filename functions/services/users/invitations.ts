import type { Actor } from "~/domain/auth/actor";
import { isPrivilegedRole } from "~/domain/auth/privileged-change";
import type { User, UserStatus, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { statusAfterInvitation } from "~/domain/users/user-status";
import type { LinkWithUser } from "../auth/auth-ports";
import { inspectLink, type LinkDeps, sendLink } from "../auth/mail-links";
import { type PasswordDeps, type ResetPasswordInput, setPasswordByLink } from "../auth/passwords";
import { requireReauthentication } from "../auth/require-reauthentication";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, InvalidError, LinkError, NotFoundError } from "../shared/errors";
import { type AlertDeps, alertAdministrators, invitedLine } from "./administrator-alerts";

/** Dependencies of the use cases of invitations. */
export type InvitationDeps = LinkDeps & Pick<PasswordDeps, "hasher" | "commonPasswords"> & AlertDeps;

/** The inviting administrator and the invited user. */
export interface InviteUserInput {
  readonly actor: Actor;
  readonly userId: Uuid;
  /**
   * Whether accepting the invitation activates the account, instead of leaving it to an administrator's approval. Default: the value of the previous
   * invitation, and true for the first one.
   */
  readonly activates?: boolean;
}

/** Data of an invitation's page. */
export interface Invitation {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Whether the user can log in as soon as the invitation is accepted. */
  readonly activates: boolean;
}

/**
 * Mails an invitation to an account whose address is not verified yet; earlier invitations of the account become invalid. For administrators. The
 * account must exist, with status EMAIL_UNVERIFIED and a hash that no password matches. When an administrator is invited, all administrators are
 * notified by mail.
 * @throws ForbiddenError for actors who are not administrators
 * @throws TokenNotAllowedError, ReauthenticationError when an administrator is invited: see requireReauthentication
 * @throws NotFoundError when the account does not exist
 * @throws InvalidError not_invited when the account has another status
 * @throws RateLimitedError after too many invitations of the same account within an hour
 * @throws MailError when the mail was rejected
 */
export async function inviteUser(deps: InvitationDeps, input: InviteUserInput): Promise<void> {
  const { email, role } = await sendInvitation(deps, input);
  if (isPrivilegedRole(role)) alertAdministrators(deps, input.actor, [invitedLine(email)]);
}

/** Same as inviteUser, but does not notify the administrators, because the caller does. @returns the invited user */
export async function sendInvitation(deps: InvitationDeps, input: InviteUserInput): Promise<User> {
  const { actor, userId } = input;
  if (!can(actor, "create", { type: "user", id: null })) throw new ForbiddenError("invite user");
  const user = await deps.users.find(userId);
  if (!user) throw new NotFoundError("user");
  if (isPrivilegedRole(user.role)) requireReauthentication(deps, actor);
  if (statusAfterInvitation(user.status, true) === null)
    throw new InvalidError({ status: [{ key: "api:services.notInvited" }] }, "not_invited");
  const activates = input.activates ?? (await deps.links.findLatest(userId, "invitation"))?.activates ?? true;
  await sendLink(deps, { actor, user, purpose: "invitation", activates });
  return user;
}

/** Reads an invitation without using it. @throws LinkError as acceptInvitation */
export async function inspectInvitation(
  deps: InvitationDeps,
  input: { readonly token: string | null },
): Promise<Invitation> {
  const link = await inspectLink(deps, { purpose: "invitation", token: input.token });
  statusAfterAcceptance(link);
  const { email, firstName, lastName } = link.user;
  return { email, firstName, lastName, activates: link.link.activates };
}

/**
 * Accepts an invitation: verifies the address, sets the password and, if the account was approved in advance, activates it. It does not log the user
 * in.
 * @returns the account's status afterwards
 * @throws LinkError as inspectLink; link_expired also when an administrator has decided about the account meanwhile
 * @throws InvalidError weak_password
 */
export async function acceptInvitation(
  deps: InvitationDeps,
  input: ResetPasswordInput,
): Promise<{ readonly status: UserStatus }> {
  const linkBefore = await setPasswordByLink(deps, { ...input, purpose: "invitation" }, (link) => ({
    status: statusAfterAcceptance(link),
  }));
  return { status: statusAfterAcceptance(linkBefore) };
}

function statusAfterAcceptance({ link, user }: LinkWithUser): UserStatus {
  const status = statusAfterInvitation(user.status, link.activates);
  if (status === null) throw new LinkError("expired");
  return status;
}

/** `context.services.invitations`. */
export const invitationServices = (deps: InvitationDeps) =>
  bindUseCases(deps, { inviteUser, inspectInvitation, acceptInvitation });
