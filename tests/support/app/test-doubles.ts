/** Replacements for parts of the services that record their calls. */
import type { PasswordHasher, RateLimiter } from "#functions/services/auth/auth-ports";
import { NO_PASSWORD } from "~/domain/auth/no-password";

/** Wraps a D1 binding so that it counts round trips and records every statement. */
export function spyOn(binding: D1Database) {
  const spy = { roundTrips: 0, statements: [] as { sql: string; params: unknown[] }[] };
  type WrappedStatement = { sql: string; params: unknown[]; real: D1PreparedStatement };
  const wrappedStatements = new WeakMap<object, WrappedStatement>();
  const recordStatement = ({ sql, params }: WrappedStatement) => spy.statements.push({ sql, params });

  function wrap(sql: string, params: unknown[], real: D1PreparedStatement): D1PreparedStatement {
    const entry = { sql, params, real };
    const runCounted = <T>(call: () => T): T => {
      spy.roundTrips++;
      recordStatement(entry);
      return call();
    };
    const statement = {
      bind: (...values: unknown[]) => wrap(sql, values, real.bind(...values)),
      all: () => runCounted(() => real.all()),
      run: () => runCounted(() => real.run()),
      raw: (options?: unknown) => runCounted(() => real.raw(options as never)),
      first: (column?: unknown) => runCounted(() => real.first(column as never)),
    };
    wrappedStatements.set(statement, entry);
    return statement as unknown as D1PreparedStatement;
  }

  const db = {
    prepare: (sql: string) => wrap(sql, [], binding.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) => {
      spy.roundTrips++;
      const entries = statements.map((statement) => wrappedStatements.get(statement) as WrappedStatement);
      for (const entry of entries) recordStatement(entry);
      return binding.batch(entries.map(({ real }) => real));
    },
  };
  return { db: db as unknown as D1Database, spy };
}

/** Prefix of the test app's password hashes. */
export const HASH_PREFIX = "plain$";

/** A hasher that does no work, and counts the verifications. */
export function cheapHasher(): PasswordHasher & { verified: number } {
  return {
    verified: 0,
    dummyHash: NO_PASSWORD,
    hash: async (password) => HASH_PREFIX + password,
    async verify(password, hash) {
      this.verified++;
      return hash === HASH_PREFIX + password;
    },
  };
}

/** A rate limiter that blocks a key after ten failures (more for some kinds of keys). Reserved attempts count as failures until they end. */
export function countingLimiter(): RateLimiter & {
  failedKeys: string[];
  attemptNotes: string[];
  /** Accounts of `attemptNotes`, in the same order. */
  attemptAccounts: (string | null)[];
} {
  const failedKeys: string[] = [];
  const attemptNotes: string[] = [];
  const attemptAccounts: (string | null)[] = [];
  const reserved: string[] = [];
  const count = (keys: readonly string[], key: string) =>
    keys.filter((candidate) => candidate === key).length;
  const limitOf = (key: string) => (key.startsWith("place:") ? 50 : /^(event|site):/.test(key) ? 300 : 10);
  const release = (key: string) => {
    const index = reserved.indexOf(key);
    if (index < 0) throw new Error(`${key} was not reserved`);
    reserved.splice(index, 1);
  };
  return {
    failedKeys,
    async reserve(key) {
      const isAllowed = count(failedKeys, key) + count(reserved, key) < limitOf(key);
      if (isAllowed) reserved.push(key);
      return isAllowed;
    },
    async fail(key) {
      release(key);
      failedKeys.push(key);
      return count(failedKeys, key) <= limitOf(key);
    },
    release,
    attemptNotes,
    attemptAccounts,
    note(limitName, outcome, account) {
      attemptNotes.push(`${limitName} ${outcome}`);
      attemptAccounts.push(account);
    },
  };
}
