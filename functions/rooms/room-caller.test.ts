import { expect, it } from "vitest";
import { RoomCaller } from "./room-caller";

interface CallerSetup {
  readonly sleep?: () => Promise<void>;
  readonly readRevision?: () => Promise<number>;
}

/** Creates a caller of rooms (Durable Objects of events) by name. A room that is not in the map fails. By default, rooms answer before their timeout, and D1 at once. */
function createCaller(
  rooms: ReadonlyMap<string, number>,
  { sleep = () => new Promise(() => {}), readRevision = async () => 7 }: CallerSetup = {},
) {
  const time = { now: 0 };
  const databaseReads: string[] = [];
  const revisionErrors: unknown[] = [];
  const caller = new RoomCaller({
    namespace: {
      getByName: (name: string) => ({
        state: async () => {
          const revision = rooms.get(name);
          if (revision === undefined) throw new Error("The room is down");
          return { revision, shards: 1 };
        },
      }),
    } as unknown as DurableObjectNamespace,
    now: () => time.now,
    sleep,
    createName: () => "isolate",
    readRevision: (eventId) => {
      databaseReads.push(eventId);
      return readRevision();
    },
    onRevisionError: (error) => revisionErrors.push(error),
    onError: () => {},
  });
  return { caller, databaseReads, revisionErrors, time };
}

it("reads the revision from D1 for five seconds after the event's room failed, and from the rooms of other events", async () => {
  const rooms = new Map([["b", 3]]);
  const { caller, databaseReads, time } = createCaller(rooms);
  expect([await caller.revision("a"), await caller.revision("b"), await caller.revision("a")]).toEqual([
    7, 3, 7,
  ]);
  rooms.set("a", 9);
  time.now += 4999;
  expect(await caller.revision("a")).toBe(7);
  expect(databaseReads).toEqual(["a", "a", "a"]);
  time.now++;
  expect([await caller.revision("a"), await caller.revision("b")]).toEqual([9, 3]);
});

it("rejects, and reports it, when D1 does not respond either", async () => {
  const { caller, databaseReads, revisionErrors } = createCaller(new Map(), {
    sleep: async () => {},
    readRevision: () => new Promise(() => {}),
  });
  await expect(caller.revision("a")).rejects.toThrow("No response in time");
  expect([databaseReads, revisionErrors.length]).toEqual([["a"], 1]);
});
