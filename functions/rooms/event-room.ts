import { DurableObject } from "cloudflare:workers";
import { visitRepository } from "#functions/data/analytics/visits";
import { openDb } from "#functions/data/shared/db";
import { visitorRepository } from "#functions/data/visitors/visitors";
import { LimitedLog } from "#functions/http/log";
import type { EventParts, TimeRange } from "#functions/services/analytics/visit-ports";
import { DAY_MS } from "~/domain/shared/day";
import type { Uuid } from "~/domain/shared/model";
import { isStorageFull } from "./archive-index";
import { coalesce } from "./coalesce";
import { CALLS_PER_SECOND_MAX, CallRate, isShard, roomName } from "./room-shards";
import { ShardMerger, type TakeCalls, type TakenCalls } from "./shard-merger";
import { compressParts, VisitArchive } from "./visit-archive";
import { CALL_VERSION, callProblem, correctTime, type RecordResult, type VisitCall } from "./visit-call";
import { VisitFlusher } from "./visit-flusher";
import { FLUSH_PARTS, VisitLog } from "./visit-log";

/** Bindings of the rooms worker. */
export interface RoomEnv {
  readonly DB: D1Database;
  readonly FILES: R2Bucket;
  readonly EVENT_ROOMS: DurableObjectNamespace;
  /** Replaces CALLS_PER_SECOND_MAX in tests and measurements. */
  readonly CALLS_PER_SECOND?: string;
}

/** State of an event that isolates read from its room while they serve the event's visitors. */
export interface RoomState {
  /** The revision of the event (it increases with every change that visitors could see), at most REVISION_FRESH_MS old; null if the event does not exist. */
  readonly revision: number | null;
  /** Number of shards that receive the calls of the event; 1 if the room receives them itself, null if a shard does not know it. */
  readonly shards: number | null;
}

/** A step of the alarm, with the message that its failure logs. */
type Step = readonly [failure: string, run: () => Promise<unknown>];

/** Maximum time until stored parts of visits are flushed (their sums are written to D1), in milliseconds. */
const FLUSH_DELAY_MS = 60_000;
/** The same while an editor has a report of the event's visits open. */
const REPORT_FLUSH_DELAY_MS = 5_000;
/**
 * Time for which a report counts as open after it was last read, in milliseconds. Longer than the interval at which the report reads the live
 * visitors.
 */
const REPORT_OPEN_MS = 45_000;
/** Delay after a failed flush, in milliseconds. It doubles with each consecutive failure, up to RETRY_DELAY_MAX_MS. */
const RETRY_DELAY_MS = 5_000;
const RETRY_DELAY_MAX_MS = 300_000;
/** Interval at which a room without visitors deletes expired data and notices a restored database, in milliseconds. */
const MAINTENANCE_INTERVAL_MS = DAY_MS;
/** Time for which a revision is used after it was read, in milliseconds. An isolate uses it for as long again, so that it is at most 0.8 s old. */
export const REVISION_FRESH_MS = 400;
/** Maximum number of times that a room whose storage is full frees some of it for one step. */
const FREE_ATTEMPTS_MAX = 3;

const SHARD_FAILED = "A shard of the room did not respond";

/**
 * The room of one event, named by the event's id: stores its visits before they are acknowledged, and flushes their sums to D1 (decision 095). A part of a
 * visit is one report of a visitor's page; a call is a message in which an isolate sends parts. The shards of a large event are objects of the same class
 * (decision 104): they store calls until the event's room has taken them.
 */
export class EventRoom extends DurableObject<RoomEnv> {
  readonly #log: VisitLog;
  readonly #flusher: VisitFlusher;
  readonly #archive: VisitArchive;
  readonly #merger: ShardMerger;
  /** As a shard: the rate of the requests of isolates, and the number of shards that the event's room last stated. */
  readonly #rate = new CallRate();
  #statedShards: number | null = null;
  /** Time of the alarm, in epoch milliseconds; null when none is set. Undefined until it was read. */
  #alarmAt: number | null | undefined;
  #reportOpenUntil = 0;
  /** The last read of the event's revision. */
  #revision: { readonly value: Promise<number | null>; readonly at: number } | null = null;
  #failures = 0;
  readonly #limitedLog = new LimitedLog(() => Date.now());
  /** The work that frees storage, while it runs. */
  #freeing: Promise<boolean> | null = null;

  constructor(ctx: DurableObjectState, env: RoomEnv) {
    super(ctx, env);
    this.#log = new VisitLog(ctx.storage);
    this.#archive = new VisitArchive(this.#log, env.FILES);
    this.#flusher = new VisitFlusher({
      log: this.#log,
      visits: visitRepository(openDb(env.DB)),
      now: () => Date.now(),
      completeUntil: () => this.#merger.completeUntil,
      // Parts that were repaired, or left out because they are invalid.
      onRepair: (numbers) => this.#warn("visits repaired", { ...numbers }),
      onMissing: () => this.#warn("event missing in D1", { waiting: this.#log.pendingParts }),
    });
    this.#merger = new ShardMerger({
      log: this.#log,
      takeCalls: (request) => this.#stub(request.eventId, request.shard).takeCalls(request),
      store: (calls) => this.#withFreeStorage(() => this.#log.recordAll(calls)),
      now: () => Date.now(),
      limit: Number(env.CALLS_PER_SECOND ?? CALLS_PER_SECOND_MAX),
      onError: (error, shard) => this.#logFailure("shard not merged", error, { shard }),
    });
  }

  /** Stores a call of an isolate. The result is sent only after the storage has the call. */
  async record(call: VisitCall): Promise<RecordResult> {
    const { shard = 0 } = call;
    const problem = this.#isRoomOf(call.eventId, shard) ? callProblem(call) : "room";
    if (problem !== null) {
      this.#warn("visits rejected", { problem });
      return "rejected";
    }
    if (call.version < CALL_VERSION) this.#warn("call of an older version", { version: call.version });
    const now = Date.now();
    this.#countRequest(shard, now);
    await this.#withFreeStorage(() => this.#store(call, now));
    // The alarm flushes even after a crash. After failed flushes, #arm keeps the delay of the retry.
    await (this.#failures === 0 ? this.#wakeBy(now + this.#flushDelay(now)) : this.#arm());
    // Unless the room last stated several shards, it does not fetch this shard's calls, so the shard passes each on at once.
    const passesOnAtOnce = shard > 0 && (this.#statedShards ?? 1) === 1;
    if ((passesOnAtOnce || this.#log.pendingParts >= FLUSH_PARTS) && this.#failures === 0)
      void this.#tryFlush();
    return "stored";
  }

  /** Returns the state of the event. @throws when D1 does not respond */
  async state(eventId: Uuid, shard: number): Promise<RoomState> {
    if (!this.#isRoomOf(eventId, shard)) return { revision: null, shards: null };
    this.#countRequest(shard, Date.now());
    return {
      revision: await this.#readRevision(eventId),
      shards: shard === 0 ? this.#log.shards : this.#statedShards,
    };
  }

  /** Returns the revision of the event, for earlier versions of the worker of the pages, which do not know shards. @throws when D1 does not respond */
  async revision(eventId: Uuid): Promise<number | null> {
    return (await this.state(eventId, 0)).revision;
  }

  /** Takes the calls of one of this room's shards, which asks for it, and begins to flush them. @throws when the shard does not respond */
  async merge(eventId: Uuid, shard: number): Promise<void> {
    if (!this.#isRoomOf(eventId) || !isShard(shard) || shard === 0) return;
    this.#log.create(eventId, crypto.randomUUID());
    await this.#merger.merge(shard);
    if (this.#log.pendingParts > 0 && this.#failures === 0) {
      await this.#wakeBy(Date.now() + this.#flushDelay(Date.now()));
      void this.#tryFlush();
    }
  }

  /** As a shard: returns the next calls, and deletes those that the event's room has. */
  async takeCalls({ eventId, shard, shards, storage, taken }: TakeCalls): Promise<TakenCalls> {
    const callsPerSecond = this.#rate.perSecond(Date.now());
    if (!this.#isRoomOf(eventId, shard) || shard === 0) return { storage: "", calls: [], callsPerSecond: 0 };
    this.#statedShards = shards;
    if (!this.#log.exists) return { storage: "", calls: [], callsPerSecond };
    // The setting "room" is the random name of this storage. `taken` is an id in `storage`, which may have been deleted since.
    const ownStorage = this.#log.getSetting("room");
    const calls = this.#log.takeCalls(storage === ownStorage ? taken : 0);
    return { storage: ownStorage, calls, callsPerSecond };
  }

  async #readRevision(eventId: Uuid): Promise<number | null> {
    const now = Date.now();
    if (this.#revision === null || Math.abs(now - this.#revision.at) >= REVISION_FRESH_MS) {
      const value = visitorRepository(openDb(this.env.DB)).revision(eventId);
      this.#revision = { value, at: now };
      // A failed read is not cached.
      value.catch(() => {
        this.#revision = null;
      });
    }
    return this.#revision.value;
  }

  /**
   * Flushes when an editor's report of the visits is read, and then often while it is open.
   * @returns `lost`: time range for which the single visits (not their sums) are lost, because the storage was full and R2 failed; null if there is none
   * @throws when D1 does not have all visits, because it or a shard did not respond
   */
  async report(eventId: Uuid): Promise<{ readonly lost: TimeRange | null }> {
    if (!this.#isRoomOf(eventId) || !this.#log.exists) return { lost: null };
    const now = Date.now();
    const isOpened = this.#reportOpenUntil < now;
    this.#reportOpenUntil = now + REPORT_OPEN_MS;
    const isMerged = await this.#merger.mergeAll();
    await this.#flush(isOpened).catch((error) => {
      this.#logFailure("visits not flushed", error);
      throw error;
    });
    if (!isMerged) throw new Error(SHARD_FAILED);
    return { lost: this.#log.lostParts };
  }

  /** Returns the names of the objects in R2, and the parts that are not in R2 yet, in the format of these objects. Earlier versions of the worker of the pages read `archivedDays`. */
  async parts(eventId: Uuid): Promise<EventParts & { readonly archivedDays: readonly string[] }> {
    if (!this.#isRoomOf(eventId) || !this.#log.exists)
      return { objectNames: [], archivedDays: [], recent: compressParts([]) };
    const { names, endOfLastDay } = this.#log.archives;
    return {
      objectNames: names,
      archivedDays: names,
      recent: compressParts(this.#log.partsBetween(endOfLastDay)),
    };
  }

  /**
   * Deletes all visits of the event from before an instant, here, in its shards, in D1 and in R2.
   * @param before epoch milliseconds; if the clock of the caller is wrong, the room's time is used
   * @throws when a shard, D1 or R2 does not respond: the room deletes there later
   */
  async erase(eventId: Uuid, before: number): Promise<void> {
    if (!this.#isRoomOf(eventId)) return;
    const now = Date.now();
    this.#log.create(eventId, crypto.randomUUID());
    const isMerged = await this.#merger.mergeAll();
    this.#log.erase(correctTime(before, now), now);
    await this.#wakeBy(now + RETRY_DELAY_MS);
    const [flushResult, deleteResult] = await Promise.allSettled([
      this.#flush(),
      this.#archive.deleteUnneeded(now),
    ]);
    if (flushResult.status === "rejected") this.#logFailure("visits not flushed", flushResult.reason);
    for (const result of [flushResult, deleteResult]) if (result.status === "rejected") throw result.reason;
    if (!isMerged) throw new Error(SHARD_FAILED);
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    const steps: readonly Step[] = this.#isShard
      ? [["calls not passed on", () => this.#passOn()]]
      : [
          ["room not deleted", () => this.#deleteAbandoned()],
          ["shards not merged", () => this.#merger.shrink().then(() => this.#merger.mergeAll())],
          ["visits not flushed", () => this.#flush()],
          ["room not maintained", () => this.#maintain()],
        ];
    // The runtime gives up an alarm that has thrown several times, so each step catches its error. An error that several steps share is logged once.
    const reasons = new Set<string>();
    for (const [failure, step] of [...steps, ["alarm not computed", () => this.#arm()] as const])
      try {
        await step();
      } catch (error) {
        if (!reasons.has(String(error))) this.#logFailure(failure, error);
        reasons.add(String(error));
      }
    if (reasons.size > 0) await this.#wakeBy(Date.now() + RETRY_DELAY_MAX_MS);
  }

  /** As a shard: passes the calls on to the event's room, and then deletes the storage. */
  async #passOn(): Promise<void> {
    await this.#flush();
    if (this.#log.pendingParts === 0) await this.#delete();
  }

  /** Deletes the room if D1 has not had its event for a week. */
  async #deleteAbandoned(): Promise<void> {
    if (!this.#flusher.isAbandoned) return;
    // D1 may have been restored since it was read.
    await this.#flusher.flush(true);
    if (!this.#flusher.isAbandoned) return;
    this.#log.archives.expireAll();
    await this.#archive.deleteUnneeded(Date.now());
    await this.#delete();
  }

  /** Once a day (UTC): moves past days to R2, deletes expired ones there, and prunes the log. */
  async #maintain(): Promise<void> {
    const now = Date.now();
    const today = new Date(now).toISOString().slice(0, 10);
    if (!this.#log.exists || this.#log.getSetting("maintained_on") === today) return;
    await this.#withFreeStorage(() => this.#archive.store(now));
    await this.#archive.deleteUnneeded(now);
    this.#log.prune(now);
    // Visits that were erased in the meantime may still have to be deleted from R2.
    if (this.#log.archives.expired(now).length === 0) this.#log.setSetting("maintained_on", today);
  }

  #isRoomOf(eventId: Uuid, shard = 0): boolean {
    if (typeof eventId !== "string" || !isShard(shard)) return false;
    return this.env.EVENT_ROOMS.idFromName(roomName(eventId, shard)).equals(this.ctx.id);
  }

  get #isShard(): boolean {
    return this.#log.shard > 0;
  }

  #stub = (eventId: Uuid, shard: number) =>
    this.env.EVENT_ROOMS.getByName(roomName(eventId, shard)) as unknown as Pick<
      EventRoom,
      "merge" | "takeCalls"
    >;

  /** Counts a call, or a request for the state: the number of shards depends on both. */
  #countRequest(shard: number, now: number): void {
    if (shard === 0) this.#merger.countCall();
    else this.#rate.add(now);
  }

  /** Deletes the storage. A call that arrives in the meantime creates it again. */
  async #delete(): Promise<void> {
    const deletion = this.ctx.storage.deleteAll();
    this.#log.reload();
    // The alarm is deleted too. A call that has arrived in the meantime may have set it.
    this.#alarmAt = undefined;
    await deletion;
  }

  /**
   * Runs a step that writes to the storage. If the storage is full, frees some of it (VisitArchive.free) and runs the step again.
   * @throws when the storage stays full, or the step fails for another reason
   */
  async #withFreeStorage<T>(step: () => T | Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++)
      try {
        return await step();
      } catch (error) {
        if (!isStorageFull(error) || attempts > FREE_ATTEMPTS_MAX) throw error;
        this.#warn("room is full", { bytes: this.ctx.storage.sql.databaseSize });
        // A shard has nothing to free: the event's room does not have its calls yet.
        if (!this.#log.exists || this.#isShard) throw error;
        this.#freeing ??= this.#archive
          .free(Date.now(), this.#onLost)
          .catch((failure) => {
            this.#logFailure("storage not freed", failure);
            return false;
          })
          .finally(() => {
            this.#freeing = null;
          });
        if (!(await this.#freeing)) throw error;
      }
  }

  /** Logs that single visits were deleted although R2 does not have them. */
  #onLost = (error: unknown, { since, until }: TimeRange): void =>
    this.#limitedLog.writeError("single visits deleted without R2", error, {
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
    });

  #store(call: VisitCall, now: number): void {
    this.#log.create(call.eventId, crypto.randomUUID(), call.shard);
    const result = this.#log.record(call, now);
    if (result === "reused") this.#warn("call number reused", {});
    if (result === "unordered") this.#warn("call out of order", {});
  }

  /** As a shard: asks the event's room to take the calls. */
  #requestMerge = coalesce(() =>
    this.#stub(this.#log.getSetting("event_id"), 0).merge(this.#log.getSetting("event_id"), this.#log.shard),
  );

  /**
   * Flushes to D1, or as a shard into the event's room. After a failure the alarm retries.
   * @param reread reads D1's position first, so that a restored database is noticed
   * @throws the failure, which the caller logs
   */
  async #flush(reread = false): Promise<void> {
    if (!this.#log.exists) return;
    try {
      if (this.#isShard) await this.#requestMerge();
      else await this.#withFreeStorage(() => this.#flusher.flush(reread));
      this.#failures = 0;
    } catch (error) {
      this.#failures++;
      await this.#arm().catch((failure) => this.#logFailure("alarm not computed", failure));
      throw error;
    }
  }

  #tryFlush = (): Promise<void> =>
    this.#flush().catch((error) =>
      this.#logFailure(this.#isShard ? "calls not passed on" : "visits not flushed", error),
    );

  /** Sets the next alarm: for a retry, for waiting parts, for shards, or for the daily deletion of expired data. */
  async #arm(): Promise<void> {
    const now = Date.now();
    if (!this.#log.exists) return;
    if (this.#failures > 0)
      return this.#wakeBy(now + Math.min(RETRY_DELAY_MAX_MS, RETRY_DELAY_MS * 2 ** (this.#failures - 1)));
    if (this.#log.pendingParts > 0 || this.#log.shards > 1) return this.#wakeBy(now + this.#flushDelay(now));
    if (this.#log.hasExpiringData) await this.#wakeBy(now + MAINTENANCE_INTERVAL_MS);
  }

  #flushDelay = (now: number): number =>
    now < this.#reportOpenUntil ? REPORT_FLUSH_DELAY_MS : FLUSH_DELAY_MS;

  /** Sets the alarm to a time, unless it is set to an earlier one. */
  async #wakeBy(time: number): Promise<void> {
    if (this.#alarmAt === undefined) this.#alarmAt = await this.ctx.storage.getAlarm();
    if (this.#alarmAt !== null && this.#alarmAt <= time) return;
    this.#alarmAt = time;
    try {
      await this.ctx.storage.setAlarm(time);
    } catch (error) {
      this.#alarmAt = undefined;
      throw error;
    }
  }

  /** Logs a warning, each kind at most once a minute. */
  #warn(message: string, fields: Record<string, unknown>): void {
    this.#limitedLog.write("warn", message, fields, `${message} ${String(fields.problem ?? "")}`);
  }

  /** Logs a failure, each kind of error at most once a minute. */
  #logFailure(message: string, error: unknown, fields: Record<string, unknown> = {}): void {
    this.#limitedLog.writeError(message, error, { waiting: this.#log.pendingParts, ...fields });
  }
}
