import { expect, it } from "vitest";
import { readSessionCookie, sessionCookieHeaders } from "./session-cookie";

const requestWith = (cookie: string) => new Request("https://hiroba.example/", { headers: { cookie } });

it("over https the ticket is in a cookie that no other host can set", () => {
  expect(sessionCookieHeaders(requestWith(""), { ticket: "t", maxAge: 9, secure: true })).toEqual([
    "__Host-session-ticket=t; Max-Age=9; Path=/; HttpOnly; Secure; SameSite=Lax",
  ]);
  expect(sessionCookieHeaders(requestWith(""), { ticket: "t", maxAge: 9, secure: false })).toEqual([
    "session-ticket=t; Max-Age=9; Path=/; HttpOnly; SameSite=Lax",
  ]);
});

it("the old name is read where there is no new one, and replaced", () => {
  const old = requestWith("session-ticket=old");
  expect(readSessionCookie(old, true)).toEqual({ ticket: "old", isOldCookie: true });
  expect(readSessionCookie(old, false)).toEqual({ ticket: "old", isOldCookie: false });
  const both = requestWith("session-ticket=planted; __Host-session-ticket=mine");
  expect(readSessionCookie(both, true)).toEqual({ ticket: "mine", isOldCookie: false });
  expect(readSessionCookie(requestWith(""), true)).toBeNull();
  expect(sessionCookieHeaders(old, { ticket: "t", maxAge: 9, secure: true })[0]).toMatch(
    /^session-ticket=; Max-Age=0; /,
  );
});
