import { WriteBatcher } from "#functions/cache/write-batcher";
import type { EventParts, EventRooms, FlushResult } from "#functions/services/analytics/visit-ports";
import type { VisitRecord } from "~/domain/analytics/visit";
import type { Uuid } from "~/domain/shared/model";
import type { EventRoom } from "./event-room";
import { chooseShard, roomName } from "./room-shards";
import { CALL_CHARACTERS_MAX, CALL_PARTS_MAX, CALL_VERSION, type VisitCall } from "./visit-call";

/** Timeout of sending parts of visits to a room (the Durable Object that collects an event's visits), and of reading a revision from D1, in milliseconds. */
const TIMEOUT_MS = 2_000;
/** Timeout of reading an event's revision (its change counter) from its room, for which a visitor waits, in milliseconds. */
const REVISION_TIMEOUT_MS = 300;
/** After an event's room did not respond: time for which the revision is read from D1 instead, in milliseconds. */
const REVISION_PAUSE_MS = 5_000;
/** Maximum number of events whose rooms did not respond that an isolate remembers. */
const PAUSED_EVENTS_MAX = 1000;
/** Timeout of flushing, reading or erasing an event's visits, in milliseconds. */
const FLUSH_TIMEOUT_MS = 5_000;

/** Dependencies of calls to rooms. */
export interface RoomCallerDeps {
  readonly namespace: DurableObjectNamespace;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Creates a random name for this isolate. Must be called within a request, because Workers allow random values only there. */
  readonly createName: () => string;
  /** Reads the revision of an event from D1; null if it does not exist. */
  readonly readRevision: (eventId: Uuid) => Promise<number | null>;
  /** Reports that D1 did not return a revision in time, or failed. */
  readonly onRevisionError: (error: unknown) => void;
  /** Reports that a batch of `partCount` parts was not sent completely. `isOver`: it is not retried, and the pages report their parts again. */
  readonly onError: (error: unknown, partCount: number, isOver: boolean) => void;
}

/** A part of a visit that waits to be sent to a room. */
interface CollectedPart {
  readonly visitRecord: VisitRecord;
  readonly timeZone: string;
  isStored: boolean;
}

type Room = Pick<EventRoom, "record" | "report" | "erase" | "state" | "parts">;

/**
 * Calls the rooms of events for the web worker. Parts of visits are collected for 0.4 s and sent together. Parts and revision requests of a large event
 * go to one of its room's shards (decision 104).
 */
export class RoomCaller implements EventRooms {
  readonly #deps: RoomCallerDeps;
  readonly #batcher: WriteBatcher<CollectedPart>;
  /** The calls of a batch, so that a retry sends the same parts with the same numbers. */
  readonly #calls = new WeakMap<
    readonly CollectedPart[],
    readonly (readonly [VisitCall, readonly CollectedPart[]])[]
  >();
  /** Numbers of shards of the events that have some. */
  readonly #shards = new Map<Uuid, number>();
  #isolate: string | null = null;
  /** Times until which the revisions of events are read from D1, in epoch milliseconds. */
  readonly #revisionPauses = new Map<Uuid, number>();
  #sequence = 0;

  constructor(deps: RoomCallerDeps) {
    this.#deps = deps;
    this.#batcher = new WriteBatcher<CollectedPart>({
      ...deps,
      write: (items) => this.#send(items),
      isWritten: ({ isStored }) => isStored,
    });
  }

  get isFull(): boolean {
    return this.#batcher.isFull;
  }

  async record(visitRecord: VisitRecord, timeZone: string): Promise<boolean> {
    const item: CollectedPart = { visitRecord, timeZone, isStored: false };
    await this.#batcher.add(item);
    return item.isStored;
  }

  /** Returns the revision of an event, at most REVISION_FRESH_MS old in the room (event-room.ts). Reads D1 if the room does not respond. @throws if D1 fails or does not respond in two seconds */
  async revision(eventId: Uuid): Promise<number | null> {
    const { now, readRevision, onRevisionError } = this.#deps;
    if (now() >= (this.#revisionPauses.get(eventId) ?? 0))
      try {
        const shard = this.#shardOf(eventId);
        const state = await this.#within(
          REVISION_TIMEOUT_MS,
          this.#stub(eventId, shard).state(eventId, shard),
        );
        if (state.shards === 1) this.#shards.delete(eventId);
        else if (state.shards !== null) this.#shards.set(eventId, state.shards);
        return state.revision;
      } catch {
        if (this.#revisionPauses.size >= PAUSED_EVENTS_MAX) this.#revisionPauses.clear();
        this.#revisionPauses.set(eventId, now() + REVISION_PAUSE_MS);
      }
    try {
      // Without a limit, visitors would wait as long as D1 hangs, although their page is cached.
      return await this.#within(TIMEOUT_MS, readRevision(eventId));
    } catch (error) {
      onRevisionError(error);
      throw error;
    }
  }

  async flush(eventIds: readonly Uuid[]): Promise<FlushResult> {
    const results = await Promise.allSettled(
      eventIds.map(
        async (id) => [id, await this.#within(FLUSH_TIMEOUT_MS, this.#stub(id).report(id))] as const,
      ),
    );
    const reports = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    return {
      failed: eventIds.filter((_, index) => results[index]?.status === "rejected"),
      lost: new Map(reports.flatMap(([id, { lost }]) => (lost ? [[id, lost] as const] : []))),
    };
  }

  parts(eventId: Uuid): Promise<EventParts> {
    return this.#within(FLUSH_TIMEOUT_MS, this.#stub(eventId).parts(eventId));
  }

  async erase(eventId: Uuid, before: number): Promise<void> {
    await this.#within(FLUSH_TIMEOUT_MS, this.#stub(eventId).erase(eventId, before));
  }

  // A new stub each time, because a stub whose call failed stays broken.
  #stub = (eventId: Uuid, shard = 0): Room =>
    this.#deps.namespace.getByName(roomName(eventId, shard)) as unknown as Room;

  #shardOf(eventId: Uuid): number {
    this.#isolate ??= this.#deps.createName();
    return chooseShard(this.#isolate, this.#shards.get(eventId) ?? 1);
  }

  async #send(items: readonly CollectedPart[]): Promise<void> {
    const calls = this.#calls.get(items) ?? this.#createCalls(items);
    this.#calls.set(items, calls);
    const results = await Promise.allSettled(
      calls.map(async ([call, parts]) => {
        if (parts.every(({ isStored }) => isStored)) return;
        // A retry may go to another shard. The room counts the call once all the same.
        const shard = this.#shardOf(call.eventId);
        const result = await this.#within(
          TIMEOUT_MS,
          this.#stub(call.eventId, shard).record({ ...call, shard }),
        );
        if (result !== "stored") throw new Error("The room rejected the call");
        for (const item of parts) item.isStored = true;
      }),
    );
    const failure = results.find((result) => result.status === "rejected");
    if (failure) throw failure.reason;
  }

  #createCalls(items: readonly CollectedPart[]): readonly (readonly [VisitCall, readonly CollectedPart[]])[] {
    this.#isolate ??= this.#deps.createName();
    const isolate = this.#isolate;
    const itemsByRoom = new Map<string, CollectedPart[]>();
    for (const item of items) {
      const key = `${item.visitRecord.eventId} ${item.timeZone}`;
      const roomItems = itemsByRoom.get(key);
      if (roomItems) roomItems.push(item);
      else itemsByRoom.set(key, [item]);
    }
    return [...itemsByRoom.values()].flatMap((roomItems) =>
      [...splitIntoCalls(roomItems)].map(
        ({ parts, texts }): readonly [VisitCall, readonly CollectedPart[]] => {
          const { visitRecord, timeZone } = parts[0] as CollectedPart;
          const call = {
            version: CALL_VERSION,
            eventId: visitRecord.eventId,
            isolate,
            timeZone,
            count: parts.length,
          };
          return [{ ...call, sequence: ++this.#sequence, signs: `[${texts.join(",")}]` }, parts];
        },
      ),
    );
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    const timeout = this.#deps.sleep(ms).then(() => {
      throw new Error("No response in time");
    });
    // Prevents an unhandled rejection if the timeout is the slower of the two promises.
    timeout.catch(() => {});
    return Promise.race([work, timeout]);
  }
}

/** Splits the parts for one room into calls that the room accepts. */
function* splitIntoCalls(
  items: readonly CollectedPart[],
): Generator<{ parts: CollectedPart[]; texts: string[] }> {
  let parts: CollectedPart[] = [];
  let texts: string[] = [];
  let characters = 2;
  for (const item of items) {
    const { eventId: _, ...part } = item.visitRecord;
    const text = JSON.stringify(part);
    if (
      parts.length >= CALL_PARTS_MAX ||
      (parts.length > 0 && characters + text.length + 1 > CALL_CHARACTERS_MAX)
    ) {
      yield { parts, texts };
      [parts, texts, characters] = [[], [], 2];
    }
    parts.push(item);
    texts.push(text);
    characters += text.length + 1;
  }
  if (parts.length > 0) yield { parts, texts };
}
