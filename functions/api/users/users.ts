import * as z from "zod";
import type { Services } from "#functions/services";
import {
  ConflictError,
  InvalidError,
  NotFoundError,
  TokenNotAllowedError,
} from "#functions/services/shared/errors";
import type { ItemResult } from "#functions/services/users/user-changes";
import type { Actor } from "~/domain/auth/actor";
import { field } from "~/domain/shared/fields.schema";
import { BULK_MAX, DEFAULT_LIMITS, EMAIL_MAX, SPACE_LICENSE_MAX } from "~/domain/shared/limits";
import type { Role, Uuid } from "~/domain/shared/model";
import { DEFAULT_TIME_ZONE } from "~/domain/shared/time-zone";
import {
  BULK_CHANGES,
  bulkChange,
  createBulkSchema,
  createNewUserSchema,
  createUserSchema,
  toGigabytes,
} from "~/domain/users/user.schema";
import {
  defaultUserDirection,
  USER_SHOWS,
  USER_SORTS,
  type UserListQuery,
  type UserShow,
} from "~/domain/users/user-list.schema";
import { USER_STATUS_WIRE, USER_STATUSES } from "~/domain/users/user-status";
import { personFields } from "../auth/account";
import { call, type JsonOf, type ProblemCode } from "../core/call";
import { fieldName } from "../core/field-name";
import {
  accountSearchParam,
  createSortParam,
  cursorOnlyPage,
  cursorParams,
  optional,
  optionalVersion,
  uncheckedField,
  uncheckedOptionalField,
} from "../core/fields";
import { mergeSent } from "../core/merge-sent";
import { deletedJson, listedUserJson } from "../core/record-json";
import { type ApiCall, type JsonBody, sliceResponse, validate, withBodyFieldNames } from "../core/request";
import { DeletedSchema, id, ListedUserSchema, SuccessSchema } from "../core/schemas";
import { requireVersion } from "../core/versions";

/** Part of the descriptions of calls that set roles, change addresses, or give administrators access. */
const PRIVILEGED =
  "an access token cannot do this (`token_not_allowed`), and a session can only within ten minutes of its log-in or of `POST /v1/account/reauthentication` (`reauthentication_required`). All administrators are notified by mail";
const PRIVILEGED_PROBLEMS = [
  "token_not_allowed",
  "reauthentication_required",
] as const satisfies readonly ProblemCode[];

/** Permission text of calls about accounts. */
export const ADMINISTRATORS = "Administrators. Other callers receive 404.";
const SORTS = USER_SORTS.flatMap((sort) => [sort, `-${sort}`]);
const STATUS_NAMES = USER_STATUSES.map((status) => USER_STATUS_WIRE[status]);

/** Converts a status from the spelling of specification §3, with a space, to that of the form. */
const toStatusName = (value: unknown) => (typeof value === "string" ? value.replaceAll(" ", "_") : value);
/** Converts bytes to gigabytes, the unit of the form. Any other value becomes one that the form's schema rejects. */
const bytesToGigabytes = (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) ? toGigabytes(value) : {};

const INVALID_FIELD = { error: "shared-owners:errors.field.invalid" } as const;
/** Filter parameters of the list of accounts. */
export const userFilters = {
  ...accountSearchParam,
  show: optional(
    field<UserShow>((value) => {
      const known = USER_SHOWS.find((show) => show === toStatusName(value));
      return known ? { value: known } : INVALID_FIELD;
    }),
    {
      type: "string",
      enum: ["all", ...STATUS_NAMES, "asked", "trash"],
      default: "all",
      description:
        "All accounts, accounts with one status, accounts whose owners requested deletion, or accounts in the trash.",
    },
  ),
  role: optional(
    field<Role>((value) => (value === "admin" || value === "user" ? { value } : INVALID_FIELD)),
    { type: "string", enum: ["admin", "user"] },
  ),
  ...createSortParam(SORTS),
};

/** Converts the filter parameters to the query of the user list. */
export function userQuery(query: {
  readonly q: string | null;
  readonly show?: UserShow;
  readonly role?: Role;
  readonly sort: string | null;
}): Omit<UserListQuery, "cursor"> {
  const { q, show = "all", role = null } = query;
  const sort = USER_SORTS.find((userSort) => query.sort?.endsWith(userSort)) ?? "created";
  const requestedDirection = query.sort?.startsWith("-") ? "desc" : "asc";
  const direction = query.sort === null ? defaultUserDirection(sort) : requestedDirection;
  return { q: q ?? "", show, role, sort, direction };
}

const librarySizeField = uncheckedOptionalField({
  type: "integer",
  minimum: 0,
  description: "Limit of the account's library, in bytes.",
});
const licenseField = uncheckedOptionalField({
  type: ["integer", "string"],
  minimum: 0,
  maximum: SPACE_LICENSE_MAX,
});
const emailJson = { type: "string", maxLength: EMAIL_MAX };
const userFields = {
  ...personFields,
  email: uncheckedOptionalField(emailJson),
  role: uncheckedOptionalField({ type: "string", enum: ["admin", "user"] }),
  space_license: licenseField,
  library_size: librarySizeField,
};

const FORM_FIELDS = {
  email: "email",
  last_name: "lastName",
  first_name: "firstName",
  company_name: "companyName",
  role: "role",
  space_license: "spaceLicense",
  library_size: "storageLimit",
  language: "language",
  time_zone: "timeZone",
} as const;

/** Converts the sizes and statuses of a body to the form's units and spellings. */
const toFormSpelling = (sent: JsonBody): JsonBody => ({
  ...sent,
  ...(Object.hasOwn(sent, "library_size") && { library_size: bytesToGigabytes(sent.library_size) }),
  ...(Object.hasOwn(sent, "status") && { status: toStatusName(sent.status) }),
});

/** Default values of a new account's form. `storageLimit` is in gigabytes. */
const NEW_USER = {
  version: 0,
  email: "",
  lastName: "",
  firstName: "",
  companyName: "",
  role: "user",
  language: "ja",
  timeZone: DEFAULT_TIME_ZONE,
  approved: true,
  invite: true,
  spaceLicense: DEFAULT_LIMITS.spaceLicense,
  storageLimit: toGigabytes(DEFAULT_LIMITS.storageLimit),
} as const;

const optionalTrue = (description: string) =>
  uncheckedOptionalField({ type: ["boolean", "null"], default: true, description });

const ChangedUsersSchema = z
  .object({
    results: z.array(
      z.object({
        uuid: id,
        user: ListedUserSchema.nullable().meta({ description: "The account after the call." }),
        code: z
          .string()
          .nullable()
          .meta({ description: "Reason why the account was not changed; null if it was." }),
        message: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "ChangedUsers" });

const SAVE_PROBLEMS = [
  ...PRIVILEGED_PROBLEMS,
  "email_taken",
  "own_account",
  "status_move",
  "last_administrator",
  "in_trash",
  "forbidden",
] as const satisfies readonly ProblemCode[];

/** Accounts, for administrators: /v1/users. */
export const userCalls = [
  call({
    id: "listUsers",
    method: "GET",
    path: "/v1/users",
    tag: "users",
    summary: "List accounts, newest first by default",
    who: "user",
    may: ADMINISTRATORS,
    query: z.object({ ...cursorParams, ...userFilters, page: cursorOnlyPage }),
    response: z.array(ListedUserSchema),
    list: "cursor",
    handle: async ({ c, services, actor, query }) => {
      const { cursor, limit: size } = query;
      const page = await services.users.listUsers({ actor, query: { ...userQuery(query), cursor }, size });
      return sliceResponse(c, page, listedUserJson);
    },
  }),

  call({
    id: "createUser",
    method: "POST",
    path: "/v1/users",
    tag: "users",
    summary: "Create an account and invite its owner",
    description:
      "The owner confirms the address and sets a password by the invitation. `not_invited` is the reason why the invitation could not be sent; the account exists nevertheless. " +
      `To create an administrator: ${PRIVILEGED}.`,
    who: "user",
    may: ADMINISTRATORS,
    body: z.object({
      ...userFields,
      email: uncheckedField(emailJson),
      approved: optionalTrue("Whether accepting the invitation activates the account."),
      invite: optionalTrue("Whether to send the invitation now."),
    }),
    response: z
      .object({ user: ListedUserSchema, invited: z.boolean(), not_invited: z.string().nullable() })
      .meta({ id: "CreatedUser" }),
    problems: ["email_taken", ...PRIVILEGED_PROBLEMS],
    acceptsIdempotencyKey: true,
    handle: async ({ c, services, actor, rawBody }) => {
      // For other callers the call does not exist, whatever they send.
      await services.users.listUsers({ actor, size: 1 });
      const { version: _, ...form } = mergeSent(
        { ...FORM_FIELDS, approved: "approved", invite: "invite" },
        NEW_USER,
        toFormSpelling(rawBody),
      );
      const values = await validate(createNewUserSchema(), form);
      const { user, isInvited, invitationFailure } = await services.users.addUser({ actor, values });
      const listedUser = await services.users.getUser({ actor, userId: user.id });
      const not_invited = invitationFailure && c.env.messagesFor(c.req.raw)(invitationFailure);
      return { user: listedUserJson(listedUser), invited: isInvited, not_invited };
    },
  }),

  call({
    id: "changeUsers",
    method: "POST",
    path: "/v1/users/changes",
    tag: "users",
    summary: "Apply one action to several accounts",
    description: `Accounts are changed independently, and each failure is reported for its account. At most ${BULK_MAX} accounts. \`keep\` declines a deletion request. To give an administrator access (\`invite\`, \`restore\`, \`status\` ACTIVATED): ${PRIVILEGED}; with an access token, each account is rejected separately.`,
    who: "user",
    may: ADMINISTRATORS,
    body: z.object({
      user_uuids: uncheckedField({
        type: "array",
        items: { type: "string", format: "uuid" },
        minItems: 1,
        maxItems: BULK_MAX,
      }),
      change: uncheckedField({
        type: "string",
        enum: BULK_CHANGES.map(fieldName),
        description: "`status`, `space_license` and `library_size` need the field of that name.",
      }),
      status: uncheckedOptionalField({ type: "string", enum: STATUS_NAMES }),
      space_license: licenseField,
      library_size: librarySizeField,
    }),
    response: ChangedUsersSchema,
    problems: ["reauthentication_required"],
    handle: async ({ c, services, actor, rawBody }) => {
      await services.users.listUsers({ actor, size: 1 });
      const { user_uuids: ids, change: changeName, ...rest } = toFormSpelling(rawBody);
      const change = BULK_CHANGES.find((candidate) => fieldName(candidate) === changeName);
      const form = { id: ids, change, ...mergeSent(BULK_FIELDS, NO_CHANGES, rest) };
      const checked = await withBodyFieldNames(validate(createBulkSchema(), form), () => ({
        id: "user_uuids",
      }));
      const results = await services.users.changeUsers({
        actor,
        userIds: checked.id,
        change: bulkChange(checked),
      });
      return { results: results.map((result) => resultJson(c, result)) };
    },
  }),

  call({
    id: "getUser",
    method: "GET",
    path: "/v1/users/{uuid}",
    tag: "users",
    summary: "Get an account, in the trash or not",
    who: "user",
    may: ADMINISTRATORS,
    response: ListedUserSchema,
    hasEtag: true,
    handle: async ({ services, actor, params: { uuid: userId } }) =>
      listedUserJson(await services.users.getUser({ actor, userId })),
  }),

  call({
    id: "updateUser",
    method: "PUT",
    path: "/v1/users/{uuid}",
    tag: "users",
    summary: "Change an account",
    description:
      "Changes only the given fields, and nothing if one of them is invalid. A user who can no longer log in loses all sessions at once. " +
      `To set a role, to change an address, or to give an administrator access again: ${PRIVILEGED}.`,
    who: "user",
    may: ADMINISTRATORS,
    body: z.object({
      ...userFields,
      status: uncheckedOptionalField({ type: "string", enum: STATUS_NAMES }),
      version: optionalVersion,
    }),
    response: ListedUserSchema,
    problems: SAVE_PROBLEMS,
    hasEtag: true,
    acceptsIfMatch: true,
    handle: async ({ services, actor, params: { uuid: userId }, body, rawBody }) => {
      const saved = await services.users.getUser({ actor, userId });
      const version = body.version ?? saved.version;
      const form = { ...saved, storageLimit: toGigabytes(saved.storageLimit), version };
      const values = await validate(
        createUserSchema(),
        mergeSent({ ...FORM_FIELDS, status: "status" }, form, toFormSpelling(rawBody)),
      );
      const result = await services.users.updateUser({ actor, userId, values });
      if ("user" in result) return listedUserJson(result.user);
      if (result.status === "trashed")
        throw new InvalidError({ "": [{ key: "users:refused.inTrash" }] }, "in_trash");
      throw new ConflictError(listedUserJson(result.saved), rawBody);
    },
  }),

  call({
    id: "deleteUser",
    method: "DELETE",
    path: "/v1/users/{uuid}",
    tag: "users",
    summary: "Move an account to the trash",
    description: "The account can no longer log in. It can be restored for 30 days.",
    who: "user",
    may: ADMINISTRATORS,
    response: DeletedSchema,
    problems: ["own_account", "last_administrator", "changed_meanwhile", "stale_version"],
    acceptsIfMatch: true,
    savedSchema: ListedUserSchema,
    handle: async ({ services, actor, params: { uuid: userId }, expectedVersion }) => {
      await changeOne(services, actor, userId, "delete", expectedVersion).catch(async (error: unknown) => {
        // The record was not changed, possibly because another version is saved.
        requireVersion(expectedVersion, await services.users.getUser({ actor, userId }), listedUserJson);
        throw error;
      });
      return deletedJson(userId);
    },
  }),

  call({
    id: "restoreUser",
    method: "POST",
    path: "/v1/users/{uuid}/restore",
    tag: "users",
    summary: "Restore an account from the trash",
    description: `For an administrator: ${PRIVILEGED}.`,
    who: "user",
    may: ADMINISTRATORS,
    response: ListedUserSchema,
    problems: ["own_account", "email_taken", "changed_meanwhile", ...PRIVILEGED_PROBLEMS],
    hasEtag: true,
    handle: async ({ services, actor, params: { uuid: userId } }) => {
      await changeOne(services, actor, userId, "restore");
      return listedUserJson(await services.users.getUser({ actor, userId }));
    },
  }),

  call({
    id: "inviteUser",
    method: "POST",
    path: "/v1/users/{uuid}/invite",
    tag: "users",
    summary: "Resend the invitation of an account",
    description: `Earlier invitations stop working. To invite an administrator: ${PRIVILEGED}.`,
    who: "user",
    may: ADMINISTRATORS,
    response: ListedUserSchema,
    problems: ["not_invited", "mail_not_sent", ...PRIVILEGED_PROBLEMS],
    hasEtag: true,
    handle: async ({ services, actor, params: { uuid: userId } }) => {
      const user = await services.users.getUser({ actor, userId });
      await services.invitations.inviteUser({ actor, userId });
      return listedUserJson(user);
    },
  }),

  call({
    id: "resetSecondFactor",
    method: "DELETE",
    path: "/v1/users/{uuid}/second_factor",
    tag: "users",
    summary: "Reset the second factor of an account",
    description:
      "For an owner who has lost a device: the authenticator app, the recovery codes and all passkeys are removed, all sessions end, and the owner is notified by mail. An access token cannot do this (`token_not_allowed`), and a session only within ten minutes of its log-in or of `POST /v1/account/reauthentication` (`reauthentication_required`).",
    who: "user",
    may: ADMINISTRATORS,
    response: SuccessSchema,
    problems: [...PRIVILEGED_PROBLEMS, "not_found", "own_account"],
    handle: async ({ services, actor, params: { uuid: userId } }) => {
      await services.secondFactor.resetSecondFactor({ actor, userId });
      return { status: "success" } as const;
    },
  }),
];

const BULK_FIELDS = {
  status: "status",
  space_license: "spaceLicense",
  library_size: "storageLimit",
} as const;
const NO_CHANGES = { version: 0, status: undefined, spaceLicense: undefined, storageLimit: undefined };

/** The code of a reason why an account was not changed. */
function rejectionCode(key: string): string {
  const name = fieldName(key.slice(key.lastIndexOf(".") + 1));
  return name === "self" ? "own_account" : name;
}

function resultJson(
  c: ApiCall,
  { userId, user, rejection }: ItemResult,
): JsonOf<typeof ChangedUsersSchema>["results"][number] {
  return {
    uuid: userId,
    user: user && listedUserJson(user),
    code: rejection && rejectionCode(rejection.key),
    message: rejection && c.env.messagesFor(c.req.raw)(rejection),
  };
}

/**
 * Codes for which a call on one account responds with 404: the account was deleted permanently or too long ago, or is (or is not) in the trash, unlike
 * the call requires.
 */
const NOT_FOUND_CODES: ReadonlySet<string> = new Set(["gone", "in_trash", "not_in_trash", "too_late"]);

async function changeOne(
  services: Services,
  actor: Actor,
  userId: Uuid,
  kind: "delete" | "restore",
  version: number | null = null,
): Promise<void> {
  const [result] = await services.users.changeUsers({ actor, userIds: [userId], change: { kind }, version });
  const rejection = result?.rejection;
  if (!rejection) return;
  const code = rejectionCode(rejection.key);
  if (code === "token_not_allowed") throw new TokenNotAllowedError();
  if (NOT_FOUND_CODES.has(code)) throw new NotFoundError("user");
  throw new InvalidError({ "": [rejection] }, code);
}
