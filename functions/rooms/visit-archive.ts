import { putStream } from "#functions/media/put-stream";
import type { VisitArchives } from "#functions/services/analytics/visit-ports";
import type { VisitRecord } from "~/domain/analytics/visit";
import { DAY_MS } from "~/domain/shared/day";
import type { Uuid } from "~/domain/shared/model";
import type { CountedCalls, VisitLog } from "./visit-log";

/** Time after the end of a day until its parts are moved to R2, in milliseconds. */
const ARCHIVE_AFTER_MS = 2 * DAY_MS;
/** Time for which R2 must have failed before a full room deletes parts without it, in milliseconds. Until then pages report again. */
const R2_FAILURE_MS = 60_000;
/** Number of lines that are compressed together. */
const LINES_AT_ONCE = 500;

const EXTENSION = ".ndjson.gz";

/** The beginning of the keys of all objects with parts of an event. */
const archivePrefix = (eventId: Uuid): string => `visits/${eventId}/`;

/** The key of an object with parts of an event (see ArchiveIndex for its name). The format is in docs/formats.md. */
export const archiveKey = (eventId: Uuid, name: string): string =>
  `${archivePrefix(eventId)}${name}${EXTENSION}`;

/** A failure of R2 to store an object. */
class R2Error extends Error {
  override readonly name = "R2Error";

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Compresses parts of visits with gzip, one JSON object a line. @param onUnreadable reports that the parts cannot be read, which fails the stream */
export function compressParts(
  parts: Iterable<VisitRecord>,
  onUnreadable: () => void = () => {},
): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.iterator]();
  const encoder = new TextEncoder();
  const lines = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      let text = "";
      let isDone = false;
      try {
        for (let count = 0; count < LINES_AT_ONCE && !isDone; count++) {
          const next = iterator.next();
          isDone = next.done === true;
          if (next.done) break;
          const { eventId: _, ...part } = next.value;
          text += `${JSON.stringify(part)}\n`;
        }
      } catch (error) {
        onUnreadable();
        throw error;
      }
      if (text !== "") controller.enqueue(encoder.encode(text));
      if (isDone) controller.close();
    },
  });
  return lines.pipeThrough(new CompressionStream("gzip"));
}

/** Reads the objects that rooms have stored. */
export const r2VisitArchives = (bucket: R2Bucket): VisitArchives => ({
  readObject: async (eventId, name) => (await bucket.get(archiveKey(eventId, name)))?.body ?? null,
});

/** Moves parts of visits from a room's log to R2, and deletes them there when they have expired. */
export class VisitArchive {
  readonly #log: VisitLog;
  readonly #bucket: R2Bucket;
  #lastTask: Promise<void> = Promise.resolve();
  /** Time at which R2 first failed in `free`, in milliseconds since 1970; null if a write or list has succeeded since. */
  #failingSince: number | null = null;

  constructor(log: VisitLog, bucket: R2Bucket) {
    this.#log = log;
    this.#bucket = bucket;
  }

  /**
   * Stores every day that ended 48 hours before `now` (epoch milliseconds) or earlier. A new storage first reads which objects an earlier storage of this
   * room wrote.
   * @throws when R2 does not respond: the next run continues
   */
  store(now: number): Promise<void> {
    return this.#runAlone(async () => {
      await this.#findEarlierObjects();
      for (const day of this.#log.archives.daysToArchive(now - ARCHIVE_AFTER_MS)) {
        const parts = this.#log.partsBetween(Date.parse(day), Date.parse(day) + DAY_MS);
        this.#log.archives.finish(day, await this.#put(day, parts));
      }
    });
  }

  /**
   * Frees some storage of a room that is full: moves the oldest counted calls to R2. If R2 has failed for a minute, the calls are
   * deleted without it. If there is no such call, flushes that D1 has are deleted.
   * @param now epoch milliseconds
   * @param onLost reports that single visits are lost because R2 failed
   * @returns false if nothing can be deleted
   * @throws when R2 fails, or the log cannot be read or changed: nothing is lost
   */
  free(now: number, onLost: (error: unknown, calls: CountedCalls) => void): Promise<boolean> {
    return this.#runAlone(async () => {
      const log = this.#log;
      const calls = log.oldestCountedCalls();
      if (!calls) return log.deleteSentFlushes();
      if (log.archives.has(calls.day)) {
        log.deleteCountedCalls(calls);
        return true;
      }
      const name = log.archives.nextName(calls.day, now);
      const { erasures } = log;
      let isKept: boolean;
      try {
        isKept = await this.#put(name, log.partsUntil(calls.lastId));
      } catch (error) {
        if (!(error instanceof R2Error)) throw error;
        // An erasure has deleted the calls, and new ones may have their ids.
        if (log.erasures !== erasures) return true;
        this.#failingSince ??= now;
        if (now - this.#failingSince < R2_FAILURE_MS) throw error;
        onLost(error, calls);
        log.deleteCountedCalls(calls, { areLost: true });
        return true;
      }
      if (isKept) log.deleteCountedCalls(calls, { archive: name });
      else log.archives.finish(name, false);
      return true;
    });
  }

  /**
   * Deletes the objects that have expired or were erased, and those that the index does not know (ArchiveIndex.begin).
   * @throws when R2 does not respond: the next run continues
   */
  deleteUnneeded(now: number): Promise<void> {
    return this.#runAlone(async () => {
      const { archives } = this.#log;
      const eventId = this.#log.getSetting("event_id");
      const expired = archives.expired(now);
      const keptKeys = new Set(archives.unexpired(now).map((name) => archiveKey(eventId, name)));
      for await (const listed of this.#listKeys(eventId)) {
        const keys = listed.filter((key) => !keptKeys.has(key));
        if (keys.length > 0) await this.#bucket.delete(keys);
      }
      for (const name of expired) archives.forget(name);
    });
  }

  /** Adds the objects of an earlier storage of this room, which was lost, to the index. An erasure in the meantime deletes them instead. */
  async #findEarlierObjects(): Promise<void> {
    const log = this.#log;
    if (log.getSetting("objects_listed") === 1) return;
    const { erasures } = log;
    const eventId = log.getSetting("event_id");
    const names: string[] = [];
    for await (const keys of this.#listKeys(eventId))
      for (const key of keys) names.push(key.slice(archivePrefix(eventId).length, -EXTENSION.length));
    if (log.erasures !== erasures) return;
    log.archives.addAll(names);
    log.setSetting("objects_listed", 1);
  }

  /** Yields the keys of all objects with parts of an event, page by page. */
  async *#listKeys(eventId: Uuid): AsyncGenerator<readonly string[]> {
    for (let cursor: string | undefined, isListed = false; !isListed; ) {
      const page = await this.#bucket.list({ prefix: archivePrefix(eventId), ...(cursor && { cursor }) });
      this.#failingSince = null;
      yield page.objects.map(({ key }) => key);
      cursor = page.truncated ? page.cursor : undefined;
      isListed = !page.truncated;
    }
  }

  /**
   * Writes an object. Returns false if its parts were erased in the meantime: it must then be deleted.
   * @throws R2Error when R2 fails, and the error of the log when that fails
   */
  async #put(name: string, parts: Iterable<VisitRecord>): Promise<boolean> {
    const { erasures } = this.#log;
    this.#log.archives.begin(name);
    let isUnreadable = false;
    const stream = compressParts(parts, () => {
      isUnreadable = true;
    });
    try {
      await putStream(this.#bucket, archiveKey(this.#log.getSetting("event_id"), name), stream);
    } catch (error) {
      throw isUnreadable ? error : new R2Error(error);
    }
    this.#failingSince = null;
    return this.#log.erasures === erasures;
  }

  /** Runs a task after those that were started before, so that no object is written and deleted at the same time. */
  #runAlone<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#lastTask.then(task);
    this.#lastTask = run.then(
      () => {},
      () => {},
    );
    return run;
  }
}
