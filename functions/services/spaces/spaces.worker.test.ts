import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, events, folders, spaces, users } from "#functions/data/schema";
import {
  catchErrorCode,
  PASSWORD,
  type TestApp,
  type TestUser,
  useTestApp,
} from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";
import { ensureRootFolders } from "../folders/root-folders";
import type { LimitError } from "../shared/errors";

const testApp = useTestApp();
let owner: TestUser;
let stranger: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ spaceLicense: 3 });
  stranger = await testApp.addUser();
});

const create = (fields: Partial<Parameters<TestApp["services"]["spaces"]["createSpace"]>[0]> = {}) =>
  testApp.services.spaces.createSpace({
    actor: owner.actor,
    name: "本館",
    source: { kind: "showcase", sid: "SxQL3iGyoDo", isDoubtful: false },
    ...fields,
  });
const list = (fields: Partial<Parameters<TestApp["services"]["spaces"]["listSpaces"]>[0]> = {}) =>
  testApp.services.spaces.listSpaces({ actor: owner.actor, ...fields });

describe("the name of the first event of a space", () => {
  it.each([
    ["展示室", "en", { ja: "展示室", en: "" }],
    ["TOKYO FAIR", "ja", { ja: "TOKYO FAIR", en: "" }],
    ["TOKYO FAIR", "en", { ja: "", en: "TOKYO FAIR" }],
    ["TOKYO FAIR", undefined, { ja: "", en: "TOKYO FAIR" }],
  ] as const)("%s, typed on a screen in %s, is %o", async (name, lang, eventName) => {
    const { eventId } = await create({ name, lang });
    const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    expect(event.eventName).toEqual(eventName);
  });
});

describe("a space from a showcase (an embedded Matterport space)", () => {
  it("is created with its first event, in the owner's root folder", async () => {
    const { space, eventId } = await create();
    expect(await testApp.data.spaces.find(space.id)).toEqual(space);
    expect(space).toMatchObject({
      sid: "SxQL3iGyoDo",
      source: { kind: "showcase" },
      eventCount: 1,
      ownerId: owner.user.id,
    });
    expect(space.folderId).toBe(await testApp.readRootFolderId(owner, "space"));
    expect((await testApp.data.events.find(eventId))?.event).toMatchObject({
      eventName: { ja: "本館", en: "" },
      statusId: 1,
      spaceId: space.id,
    });
    expect((await testApp.readAccount(owner.user.id))?.spaceCount).toBe(1);
  });

  it("shortens a long name for its first event, without splitting a character", async () => {
    const name = `${"あ".repeat(31)}😀${"い".repeat(32)}`;
    const { eventId } = await create({ name });
    expect((await testApp.data.events.find(eventId))?.event.eventName.ja).toBe(`${"あ".repeat(31)}😀`);
  });

  it("is rejected when the licence is used up, also for simultaneous spaces", async () => {
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => catchErrorCode(create())));
    expect(results.filter((code) => code === null)).toHaveLength(3);
    expect(results.filter((code) => code === "space_license")).toHaveLength(2);
    expect(await testApp.db.select().from(spaces)).toHaveLength(3);
    expect(await testApp.db.select().from(events)).toHaveLength(3);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "space_created"))).toHaveLength(3);
    const error = (await create().catch((e: unknown) => e)) as LimitError;
    expect(error.userMessage).toEqual({ key: "api:services.spaceLicense", values: { count: 3 } });
  });

  it("can be created after another one was moved to the trash", async () => {
    for (let i = 0; i < 3; i++) await create();
    await testApp.db
      .update(spaces)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(spaces.id, (await list()).spaces.items[0]?.id ?? ""));
    await create();
    expect(await catchErrorCode(create())).toBe("space_license");
  });

  it("is created for other users by administrators only", async () => {
    expect(await catchErrorCode(create({ actor: stranger.actor, ownerId: owner.user.id }))).toBe("not_found");
    const { space } = await create({ actor: testApp.admin, ownerId: owner.user.id });
    expect(space.ownerId).toBe(owner.user.id);
    expect(await catchErrorCode(create({ actor: testApp.admin, ownerId: randomUUID() }))).toBe("not_found");
  });

  it("is created in a folder of the owner, never in a media folder or another user's folder", async () => {
    const rootId = await testApp.readRootFolderId(owner, "space");
    expect((await create({ folderId: rootId })).space.folderId).toBe(rootId);
    expect(await catchErrorCode(create({ folderId: await testApp.readRootFolderId(owner, "media") }))).toBe(
      "not_found",
    );
    expect(
      await catchErrorCode(create({ folderId: await testApp.readRootFolderId(stranger, "space") })),
    ).toBe("not_found");
    expect(await catchErrorCode(create({ folderId: randomUUID() }))).toBe("not_found");
  });

  it("is shared like its folder", async () => {
    const { id, actors } = await testApp.addGroup(stranger);
    const member = actors[0] ?? testApp.admin;
    const folderId = randomUUID();
    await testApp.db.insert(folders).values({
      id: folderId,
      parentId: await testApp.readRootFolderId(owner, "space"),
      ownerId: owner.user.id,
      groupId: id,
      folderType: "space",
      name: "共有",
      createdAt: testApp.currentInstant(),
      updatedAt: testApp.currentInstant(),
    });
    const { space } = await create({ actor: member, folderId });
    expect(space).toMatchObject({ ownerId: owner.user.id, groupId: id });
    expect(await testApp.services.spaces.getSpace({ actor: member, spaceId: space.id })).toEqual(space);
    expect((await list({ actor: member, folderId })).spaces.items).toEqual([space]);
    expect((await list({ actor: member })).spaces).toMatchObject({ total: 1, items: [space] });
    expect((await list({ actor: stranger.actor })).spaces.total).toBe(0);

    // A space in that folder that is not shared is visible only to its owner and to administrators.
    const hidden = await create({ folderId });
    await testApp.db.update(spaces).set({ groupId: null }).where(eq(spaces.id, hidden.space.id));
    expect((await list({ actor: member, folderId })).spaces).toMatchObject({ total: 1, items: [space] });
    for (const actor of [owner.actor, testApp.admin])
      expect((await list({ actor, folderId })).spaces.total).toBe(2);
  });

  it("creates the root folders when an account has none", async () => {
    await testApp.db.delete(folders).where(eq(folders.ownerId, owner.user.id));
    await create();
    const { space } = await ensureRootFolders(
      { folders: testApp.data.folders, clock: { now: () => 0 }, ids: { uuid: randomUUID } as never },
      { ownerId: owner.user.id },
    );
    expect(await testApp.readRootFolderId(owner, "space")).toBe(space);
    expect(await testApp.db.select().from(folders).where(eq(folders.ownerId, owner.user.id))).toHaveLength(2);
  });
});

describe("the list of spaces", () => {
  it("contains the owner's spaces, newest first, with their folders", async () => {
    await create({ name: "古い" });
    testApp.time.now += 1000;
    await create({ name: "新しい" });
    const page = await list();
    expect(page.spaces.items.map(({ name, eventCount }) => [name, eventCount])).toEqual([
      ["新しい", 1],
      ["古い", 1],
    ]);
    expect(page.folders).toMatchObject([{ parentId: null, folderType: "space" }]);
    expect(page.folder).toBeNull();
    expect(page.owner).toMatchObject({ id: owner.user.id, spaceCount: 2, spaceLicense: 3 });
  });

  it("has pages", async () => {
    await testApp.db.update(users).set({ spaceLicense: 50 });
    for (let i = 0; i < 21; i++) await create({ name: `space ${i}` });
    expect((await list()).spaces).toMatchObject({ total: 21, page: 1, pageSize: 20 });
    expect((await list({ page: 2 })).spaces.items).toHaveLength(1);
  });

  it("contains shared spaces of other users, unless an owner is named", async () => {
    const { id: groupId, actors } = await testApp.addGroup(stranger);
    const member = actors[0] ?? testApp.admin;
    const { space } = await create();
    await testApp.db.update(spaces).set({ groupId });
    const own = await create({ actor: member });
    const ids = async (ownerId?: string) =>
      (await list({ actor: member, ...(ownerId && { ownerId }) })).spaces.items.map(({ id }) => id).sort();
    expect(await ids()).toEqual([space.id, own.space.id].sort());
    expect(await ids(member.userId)).toEqual([own.space.id]);
    expect((await list({ actor: member, ownerId: member.userId })).spaces.total).toBe(1);
  });

  it("is hidden from other users", async () => {
    const { space } = await create();
    expect(await catchErrorCode(list({ actor: stranger.actor, ownerId: owner.user.id }))).toBe("not_found");
    expect(
      await catchErrorCode(testApp.services.spaces.getSpace({ actor: stranger.actor, spaceId: space.id })),
    ).toBe("not_found");
    expect((await list({ actor: testApp.admin, ownerId: owner.user.id })).spaces.items).toEqual([space]);
    expect(await catchErrorCode(list({ actor: testApp.admin, ownerId: randomUUID() }))).toBe("not_found");
    expect(await catchErrorCode(list({ folderId: await testApp.readRootFolderId(stranger, "space") }))).toBe(
      "not_found",
    );
    expect(
      await catchErrorCode(
        list({ ownerId: stranger.user.id, folderId: await testApp.readRootFolderId(owner, "space") }),
      ),
    ).toBe("not_found");
  });
});

describe("accounts", () => {
  it("are listed for administrators only", async () => {
    const page = await testApp.services.users.listUsers({ actor: testApp.admin });
    expect(page).toMatchObject({ total: { count: 2, hasMore: false }, hasPrevious: false, hasNext: false });
    expect(await catchErrorCode(testApp.services.users.listUsers({ actor: owner.actor }))).toBe("not_found");
    expect(JSON.stringify(page)).not.toContain(HASH_PREFIX);
  });

  it("are found by both orders of the name, by company and by address", async () => {
    await testApp.addUser({
      email: "taro@shop.example",
      firstName: "Taro",
      lastName: "Sato",
      companyName: "青空",
    });
    const names = async (q: string) =>
      (await testApp.services.users.listUsers({ actor: testApp.admin, query: { q } })).items.map(
        (u) => u.lastName,
      );
    for (const q of ["taro sato", "SATOTARO", "青空", "taro@", "ｓｈｏｐ"])
      expect(await names(q)).toEqual(["Sato"]);
    expect(await names("nobody")).toEqual([]);
  });

  it("are seen by their owner and by administrators", async () => {
    const get = testApp.services.users.getAccount;
    expect(await get({ actor: owner.actor })).toEqual(owner.user);
    expect(await get({ actor: testApp.admin, userId: owner.user.id })).toEqual(owner.user);
    expect(await catchErrorCode(get({ actor: stranger.actor, userId: owner.user.id }))).toBe("not_found");
    expect(await catchErrorCode(get({ actor: testApp.admin, userId: randomUUID() }))).toBe("not_found");
  });

  it("have unique addresses, independent of case, also when they are created at the same time; only administrators create them", async () => {
    const input = { ...owner.user, actor: testApp.admin, password: PASSWORD };
    const add = (email: string) => catchErrorCode(testApp.services.users.createUser({ ...input, email }));
    expect((await Promise.all([add("new@demo.example"), add("NEW@demo.example")])).sort()).toEqual([
      "email_taken",
      null,
    ]);
    expect(await catchErrorCode(testApp.services.users.createUser({ ...input, actor: owner.actor }))).toBe(
      "forbidden",
    );
  });

  it("are created with two root folders", async () => {
    const types = (await testApp.db.select().from(folders).where(eq(folders.ownerId, owner.user.id))).map(
      (f) => f.folderType,
    );
    expect(types.sort()).toEqual(["media", "space"]);
  });
});
