import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { newText } from "~/domain/events/event-texts";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { audit, spaces } from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;
let spaceId: string;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  other = await testApp.addUser({ email: "other@demo.example" });
  const created = await testApp.addSpace(owner);
  spaceId = created.space.id;
  eventId = created.eventId;
});

const service = () => testApp.services.events;
const create = (eventName: string) =>
  service().createEvent({ actor: owner.actor, spaceId, eventName: newText(eventName) });
const deleteEvent = (id: string, actor = owner.actor, inSpace?: string) =>
  service().deleteEvent({ actor, eventId: id, ...(inSpace && { spaceId: inSpace }) });
const restore = (id: string, actor = owner.actor) => service().restoreEvent({ actor, eventId: id });
const names = async () =>
  (await service().listEvents({ actor: owner.actor, spaceId })).events.items.map(
    ({ eventName }) => eventName.ja,
  );
const trash = async (actor = owner.actor) =>
  (await service().listDeletedEvents({ actor, spaceId })).map(({ eventName }) => eventName.ja);

it("a deleted event can be restored completely for 30 days", async () => {
  const { id } = await create("秋");
  await testApp.addTag(id);
  const revisionBefore = await testApp.readRevision(id);
  await deleteEvent(id, owner.actor, spaceId);
  expect(testApp.changedEventIds).toEqual([id]);
  expect(await names()).not.toContain("秋");
  expect(await trash()).toEqual(["秋"]);
  expect((await service().listEvents({ actor: owner.actor, spaceId })).space.eventCount).toBe(1);
  expect(await catchErrorCode(service().getEvent({ actor: owner.actor, eventId: id }))).toBe("not_found");
  // Open pages poll the revision, and receive none.
  expect(await testApp.data.visitors.revision(id)).toBeNull();
  expect(await catchErrorCode(deleteEvent(id))).toBe("not_found");
  await restore(id);
  expect(await names()).toContain("秋");
  expect((await service().getEvent({ actor: owner.actor, eventId: id })).tags).toHaveLength(1);
  expect(await testApp.readRevision(id)).toBeGreaterThan(revisionBefore);
  const entries = await testApp.db.select().from(audit).where(eq(audit.resourceId, id));
  expect(entries.map(({ action }) => action).sort()).toEqual([
    "event_created",
    "event_deleted",
    "event_restored",
  ]);
  await deleteEvent(id);
  testApp.time.now += 30 * 86_400_000 + 1;
  expect(await trash()).toEqual([]);
  expect(await catchErrorCode(restore(id))).toBe("not_found");
});

it("an owner's trash lists the deleted events of all existing spaces, with their space", async () => {
  const { id } = await create("秋");
  const secondSpace = await testApp.addSpace(owner);
  const eventInSecondSpace = await service().createEvent({
    actor: owner.actor,
    spaceId: secondSpace.space.id,
    eventName: newText("冬"),
  });
  await deleteEvent(id);
  testApp.time.now += 1000;
  await deleteEvent(eventInSecondSpace.id);
  const list = (actor = owner.actor) => service().listOwnerDeletedEvents({ actor, ownerId: owner.user.id });
  expect((await list()).map(({ eventName, space }) => [eventName.ja, space.id])).toEqual([
    ["冬", secondSpace.space.id],
    ["秋", spaceId],
  ]);
  expect(await list(other.actor)).toEqual([]);
  await testApp.services.tree.deleteItems({
    actor: owner.actor,
    selection: { space: [secondSpace.space.id] },
  });
  expect((await list()).map(({ eventName }) => eventName.ja)).toEqual(["秋"]);
  testApp.time.now += 30 * 86_400_000;
  expect(await list()).toEqual([]);
});

it("the last event of a space cannot be deleted, nor the last two at once", async () => {
  expect(await catchErrorCode(deleteEvent(eventId))).toBe("last_event");
  const { id } = await create("二つ目");
  const codes = await Promise.all([catchErrorCode(deleteEvent(eventId)), catchErrorCode(deleteEvent(id))]);
  expect(codes.sort()).toEqual(["last_event", null]);
  expect(await names()).toHaveLength(1);
  expect(await testApp.db.select().from(audit).where(eq(audit.action, "event_deleted"))).toHaveLength(1);
});

it("an event is restored only if its name is free", async () => {
  const { id } = await create("秋");
  await deleteEvent(id);
  await create("秋");
  expect(await catchErrorCode(restore(id))).toBe("event_name_taken");
  expect(await trash()).toEqual(["秋"]);
});

it("an event is deleted and restored by its owner, and not by members of the space's group", async () => {
  const { id } = await create("秋");
  const { id: groupId, actors } = await testApp.addGroup(other);
  const member = actors[0] ?? other.actor;
  expect(await catchErrorCode(deleteEvent(id, member))).toBe("not_found");
  await testApp.db.update(spaces).set({ groupId }).where(eq(spaces.id, spaceId));
  expect(await catchErrorCode(deleteEvent(id, member))).toBe("forbidden");
  await deleteEvent(id);
  expect(await trash(member)).toEqual([]);
  expect(await trash(other.actor)).toEqual([]);
  expect(await catchErrorCode(restore(id, member))).toBe("not_found");
  expect(await catchErrorCode(deleteEvent(randomUUID()))).toBe("not_found");
  expect(await catchErrorCode(restore(eventId))).toBe("not_found");
  expect(
    await catchErrorCode(service().restoreEvent({ actor: owner.actor, eventId: id, spaceId: randomUUID() })),
  ).toBe("not_found");
  expect(await catchErrorCode(deleteEvent(eventId, owner.actor, randomUUID()))).toBe("not_found");
  expect(await catchErrorCode(restore(id))).toBeNull();
});
