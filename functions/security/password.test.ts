import { describe, expect, it } from "vitest";
import { NO_PASSWORD } from "~/domain/auth/no-password";
import { readConfig } from "../http/config";
import { hashPassword, passwordHasher, verifyPassword } from "./password";

describe("password hashes", () => {
  it("match their password in any character width, and no other password", async () => {
    const hash = await hashPassword("ひろば-Pass1");
    expect(hash).toMatch(/^scrypt\$16384\$8\$5\$/);
    expect(await verifyPassword("ひろば-Pass1", hash)).toBe(true);
    expect(await verifyPassword("ひろば-Ｐａｓｓ1", hash)).toBe(true);
    expect(await verifyPassword("ひろば-pass1", hash)).toBe(false);
    expect(await verifyPassword("", hash)).toBe(false);
  });

  it("have the required cost by default, and in every deployment whatever the configuration", async () => {
    const parameters = {
      SESSION_SECRET: "s".repeat(32),
      APP_ORIGIN: "https://hiroba.test",
      MAIL_FROM: "a@hiroba.test",
    };
    for (const APP_ENV of ["production", "preview", undefined]) {
      const config = readConfig({ ...parameters, APP_ENV, DEV_PASSWORD_COST: "16" } as never);
      expect(await passwordHasher(config.passwordCost).hash("x")).toMatch(/^scrypt\$16384\$8\$5\$/);
    }
    const { passwordCost } = readConfig({ ...parameters, APP_ENV: "development" } as never);
    expect(await passwordHasher(passwordCost).hash("x")).toMatch(/^scrypt\$16384\$8\$5\$/);
  });

  it("may be cheap in development, and both kinds are verified", async () => {
    const cheap = passwordHasher(16);
    const hash = await cheap.hash("ひろば-Pass1");
    expect(hash).toMatch(/^scrypt\$16\$8\$1\$/);
    for (const { verify } of [cheap, passwordHasher(null)]) {
      expect(await verify("ひろば-Pass1", hash)).toBe(true);
      expect(await verify("ひろば-Pass2", hash)).toBe(false);
      expect(await verify("ひろば-Pass1", await hashPassword("ひろば-Pass1"))).toBe(true);
      expect(await verify("", NO_PASSWORD)).toBe(false);
    }
  });

  it("differ for the same password", async () => {
    expect(await hashPassword("same")).not.toBe(await hashPassword("same"));
  });

  it("never match when malformed", async () => {
    for (const hash of ["", "scrypt", "md5$1$1$1$aa$bb", "plain"])
      expect(await verifyPassword("x", hash)).toBe(false);
  });
});
