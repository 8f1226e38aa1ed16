import type { Actor } from "~/domain/auth/actor";
import { isPrivilegedChange, isPrivilegedRole } from "~/domain/auth/privileged-change";
import { DAY_MS } from "~/domain/shared/day";
import { TRASH_DAYS } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { type Action, can } from "~/domain/shared/permissions";
import type { BulkChange } from "~/domain/users/user.schema";
import { requireReauthentication } from "../auth/require-reauthentication";
import { bindUseCases } from "../shared/bind";
import type { ErrorMessage } from "../shared/errors";
import { toInstant } from "../shared/instant";

import { alertAdministrators, invitedLine, readmittedLine } from "./administrator-alerts";
import { auditEntry } from "./audit-entry";
import type { ListedUser, UserChange, UserChangeResult } from "./user-ports";
import {
  type InvitingDeps,
  requireAdministrator,
  statusChangeRejection,
  tryToInvite,
  type UserDeps,
  userChange,
} from "./users";

const CONCURRENT_MAILS = 5;

/** Result for one account of several. */
export interface ItemResult {
  readonly userId: Uuid;
  /** The current account; null if it does not exist. */
  readonly user: ListedUser | null;
  /** The reason why the account was not changed; null if it was. */
  readonly rejection: ErrorMessage | null;
}

const createRejection = (key: string): ErrorMessage => ({ key: `users:refused.${key}` });

/**
 * Makes one change to several accounts independently: a rejected change is reported for its account, and the others are made. For administrators. The
 * write statements ensure that administrators cannot block or delete themselves and that one administrator always remains.
 * @throws NotFoundError for actors who are not administrators
 * @throws ReauthenticationError before any change, if the change lets an administrator log in: see isPrivilegedChange
 */
export async function changeUsers(
  deps: UserDeps & InvitingDeps,
  input: {
    readonly actor: Actor;
    readonly userIds: readonly Uuid[];
    readonly change: BulkChange;
    /** Expected version for a deletion; any if absent or null. */
    readonly version?: number | null;
  },
): Promise<readonly ItemResult[]> {
  const { actor, change } = input;
  requireAdministrator(actor);
  const usersById = new Map((await deps.users.findListed(input.userIds)).map((user) => [user.id, user]));
  const results = new Map<Uuid, ItemResult>();
  const changes: UserChange[] = [];
  const usersToInvite: ListedUser[] = [];
  const privilegedUsers = [...usersById.values()].filter(
    (user) => isPrivileged(user, change) && findRejection(deps, actor, user, change) === null,
  );
  if (privilegedUsers.length > 0) requireReauthentication(deps, actor);
  for (const userId of input.userIds) {
    const user = usersById.get(userId) ?? null;
    const rejection = user ? findRejection(deps, actor, user, change) : createRejection("gone");
    if (rejection || !user) results.set(userId, { userId, user, rejection });
    else if (change.kind === "invite") usersToInvite.push(user);
    else changes.push(createUserChange(deps, actor, user, change, input.version ?? undefined));
  }
  for (const result of [
    ...(await writeChanges(deps, changes)),
    ...(await sendInvitations(deps, actor, usersToInvite)),
  ])
    results.set(result.userId, result);
  const toLine = change.kind === "invite" ? invitedLine : readmittedLine;
  const changedUsers = privilegedUsers.filter(({ id }) => results.get(id)?.rejection === null);
  alertAdministrators(
    deps,
    actor,
    changedUsers.map(({ email }) => toLine(email)),
  );
  return input.userIds.flatMap((id) => results.get(id) ?? []);
}

/** Sends invitations, CONCURRENT_MAILS at a time. A failure is reported for its account, and the others are sent. */
async function sendInvitations(
  deps: InvitingDeps,
  actor: Actor,
  usersToInvite: readonly ListedUser[],
): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  for (let i = 0; i < usersToInvite.length; i += CONCURRENT_MAILS)
    results.push(
      ...(await Promise.all(
        usersToInvite.slice(i, i + CONCURRENT_MAILS).map(async (user) => ({
          userId: user.id,
          user,
          rejection: await tryToInvite(deps, { actor, userId: user.id }),
        })),
      )),
    );
  return results;
}

/** The action of each change in the permissions table. `keep` declines the owner's request to delete the account. */
const ACTION_OF: Readonly<Record<BulkChange["kind"], Action>> = {
  status: "changeStatus",
  spaceLicense: "changeLimits",
  storageLimit: "changeLimits",
  invite: "create",
  delete: "delete",
  restore: "restore",
  keep: "update",
};

/** Whether a change of one account needs reauthentication and is forbidden for API tokens. */
function isPrivileged(user: ListedUser, change: BulkChange): boolean {
  if (change.kind === "invite" || change.kind === "restore") return isPrivilegedRole(user.role);
  return change.kind === "status" && isPrivilegedChange(user, ["status"], change);
}

/** Returns the reason for a rejection that is known before the write; null if there is none. */
function findRejection(
  deps: UserDeps,
  actor: Actor,
  user: ListedUser,
  change: BulkChange,
): ErrorMessage | null {
  if (actor.scopes !== undefined && isPrivileged(user, change))
    return { key: "api:services.tokenNotAllowed" };
  // Administrators may do everything except lock themselves out.
  if (!can(actor, ACTION_OF[change.kind], { type: "user", id: user.id })) return createRejection("self");
  if (change.kind === "restore") {
    if (user.deletedAt === null) return createRejection("notInTrash");
    return user.deletedAt < trashedSince(deps) ? createRejection("tooLate") : null;
  }
  if (user.deletedAt !== null) return createRejection("inTrash");
  if (change.kind === "status") return statusChangeRejection(user.status, change.status, user.hasPassword);
  if (change.kind === "spaceLicense" && user.spaceLicense === change.spaceLicense)
    return createRejection("same");
  if (change.kind === "storageLimit" && user.storageLimit === change.storageLimit)
    return createRejection("same");
  return change.kind === "keep" && user.deletionRequestedAt === null ? createRejection("notAsked") : null;
}

const trashedSince = (deps: UserDeps) => toInstant(deps.clock.now() - TRASH_DAYS * DAY_MS);

function createUserChange(
  deps: UserDeps,
  actor: Actor,
  user: ListedUser,
  change: Exclude<BulkChange, { kind: "invite" }>,
  version: number | undefined,
): UserChange {
  const createEntries = (action: "user_deleted" | "user_restored" | "deletion_declined") => [
    auditEntry(deps, actor, action, "user", user.id),
  ];
  switch (change.kind) {
    case "status":
    case "spaceLicense":
    case "storageLimit": {
      const { kind, ...values } = change;
      const userUpdate = userChange(deps, actor, user, values, [kind]);
      // A concurrent save of other fields does not prevent the change.
      return { ...userUpdate, guard: { ...userUpdate.guard, version: undefined } };
    }
    case "delete":
      return {
        id: user.id,
        changes: { trash: { at: toInstant(deps.clock.now()), by: actor.userId } },
        guard: { notUser: actor.userId, version },
        audit: createEntries("user_deleted"),
      };
    case "restore":
      return {
        id: user.id,
        changes: { trash: null },
        guard: { trashedSince: trashedSince(deps) },
        audit: createEntries("user_restored"),
      };
    case "keep":
      return {
        id: user.id,
        changes: { deletionRequestedAt: null },
        guard: {},
        audit: createEntries("deletion_declined"),
      };
  }
}

async function writeChanges(deps: UserDeps, changes: readonly UserChange[]): Promise<ItemResult[]> {
  const now = toInstant(deps.clock.now());
  const batch = await deps.users.change(changes, now);
  if (batch !== "email_taken") return changes.map((change, i) => toItemResult(change.id, batch[i]));
  // Another account has the address of a restored account. Making the changes one by one shows which.
  const results: ItemResult[] = [];
  for (const change of changes) {
    const result = await deps.users.change([change], now);
    if (result !== "email_taken") results.push(toItemResult(change.id, result[0]));
    else {
      const [user = null] = await deps.users.findListed([change.id]);
      results.push({ userId: change.id, user, rejection: createRejection("emailTaken") });
    }
  }
  return results;
}

function toItemResult(id: Uuid, result: UserChangeResult | undefined): ItemResult {
  const user = result?.saved ?? null;
  if (result?.isChanged) return { userId: id, user, rejection: null };
  const reason = !user ? "gone" : result?.isLastAdministrator ? "lastAdministrator" : "changedMeanwhile";
  return { userId: id, user, rejection: createRejection(reason) };
}

/** Use cases in `context.services.users`. */
export const userChangeServices = (deps: UserDeps & InvitingDeps) => bindUseCases(deps, { changeUsers });
