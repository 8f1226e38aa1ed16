import * as z from "zod";
import { UnauthenticatedError } from "#functions/services/shared/errors";
import {
  createLoginSchema,
  ONE_TIME_CODE_MAX,
  oneTimeCodeField as oneTimeCode,
} from "~/domain/auth/login.schema";
import { SESSION_SECONDS } from "~/domain/auth/session";
import { EMAIL_MAX, PASSWORD_MAX } from "~/domain/shared/limits";
import { call } from "../core/call";
import { describe } from "../core/fields";
import { userJson } from "../core/record-json";
import { cookieTicket, getClientNetwork, requireSameOrigin, setSessionCookie } from "../core/request";
import { SuccessSchema, UserSchema } from "../core/schemas";

const { email, password } = createLoginSchema().shape;

/** Sessions (specification §7): /cas/tickets, /cas/validate. */
export const sessionCalls = [
  call({
    id: "logIn",
    method: "POST",
    path: "/cas/tickets",
    tag: "account",
    summary: "Log in",
    description:
      "The ticket is also set as the cookie `__Host-session-ticket` (`session-ticket` on a developer's machine). A session ends 14 days after the log-in, and one of an administrator after 24 hours without use. After ten wrong passwords within an hour the next attempt must wait, from two minutes to an hour: 429 `rate_limited`, with the seconds in `Retry-After`. Networks from which the account has logged in within 90 days have a separate counter.",
    who: "anyone",
    body: z.object({
      email: describe(email, { type: "string", maxLength: EMAIL_MAX, examples: ["owner@demo.example"] }),
      password: describe(password, { type: "string", minLength: 1, maxLength: PASSWORD_MAX }),
      one_time_code: describe(oneTimeCode, {
        type: "string",
        maxLength: ONE_TIME_CODE_MAX,
        description:
          "A code of the account's authenticator app, or a recovery code. Each works once. If an account with a second factor sends the right password without a code, the response is 401 `second_factor_required`.",
        examples: ["287082"],
      }).optional(),
    }),
    response: z
      .object({ ticket: z.string(), auth: z.object({ user: UserSchema }) })
      .meta({ id: "IssuedSession" }),
    problems: [
      "cross_site",
      "bad_credentials",
      "account_blocked",
      "account_disapproved",
      "email_unverified",
      "approval_pending",
      "second_factor_required",
      "bad_one_time_code",
      "passkey_required",
    ],
    handle: async ({ c, services, body }) => {
      // Otherwise another site could log its visitor in to the attacker's account (login CSRF).
      requireSameOrigin(c);
      const issued = await services.sessions.logIn({
        email: body.email,
        password: body.password,
        oneTimeCode: body.one_time_code ?? "",
        userAgent: c.req.header("user-agent") ?? "",
        network: getClientNetwork(c),
        ticket: cookieTicket(c),
      });
      setSessionCookie(c, issued.ticket, SESSION_SECONDS);
      return { ticket: issued.ticket, auth: { user: userJson(issued.user) } };
    },
  }),

  call({
    id: "validateSession",
    method: "GET",
    path: "/cas/validate/{ticket}",
    tag: "account",
    summary: "Get the user of a session ticket",
    who: "anyone",
    response: z.object({ user: UserSchema, ticket: z.string() }).meta({ id: "Session" }),
    problems: ["unauthenticated"],
    handle: async ({ c, services, params: { ticket } }) => {
      const session = await services.sessions.authenticate({ ticket, network: getClientNetwork(c) });
      if (!session) throw new UnauthenticatedError();
      return { user: userJson(session.user), ticket };
    },
  }),

  call({
    id: "logOut",
    method: "DELETE",
    path: "/cas/tickets/{ticket}",
    tag: "account",
    summary: "End a session",
    description: "A session that does not exist causes no error.",
    who: "anyone",
    response: SuccessSchema,
    handle: async ({ c, services, params: { ticket } }) => {
      await services.sessions.logOut({ ticket, network: getClientNetwork(c) });
      if (cookieTicket(c) === ticket) setSessionCookie(c, "", 0);
      return { status: "success" } as const;
    },
  }),
];
