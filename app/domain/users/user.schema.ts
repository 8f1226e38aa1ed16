import * as z from "zod";
import { emailField } from "../auth/login.schema";
import {
  companyNameField,
  langField,
  personNameField,
  timeZoneField,
  withName,
} from "../auth/profile.schema";
import {
  field,
  formError,
  readFlag,
  readInteger,
  readNumber,
  uuidField,
  versionField,
} from "../shared/fields.schema";
import { BULK_MAX, SPACE_LICENSE_MAX, STORAGE_LIMIT_MAX_GB } from "../shared/limits";
import type { Role, User, UserStatus, Uuid } from "../shared/model";
import { isUserStatus } from "./user-status";

const GIGABYTE = 1024 ** 3;

const fromGigabytes = (number: number): number => Math.round(number * GIGABYTE);

/** Returns bytes as a number of gigabytes for forms: the shortest number that converts back to the same bytes. */
export function toGigabytes(bytes: number): string {
  // Ten digits distinguish any two numbers of bytes.
  for (let digits = 0; ; digits++) {
    const text = (bytes / GIGABYTE).toFixed(digits);
    if (digits === 10 || fromGigabytes(Number(text)) === bytes) return text;
  }
}

/** A role by its name. */
export const roleField = field<Role, string>((value) =>
  value === "admin" || value === "user" ? { value } : { error: "users:errors.role" },
);

/** A status by its name. administratorMoves (user-status.ts) decides whether the account may change to it. */
export const statusField = field<UserStatus, string>((value) =>
  isUserStatus(value) ? { value } : { error: "users:errors.status" },
);

/** Maximum number of spaces that an account may own. */
export const spaceLicenseField = field<number, string | number>((value) => {
  const number = readInteger(value, 0, SPACE_LICENSE_MAX);
  return number === null ? { error: "users:errors.spaceLicense" } : { value: number };
});

/** A storage limit, entered in gigabytes and converted to whole bytes. */
export const storageLimitField = field<number, string | number>((value) => {
  const number = readNumber(value);
  return number === null || number < 0 || number > STORAGE_LIMIT_MAX_GB
    ? { error: "users:errors.storageLimit" }
    : { value: fromGigabytes(number) };
});

const flagField = field<boolean, unknown>(readFlag);

const accountFields = {
  email: emailField,
  lastName: personNameField,
  firstName: personNameField,
  companyName: companyNameField,
  role: roleField,
  spaceLicense: spaceLicenseField,
  storageLimit: storageLimitField,
  language: langField,
  timeZone: timeZoneField,
};

/**
 * The form that creates an account. `approved`: accepting the invitation activates the account; `invite`: the invitation is sent
 * immediately.
 */
export function createNewUserSchema() {
  return withName(z.object({ ...accountFields, approved: flagField, invite: flagField }, formError));
}
/** A checked form for a new account. */
export type NewUserValue = z.output<ReturnType<typeof createNewUserSchema>>;

/** The form in which administrators edit an account. */
export function createUserSchema() {
  return withName(z.object({ version: versionField, ...accountFields, status: statusField }, formError));
}
/** A checked account form of an administrator, with the version that the form started from. */
export type UserValue = z.output<ReturnType<typeof createUserSchema>>;

const USER_FIELDS = [
  "email",
  "lastName",
  "firstName",
  "companyName",
  "role",
  "status",
  "spaceLicense",
  "storageLimit",
  "language",
  "timeZone",
] as const satisfies (keyof UserValue & keyof User)[];
/** A field of an account that administrators edit. */
export type UserField = (typeof USER_FIELDS)[number];

/** Returns the fields whose values differ from the saved account, in the order of the form. A missing value counts as unchanged. */
export function changedUserFields(saved: User, value: Partial<Pick<User, UserField>>): UserField[] {
  return USER_FIELDS.filter((name) => value[name] !== undefined && saved[name] !== value[name]);
}

/** Changes that can be made to several accounts at once. */
export const BULK_CHANGES = [
  "status",
  "spaceLicense",
  "storageLimit",
  "invite",
  "delete",
  "restore",
  "keep",
] as const;

/** One change for several accounts. */
export type BulkChange =
  | { readonly kind: "status"; readonly status: UserStatus }
  | { readonly kind: "spaceLicense"; readonly spaceLicense: number }
  | { readonly kind: "storageLimit"; readonly storageLimit: number }
  /** Sends the invitation again. */
  | { readonly kind: "invite" }
  /** Moves accounts into the trash (delete), out of it (restore), or declines the owners' deletion requests (keep). */
  | { readonly kind: "delete" }
  | { readonly kind: "restore" }
  | { readonly kind: "keep" };

const idsField = field<readonly Uuid[], unknown>((value) => {
  const ids = [...new Set(Array.isArray(value) ? value : value === undefined ? [] : [value])];
  if (ids.length === 0) return { error: "users:errors.noUserChosen" };
  if (ids.length > BULK_MAX) return { error: "users:errors.tooManyChosen" };
  const hasInvalidId = ids.some((id) => !uuidField.safeParse(id).success);
  return hasInvalidId ? { error: "shared-owners:errors.field.invalid" } : { value: ids as Uuid[] };
});

/** The form of a list: {id: [...], change, status?, spaceLicense?, storageLimit?}. Values of other changes are ignored. */
export function createBulkSchema() {
  const selection = { id: idsField };
  const withoutValue = (["invite", "delete", "restore", "keep"] as const).map((kind) =>
    z.object({ ...selection, change: z.literal(kind) }),
  );
  return z.discriminatedUnion(
    "change",
    [
      z.object({ ...selection, change: z.literal("status"), status: statusField }),
      z.object({ ...selection, change: z.literal("spaceLicense"), spaceLicense: spaceLicenseField }),
      z.object({ ...selection, change: z.literal("storageLimit"), storageLimit: storageLimitField }),
      ...withoutValue,
    ],
    { error: "users:errors.change" },
  );
}

/** Returns the change that a valid form of a list requests. */
export function bulkChange(value: z.output<ReturnType<typeof createBulkSchema>>): BulkChange {
  switch (value.change) {
    case "status":
      return { kind: "status", status: value.status };
    case "spaceLicense":
      return { kind: "spaceLicense", spaceLicense: value.spaceLicense };
    case "storageLimit":
      return { kind: "storageLimit", storageLimit: value.storageLimit };
    default:
      return { kind: value.change };
  }
}
