import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { PERMISSIONS } from "~/domain/shared/permissions";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { audit, folders, groups as groupTable, libraryItems, spaces } from "../../data/schema";
import { toActor } from "../auth/sessions";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
});

const groups = () => testApp.services.groups;
const createGroup = (name = "展示チーム") => groups().createGroup({ actor: testApp.admin, name });
const countMembers = async (groupId: string) =>
  (await groups().getGroup({ actor: testApp.admin, groupId })).group.memberCount;
const actions = async () => (await testApp.db.select().from(audit)).map(({ action }) => action);

describe("groups", () => {
  it("are managed by administrators only", async () => {
    const { id } = await createGroup();
    const { actor } = owner;
    for (const call of [
      groups().listGroups({ actor }),
      groups().getGroup({ actor, groupId: id }),
      groups().createGroup({ actor, name: "x" }),
      groups().renameGroup({ actor, groupId: id, version: 1, name: "x" }),
      groups().addMember({ actor, groupId: id, userId: actor.userId }),
      groups().removeMember({ actor, groupId: id, userId: actor.userId }),
      groups().deleteGroup({ actor, groupId: id }),
      groups().restoreGroup({ actor, groupId: id }),
      groups().findCandidates({ actor, groupId: id, q: "x" }),
    ])
      expect(await catchErrorCode(call)).toBe("not_found");
    expect((await groups().getGroup({ actor: testApp.admin, groupId: id })).group).toMatchObject({
      name: "展示チーム",
      version: 1,
    });
  });

  it("check the table of permissions for every action", async () => {
    const { id } = await createGroup();
    const actor = testApp.admin;
    const calls = {
      list: () => groups().listGroups({ actor }),
      read: () => groups().getGroup({ actor, groupId: id }),
      create: () => groups().createGroup({ actor, name: "x" }),
      update: () => groups().renameGroup({ actor, groupId: id, version: 1, name: "y" }),
      delete: () => groups().deleteGroup({ actor, groupId: id }),
      restore: () => groups().restoreGroup({ actor, groupId: id }),
    };
    const rules = PERMISSIONS.group as Record<string, string>;
    for (const [action, call] of Object.entries(calls)) {
      rules[action] = "nobody";
      expect(await catchErrorCode(call())).toBe("not_found");
      rules[action] = "admin";
      expect(await catchErrorCode(call())).toBeNull();
    }
  });

  it("have the number of their members, without those in the trash", async () => {
    const { id } = await createGroup();
    const other = await testApp.addUser();
    for (const { user } of [owner, other, owner])
      await groups().addMember({ actor: testApp.admin, groupId: id, userId: user.id });
    expect(await countMembers(id)).toBe(2);
    await testApp.services.users.changeUsers({
      actor: testApp.admin,
      userIds: [other.user.id],
      change: { kind: "delete" },
    });
    expect(await countMembers(id)).toBe(1);
    const detail = await groups().getGroup({ actor: testApp.admin, groupId: id });
    expect(detail.members.items.map((member) => member.id)).toEqual([owner.user.id]);
    await testApp.services.users.changeUsers({
      actor: testApp.admin,
      userIds: [other.user.id],
      change: { kind: "restore" },
    });
    expect(await countMembers(id)).toBe(2);
    await groups().removeMember({ actor: testApp.admin, groupId: id, userId: other.user.id });
    await groups().removeMember({ actor: testApp.admin, groupId: id, userId: other.user.id });
    expect(await countMembers(id)).toBe(1);
    const auditActions = await actions();
    expect(auditActions.filter((action) => action === "group_member_added")).toHaveLength(2);
    expect(auditActions.filter((action) => action === "group_member_removed")).toHaveLength(1);
  });

  it("find users as candidates, and mark those who are members already", async () => {
    const { id } = await createGroup();
    await testApp.addUser({ lastName: "佐藤", firstName: "太郎" });
    await groups().addMember({ actor: testApp.admin, groupId: id, userId: owner.user.id });
    const find = (q: string) => groups().findCandidates({ actor: testApp.admin, groupId: id, q });
    expect((await find("owner@")).users).toMatchObject([{ id: owner.user.id, isMember: true }]);
    expect((await find("佐藤")).users).toMatchObject([{ lastName: "佐藤", isMember: false }]);
    expect((await find("zzz")).users).toEqual([]);
  });

  it("are renamed by only one of two simultaneous saves", async () => {
    const { id } = await createGroup();
    const rename = (name: string, version = 1) =>
      groups().renameGroup({ actor: testApp.admin, groupId: id, version, name });
    expect(await rename("展示チーム")).toEqual({ status: "unchanged" });
    const results = await Promise.all([rename("一"), rename("二")]);
    expect(results.map(({ status }) => status).sort()).toEqual(["conflict", "renamed"]);
    expect((await actions()).filter((action) => action === "group_renamed")).toHaveLength(1);
  });

  it("have unique names, independent of spelling", async () => {
    const actor = testApp.admin;
    const { id } = await createGroup("Ａチーム");
    const other = await createGroup("別");
    expect(await catchErrorCode(createGroup("aチーム"))).toBe("group_name_taken");
    const rename = (name: string) => groups().renameGroup({ actor, groupId: other.id, version: 1, name });
    expect(await catchErrorCode(rename("Aチーム"))).toBe("group_name_taken");
    expect(await actions()).not.toContain("group_renamed");
    const results = await Promise.all([
      catchErrorCode(createGroup("同時")),
      catchErrorCode(createGroup("同時")),
    ]);
    expect(results.map(String).sort()).toEqual(["group_name_taken", "null"]);
    // A group in the trash does not reserve its name, and is restored only if the name is free.
    await groups().deleteGroup({ actor, groupId: id });
    expect(await catchErrorCode(rename("Aチーム"))).toBeNull();
    expect(await catchErrorCode(groups().restoreGroup({ actor, groupId: id }))).toBe("group_name_taken");
    await groups().deleteGroup({ actor, groupId: other.id });
    expect(await catchErrorCode(groups().restoreGroup({ actor, groupId: id }))).toBeNull();
    // A group can be renamed to another spelling of its name.
    expect((await groups().renameGroup({ actor, groupId: id, version: 3, name: "aチーム" })).status).toBe(
      "renamed",
    );
  });

  it("are not renamed in the trash, and the caller learns the reason", async () => {
    const { id } = await createGroup();
    await groups().deleteGroup({ actor: testApp.admin, groupId: id });
    expect(
      await groups().renameGroup({ actor: testApp.admin, groupId: id, version: 1, name: "新" }),
    ).toMatchObject({ status: "trashed", saved: { name: "展示チーム" } });
    expect((await testApp.db.select().from(groupTable)).map(({ name }) => name)).toEqual(["展示チーム"]);
  });

  it("can be restored for thirty days", async () => {
    const { id } = await createGroup();
    await groups().deleteGroup({ actor: testApp.admin, groupId: id });
    expect(await catchErrorCode(groups().deleteGroup({ actor: testApp.admin, groupId: id }))).toBe(
      "not_found",
    );
    expect((await groups().listGroups({ actor: testApp.admin })).items).toEqual([]);
    expect((await groups().listGroups({ actor: testApp.admin, trash: true })).items).toHaveLength(1);
    await groups().restoreGroup({ actor: testApp.admin, groupId: id });
    expect((await groups().listGroups({ actor: testApp.admin })).items).toHaveLength(1);
    await groups().deleteGroup({ actor: testApp.admin, groupId: id });
    testApp.time.now += 31 * 86_400_000;
    expect(await catchErrorCode(groups().restoreGroup({ actor: testApp.admin, groupId: id }))).toBe(
      "not_found",
    );
  });
});

describe("the group of an item", () => {
  /** Creates a group of the owner and another member, and a space, a media item and a folder of the owner. */
  async function createGroupAndItems() {
    const member = await testApp.addUser();
    const { id: groupId } = await createGroup();
    for (const { user } of [owner, member])
      await groups().addMember({ actor: testApp.admin, groupId, userId: user.id });
    const actors = [owner, member].map(({ user }) => toActor(user, [groupId]));
    const { space } = await testApp.addSpace(owner);
    const item = await testApp.addItem(owner);
    const folderId = randomUUID();
    const root = await testApp.readRootFolderId(owner, "space");
    await testApp.db.insert(folders).values({
      id: folderId,
      parentId: root,
      ownerId: owner.user.id,
      folderType: "space",
      name: "春",
      createdAt: testApp.currentInstant(),
      updatedAt: testApp.currentInstant(),
    });
    return {
      groupId,
      actor: actors[0] ?? owner.actor,
      member: actors[1] ?? owner.actor,
      space,
      item,
      folderId,
      root,
    };
  }

  it("is one of the owner's groups, and is set by the owner or an administrator", async () => {
    const { groupId, actor, member, space, item, folderId } = await createGroupAndItems();
    const foreignGroupId = (await createGroup("よそ")).id;
    for (const [kind, id] of [
      ["space", space.id],
      ["media", item.id],
      ["folder", folderId],
    ] as const) {
      const setGroup = (sharer: typeof actor, to: string | null) =>
        groups().changeGroup({ actor: sharer, kind, id, groupId: to });
      expect(await catchErrorCode(setGroup(member, groupId))).toBe("not_found");
      await setGroup(actor, groupId);
      expect(await catchErrorCode(setGroup(member, null))).toBe("forbidden");
      expect(await catchErrorCode(setGroup(actor, foreignGroupId))).toBe("unknown_group");
      // An administrator cannot set a group that the owner does not belong to.
      expect(await catchErrorCode(setGroup(testApp.admin, foreignGroupId))).toBe("unknown_group");
      await setGroup(testApp.admin, null);
      await setGroup(testApp.admin, groupId);
    }
    const detail = await groups().getGroup({ actor: testApp.admin, groupId });
    expect(detail.shared.map(({ kind, id, owner: { email } }) => [kind, id, email])).toEqual([
      ["space", space.id, "owner@demo.example"],
      ["folder", folderId, "owner@demo.example"],
      ["media", item.id, "owner@demo.example"],
    ]);
    expect((await testApp.services.spaces.getSpace({ actor: member, spaceId: space.id })).id).toBe(space.id);
    expect((await testApp.db.select().from(spaces))[0]?.groupId).toBe(groupId);
    expect((await testApp.db.select().from(libraryItems))[0]?.groupId).toBe(groupId);
    expect((await actions()).filter((action) => action === "media_group_changed")).toHaveLength(3);
  });

  it("is shown to readers of the item, with the owner's groups for those who may change it", async () => {
    const { groupId, actor, member, space } = await createGroupAndItems();
    const sharing = (reader: typeof actor) =>
      groups().getSharing({ actor: reader, kind: "space", id: space.id });
    expect(await catchErrorCode(sharing(member))).toBe("not_found");
    const sharingState = await sharing(actor);
    expect([sharingState.name, sharingState.groupId, sharingState.mayChange]).toEqual([
      space.name,
      null,
      true,
    ]);
    expect(sharingState.groups.map(({ id }) => id)).toContain(groupId);
    // Only administrators see the members' names; the owner sees their number.
    const group = (state: Awaited<ReturnType<typeof sharing>>) =>
      state.groups.find(({ id }) => id === groupId);
    expect(group(sharingState)?.members).toBeNull();
    expect(group(sharingState)?.memberCount).toBeGreaterThan(0);
    await groups().changeGroup({ actor, kind: "space", id: space.id, groupId });
    expect(await sharing(member)).toEqual({ name: space.name, groupId, groups: [], mayChange: false });
    const members = group(await sharing(testApp.admin))?.members;
    expect(members?.map(({ id }) => id)).toContain(owner.user.id);
    expect(members).toHaveLength(group(sharingState)?.memberCount ?? 0);
    // The owner may have left the group since. The group is still shown, and can be kept.
    await groups().removeMember({ actor: testApp.admin, groupId, userId: owner.user.id });
    expect((await sharing(actor)).groups.map(({ id }) => id)).toContain(groupId);
    expect(
      await catchErrorCode(groups().changeGroup({ actor, kind: "space", id: space.id, groupId })),
    ).toBeNull();
  });

  it("cannot be set for root folders, or to a deleted group", async () => {
    const { groupId, actor, space, root } = await createGroupAndItems();
    expect(await catchErrorCode(groups().changeGroup({ actor, kind: "folder", id: root, groupId }))).toBe(
      "forbidden",
    );
    await groups().deleteGroup({ actor: testApp.admin, groupId });
    for (const to of [groupId, randomUUID()])
      expect(
        await catchErrorCode(
          groups().changeGroup({ actor: testApp.admin, kind: "space", id: space.id, groupId: to }),
        ),
      ).toBe("unknown_group");
    expect(
      await catchErrorCode(groups().changeGroup({ actor, kind: "space", id: randomUUID(), groupId: null })),
    ).toBe("not_found");
  });

  it("is not one of its members' groups while it is in the trash", async () => {
    const { groupId, actor, member, space } = await createGroupAndItems();
    await groups().changeGroup({ actor, kind: "space", id: space.id, groupId });
    await groups().deleteGroup({ actor: testApp.admin, groupId });
    expect(await groups().listOwnGroups({ actor: member })).toEqual([]);
  });
});
