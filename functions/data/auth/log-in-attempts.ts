import { and, eq, inArray, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { GuessSubject } from "#functions/services/auth/auth-ports";
import type { StoredAttempts } from "~/domain/auth/attempt-delay";
import { KNOWN_NETWORKS_MAX } from "~/domain/auth/attempt-delay";
import { DAY_MS } from "~/domain/shared/day";
import type { Uuid } from "~/domain/shared/model";
import { LIVE, logInGuesses, logInNetworks, users } from "../schema";
import { constants, type Db, first, rawSql, run } from "../shared/db";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Number of the period in which the last attempt was. The length is part of the SQL text, because D1 binds numbers as reals and would divide without
 * rounding.
 */
const periodOfLast = (length: number) => sql.raw(`log_in_guesses.last_at / ${length}`);

/**
 * Counts of wrong passwords by subject (an account, browser, network or unknown address), and the networks from which accounts have logged in. `id` names
 * a row, which several subjects may use one after the other; `owner` is the subject that uses it now. Times are epoch milliseconds.
 */
export function logInAttemptRepository(db: Db) {
  return {
    /**
     * Finds the account of an email address (as nameKey), with the time of its last noted log-in from the network. The counts are those of the
     * rows `ids`, of the account, and of the account in this network.
     */
    async findForLogIn({
      emailKey,
      network,
      ids,
    }: {
      readonly emailKey: string;
      readonly network: string;
      readonly ids: readonly string[];
    }): Promise<{
      readonly account: { readonly userId: Uuid; readonly networkAt: number | null } | null;
      readonly counts: readonly (StoredAttempts & GuessSubject)[];
    }> {
      const account = and(eq(users.emailKey, emailKey), rawSql(LIVE));
      const networkAt = sql<number | null>`(SELECT last_at FROM ${logInNetworks}
        WHERE user_id = ${users.id} AND network = ${network})`;
      const selectOwnId = (id: SQL) => db.select({ id }).from(users).where(account);
      const { id, owner, hour, day, lastAt } = logInGuesses;
      const [accounts, counts] = await run(
        db.batch([
          db.select({ userId: users.id, networkAt }).from(users).where(account),
          db
            .select({ id, owner, hour, day, lastAt })
            .from(logInGuesses)
            .where(
              or(
                inArray(id, [...ids]),
                sql`${id} = ${selectOwnId(sql`'account:' || ${users.id}`)}`,
                sql`${id} = ${selectOwnId(sql`'network:' || ${users.id} || ':' || ${network}`)}`,
              ),
            ),
        ]),
      );
      return { account: first(accounts), counts };
    },

    /** Returns the time of an account's last noted log-in from a network; null if there was none. */
    async findNetwork(userId: Uuid, network: string) {
      const rows = await run(
        db
          .select({ lastAt: logInNetworks.lastAt })
          .from(logInNetworks)
          .where(and(eq(logInNetworks.userId, userId), eq(logInNetworks.network, network))),
      );
      return first(rows)?.lastAt ?? null;
    },

    /** Returns the counts of a subject; null if it has none. */
    async find({ id, owner }: GuessSubject): Promise<StoredAttempts | null> {
      const { hour, day, lastAt } = logInGuesses;
      return first(
        await run(
          db
            .select({ hour, day, lastAt })
            .from(logInGuesses)
            .where(and(eq(logInGuesses.id, id), eq(logInGuesses.owner, owner))),
        ),
      );
    },

    /** Adds wrong attempts, unless the row was already written in this minute. Returns the sums; null when nothing was written. */
    async add({ id, owner }: GuessSubject, count: number, now: number): Promise<StoredAttempts | null> {
      const isSamePeriod = (length: number) =>
        sql`${logInGuesses.owner} = ${owner} AND ${periodOfLast(length)} = ${Math.floor(now / length)}`;
      const sum = (column: typeof logInGuesses.hour | typeof logInGuesses.day, length: number) =>
        sql`CASE WHEN ${isSamePeriod(length)} THEN ${column} ELSE 0 END + ${count}`;
      const { hour, day, lastAt } = logInGuesses;
      const rows = await run(
        db
          .insert(logInGuesses)
          .values({ id, owner, hour: count, day: count, lastAt: now })
          .onConflictDoUpdate({
            target: logInGuesses.id,
            set: { owner, hour: sum(hour, HOUR_MS), day: sum(day, DAY_MS), lastAt: now },
            setWhere: sql`${periodOfLast(MINUTE_MS)} < ${Math.floor(now / MINUTE_MS)}`,
          })
          .returning({ hour, day, lastAt }),
      );
      return first(rows);
    },

    /** Records that a warning about wrong passwords is sent to an account now. Returns false if one was sent after `notSince`. */
    async claimWarning(userId: Uuid, now: number, notSince: number) {
      const id = `warning:${userId}`;
      const rows = await run(
        db
          .insert(logInGuesses)
          .values({ id, owner: id, hour: 0, day: 0, lastAt: now })
          .onConflictDoUpdate({
            target: logInGuesses.id,
            set: { lastAt: now },
            setWhere: lte(logInGuesses.lastAt, notSince),
          })
          .returning({ id: logInGuesses.id }),
      );
      return rows.length === 1;
    },

    /** Notes a log-in of an account from a network, and deletes the account's oldest networks beyond KNOWN_NETWORKS_MAX. */
    async noteNetwork(userId: Uuid, network: string, now: number) {
      const latest = db
        .select({ network: logInNetworks.network })
        .from(logInNetworks)
        .where(eq(logInNetworks.userId, userId))
        .orderBy(sql`${logInNetworks.lastAt} DESC`)
        .limit(KNOWN_NETWORKS_MAX);
      await run(
        db.batch([
          db
            .insert(logInNetworks)
            .select(
              db
                .select(constants(logInNetworks, { userId, network, lastAt: now }))
                .from(users)
                .where(eq(users.id, userId)),
            )
            .onConflictDoUpdate({
              target: [logInNetworks.userId, logInNetworks.network],
              set: { lastAt: now },
            }),
          db
            .delete(logInNetworks)
            .where(and(eq(logInNetworks.userId, userId), sql`${logInNetworks.network} NOT IN ${latest}`)),
        ]),
      );
    },

    /** Deletes at most `limit` expired counts, and all expired networks. Returns the number of deleted rows. */
    async deleteOld({
      guessesBefore,
      networksBefore,
      limit,
    }: {
      readonly guessesBefore: number;
      readonly networksBefore: number;
      readonly limit: number;
    }) {
      const oldGuesses = db
        .select({ id: logInGuesses.id })
        .from(logInGuesses)
        .where(lt(logInGuesses.lastAt, guessesBefore))
        .limit(limit);
      const [guesses, networks] = await run(
        db.batch([
          db.delete(logInGuesses).where(inArray(logInGuesses.id, oldGuesses)),
          db.delete(logInNetworks).where(lt(logInNetworks.lastAt, networksBefore)),
        ]),
      );
      return guesses.meta.changes + networks.meta.changes;
    },
  };
}
