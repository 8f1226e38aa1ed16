import { expect, it } from "vitest";
import { openText, sealText } from "./seal-text";

const secret = "a-secret-of-at-least-thirty-two-characters";

it("opens a sealed (encrypted) text with its secret and for its purpose until it expires", () => {
  const sealed = sealText(secret, "token of event 1", "トークン", 2_000);
  expect(Buffer.from(sealed, "base64url").toString()).not.toContain("トークン");
  expect(sealed).not.toBe(sealText(secret, "token of event 1", "トークン", 2_000));
  expect(openText(secret, "token of event 1", sealed, 1_999)).toBe("トークン");
  expect(openText(secret, "token of event 1", sealed, 2_000)).toBeNull();
  expect(openText(secret, "token of event 2", sealed, 1_000)).toBeNull();
  expect(openText(`${secret}!`, "token of event 1", sealed, 1_000)).toBeNull();
});

it("opens no text that was changed, truncated or invented", () => {
  const sealed = sealText(secret, "x", "text", 2_000);
  const bytes = Buffer.from(sealed, "base64url");
  for (let index = 0; index < bytes.length; index++) {
    const changedBytes = Buffer.from(bytes);
    changedBytes[index] = (changedBytes[index] ?? 0) ^ 1;
    expect(openText(secret, "x", changedBytes.toString("base64url"), 1_000)).toBeNull();
  }
  for (const invalidText of ["", "x", "あ", "a".repeat(100), sealed.slice(0, -4), sealed.slice(4)])
    expect(openText(secret, "x", invalidText, 1_000)).toBeNull();
});
