import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBindings, type TestBindings } from "../../tests/support/d1";
import { type House, openHouse, PASSWORD } from "../../tests/support/house";
import { spaces } from "./schema";

let bindings: TestBindings;

beforeAll(async () => {
  bindings = await startBindings();
});
afterAll(() => bindings.dispose());

/** Does everything once that the product asks of D1. */
async function doEverything(house: House) {
  const { services, admin } = house;
  const owner = await house.addUser({ email: "plans@demo.example" });
  const { id: groupId, actors } = await house.addGroup(owner);
  const actor = actors[0] ?? owner.actor;
  const issued = await services.sessions.logIn({
    email: "plans@demo.example",
    password: PASSWORD,
    userAgent: "",
    ip: "1",
  });
  house.time.now += 4_000_000;
  await services.sessions.authenticate(issued);
  const fresh = await services.sessions.exchangeTicket({ ...issued, userAgent: "" });
  await services.sessions.logOut({ ticket: fresh?.ticket ?? "" });
  await services.sessions.sweepSessions();
  const { space, eventId } = await house.addSpace(owner);
  await house.db.update(spaces).set({ groupId });
  const item = await house.addItem(owner);
  await house.addTag(eventId, [await house.addMedium(eventId, item.id)]);
  const folderId = space.folderId;
  await services.spaces.listSpaces({ actor, q: "x" });
  await services.spaces.listSpaces({ actor: owner.actor });
  await services.spaces.listSpaces({ actor, folderId });
  await services.spaces.getSpace({ actor, spaceId: space.id });
  await services.events.listEvents({ actor, spaceId: space.id });
  await services.events.listOwnEvents({ actor });
  const { event } = await services.events.getEvent({ actor, eventId });
  await services.events.createEvent({ actor, spaceId: space.id, eventName: "x" });
  const { id: _id, ...values } = event;
  await services.events.updateEvent({
    actor,
    eventId,
    values: { ...values, publishPassword: { action: "keep" } },
  });
  await house.setEvent(eventId, { startDate: house.at() });
  await services.events.settleStatuses();
  await services.visitors.loadEventRecord(eventId);
  await services.visitors.checkRevision(eventId);
  await services.library.listLibrary({ actor });
  await services.library.listLibrary({ actor, folderId: item.folderId });
  await services.library.openFile({ id: item.id, viewer: { kind: "actor", actor } });
  const foreign = await house.addItem(await house.addUser());
  const viewer = { kind: "actor", actor } as const;
  await services.library.openFile({ id: foreign.id, viewer }).catch(() => null);
  await services.users.getAccount({ actor });
  await services.users.getAccount({ actor: admin, userId: randomUUID() }).catch(() => null);
}

/** Tables that a plan walks from end to end. */
async function scansOf(sql: string, params: unknown[]): Promise<string[]> {
  const { results } = await bindings.db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (?!CONSTANT ROW|json_each|\(subquery)/.test(detail));
}

it("everything is found by an index", async () => {
  const house = openHouse(bindings);
  await doEverything(house);
  const statements = new Map(house.spy.statements.map(({ sql, params }) => [sql, params]));
  expect(statements.size).toBeGreaterThan(30);
  const scanned: Record<string, string[]> = {};
  for (const [sql, params] of statements) {
    const scans = await scansOf(sql, params);
    if (scans.length > 0) scanned[sql] = scans;
    expect(params.length, sql).toBeLessThanOrEqual(100);
  }
  expect(scanned).toEqual({});
});

it("what triggers look for is found by an index too", async () => {
  for (const sql of [
    "UPDATE events SET revision = revision + 1 WHERE space_id = 'x'",
    "UPDATE events SET revision = revision + 1 WHERE id IN (SELECT event_id FROM event_media WHERE library_item_id = 'x') OR space_id IN (SELECT space_id FROM space_files WHERE library_item_id = 'x')",
    "UPDATE events SET revision = revision + 1 WHERE id IN (SELECT event_id FROM event_tags WHERE id IN ('x', 'y'))",
    "DELETE FROM space_files WHERE space_id = 'x'",
  ]) {
    expect(await scansOf(sql, []), sql).toEqual([]);
  }
});
