import { describe, expect, it } from "vitest";
import type { ConnectionTest } from "./store";
import { isOtherStore, mayBeRight, missingForTest } from "./store-connection";

const saved = { storeUrl: "https://shop.example.com", hasToken: true };
const none = { storeUrl: null, hasToken: false };

describe("a test of the connection", () => {
  it.each([
    ["shop.example.com", "token", none, null],
    ["not an address", "token", none, null],
    ["shop.example.com", "", none, "token"],
    ["", "token", none, "url"],
    ["", "", none, "both"],
    ["", "token", saved, "url"],
    ["  ", "", saved, "url"],
    ["https://shop.example.com", "", saved, null],
    ["Shop.Example.com/admin", " ", saved, null],
    ["other.example.com", "", saved, "own_token"],
    ["other.example.com", "token", saved, null],
    ["not an address", "", saved, "url"],
    ["https://shop.example.com", "", { ...saved, hasToken: false }, "token"],
  ] as const)("with %j and %j reports the missing input", (storeUrl, token, kept, expected) => {
    expect(missingForTest({ storeUrl, token }, kept)).toBe(expected);
  });
});

describe("an address", () => {
  it.each([
    ["Shop.Example.com/admin", saved, false],
    ["other.example.com", saved, true],
    ["not an address", saved, false],
    ["", saved, false],
    ["other.example.com", none, false],
  ] as const)("belongs to another store than the saved token: %j", (storeUrl, kept, expected) => {
    expect(isOtherStore(storeUrl, kept)).toBe(expected);
  });
});

it("A tested token may be saved unless it or its address must be corrected first", () => {
  const failure = (code: Extract<ConnectionTest, { state: "failure" }>["code"]) =>
    ({ state: "failure", code, key: null, message: "" }) as const;
  expect(mayBeRight({ state: "success", shopName: "x" })).toBe(true);
  for (const code of ["timeout", "cut", "throttled", "server"] as const)
    expect(mayBeRight(failure(code)), code).toBe(true);
  for (const code of ["address", "token", "unauthorized", "network", "elsewhere", "not_found"] as const)
    expect(mayBeRight(failure(code)), code).toBe(false);
  expect(mayBeRight({ state: "idle" })).toBe(false);
});
