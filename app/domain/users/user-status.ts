import type { UserStatus } from "../shared/model";

/** The five statuses of an account (specification §3), in the order of an account's life cycle. */
export const USER_STATUSES: readonly UserStatus[] = [
  "EMAIL_UNVERIFIED",
  "EMAIL_VERIFIED",
  "ACTIVATED",
  "DISAPPROVED",
  "BLOCKED",
];

/** The statuses as specification §3 spells them in API responses. */
export const USER_STATUS_WIRE: Readonly<Record<UserStatus, string>> = {
  EMAIL_UNVERIFIED: "EMAIL UNVERIFIED",
  EMAIL_VERIFIED: "EMAIL VERIFIED",
  ACTIVATED: "ACTIVATED",
  DISAPPROVED: "DISAPPROVED",
  BLOCKED: "BLOCKED",
};

/**
 * Allowed moves between statuses. The owner verifies the address; an administrator decides the rest. No move skips the verification of
 * the address: an account that was disapproved before this verification returns to the first status (see administratorMoves).
 */
export const USER_STATUS_MOVES: Readonly<Record<UserStatus, readonly UserStatus[]>> = {
  EMAIL_UNVERIFIED: ["EMAIL_VERIFIED", "DISAPPROVED"],
  EMAIL_VERIFIED: ["ACTIVATED", "DISAPPROVED"],
  ACTIVATED: ["BLOCKED"],
  DISAPPROVED: ["ACTIVATED", "EMAIL_UNVERIFIED"],
  BLOCKED: ["ACTIVATED", "EMAIL_UNVERIFIED"],
};

/** Whether a value is one of the five statuses. */
export function isUserStatus(value: unknown): value is UserStatus {
  return typeof value === "string" && Object.hasOwn(USER_STATUS_MOVES, value);
}

/** Whether an account may log in. */
export function canLogIn(status: UserStatus): boolean {
  return status === "ACTIVATED";
}

/** Whether an account may move from one status to another. Keeping the status is not a move. */
export function canMoveUserStatus(from: UserStatus, to: UserStatus): boolean {
  return USER_STATUS_MOVES[from].includes(to);
}

/**
 * Whether an account must have a password (true) or must not have one (false) for a manual change to a status; null if it does not matter. A password
 * is set through a link that was mailed to the address, so an account without one never used such a link.
 */
export function requiredPasswordState(to: UserStatus): boolean | null {
  if (to === "ACTIVATED") return true;
  return to === "EMAIL_UNVERIFIED" ? false : null;
}

/**
 * Returns the statuses to which an administrator may move an account: the allowed moves that its password permits
 * (requiredPasswordState), except the verification of the address.
 */
export function administratorMoves(from: UserStatus, hasPassword: boolean): readonly UserStatus[] {
  return USER_STATUS_MOVES[from].filter(
    (to) => to !== "EMAIL_VERIFIED" && (requiredPasswordState(to) ?? hasPassword) === hasPassword,
  );
}

/**
 * Returns the status of an account after its owner accepts the invitation: the address is verified, and the account is activated if
 * an administrator approved it in advance. Null if the invitation is no longer open, because the account has another status than EMAIL_UNVERIFIED.
 */
export function statusAfterInvitation(status: UserStatus, isApproved: boolean): UserStatus | null {
  const nextStatuses: UserStatus[] = isApproved ? ["EMAIL_VERIFIED", "ACTIVATED"] : ["EMAIL_VERIFIED"];
  if (status !== "EMAIL_UNVERIFIED") return null;
  return nextStatuses.reduce((from, to) => (canMoveUserStatus(from, to) ? to : from), status);
}
