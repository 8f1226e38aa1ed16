import { expect, it } from "vitest";
import { openText, sealText } from "./seal-text";

const secret = "a-secret-of-at-least-thirty-two-characters";

it("opens what was locked, for what it was locked for, until it expires", () => {
  const locked = sealText(secret, "token of event 1", "トークン", 2_000);
  expect(Buffer.from(locked, "base64url").toString()).not.toContain("トークン");
  expect(locked).not.toBe(sealText(secret, "token of event 1", "トークン", 2_000));
  expect(openText(secret, "token of event 1", locked, 1_999)).toBe("トークン");
  expect(openText(secret, "token of event 1", locked, 2_000)).toBeNull();
  expect(openText(secret, "token of event 2", locked, 1_000)).toBeNull();
  expect(openText(`${secret}!`, "token of event 1", locked, 1_000)).toBeNull();
});

it("opens nothing that was changed or made elsewhere", () => {
  const locked = sealText(secret, "x", "text", 2_000);
  const bytes = Buffer.from(locked, "base64url");
  for (let index = 0; index < bytes.length; index++) {
    const other = Buffer.from(bytes);
    other[index] = (other[index] ?? 0) ^ 1;
    expect(openText(secret, "x", other.toString("base64url"), 1_000)).toBeNull();
  }
  for (const bad of ["", "x", "あ", "a".repeat(100), locked.slice(0, -4), locked.slice(4)])
    expect(openText(secret, "x", bad, 1_000)).toBeNull();
});
