import { sql } from "drizzle-orm";
import type { AuditEntry } from "#functions/services/shared/ports";
import type { VisitorOfDay, VisitSign } from "~/domain/analytics/visit";
import { LIVE_MINUTES, liveMinutes, partKey, visitorKey } from "~/domain/analytics/visit";
import type { Known } from "~/domain/analytics/visit-tally";
import {
  OTHERS,
  PART_KINDS,
  PART_LETTERS_MAX,
  PART_LETTERS_MORE,
  type Tally,
  VISIT_NUMBERS,
  type VisitorState,
} from "~/domain/analytics/visit-tally";
import type { Instant, Uuid } from "~/domain/shared/model";
import { audit, visitTotals } from "../schema";
import { DataError, type Db, listOf, plain, runTogether } from "../shared/db";

/** Maximum number of rows of each kind that one run of the job deletes. */
const ROWS_AT_ONCE = 5000;
/** Maximum number of characters of a list parameter: below the 2,000,000 bytes that D1 accepts, in any script. */
const LIST_LETTERS_MAX = 600_000;
/** Minutes for which live visitors are stored: longer than any query reads. */
const LIVE_KEPT = 60;

/** Minimum time for which the deletion of an event's visits is remembered. */
const ERASURE_KEPT_MS = 3_600_000;

const erasedBefore = (now: string) => new Date(Date.parse(now) - ERASURE_KEPT_MS).toISOString();

interface VisitorRow extends Omit<VisitorState, "did" | "seen"> {
  readonly day: string;
  readonly eventId: string;
  readonly visitor: string;
  readonly did: string;
  readonly seen: string;
}

const NUMBER_COLUMNS = VISIT_NUMBERS.map((name) => visitTotals[name].name);
/** Maximum characters of the parts of a kind, by the prefix of a part's name. */
const LETTERS_OF_KIND = PART_KINDS.map((kind) => `WHEN '${kind}:' THEN ${PART_LETTERS_MAX[kind]}`).join(" ");
/**
 * Merges two lists of parts: adds up equal names, and counts new names as "others" of their kind if that kind would become too long.
 * Existing names stay.
 */
const MERGED = `(SELECT json_group_object(part, n) FROM (
  SELECT CASE WHEN known OR letters <= CASE kind ${LETTERS_OF_KIND} ELSE 0 END THEN name ELSE kind || '${OTHERS}' END AS part,
    sum(n) AS n
  FROM (SELECT *, sum(length(name) + ${PART_LETTERS_MORE}) OVER
      (PARTITION BY kind ORDER BY known DESC, name ROWS UNBOUNDED PRECEDING) AS letters
    FROM (SELECT name, substr(name, 1, instr(name, ':')) AS kind, max(known) AS known, sum(n) AS n FROM (
        SELECT key AS name, 1 AS known, value AS n FROM json_each(visit_totals.parts) UNION ALL
        SELECT key, 0, value FROM json_each(excluded.parts))
      GROUP BY name))
  GROUP BY part))`;

/** Constraints that a write violates if the data from which it was computed has changed. */
const RACED = [
  "UNIQUE constraint failed: visit_batches",
  "NOT NULL constraint failed: visit_batches.visitor",
  "NOT NULL constraint failed: visitor_days.version",
];
const isRaced = (error: unknown) =>
  error instanceof DataError && RACED.some((text) => error.message.includes(text));

/** The lists of a tally's additions, as parameters of the statements. */
function listsOf({ fresh, visitors, totals, live }: Tally) {
  const batches = fresh.map(({ eventId, visit, part, at, visitor, hour, traits, things, stays }) => [
    ...[eventId, visit, part, new Date(at).toISOString(), visitor],
    { hour, traits, things: things.map(({ act, id }) => ({ act, id })), stays },
  ]);
  const titles = new Map(
    fresh.flatMap(({ eventId, things }) =>
      things.flatMap(({ id, title }) =>
        title ? [[`${eventId} ${id} ${title.lang}`, [eventId, id, title.lang, title.text]] as const] : [],
      ),
    ),
  );
  const days = visitors.map(({ day, eventId, visitor, state: s }) => [
    ...[day, eventId, visitor, s.lastAt, s.startedAt, s.seconds, s.did, s.seen, s.version],
  ]);
  const hours = totals.map(({ eventId, hour, numbers, parts }) => [
    ...[eventId, hour, parts, ...VISIT_NUMBERS.map((name) => numbers[name])],
  ]);
  const moved = live.map(({ minute, eventId, visitors: count }) => [minute, eventId, count]);
  return {
    batches: JSON.stringify(batches),
    days: JSON.stringify(days),
    hours: JSON.stringify(hours),
    moved: JSON.stringify(moved),
    titles: JSON.stringify([...titles.values()]),
  };
}

/** The statements that write a tally. */
function statementsOf({ batches, days, hours, moved, titles }: ReturnType<typeof listsOf>) {
  const fields = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => `told.value ->> ${at + from}`).join(", ");
  return [
    // Visits from before the deletion of the event's visits are not counted.
    sql`INSERT INTO visit_batches (event_id, visit, part, at, visitor, detail)
      SELECT ${plain(fields(4))}, CASE WHEN NOT EXISTS (SELECT 1 FROM visit_erasures erasure
          WHERE erasure.event_id = told.value ->> 0 AND erasure.before > told.value ->> 3) THEN told.value ->> 4 END,
        told.value ->> 5 FROM json_each(${batches}) told
      CROSS JOIN events ON events.id = told.value ->> 0`,
    // If the version differs or the row is gone, nothing is written and the caller starts again.
    sql`INSERT INTO visitor_days (day, event_id, visitor, last_at, started_at, seconds, did, seen, version)
      SELECT ${plain(fields(8))}, CASE WHEN told.value ->> 8 = 1 OR EXISTS (SELECT 1 FROM visitor_days v
          WHERE v.day = told.value ->> 0 AND v.event_id = told.value ->> 1 AND v.visitor = told.value ->> 2) THEN told.value ->> 8 END FROM json_each(${days}) told WHERE true
      ON CONFLICT (day, event_id, visitor) DO UPDATE SET last_at = excluded.last_at, started_at = excluded.started_at,
        seconds = excluded.seconds, did = excluded.did, seen = excluded.seen,
        version = CASE WHEN visitor_days.version = excluded.version - 1 THEN excluded.version END`,
    sql`INSERT INTO visit_totals (event_id, grain, period, parts, ${plain(NUMBER_COLUMNS.join(", "))})
      SELECT told.value ->> 0, grains.name, substr(told.value ->> 1, 1, grains.letters),
        CASE grains.name WHEN 'hour' THEN '{}' ELSE told.value ->> 2 END, ${plain(fields(NUMBER_COLUMNS.length, 3))}
      FROM json_each(${hours}) told CROSS JOIN events ON events.id = told.value ->> 0
      CROSS JOIN (SELECT 'hour' AS name, 13 AS letters UNION ALL SELECT 'day', 10 UNION ALL SELECT 'month', 7
        UNION ALL SELECT 'year', 4) grains WHERE true
      ON CONFLICT (event_id, grain, period) DO UPDATE SET
        ${plain(NUMBER_COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(", "))},
        parts = CASE excluded.parts WHEN '{}' THEN parts ELSE ${plain(MERGED)} END`,
    sql`INSERT INTO visit_live (minute, event_id, visitors)
      SELECT ${plain(fields(3))} FROM json_each(${moved}) told WHERE true
      ON CONFLICT (minute, event_id) DO UPDATE SET visitors = visitors + excluded.visitors`,
    // Written once, and again when the store renames the product.
    sql`INSERT INTO visit_products (event_id, number, lang, title)
      SELECT ${plain(fields(4))} FROM json_each(${titles}) told CROSS JOIN events ON events.id = told.value ->> 0 WHERE true
      ON CONFLICT (event_id, number, lang) DO UPDATE SET title = excluded.title WHERE title <> excluded.title`,
  ];
}

/** Stored data of visits. */
export function visitRepository(db: Db) {
  return {
    /** The stored data of these parts of visits and of their visitors. */
    async known(signs: readonly VisitSign[], visitors: readonly VisitorOfDay[]): Promise<Known> {
      const parts = JSON.stringify(signs.map(({ eventId, visit, part }) => [eventId, visit, part]));
      const days = JSON.stringify(visitors.map(({ day, eventId, visitor }) => [day, eventId, visitor]));
      const events = listOf([...new Set(signs.map(({ eventId }) => eventId))]);
      const [batches, rows, erasures] = await runTogether(db, [
        sql`SELECT event_id AS eventId, visit, part FROM json_each(${parts}) told CROSS JOIN visit_batches b
          ON b.event_id = told.value ->> 0 AND b.visit = told.value ->> 1 AND b.part = told.value ->> 2`,
        sql`SELECT day, event_id AS eventId, visitor, last_at AS lastAt, started_at AS startedAt, seconds, did, seen, version
          FROM json_each(${days}) told CROSS JOIN visitor_days v
          ON v.day = told.value ->> 0 AND v.event_id = told.value ->> 1 AND v.visitor = told.value ->> 2`,
        sql`SELECT event_id AS eventId, before FROM visit_erasures WHERE event_id IN ${events}`,
      ]);
      return {
        parts: new Set((batches as Parameters<typeof partKey>[0][]).map(partKey)),
        visitors: new Map(
          (rows as VisitorRow[]).map((row) => {
            const { did, seen, day, eventId, visitor, ...state } = row;
            return [
              visitorKey({ day, eventId, visitor }),
              { ...state, did: JSON.parse(did), seen: JSON.parse(seen) } as VisitorState,
            ];
          }),
        ),
        erased: new Map(
          (erasures as { eventId: string; before: string }[]).map(({ eventId, before }) => [
            eventId,
            Date.parse(before),
          ]),
        ),
      };
    },

    /**
     * Writes a tally in one batch, or nothing: "raced" when data that it was computed from has changed, "large" when it is more than D1
     * accepts at once. Data of deleted events is left out.
     */
    async write(tally: Tally) {
      const lists = listsOf(tally);
      // A single page's report is always below the limit.
      const isLarge = Object.values(lists).some(({ length }) => length > LIST_LETTERS_MAX);
      if (isLarge && tally.fresh.length > 1) return "large";
      try {
        await runTogether(db, statementsOf(lists));
        return "written";
      } catch (error) {
        if (isRaced(error)) return "raced";
        throw error;
      }
    },

    /** Deletes an event's totals, and marks the reports of pages before `at`, which `sweep` deletes in parts. */
    async erase(eventId: Uuid, at: Instant, entry: AuditEntry) {
      const now = Date.parse(at);
      const { last } = liveMinutes(now);
      const minutes = Array.from({ length: LIVE_MINUTES }, (_, before) => last - before);
      // The days that are already deleted in some time zones, and those that the job has not processed yet.
      const days = [-3, -2, -1, 0, 1].map((by) => new Date(now + by * 86_400_000).toISOString().slice(0, 10));
      await runTogether(db, [
        db.insert(audit).values(entry).getSQL(),
        sql`INSERT INTO visit_erasures (event_id, before) VALUES (${eventId}, ${at})
          ON CONFLICT (event_id) DO UPDATE SET before = excluded.before`,
        sql`DELETE FROM visit_totals WHERE event_id = ${eventId}`,
        sql`DELETE FROM visit_products WHERE event_id = ${eventId}`,
        sql`DELETE FROM visitor_days WHERE day IN ${listOf(days)} AND event_id = ${eventId}`,
        sql`DELETE FROM visit_live WHERE minute IN (SELECT value FROM json_each(${JSON.stringify(minutes)}))
          AND event_id = ${eventId}`,
      ]);
    },

    /**
     * Deletes a bounded number of expired rows.
     * @param keptFrom reports of pages before this instant are deleted
     * @param day visitors of days before this one are deleted, YYYY-MM-DD
     * @returns the number of deleted rows
     */
    async sweep(now: Instant, keptFrom: Instant, day: string) {
      const upTo = plain(String(ROWS_AT_ONCE));
      const { last } = liveMinutes(Date.parse(now));
      const gone = await runTogether(db, [
        sql`DELETE FROM visitor_days WHERE (day, event_id, visitor) IN
          (SELECT day, event_id, visitor FROM visitor_days WHERE day < ${day} LIMIT ${upTo}) RETURNING 1`,
        // Sums first, so that the triggers do not subtract the events one by one.
        sql`DELETE FROM visit_account_live WHERE (owner_id, minute) IN
          (SELECT owner_id, minute FROM visit_account_live WHERE minute < ${last - LIVE_KEPT} LIMIT ${upTo}) RETURNING 1`,
        sql`DELETE FROM visit_space_live WHERE (space_id, minute) IN
          (SELECT space_id, minute FROM visit_space_live WHERE minute < ${last - LIVE_KEPT} LIMIT ${upTo}) RETURNING 1`,
        sql`DELETE FROM visit_live WHERE (minute, event_id) IN
          (SELECT minute, event_id FROM visit_live WHERE minute < ${last - LIVE_KEPT} LIMIT ${upTo}) RETURNING 1`,
        // Rows are stored in the order of their arrival.
        sql`DELETE FROM visit_batches WHERE id < (SELECT min(id) FROM visit_batches) + ${upTo} AND at < ${keptFrom} RETURNING 1`,
        sql`DELETE FROM visit_batches WHERE id IN (SELECT b.id FROM visit_erasures erasure CROSS JOIN visit_batches b
          ON b.event_id = erasure.event_id AND b.at < erasure.before LIMIT ${upTo}) RETURNING 1`,
        // An older report may still be in a queue: it is retried, and held while its request is aborted.
        sql`DELETE FROM visit_erasures AS erasure WHERE before < ${erasedBefore(now)} AND NOT EXISTS
          (SELECT 1 FROM visit_batches b WHERE b.event_id = erasure.event_id AND b.at < erasure.before)`,
      ]);
      return gone.flat().length;
    },
  };
}
