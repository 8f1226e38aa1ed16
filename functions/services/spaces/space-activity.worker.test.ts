import { beforeEach, expect, it } from "vitest";
import { newText } from "~/domain/events/event-texts";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { audit, spaces } from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  other = await testApp.addUser({ email: "other@demo.example" });
});

const activity = async (spaceId: string, actor = owner.actor) =>
  (await testApp.services.auditLog.listSpaceActivity({ actor, spaceId })).map(
    ({ action, actor: person, resource }) => [
      action,
      person?.lastName,
      resource && "name" in resource && resource.name,
    ],
  );

it("contains the latest actions on a space and its events, including deleted ones", async () => {
  const { actor } = owner;
  const { space } = await testApp.addSpace(owner, "渋谷");
  const otherSpace = await testApp.addSpace(owner, "別");
  testApp.time.now += 1000;
  const event = await testApp.services.events.createEvent({
    actor,
    spaceId: space.id,
    eventName: newText("秋"),
  });
  await testApp.services.events.createEvent({
    actor,
    spaceId: otherSpace.space.id,
    eventName: newText("よそ"),
  });
  testApp.time.now += 1000;
  await testApp.services.tree.renameItem({ actor, kind: "space", id: space.id, version: 1, name: "新宿" });
  testApp.time.now += 1000;
  await testApp.services.events.deleteEvent({ actor: testApp.admin, eventId: event.id });
  expect(await activity(space.id)).toEqual([
    ["event_deleted", undefined, { ja: "秋", en: "" }],
    ["space_renamed", "山田", "新宿"],
    ["event_created", "山田", { ja: "秋", en: "" }],
    ["space_created", "山田", "新宿"],
  ]);
});

it("is available to users who see the space, and has a maximum number of entries", async () => {
  const { space, eventId } = await testApp.addSpace(owner);
  expect(await catchErrorCode(activity(space.id, other.actor))).toBe("not_found");
  const { id: groupId, actors } = await testApp.addGroup(other);
  await testApp.db.update(spaces).set({ groupId });
  for (let i = 0; i < 12; i++)
    await testApp.db.insert(audit).values({
      id: `entry ${i}`,
      at: new Date(testApp.time.now + 1000 * i).toISOString(),
      action: "event_updated",
      resourceType: "event",
      resourceId: eventId,
      detail: {},
    });
  expect(await activity(space.id, actors[0])).toHaveLength(8);
});
