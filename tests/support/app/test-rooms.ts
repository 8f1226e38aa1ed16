/** Rooms of events (which count their visits) in this process. Each room's log is in SQLite in memory, and is flushed after every call. */
import { DatabaseSync } from "node:sqlite";
import type { RoomStorage } from "#functions/rooms/room-tables";
import { compressParts, VisitArchive } from "#functions/rooms/visit-archive";
import { CALL_VERSION, type SentVisitRecord, type VisitCall } from "#functions/rooms/visit-call";
import { type FlusherDeps, VisitFlusher } from "#functions/rooms/visit-flusher";
import { VisitLog } from "#functions/rooms/visit-log";
import type { EventParts, EventRooms, FlushResult } from "#functions/services/analytics/visit-ports";
import type { VisitRecord } from "~/domain/analytics/visit";
import type { Uuid } from "~/domain/shared/model";

/** A room's storage in memory. */
export function memoryStorage(): RoomStorage {
  const db = new DatabaseSync(":memory:");
  return {
    sql: {
      exec(query, ...bindings) {
        if (bindings.length === 0 && query.includes(";")) {
          db.exec(query);
          return { toArray: () => [] };
        }
        const rows = db.prepare(query).all(...bindings);
        return { toArray: () => rows as Record<string, unknown>[] };
      },
    },
    transactionSync(run) {
      db.exec("SAVEPOINT room");
      try {
        const value = run();
        db.exec("RELEASE room");
        return value;
      } catch (error) {
        db.exec("ROLLBACK TO room; RELEASE room");
        throw error;
      }
    },
  };
}

let nextNumber = 0;

/** Creates a call with which an isolate sends visits to a room. */
export function createVisitCall(records: readonly VisitRecord[], fields: Partial<VisitCall> = {}): VisitCall {
  const sentRecords = records.map(({ eventId: _, ...record }): SentVisitRecord => record);
  return {
    version: CALL_VERSION,
    eventId: records[0]?.eventId ?? "",
    isolate: `isolate ${nextNumber++}`,
    sequence: 1,
    timeZone: "Asia/Tokyo",
    count: sentRecords.length,
    signs: JSON.stringify(sentRecords),
    ...fields,
  };
}

/** The rooms of all events in a test. */
export class TestRooms implements EventRooms {
  readonly #rooms = new Map<
    Uuid,
    { readonly storage: RoomStorage; readonly log: VisitLog; readonly flusher: VisitFlusher }
  >();
  readonly #visits: FlusherDeps["visits"];
  readonly #now: () => number;
  /** Numbers of parts that rooms left out or repaired. */
  readonly repairs: Parameters<FlusherDeps["onRepair"]>[0][] = [];

  constructor(visits: FlusherDeps["visits"], now: () => number) {
    this.#visits = visits;
    this.#now = now;
  }

  /** The room of an event. */
  room(eventId: Uuid) {
    const existingRoom = this.#rooms.get(eventId);
    if (existingRoom) return existingRoom;
    const storage = memoryStorage();
    const log = new VisitLog(storage);
    log.create(eventId, `room ${nextNumber++}`);
    const onRepair: FlusherDeps["onRepair"] = (numbers) => this.repairs.push(numbers);
    const flusher = new VisitFlusher({ log, visits: this.#visits, now: this.#now, onRepair });
    const room = { storage, log, flusher };
    this.#rooms.set(eventId, room);
    return room;
  }

  /** Rows of the room of an event about its visits. */
  rowsOf(eventId: Uuid): readonly unknown[] {
    const { storage } = this.room(eventId);
    return ["calls", "visits", "visitors", "flushes"].flatMap((table) =>
      storage.sql.exec(`SELECT * FROM ${table}`).toArray(),
    );
  }

  /** Moves past days of a room to R2, deletes unneeded ones there, and prunes the log, as the room's alarm does. */
  async archive(eventId: Uuid, bucket: R2Bucket): Promise<void> {
    const { log } = this.room(eventId);
    const archive = new VisitArchive(log, bucket);
    await archive.store(this.#now());
    await archive.deleteUnneeded(this.#now());
    log.prune(this.#now());
  }

  /** Deletes a room with its storage, as when the platform loses it. */
  lose(eventId: Uuid): void {
    this.#rooms.delete(eventId);
  }

  async record(visitRecord: VisitRecord, timeZone: string): Promise<boolean> {
    await this.recordAll([visitRecord], timeZone);
    return true;
  }

  /** Records visits to one event as one call, and flushes them. */
  async recordAll(records: readonly VisitRecord[], timeZone = "Asia/Tokyo"): Promise<void> {
    const { log, flusher } = this.room(records[0]?.eventId ?? "");
    log.record(createVisitCall(records, { timeZone }), this.#now());
    await flusher.flush();
  }

  async flush(eventIds: readonly Uuid[]): Promise<FlushResult> {
    const results = await Promise.allSettled(
      eventIds.map(async (id) => {
        if (this.#rooms.has(id)) await this.room(id).flusher.flush(true);
      }),
    );
    return {
      failed: eventIds.filter((_, index) => results[index]?.status === "rejected"),
      lost: new Map(
        [...this.#rooms].flatMap(([id, { log }]) => (log.lostParts ? [[id, log.lostParts] as const] : [])),
      ),
    };
  }

  async parts(eventId: Uuid): Promise<EventParts> {
    const { log } = this.room(eventId);
    const { archives } = log;
    return { objectNames: archives.names, recent: compressParts(log.partsBetween(archives.endOfLastDay)) };
  }

  async erase(eventId: Uuid, before: number): Promise<void> {
    const { log, flusher } = this.room(eventId);
    log.erase(before, this.#now());
    await flusher.flush();
  }
}
