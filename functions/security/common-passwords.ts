import type { CommonPasswords } from "#functions/services/auth/password-rule";

/** Hex digits of a hash that name its shard, and those of its line. */
const SHARD_DIGITS = 2;
const LINE_DIGITS = 12;

/** The path of a shard among the static files (vite.config.ts writes them). */
export const shardPath = (shard: string): string => `/common-passwords/${shard}.txt`;

/**
 * The list of common passwords, of which only the one shard of a password is read, when it is checked.
 * @param readShard the text of a shard: lines of `hash rank`; null when it cannot be read, and then no password of it is listed
 */
export const shardedPasswords = (readShard: (shard: string) => Promise<string | null>): CommonPasswords => ({
  async rankOf(hash) {
    const text = await readShard(hash.slice(0, SHARD_DIGITS));
    const prefix = `\n${hash.slice(SHARD_DIGITS, SHARD_DIGITS + LINE_DIGITS)} `;
    const at = `\n${text ?? ""}`.indexOf(prefix);
    return at < 0 ? null : Number.parseInt((text ?? "").slice(at + prefix.length - 1), 10);
  },
});
