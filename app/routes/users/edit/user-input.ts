import type { User } from "~/domain/shared/model";
import { toGigabytes } from "~/domain/users/user.schema";
import type { UserInput } from "~/forms/users/user-form";

/** Converts an account to the values of its form. */
export const toUserInput = (user: User): UserInput => ({
  version: String(user.version),
  email: user.email,
  lastName: user.lastName,
  firstName: user.firstName,
  companyName: user.companyName,
  role: user.role,
  status: user.status,
  spaceLicense: String(user.spaceLicense),
  storageLimit: toGigabytes(user.storageLimit),
  language: user.language,
  timeZone: user.timeZone,
});
