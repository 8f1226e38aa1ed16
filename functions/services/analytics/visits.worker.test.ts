import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { VisitRecord, VisitReport } from "~/domain/analytics/visit";
import type { Actor } from "~/domain/auth/actor";
import { panoramaSpaceSource, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";
import { events, spaces, visitTotals } from "../../data/schema";
import { r2SaltStore } from "../../media/salt-store";
import { toVisitCountingRecord } from "./visit-counting-record";
import type { LogVisitInput } from "./visits";

const testApp = useTestApp();
const SECOND_MS = 1000;
const MINUTE = 60 * SECOND_MS;
const DAY = 86_400 * SECOND_MS;

let owner: TestUser;
let eventId: string;
let token: string;
let tagId: string;
let mediaId: string;
let itemId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
  itemId = (await testApp.addItem(owner)).id;
  mediaId = await testApp.addMediaItem(eventId, itemId);
  tagId = await testApp.addTag(eventId, [mediaId]);
  await testApp.setStatus(eventId, 3);
  const [row] = await testApp.db
    .select({ token: events.accessToken })
    .from(events)
    .where(eq(events.id, eventId));
  token = row?.token ?? "";
});

const newVisitId = () => randomBytes(16).toString("hex");
const traits = { lang: "ja", device: "phone", country: "JP" };
const sourceFrom = (
  network: string,
  overrides: Partial<LogVisitInput["source"]> = {},
): LogVisitInput["source"] => ({
  network: network,
  userAgent: "Mozilla/5.0",
  isRobot: false,
  traits,
  ticket: null,
  ...overrides,
});
const report = (overrides: Partial<VisitReport> = {}): VisitReport => ({
  visit: newVisitId(),
  part: 0,
  from: "",
  things: [],
  stays: [],
  ...overrides,
});
const logVisit = (
  changes: Partial<VisitReport> = {},
  source = sourceFrom("192.0.2.1"),
  link: Partial<LogVisitInput["link"]> = {},
) =>
  testApp.services.visits.logVisit({
    link: { eventId, mode: "published", token, eventAccessCookie: null, ...link },
    report: report(changes),
    source,
  });
const readTotal = async (period: string, id = eventId) => {
  const rows = await testApp.db.select().from(visitTotals).where(eq(visitTotals.eventId, id));
  const row = rows.find((row) => row.period === period);
  return row && { ...row, parts: JSON.parse(row.parts) as Record<string, number> };
};
const isNothingCounted = async () => (await testApp.db.select().from(visitTotals)).length === 0;

describe("a visit", () => {
  it("is counted in its hour, day, month and year in the event's time zone", async () => {
    // 2026-04-01T00:00Z is nine in the morning in Tokyo.
    await logVisit({
      from: "example.org",
      things: [{ act: "tag", id: tagId }],
      stays: [{ place: "", seconds: 8 }],
    });
    const parts = {
      [`tag:${tagId}`]: 1,
      "at:": 8,
      "lang:ja": 1,
      "device:phone": 1,
      "country:JP": 1,
      "from:example.org": 1,
    };
    const numbers = { visits: 1, visitors: 1, seconds: 8, tags: 1, tagVisitors: 1, products: 0 };
    for (const [grain, period] of [
      ["day", "2026-04-01"],
      ["month", "2026-04"],
      ["year", "2026"],
    ])
      expect(await readTotal(period as string)).toMatchObject({ grain, ...numbers, parts });
    expect(await readTotal("2026-04-01T09")).toMatchObject({ grain: "hour", ...numbers, parts: {} });
  });

  it("is reported in parts, each of which counts once even if it is repeated", async () => {
    const visit = newVisitId();
    const sendReport = () =>
      logVisit({ visit, things: [{ act: "tag", id: tagId }], stays: [{ place: "", seconds: 8 }] });
    await Promise.all([sendReport(), sendReport(), sendReport()]);
    testApp.time.now += DAY - MINUTE;
    await sendReport();
    await logVisit({ visit, part: 1, things: [{ act: "media", id: mediaId }] });
    expect(await readTotal("2026")).toMatchObject({ visits: 2, seconds: 8, tags: 1, media: 1 });
  });

  it("ends after half an hour without reports, and visitors are counted once a day", async () => {
    await logVisit();
    testApp.time.now += 29 * MINUTE;
    await logVisit();
    expect(await readTotal("2026-04-01")).toMatchObject({ visits: 1, visitors: 1 });
    testApp.time.now += 30 * MINUTE;
    await logVisit();
    expect(await readTotal("2026-04-01")).toMatchObject({ visits: 2, visitors: 1 });
    await logVisit({}, sourceFrom("192.0.2.2"));
    await logVisit({}, sourceFrom("192.0.2.1", { userAgent: "Mozilla/5.0 another" }));
    expect(await readTotal("2026-04-01")).toMatchObject({ visits: 4, visitors: 3 });
    // The day ends at midnight in Tokyo.
    testApp.time.now = Date.parse("2026-04-01T15:00:00.000Z");
    await logVisit();
    expect(await readTotal("2026-04-01")).toMatchObject({ visits: 4, visitors: 3 });
    expect(await readTotal("2026-04-02")).toMatchObject({ visits: 1, visitors: 1 });
    expect(await readTotal("2026-04")).toMatchObject({ visits: 5, visitors: 4 });
  });

  it("lasts at most ten seconds longer than the time since its first report", async () => {
    const dwellTime = { place: "", seconds: 120 };
    await logVisit({ stays: [dwellTime, dwellTime] });
    expect(await readTotal("2026")).toMatchObject({ seconds: 10 });
    testApp.time.now += 30 * SECOND_MS;
    await logVisit({ stays: [dwellTime] });
    expect(await readTotal("2026")).toMatchObject({ seconds: 40, parts: { "at:": 40 } });
  });

  it("contains only items that the event shows", async () => {
    await testApp.db.update(spaces).set({ source: panoramaSpaceSource(itemId) });
    const stays = [
      { place: "nn0", seconds: 2 },
      { place: "nn7", seconds: 3 },
      { place: "c1,0,2", seconds: 4 },
    ];
    const otherTagId = await testApp.addTag((await testApp.addSpace(owner)).eventId);
    const hidden = await testApp.addTag(eventId, [], { hidden: true });
    await logVisit({
      stays,
      things: [
        ...[otherTagId, hidden, mediaId, tagId].map((id) => ({ act: "tag", id }) as const),
        { act: "media", id: tagId },
        // The event has no store.
        { act: "product", id: "12" },
        { act: "checkout", id: "" },
      ],
    });
    expect(await readTotal("2026")).toMatchObject({
      tags: 1,
      media: 0,
      products: 0,
      checkouts: 0,
      seconds: 9,
      parts: { "at:nn0": 2, "at:": 7, [`tag:${tagId}`]: 1 },
    });
  });

  it("ignores positions far from all items of the event", async () => {
    const stays = ["c100,0,3", "c900,0,3", "c1,90,3"].map((place) => ({ place, seconds: 3 }));
    await logVisit({ stays });
    expect(await readTotal("2026")).toMatchObject({ seconds: 9, parts: { "at:c100,0,3": 3, "at:": 6 } });
  });

  it("counts actions in the shop, and the steps that visitors reached", async () => {
    await testApp.setEvent(eventId, { spStoreUrl: "https://store.example", spAccessToken: "t" });
    const link = { eventId, mode: "published", token, eventAccessCookie: null } as const;
    const source = sourceFrom("192.0.2.1");
    await logVisit({ things: [{ act: "product", id: "12" }] }, source);
    for (let times = 0; times < 3; times++)
      await testApp.services.visits.trackEvent({ link, source, item: { act: "cart", id: "12" } });
    await logVisit(
      {
        things: [
          { act: "product", id: "13" },
          { act: "checkout", id: "" },
        ],
      },
      source,
    );
    await logVisit({ things: [{ act: "product", id: "12" }] }, sourceFrom("192.0.2.2"));
    expect(await readTotal("2026")).toMatchObject({
      visits: 2,
      products: 3,
      carts: 1,
      checkouts: 1,
      productVisitors: 2,
      cartVisitors: 1,
      checkoutVisitors: 1,
      tagVisitors: 0,
      parts: { "product:12": 2, "product:13": 1, "cart:12": 1 },
    });
  });
});

it("an item that is opened immediately does not remove the referrer of the visit", async () => {
  await testApp.setEvent(eventId, { spStoreUrl: "https://store.example", spAccessToken: "t" });
  const link = { eventId, mode: "published", token, eventAccessCookie: null } as const;
  const recordItem = (
    network: string,
    item: Parameters<typeof testApp.services.visits.trackEvent>[0]["item"],
    site = "",
  ) => testApp.services.visits.trackEvent({ link, source: sourceFrom(network), item, from: site });
  const product = { act: "product", id: "12" } as const;
  await recordItem("192.0.2.1", product);
  await recordItem("192.0.2.1", { act: "media", id: mediaId });
  const sites = async () => {
    const parts = Object.entries((await readTotal("2026"))?.parts ?? {});
    return Object.fromEntries(parts.filter(([name, count]) => name.startsWith("from:") && count !== 0));
  };
  expect(await sites()).toEqual({ "from:": 1 });
  testApp.time.now += 2 * SECOND_MS;
  await logVisit({ from: "news.example" });
  expect(await sites()).toEqual({ "from:news.example": 1 });
  // A visitor who returns from another site during the same visit keeps the first referrer.
  await logVisit({ from: "blog.example" });
  // A shop page reports its own referrer if another site led there. Other visits have none.
  await recordItem("192.0.2.2", product, "shops.example");
  await logVisit({ from: "blog.example" }, sourceFrom("192.0.2.2"));
  await recordItem("192.0.2.3", product);
  expect(await sites()).toEqual({ "from:": 1, "from:news.example": 1, "from:shops.example": 1 });
  const { referrers } = await testApp.services.reports.report({
    actor: owner.actor,
    scope: { kind: "event", id: eventId },
    period: "all",
  });
  expect(referrers).toHaveLength(3);
});

describe("a visit is not counted", () => {
  it.each([1, 2, 4] as const)("in status %i", async (status) => {
    await testApp.setStatus(eventId, status);
    await logVisit();
    expect(await isNothingCounted()).toBe(true);
  });

  it("before the event starts and after it ends, by the server's clock", async () => {
    const at = (ms: number) => new Date(testApp.time.now + ms).toISOString();
    await testApp.setEvent(eventId, { statusId: 2, startDate: at(SECOND_MS), endDate: at(3 * SECOND_MS) });
    await logVisit();
    testApp.time.now += SECOND_MS;
    await logVisit();
    testApp.time.now += 2 * SECOND_MS;
    await logVisit();
    expect(await readTotal("2026")).toMatchObject({ visits: 1 });
  });

  it("for previews, wrong tokens and sids, tokens of other events, and events that do not exist", async () => {
    const [row] = await testApp.db.select().from(events).where(eq(events.id, eventId));
    await logVisit({}, undefined, { mode: "preview", token: row?.previewAccessToken ?? "" });
    await logVisit({}, undefined, { token: row?.previewAccessToken ?? "" });
    await logVisit({}, undefined, { token: null });
    await logVisit({}, undefined, { token: "x".repeat(10_000) });
    await logVisit({}, undefined, { eventId: crypto.randomUUID() });
    const { eventId: otherEventId } = await testApp.addSpace(owner);
    await testApp.setStatus(otherEventId, 3);
    await logVisit({}, undefined, { eventId: otherEventId });
    await logVisit({}, undefined, { sid: "12345678901" });
    expect(await isNothingCounted()).toBe(true);
  });

  it("for events with a password, until the password was entered", async () => {
    await testApp.setEvent(eventId, { publishPasswordHash: `${HASH_PREFIX}secret` });
    await logVisit();
    expect(await isNothingCounted()).toBe(true);
    const authentication = await testApp.services.visitors.authenticatePublishPassword({
      eventId,
      mode: "published",
      token,
      password: "secret",
      network: "1",
    });
    await logVisit({}, undefined, {
      eventAccessCookie: (authentication.success && authentication.accessCookie?.value) || null,
    });
    expect(await isNothingCounted()).toBe(false);
  });

  it("for robots, networks with too many reports, and logged-in users who may edit the event", async () => {
    const signIn = async (fields: Parameters<typeof testApp.addUser>[0]) => {
      const { user } = await testApp.addUser(fields);
      const { ticket } = await testApp.services.sessions.logIn({
        email: user.email,
        password: "correct horse battery",
        userAgent: "",
        network: "1",
      });
      return ticket;
    };
    await logVisit({}, sourceFrom("192.0.2.1", { isRobot: true }));
    testApp.visitAdmission.isOpen = false;
    await logVisit();
    testApp.visitAdmission.isOpen = true;
    await logVisit({}, sourceFrom("192.0.2.1", { ticket: await signIn({ role: "admin" }) }));
    const { ticket } = await testApp.services.sessions.logIn({
      email: owner.user.email,
      password: "correct horse battery",
      userAgent: "",
      network: "1",
    });
    await logVisit({}, sourceFrom("192.0.2.1", { ticket }));
    expect(await isNothingCounted()).toBe(true);
    await logVisit({}, sourceFrom("192.0.2.1", { ticket: await signIn({}) }));
    await logVisit({}, sourceFrom("192.0.2.2", { ticket: "x" }));
    expect(await readTotal("2026")).toMatchObject({ visits: 2 });
  });
});

it("a full list of one kind stops growing but still counts, and takes no room from other kinds", async () => {
  await testApp.setEvent(eventId, { spStoreUrl: "https://store.example", spAccessToken: "t" });
  await logVisit({ things: [{ act: "product", id: "7" }], stays: [{ place: "c0,0,0", seconds: 1 }] });
  const manyCells = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`at:c${i},0,-1000`, 1]));
  await testApp.db
    .update(visitTotals)
    .set({ parts: JSON.stringify({ ...manyCells, "at:c0,0,0": 1, "product:7": 1 }) })
    .where(eq(visitTotals.grain, "year"));
  const things = ["7", "8", "9"].map((id) => ({ act: "product" as const, id }));
  const stays = ["c0,0,0", "c1,1,1", "c2,2,2"].map((place) => ({ place, seconds: 2 }));
  for (const network of ["192.0.2.2", "192.0.2.3"])
    await logVisit({ things, stays, from: "new.example" }, sourceFrom(network));
  const otherParts = { "product:7": 3, "product:8": 2, "from:new.example": 2, "at:c0,0,0": 5 };
  expect(await readTotal("2026")).toMatchObject({
    products: 7,
    parts: { ...manyCells, ...otherParts, "at:*": 8 },
  });
  expect(await readTotal("2026-04")).toMatchObject({
    parts: { ...otherParts, "at:c1,1,1": 4, "at:c2,2,2": 4 },
  });
});

/** Reports of the same visitors five minutes before. */
const firstReportsOf = (records: readonly VisitRecord[]) =>
  records.map((record) => ({
    ...record,
    visit: newVisitId(),
    at: record.at - 5 * MINUTE,
    things: [],
    stays: [],
  }));

it("the list of places does not exceed its maximum length with eighty simultaneous reports", async () => {
  const at = testApp.time.now;
  const record = (index: number) => ({
    eventId,
    visit: newVisitId(),
    part: 0,
    at,
    hour: `2026-04-01T${index < 40 ? "09" : "10"}`,
    visitor: `v${index}`,
    traits: { ...traits, from: "" },
    things: [],
    stays: Array.from({ length: 50 }, (_, cell) => ({ place: `c${index},${cell},1000`, seconds: 2 })),
  });
  const records = Array.from({ length: 80 }, (_, index) => record(index));
  await testApp.rooms.recordAll(firstReportsOf(records));
  await testApp.rooms.recordAll(records);
  const year = await readTotal("2026");
  expect(year).toMatchObject({ visits: 80, seconds: 8000, parts: { "lang:ja": 80 } });
  const cells = Object.entries(year?.parts ?? {}).filter(([name]) => name.startsWith("at:"));
  expect(cells.reduce((sum, [, seconds]) => sum + seconds, 0)).toBe(8000);
  expect(JSON.stringify(Object.fromEntries(cells)).length).toBeLessThan(41_000);
  expect(cells.length).toBeGreaterThan(1000);
});

it("simultaneous long reports of many pages are written in values that D1 accepts", async () => {
  const at = testApp.time.now;
  const things = Array.from({ length: 50 }, () => ({ act: "tag" as const, id: crypto.randomUUID() }));
  const stays = Array.from({ length: 50 }, (_, cell) => ({ place: `c${cell},0,0`, seconds: 1 }));
  const records = Array.from({ length: 450 }, (_, index) => ({
    eventId,
    visit: newVisitId(),
    part: 0,
    at,
    hour: "2026-04-01T09",
    visitor: `v${index}`,
    traits: { ...traits, from: "" },
    things,
    stays,
  }));
  await testApp.rooms.recordAll(firstReportsOf(records));
  for (let times = 0; times < 2; times++) await testApp.rooms.recordAll(records);
  // The maximum size of a D1 value; the test database accepts more.
  const longest = Math.max(
    ...testApp.spy.statements.flatMap(({ params }) => params.map((param) => `${param}`.length)),
  );
  expect(longest).toBeLessThan(2_000_000);
  expect(await readTotal("2026")).toMatchObject({
    visits: 450,
    visitors: 450,
    tags: 22_500,
    seconds: 22_500,
  });
});

it("a duplicate within one part is stored and counted once", async () => {
  const things = Array.from({ length: 50 }, () => ({ act: "tag" as const, id: tagId }));
  await logVisit({ things, stays: Array.from({ length: 50 }, () => ({ place: "", seconds: 2 })) });
  expect([...testApp.rooms.room(eventId).log.partsBetween(0)]).toMatchObject([
    { things: [{ act: "tag", id: tagId }], stays: [{ place: "", seconds: 100 }] },
  ]);
  expect(await readTotal("2026")).toMatchObject({ tags: 1, seconds: 10 });
});

describe("the stored data of visitors", () => {
  it("identifies no one, and cannot be recomputed after the day", async () => {
    // Only rows are deleted between tests, so the salts of earlier tests are still in R2.
    await testApp.files.delete(
      (await testApp.files.list({ prefix: "salts/" })).objects.map(({ key }) => key),
    );
    await logVisit({}, sourceFrom("192.0.2.1", { userAgent: "Mozilla/5.0 telling" }));
    const storedRows = JSON.stringify([
      testApp.rooms.rowsOf(eventId),
      await testApp.db.select().from(visitTotals),
    ]);
    expect(storedRows).not.toContain("192.0.2");
    expect(storedRows).not.toContain("telling");
    // A database can be restored to yesterday, which must not restore yesterday's salt.
    const tables = await testApp.binding
      .prepare("SELECT group_concat(sql) AS text FROM sqlite_master")
      .first("text");
    expect(tables).not.toMatch(/salt/i);
    const salts = async () => (await testApp.files.list({ prefix: "salts/" })).objects.map(({ key }) => key);
    const endsAt = "2026-04-01T15:00:00.000Z";
    expect(await salts()).toEqual([`salts/${endsAt} Asia/Tokyo`]);
    const [first, second] = [1, 2].map(() => r2SaltStore(testApp.files));
    const day = { timeZone: "Asia/Tokyo", day: "2026-04-02", endsAt: "2026-04-02T15:00:00.000Z" };
    const storedSalts = await Promise.all([
      first?.getOrCreate(day, "a"),
      second?.getOrCreate(day, "b"),
      first?.getOrCreate(day, "c"),
    ]);
    expect(new Set(storedSalts).size).toBe(1);
    testApp.time.now = Date.parse(endsAt) + MINUTE - 1;
    await testApp.services.visits.deleteExpiredVisits();
    expect(await salts()).toHaveLength(2);
    testApp.time.now++;
    await testApp.services.visits.deleteExpiredVisits();
    expect(await salts()).toEqual([`salts/${day.endsAt} Asia/Tokyo`]);
  });

  it("is deleted after its retention period, without changing reports", async () => {
    await logVisit();
    testApp.time.now += 3 * DAY;
    await testApp.rooms.archive(eventId, testApp.files);
    const archivedCount = async () =>
      (await testApp.files.list({ prefix: `visits/${eventId}/` })).objects.length;
    expect(await archivedCount()).toBe(1);
    const totalsBefore = await testApp.db.select().from(visitTotals);
    testApp.time.now += 91 * DAY;
    await testApp.rooms.archive(eventId, testApp.files);
    await testApp.services.visits.deleteExpiredVisits();
    expect(await archivedCount()).toBe(0);
    expect(testApp.rooms.rowsOf(eventId)).toEqual([]);
    expect(await testApp.db.select().from(visitTotals)).toEqual(totalsBefore);
  });

  it("is deleted when the owner requests it, and later visits are counted", async () => {
    const remove = (actor: Actor) => testApp.services.visits.deleteVisits({ actor, eventId });
    const stranger = await testApp.addUser();
    await logVisit({ things: [{ act: "tag", id: tagId }] });
    await expect(remove(stranger.actor)).rejects.toMatchObject({ kind: "not_found" });
    const other = await testApp.addSpace(owner);
    await testApp.setEvent(other.eventId, { statusId: 3, accessToken: "z".repeat(43) });
    await logVisit({}, undefined, { eventId: other.eventId, token: "z".repeat(43) });
    testApp.time.now += MINUTE;
    await remove(owner.actor);
    expect(await readTotal("2026")).toBeUndefined();
    testApp.time.now += MINUTE;
    await logVisit();
    await testApp.services.visits.deleteExpiredVisits();
    expect(await readTotal("2026")).toMatchObject({ visits: 1, visitors: 1, tags: 0 });
    expect(await readTotal("2026", other.eventId)).toMatchObject({ visits: 1 });
  });

  it("is deleted together with earlier parts that arrive after the deletion", async () => {
    const record = (visitor: string): VisitRecord => ({
      eventId,
      visit: newVisitId(),
      part: 0,
      at: testApp.time.now,
      hour: "2026-04-01T09",
      visitor,
      traits: { ...traits, from: "" },
      things: [],
      stays: [],
    });
    const firstRecord = record("a");
    await testApp.rooms.recordAll([firstRecord]);
    testApp.time.now += SECOND_MS;
    const lateRecord = record("b");
    testApp.time.now += SECOND_MS;
    await testApp.services.visits.deleteVisits({ actor: owner.actor, eventId });
    await testApp.rooms.recordAll([firstRecord, lateRecord]);
    expect(await isNothingCounted()).toBe(true);
    await testApp.rooms.recordAll([lateRecord, record("a")]);
    expect(await readTotal("2026")).toMatchObject({ visits: 1, visitors: 1 });
  });
});

it("counting visits needs a part of an event's record that is small, however long its texts are", async () => {
  const texts = { bodyJa: "あ".repeat(500), bodyEn: "a".repeat(500) };
  for (let count = 0; count < 40; count++) await testApp.addTag(eventId, [], texts);
  const record = await testApp.data.visitors.load(eventId);
  if (!record) throw new Error("The event is missing");
  const [recordLength, countingRecordLength] = [record, toVisitCountingRecord(record)].map(
    (value) => JSON.stringify(value).length,
  );
  expect(recordLength).toBeGreaterThan(40_000);
  expect(countingRecordLength).toBeLessThan(5_000);
});
