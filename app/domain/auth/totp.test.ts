import { describe, expect, it } from "vitest";
import { acceptedCounter, decodeBase32, encodeBase32, otpauthUrl, totpCode, totpCounter } from "./totp";

/** The secret of RFC 6238, appendix B. */
const SECRET = encodeBase32(new TextEncoder().encode("12345678901234567890"));

describe("codes by time", () => {
  // These are the last six of the eight digits in appendix B.
  it.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("at %d s is %s (RFC 6238)", async (seconds, code) => {
    expect(await totpCode(SECRET, totpCounter(seconds * 1000))).toBe(code);
  });

  const now = 1_234_567_890_000;
  const counter = totpCounter(now);

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])("accepts the code of %d steps from now: %s", async (steps, accepted) => {
    const code = await totpCode(SECRET, counter + steps);
    expect(await acceptedCounter(SECRET, code, -1, now)).toBe(accepted ? counter + steps : null);
  });

  it("accepts no code twice, and no earlier code", async () => {
    const code = await totpCode(SECRET, counter);
    expect(await acceptedCounter(SECRET, code, counter, now)).toBeNull();
    expect(await acceptedCounter(SECRET, await totpCode(SECRET, counter - 1), counter, now)).toBeNull();
    expect(await acceptedCounter(SECRET, await totpCode(SECRET, counter + 1), counter, now)).toBe(
      counter + 1,
    );
  });

  it.each(["", "12345", "1234567", "abcdef", "００５９２４"])("rejects “%s”", async (code) => {
    expect(await acceptedCounter(SECRET, code, -1, now)).toBeNull();
  });
});

describe("base32", () => {
  // RFC 4648 §10, without padding.
  it.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("encodes %s as %s, and decodes it", (text, encoded) => {
    expect(encodeBase32(new TextEncoder().encode(text))).toBe(encoded);
    expect(new TextDecoder().decode(decodeBase32(encoded))).toBe(text);
  });
});

it("puts the issuer and the account into the URI for apps", () => {
  const url = otpauthUrl({ issuer: "Hiroba", account: "山田+1@例え.example", secret: "ABC" });
  expect(url).toMatch(/^otpauth:\/\/totp\/Hiroba:%E5%B1%B1%E7%94%B0%2B1%40/);
  expect([...new URL(url).searchParams]).toEqual([
    ["secret", "ABC"],
    ["issuer", "Hiroba"],
    ["algorithm", "SHA1"],
    ["digits", "6"],
    ["period", "30"],
  ]);
});
