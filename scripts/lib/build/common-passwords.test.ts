import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { shardedPasswords } from "../../../functions/security/common-passwords";
import { commonPasswordShards, commonPasswords } from "./common-passwords";

const list = shardedPasswords(async (shard) => commonPasswordShards().get(shard) ?? null);
const hashOf = (password: string) => createHash("sha256").update(password).digest("hex");

it("packages more than ten thousand passwords, and finds a sample of them but not three others", async () => {
  const passwords = commonPasswords();
  expect(passwords.length).toBeGreaterThan(10_000);
  for (const { password, rank } of passwords.filter((_, index) => index % 50 === 0))
    expect(await list.rankOf(hashOf(password))).toBe(rank);
  for (const unlisted of ["correct horse battery", "demo-password", ""])
    expect(await list.rankOf(hashOf(unlisted))).toBeNull();
});

it("packages 256 shards of less than 4 KB", () => {
  const shards = [...commonPasswordShards().values()];
  expect(shards).toHaveLength(256);
  expect(Math.max(...shards.map(({ length }) => length))).toBeLessThan(4096);
});

it("finds no password when a shard cannot be read", async () => {
  expect(await shardedPasswords(async () => null).rankOf(hashOf("password1"))).toBeNull();
});
