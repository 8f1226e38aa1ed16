import { type SQL, sql } from "drizzle-orm";
import type {
  ChangesQuery,
  ExplainingChange,
  ManyEvents,
  ReportNames,
  ReportQuery,
  ReportRows,
  ReportScope,
  ScopeEvent,
  ScopePart,
  ScopeRecord,
  ScopeTotal,
} from "#functions/services/analytics/report-ports";
import type { GrainRange } from "~/domain/analytics/report-period";
import type { Grain } from "~/domain/analytics/visit";
import { VISIT_NUMBERS, type VisitNumbers, type VisitParts } from "~/domain/analytics/visit-tally";
import { readStoredSource } from "~/domain/content/stored-places";
import { EVENT_STATUS } from "~/domain/events/status";
import type { Instant, Lang, Localized, Uuid } from "~/domain/shared/model";
import { productIdOf, toIdNumber } from "~/domain/store/store-ids";
import { CHANGE_ADDS, visitTotals } from "../schema";
import { eventNameJson, parseName, parseTexts } from "../shared/columns";
import { type Db, rawSql, runTogether, sqlList } from "../shared/db";

/**
 * Maximum number of lists of parts that one report adds up. A list has the counts of an event in a day, month or year by item, place and trait. A
 * scope with more lists leaves some out, but its totals cover all visits.
 */
const PARTS_ROWS_MAX = 200;
/** Minimum number of events per day, month or year that are read, however long the range is. */
const EVENTS_MIN = 5;
/** Maximum total size of the lists of one report in bytes; an isolate has 128 MB. The list that exceeds the maximum is still read. */
const PARTS_BYTES_MAX = 2_000_000;

const rangesJson = (ranges: readonly GrainRange[]): SQL =>
  sql`json_each(${JSON.stringify(ranges.map(({ grain, from, to }) => [grain, from, to]))}) stored_range`;
const IN_RANGE = rawSql(
  "t.grain = stored_range.value ->> 0 AND t.period BETWEEN stored_range.value ->> 1 AND stored_range.value ->> 2",
);

/** Stored totals of an event in some ranges. Each row is found by the table's key. */
const totalsIn = ({ id }: ReportScope, ranges: readonly GrainRange[]): SQL =>
  sql`${rangesJson(ranges)} CROSS JOIN visit_totals t ON t.event_id = ${id} AND ${IN_RANGE}`;

/** For a space and an account: the tables of its sums and of its live visitors, and the column of its id in these tables and in visit_ranks. */
const SUM_TABLES = {
  space: { totals: rawSql("visit_space_totals"), live: rawSql("visit_space_live"), id: rawSql("space_id") },
  account: {
    totals: rawSql("visit_account_totals"),
    live: rawSql("visit_account_live"),
    id: rawSql("owner_id"),
  },
} as const;

/** Stored totals of a scope. A space and an account have sums over their events. */
function sumsIn(scope: ReportScope, ranges: readonly GrainRange[]): SQL {
  if (scope.kind === "event") return totalsIn(scope, ranges);
  const { totals, id } = SUM_TABLES[scope.kind];
  return sql`${rangesJson(ranges)} CROSS JOIN ${totals} t ON t.${id} = ${scope.id} AND ${IN_RANGE}`;
}

/**
 * The most visited events of a space or an account in each day, month or year of a range: a list of TopRow for each. An index has this order, so that
 * only these rows are read. The more periods, the fewer rows per period. There are no further joins, because D1 counts rows again when they are
 * sorted or grouped.
 */
function mostVisitedIn(scope: ManyEvents, range: GrainRange): SQL {
  const sums = sumsIn(scope, [range]);
  return sql`SELECT (SELECT json_group_array(json_array(at, event_id, visits, bytes)) FROM (
      SELECT c.rowid AS at, r.event_id, r.visits, octet_length(c.parts) AS bytes FROM visit_ranks r
      CROSS JOIN visit_totals c ON c.event_id = r.event_id AND c.grain = r.grain AND c.period = r.period
      WHERE r.${SUM_TABLES[scope.kind].id} = ${scope.id} AND r.grain = t.grain AND r.period = t.period ORDER BY r.visits DESC, r.event_id DESC
      LIMIT max(${rawSql(String(EVENTS_MIN))}, ${rawSql(String(PARTS_ROWS_MAX))} / (SELECT count(*) FROM ${sums})))) AS list
    FROM ${sums}`;
}

type TopRow = readonly [rowId: number, eventId: Uuid, visits: number, bytes: number];

/** Selects the most visited events: the rows whose lists are read, and the events to list. */
function chooseMostVisited(lists: readonly { readonly list: string }[], limit: number) {
  const rows = lists
    .flatMap(({ list }) => JSON.parse(list) as TopRow[])
    .sort(([a, , visitsA], [b, , visitsB]) => visitsB - visitsA || a - b);
  const visitsByEvent = new Map<Uuid, number>();
  for (const [, id, count] of rows) visitsByEvent.set(id, (visitsByEvent.get(id) ?? 0) + count);
  let bytes = 0;
  return {
    rows: rows.slice(0, PARTS_ROWS_MAX).flatMap(([rowId, , , rowBytes]) => {
      bytes += rowBytes;
      return bytes - rowBytes < PARTS_BYTES_MAX ? [rowId] : [];
    }),
    events: [...visitsByEvent]
      .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([id]) => id),
  };
}

const selectLive = (scope: ReportScope, { first, last }: ReportQuery["live"]): SQL => {
  if (scope.kind !== "event")
    return sql`SELECT coalesce(sum(max(v.visitors, 0)), 0) AS live FROM ${SUM_TABLES[scope.kind].live} v
      WHERE v.${SUM_TABLES[scope.kind].id} = ${scope.id} AND v.minute BETWEEN ${first} AND ${last}`;
  const minutes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return sql`SELECT coalesce(sum(max(v.visitors, 0)), 0) AS live FROM json_each(${JSON.stringify(minutes)}) minute
    CROSS JOIN visit_live v ON v.minute = minute.value AND v.event_id = ${scope.id}`;
};

/** Events with their visits in a range, the most visited first. */
const selectEvents = (ids: readonly Uuid[], range: GrainRange): SQL =>
  sql`SELECT picked.id AS id, ${rawSql(eventNameJson("events"))} AS name, spaces.id AS spaceId, spaces.name AS spaceName, visits, visitors
    FROM (SELECT t.event_id AS id, sum(t.visits) AS visits, sum(t.visitors) AS visitors
      FROM json_each(${JSON.stringify(ids)}) given CROSS JOIN ${rangesJson([range])} CROSS JOIN visit_totals t ON t.event_id = given.value AND ${IN_RANGE}
      GROUP BY given.value) picked
    CROSS JOIN events ON events.id = picked.id CROSS JOIN spaces ON spaces.id = events.space_id
    ORDER BY visits DESC, picked.id`;

/** Lists of an event's parts, from the most visited days, months or years first, up to the limits above. */
const partsOfEvent = (scope: ReportScope, range: GrainRange): SQL =>
  sql`SELECT t.event_id AS eventId, t.parts AS parts FROM (SELECT at, own,
        sum(own) OVER (ORDER BY visits DESC, at ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (SELECT t.rowid AS at, t.visits AS visits, octet_length(t.parts) AS own FROM ${totalsIn(scope, [range])}
        ORDER BY t.visits DESC, t.rowid LIMIT ${rawSql(String(PARTS_ROWS_MAX))})) picked
    CROSS JOIN visit_totals t ON t.rowid = picked.at WHERE picked.bytes - picked.own < ${rawSql(String(PARTS_BYTES_MAX))}
    ORDER BY picked.bytes`;

interface PartsRow {
  readonly eventId: Uuid;
  readonly parts: string;
}

/** Adds up the lists of parts. SQL would cost more, because D1 counts every name in a list as a row read. */
function mergeParts(rows: readonly PartsRow[]): ScopePart[] {
  const sums = new Map<string, { name: string; count: number; eventId: Uuid }>();
  for (const { eventId, parts } of rows)
    for (const [name, count] of Object.entries(JSON.parse(parts) as VisitParts)) {
      const sum = sums.get(name);
      if (sum) sum.count += count;
      else sums.set(name, { name, count, eventId });
    }
  // A referrer that a page reports late is subtracted from the visits without one, which can make a count 0.
  const positiveSums = [...sums.values()].filter(({ count }) => count > 0);
  return positiveSums.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

const NUMBERS = VISIT_NUMBERS.map((name) => `t.${visitTotals[name].name} AS ${name}`).join(", ");

type TotalRow = VisitNumbers & { readonly grain: Grain; readonly period: string };

const toScopeTotal = ({ grain, period, ...numbers }: TotalRow): ScopeTotal => ({ grain, period, numbers });

/** Name, owner, group, time zone and source of a scope. */
const scopeRow = ({ kind, id }: ReportScope): SQL => {
  if (kind === "account")
    return sql`SELECT '""' AS name, id AS ownerId, NULL AS groupId, time_zone AS timeZone, 'null' AS source
      FROM users WHERE id = ${id} AND deleted_at IS NULL`;
  const selectScope = (name: string, from: SQL) =>
    sql`SELECT ${rawSql(name)} AS name, spaces.owner_id AS ownerId, spaces.group_id AS groupId, users.time_zone AS timeZone,
      spaces.source AS source FROM ${from} CROSS JOIN users ON users.id = spaces.owner_id
      WHERE spaces.deleted_at IS NULL AND users.deleted_at IS NULL`;
  if (kind === "space")
    return sql`${selectScope("json_quote(spaces.name)", sql`spaces`)} AND spaces.id = ${id}`;
  return sql`${selectScope(eventNameJson("events"), sql`events CROSS JOIN spaces ON spaces.id = events.space_id`)}
    AND events.id = ${id} AND events.deleted_at IS NULL`;
};

type PartLists = Parameters<typeof chooseMostVisited>[0];

/** Maximum number of rows that each query of changesIn reads. */
const CHANGES_MAX = 500;

/** Maximum number of events whose scenes are searched for product names. */
const SCENES_MAX = 10;

interface SceneProductRow {
  readonly eventId: Uuid;
  readonly id: string;
  readonly title: string;
}

interface ProductRow {
  readonly eventId: Uuid;
  readonly id: string;
  readonly tag: string | null;
  readonly ja: string | null;
  readonly en: string | null;
}

/**
 * Returns the store's name of a product in each language. If the store was not queried in a language, the name from the time of attaching the product
 * is used.
 */
function productName({ ja, en }: ProductRow, attachedName: string | null): Localized | string | null {
  if (ja === null && en === null) return attachedName;
  const name = { ja: ja ?? attachedName ?? "", en: en ?? attachedName ?? "" };
  return name.ja === name.en ? name.ja : name;
}

/** Parses the names of rows of events. */
const withParsedNames = <Row extends { readonly name: Localized }>(
  rows: readonly unknown[] = [],
): readonly Row[] =>
  (rows as readonly { readonly name: string }[]).map(
    (row) => ({ ...row, name: parseTexts(row.name) }) as Row,
  );

/** Queries for publications, their ends and mailed public links of some events, and for the minutes in which tags and media were added to one event. */
function changesIn({ events, additions, from, to }: ChangesQuery): readonly SQL[] {
  const isPublished = (side: string) => rawSql(`(c.${side} ->> 'statusId' = ${EVENT_STATUS.published})`);
  return [
    sql`SELECT c.event_id AS eventId, c.at AS at, iif(${isPublished("after")}, 'published', 'closed') AS kind, 1 AS count
      FROM json_each(${JSON.stringify(events)}) given CROSS JOIN event_changes c ON c.event_id = given.value AND c.item_type = 'event'
      WHERE c.at BETWEEN ${from} AND ${to} AND ${isPublished("after")} <> ${isPublished("before")}
      ORDER BY c.at DESC LIMIT ${rawSql(String(CHANGES_MAX))}`,
    // `a.at || a.id` is AUDIT_ORDER, the last key of the index of an event's entries.
    sql`SELECT a.resource_id AS eventId, a.at AS at, 'mailed' AS kind, 1 AS count
      FROM json_each(${JSON.stringify(events)}) given CROSS JOIN audit a ON a.resource_type = 'event' AND a.resource_id = given.value
      WHERE a.at || a.id BETWEEN ${from} AND ${`${to}~`} AND a.action = 'event_link_mailed' AND a.detail ->> 'mode' = 'published'
      ORDER BY a.at DESC LIMIT ${rawSql(String(CHANGES_MAX))}`,
    // Uses only columns of the index event_changes_marks, which contains CHANGE_ADDS.
    sql`SELECT event_id AS eventId, substr(at, 1, 16) || 'Z' AS at, iif(item_type = 'tag', 'tags', 'media') AS kind, count(*) AS count
      FROM event_changes WHERE event_id = ${additions ?? ""} AND item_type IN ('tag', 'media') AND ${rawSql(CHANGE_ADDS)}
        AND at BETWEEN ${from} AND ${to}
      GROUP BY 1, 2, 3 ORDER BY 2 DESC LIMIT ${rawSql(String(CHANGES_MAX))}`,
  ];
}

/** Reports of visits. The number of rows that `read` reads depends on the period, not on the number of spaces, events or visits. */
export function reportRepository(db: Db) {
  /** Reads the lists of parts of the most visited events, and the events themselves. */
  const readLists = (partLists: PartLists, range: GrainRange, limit: number) => {
    const { rows, events } = chooseMostVisited(partLists, limit);
    return runTogether(db, [
      // Row ids from the previous query, inlined: D1 accepts fewer parameters, and counts the values of a JSON list as rows.
      sql`SELECT event_id AS eventId, parts FROM visit_totals WHERE rowid IN (${rawSql(rows.map(Number).join(","))})`,
      selectEvents(events, range),
    ]);
  };
  return {
    /** Reads the scope of a report. Null if it does not exist or is in the trash. */
    async scope(scope: ReportScope): Promise<ScopeRecord | null> {
      const [rows = []] = await runTogether(db, [scopeRow(scope)]);
      const row = (rows as (Omit<ScopeRecord, "source" | "name"> & { source: string; name: string })[])[0];
      if (!row) return null;
      // An account has no source.
      const source: unknown = JSON.parse(row.source);
      return { ...row, name: parseName(row.name), source: source === null ? null : readStoredSource(source) };
    },

    async read({ scope, totals, parts, events, live }: ReportQuery): Promise<ReportRows> {
      const [totalRows, partLists, liveRows] = await runTogether(db, [
        sql`SELECT t.grain AS grain, t.period AS period, ${rawSql(NUMBERS)} FROM ${sumsIn(scope, totals)}`,
        scope.kind === "event" ? partsOfEvent(scope, parts) : mostVisitedIn(scope, parts),
        selectLive(scope, live),
      ]);
      const [partRows, eventRows] =
        scope.kind === "event" ? [partLists, []] : await readLists(partLists as PartLists, parts, events);
      return {
        totals: (totalRows as TotalRow[]).map(toScopeTotal),
        parts: mergeParts(partRows as readonly PartsRow[]),
        events: withParsedNames<ScopeEvent>(eventRows),
        live: (liveRows as { live: number }[])[0]?.live ?? 0,
      };
    },

    /** Events that had visits in a range, the most visited first. */
    async visited(scope: ManyEvents, range: GrainRange, limit: number): Promise<readonly ScopeEvent[]> {
      const [partLists] = await runTogether(db, [mostVisitedIn(scope, range)]);
      const [rows] = await runTogether(db, [
        selectEvents(chooseMostVisited(partLists as PartLists, limit).events, range),
      ]);
      return withParsedNames<ScopeEvent>(rows);
    },

    /** The most visited events of a space or an account on a day. */
    async visitedOn(scope: ManyEvents, day: string, limit: number): Promise<readonly Uuid[]> {
      const [rows = []] = await runTogether(db, [
        sql`SELECT event_id AS id FROM visit_ranks WHERE ${SUM_TABLES[scope.kind].id} = ${scope.id} AND grain = 'day' AND period = ${day}
          ORDER BY visits DESC, event_id DESC LIMIT ${limit}`,
      ]);
      return (rows as { id: Uuid }[]).map(({ id }) => id);
    },

    /** Returns the earliest of the times until which the stored visits of these events are complete; null if one of them has no such time. */
    async flushedAt(eventIds: readonly Uuid[]): Promise<Instant | null> {
      const [rows = []] = await runTogether(db, [
        sql`SELECT iif(count(*) = ${eventIds.length}, min(flushed_at), NULL) AS at FROM visit_rooms WHERE event_id IN ${sqlList(eventIds)}`,
      ]);
      return (rows as { at: Instant | null }[])[0]?.at ?? null;
    },

    /** Returns the number of visitors who are present in these minutes. */
    async live(scope: ReportScope, minutes: ReportQuery["live"]) {
      const [rows] = await runTogether(db, [selectLive(scope, minutes)]);
      return (rows as { live: number }[])[0]?.live ?? 0;
    },

    /**
     * Events in spaces of these owners and groups, by a part of their name or of their space's name. Events in the space of `exceptEventId` come
     * first, without that event.
     */
    async find({
      ownerIds,
      groupIds,
      exceptEventId,
      query,
      limit,
    }: {
      readonly ownerIds: readonly Uuid[];
      readonly groupIds: readonly Uuid[];
      readonly exceptEventId: Uuid;
      /** Normalised by nameKey. */
      readonly query: string;
      readonly limit: number;
    }): Promise<readonly Pick<ScopeEvent, "id" | "name" | "spaceName">[]> {
      const [rows] = await runTogether(db, [
        sql`SELECT events.id AS id, ${rawSql(eventNameJson("events"))} AS name, spaces.name AS spaceName
          FROM (SELECT id FROM spaces WHERE owner_id IN ${sqlList(ownerIds)} AND deleted_at IS NULL
            UNION SELECT id FROM spaces WHERE group_id IN ${sqlList(groupIds)} AND deleted_at IS NULL) own
          CROSS JOIN spaces ON spaces.id = own.id CROSS JOIN events ON events.space_id = spaces.id
          WHERE events.deleted_at IS NULL AND events.id <> ${exceptEventId}
            AND (instr(events.name_key_ja, ${query}) > 0 OR instr(events.name_key_en, ${query}) > 0
              OR instr(spaces.search_key, ${query}) > 0)
          ORDER BY events.space_id = (SELECT space_id FROM events WHERE id = ${exceptEventId}) DESC, events.created_at DESC, events.id
          LIMIT ${limit}`,
      ]);
      return withParsedNames<Pick<ScopeEvent, "id" | "name" | "spaceName">>(rows);
    },

    /**
     * Reads the names of tags, media and products, and the changes of the events.
     * @param products ids of products, each with an event that shows it
     */
    async details({
      tags,
      media,
      products,
      changes,
    }: {
      readonly tags: readonly Uuid[];
      readonly media: readonly Uuid[];
      readonly products: readonly { readonly number: string; readonly eventId: Uuid }[];
      readonly changes: ChangesQuery;
    }): Promise<ReportNames & { readonly changes: readonly ExplainingChange[] }> {
      const productsJson = JSON.stringify(
        products.map(({ number, eventId }) => [eventId, productIdOf(number) ?? "", number]),
      );
      const tagTitle = sql`SELECT product ->> 'title' FROM event_tags WHERE event_id = given.value ->> 0
        AND product ->> 'id' = given.value ->> 1 AND product IS NOT NULL LIMIT 1`;
      const storeTitle = (
        lang: Lang,
      ) => sql`SELECT title FROM visit_products WHERE event_id = given.value ->> 0
        AND number = given.value ->> 2 AND lang = ${lang}`;
      const sceneEventIds = [...new Set(products.map(({ eventId }) => eventId))].slice(0, SCENES_MAX);
      const [tagRows, mediaRows, productRows, sceneRows, ...changeRows] = await runTogether(db, [
        sql`SELECT id, title_ja AS ja, title_en AS en FROM event_tags WHERE id IN ${sqlList(tags)}`,
        sql`SELECT id, title_ja AS ja, title_en AS en FROM event_media WHERE id IN ${sqlList(media)}`,
        sql`SELECT given.value ->> 0 AS eventId, given.value ->> 1 AS id, (${tagTitle}) AS tag, (${storeTitle("ja")}) AS ja, (${storeTitle("en")}) AS en
          FROM json_each(${productsJson}) given`,
        // One query for all products, because D1 counts each product of a scene as a row.
        sql`SELECT event_id AS eventId, shown.value ->> 'id' AS id, shown.value ->> 'title' AS title
          FROM event_scenes CROSS JOIN json_each(event_scenes.products) shown WHERE event_id IN ${sqlList(sceneEventIds)}`,
        ...changesIn(changes),
      ]);
      const toTitles = (rows: readonly unknown[] | undefined): Record<Uuid, Localized> =>
        Object.fromEntries(
          (rows as { id: Uuid; ja: string; en: string }[]).map(({ id, ja, en }) => [id, { ja, en }]),
        );
      const titlesInScenes = new Map(
        (sceneRows as SceneProductRow[]).map(({ eventId, id, title }) => [`${eventId} ${id}`, title]),
      );
      return {
        tags: toTitles(tagRows),
        media: toTitles(mediaRows),
        products: Object.fromEntries(
          (productRows as ProductRow[]).flatMap((row) => {
            const name = productName(row, row.tag ?? titlesInScenes.get(`${row.eventId} ${row.id}`) ?? null);
            return name === null ? [] : [[toIdNumber(row.id), name]];
          }),
        ),
        changes: changeRows.flat() as ExplainingChange[],
      };
    },
  };
}
