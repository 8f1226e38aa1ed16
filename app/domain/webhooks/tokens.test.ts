import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createTokenSchema } from "./token.schema";
import { isApiToken, makeToken, tokenHint, tokenStatus } from "./tokens";

const bytes = (fill: number) => new Uint8Array(32).fill(fill);
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("an API token", () => {
  it("has a prefix, letters and digits of constant length, and a checksum that a scanner can verify", () => {
    for (const fill of [0, 1, 127, 255]) {
      const token = makeToken(bytes(fill));
      expect(token).toMatch(/^hir_[0-9A-Za-z]{49}$/);
      const check = [...token.slice(-6)].reduce((sum, character) => sum * 62 + DIGITS.indexOf(character), 0);
      expect(check).toBe(crc32(token.slice(0, -6)));
      expect(isApiToken(token)).toBe(true);
      expect(tokenHint(token)).toBe(token.slice(4, 8));
    }
    expect(new Set([0, 1, 127, 255].map((fill) => makeToken(bytes(fill)))).size).toBe(4);
  });

  it.each([
    ["no value", null],
    ["an empty text", ""],
    ["another prefix", makeToken(bytes(7)).replace("hir_", "ghp_")],
    ["one character less", makeToken(bytes(7)).slice(0, -1)],
    ["one character more", `${makeToken(bytes(7))}0`],
    [
      "a wrong character",
      makeToken(bytes(7)).replace(/.{7}$/, (end) => (end[0] === "A" ? "B" : "A") + end.slice(1)),
    ],
    ["a session's ticket", "A".repeat(43)],
  ])("is not %s", (_description, value) => {
    expect(isApiToken(value)).toBe(false);
  });

  it("is active until its end, unless it is revoked", () => {
    const now = Date.parse("2026-04-01T00:00:00.000Z");
    const instantAfter = (ms: number) => new Date(now + ms).toISOString();
    expect(tokenStatus({ expiresAt: instantAfter(1), revokedAt: null }, now)).toBe("active");
    expect(tokenStatus({ expiresAt: instantAfter(0), revokedAt: null }, now)).toBe("expired");
    expect(tokenStatus({ expiresAt: instantAfter(1), revokedAt: instantAfter(-1) }, now)).toBe("revoked");
  });
});

describe("the form of a token", () => {
  const now = Date.parse("2026-04-01T03:00:00.000Z");
  const parseToken = (fields: Record<string, unknown>) =>
    createTokenSchema({ now, timeZone: "Asia/Tokyo" }).safeParse({
      id: "11111111-1111-4111-8111-111111111111",
      name: "a",
      life: "90",
      ...fields,
    });
  const errorOf = (fields: Record<string, unknown>) =>
    parseToken(fields).error?.issues.map(({ message }) => message);

  it("accepts days, or a date, which includes the whole day in the account's time zone", () => {
    expect(parseToken({}).data).toMatchObject({ scopes: ["read"], expiresAt: "2026-06-30T03:00:00.000Z" });
    expect(parseToken({ life: 30, scopes: ["library", "events"] }).data).toMatchObject({
      scopes: ["read", "events", "library"],
    });
    expect(parseToken({ life: "date", lastDay: "2026-04-01" }).data?.expiresAt).toBe(
      "2026-04-01T15:00:00.000Z",
    );
    expect(parseToken({ life: "date", lastDay: "2027-04-01" }).data?.expiresAt).toBe(
      "2027-04-01T15:00:00.000Z",
    );
  });

  it.each([
    [{ name: " " }, "webhooks:errors.token.nameRequired"],
    [{ name: "x".repeat(65) }, "webhooks:errors.token.nameTooLong"],
    [{ id: "x" }, "shared-owners:errors.field.invalid"],
    [{ scopes: ["everything"] }, "webhooks:errors.token.scopes"],
    [{ scopes: [{}] }, "webhooks:errors.token.scopes"],
    [{ life: "1000" }, "webhooks:errors.token.life"],
    [{ life: "" }, "webhooks:errors.token.life"],
    [{ life: "date" }, "webhooks:errors.token.dateRequired"],
    [{ life: "date", lastDay: "soon" }, "webhooks:errors.token.dateInvalid"],
    [{ life: "date", lastDay: { a: 1 } }, "webhooks:errors.token.dateInvalid"],
    [{ life: "date", lastDay: "2026-03-31" }, "webhooks:errors.token.datePast"],
    [{ life: "date", lastDay: "2027-04-03" }, "webhooks:errors.token.dateFar"],
  ])("rejects %j", (fields, message) => {
    expect(errorOf(fields)).toEqual([message]);
  });
});
