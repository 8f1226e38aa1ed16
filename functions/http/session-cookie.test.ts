import { expect, it } from "vitest";
import { readSessionCookie, sessionCookieHeaders } from "./session-cookie";

const requestWith = (cookie: string) => new Request("https://hiroba.example/", { headers: { cookie } });

it("uses a cookie over https that no other host can set", () => {
  expect(sessionCookieHeaders(requestWith(""), { ticket: "t", maxAge: 9, secure: true })).toEqual([
    "__Host-session-ticket=t; Max-Age=9; Path=/; HttpOnly; Secure; SameSite=Lax",
  ]);
  expect(sessionCookieHeaders(requestWith(""), { ticket: "t", maxAge: 9, secure: false })).toEqual([
    "session-ticket=t; Max-Age=9; Path=/; HttpOnly; SameSite=Lax",
  ]);
});

it("reads the old name if the new one is missing, and replaces it", () => {
  const oldRequest = requestWith("session-ticket=old");
  expect(readSessionCookie(oldRequest, true)).toEqual({ ticket: "old", isOldCookie: true });
  expect(readSessionCookie(oldRequest, false)).toEqual({ ticket: "old", isOldCookie: false });
  const requestWithBoth = requestWith("session-ticket=planted; __Host-session-ticket=mine");
  expect(readSessionCookie(requestWithBoth, true)).toEqual({ ticket: "mine", isOldCookie: false });
  expect(readSessionCookie(requestWith(""), true)).toBeNull();
  expect(sessionCookieHeaders(oldRequest, { ticket: "t", maxAge: 9, secure: true })[0]).toMatch(
    /^session-ticket=; Max-Age=0; /,
  );
});
