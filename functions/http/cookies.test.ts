import { describe, expect, it } from "vitest";
import {
  cartCookie,
  cookieHeader,
  readCartCookie,
  readCookie,
  signEventAccess,
  verifyEventAccess,
} from "./cookies";

const secret = "a-secret-of-at-least-thirty-two-characters";

describe("the event access cookie", () => {
  const accessCookie = signEventAccess(secret, "event-1", "v1", 2_000);

  it("is valid for its event and password until it expires", () => {
    expect(verifyEventAccess(secret, "event-1", "v1", accessCookie, 1_999)).toBe(true);
    expect(verifyEventAccess(secret, "event-1", "v1", accessCookie, 2_000)).toBe(false);
  });

  it("does not open another event, survive a new password, or allow a changed expiry time", () => {
    expect(verifyEventAccess(secret, "event-2", "v1", accessCookie, 1_000)).toBe(false);
    expect(verifyEventAccess(secret, "event-1", "v2", accessCookie, 1_000)).toBe(false);
    expect(verifyEventAccess(secret, "event-1", "v1", accessCookie.replace("2000", "9000"), 1_000)).toBe(
      false,
    );
    for (const invalidCookie of [null, "", ".", "9000", "9000.", "NaN.x"])
      expect(verifyEventAccess(secret, "event-1", "v1", invalidCookie, 1_000)).toBe(false);
  });
});

describe("cookies", () => {
  it("are read by name and written as HttpOnly, Secure and SameSite=Lax", () => {
    const request = new Request("https://h.example/", { headers: { cookie: "a=1; session-ticket=xyz" } });
    expect(readCookie(request, "session-ticket")).toBe("xyz");
    expect(readCookie(request, "missing")).toBeNull();
    expect(cookieHeader("session-ticket", "xyz", { maxAge: 60, secure: true })).toBe(
      "session-ticket=xyz; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax",
    );
  });

  it("are sent in frames of other sites only if framed is set, and never without https", () => {
    expect(cookieHeader("f", "1", { maxAge: 1, secure: true, framed: true })).toMatch(
      /Secure; SameSite=None; Partitioned/,
    );
    expect(cookieHeader("f", "1", { maxAge: 1, secure: false, framed: true })).toMatch(/SameSite=Lax$/);
  });
});

describe("a visitor's cart", () => {
  const cart = { id: "gid://shopify/Cart/Z2NwLWFzaWE?key=0a1b", quantity: 3 };
  const readCartFrom = (value: string, event = "e") =>
    readCartCookie(
      new Request("https://h.example/", { headers: { cookie: `event-cart-${event}=${value}` } }),
      "e",
    );

  it("is stored per event, also in frames of other sites, and hidden from scripts", () => {
    const cookie = cartCookie("e", cart, true);
    expect(cookie).toMatch(
      /^event-cart-e=[^;]+; Max-Age=864000; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
    const value = cookie.slice(cookie.indexOf("=") + 1, cookie.indexOf(";"));
    expect(readCartFrom(value)).toEqual(cart);
    expect(readCartFrom(value, "other")).toBeNull();
    expect(cartCookie("e", null, true)).toContain("Max-Age=0");
  });

  it("is null for an invalid cookie", () => {
    for (const value of ["", "abc", "abc:", "abc:-1", "abc:1.5", "a/b:1", ":1", "abc:1e99"])
      expect(readCartFrom(value), value).toBeNull();
  });
});
