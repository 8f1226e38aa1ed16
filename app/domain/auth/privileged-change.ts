import type { Role, User } from "../shared/model";
import type { UserField } from "../users/user.schema";

/**
 * Whether a change of an account could create an administrator, or give an account to another person: it sets a role or the address, or lets an
 * administrator who could not log in do so again. Such changes need reauthentication, and access tokens never make them (decision 042).
 * @param saved the account as it is
 * @param fields those that the change sets to other values
 * @param values what they become
 */
export function isPrivilegedChange(
  saved: Pick<User, "role">,
  fields: readonly UserField[],
  values: Partial<Pick<User, "status">>,
): boolean {
  if (fields.includes("role") || fields.includes("email")) return true;
  return isPrivilegedRole(saved.role) && fields.includes("status") && values.status === "ACTIVATED";
}

/** Whether making, inviting or restoring an account of that role is a privileged change. */
export const isPrivilegedRole = (role: Role): boolean => role === "admin";
