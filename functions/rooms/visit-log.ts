import { type FlushLists, flushLists } from "#functions/data/analytics/visits";
import {
  getDay,
  partKey,
  VISIT_DAYS,
  type VisitorOfDay,
  type VisitRecord,
  visitorKey,
} from "~/domain/analytics/visit";
import { type StoredVisitState, tally, type VisitorState } from "~/domain/analytics/visit-tally";
import { DAY_MS } from "~/domain/shared/day";
import type { Uuid } from "~/domain/shared/model";
import { addPart, hasPart, type PartRanges } from "./part-ranges";
import { readCall, type StoredCall } from "./visit-call";

/** The part of Durable Object storage that the log uses. */
export interface RoomStorage {
  readonly sql: {
    exec(query: string, ...bindings: (string | number | null)[]): { toArray(): Record<string, unknown>[] };
  };
  /** Runs statements that are applied all together or not at all. */
  transactionSync<T>(run: () => T): T;
}

/** Approximate number of parts that are counted together and written to D1 in one flush. */
export const FLUSH_PARTS = 500;
/** Maximum length of the lists of a flush, in characters. In any script they are shorter than the 2,000,000 bytes that D1 and the room accept. */
const FLUSH_CHARACTERS_MAX = 600_000;
/** Time for which calls and flushes are kept, in milliseconds. After D1 is restored to a time within this period, a room sends the lost flushes again. */
const LOG_RETENTION_MS = 7 * DAY_MS;
/** Time for which erasures are kept, in milliseconds. Longer than the 30 days of D1's point-in-time recovery. */
const ERASURE_RETENTION_MS = 40 * DAY_MS;
/** Number of days for which the states of visitors are kept. In no time zone does a day's salt exist for longer. */
const VISITOR_DAYS = 2;

const CREATE_TABLES = `
CREATE TABLE calls (id INTEGER PRIMARY KEY, isolate TEXT NOT NULL, sequence INTEGER NOT NULL, received_at INTEGER NOT NULL,
  time_zone TEXT NOT NULL, count INTEGER NOT NULL, signs TEXT NOT NULL, UNIQUE (isolate, sequence));
CREATE TABLE visits (visit TEXT PRIMARY KEY, parts TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE visitors (day TEXT NOT NULL, visitor TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (day, visitor)) WITHOUT ROWID;
CREATE TABLE flushes (sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, sealed_at INTEGER NOT NULL, content TEXT NOT NULL);
CREATE TABLE settings (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;`;
/** Days (UTC) whose parts are in R2. Rooms from before this table get it when they are opened. */
const CREATE_ARCHIVES_TABLE = `
CREATE TABLE IF NOT EXISTS archives (day TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;`;
/** Columns of a StoredCall. */
const CALL_COLUMNS = "id, isolate, sequence, received_at AS receivedAt, time_zone AS timeZone, count, signs";
/** SQL expression for the day (UTC) of a call. */
const CALL_DAY_SQL = "date(received_at / 1000, 'unixepoch')";
/** Maximum number of calls that a room takes out of a shard at once, and their approximate length in characters. */
const CALLS_PER_TAKE = 200;
const TAKE_CHARACTERS_MAX = 2_000_000;
/** Number of calls that `partsBetween` reads with one query. */
const CALLS_PER_READ = 50;

/** A change for D1 that the room sends once: sums of visits, or the deletion of all earlier visits. */
export interface Flush {
  readonly sequence: number;
  readonly kind: "visits" | "erasure";
  readonly lists: FlushLists;
}

type Settings = {
  /** Random name of this storage. A room whose storage was lost starts again with another name. */
  room: string;
  event_id: Uuid;
  /** Id of the last sealed call: its parts are counted in a flush. */
  sealed: number;
  /** Sequence of the last flush. */
  sequence: number;
  /** Sequence that D1 had at the last successful flush. */
  flushed: number;
  /** Parts from before this time are not counted, in milliseconds since 1970. */
  erased_before: number;
  /** Time at which the event was first missing in D1, in milliseconds since 1970; 0 while D1 has it. */
  missing_since: number;
  /** See VisitLog.shard and VisitLog.shards. */
  shard: number;
  shards: number;
};

/** Settings that rooms from before decision 104 lack. */
const NEW_SETTINGS: Partial<Settings> = { shard: 0, shards: 1 };

/** The log of a room: stores calls, seals them (counts their parts), and keeps the flushes for D1. All methods are synchronous. */
export class VisitLog {
  readonly #storage: RoomStorage;
  #exists = false;
  #nextCallId = 1;
  #pendingParts = 0;
  #shard = 0;
  #shards = 1;

  constructor(storage: RoomStorage) {
    this.#storage = storage;
    this.reload();
  }

  /** Reads the storage again, for example after the room deleted it. */
  reload(): void {
    this.#exists = this.#query("SELECT 1 FROM sqlite_master WHERE name = 'settings'").length > 0;
    if (!this.#exists) return;
    this.#query(CREATE_ARCHIVES_TABLE);
    this.#readPosition();
    this.#shard = this.getSetting("shard");
    this.#shards = this.getSetting("shards");
  }

  /** False while the room has stored nothing. */
  get exists(): boolean {
    return this.#exists;
  }

  /** Number of this shard (decision 104); 0 for the room itself. */
  get shard(): number {
    return this.#exists ? this.#shard : 0;
  }

  /** Number of shards to which isolates send their calls; 1 if they call the room itself. */
  get shards(): number {
    return this.#exists ? this.#shards : 1;
  }

  /** Changes the number of shards. The room must exist. */
  setShards(shards: number): void {
    this.setSetting("shards", shards);
    this.#shards = shards;
  }

  /** Number of parts that are not counted yet. */
  get pendingParts(): number {
    return this.#pendingParts;
  }

  /** Returns a setting. The room must exist. */
  getSetting<Name extends keyof Settings>(name: Name): Settings[Name] {
    const [row] = this.#query("SELECT value FROM settings WHERE name = ?", name);
    return (row ? row.value : NEW_SETTINGS[name]) as Settings[Name];
  }

  /** Changes a setting. The room must exist. */
  setSetting<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
    if (this.getSetting(name) !== value)
      this.#query("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", name, value);
  }

  /** Creates the tables of an event's room, or of one of its shards. Does nothing if they exist. */
  create(eventId: Uuid, room: string, shard = 0): void {
    if (this.#exists) return;
    this.#storage.transactionSync(() => {
      this.#query(CREATE_TABLES + CREATE_ARCHIVES_TABLE);
      const settings: Settings = {
        room,
        event_id: eventId,
        sealed: 0,
        sequence: 0,
        flushed: 0,
        erased_before: 0,
        missing_since: 0,
        shard,
        shards: 1,
      };
      for (const [name, value] of Object.entries(settings))
        this.#query("INSERT INTO settings (name, value) VALUES (?, ?)", name, value);
    });
    this.#exists = true;
    this.#shard = shard;
    this.#shards = 1;
  }

  /**
   * Stores a call. A call that is already stored is not stored again.
   * @returns "known" for a call that is already stored, and "reused" if the isolate sent other parts with the same number; these parts are stored too
   */
  record(
    { isolate, sequence, timeZone, count, signs }: Omit<StoredCall, "id" | "receivedAt">,
    now: number,
  ): "new" | "known" | "reused" {
    const [storedCall] = this.#query(
      "SELECT signs FROM calls WHERE isolate = ? AND sequence = ?",
      isolate,
      sequence,
    );
    if (storedCall?.signs === signs) return "known";
    const id = this.#nextCallId;
    this.#query(
      "INSERT INTO calls (id, isolate, sequence, received_at, time_zone, count, signs) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[id, storedCall ? `${isolate} ${id}` : isolate, sequence, now, timeZone, count, signs],
    );
    this.#nextCallId++;
    this.#pendingParts += count;
    return storedCall ? "reused" : "new";
  }

  /** Stores the calls of a shard, all or none. Those that are already stored are not stored again. */
  recordAll(calls: readonly StoredCall[]): void {
    this.#storage.transactionSync(() => {
      for (const call of calls) this.record(call, call.receivedAt);
    });
  }

  /** Deletes the calls of this shard up to an id, which the event's room has, and returns the next ones: as many as one message may contain. */
  takeCalls(taken: number): readonly StoredCall[] {
    if (taken > 0) {
      this.setSetting("sealed", taken);
      this.#query("DELETE FROM calls WHERE id <= ?", taken);
      this.#readPosition();
    }
    const rows = this.#query(
      `SELECT ${CALL_COLUMNS} FROM calls ORDER BY id LIMIT ?`,
      CALLS_PER_TAKE,
    ) as unknown as StoredCall[];
    let length = 0;
    return rows.filter(({ signs }) => {
      length += signs.length;
      return length - signs.length < TAKE_CHARACTERS_MAX;
    });
  }

  /**
   * Seals the next calls: counts about FLUSH_PARTS parts and stores their sums as the next flush.
   * @returns the numbers of invalid parts and of parts whose time was repaired; null if no call was waiting
   */
  seal(now: number): { readonly invalid: number; readonly repaired: number } | null {
    const calls = this.#readNextCalls();
    for (let size = calls.length; size > 0; size = Math.floor(size / 2)) {
      const result = this.#storage.transactionSync(() =>
        this.#sealCalls(calls.slice(0, size), size === 1, now),
      );
      if (result) return result;
    }
    return null;
  }

  /** Returns the first flush with a higher sequence; null when there is none. */
  flushAfter(sequence: number): Flush | null {
    const [row] = this.#query(
      "SELECT sequence, kind, content FROM flushes WHERE sequence > ? ORDER BY sequence LIMIT 1",
      sequence,
    );
    if (!row) return null;
    const { content, ...flush } = row as { sequence: number; kind: Flush["kind"]; content: string };
    return { ...flush, lists: JSON.parse(content) as FlushLists };
  }

  /** Renumbers the flushes that D1 does not have, so that they follow the last flush of another storage in D1. */
  renumber(sequence: number): void {
    this.#storage.transactionSync(() => {
      const waiting = this.#query(
        "SELECT sequence FROM flushes WHERE sequence > ? ORDER BY sequence DESC",
        this.getSetting("flushed"),
      ).map((row) => row.sequence as number);
      const shift = sequence - (waiting.at(-1) ?? sequence + 1) + 1;
      // The order prevents that two flushes have the same sequence for a moment.
      for (const oldSequence of shift > 0 ? waiting : waiting.toReversed())
        this.#query("UPDATE flushes SET sequence = ? WHERE sequence = ?", oldSequence + shift, oldSequence);
      this.setSetting("flushed", sequence);
      this.setSetting("sequence", sequence + waiting.length);
    });
  }

  /** Deletes all parts that were reported before a time, and stores a flush that deletes them in D1. */
  erase(before: number, now: number): void {
    this.#storage.transactionSync(() => {
      this.setSetting("erased_before", Math.max(before, this.getSetting("erased_before")));
      this.#query("DELETE FROM flushes WHERE kind = 'visits'");
      this.#query("DELETE FROM calls WHERE id <= ? OR received_at < ?", this.getSetting("sealed"), before);
      this.#query("DELETE FROM visitors");
      this.expireArchives();
      this.#addFlush("erasure", { hours: "[]", moved: "[]", titles: "[]" }, now);
      this.#readPosition();
    });
  }

  /** Days (UTC) with calls that ended before a time, or at it, and are not in R2 yet, in order. */
  daysToArchive(before: number): readonly string[] {
    return this.#query(
      `SELECT DISTINCT ${CALL_DAY_SQL} AS day FROM calls WHERE received_at < ? AND day NOT IN (SELECT day FROM archives) ORDER BY day`,
      Math.floor(before / DAY_MS) * DAY_MS,
    ).map(({ day }) => day as string);
  }

  /** Days that are in R2, in order. */
  get archivedDays(): readonly string[] {
    return this.#query("SELECT day FROM archives WHERE expires_at > 0 ORDER BY day").map(
      ({ day }) => day as string,
    );
  }

  /** Days whose parts must be deleted from R2. */
  expiredArchives(now: number): readonly string[] {
    return this.#query("SELECT day FROM archives WHERE expires_at <= ? ORDER BY day", now).map(
      ({ day }) => day as string,
    );
  }

  /** Records that the parts of a day are in R2. */
  setArchived(day: string): void {
    const expiresAt = Date.parse(day) + (VISIT_DAYS + 1) * DAY_MS;
    this.#query("INSERT OR REPLACE INTO archives (day, expires_at) VALUES (?, ?)", day, expiresAt);
  }

  /** Records that R2 no longer has the parts of a day. */
  forgetArchive(day: string): void {
    this.#query("DELETE FROM archives WHERE day = ?", day);
  }

  /** Marks all archives as expired, so that their parts are deleted from R2. */
  expireArchives(): void {
    this.#query("UPDATE archives SET expires_at = 0");
  }

  /**
   * Yields the parts that were received in a time range. Like in the counts, repeated and erased parts are left out.
   * @param since start of the range, in milliseconds since 1970
   * @param until end of the range, which is excluded
   */
  *partsBetween(since: number, until = Number.MAX_SAFE_INTEGER): Generator<VisitRecord> {
    const eventId = this.getSetting("event_id");
    const erasedBefore = this.getSetting("erased_before");
    const reported = new Map<string, PartRanges>();
    for (let last = 0; ; ) {
      const calls = this.#query(
        `SELECT ${CALL_COLUMNS} FROM calls WHERE id > ? AND received_at >= ? AND received_at < ? ORDER BY id LIMIT ?`,
        ...[last, since, until, CALLS_PER_READ],
      ) as unknown as StoredCall[];
      for (const call of calls)
        for (const record of readCall(call, eventId).records) {
          const reportedRanges = reported.get(record.visit) ?? [];
          if (record.at < erasedBefore || hasPart(reportedRanges, record.part)) continue;
          reported.set(record.visit, addPart(reportedRanges, record.part));
          yield record;
        }
      if (calls.length < CALLS_PER_READ) return;
      last = calls.at(-1)?.id ?? last;
    }
  }

  /**
   * Deletes expired calls, flushes and states. Calls are kept until their parts are in R2.
   * @param isStorageFull whether to delete counted calls of any age, if D1 has their flushes
   */
  prune(now: number, isStorageFull = false): void {
    const keptSince = isStorageFull ? now : now - LOG_RETENTION_MS;
    const oldestDay = new Date(now - VISITOR_DAYS * DAY_MS).toISOString().slice(0, 10);
    const flushed = this.getSetting("flushed");
    this.#storage.transactionSync(() => {
      this.#query(
        `DELETE FROM calls WHERE id <= ? AND received_at <= ? AND (received_at < ? OR ${CALL_DAY_SQL} IN (SELECT day FROM archives))`,
        // Calls are older than the flush that contains them.
        this.flushAfter(flushed) ? 0 : this.getSetting("sealed"),
        keptSince,
        // Calls from before this time have expired in R2 as well.
        isStorageFull ? now + 1 : now - (VISIT_DAYS + 1) * DAY_MS,
      );
      this.#query(
        "DELETE FROM flushes WHERE sequence <= ? AND sealed_at < iif(kind = 'visits', ?, ?)",
        ...[flushed, keptSince, now - ERASURE_RETENTION_MS],
      );
      this.#query("DELETE FROM visits WHERE at < ?", now - LOG_RETENTION_MS);
      this.#query("DELETE FROM visitors WHERE day < ?", oldestDay);
    });
  }

  /** Whether the storage contains data that must be deleted later. */
  get hasExpiringData(): boolean {
    return (
      this.#query(
        "SELECT 1 FROM calls UNION ALL SELECT 1 FROM flushes UNION ALL SELECT 1 FROM visits UNION ALL SELECT 1 FROM archives LIMIT 1",
      ).length > 0
    );
  }

  #query(query: string, ...bindings: (string | number | null)[]): Record<string, unknown>[] {
    return this.#storage.sql.exec(query, ...bindings).toArray();
  }

  #readPosition(): void {
    const sealed = this.getSetting("sealed");
    const [row] = this.#query(
      "SELECT coalesce(max(id), 0) AS last, coalesce(sum(iif(id > ?, count, 0)), 0) AS pending FROM calls",
      sealed,
    );
    this.#nextCallId = Math.max(sealed, Number(row?.last)) + 1;
    this.#pendingParts = Number(row?.pending);
  }

  #readNextCalls(): readonly StoredCall[] {
    const rows = this.#query(
      `SELECT ${CALL_COLUMNS} FROM calls WHERE id > ? ORDER BY id LIMIT ?`,
      this.getSetting("sealed"),
      FLUSH_PARTS,
    ) as unknown as StoredCall[];
    let parts = 0;
    return rows.filter(({ count }) => {
      parts += count;
      return parts - count < FLUSH_PARTS;
    });
  }

  /** Seals calls. Returns null, without any change, when their lists are too long, unless there is only one call. */
  #sealCalls(calls: readonly StoredCall[], isSingleCall: boolean, now: number) {
    const eventId = this.getSetting("event_id");
    const readCalls = calls.map((call) => readCall(call, eventId));
    const records = readCalls.flatMap((call) => call.records);
    const rangesByVisit = this.#rangesOf(records);
    const sums = tally(records, this.#storedState(records, rangesByVisit));
    const lists = flushLists(sums);
    if (!isSingleCall && Object.values(lists).some(({ length }) => length > FLUSH_CHARACTERS_MAX))
      return null;

    for (const { visit, part } of sums.newParts)
      rangesByVisit.set(visit, addPart(rangesByVisit.get(visit) ?? [], part));
    for (const visit of new Set(sums.newParts.map((record) => record.visit)))
      this.#query(
        "INSERT INTO visits (visit, parts, at) VALUES (?, ?, ?) ON CONFLICT (visit) DO UPDATE SET parts = excluded.parts, at = excluded.at",
        ...[visit, JSON.stringify(rangesByVisit.get(visit)), now],
      );
    for (const { day, visitor, state } of sums.visitors)
      this.#query(
        "INSERT INTO visitors (day, visitor, state) VALUES (?, ?, ?) ON CONFLICT (day, visitor) DO UPDATE SET state = excluded.state",
        ...[day, visitor, JSON.stringify(state)],
      );
    if (sums.newParts.length > 0) this.#addFlush("visits", lists, now);
    this.setSetting("sealed", calls.at(-1)?.id ?? 0);
    this.#pendingParts = Math.max(0, this.#pendingParts - calls.reduce((sum, { count }) => sum + count, 0));
    return {
      invalid: readCalls.reduce((sum, call) => sum + call.invalid, 0),
      repaired: readCalls.reduce((sum, call) => sum + call.repaired, 0),
    };
  }

  #rangesOf(records: readonly VisitRecord[]): Map<string, PartRanges> {
    const rows = this.#query(
      "SELECT visit, parts FROM visits WHERE visit IN (SELECT value FROM json_each(?))",
      JSON.stringify([...new Set(records.map(({ visit }) => visit))]),
    ) as { visit: string; parts: string }[];
    return new Map(rows.map(({ visit, parts }) => [visit, JSON.parse(parts) as PartRanges]));
  }

  #storedState(
    records: readonly VisitRecord[],
    rangesByVisit: ReadonlyMap<string, PartRanges>,
  ): StoredVisitState {
    const eventId = this.getSetting("event_id");
    const visitors = new Map<string, VisitorOfDay>(
      records.map(({ hour, visitor }) => {
        const visitorOfDay = { day: getDay(hour), eventId, visitor };
        return [visitorKey(visitorOfDay), visitorOfDay];
      }),
    );
    const rows = this.#query(
      `SELECT v.day AS day, v.visitor AS visitor, v.state AS state FROM json_each(?) visitor_key
        CROSS JOIN visitors v ON v.day = visitor_key.value ->> 0 AND v.visitor = visitor_key.value ->> 1`,
      JSON.stringify([...visitors.values()].map(({ day, visitor }) => [day, visitor])),
    ) as { day: string; visitor: string; state: string }[];
    return {
      parts: new Set(
        records.filter(({ visit, part }) => hasPart(rangesByVisit.get(visit) ?? [], part)).map(partKey),
      ),
      visitors: new Map(
        rows.map(({ day, visitor, state }) => [
          visitorKey({ day, eventId, visitor }),
          JSON.parse(state) as VisitorState,
        ]),
      ),
      erased: new Map([[eventId, this.getSetting("erased_before")]]),
    };
  }

  #addFlush(kind: Flush["kind"], lists: FlushLists, now: number): void {
    const sequence = this.getSetting("sequence") + 1;
    this.#query(
      "INSERT INTO flushes (sequence, kind, sealed_at, content) VALUES (?, ?, ?, ?)",
      ...[sequence, kind, now, JSON.stringify(lists)],
    );
    this.setSetting("sequence", sequence);
  }
}
