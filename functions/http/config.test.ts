import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COPIES_PER_MINUTE, IMPORTS_PER_MINUTE } from "~/domain/shared/limits";
import { fromRoot } from "../../scripts/lib/paths";
import { type Env, readConfig } from "./config";

const env = (fields: Partial<Env> = {}): Env =>
  ({
    SESSION_SECRET: "s".repeat(32),
    APP_ORIGIN: "https://hiroba.test/",
    MAIL_FROM: "no-reply@hiroba.test",
    ...fields,
  }) as Env;

it("defaults to production, with links that begin with the configured origin", () => {
  expect(readConfig(env())).toMatchObject({
    production: true,
    development: false,
    origin: "https://hiroba.test",
    mailFrom: "no-reply@hiroba.test",
  });
  expect(readConfig(env({ APP_ENV: "development" })).origin).toBe(null);
});

it("names missing and wrong variables, but no value", () => {
  for (const [name, value] of [
    ["SESSION_SECRET", "too short"],
    ["APP_ORIGIN", undefined],
    ["APP_ORIGIN", "http://plain.test"],
    ["MAIL_FROM", "nobody"],
    ["MATTERPORT_SDK_KEY", "no key; script-src *"],
    ["HSTS_INCLUDE_SUBDOMAINS", "perhaps"],
    ["SECURITY_CONTACT", "javascript:alert(1)"],
    ["MEDIA_ORIGIN", "http://files.test"],
    ["MEDIA_ORIGIN", "https://hiroba.test"],
    ["MEDIA_ORIGIN", "files"],
    ["UPLOAD_VERDICT_SECRET", "too short"],
    ["UPLOAD_VERDICT_URL", "https://127.0.0.1/check"],
    ["SECURITY_CONTACT", "a@b.example\nContact: c@d.example"],
  ] as const) {
    expect(() => readConfig(env({ [name]: value }))).toThrow(`not configured: ${name}.`);
    expect(() => readConfig(env({ [name]: value }))).not.toThrow(value ?? "undefined");
  }
});

it("has a media host and a verdict service (an external scanner of uploads) if they are set, the service only with a secret", () => {
  expect(readConfig(env())).toMatchObject({ mediaOrigin: null, uploadVerdict: null });
  expect(readConfig(env({ MEDIA_ORIGIN: "" })).mediaOrigin).toBe(null);
  expect(readConfig(env({ MEDIA_ORIGIN: "https://files.test/" })).mediaOrigin).toBe("https://files.test");
  const UPLOAD_VERDICT_URL = "https://scan.example.com/check";
  const UPLOAD_VERDICT_SECRET = `whsec_${"a".repeat(43)}=`;
  expect(readConfig(env({ UPLOAD_VERDICT_URL, UPLOAD_VERDICT_SECRET })).uploadVerdict).toEqual({
    url: UPLOAD_VERDICT_URL,
    secret: UPLOAD_VERDICT_SECRET,
  });
  expect(() => readConfig(env({ UPLOAD_VERDICT_URL }))).toThrow("not configured: UPLOAD_VERDICT_SECRET.");
});

it("has a showcase key if one is set", () => {
  expect(readConfig(env()).showcaseKey).toBe(null);
  expect(readConfig(env({ MATTERPORT_SDK_KEY: " " })).showcaseKey).toBe(null);
  expect(readConfig(env({ MATTERPORT_SDK_KEY: "abc123 " })).showcaseKey).toBe("abc123");
});

it("names the contact for security reports, by default the security mailbox of the mail sender's host", () => {
  const contact = (SECURITY_CONTACT?: string) =>
    readConfig(env({ ...(SECURITY_CONTACT !== undefined && { SECURITY_CONTACT }) })).securityContact;
  expect([contact(), contact(""), contact("safe@hiroba.test"), contact("mailto:safe@hiroba.test")]).toEqual([
    "mailto:security@hiroba.test",
    "mailto:security@hiroba.test",
    "mailto:safe@hiroba.test",
    "mailto:safe@hiroba.test",
  ]);
  expect(contact("https://hiroba.test/weakness")).toBe("https://hiroba.test/weakness");
});

it("allows store hosts on this machine only in development", () => {
  const hosts = { DEV_STORE_HOSTS: " Localhost:9443, shop.local" };
  const development = readConfig(env({ ...hosts, APP_ENV: "development" }));
  expect(development.storeHosts).toEqual(["localhost:9443", "shop.local"]);
  expect(development.isAllowedLocalHost("localhost:9443")).toBe(true);
  expect(development.isAllowedLocalHost("localhost:9444")).toBe(false);
  for (const APP_ENV of ["production", "preview"])
    expect(readConfig(env({ ...hosts, APP_ENV })).isAllowedLocalHost("localhost:9443")).toBe(false);
  expect(readConfig(env({ APP_ENV: "development" })).storeHosts).toEqual([]);
});

it("wrangler.toml has the limits of copies and imports that the messages state", () => {
  const text = readFileSync(fromRoot("wrangler.toml"), "utf8");
  const limitOf = (name: string) =>
    Number(
      text.match(new RegExp(`name = "${name}"\\n.*\\nsimple = \\{ limit = (\\d+), period = 60 \\}`))?.[1],
    );
  expect([limitOf("COPY_LIMIT"), limitOf("IMPORT_LIMIT")]).toEqual([COPIES_PER_MINUTE, IMPORTS_PER_MINUTE]);
});
