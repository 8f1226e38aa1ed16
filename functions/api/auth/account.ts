import * as z from "zod";
import type { Services } from "#functions/services";
import type { OwnSession } from "#functions/services/auth/account";
import type { Passkey } from "#functions/services/auth/auth-ports";
import { ConflictError, NotFoundError } from "#functions/services/shared/errors";
import { createEndSessionSchema } from "~/domain/auth/account.schema";
import type { Actor } from "~/domain/auth/actor";
import { emailField, passwordField } from "~/domain/auth/login.schema";
import { passkeyNameField } from "~/domain/auth/passkey.schema";
import { newPasswordField } from "~/domain/auth/password.schema";
import { createProfileSchema } from "~/domain/auth/profile.schema";
import { SESSION_SECONDS } from "~/domain/auth/session";
import {
  COMPANY_NAME_MAX,
  EMAIL_MAX,
  PASSKEY_NAME_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PERSON_NAME_MAX,
} from "~/domain/shared/limits";
import type { User } from "~/domain/shared/model";
import { usageMeters } from "~/domain/users/usage";
import { call, type JsonOf } from "../core/call";
import { describe, optionalVersion, uncheckedOptionalField } from "../core/fields";
import { mergeSent } from "../core/merge-sent";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { userJson } from "../core/record-json";
import { requestTicket, setSessionCookie, validate } from "../core/request";
import { instant, SuccessSchema, UserSchema } from "../core/schemas";

const uncheckedText = (maxLength: number) => uncheckedOptionalField({ type: ["string", "null"], maxLength });
/** Editable personal fields of an account, for its owner and for administrators. They are only described here; the form's schema validates them. */
export const personFields = {
  first_name: uncheckedText(PERSON_NAME_MAX),
  last_name: uncheckedText(PERSON_NAME_MAX),
  company_name: uncheckedText(COMPANY_NAME_MAX),
  language: uncheckedOptionalField({ type: "string", enum: ["ja", "en"] }),
  time_zone: uncheckedOptionalField({
    type: "string",
    examples: ["Asia/Tokyo"],
    description: "An IANA time zone name.",
  }),
};

/** The field of the profile form for each name in a request body. */
const PROFILE_FIELDS = {
  first_name: "firstName",
  last_name: "lastName",
  company_name: "companyName",
  language: "language",
  time_zone: "timeZone",
  status_mails: "statusMails",
} as const;

const current_password = describe(passwordField, {
  type: "string",
  minLength: 1,
  maxLength: PASSWORD_MAX,
  description:
    "The current password. After ten wrong ones within an hour the next attempt must wait, from two minutes to an hour.",
});
const email = describe(emailField, { type: "string", maxLength: EMAIL_MAX });

const PendingEmailSchema = z
  .object({ email: z.string(), expires_at: instant })
  .nullable()
  .meta({ description: "A new address that is not confirmed yet." });

const UsageSchema = z
  .object({
    limits: z.array(
      z.object({
        name: z.string(),
        used: z.int(),
        limit: z.int(),
        unit: z.enum(["count", "bytes"]),
      }),
    ),
  })
  .meta({ id: "AccountUsage" });

const AccountSchema = z
  .object({
    ...UserSchema.shape,
    status_mails: z.boolean().meta({
      description: "Whether a mail is sent when an event of the account opens or ends by its dates.",
    }),
    deletion_requested_at: instant.nullable(),
    pending_email: PendingEmailSchema,
  })
  .meta({ id: "Account" });

const SessionItemSchema = z
  .object({
    handle: z
      .string()
      .meta({ description: "Identifies one of the account's sessions. It grants no access." }),
    created_at: instant,
    last_seen_at: instant,
    expires_at: instant,
    user_agent: z.string(),
    current: z.boolean().meta({ description: "Whether this session makes the call." }),
  })
  .meta({ id: "SessionItem" });

const PasskeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    transports: z.array(z.string()),
    created_at: instant,
    last_used_at: instant.nullable(),
  })
  .meta({ id: "Passkey" });

const ChangedPasswordSchema = z
  .object({
    ...SuccessSchema.shape,
    ticket: z
      .string()
      .nullable()
      .meta({ description: "The session's new ticket; null if the session has ended." }),
  })
  .meta({ id: "ChangedPassword" });

const SUCCESS = { status: "success" } as const;

const sessionJson = (session: OwnSession): JsonOf<typeof SessionItemSchema> => ({
  handle: session.handle,
  created_at: session.createdAt,
  last_seen_at: session.lastSeenAt,
  expires_at: session.expiresAt,
  user_agent: session.userAgent,
  current: session.isCurrent,
});

const passkeyJson = (passkey: Passkey): JsonOf<typeof PasskeySchema> => ({
  id: passkey.id,
  name: passkey.name,
  transports: passkey.transports,
  created_at: passkey.createdAt,
  last_used_at: passkey.lastUsedAt,
});

async function accountJson(
  services: Services,
  actor: Actor,
  knownUser?: User,
): Promise<JsonOf<typeof AccountSchema>> {
  const [user, pendingEmail] = await Promise.all([
    knownUser ?? services.users.getAccount({ actor }),
    // A pending address is shown to interactive sessions only, not to API tokens.
    actor.scopes === undefined ? services.account.pendingEmail({ actor }) : null,
  ]);
  return {
    ...userJson(user),
    status_mails: user.statusMails,
    deletion_requested_at: user.deletionRequestedAt,
    pending_email: pendingEmail && { email: pendingEmail.email, expires_at: pendingEmail.expiresAt },
  };
}

/** The caller's account: /v1/account. */
export const accountCalls = [
  call({
    id: "getAccount",
    method: "GET",
    path: "/v1/account",
    tag: "account",
    summary: "Get the caller's account",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: AccountSchema,
    problems: ["not_found"],
    hasEtag: true,
    handle: ({ services, actor }) => accountJson(services, actor),
  }),

  call({
    id: "getAccountUsage",
    method: "GET",
    path: "/v1/account/usage",
    tag: "account",
    summary: "Get the caller's limits and their usage",
    description: "Lists the account's limits by name, in bytes or as a number.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: UsageSchema,
    problems: ["not_found"],
    handle: async ({ services, actor }) => {
      const [user, usage] = await Promise.all([
        services.users.getAccount({ actor }),
        services.users.getUsage({ actor }),
      ]);
      const userLimits = [
        { name: "spaces", used: user.spaceCount, limit: user.spaceLicense, unit: "count" },
        { name: "storage", used: user.storageUsed, limit: user.storageLimit, unit: "bytes" },
      ] as const;
      return { limits: [...userLimits, ...usageMeters(usage, user)] };
    },
  }),

  call({
    id: "updateAccount",
    method: "PUT",
    path: "/v1/account",
    tag: "account",
    summary: "Change the caller's names, company, language, time zone and mail settings",
    description: "Changes only the given fields. At least one of the two names is required.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    body: z.object({
      ...personFields,
      status_mails: uncheckedOptionalField({
        type: "boolean",
        description: "Whether to send a mail when an event of the account opens or ends by its dates.",
      }),
      version: optionalVersion,
    }),
    response: AccountSchema,
    problems: ["not_found"],
    hasEtag: true,
    acceptsIfMatch: true,
    handle: async ({ services, actor, body, rawBody }) => {
      const saved = await services.users.getAccount({ actor });
      const version = body.version ?? saved.version;
      const values = await validate(
        createProfileSchema(),
        mergeSent(PROFILE_FIELDS, { ...saved, version }, rawBody),
      );
      const result = await services.account.updateProfile({ actor, values });
      if (result.status === "conflict")
        throw new ConflictError(await accountJson(services, actor, result.saved), rawBody);
      return accountJson(services, actor, result.user);
    },
  }),

  call({
    id: "changePassword",
    method: "PUT",
    path: "/v1/account/password",
    tag: "account",
    summary: "Change the caller's password",
    description:
      "Ends all other sessions of the account, and sends a mail. The session continues with a new ticket, which the response contains, also as a cookie if the call used the cookie. The old ticket stops working.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    body: z.object({
      current_password,
      password: describe(newPasswordField, {
        type: "string",
        minLength: PASSWORD_MIN,
        maxLength: PASSWORD_MAX,
      }),
    }),
    response: ChangedPasswordSchema,
    problems: ["session_required", "wrong_password", "same_password", "weak_password"],
    handle: async ({ c, services, actor, session, body }) => {
      const { current_password: currentPassword, password } = body;
      const { sessionId } = session;
      const issued = await services.account.changePassword({ actor, sessionId, currentPassword, password });
      if (issued && requestTicket(c).isCookie) setSessionCookie(c, issued.ticket, SESSION_SECONDS);
      return { ...SUCCESS, ticket: issued?.ticket ?? null };
    },
  }),

  call({
    id: "reauthenticate",
    method: "POST",
    path: "/v1/account/reauthentication",
    tag: "account",
    summary: "Reauthenticate with the password",
    description:
      "For ten minutes afterwards the session may make calls that otherwise return `reauthentication_required` or `password_required`. A new log-in has the same effect.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    body: z.object({ current_password }),
    response: SuccessSchema,
    problems: ["session_required", "wrong_password", "rate_limited"],
    handle: async ({ services, actor, session: { sessionId }, body }) => {
      const credentials = { password: body.current_password };
      await services.reauthentication.reauthenticate({ actor, sessionId, credentials });
      return SUCCESS;
    },
  }),

  call({
    id: "requestEmailChange",
    method: "POST",
    path: "/v1/account/email",
    tag: "account",
    summary: "Request a change of the email address",
    description:
      "A link is sent to the new address; until it is used, the current address stays. The response does not reveal whether another account has the address; in that case no mail is sent.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    body: z.object({ email, current_password }),
    response: AccountSchema,
    problems: ["session_required", "wrong_password", "same_email"],
    handle: async ({ services, actor, body }) => {
      const { email, current_password: currentPassword } = body;
      await services.account.requestEmailChange({ actor, email, currentPassword });
      return accountJson(services, actor);
    },
  }),

  call({
    id: "resendEmailChange",
    method: "POST",
    path: "/v1/account/email/resend",
    tag: "account",
    summary: "Resend the link for the unconfirmed address",
    description: "The earlier link stops working.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: AccountSchema,
    problems: ["session_required", "not_found"],
    handle: async ({ services, actor }) => {
      await services.account.resendEmailChange({ actor });
      return accountJson(services, actor);
    },
  }),

  call({
    id: "cancelEmailChange",
    method: "DELETE",
    path: "/v1/account/email",
    tag: "account",
    summary: "Cancel the pending change of the email address",
    description: "Does nothing if no change is pending.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: AccountSchema,
    problems: ["session_required"],
    handle: async ({ services, actor }) => {
      await services.account.cancelEmailChange({ actor });
      return accountJson(services, actor);
    },
  }),

  call({
    id: "listSessions",
    method: "GET",
    path: "/v1/account/sessions",
    tag: "account",
    summary: "List the caller's sessions, the calling session first, then by last use, at most 50",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: z.array(SessionItemSchema),
    wholeListKey: "handle",
    problems: ["session_required"],
    handle: async ({ services, actor, session: { sessionId } }) =>
      (await services.account.listSessions({ actor, sessionId })).map(sessionJson),
  }),

  call({
    id: "endSession",
    method: "DELETE",
    path: "/v1/account/sessions/{handle}",
    tag: "account",
    summary: "End one of the caller's sessions",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: SuccessSchema,
    problems: ["session_required", "not_found"],
    handle: async ({ services, actor, params }) => {
      const parsedParams = createEndSessionSchema().safeParse({ session: params.handle });
      if (!parsedParams.success) throw new NotFoundError("session");
      await services.account.endSession({ actor, handle: parsedParams.data.session });
      return SUCCESS;
    },
  }),

  call({
    id: "endOtherSessions",
    method: "DELETE",
    path: "/v1/account/sessions",
    tag: "account",
    summary: "End all of the caller's sessions except the calling session",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: SuccessSchema,
    problems: ["session_required"],
    handle: async ({ services, actor, session }) => {
      await services.account.endSessions({ actor, exceptSessionId: session.sessionId });
      return SUCCESS;
    },
  }),

  call({
    id: "listPasskeys",
    method: "GET",
    path: "/v1/account/passkeys",
    tag: "account",
    summary: "List the caller's passkeys, newest first",
    description: "Passkeys are created and used in browsers, on the account page.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: z.array(PasskeySchema),
    wholeListKey: "id",
    problems: ["session_required"],
    handle: async ({ services, actor }) => (await services.passkeys.listPasskeys({ actor })).map(passkeyJson),
  }),

  call({
    id: "renamePasskey",
    method: "PUT",
    path: "/v1/account/passkeys/{passkey}",
    tag: "account",
    summary: "Rename a passkey",
    who: "user",
    may: PERMISSION_TEXTS.own,
    body: z.object({
      name: describe(passkeyNameField, {
        type: "string",
        minLength: 1,
        maxLength: PASSKEY_NAME_MAX,
      }),
    }),
    response: SuccessSchema,
    problems: ["session_required", "not_found"],
    handle: async ({ services, actor, params, body: { name } }) => {
      await services.passkeys.renamePasskey({ actor, passkeyId: params.passkey, name });
      return SUCCESS;
    },
  }),

  call({
    id: "removePasskey",
    method: "DELETE",
    path: "/v1/account/passkeys/{passkey}",
    tag: "account",
    summary: "Remove a passkey",
    description:
      "Only within ten minutes of a log-in or a reauthentication. Afterwards the response is `password_required`.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: SuccessSchema,
    problems: ["session_required", "not_found", "password_required"],
    handle: async ({
      services,
      actor,
      user,
      session: { authenticatedAt },
      params: { passkey: passkeyId },
    }) => {
      await services.passkeys.removePasskey({ user, actor, authenticatedAt, currentPassword: "", passkeyId });
      return SUCCESS;
    },
  }),

  call({
    id: "requestDeletion",
    method: "POST",
    path: "/v1/account/deletion_request",
    tag: "account",
    summary: "Request the deletion of the caller's account and data",
    description: "Administrators are notified, and decide. Repeating the call has no effect.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    body: z.object({ current_password }),
    response: AccountSchema,
    problems: ["session_required", "wrong_password"],
    handle: async ({ services, actor, body }) => {
      await services.account.requestDeletion({ actor, currentPassword: body.current_password });
      return accountJson(services, actor);
    },
  }),

  call({
    id: "withdrawDeletion",
    method: "DELETE",
    path: "/v1/account/deletion_request",
    tag: "account",
    summary: "Withdraw the deletion request",
    description: "Does nothing if there is no request.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: AccountSchema,
    problems: ["session_required"],
    handle: async ({ services, actor }) => {
      await services.account.withdrawDeletion({ actor });
      return accountJson(services, actor);
    },
  }),
];
