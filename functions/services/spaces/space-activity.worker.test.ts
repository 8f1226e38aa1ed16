import { beforeEach, expect, it } from "vitest";
import { codeOf, houseForEachTest, type Person } from "../../../tests/support/house";
import { audit, spaces } from "../../data/schema";

const house = houseForEachTest();
let owner: Person;
let other: Person;

beforeEach(async () => {
  owner = await house.addUser({ email: "owner@demo.example" });
  other = await house.addUser({ email: "other@demo.example" });
});

const activity = async (spaceId: string, actor = owner.actor) =>
  (await house.services.auditLog.listSpaceActivity({ actor, spaceId })).map(
    ({ action, actor: who, resource }) => [
      action,
      who?.lastName,
      resource && "name" in resource && resource.name,
    ],
  );

it("is the latest that was done to a space and to its events, those that are deleted as well", async () => {
  const { actor } = owner;
  const { space } = await house.addSpace(owner, "渋谷");
  const elsewhere = await house.addSpace(owner, "別");
  house.time.now += 1000;
  const event = await house.services.events.createEvent({ actor, spaceId: space.id, eventName: "秋" });
  await house.services.events.createEvent({ actor, spaceId: elsewhere.space.id, eventName: "よそ" });
  house.time.now += 1000;
  await house.services.tree.renameItem({ actor, kind: "space", id: space.id, version: 1, name: "新宿" });
  house.time.now += 1000;
  await house.services.events.deleteEvent({ actor: house.admin, eventId: event.id });
  expect(await activity(space.id)).toEqual([
    ["event_deleted", undefined, "秋"],
    ["space_renamed", "山田", "新宿"],
    ["event_created", "山田", "秋"],
    ["space_created", "山田", "新宿"],
  ]);
});

it("is for users who see the space, and is limited to some entries", async () => {
  const { space, eventId } = await house.addSpace(owner);
  expect(await codeOf(activity(space.id, other.actor))).toBe("not_found");
  const { id: groupId, actors } = await house.addGroup(other);
  await house.db.update(spaces).set({ groupId });
  for (let i = 0; i < 12; i++)
    await house.db.insert(audit).values({
      id: `entry ${i}`,
      at: new Date(house.time.now + 1000 * i).toISOString(),
      action: "event_updated",
      resourceType: "event",
      resourceId: eventId,
      detail: {},
    });
  expect(await activity(space.id, actors[0])).toHaveLength(8);
});
