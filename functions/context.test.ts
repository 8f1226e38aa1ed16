import { expect, it } from "vitest";
import type { User } from "~/domain/model";
import { edgeFor } from "./context";
import type { Env } from "./platform/config";

const ASKED = "http://preview.hiroba.example";
const user = { language: "ja" } as User;

function open(environment: "production" | "development") {
  const env = {
    DB: {},
    APP_ENV: environment,
    APP_ORIGIN: "https://hiroba.example",
    MAIL_FROM: "no-reply@hiroba.example",
    SESSION_SECRET: "s".repeat(32),
  } as Env;
  const request = new Request(`${ASKED}/login`);
  const edge = edgeFor(env, {} as ExecutionContext, ASKED);
  return edge.pageContext(request, { nonce: "", buffered: false });
}

it("begins the links that people pass on as those of mails begin: not with what somebody asked for", () => {
  expect(open("production").origin).toBe("https://hiroba.example");
  expect(open("development").origin).toBe(ASKED);
});

it("lets a session's cookie end with the session", () => {
  const context = open("production");
  const expiresAt = new Date(context.now + 90_500).toISOString();
  context.startSession({ ticket: "ticket", user, expiresAt });
  expect(context.outgoing.getSetCookie().at(-1)).toMatch(/^session-ticket=ticket; Max-Age=90;/);
});

it("sends the flag of a publish password into viewers that other sites frame", () => {
  const context = open("production");
  context.keepPasswordFlag("event", "flag", 60);
  expect(context.outgoing.getSetCookie().join()).toMatch(
    /^event-auth-event=flag; Max-Age=60; .*HttpOnly; Secure; SameSite=None; Partitioned$/,
  );
});
