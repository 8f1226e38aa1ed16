import { type FlushLists, flushLists } from "#functions/data/analytics/visits";
import type { TimeRange } from "#functions/services/analytics/visit-ports";
import {
  dayOfHour,
  partKey,
  VISIT_DAYS,
  type VisitorOfDay,
  type VisitRecord,
  visitorKey,
} from "~/domain/analytics/visit";
import { type StoredVisitState, tally, type VisitorState } from "~/domain/analytics/visit-tally";
import { DAY_MS } from "~/domain/shared/day";
import type { Uuid } from "~/domain/shared/model";
import { ARCHIVED_DAYS_SQL, ArchiveIndex, CALL_DAY_SQL } from "./archive-index";
import { addPart, hasPart, type PartRanges } from "./part-ranges";
import {
  CREATE_ARCHIVES_TABLE,
  createTables,
  getSetting,
  type RoomStorage,
  type Settings,
  setSetting,
} from "./room-tables";
import { readCall, type StoredCall } from "./visit-call";

/** Approximate number of parts of visits (reports of visitors' pages) that are counted together and written to D1 in one flush. */
export const FLUSH_PARTS = 500;
/** Maximum length of the lists of a flush together, in characters. In any script a row with them is shorter than the 2,000,000 bytes that a room accepts. */
const FLUSH_CHARACTERS_MAX = 600_000;
/** Approximate maximum length of the calls that are counted together, in characters. */
const SEAL_CHARACTERS_MAX = 2_000_000;
/** Approximate length of the calls that a full room moves to R2 together, in characters. */
const FREED_CHARACTERS = 8_000_000;
/** Time for which calls and flushes are kept, in milliseconds. After D1 is restored to a time within this period, a room sends the lost flushes again. */
const LOG_RETENTION_MS = 7 * DAY_MS;
/** Time for which erasures are kept, in milliseconds. Longer than the 30 days of D1's point-in-time recovery. */
const ERASURE_RETENTION_MS = 40 * DAY_MS;
/** Number of days for which the states of visitors are kept. In no time zone does a day's salt exist for longer. */
const VISITOR_DAYS = 2;

/** Columns of a StoredCall. */
const CALL_COLUMNS = "id, isolate, sequence, received_at AS receivedAt, time_zone AS timeZone, count, signs";
/** Maximum number of calls that a room takes out of a shard at once. */
const CALLS_PER_TAKE = 200;
/** Approximate maximum length of these calls together, in characters. */
const TAKE_CHARACTERS_MAX = 2_000_000;
/** Number of calls that are read with one query. Each has up to 262,144 characters, and an object has 128 MB of memory. */
const CALLS_PER_READ = 10;

/** A change that D1 applies once: sums of visits, or the deletion of all earlier visits. */
export interface Flush {
  readonly sequence: number;
  readonly kind: "visits" | "erasure";
  readonly lists: FlushLists;
}

/** Counted calls of a day (UTC): all calls of the log up to an id. */
export interface CountedCalls extends TimeRange {
  readonly day: string;
  readonly lastId: number;
}

/** The log of a room: stores calls (messages with parts of visits), seals them (counts their parts), and keeps the flushes (sums for D1). All methods are synchronous. */
export class VisitLog {
  readonly #storage: RoomStorage;
  /** The objects with parts in R2. */
  readonly archives: ArchiveIndex;
  #exists = false;
  #erasures = 0;
  #nextCallId = 1;
  #pendingParts = 0;
  #shard = 0;
  #shards = 1;

  constructor(storage: RoomStorage) {
    this.#storage = storage;
    this.archives = new ArchiveIndex(storage);
    this.reload();
  }

  /** Reads the storage again, for example after the room deleted it. */
  reload(): void {
    this.#exists = this.#query("SELECT 1 FROM sqlite_master WHERE name = 'settings'").length > 0;
    if (!this.#exists) return;
    this.#query(CREATE_ARCHIVES_TABLE);
    this.#readCounters();
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

  /** Changes the number of shards. The room must exist. @param grownAt time of the addition, if shards are added */
  setShards(shards: number, grownAt?: number): void {
    this.setSetting("shards", shards);
    if (grownAt !== undefined) this.setSetting("grown_at", grownAt);
    this.#shards = shards;
  }

  /** Number of erasures since this process of the room started. */
  get erasures(): number {
    return this.#erasures;
  }

  /** Number of parts that are not counted yet. */
  get pendingParts(): number {
    return this.#pendingParts;
  }

  /** Returns a setting. The room must exist. */
  getSetting<Name extends keyof Settings>(name: Name): Settings[Name] {
    return getSetting(this.#storage, name);
  }

  /** Changes a setting. The room must exist. */
  setSetting<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
    setSetting(this.#storage, name, value);
  }

  /**
   * Creates the tables of an event's room, or of one of its shards. Does nothing if they exist.
   * @param storageName a random name, by which this storage differs from an earlier one of the room
   */
  create(eventId: Uuid, storageName: string, shard = 0): void {
    if (this.#exists) return;
    createTables(this.#storage, { room: storageName, event_id: eventId, shard });
    this.#exists = true;
    this.#shard = shard;
    this.#shards = 1;
  }

  /**
   * Stores a call. A call that is already stored is not stored again.
   * @returns "known" for a call that is already stored, "reused" if the isolate sent other parts with the same number, and "unordered" if it sent a higher
   * number before; the parts of such calls are stored too
   */
  record(
    { isolate, sequence, timeZone, count, signs }: Omit<StoredCall, "id" | "receivedAt">,
    now: number,
  ): "new" | "known" | "reused" | "unordered" {
    const [sameOrLaterCall] = this.#query(
      "SELECT sequence, signs FROM calls WHERE isolate = ? AND sequence >= ? ORDER BY sequence LIMIT 1",
      isolate,
      sequence,
    );
    const isNumberUsed = sameOrLaterCall?.sequence === sequence;
    if (isNumberUsed && sameOrLaterCall.signs === signs) return "known";
    const id = this.#nextCallId;
    this.#query(
      "INSERT INTO calls (id, isolate, sequence, received_at, time_zone, count, signs) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[id, isNumberUsed ? `${isolate} ${id}` : isolate, sequence, now, timeZone, count, signs],
    );
    this.#nextCallId++;
    this.#pendingParts += count;
    if (isNumberUsed) return "reused";
    return sameOrLaterCall ? "unordered" : "new";
  }

  /** Stores the calls of a shard, all or none. Those that are already stored are not stored again. */
  recordAll(calls: readonly StoredCall[]): void {
    try {
      this.#storage.transactionSync(() => {
        for (const call of calls) this.record(call, call.receivedAt);
      });
    } catch (error) {
      // The transaction has also undone the calls before the error.
      this.#readCounters();
      throw error;
    }
  }

  /** Deletes the calls of this shard up to an id, which the event's room has, and returns the next ones: as many as one message may contain. */
  takeCalls(storedUntil: number): readonly StoredCall[] {
    if (storedUntil > 0) {
      this.setSetting("sealed", storedUntil);
      this.#query("DELETE FROM calls WHERE id <= ?", storedUntil);
      this.#readCounters();
    }
    const calls: StoredCall[] = [];
    let length = 0;
    for (const call of this.#callsAfter(0)) {
      calls.push(call);
      length += call.signs.length;
      if (calls.length === CALLS_PER_TAKE || length >= TAKE_CHARACTERS_MAX) break;
    }
    return calls;
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

  /**
   * Renumbers the flushes that D1 never had, so that they follow the last flush in D1, which another storage of this room sent. Flushes that D1 had and lost
   * keep their numbers, which are higher.
   */
  renumber(sequence: number): void {
    this.#storage.transactionSync(() => {
      const waitingSequences = this.#query(
        "SELECT sequence FROM flushes WHERE sequence > ? ORDER BY sequence DESC",
        this.getSetting("flushed"),
      ).map((row) => row.sequence as number);
      const shift = Math.max(0, sequence + 1 - (waitingSequences.at(-1) ?? Number.POSITIVE_INFINITY));
      // The highest number is changed first, so that no two flushes have the same number for a moment.
      if (shift > 0)
        for (const oldSequence of waitingSequences)
          this.#query("UPDATE flushes SET sequence = ? WHERE sequence = ?", oldSequence + shift, oldSequence);
      this.setSetting("flushed", sequence);
      this.setSetting("sequence", Math.max(sequence, this.getSetting("sequence") + shift));
    });
  }

  /** Deletes all parts that were reported before a time, and stores a flush that deletes all visits in D1. Later calls are counted again. */
  erase(before: number, now: number): void {
    this.#storage.transactionSync(() => {
      this.setSetting("erased_before", Math.max(before, this.getSetting("erased_before")));
      this.#query("DELETE FROM flushes WHERE kind = 'visits'");
      this.#query("DELETE FROM calls WHERE received_at < ?", before);
      this.#query("DELETE FROM visits");
      this.#query("DELETE FROM visitors");
      this.setSetting("sealed", 0);
      this.setSetting("lost_since", 0);
      // The next alarm deletes the objects in R2 if they cannot be deleted now.
      this.setSetting("maintained_on", "");
      // Objects that the index does not have are deleted, too.
      this.setSetting("objects_listed", 1);
      this.archives.expireAll();
      this.#erasures++;
      this.#addFlush("erasure", { hours: "[]", moved: "[]", titles: "[]" }, now);
      this.#readCounters();
    });
  }

  /**
   * Yields the parts that were received in a time range. Like in the counts, repeated and erased parts are left out.
   * @param since start of the range, in milliseconds since 1970
   * @param until end of the range, which is excluded
   */
  *partsBetween(since: number, until = Number.MAX_SAFE_INTEGER): Generator<VisitRecord> {
    yield* this.#partsOf(this.#callsAfter(0, "received_at >= ? AND received_at < ?", since, until));
  }

  /** Yields the parts of the calls up to an id, like partsBetween. */
  *partsUntil(lastId: number): Generator<VisitRecord> {
    yield* this.#partsOf(this.#callsAfter(0, "id <= ?", lastId));
  }

  /** The oldest counted calls, of one day and about FREED_CHARACTERS long; null if there is none. */
  oldestCountedCalls(): CountedCalls | null {
    let calls = null as CountedCalls | null;
    let length = 0;
    for (const { id, receivedAt, signs } of this.#callsAfter(0, "id <= ?", this.getSetting("sealed"))) {
      const day = new Date(receivedAt).toISOString().slice(0, 10);
      length += signs.length;
      if (calls && (calls.day !== day || length > FREED_CHARACTERS)) break;
      // Calls of shards keep the time of their arrival there, so they are not in the order of their times.
      calls = {
        day,
        lastId: id,
        since: Math.min(receivedAt, calls?.since ?? receivedAt),
        until: Math.max(receivedAt, calls?.until ?? receivedAt),
      };
    }
    return calls;
  }

  /**
   * Deletes the calls that oldestCountedCalls returned.
   * @param outcome name of the object in R2 that has their parts, or whether their parts are lost
   */
  deleteCountedCalls(
    { lastId, since, until }: CountedCalls,
    outcome: { readonly archive?: string; readonly areLost?: boolean } = {},
  ): void {
    this.#storage.transactionSync(() => {
      this.#query("DELETE FROM calls WHERE id <= ?", lastId);
      if (outcome.archive !== undefined) this.archives.finish(outcome.archive, true);
      if (!outcome.areLost) return;
      this.setSetting("lost_since", Math.min(since, this.getSetting("lost_since") || since));
      this.setSetting("lost_until", Math.max(until, this.getSetting("lost_until")));
    });
  }

  /** Deletes all flushes of visits that D1 has. D1 can then not be repaired after a restore. Returns false if there is none. */
  deleteSentFlushes(): boolean {
    const condition = "kind = 'visits' AND sequence <= ?";
    const flushed = this.getSetting("flushed");
    if (this.#query(`SELECT 1 FROM flushes WHERE ${condition} LIMIT 1`, flushed).length === 0) return false;
    this.#query(`DELETE FROM flushes WHERE ${condition}`, flushed);
    return true;
  }

  /** Time range of calls whose parts are lost, because the storage was full and R2 failed; null if there is none. */
  get lostParts(): TimeRange | null {
    const since = this.getSetting("lost_since");
    return since === 0 ? null : { since, until: this.getSetting("lost_until") };
  }

  /** Deletes expired calls, flushes and states. Calls are kept until their parts are in R2, or would have expired there. */
  prune(now: number): void {
    const keptSince = now - LOG_RETENTION_MS;
    const oldestDay = new Date(now - VISITOR_DAYS * DAY_MS).toISOString().slice(0, 10);
    const flushed = this.getSetting("flushed");
    // Parts from before this time have expired in R2 as well.
    const expiredBefore = now - (VISIT_DAYS + 1) * DAY_MS;
    this.#storage.transactionSync(() => {
      this.#query(
        `DELETE FROM calls WHERE id <= ? AND received_at <= ? AND (received_at < ? OR ${CALL_DAY_SQL} IN (${ARCHIVED_DAYS_SQL}))`,
        // No call is deleted while D1 lacks a flush.
        this.flushAfter(flushed) ? 0 : this.getSetting("sealed"),
        keptSince,
        expiredBefore,
      );
      this.#query(
        "DELETE FROM flushes WHERE sequence <= ? AND sealed_at < iif(kind = 'visits', ?, ?)",
        ...[flushed, keptSince, now - ERASURE_RETENTION_MS],
      );
      this.#query("DELETE FROM visits WHERE at < ?", keptSince);
      this.#query("DELETE FROM visitors WHERE day < ?", oldestDay);
      if (this.getSetting("lost_until") < expiredBefore) this.setSetting("lost_since", 0);
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

  #readCounters(): void {
    const sealed = this.getSetting("sealed");
    const [row] = this.#query(
      "SELECT coalesce(max(id), 0) AS last, coalesce(sum(iif(id > ?, count, 0)), 0) AS pending FROM calls",
      sealed,
    );
    this.#nextCallId = Math.max(sealed, Number(row?.last)) + 1;
    this.#pendingParts = Number(row?.pending);
  }

  *#partsOf(calls: Iterable<StoredCall>): Generator<VisitRecord> {
    const eventId = this.getSetting("event_id");
    const erasedBefore = this.getSetting("erased_before");
    const reported = new Map<string, PartRanges>();
    for (const call of calls)
      for (const record of readCall(call, eventId).records) {
        const reportedRanges = reported.get(record.visit) ?? [];
        if (record.at < erasedBefore || hasPart(reportedRanges, record.part)) continue;
        reported.set(record.visit, addPart(reportedRanges, record.part));
        yield record;
      }
  }

  /** Yields the calls with a higher id in order. Few of them are in memory at a time. */
  *#callsAfter(id: number, condition = "true", ...bindings: number[]): Generator<StoredCall> {
    for (let lastId = id; ; ) {
      const calls = this.#query(
        `SELECT ${CALL_COLUMNS} FROM calls WHERE id > ? AND ${condition} ORDER BY id LIMIT ?`,
        ...[lastId, ...bindings, CALLS_PER_READ],
      ) as unknown as StoredCall[];
      yield* calls;
      if (calls.length < CALLS_PER_READ) return;
      lastId = calls.at(-1)?.id ?? lastId;
    }
  }

  #readNextCalls(): readonly StoredCall[] {
    const calls: StoredCall[] = [];
    let [parts, length] = [0, 0];
    for (const call of this.#callsAfter(this.getSetting("sealed"))) {
      calls.push(call);
      parts += call.count;
      length += call.signs.length;
      if (parts >= FLUSH_PARTS || calls.length === FLUSH_PARTS || length >= SEAL_CHARACTERS_MAX) break;
    }
    return calls;
  }

  /** Seals calls. Returns null, without any change, when their lists are too long, unless there is only one call. */
  #sealCalls(calls: readonly StoredCall[], isSingleCall: boolean, now: number) {
    const eventId = this.getSetting("event_id");
    const readCalls = calls.map((call) => readCall(call, eventId));
    const records = readCalls.flatMap((call) => call.records);
    const rangesByVisit = this.#rangesOf(records);
    const sums = tally(records, this.#storedState(records, rangesByVisit));
    const lists = flushLists(sums);
    if (!isSingleCall && Object.values(lists).join("").length > FLUSH_CHARACTERS_MAX) return null;

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
        const visitorOfDay = { day: dayOfHour(hour), eventId, visitor };
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
