import { describe, expect, it } from "vitest";
import type { ConnectionTest } from "./store";
import { isOtherStore, isSavableConnection, missingForTest } from "./store-connection";

const saved = { storeUrl: "https://shop.example.com", hasToken: true };
const noStore = { storeUrl: null, hasToken: false };

describe("a test of the connection", () => {
  it.each([
    ["shop.example.com", "token", noStore, null],
    ["not an address", "token", noStore, null],
    ["shop.example.com", "", noStore, "token"],
    ["", "token", noStore, "url"],
    ["", "", noStore, "both"],
    ["", "token", saved, "url"],
    ["  ", "", saved, "url"],
    ["https://shop.example.com", "", saved, null],
    ["Shop.Example.com/admin", " ", saved, null],
    ["other.example.com", "", saved, "own_token"],
    ["other.example.com", "token", saved, null],
    ["not an address", "", saved, "url"],
    ["https://shop.example.com", "", { ...saved, hasToken: false }, "token"],
  ] as const)(
    "with %j and %j, saved %j: the missing input is %j",
    (storeUrl, token, savedStore, expected) => {
      expect(missingForTest({ storeUrl, token }, savedStore)).toBe(expected);
    },
  );
});

describe("a URL", () => {
  it.each([
    ["Shop.Example.com/admin", saved, false],
    ["other.example.com", saved, true],
    ["not an address", saved, false],
    ["", saved, false],
    ["other.example.com", noStore, false],
  ] as const)("%j, saved %j: belongs to another store: %j", (storeUrl, savedStore, expected) => {
    expect(isOtherStore(storeUrl, savedStore)).toBe(expected);
  });
});

it("a tested token may be saved unless it or its URL must be corrected first", () => {
  const failure = (code: Extract<ConnectionTest, { state: "failure" }>["code"]) =>
    ({ state: "failure", code, key: null, message: "" }) as const;
  expect(isSavableConnection({ state: "success", shopName: "x" })).toBe(true);
  for (const code of ["timeout", "cut", "throttled", "server"] as const)
    expect(isSavableConnection(failure(code)), code).toBe(true);
  for (const code of ["address", "token", "unauthorized", "network", "elsewhere", "not_found"] as const)
    expect(isSavableConnection(failure(code)), code).toBe(false);
  expect(isSavableConnection({ state: "idle" })).toBe(false);
});
