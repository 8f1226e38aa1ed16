import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { commonPasswordForm } from "../../../app/domain/auth/password-rule";
import { PASSWORD_MIN } from "../../../app/domain/shared/limits";
import { countCodePoints } from "../../../app/domain/shared/text";

let cachedShards: ReadonlyMap<string, string> | undefined;

/** Passwords of zxcvbn's list that have at least the minimum length, the most common first. `rank` is the position in the whole list. */
export function commonPasswords(): readonly { readonly password: string; readonly rank: number }[] {
  const { dictionary } = createRequire(import.meta.url)("@zxcvbn-ts/language-common") as {
    readonly dictionary: { readonly "passwords-common": readonly string[] };
  };
  return dictionary["passwords-common"]
    .map((password, index) => ({ password: commonPasswordForm(password), rank: index + 1 }))
    .filter(({ password }) => countCodePoints(password) >= PASSWORD_MIN);
}

/**
 * The list as the static files that the worker reads (functions/security/common-passwords.ts). A file is named by the first two hex
 * digits of its passwords' SHA-256 hashes. Each of its sorted lines contains the next twelve digits of a hash and the password's rank.
 */
export function commonPasswordShards(): ReadonlyMap<string, string> {
  if (cachedShards) return cachedShards;
  const shards = new Map<string, string[]>();
  for (const { password, rank } of commonPasswords()) {
    const hash = createHash("sha256").update(password).digest("hex");
    const shard = hash.slice(0, 2);
    shards.set(shard, [...(shards.get(shard) ?? []), `${hash.slice(2, 14)} ${rank}`]);
  }
  cachedShards = new Map([...shards].map(([shard, lines]) => [shard, `${lines.sort().join("\n")}\n`]));
  return cachedShards;
}
