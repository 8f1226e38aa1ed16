import type { ListedUser } from "#functions/services/users/user-ports";
import type { UserMessage } from "~/forms/shared/user-message";
import { formatBytes, formatName } from "~/i18n/format";

/** Converts an account to a row of the list. */
export const toRow = (user: ListedUser) => ({
  id: user.id,
  name: formatName(user),
  company: user.companyName,
  email: user.email,
  status: user.status,
  role: user.role,
  hasDeletionRequest: user.deletionRequestedAt !== null,
  spaces: { used: user.spaceCount, limit: user.spaceLicense },
  storage: { used: formatBytes(user.storageUsed), limit: formatBytes(user.storageLimit) },
  createdAt: user.createdAt,
  deletedAt: user.deletedAt,
});

export type UserRow = ReturnType<typeof toRow>;

/** Result of a bulk change for one account. */
export interface RowResult {
  readonly id: string;
  /** Null if the account no longer exists. */
  readonly name: string | null;
  readonly rejection: UserMessage | null;
}
