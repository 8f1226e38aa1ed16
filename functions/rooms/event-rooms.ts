import { WriteBatcher } from "#functions/cache/write-batcher";
import type { EventParts, EventRooms } from "#functions/services/analytics/visit-ports";
import type { VisitSign } from "~/domain/analytics/visit";
import type { Uuid } from "~/domain/shared/model";
import type { EventRoom } from "./event-room";
import { CALL_LETTERS_MAX, CALL_PARTS_MAX, CALL_VERSION, type VisitCall } from "./visit-call";

/** Time that a room may take to respond to a call, in milliseconds. */
const PATIENCE_MS = 2_000;
/** The same for a revision, for which a visitor waits. */
const REVISION_PATIENCE_MS = 300;
/** Time for which revisions are read from D1 after a room did not give one, in milliseconds. */
const REVISION_PAUSE_MS = 5_000;
/** The same for a flush, which waits for D1. */
const FLUSH_PATIENCE_MS = 5_000;

/** Dependencies of the calls of rooms. */
export interface RoomCallerDeps {
  readonly namespace: DurableObjectNamespace;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** A random name of this isolate. It is called within a request. */
  readonly createName: () => string;
  /** Reads the revision of an event from D1; null if it does not exist. */
  readonly readRevision: (eventId: Uuid) => Promise<number | null>;
  /** Reports that a call failed. `isOver`: it is not tried again, and its pages report again. */
  readonly onError: (error: unknown, parts: number, isOver: boolean) => void;
}

interface Item {
  readonly sign: VisitSign;
  readonly timeZone: string;
  isStored: boolean;
}

type Room = Pick<EventRoom, "record" | "report" | "erase" | "revision" | "parts">;

/** The rooms of events, for the web worker. Parts of visits are collected, so that an isolate calls each room at most once in 0.4 s. */
export class RoomCaller implements EventRooms {
  readonly #deps: RoomCallerDeps;
  readonly #batcher: WriteBatcher<Item>;
  /** The calls of a batch, so that an attempt repeats them unchanged. */
  readonly #calls = new WeakMap<readonly Item[], readonly (readonly [VisitCall, readonly Item[]])[]>();
  #isolate: string | null = null;
  #revisionPauseEnds = 0;
  #sequence = 0;

  constructor(deps: RoomCallerDeps) {
    this.#deps = deps;
    this.#batcher = new WriteBatcher<Item>({
      ...deps,
      write: (items) => this.#send(items),
      isWritten: ({ isStored }) => isStored,
    });
  }

  get isFull(): boolean {
    return this.#batcher.isFull;
  }

  async record(sign: VisitSign, timeZone: string): Promise<boolean> {
    const item: Item = { sign, timeZone, isStored: false };
    await this.#batcher.add(item);
    return item.isStored;
  }

  /** The revision of an event, at most REVISION_FRESH_MS old (event-room.ts). D1 is read when the room does not respond. */
  async revision(eventId: Uuid): Promise<number | null> {
    const { now, readRevision } = this.#deps;
    if (now() >= this.#revisionPauseEnds)
      try {
        return await this.#within(REVISION_PATIENCE_MS, this.#room(eventId).revision(eventId));
      } catch {
        this.#revisionPauseEnds = now() + REVISION_PAUSE_MS;
      }
    return readRevision(eventId);
  }

  async flush(eventIds: readonly Uuid[]): Promise<readonly Uuid[]> {
    const results = await Promise.allSettled(
      eventIds.map((id) => this.#within(FLUSH_PATIENCE_MS, this.#room(id).report(id))),
    );
    return eventIds.filter((_, at) => results[at]?.status === "rejected");
  }

  parts(eventId: Uuid): Promise<EventParts> {
    return this.#within(FLUSH_PATIENCE_MS, this.#room(eventId).parts(eventId));
  }

  async erase(eventId: Uuid, before: number): Promise<void> {
    await this.#within(FLUSH_PATIENCE_MS, this.#room(eventId).erase(eventId, before));
  }

  // A new stub each time, because a stub whose call failed stays broken.
  #room = (eventId: Uuid): Room => this.#deps.namespace.getByName(eventId) as unknown as Room;

  async #send(items: readonly Item[]): Promise<void> {
    const calls = this.#calls.get(items) ?? this.#callsOf(items);
    this.#calls.set(items, calls);
    const results = await Promise.allSettled(
      calls.map(async ([call, sent]) => {
        if (sent.every(({ isStored }) => isStored)) return;
        const result = await this.#within(PATIENCE_MS, this.#room(call.eventId).record(call));
        if (result !== "stored") throw new Error("The room rejected the call");
        for (const item of sent) item.isStored = true;
      }),
    );
    const failed = results.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
  }

  #callsOf(items: readonly Item[]): readonly (readonly [VisitCall, readonly Item[]])[] {
    this.#isolate ??= this.#deps.createName();
    const isolate = this.#isolate;
    const byRoom = new Map<string, Item[]>();
    for (const item of items) {
      const key = `${item.sign.eventId} ${item.timeZone}`;
      const list = byRoom.get(key);
      if (list) list.push(item);
      else byRoom.set(key, [item]);
    }
    return [...byRoom.values()].flatMap((list) =>
      [...inCalls(list)].map(({ sent, texts }): readonly [VisitCall, readonly Item[]] => {
        const { sign, timeZone } = sent[0] as Item;
        const call = { version: CALL_VERSION, eventId: sign.eventId, isolate, timeZone, count: sent.length };
        return [{ ...call, sequence: ++this.#sequence, signs: `[${texts.join(",")}]` }, sent];
      }),
    );
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    const timeout = this.#deps.sleep(ms).then(() => {
      throw new Error("The room did not respond");
    });
    // Only the first of the two is awaited.
    timeout.catch(() => {});
    return Promise.race([work, timeout]);
  }
}

/** Splits parts for one room into calls that the room accepts. */
function* inCalls(items: readonly Item[]): Generator<{ sent: Item[]; texts: string[] }> {
  let sent: Item[] = [];
  let texts: string[] = [];
  let letters = 2;
  for (const item of items) {
    const { eventId: _, ...part } = item.sign;
    const text = JSON.stringify(part);
    if (sent.length >= CALL_PARTS_MAX || (sent.length > 0 && letters + text.length + 1 > CALL_LETTERS_MAX)) {
      yield { sent, texts };
      [sent, texts, letters] = [[], [], 2];
    }
    sent.push(item);
    texts.push(text);
    letters += text.length + 1;
  }
  if (sent.length > 0) yield { sent, texts };
}
