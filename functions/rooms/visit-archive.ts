import { putStream } from "#functions/media/put-stream";
import type { VisitArchives } from "#functions/services/analytics/visit-ports";
import type { VisitRecord } from "~/domain/analytics/visit";
import { DAY_MS } from "~/domain/shared/day";
import type { Uuid } from "~/domain/shared/model";
import type { CountedCalls, VisitLog } from "./visit-log";

/** Time after the end of a day until its parts are moved to R2, in milliseconds. */
const ARCHIVE_AFTER_MS = 2 * DAY_MS;
/** Number of lines that are compressed together. */
const LINES_AT_ONCE = 500;

/** The key of an object with parts of an event (see ArchiveIndex for its name). The format is in docs/formats.md. */
export const archiveKey = (eventId: Uuid, name: string): string => `visits/${eventId}/${name}.ndjson.gz`;

/** Compresses parts with gzip, one JSON object a line. */
export function compressParts(parts: Iterable<VisitRecord>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.iterator]();
  const encoder = new TextEncoder();
  const lines = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      let text = "";
      for (let count = 0; count < LINES_AT_ONCE; count++) {
        const { done, value } = iterator.next();
        if (done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        const { eventId: _, ...part } = value;
        text += `${JSON.stringify(part)}\n`;
      }
      controller.enqueue(encoder.encode(text));
    },
  });
  return lines.pipeThrough(new CompressionStream("gzip"));
}

/** Reads the days that rooms have stored. */
export const r2VisitArchives = (bucket: R2Bucket): VisitArchives => ({
  readDay: async (eventId, day) => (await bucket.get(archiveKey(eventId, day)))?.body ?? null,
});

/** Moves the parts of past days from a room's log to R2, and deletes them there when they have expired. */
export class VisitArchive {
  readonly #log: VisitLog;
  readonly #bucket: R2Bucket;
  #last: Promise<void> = Promise.resolve();

  constructor(log: VisitLog, bucket: R2Bucket) {
    this.#log = log;
    this.#bucket = bucket;
  }

  /**
   * Stores every day that ended 48 hours before `now` (epoch milliseconds) or earlier.
   * @throws when R2 does not respond: the next run continues
   */
  store(now: number): Promise<void> {
    return this.#alone(async () => {
      for (const day of this.#log.archives.daysToArchive(now - ARCHIVE_AFTER_MS)) {
        const parts = this.#log.partsBetween(Date.parse(day), Date.parse(day) + DAY_MS);
        this.#log.archives.finish(day, await this.#put(day, parts));
      }
    });
  }

  /**
   * Frees some storage of a room that is full: moves the oldest counted calls to R2. Deletes them without R2 if it does not respond, and flushes that D1
   * has if there is no such call.
   * @param onLost reports that single visits are lost because R2 failed
   * @returns false if nothing can be deleted
   */
  free(onLost: (error: unknown, calls: CountedCalls) => void): Promise<boolean> {
    return this.#alone(async () => {
      const log = this.#log;
      const calls = log.oldestCountedCalls();
      if (!calls) return log.deleteSentFlushes();
      if (log.archives.has(calls.day)) return log.deleteCounted(calls);
      const name = log.archives.nextName(calls.day);
      const { erasures } = log;
      let isKept: boolean;
      try {
        isKept = await this.#put(name, log.partsUntil(calls.lastId));
      } catch (error) {
        // An erasure has deleted the calls, and new ones may have their ids.
        if (log.erasures !== erasures) return true;
        onLost(error, calls);
        return log.deleteCounted(calls, { areLost: true });
      }
      if (isKept) return log.deleteCounted(calls, { archive: name });
      log.archives.finish(name, false);
      return true;
    });
  }

  /** Deletes the objects that have expired or were erased. @throws when R2 does not respond: the next run continues */
  deleteExpired(now: number): Promise<void> {
    return this.#alone(async () => {
      const { archives } = this.#log;
      for (const name of archives.expired(now)) {
        await this.#bucket.delete(archiveKey(this.#log.getSetting("event_id"), name));
        archives.forget(name);
      }
    });
  }

  /** Writes an object. Returns false if its parts were erased in the meantime: it must then be deleted. */
  async #put(name: string, parts: Iterable<VisitRecord>): Promise<boolean> {
    const { erasures } = this.#log;
    this.#log.archives.begin(name);
    await putStream(this.#bucket, archiveKey(this.#log.getSetting("event_id"), name), compressParts(parts));
    return this.#log.erasures === erasures;
  }

  /** Runs a task after those that were started before, so that no object is written and deleted at the same time. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#last.then(task);
    this.#last = run.then(
      () => {},
      () => {},
    );
    return run;
  }
}
