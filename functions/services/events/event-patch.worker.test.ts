import { beforeEach, expect, it } from "vitest";
import type { Event, EventStatusId, Uuid } from "~/domain/shared/model";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { events } from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;
let eventId: Uuid;

beforeEach(async () => {
  owner = await testApp.addUser();
  eventId = (await testApp.addSpace(owner, "展示室")).eventId;
  await testApp.db.update(events).set({
    startDate: "2031-01-05T10:00:30.000Z",
    detailEn: "Kept",
    spStoreUrl: "https://store.example.com",
    spAccessToken: "store-token",
  });
});

const setStatus = (statusId: EventStatusId) =>
  testApp.db.update(events).set({ statusId, enableAutoChangeStatus: false });
async function readEvent(): Promise<Event> {
  const event = await testApp.data.events.find(eventId);
  if (!event) throw new Error("The event is missing");
  return event.event;
}

it.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 2],
] as const)(
  "an event that was opened early, from status %i, is closed again and waits for its start in status %i",
  async (previousStatus, statusId) => {
    await setStatus(3);
    const { version: _1, updatedAt: _2, revision: _3, ...before } = await readEvent();
    const input = { actor: owner.actor, eventId, statusId: previousStatus };
    expect(await testApp.services.events.waitUntilStart(input)).toBe(true);
    expect(await readEvent()).toMatchObject({ ...before, statusId, enableAutoChangeStatus: true });
  },
);

it("an event that is not open any more stays as it is", async () => {
  await setStatus(4);
  const before = await readEvent();
  const input = { actor: owner.actor, eventId, statusId: 1 } as const;
  expect(await testApp.services.events.waitUntilStart(input)).toBe(false);
  expect(await readEvent()).toEqual(before);
});

it.each([null, "2020-01-05T10:00:30.000Z"])(
  "an open event with the start %s stays open",
  async (startDate) => {
    await setStatus(3);
    await testApp.db.update(events).set({ startDate });
    const before = await readEvent();
    const input = { actor: owner.actor, eventId, statusId: 1 } as const;
    expect(await testApp.services.events.waitUntilStart(input)).toBe(false);
    expect(await readEvent()).toEqual(before);
  },
);

it("another user cannot make an event wait for its start", async () => {
  await setStatus(3);
  const { actor } = await testApp.addUser();
  expect(await catchErrorCode(testApp.services.events.waitUntilStart({ actor, eventId, statusId: 1 }))).toBe(
    "not_found",
  );
});
