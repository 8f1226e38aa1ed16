import type { UserStatus } from "../shared/model";

/** The five statuses of an account (§3), in the order of an account's life. */
export const USER_STATUSES: readonly UserStatus[] = [
  "EMAIL_UNVERIFIED",
  "EMAIL_VERIFIED",
  "ACTIVATED",
  "DISAPPROVED",
  "BLOCKED",
];

/** The statuses as §3 spells them in answers of the API. */
export const USER_STATUS_WIRE: Readonly<Record<UserStatus, string>> = {
  EMAIL_UNVERIFIED: "EMAIL UNVERIFIED",
  EMAIL_VERIFIED: "EMAIL VERIFIED",
  ACTIVATED: "ACTIVATED",
  DISAPPROVED: "DISAPPROVED",
  BLOCKED: "BLOCKED",
};

/**
 * From which status an account may go to which. The address is verified by its owner; the rest is decided by an
 * administrator. Nothing leads past the verification of the address: who was disapproved before it goes back to where it
 * began (see administratorMoves).
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

/** Whether an account may go from one status to another. Staying where it is, is no move. */
export function canMoveUserStatus(from: UserStatus, to: UserStatus): boolean {
  return USER_STATUS_MOVES[from].includes(to);
}

/**
 * Whether an account must have a password (true) or none (false) to be moved to a status by hand; null where it does not
 * matter. A password is set by a link that was mailed to the address, so that who has none has never opened one.
 */
export function passwordWanted(to: UserStatus): boolean | null {
  if (to === "ACTIVATED") return true;
  return to === "EMAIL_UNVERIFIED" ? false : null;
}

/** Where an administrator may move an account: everywhere that the table says, but for the verification of the address. */
export function administratorMoves(from: UserStatus, hasPassword: boolean): readonly UserStatus[] {
  return USER_STATUS_MOVES[from].filter(
    (to) => to !== "EMAIL_VERIFIED" && (passwordWanted(to) ?? hasPassword) === hasPassword,
  );
}

/**
 * What an account becomes when its owner opens the link of the invitation: its address is verified, and it is activated
 * when an administrator approved it in advance. Null when there is nothing to verify: the invitation is no longer open.
 */
export function statusAfterInvitation(status: UserStatus, approved: boolean): UserStatus | null {
  const next: UserStatus[] = approved ? ["EMAIL_VERIFIED", "ACTIVATED"] : ["EMAIL_VERIFIED"];
  if (status !== "EMAIL_UNVERIFIED") return null;
  return next.reduce((from, to) => (canMoveUserStatus(from, to) ? to : from), status);
}
