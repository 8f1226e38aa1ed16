import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loginPath, safeNext } from "./redirect";

describe("the page after a log-in", () => {
  it.each([
    "/space-list",
    "/event/5f0c?tab=media#tag-1",
    "/space-list/folders/1?lang=en",
    "/library?q=%E6%98%A5",
    "/login-help",
  ])("is %s if it was requested", (path) => {
    expect(safeNext(path, "/x")).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    "space-list",
    "https://evil.example/",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "\t//evil.example",
    " /space-list",
    "/a\r\nSet-Cookie: a=b",
    "/a\0",
    "/./\t/evil.example",
    "/..//evil.example",
    "/.//evil.example",
    "/%2e%2e//evil.example",
    "/a/..//evil.example",
    "javascript:alert(1)",
    "/",
    "/?lang=en",
    "/login",
    "/login/",
    "/LOGIN?next=/login",
    "/%6cogin",
    "/a/../login",
    "/logout",
    "/api/v1/events",
    "/default/user/reset_password/",
    `/${"a".repeat(5000)}`,
  ])("is never %j", (path) => {
    expect(safeNext(path, "/x")).toBe("/x");
  });

  it("is always a path of this origin, for any input", () => {
    const pieces = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "%2f",
      "%5c",
      "%2e",
      "//",
      "@",
      ":",
      "evil.example",
      "a",
      "?",
      "#",
      "\t",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 8 }).map((p) => `/${p.join("")}`),
        ),
        (value) => {
          const next = safeNext(value, "/x");
          const base = "https://hiroba.example";
          const target = new URL(next, base);
          expect(target.origin).toBe(base);
          expect(next.startsWith("//")).toBe(false);
          // A safe path stays safe when it is validated again.
          expect(safeNext(next, "/x")).toBe(next);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("is part of the log-in page's URL", () => {
    expect(loginPath("/event/1?a=b&c=d")).toBe("/login?next=%2Fevent%2F1%3Fa%3Db%26c%3Dd");
    expect(loginPath("/login")).toBe("/login");
    expect(loginPath("//evil.example")).toBe("/login");
  });
});
