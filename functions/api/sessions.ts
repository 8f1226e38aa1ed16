import { z } from "zod";
import { readCookie } from "#functions/platform/cookies";
import { UnauthenticatedError } from "#functions/services/errors";
import { EMAIL_MAX, PASSWORD_MAX } from "~/domain/limits";
import { createLoginSchema } from "~/domain/login.schema";
import { SESSION_COOKIE, SESSION_SECONDS } from "~/domain/session";
import { call } from "./call";
import { described } from "./fields";
import { ipOf, requireSameOrigin, sessionCookie } from "./request";
import { SuccessSchema, UserSchema } from "./schemas";
import { userJson } from "./shapes";

const { email, password } = createLoginSchema().shape;

/** Sessions (§7): /cas/tickets, /cas/validate. */
export const sessionCalls = [
  call({
    id: "logIn",
    method: "POST",
    path: "/cas/tickets",
    tag: "account",
    summary: "Log in",
    description: "The ticket is told once, here, and comes as the cookie `session-ticket` as well.",
    who: "anyone",
    body: z.object({
      email: described(email, { type: "string", maxLength: EMAIL_MAX, examples: ["owner@demo.example"] }),
      password: described(password, { type: "string", minLength: 1, maxLength: PASSWORD_MAX }),
    }),
    status: 201,
    answer: z
      .object({ ticket: z.string(), auth: z.object({ user: UserSchema }) })
      .meta({ id: "IssuedSession" }),
    problems: [
      ...(["cross_site", "bad_credentials", "account_blocked", "account_disapproved"] as const),
      ...(["email_unverified", "approval_pending"] as const),
    ],
    handle: async ({ c, services, body }) => {
      // Otherwise another site could log its visitor in to an account of its own.
      requireSameOrigin(c);
      const issued = await services.sessions.logIn({
        ...body,
        userAgent: c.req.header("user-agent") ?? "",
        ip: ipOf(c),
        ticket: readCookie(c.req.raw, SESSION_COOKIE),
      });
      c.header("set-cookie", sessionCookie(c, issued.ticket, SESSION_SECONDS));
      return { ticket: issued.ticket, auth: { user: userJson(issued.user) } };
    },
  }),

  call({
    id: "validateSession",
    method: "GET",
    path: "/cas/validate/{ticket}",
    tag: "account",
    summary: "Whose session a ticket is",
    who: "anyone",
    answer: z.object({ user: UserSchema, ticket: z.string() }).meta({ id: "Session" }),
    problems: ["unauthenticated"],
    handle: async ({ services, params: { ticket } }) => {
      const found = await services.sessions.authenticate({ ticket });
      if (!found) throw new UnauthenticatedError();
      return { user: userJson(found.user), ticket };
    },
  }),

  call({
    id: "logOut",
    method: "DELETE",
    path: "/cas/tickets/{ticket}",
    tag: "account",
    summary: "End a session",
    description: "Ending one that does not exist is no error.",
    who: "anyone",
    answer: SuccessSchema,
    handle: async ({ c, services, params: { ticket } }) => {
      await services.sessions.logOut({ ticket });
      if (readCookie(c.req.raw, SESSION_COOKIE) === ticket) c.header("set-cookie", sessionCookie(c, "", 0));
      return { status: "success" } as const;
    },
  }),
];
