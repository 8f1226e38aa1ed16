import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { languages } from "~/i18n/languages.server";
import {
  ConflictError,
  InvalidError,
  LimitError,
  NotFoundError,
  RateLimitedError,
  UnauthenticatedError,
} from "./errors";

it("each message key that the services and the API write as a literal `key` exists in both languages", () => {
  const sources = ["services", "api"].flatMap((folder) =>
    readdirSync(`functions/${folder}`, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => `functions/${folder}/${file}`),
  );
  const keys = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/key: "([^"]+)"/g)].map((match) => match[1] ?? ""),
  );
  expect(keys.length).toBeGreaterThan(15);
  for (const { i18n } of Object.values(languages))
    expect(keys.filter((key) => !i18n.exists(key) && !i18n.exists(key, { count: 2 }))).toEqual([]);
});

describe("errors", () => {
  it("have a code, a message key, and a log message without secrets", () => {
    const all = [
      new NotFoundError("event"),
      new InvalidError({ email: [{ key: "api:services.emailTaken" }] }),
      new ConflictError({ token: "saved-secret" }, { token: "submitted-secret" }),
      new UnauthenticatedError(),
      new RateLimitedError("log-in"),
      new LimitError("space_license", { key: "api:services.spaceLicense", values: { count: 3 } }),
    ];
    expect(all.map(({ kind, code }) => [kind, code])).toEqual([
      ["not_found", "not_found"],
      ["invalid", "invalid"],
      ["conflict", "stale_version"],
      ["unauthenticated", "unauthenticated"],
      ["rate_limited", "rate_limited"],
      ["limit", "space_license"],
    ]);
    for (const error of all) {
      expect(error.message).not.toContain("secret");
      expect(error.userMessage.key).toMatch(/^api:services\./);
      expect(error.name).toBe(error.constructor.name);
    }
  });
});
