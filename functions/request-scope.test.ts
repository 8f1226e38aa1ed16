import { expect, it, vi } from "vitest";
import type { User } from "~/domain/shared/model";
import type { Env } from "./http/config";
import { pageLanguage } from "./request-language";
import { createRequestScope } from "./request-scope";

const REQUEST_ORIGIN = "http://preview.hiroba.example";
const user = { language: "ja" } as User;

const envOf = (environment: "production" | "development") =>
  ({
    DB: {},
    FILES: { list: async () => ({ objects: [] }) },
    APP_ENV: environment,
    APP_ORIGIN: "https://hiroba.example",
    MAIL_FROM: "no-reply@hiroba.example",
    SESSION_SECRET: "s".repeat(32),
  }) as unknown as Env;
const ignoringContext = { waitUntil: () => {} } as unknown as ExecutionContext;

function openPageContext(environment: "production" | "development") {
  const env = envOf(environment);
  const request = new Request(`${REQUEST_ORIGIN}/login`);
  const scope = createRequestScope(env, ignoringContext, REQUEST_ORIGIN);
  return scope.pageContext(request, { nonce: "", isForCache: false });
}

it("logs an error after the response once, with the request's id and without secrets", async () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  const waits: Promise<unknown>[] = [];
  const ctx = { waitUntil: (work: Promise<unknown>) => waits.push(work) } as unknown as ExecutionContext;
  const scope = createRequestScope(envOf("production"), ctx, REQUEST_ORIGIN);
  const error = new Error("no answer from https://files.example/a?token=secret to taro@demo.example");
  scope.defer(Promise.reject(error));
  scope.defer(Promise.reject(error));
  await Promise.all(waits);
  expect(lines.mock.calls).toHaveLength(1);
  const line = JSON.parse(String(lines.mock.calls[0]?.[0]));
  expect(line).toMatchObject({ message: "deferred work failed", requestId: scope.requestId });
  expect(JSON.stringify(line)).not.toMatch(/secret|taro/);
  lines.mockRestore();
});

it("returns errors to API callers in English, unless they request another language", () => {
  const scope = createRequestScope(envOf("production"), ignoringContext, REQUEST_ORIGIN);
  const notFoundMessage = (query: string, cookie = "", accepted = "") =>
    scope.messagesFor(
      new Request(`${REQUEST_ORIGIN}/api/v1/spaces${query}`, {
        headers: { cookie, "accept-language": accepted },
      }),
    )({ key: "api:services.notFound" });
  expect(["", "?lang=en", "?lang=ja", "?lang=jp"].map((query) => notFoundMessage(query))).toEqual([
    "Not found",
    "Not found",
    "見つかりません",
    "見つかりません",
  ]);
  expect([notFoundMessage("", "lang=ja"), notFoundMessage("?lang=en", "lang=ja")]).toEqual([
    "見つかりません",
    "Not found",
  ]);
  // The order of precedence is the URL, the cookie, and Accept-Language.
  expect([
    notFoundMessage("", "", "ja-JP,ja;q=0.9,en;q=0.8"),
    notFoundMessage("", "", "fr, en;q=0.8, ja;q=0.3"),
    notFoundMessage("?lang=en", "", "ja"),
    notFoundMessage("", "lang=en", "ja"),
  ]).toEqual(["見つかりません", "Not found", "Not found", "Not found"]);
});

it("takes the language of a page from its URL, then from the cookie, and never from Accept-Language", async () => {
  const languages = [
    ["", "", "ja"],
    ["", "lang=en", "en"],
    ["", "lang=fr", "ja"],
    ["?lang=ja", "lang=en", "ja"],
    ["?lang=jp", "lang=en", "ja"],
    ["?lang=en", "lang=ja", "en"],
    ["?lang=fr", "lang=ja", "en"],
  ] as const;
  for (const [query, cookie, lang] of languages) {
    const headers = { cookie, "accept-language": lang === "ja" ? "en" : "ja" };
    const request = new Request(`${REQUEST_ORIGIN}/login${query}`, { headers });
    expect(await pageLanguage(request), `${query} ${cookie}`).toBe(lang);
  }
});

it("uses the configured origin for shared links, and in development the origin of the request", () => {
  expect(openPageContext("production").site.origin).toBe("https://hiroba.example");
  expect(openPageContext("development").site.origin).toBe(REQUEST_ORIGIN);
});

it("shows the mailbox only in development and under a name or address of this machine", () => {
  const read = (environment: "production" | "development", host: string) => {
    const env = { ...envOf(environment), MAILBOX: {} } as Env;
    const request = new Request(`http://${host}:8787/dev/mail`);
    return (
      createRequestScope(env, ignoringContext).pageContext(request, { nonce: "", isForCache: false }).site
        .mailbox !== null
    );
  };
  expect([read("development", "localhost"), read("development", "127.0.0.1")]).toEqual([true, true]);
  // A foreign host name that resolves to this machine, whose page could read the mails.
  expect([read("development", "evil.example"), read("production", "localhost")]).toEqual([false, false]);
});

it("gives the cookie of a session the session's expiry", () => {
  const context = openPageContext("production");
  const expiresAt = new Date(context.now + 90_500).toISOString();
  context.session.start({ ticket: "ticket", user, expiresAt });
  expect(context.page.outgoing.getSetCookie().at(-1)).toMatch(
    /^__Host-session-ticket=ticket; Max-Age=90; Path=\/; HttpOnly; Secure;/,
  );
});

it("sends the event access cookie into viewers that other sites frame", () => {
  const context = openPageContext("production");
  context.visitor.setEventAccessCookie("event", "flag", 60);
  expect(context.page.outgoing.getSetCookie().join()).toMatch(
    /^event-auth-event=flag; Max-Age=60; .*HttpOnly; Secure; SameSite=None; Partitioned$/,
  );
});
