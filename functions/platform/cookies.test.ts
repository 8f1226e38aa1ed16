import { describe, expect, it } from "vitest";
import { cookieHeader, readCookie, signPasswordFlag, verifyPasswordFlag } from "./cookies";

const secret = "a-secret-of-at-least-thirty-two-characters";

describe("the visitor's authentication flag", () => {
  const flag = signPasswordFlag(secret, "event-1", "v1", 2_000);

  it("holds for its event and password until it expires", () => {
    expect(verifyPasswordFlag(secret, "event-1", "v1", flag, 1_999)).toBe(true);
    expect(verifyPasswordFlag(secret, "event-1", "v1", flag, 2_000)).toBe(false);
  });

  it("does not open another event, survive a new password, or stretch its own time", () => {
    expect(verifyPasswordFlag(secret, "event-2", "v1", flag, 1_000)).toBe(false);
    expect(verifyPasswordFlag(secret, "event-1", "v2", flag, 1_000)).toBe(false);
    expect(verifyPasswordFlag(secret, "event-1", "v1", flag.replace("2000", "9000"), 1_000)).toBe(false);
    for (const bad of [null, "", ".", "9000", "9000.", "NaN.x"])
      expect(verifyPasswordFlag(secret, "event-1", "v1", bad, 1_000)).toBe(false);
  });
});

describe("cookies", () => {
  it("are read by name and written with the settings of DESIGN §4", () => {
    const request = new Request("https://h.example/", { headers: { cookie: "a=1; session-ticket=xyz" } });
    expect(readCookie(request, "session-ticket")).toBe("xyz");
    expect(readCookie(request, "missing")).toBeNull();
    expect(cookieHeader("session-ticket", "xyz", { maxAge: 60, secure: true })).toBe(
      "session-ticket=xyz; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax",
    );
  });

  it("reach a frame on another site only when they may, and never without https", () => {
    expect(cookieHeader("f", "1", { maxAge: 1, secure: true, framed: true })).toMatch(
      /Secure; SameSite=None; Partitioned/,
    );
    expect(cookieHeader("f", "1", { maxAge: 1, secure: false, framed: true })).toMatch(/SameSite=Lax$/);
  });
});
