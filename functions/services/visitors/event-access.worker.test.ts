import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { events, libraryItems, spaces, users } from "#functions/data/schema";
import { hashPassword, verifyPassword } from "#functions/security/password";
import type { EventStatusId, LinkMode, Localized } from "~/domain/shared/model";
import {
  catchErrorCode,
  panoramaSpaceSource,
  type TestApp,
  type TestUser,
  useTestApp,
} from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";
import { authenticatePublishPassword, EVENT_ACCESS_LIFETIME_MS, readVisitorEvent } from "./event-access";

const testApp = useTestApp();
let owner: TestUser;
let stranger: TestUser;
let eventId: string;
let spaceId: string;
let tokens: Record<LinkMode, string>;

beforeEach(async () => {
  owner = await testApp.addUser();
  stranger = await testApp.addUser();
  const created = await testApp.addSpace(owner);
  eventId = created.eventId;
  spaceId = created.space.id;
  const event = (await testApp.data.events.find(eventId))?.event;
  tokens = { preview: event?.previewAccessToken ?? "", published: event?.accessToken ?? "" };
  await testApp.setStatus(eventId, 3);
});

const read = (fields: Partial<Parameters<TestApp["services"]["visitors"]["readVisitorEvent"]>[0]> = {}) => {
  const mode = fields.mode ?? "published";
  return testApp.services.visitors.readVisitorEvent({ eventId, mode, token: tokens[mode], ...fields });
};
const stateOf = async (fields?: Parameters<typeof read>[0]) => (await read(fields)).state;

describe("a visitor's link", () => {
  it("takes one round trip when nothing is cached", async () => {
    const item = await testApp.addItem(owner);
    await testApp.addTag(eventId, [await testApp.addMediaItem(eventId, item.id)]);
    expect(await testApp.countRoundTrips(() => read())).toBe(1);
    expect(await testApp.countRoundTrips(() => testApp.data.visitors.revision(eventId))).toBe(1);
  });

  it.each([
    [1, "closed", "closed"],
    [2, "open", "closed"],
    [3, "open", "open"],
    [4, "closed", "closed"],
  ] as const)("in status %i is %s for preview and %s for the public", async (status, preview, published) => {
    await testApp.setStatus(eventId, status as EventStatusId);
    expect([await stateOf({ mode: "preview" }), await stateOf()]).toEqual([preview, published]);
  });

  it("opens and closes at the exact millisecond of its dates, without the cron job that saves due statuses", async () => {
    const [start, end] = ["2026-05-01T09:00:00.000Z", "2026-05-02T09:00:00.000Z"];
    await testApp.setEvent(eventId, { statusId: 1, startDate: start, endDate: end });
    const accessAfter = async (ms: number) => {
      testApp.time.now = ms;
      return stateOf();
    };
    expect(await accessAfter(Date.parse(start) - 1)).toBe("closed");
    expect(await accessAfter(Date.parse(start))).toBe("open");
    expect(await accessAfter(Date.parse(end) - 1)).toBe("open");
    expect(await accessAfter(Date.parse(end))).toBe("closed");
  });

  it("opens only with its own token and the sid (public id) of its space", async () => {
    expect(await stateOf({ token: tokens.preview })).toBe("closed");
    expect(await stateOf({ mode: "preview", token: tokens.published })).toBe("closed");
    for (const token of [null, "", "x", `${tokens.published}x`, tokens.published.slice(1), "' OR 1=1"]) {
      expect(await stateOf({ token })).toBe("closed");
    }
    expect(await stateOf({ sid: "SxQL3iGyoDo" })).toBe("open");
    expect(await stateOf({ sid: "AAAAAAAAAAA" })).toBe("closed");
    expect(await stateOf({ eventId: randomUUID() })).toBe("closed");
  });

  it("is closed when the owner's account is deleted, and its revision changes, so that other isolates do not use their cached record", async () => {
    const before = await testApp.data.visitors.revision(eventId);
    await testApp.db
      .update(users)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(users.id, owner.user.id));
    expect(await stateOf()).toBe("closed");
    expect(await testApp.data.visitors.revision(eventId)).not.toBe(before);
    await testApp.db.update(users).set({ deletedAt: null }).where(eq(users.id, owner.user.id));
    expect(await stateOf()).toBe("open");
  });

  it("is closed when the event or its space is in the trash", async () => {
    await testApp.db
      .update(spaces)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(spaces.id, spaceId));
    expect(await stateOf()).toBe("closed");
    await testApp.db.update(spaces).set({ deletedAt: null });
    expect(await stateOf()).toBe("open");
    await testApp.setEvent(eventId, { deletedAt: testApp.currentInstant() });
    expect(await stateOf()).toBe("closed");
    expect(await testApp.data.visitors.revision(eventId)).toBeNull();
  });

  it("is rejected after too many wrong tokens from one network, but never with the right token", async () => {
    const network = "192.0.2.7";
    for (let i = 0; i < 50; i++) expect(await stateOf({ token: "wrong", network })).toBe("closed");
    expect(await catchErrorCode(read({ token: "wrong", network }))).toBe("rate_limited");
    expect(await stateOf({ token: "wrong", network: "192.0.2.8" })).toBe("closed");
    expect(await stateOf({ network })).toBe("open");
    testApp.limiter.failedKeys.length = 0;
    await testApp.setStatus(eventId, 1);
    expect(await stateOf({ network })).toBe("closed");
    expect(testApp.limiter.failedKeys).toEqual([]);
  });
});

describe("wrong tokens", () => {
  it("that are sent at once are checked fifty times, and rejected beyond that", async () => {
    const network = "192.0.2.8";
    const guesses = await Promise.all(
      Array.from({ length: 70 }, (_, i) => catchErrorCode(read({ token: `wrong${i}`, network }))),
    );
    expect(guesses.filter((code) => code === null)).toHaveLength(50);
    expect(guesses.filter((code) => code === "rate_limited")).toHaveLength(20);
  });
});

describe("a visitor's content", () => {
  const secrets = { spAccessToken: "shpfa-secret-store-token", spStoreUrl: "https://store.example.com" };

  it("contains the tags and media items, the current status, and the space", async () => {
    const item = await testApp.addItem(owner);
    const mediaId = await testApp.addMediaItem(eventId, item.id, { descriptionEn: "A picture" });
    const tag = await testApp.addTag(eventId, [mediaId]);
    await testApp.setEvent(eventId, {
      urlParams: '{"wts":2}',
      statusId: 2,
      startDate: "2026-03-01T00:00:00.000Z",
      ...secrets,
    });
    const result = await read();
    expect(result).toMatchObject({
      state: "open",
      event: {
        id: eventId,
        statusId: 3,
        hasStore: true,
        urlParams: { wts: 2 },
        space: { id: spaceId, sid: "SxQL3iGyoDo", source: { kind: "showcase" } },
        tags: [{ id: tag, mediaIds: [mediaId], title: { ja: "受付", en: "Reception" } }],
        media: [{ id: mediaId, libraryItemId: item.id, description: { ja: "", en: "A picture" } }],
      },
    });
  });

  it("contains no secret: no token, store token, hash, owner or location of a file", async () => {
    const item = await testApp.addItem(owner);
    await testApp.addMediaItem(eventId, item.id);
    await testApp.setEvent(eventId, { ...secrets, publishPasswordHash: null });
    const result = await read();
    const json = JSON.stringify(result.state === "open" && result.event);
    expect(json).toContain(eventId);
    for (const secret of [
      tokens.preview,
      tokens.published,
      ...Object.values(secrets),
      owner.user.id,
      item.fileKey,
    ]) {
      expect(json).not.toContain(secret);
    }
    expect(json).not.toMatch(/token|hash|password|owner|version/i);
  });

  it("omits media whose file is in the trash, also in tags", async () => {
    const [keptItem, deleted] = [await testApp.addItem(owner), await testApp.addItem(owner)];
    const [a, b] = [
      await testApp.addMediaItem(eventId, keptItem.id),
      await testApp.addMediaItem(eventId, deleted.id),
    ];
    await testApp.addTag(eventId, [b, a]);
    await testApp.db
      .update(libraryItems)
      .set({ deletedAt: testApp.currentInstant() })
      .where(eq(libraryItems.id, deleted.id));
    const result = await read();
    expect(result).toMatchObject({ event: { tags: [{ mediaIds: [a] }], media: [{ id: a }] } });
    expect(result.state === "open" && Object.keys(result.record.files)).toEqual([keptItem.id]);
  });

  it("tolerates invalid stored parameters", async () => {
    await testApp.setEvent(eventId, { urlParams: '["not","an","object"]' });
    expect(await read()).toMatchObject({ event: { urlParams: {} } });
  });
});

describe("a publish password", () => {
  const authenticate = (
    password: string,
    fields: Partial<Parameters<TestApp["services"]["visitors"]["authenticatePublishPassword"]>[0]> = {},
  ) =>
    testApp.services.visitors.authenticatePublishPassword({
      eventId,
      mode: "published",
      token: tokens.published,
      password,
      network: "192.0.2.1",
      ...fields,
    });
  const accessCookieFrom = async () => {
    const result = await authenticate("open sesame");
    return result.success ? (result.accessCookie?.value ?? "") : "";
  };

  beforeEach(() => testApp.setEvent(eventId, { publishPasswordHash: `${HASH_PREFIX}open sesame` }));

  it("locks both links: the name and the cover are returned only if the owner shows them", async () => {
    const poster = await testApp.addItem(owner);
    await testApp.db.update(spaces).set({ posterMediaId: poster.id });
    const lockedState = (eventName: Localized | null, coverId: string | null) => ({
      state: "locked",
      event: { id: eventId, eventName, coverId },
    });
    expect(await read()).toEqual(lockedState(null, null));
    await testApp.setEvent(eventId, { showBeforePassword: true });
    expect(await read()).toEqual(lockedState({ ja: "渋谷ショールーム", en: "" }, poster.id));
    expect(await stateOf({ mode: "preview" })).toBe("locked");
    expect(await stateOf({ token: "wrong" })).toBe("closed");
  });

  it("returns an access cookie that opens this event until it expires", async () => {
    const eventAccessCookie = await accessCookieFrom();
    expect(await stateOf({ eventAccessCookie })).toBe("open");
    expect(await stateOf({ eventAccessCookie: `${eventAccessCookie}x` })).toBe("locked");
    const other = await testApp.addSpace(owner, "別");
    const otherToken = (await testApp.data.events.find(other.eventId))?.event.accessToken ?? "";
    await testApp.setEvent(other.eventId, { statusId: 3, publishPasswordHash: `${HASH_PREFIX}open sesame` });
    expect(await stateOf({ eventId: other.eventId, token: otherToken, eventAccessCookie })).toBe("locked");
    testApp.time.now += EVENT_ACCESS_LIFETIME_MS;
    expect(await stateOf({ eventAccessCookie })).toBe("locked");
  });

  it("invalidates access cookies when it changes", async () => {
    const eventAccessCookie = await accessCookieFrom();
    await testApp.setEvent(eventId, { publishPasswordHash: `${HASH_PREFIX}another one` });
    expect(await stateOf({ eventAccessCookie })).toBe("locked");
  });

  it("is not required for an event without one", async () => {
    await testApp.setEvent(eventId, { publishPasswordHash: null });
    expect(await authenticate("anything")).toEqual({ success: true, accessCookie: null });
  });

  it("is rejected when it is wrong, and always after fifty failures from one network for one event", async () => {
    for (let i = 0; i < 50; i++) expect(await authenticate("wrong")).toEqual({ success: false });
    expect(await catchErrorCode(authenticate("open sesame"))).toBe("rate_limited");
    expect(await authenticate("open sesame", { network: "192.0.2.2" })).toMatchObject({ success: true });
  });

  it("is rejected after three hundred failures for one event, from any networks", async () => {
    const record = await testApp.data.visitors.load(eventId);
    const deps = {
      readRecord: async () => record,
      clock: { now: () => testApp.time.now },
      eventAccessSigner: testApp.eventAccessSigner,
      hasher: testApp.hasher,
      limiter: testApp.limiter,
    };
    const guess = (i: number) =>
      authenticatePublishPassword(deps, {
        eventId,
        mode: "published",
        token: tokens.published,
        password: "wrong",
        network: `192.0.2.${i % 10}`,
      });
    for (let i = 0; i < 300; i++) expect(await guess(i)).toEqual({ success: false });
    expect(await catchErrorCode(guess(0))).toBe("rate_limited");
    expect(await catchErrorCode(authenticate("open sesame", { network: "198.51.100.1" }))).toBe(
      "rate_limited",
    );
  });

  it("is checked at most fifty times when seventy guesses are sent at once", async () => {
    const { verify } = testApp.hasher;
    testApp.hasher.verify = async (...guess) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return verify.apply(testApp.hasher, guess);
    };
    const guesses = await Promise.allSettled(Array.from({ length: 70 }, (_, i) => authenticate(`wrong${i}`)));
    expect(guesses.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
    expect(testApp.hasher.verified).toBe(50);
  });

  it("is not checked for a closed link", async () => {
    for (const fields of [{ token: "wrong" }, { mode: "preview" as const }, { eventId: randomUUID() }]) {
      expect(await catchErrorCode(authenticate("open sesame", fields))).toBe("not_found");
    }
    await testApp.setStatus(eventId, 4);
    expect(await catchErrorCode(authenticate("open sesame"))).toBe("not_found");
    expect(testApp.hasher.verified).toBe(0);
  });

  it("is not hashed when it is a million characters long", async () => {
    expect(await authenticate("x".repeat(1_000_000))).toEqual({ success: false });
    expect(testApp.hasher.verified).toBe(0);
  });

  it("is checked with the real scrypt, and returns an access cookie that opens the event", async () => {
    await testApp.setEvent(eventId, { publishPasswordHash: await hashPassword("open sesame") });
    const deps = {
      readRecord: testApp.data.visitors.load,
      clock: { now: () => testApp.time.now },
      eventAccessSigner: testApp.eventAccessSigner,
      hasher: { hash: hashPassword, verify: verifyPassword, dummyHash: "" },
      limiter: testApp.limiter,
    };
    const link = { eventId, mode: "published", token: tokens.published } as const;
    const authenticated = await authenticatePublishPassword(deps, {
      ...link,
      password: "open sesame",
      network: "1",
    });
    expect(
      await authenticatePublishPassword(deps, { ...link, password: "open says me", network: "1" }),
    ).toEqual({
      success: false,
    });
    const eventAccessCookie = authenticated.success ? authenticated.accessCookie?.value : null;
    expect((await readVisitorEvent(deps, { ...link, eventAccessCookie })).state).toBe("open");
  });
});

describe("files", () => {
  const open = (id: string, viewer: Parameters<TestApp["services"]["library"]["openFile"]>[0]["viewer"]) =>
    testApp.services.library.openFile({ id, viewer });
  const link = (fields: object = {}) =>
    ({ kind: "link", eventId, mode: "published", token: tokens.published, ...fields }) as const;

  it("of an event, its space and the space's thumbnail are available to its visitors, and no other files", async () => {
    const [eventItem, panorama, poster, unusedItem] = [
      await testApp.addItem(owner),
      await testApp.addItem(owner),
      await testApp.addItem(owner),
      await testApp.addItem(owner),
    ];
    await testApp.addMediaItem(eventId, eventItem.id);
    await testApp.db
      .update(spaces)
      .set({ source: panoramaSpaceSource(panorama.id), posterMediaId: poster.id });
    for (const item of [eventItem, panorama, poster]) {
      expect(await open(item.id, link())).toMatchObject({
        itemId: item.id,
        fileKey: item.fileKey,
        mimeType: "image/png",
      });
    }
    for (const id of [unusedItem.id, randomUUID(), "__proto__", "constructor", ""]) {
      expect(await catchErrorCode(open(id, link()))).toBe("not_found");
    }
    expect(await catchErrorCode(open(eventItem.id, link({ token: tokens.preview })))).toBe("not_found");
    await testApp.setStatus(eventId, 4);
    expect(await catchErrorCode(open(eventItem.id, link()))).toBe("not_found");
  });

  it("require the publish password", async () => {
    const item = await testApp.addItem(owner);
    await testApp.addMediaItem(eventId, item.id);
    await testApp.setEvent(eventId, { publishPasswordHash: `${HASH_PREFIX}open sesame` });
    expect(await catchErrorCode(open(item.id, link()))).toBe("not_found");
    const result = await testApp.services.visitors.authenticatePublishPassword({
      eventId,
      mode: "published",
      token: tokens.published,
      password: "open sesame",
      network: "1",
    });
    const eventAccessCookie = result.success ? result.accessCookie?.value : "";
    expect(await open(item.id, link({ eventAccessCookie }))).toMatchObject({ itemId: item.id });
  });

  it("are available to their owner, administrators and their group", async () => {
    const { id: groupId, actors } = await testApp.addGroup(stranger);
    const member = actors[0] ?? testApp.admin;
    const item = await testApp.addItem(owner);
    const shared = await testApp.addItem(owner, { groupId });
    expect(await open(item.id, { kind: "actor", actor: owner.actor })).toMatchObject({ itemId: item.id });
    expect(await open(item.id, { kind: "actor", actor: testApp.admin })).toMatchObject({ itemId: item.id });
    expect(await open(shared.id, { kind: "actor", actor: member })).toMatchObject({ itemId: shared.id });
    for (const actor of [stranger.actor, member]) {
      expect(await catchErrorCode(open(item.id, { kind: "actor", actor }))).toBe("not_found");
    }
  });

  it("are readable for the members of a group if a space that is shared with it uses them, itself or in an event", async () => {
    const { id: groupId, actors } = await testApp.addGroup(stranger);
    const viewer = { kind: "actor", actor: actors[0] ?? testApp.admin } as const;
    const [poster, eventItem] = [await testApp.addItem(owner), await testApp.addItem(owner)];
    await testApp.addMediaItem(eventId, eventItem.id);
    await testApp.db.update(spaces).set({ posterMediaId: poster.id });
    for (const { id } of [poster, eventItem])
      expect(await catchErrorCode(open(id, viewer))).toBe("not_found");
    await testApp.db.update(spaces).set({ groupId });
    for (const { id } of [poster, eventItem]) expect(await open(id, viewer)).toMatchObject({ itemId: id });
    await testApp.db.update(events).set({ deletedAt: testApp.currentInstant() });
    expect(await catchErrorCode(open(eventItem.id, viewer))).toBe("not_found");
  });
});
