import type { CommonPasswords } from "#functions/services/auth/password-rule";

/** Number of hex digits of a hash that name its shard. */
const SHARD_DIGITS = 2;
/** Number of hex digits of a hash in a line of its shard, which follow the digits of the shard. */
const PREFIX_DIGITS = 12;

/** The path of a shard among the static files (vite.config.ts writes them). */
export const shardPath = (shard: string): string => `/common-passwords/${shard}.txt`;

/**
 * Looks up the rank of a password in a list of common ones, most common first; null if it is not in the list. The list is divided into files
 * (shards) by the first digits of the hash. Each check reads only the shard of the password.
 * @param readShard returns a shard's text, lines of `hash rank`, or null if it cannot be read; in that case no password counts as common
 */
export const shardedPasswords = (readShard: (shard: string) => Promise<string | null>): CommonPasswords => ({
  async rankOf(hash) {
    const text = await readShard(hash.slice(0, SHARD_DIGITS));
    const prefix = `\n${hash.slice(SHARD_DIGITS, SHARD_DIGITS + PREFIX_DIGITS)} `;
    const offset = `\n${text ?? ""}`.indexOf(prefix);
    return offset < 0 ? null : Number.parseInt((text ?? "").slice(offset + prefix.length - 1), 10);
  },
});
