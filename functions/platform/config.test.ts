import { expect, it } from "vitest";
import { type Env, readConfig } from "./config";

const env = (fields: Partial<Env> = {}): Env =>
  ({
    SESSION_SECRET: "s".repeat(32),
    APP_ORIGIN: "https://hiroba.test/",
    MAIL_FROM: "no-reply@hiroba.test",
    ...fields,
  }) as Env;

it("is production unless told otherwise, with links that begin where it is told", () => {
  expect(readConfig(env())).toMatchObject({
    production: true,
    development: false,
    origin: "https://hiroba.test",
    mailFrom: "no-reply@hiroba.test",
  });
  expect(readConfig(env({ APP_ENV: "development" })).origin).toBe(null);
});

it("names what is missing or wrong, and no value", () => {
  for (const [name, value] of [
    ["SESSION_SECRET", "too short"],
    ["APP_ORIGIN", undefined],
    ["APP_ORIGIN", "http://plain.test"],
    ["MAIL_FROM", "nobody"],
    ["MATTERPORT_SDK_KEY", "no key; script-src *"],
    ["SECURITY_CONTACT", "javascript:alert(1)"],
    ["SECURITY_CONTACT", "a@b.example\nContact: c@d.example"],
  ] as const) {
    expect(() => readConfig(env({ [name]: value }))).toThrow(`not configured: ${name}.`);
    expect(() => readConfig(env({ [name]: value }))).not.toThrow(value ?? "undefined");
  }
});

it("has a showcase's key where one is set", () => {
  expect(readConfig(env()).showcaseKey).toBe(null);
  expect(readConfig(env({ MATTERPORT_SDK_KEY: " " })).showcaseKey).toBe(null);
  expect(readConfig(env({ MATTERPORT_SDK_KEY: "abc123 " })).showcaseKey).toBe("abc123");
});

it("names whom to tell of a weakness where somebody is named", () => {
  const contact = (SECURITY_CONTACT?: string) =>
    readConfig(env({ ...(SECURITY_CONTACT !== undefined && { SECURITY_CONTACT }) })).securityContact;
  expect([contact(), contact(""), contact("safe@hiroba.test"), contact("mailto:safe@hiroba.test")]).toEqual([
    ...[null, null, "mailto:safe@hiroba.test", "mailto:safe@hiroba.test"],
  ]);
  expect(contact("https://hiroba.test/weakness")).toBe("https://hiroba.test/weakness");
});

it("lets stores answer at hosts of this machine in development alone", () => {
  const hosts = { DEV_STORE_HOSTS: " Localhost:9443, shop.local" };
  const development = readConfig(env({ ...hosts, APP_ENV: "development" }));
  expect(development.storeHosts).toEqual(["localhost:9443", "shop.local"]);
  expect(development.isAllowedStoreHost("localhost:9443")).toBe(true);
  expect(development.isAllowedStoreHost("localhost:9444")).toBe(false);
  for (const APP_ENV of ["production", "preview"])
    expect(readConfig(env({ ...hosts, APP_ENV })).isAllowedStoreHost("localhost:9443")).toBe(false);
  expect(readConfig(env({ APP_ENV: "development" })).storeHosts).toEqual([]);
});
