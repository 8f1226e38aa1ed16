import { putStream } from "#functions/media/put-stream";
import type { VisitArchives } from "#functions/services/analytics/visit-ports";
import type { VisitRecord } from "~/domain/analytics/visit";
import { DAY_MS } from "~/domain/shared/day";
import type { Uuid } from "~/domain/shared/model";
import type { VisitLog } from "./visit-log";

/** Time after the end of a day until its parts are moved to R2, in milliseconds. */
const ARCHIVE_AFTER_MS = 2 * DAY_MS;
/** Number of lines that are compressed together. */
const LINES_AT_ONCE = 500;

/** The key of the parts of an event's day (UTC, YYYY-MM-DD). The format is in docs/formats.md. */
export const archiveKey = (eventId: Uuid, day: string): string => `visits/${eventId}/${day}.ndjson.gz`;

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

  constructor(log: VisitLog, bucket: R2Bucket) {
    this.#log = log;
    this.#bucket = bucket;
  }

  /**
   * Stores every day that ended 48 hours before `now` (epoch milliseconds) or earlier.
   * @throws when R2 does not respond: the next run continues
   */
  async store(now: number): Promise<void> {
    const eventId = this.#log.getSetting("event_id");
    for (const day of this.#log.daysToArchive(now - ARCHIVE_AFTER_MS)) {
      const parts = this.#log.partsBetween(Date.parse(day), Date.parse(day) + DAY_MS);
      await putStream(this.#bucket, archiveKey(eventId, day), compressParts(parts));
      this.#log.setArchived(day);
    }
  }

  /** Deletes the days that have expired or were erased. @throws when R2 does not respond: the next run continues */
  async deleteExpired(now: number): Promise<void> {
    const eventId = this.#log.getSetting("event_id");
    for (const day of this.#log.expiredArchives(now)) {
      await this.#bucket.delete(archiveKey(eventId, day));
      this.#log.forgetArchive(day);
    }
  }
}
