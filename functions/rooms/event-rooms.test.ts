import { expect, it } from "vitest";
import { RoomCaller } from "./event-rooms";

/** Rooms by name. A room that is not in the map fails. */
function createCaller(rooms: ReadonlyMap<string, number>) {
  const time = { now: 0 };
  const databaseReads: string[] = [];
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
    // Rooms answer before their timeout.
    sleep: () => new Promise(() => {}),
    createName: () => "isolate",
    readRevision: async (eventId) => {
      databaseReads.push(eventId);
      return 7;
    },
    onError: () => {},
  });
  return { caller, databaseReads, time };
}

it("reads the revision from D1 for five seconds after the event's room failed, and from the rooms of other events", async () => {
  const { caller, databaseReads, time } = createCaller(new Map([["b", 3]]));
  expect([await caller.revision("a"), await caller.revision("b"), await caller.revision("a")]).toEqual([
    7, 3, 7,
  ]);
  expect(databaseReads).toEqual(["a", "a"]);
  time.now += 5000;
  expect([await caller.revision("a"), await caller.revision("b")]).toEqual([7, 3]);
});
