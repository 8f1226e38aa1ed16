import type { Role, User } from "../shared/model";
import type { UserField } from "../users/user.schema";

/**
 * Whether a change of an account could create an administrator, or give an account to another person: it sets the role or the address, or
 * reactivates an administrator who could not log in. Such changes need reauthentication, and API tokens never make them (decision
 * 042).
 * @param saved the account before the change
 * @param fields the fields that change
 * @param values their new values
 */
export function isPrivilegedChange(
  saved: Pick<User, "role">,
  fields: readonly UserField[],
  values: Partial<Pick<User, "status">>,
): boolean {
  if (fields.includes("role") || fields.includes("email")) return true;
  return isPrivilegedRole(saved.role) && fields.includes("status") && values.status === "ACTIVATED";
}

/** Whether creating, inviting or restoring an account of that role is a privileged change. */
export const isPrivilegedRole = (role: Role): boolean => role === "admin";
