import { describe, expect, it } from "vitest";
import { canTestConnection } from "./store-connection";

const saved = { storeUrl: "https://shop.example.com", hasToken: true };
const none = { storeUrl: null, hasToken: false };

describe("a test of the connection", () => {
  it.each([
    ["shop.example.com", "token", none, true],
    ["not an address", "token", none, true],
    ["shop.example.com", "", none, false],
    ["", "token", saved, false],
    ["  ", "", saved, false],
    ["https://shop.example.com", "", saved, true],
    ["Shop.Example.com/admin", " ", saved, true],
    ["other.example.com", "", saved, false],
    ["not an address", "", saved, false],
    ["https://shop.example.com", "", { ...saved, hasToken: false }, false],
  ])("needs both address and token: %j with %j", (storeUrl, token, kept, expected) => {
    expect(canTestConnection({ storeUrl, token }, kept)).toBe(expected);
  });
});
