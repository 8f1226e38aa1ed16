import { sql } from "drizzle-orm";
import { LIVE_MINUTES, liveMinutes } from "~/domain/analytics/visit";
import {
  OTHERS,
  PART_CHARACTERS_MAX,
  PART_EXTRA_CHARACTERS,
  PART_KINDS,
  type Tally,
  VISIT_NUMBERS,
} from "~/domain/analytics/visit-tally";
import type { Instant, Uuid } from "~/domain/shared/model";
import { visitTotals } from "../schema";
import { DataError, type Db, rawSql, runTogether } from "../shared/db";

/** Maximum number of expired rows of each table that one run of the cron trigger deletes. */
const ROWS_AT_ONCE = 5000;
/** Minutes for which live visitors are stored. No query reads older minutes. */
const LIVE_STORED_MINUTES = 60;

const NUMBER_COLUMNS = VISIT_NUMBERS.map((name) => visitTotals[name].name);
/** SQL with the maximum length of the parts of each kind, in characters. */
const MAX_LENGTH_OF_KIND = PART_KINDS.map((kind) => `WHEN '${kind}:' THEN ${PART_CHARACTERS_MAX[kind]}`).join(
  " ",
);
/**
 * SQL that merges two lists of parts, which are numbers by item, place or trait: {"tag:…": 3}. (The reports of a visitor's page are called parts too.)
 * Adds up equal names, and counts new names as "others" of their kind if that kind would become too long. Existing names stay.
 */
const MERGED_PARTS = `(SELECT json_group_object(part, n) FROM (
  SELECT CASE WHEN known OR letters <= CASE kind ${MAX_LENGTH_OF_KIND} ELSE 0 END THEN name ELSE kind || '${OTHERS}' END AS part,
    sum(n) AS n
  FROM (SELECT *, sum(length(name) + ${PART_EXTRA_CHARACTERS}) OVER
      (PARTITION BY kind ORDER BY known DESC, name ROWS UNBOUNDED PRECEDING) AS letters
    FROM (SELECT name, substr(name, 1, instr(name, ':')) AS kind, max(known) AS known, sum(n) AS n FROM (
        SELECT key AS name, 1 AS known, value AS n FROM json_each(visit_totals.parts) UNION ALL
        SELECT key, 0, value FROM json_each(excluded.parts))
      GROUP BY name))
  GROUP BY part))`;

/** Error of a batch whose flush (sums of visits from an event's room) does not follow the last flush in D1. */
const OUT_OF_ORDER = "NOT NULL constraint failed: visit_rooms.sequence";
const isOutOfOrder = (error: unknown) => error instanceof DataError && error.message.includes(OUT_OF_ORDER);

/** The room and the number of a flush. */
export interface RoomPosition {
  /** Random name of the room's storage; empty before the event's first flush. */
  readonly room: string;
  readonly sequence: number;
}

/** The sums of a flush, as JSON lists that are the parameters of its statements. `moved` has the changes in the numbers of live visitors. */
export type FlushLists = ReturnType<typeof flushLists>;

/** Creates the lists of a tally's additions. */
export function flushLists({ newParts, totals, live }: Pick<Tally, "newParts" | "totals" | "live">) {
  const titles = new Map(
    newParts.flatMap(({ eventId, things }) =>
      things.flatMap(({ id, title }) =>
        title ? [[`${eventId} ${id} ${title.lang}`, [eventId, id, title.lang, title.text]] as const] : [],
      ),
    ),
  );
  const hours = totals.map(({ eventId, hour, numbers, parts }) => [
    ...[eventId, hour, parts, ...VISIT_NUMBERS.map((name) => numbers[name])],
  ]);
  const liveChanges = live.map(({ minute, eventId, visitors: count }) => [minute, eventId, count]);
  return {
    hours: JSON.stringify(hours),
    moved: JSON.stringify(liveChanges),
    titles: JSON.stringify([...titles.values()]),
  };
}

/** Returns the statements that add the sums of a flush and store its names of products. */
function sumStatements({ hours, moved: liveChanges, titles }: FlushLists) {
  const fields = (count: number, offset = 0) =>
    Array.from({ length: count }, (_, index) => `entry.value ->> ${index + offset}`).join(", ");
  return [
    sql`INSERT INTO visit_totals (event_id, grain, period, parts, ${rawSql(NUMBER_COLUMNS.join(", "))})
      SELECT entry.value ->> 0, grains.name, substr(entry.value ->> 1, 1, grains.letters),
        CASE grains.name WHEN 'hour' THEN '{}' ELSE entry.value ->> 2 END, ${rawSql(fields(NUMBER_COLUMNS.length, 3))}
      FROM json_each(${hours}) entry CROSS JOIN events ON events.id = entry.value ->> 0
      CROSS JOIN (SELECT 'hour' AS name, 13 AS letters UNION ALL SELECT 'day', 10 UNION ALL SELECT 'month', 7
        UNION ALL SELECT 'year', 4) grains WHERE true
      ON CONFLICT (event_id, grain, period) DO UPDATE SET
        ${rawSql(NUMBER_COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(", "))},
        parts = CASE excluded.parts WHEN '{}' THEN parts ELSE ${rawSql(MERGED_PARTS)} END`,
    sql`INSERT INTO visit_live (minute, event_id, visitors)
      SELECT ${rawSql(fields(3))} FROM json_each(${liveChanges}) entry CROSS JOIN events ON events.id = entry.value ->> 1 WHERE true
      ON CONFLICT (minute, event_id) DO UPDATE SET visitors = visitors + excluded.visitors`,
    // Written for a new product, and when the store renames it.
    sql`INSERT INTO visit_products (event_id, number, lang, title)
      SELECT ${rawSql(fields(4))} FROM json_each(${titles}) entry CROSS JOIN events ON events.id = entry.value ->> 0 WHERE true
      ON CONFLICT (event_id, number, lang) DO UPDATE SET title = excluded.title WHERE title <> excluded.title`,
  ];
}

/** Returns the statements that add totals that no room has counted, such as the demo's past visits. */
export const totalStatements = (totals: Tally["totals"]) =>
  sumStatements(flushLists({ newParts: [], totals, live: [] }));

/** Returns the statements that delete an event's visits. Live visitors of minutes that no report reads remain until they expire. */
function erasureStatements(eventId: Uuid, now: number) {
  const { last } = liveMinutes(now);
  const minutes = Array.from({ length: LIVE_MINUTES }, (_, minutesAgo) => last - minutesAgo);
  return [
    sql`DELETE FROM visit_totals WHERE event_id = ${eventId}`,
    sql`DELETE FROM visit_products WHERE event_id = ${eventId}`,
    sql`DELETE FROM visit_live WHERE minute IN (SELECT value FROM json_each(${JSON.stringify(minutes)}))
      AND event_id = ${eventId}`,
  ];
}

/** A flush of a room. `from` is the position that D1 must have, except for an erasure. */
export interface RoomFlush {
  readonly eventId: Uuid;
  readonly kind: "visits" | "erasure";
  readonly lists: FlushLists;
  readonly from: RoomPosition;
  readonly to: RoomPosition;
  /** Time of the flush, in milliseconds since 1970. */
  readonly at: number;
  /** Time until which the flushes contain all visits of the event, in milliseconds since 1970; 0 if it is unknown. */
  readonly completeUntil: number;
}

/** Stores visits. */
export function visitRepository(db: Db) {
  return {
    /** Returns the position of an event's last flush in D1; null when the event does not exist. */
    async position(eventId: Uuid): Promise<RoomPosition | null> {
      const [rows = []] = await runTogether(db, [
        sql`SELECT coalesce(r.room, '') AS room, coalesce(r.sequence, 0) AS sequence
          FROM events LEFT JOIN visit_rooms r ON r.event_id = events.id WHERE events.id = ${eventId}`,
      ]);
      return (rows as RoomPosition[])[0] ?? null;
    },

    /**
     * Applies a room's flush in one batch, or nothing: "raced" when D1's position is not `from`, "missing" when the event does not exist. An erasure
     * is applied at any position.
     */
    async flush({
      eventId,
      kind,
      lists,
      from,
      to,
      at,
      completeUntil,
    }: RoomFlush): Promise<"written" | "raced" | "missing"> {
      const isErasure = kind === "erasure";
      const flushedAt = new Date(completeUntil).toISOString();
      const now = new Date(at).toISOString();
      const isNext = sql`visit_rooms.room = ${from.room} AND visit_rooms.sequence = ${from.sequence}`;
      const isFirst = rawSql(from.sequence === 0 && from.room === "" ? "1" : "0");
      const isStored = sql`EXISTS (SELECT 1 FROM visit_rooms WHERE event_id = ${eventId})`;
      try {
        const [rows = []] = await runTogether(db, [
          sql`INSERT INTO visit_rooms (event_id, room, sequence, flushed_at)
            SELECT id, ${to.room}, CASE WHEN ${rawSql(isErasure ? "1" : "0")} OR ${isFirst} OR ${isStored} THEN ${to.sequence} END, ${flushedAt}
            FROM events WHERE id = ${eventId}
            ON CONFLICT (event_id) DO UPDATE SET room = excluded.room,
              -- A time in the future comes from a clock that jumped.
              flushed_at = max(min(visit_rooms.flushed_at, ${now}), excluded.flushed_at),
              sequence = CASE WHEN ${rawSql(isErasure ? "1" : "0")} OR (${isNext}) THEN excluded.sequence END RETURNING 1`,
          ...(isErasure ? erasureStatements(eventId, at) : sumStatements(lists)),
        ]);
        return rows.length > 0 ? "written" : "missing";
      } catch (error) {
        if (isOutOfOrder(error)) return "raced";
        throw error;
      }
    },

    /**
     * Deletes a bounded number of expired rows of live visitors.
     * @returns the number of deleted rows
     */
    async deleteExpired(now: Instant) {
      const limit = rawSql(String(ROWS_AT_ONCE));
      const { last } = liveMinutes(Date.parse(now));
      const deleted = await runTogether(db, [
        // Sums first, so that the triggers do not subtract the events one by one.
        sql`DELETE FROM visit_account_live WHERE (owner_id, minute) IN
          (SELECT owner_id, minute FROM visit_account_live WHERE minute < ${last - LIVE_STORED_MINUTES} LIMIT ${limit}) RETURNING 1`,
        sql`DELETE FROM visit_space_live WHERE (space_id, minute) IN
          (SELECT space_id, minute FROM visit_space_live WHERE minute < ${last - LIVE_STORED_MINUTES} LIMIT ${limit}) RETURNING 1`,
        sql`DELETE FROM visit_live WHERE (minute, event_id) IN
          (SELECT minute, event_id FROM visit_live WHERE minute < ${last - LIVE_STORED_MINUTES} LIMIT ${limit}) RETURNING 1`,
      ]);
      return deleted.flat().length;
    },
  };
}
