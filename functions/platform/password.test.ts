import { describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "./password";

describe("password hashes", () => {
  it("match the password they were made of, typed in any width, and no other", async () => {
    const hash = await hashPassword("ひろば-Pass1");
    expect(hash).toMatch(/^scrypt\$16384\$8\$5\$/);
    expect(await verifyPassword("ひろば-Pass1", hash)).toBe(true);
    expect(await verifyPassword("ひろば-Ｐａｓｓ1", hash)).toBe(true);
    expect(await verifyPassword("ひろば-pass1", hash)).toBe(false);
    expect(await verifyPassword("", hash)).toBe(false);
  });

  it("differ for the same password", async () => {
    expect(await hashPassword("same")).not.toBe(await hashPassword("same"));
  });

  it("never match when malformed", async () => {
    for (const hash of ["", "scrypt", "md5$1$1$1$aa$bb", "plain"])
      expect(await verifyPassword("x", hash)).toBe(false);
  });
});
