import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Event, Uuid } from "~/domain/shared/model";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { events } from "../../data/schema";

const testApp = useTestApp();
const STORE = { spStoreUrl: "https://store.example.com", spAccessToken: "store-token" };
let owner: TestUser;
let stranger: TestUser;
let eventId: Uuid;
let sourceEventId: Uuid;

beforeEach(async () => {
  owner = await testApp.addUser();
  stranger = await testApp.addUser();
  sourceEventId = (await testApp.addSpace(owner, "展示室")).eventId;
  await testApp.db.update(events).set(STORE);
  eventId = (await testApp.addSpace(owner, "ホール")).eventId;
});

const connect = (actor = owner.actor, source = sourceEventId) =>
  testApp.services.events.connectOwnStore({ actor, eventId, from: source });
async function readEvent(): Promise<Event> {
  const event = await testApp.data.events.find(eventId);
  if (!event) throw new Error("The event is missing");
  return event.event;
}

describe("a user's own stores", () => {
  it("are listed once each, without tokens, for their user alone", async () => {
    await connect();
    const stores = await testApp.services.events.listOwnStores(owner);
    expect(stores.map(({ host }) => host)).toEqual(["store.example.com"]);
    expect(JSON.stringify(stores)).not.toContain(STORE.spAccessToken);
    expect(await testApp.services.events.listOwnStores(stranger)).toEqual([]);
  });

  it("are connected to another event, and change nothing else of it", async () => {
    // Forms have no seconds, but the API accepts them.
    const startDate = "2031-01-05T10:00:30.000Z";
    await testApp.db.update(events).set({ startDate });
    const before = await readEvent();
    expect(await connect()).toBe(true);
    const { updatedAt: _1, version: _2, revision: _3, ...after } = await readEvent();
    expect(before).toMatchObject({ ...after, spStoreUrl: null, spAccessToken: null, startDate });
    expect(after).toMatchObject(STORE);
  });

  it("keep what another user saves at the same time", async () => {
    const { findForEditor } = testApp.data.events;
    vi.spyOn(testApp.data.events, "findForEditor").mockImplementationOnce(async (id) => {
      const editorData = await findForEditor(id);
      const { event } = editorData ?? {};
      if (!event) throw new Error("The event is missing");
      await testApp.db.update(events).set({ detailEn: "Saved meanwhile", version: event.version + 1 });
      return editorData;
    });
    expect(await connect()).toBe(true);
    expect(await readEvent()).toMatchObject({ ...STORE, eventDetail: { en: "Saved meanwhile" } });
  });

  it("are neither another user's nor of an event without a store", async () => {
    expect(await connect(owner.actor, eventId)).toBe(false);
    const foreignEventId = (await testApp.addSpace(stranger, "他人の展示室")).eventId;
    await testApp.db.update(events).set(STORE);
    expect(await connect(owner.actor, foreignEventId)).toBe(false);
    expect(await catchErrorCode(connect(stranger.actor, foreignEventId))).toBe("not_found");
  });
});
