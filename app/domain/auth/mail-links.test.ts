import { expect, it } from "vitest";
import { isLinkPath, isLinkToken, LINK_LIFETIME_MS, LINK_PATHS, STOP_MAILS_PATH } from "./mail-links";

it("recognises a token by its form", () => {
  expect(isLinkToken(`${"aB3_-".repeat(8)}xyz`)).toBe(true);
  for (const value of [
    "",
    "x".repeat(42),
    "x".repeat(44),
    `${"x".repeat(42)}=`,
    `${"x".repeat(42)}\n`,
    null,
    7,
  ])
    expect([value, isLinkToken(value)]).toEqual([value, false]);
});

it("recognises the pages of mails' links with a token, for documents and for data requests", () => {
  for (const path of [...Object.values(LINK_PATHS), STOP_MAILS_PATH])
    expect([isLinkPath(path), isLinkPath(`${path}.data`)]).toEqual([true, true]);
  for (const path of ["/", "/login", "/retrieve-password", "/reset-password-x", "/account"])
    expect([path, isLinkPath(path)]).toEqual([path, false]);
});

it("gives links a lifetime of an hour, a week and a day", () => {
  expect(LINK_LIFETIME_MS).toEqual({ reset: 3_600_000, invitation: 604_800_000, email: 86_400_000 });
});
