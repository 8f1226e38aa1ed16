import type { Hono } from "hono";
import { readCookie } from "#functions/platform/cookies";
import { UnauthenticatedError } from "#functions/services/errors";
import { createLoginSchema } from "~/domain/login.schema";
import { SESSION_COOKIE, SESSION_SECONDS } from "~/domain/session";
import type { ApiEnv } from "./context";
import { check, ipOf, readBody, requireSameOrigin, sessionCookie } from "./request";
import { userJson } from "./shapes";

/** Sessions (§7): /cas/tickets, /cas/validate. */
export function sessionRoutes(app: Hono<ApiEnv>): void {
  app.post("/cas/tickets", async (c) => {
    // Otherwise another site could log its visitor in to an account of its own.
    requireSameOrigin(c);
    const { email, password } = await check(createLoginSchema(), await readBody(c));
    const issued = await c.env.services.sessions.logIn({
      email,
      password,
      userAgent: c.req.header("user-agent") ?? "",
      ip: ipOf(c),
      ticket: readCookie(c.req.raw, SESSION_COOKIE),
    });
    c.header("set-cookie", sessionCookie(c, issued.ticket, SESSION_SECONDS));
    return c.json({ ticket: issued.ticket, auth: { user: userJson(issued.user) } }, 201);
  });

  app.get("/cas/validate/:ticket", async (c) => {
    const ticket = c.req.param("ticket");
    const found = await c.env.services.sessions.authenticate({ ticket });
    if (!found) throw new UnauthenticatedError();
    return c.json({ user: userJson(found.user), ticket });
  });

  app.delete("/cas/tickets/:ticket", async (c) => {
    const ticket = c.req.param("ticket");
    await c.env.services.sessions.logOut({ ticket });
    if (readCookie(c.req.raw, SESSION_COOKIE) === ticket) c.header("set-cookie", sessionCookie(c, "", 0));
    return c.json({ status: "success" });
  });
}
