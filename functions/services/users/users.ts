import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { isPrivilegedChange, isPrivilegedRole } from "~/domain/auth/privileged-change";
import { PAGE_SIZE } from "~/domain/shared/limits";
import type { User, UserStatus, Uuid } from "~/domain/shared/model";
import { type Action, can } from "~/domain/shared/permissions";
import { nameKey } from "~/domain/shared/text";
import type { AccountUsage } from "~/domain/users/usage";
import {
  changedUserFields,
  type NewUserValue,
  type UserField,
  type UserValue,
} from "~/domain/users/user.schema";
import { ALL_USERS, type UserListQuery } from "~/domain/users/user-list.schema";
import { administratorMoves, requiredPasswordState } from "~/domain/users/user-status";
import type { PasswordHasher } from "../auth/auth-ports";
import { type LinkDeps, sendEmail } from "../auth/mail-links";
import { listPersonalWords, type PasswordRuleDeps, requireStrongPassword } from "../auth/password-rule";
import { requireReauthentication } from "../auth/require-reauthentication";
import { createRootFolders } from "../folders/root-folders";
import { bindUseCases } from "../shared/bind";
import { AppError, type ErrorMessage, ForbiddenError, InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { AuditEntry, Clock, EmailLine, IdSource } from "../shared/ports";
import {
  type AlertDeps,
  addressLine,
  alertAdministrators,
  invitedLine,
  readmittedLine,
  roleLine,
} from "./administrator-alerts";
import { auditEntry } from "./audit-entry";
import { type InvitationDeps, type InviteUserInput, sendInvitation } from "./invitations";
import type { ListedUser, NewUser, UserChange, UserSlice } from "./user-ports";

/** Dependencies of the use cases of users. */
export interface UserDeps extends PasswordRuleDeps, Pick<Repositories, "users"> {
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** An account to add. */
export interface CreateUserInput extends Omit<NewUser, "id" | "passwordHash" | "createdAt"> {
  readonly actor: Actor;
  /** Null: no password matches until the owner sets one. */
  readonly password: string | null;
}

/** A save of the administrators' form of an account. */
export interface UpdateUserInput {
  readonly actor: Actor;
  readonly userId: Uuid;
  /** Checked by the schema of the form; contains the version that the form was filled from. */
  readonly values: UserValue;
}

/** Result of a save. Only "updated" wrote anything. On a conflict, and if the account is in the trash, `saved` is the current account. */
export type UpdateUserResult =
  | { readonly status: "updated" | "unchanged"; readonly user: ListedUser }
  | { readonly status: "conflict" | "trashed"; readonly saved: ListedUser; readonly submitted: UserValue };

/** Requires a permission. For actors without it, users do not exist (404). @throws NotFoundError */
export function requirePermission(actor: Actor, action: Action, userId: Uuid | null): void {
  if (!can(actor, action, { type: "user", id: userId })) throw new NotFoundError("user");
}

/** Rejects actors who are not administrators. For them the list of users does not exist. @throws NotFoundError */
export function requireAdministrator(actor: Actor): void {
  if (!can(actor, "list", { type: "user", id: null })) throw new NotFoundError("user list");
}

/**
 * Lists users, by default newest first and 20 per page; for administrators. One round trip. The number of rows read is independent of the number of
 * users.
 * @throws NotFoundError for actors who are not administrators
 */
export async function listUsers(
  deps: Pick<UserDeps, "users">,
  input: { readonly actor: Actor; readonly query?: Partial<UserListQuery>; readonly size?: number },
): Promise<UserSlice> {
  requireAdministrator(input.actor);
  return deps.users.list({ ...ALL_USERS, ...input.query }, input.size ?? PAGE_SIZE);
}

/** Returns the actor's own account, or another one for administrators. @throws NotFoundError when not visible */
export async function getAccount(
  deps: Pick<UserDeps, "users">,
  input: { readonly actor: Actor; readonly userId?: Uuid },
): Promise<User> {
  const id = input.userId ?? input.actor.userId;
  const user = can(input.actor, "read", { type: "user", id }) ? await deps.users.find(id) : null;
  if (!user) throw new NotFoundError("user");
  return user;
}

/** Returns the used part of the limits of the actor's account. @throws NotFoundError */
export async function getUsage(
  deps: Pick<UserDeps, "users" | "clock">,
  input: { readonly actor: Actor },
): Promise<AccountUsage> {
  const usage = await deps.users.usage(input.actor.userId, toInstant(deps.clock.now()));
  if (!usage) throw new NotFoundError("user");
  return usage;
}

/**
 * Returns an account for administrators, also from the trash. @throws NotFoundError when it does not exist, and for actors who are not administrators
 */
export async function getUser(
  deps: Pick<UserDeps, "users">,
  input: { readonly actor: Actor; readonly userId: Uuid },
): Promise<ListedUser> {
  requireAdministrator(input.actor);
  const [user] = await deps.users.findListed([input.userId]);
  if (!user) throw new NotFoundError("user");
  return user;
}

/**
 * Adds an account with its two root folders; for administrators. All administrators are notified of a new administrator by mail. The caller has
 * checked the input with the schema of its form.
 * @throws ForbiddenError for actors who are not administrators
 * @throws TokenNotAllowedError, ReauthenticationError for a new administrator: see requireReauthentication
 * @throws InvalidError email_taken or weak_password
 */
export async function createUser(deps: UserDeps & AlertDeps, input: CreateUserInput): Promise<User> {
  const user = await insertUser(deps, input);
  if (isPrivilegedRole(user.role)) alertAdministrators(deps, input.actor, [roleLine(user.email, user.role)]);
  return user;
}

async function insertUser(deps: UserDeps, input: CreateUserInput): Promise<User> {
  const { actor, password, ...fields } = input;
  if (!can(actor, "create", { type: "user", id: null })) throw new ForbiddenError("create user");
  if (isPrivilegedRole(fields.role)) requireReauthentication(deps, actor);
  if (password !== null)
    await requireStrongPassword(deps, { password, use: "account", personalWords: listPersonalWords(fields) });
  const id = deps.ids.uuid();
  const createdAt = toInstant(deps.clock.now());
  const passwordHash = password === null ? deps.hasher.dummyHash : await deps.hasher.hash(password);
  const result = await deps.users.create(
    { ...fields, id, passwordHash, createdAt },
    createRootFolders(deps, id),
    auditEntry(deps, actor, "user_created", "user", id, creationDetail(fields)),
  );
  if (result === "email_taken") throw emailTakenError();
  return {
    ...fields,
    id,
    spaceCount: 0,
    storageUsed: 0,
    statusMails: false,
    deletionRequestedAt: null,
    createdAt,
    version: 1,
  };
}

/** Details of a new account for the audit log. */
export const creationDetail = (user: Pick<NewUser, "role" | "status">) => ({
  role: user.role,
  status: user.status,
});

/**
 * Adds an account whose owner verifies the address and sets the password by an invitation, which is sent by default.
 * @returns the account, and the reason if the invitation could not be sent (`invitationFailure`); the account exists in any case
 * @throws ForbiddenError for actors who are not administrators
 * @throws TokenNotAllowedError, ReauthenticationError as createUser
 * @throws InvalidError email_taken
 */
export async function addUser(
  deps: UserDeps & InvitingDeps,
  input: { readonly actor: Actor; readonly values: NewUserValue },
): Promise<{
  readonly user: User;
  readonly isInvited: boolean;
  readonly invitationFailure: ErrorMessage | null;
}> {
  const { actor } = input;
  const { approved, invite, ...fields } = input.values;
  const user = await insertUser(deps, { ...fields, actor, password: null, status: "EMAIL_UNVERIFIED" });
  const invitationFailure = invite
    ? await tryToInvite(deps, { actor, userId: user.id, activates: approved })
    : null;
  const isInvited = invite && invitationFailure === null;
  if (isPrivilegedRole(user.role)) {
    const line = roleLine(user.email, user.role);
    alertAdministrators(deps, actor, isInvited ? [line, invitedLine(user.email)] : [line]);
  }
  return { user, isInvited, invitationFailure };
}

/** Dependencies of an invitation that is one step of a larger operation. Its unexpected errors are logged after the response. */
export type InvitingDeps = InvitationDeps & Pick<UpdateUserDeps, "defer">;

/**
 * Invites the owner of an account. Returns the message of a failure, or null after success. Never rejects, because earlier steps are complete. The
 * caller notifies the administrators.
 */
export async function tryToInvite(deps: InvitingDeps, input: InviteUserInput): Promise<ErrorMessage | null> {
  const work = sendInvitation(deps, input);
  return rejectionMessage(work).catch(() => {
    deps.defer(work);
    return { key: "users:refused.unexpected" };
  });
}

/** Returns the message of a rejected call; null if it succeeded. Unexpected errors are thrown. */
async function rejectionMessage(work: Promise<unknown>): Promise<ErrorMessage | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const field = error instanceof InvalidError ? Object.values(error.fields)[0]?.[0] : undefined;
    return field ?? error.userMessage;
  }
}

/** Dependencies of saving an account. Its owner is notified of a new address after the response. */
export interface UpdateUserDeps extends UserDeps, Pick<LinkDeps, "mailer" | "emailTemplate" | "origin"> {
  /** Lists the administrators who are notified. */
  readonly account: AlertDeps["account"];
  readonly defer: (work: Promise<unknown>) => void;
}

/**
 * Saves an administrator's form atomically; writes nothing if nothing changes. An account that can no longer log in loses its sessions at once. A
 * new address cancels pending confirmations of other addresses, and a mail to the old address reports the change if that address was verified. All
 * administrators are notified of changed roles and addresses, and of an administrator who can log in again.
 * @throws NotFoundError if there is no such account
 * @throws TokenNotAllowedError, ReauthenticationError if it is a privileged change (isPrivilegedChange)
 * @throws ForbiddenError for limits that the actor may not change
 * @throws InvalidError email_taken; own_account (the actor's own address, role or status); status_move (a change of status that is not allowed);
 *   last_administrator
 */
export async function updateUser(deps: UpdateUserDeps, input: UpdateUserInput): Promise<UpdateUserResult> {
  const { actor, values: submitted } = input;
  const saved = await getUser(deps, input);
  requirePermission(actor, "update", saved.id);
  if (saved.deletedAt !== null) return { status: "trashed", saved, submitted };
  const fields = changedUserFields(saved, submitted);
  if (fields.length === 0) return { status: "unchanged", user: saved };
  if (saved.version !== submitted.version) return { status: "conflict", saved, submitted };
  requireAllowedFields(actor, saved, submitted, fields);
  if (isPrivilegedChange(saved, fields, submitted)) requireReauthentication(deps, actor);

  const change = userChange(deps, actor, saved, submitted, fields);
  const result = await deps.users.change([change], toInstant(deps.clock.now()));
  if (result === "email_taken") throw emailTakenError();
  const current = result[0]?.saved ?? null;
  if (!current) throw new NotFoundError("user");
  if (current.deletedAt !== null) return { status: "trashed", saved: current, submitted };
  if (result[0]?.isChanged) {
    if (fields.includes("email")) notifyOldAddress(deps, saved, current);
    alertAdministrators(deps, actor, changeLines(saved, current, fields));
    return { status: "updated", user: current };
  }
  if (!result[0]?.isLastAdministrator) return { status: "conflict", saved: current, submitted };
  const field = fields.includes("role") ? "role" : "status";
  throw new InvalidError({ [field]: [{ key: "users:refused.lastAdministrator" }] }, "last_administrator");
}

/** Returns the lines about a change of an account for the mail to administrators; none unless the change is privileged. */
export function changeLines(saved: User, current: User, fields: readonly UserField[]): readonly EmailLine[] {
  const isReadmitted =
    isPrivilegedRole(saved.role) && fields.includes("status") && current.status === "ACTIVATED";
  return [
    ...(fields.includes("role") ? [roleLine(current.email, current.role)] : []),
    ...(fields.includes("email") ? [addressLine(saved.email, current.email)] : []),
    ...(isReadmitted ? [readmittedLine(current.email)] : []),
  ];
}

function notifyOldAddress(deps: UpdateUserDeps, saved: User, current: User): void {
  // An unverified address may belong to a stranger.
  if (saved.status === "EMAIL_UNVERIFIED" || nameKey(saved.email) === nameKey(current.email)) return;
  const content = { user: current, link: `${deps.origin}/login`, expiresAt: null, email: current.email };
  deps.defer(sendEmail(deps, saved.email, "emailChanged", content));
}

function requireAllowedFields(
  actor: Actor,
  saved: ListedUser,
  values: UserValue,
  fields: readonly UserField[],
): void {
  const resource = { type: "user", id: saved.id } as const;
  const selfMessage: ErrorMessage = { key: "users:refused.self" };
  if (fields.includes("email") && saved.id === actor.userId)
    throw new InvalidError({ email: [{ key: "users:refused.ownEmail" }] }, "own_account");
  if (fields.some((name) => LIMITS.has(name)) && !can(actor, "changeLimits", resource))
    throw new ForbiddenError("change limits");
  if (fields.includes("role") && !can(actor, "changeRole", resource))
    throw new InvalidError({ role: [selfMessage] }, "own_account");
  if (!fields.includes("status")) return;
  if (!can(actor, "changeStatus", resource)) throw new InvalidError({ status: [selfMessage] }, "own_account");
  const rejection = statusChangeRejection(saved.status, values.status, saved.hasPassword);
  if (rejection) throw new InvalidError({ status: [rejection] }, "status_move");
}

/** Returns the reason why an administrator cannot change an account from one status to another; null if the change is possible. */
export function statusChangeRejection(
  from: UserStatus,
  to: UserStatus,
  hasPassword: boolean,
): ErrorMessage | null {
  if (from === to) return { key: "users:refused.sameStatus" };
  if (administratorMoves(from, hasPassword).includes(to)) return null;
  if (from === "EMAIL_UNVERIFIED") return { key: "users:refused.unverified" };
  return { key: to === "ACTIVATED" && !hasPassword ? "users:refused.neverAccepted" : "users:refused.move" };
}

/** Returns a change of some of an account's fields, with its conditions and its audit entries. */
export function userChange(
  deps: Pick<UserDeps, "clock" | "ids">,
  actor: Actor,
  saved: ListedUser,
  values: Partial<Pick<User, UserField>>,
  fields: readonly UserField[],
): UserChange {
  const hasField = (...names: UserField[]) => names.some((name) => fields.includes(name));
  const pickChanged = <K extends UserField>(...names: K[]) =>
    Object.fromEntries(names.filter((name) => fields.includes(name)).map((name) => [name, values[name]]));
  const createEntry = (
    action:
      | "user_updated"
      | "user_email_changed"
      | "user_role_changed"
      | "user_status_changed"
      | "user_limits_changed",
    detail: AuditEntry["detail"],
  ) => auditEntry(deps, actor, action, "user", saved.id, detail);
  const fromTo = (name: UserField) => ({ from: saved[name], to: values[name] });
  const otherFields = fields.filter(
    (name) => !["email", "role", "status", "spaceLicense", "storageLimit"].includes(name),
  );
  const limitFields = (["spaceLicense", "storageLimit"] as const).filter((name) => hasField(name));
  const hasPassword = values.status && hasField("status") ? requiredPasswordState(values.status) : null;
  return {
    id: saved.id,
    changes: {
      ...(hasField("email", "firstName", "lastName", "companyName") && {
        identity: {
          email: values.email ?? saved.email,
          firstName: values.firstName ?? saved.firstName,
          lastName: values.lastName ?? saved.lastName,
          companyName: values.companyName ?? saved.companyName,
        },
      }),
      ...pickChanged("role", "status", "spaceLicense", "storageLimit", "language", "timeZone"),
    },
    guard: {
      version: saved.version,
      ...(hasField("role", "status") && { notUser: actor.userId }),
      ...(hasField("status") && { from: [saved.status] }),
      ...(hasPassword !== null && { hasPassword }),
    },
    audit: [
      ...(otherFields.length > 0 ? [createEntry("user_updated", { fields: otherFields })] : []),
      ...(hasField("email") ? [createEntry("user_email_changed", fromTo("email"))] : []),
      ...(hasField("role") ? [createEntry("user_role_changed", fromTo("role"))] : []),
      ...(hasField("status") ? [createEntry("user_status_changed", fromTo("status"))] : []),
      ...(limitFields.length > 0
        ? [
            createEntry(
              "user_limits_changed",
              Object.fromEntries(limitFields.map((name) => [name, fromTo(name)])),
            ),
          ]
        : []),
    ],
  };
}

const LIMITS: ReadonlySet<UserField> = new Set(["spaceLicense", "storageLimit"]);

/** Creates the error for an email address that another account has. */
export const emailTakenError = () =>
  new InvalidError({ email: [{ key: "api:services.emailTaken" }] }, "email_taken");

/** `context.services.users`. */
export const userServices = (deps: UpdateUserDeps & InvitationDeps) =>
  bindUseCases(deps, { listUsers, getAccount, getUsage, getUser, createUser, addUser, updateUser });
