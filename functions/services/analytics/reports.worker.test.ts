import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { nameColumns } from "#functions/data/events/event-names";
import { REPORT_PERIODS } from "~/domain/analytics/report-period";
import type { VisitDuration, VisitedItem } from "~/domain/analytics/visit";
import { NO_VISITS } from "~/domain/analytics/visit-tally";
import { newText } from "~/domain/events/event-texts";
import { EVENT_PRODUCTS_MAX } from "~/domain/shared/limits";
import { panoramaSpaceSource, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { newTag } from "../../../tests/support/content-commands";
import {
  eventScenes,
  events,
  eventTags,
  spaces,
  visitAccountLive,
  visitAccountTotals,
  visitProducts,
  visitRanks,
  visitSpaceLive,
  visitSpaceTotals,
  visitTotals,
} from "../../data/schema";
import type { ReportInput } from "./reports";

const testApp = useTestApp();
const TOKEN = "z".repeat(43);

let owner: TestUser;
let eventId: string;
let spaceId: string;

async function addEvent() {
  const { eventId: id, space } = await testApp.addSpace(owner);
  await testApp.setEvent(id, {
    statusId: 3,
    accessToken: TOKEN,
    spStoreUrl: "https://s.example",
    spAccessToken: "t",
  });
  return { id, spaceId: space.id };
}

/** Creates another event in the space of an existing event. */
async function addEventIn(id: string): Promise<string> {
  const [row] = await testApp.db.select().from(events).where(eq(events.spaceId, id));
  if (!row) throw new Error("The space has no event");
  const copy = { ...row, id: randomUUID(), ...nameColumns(newText("2")) };
  await testApp.db.insert(events).values(copy);
  return copy.id;
}

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ id: eventId, spaceId } = await addEvent());
});

interface TestVisit {
  /** Local time in Tokyo. */
  readonly at?: string;
  /** The visitor's network, which identifies the visitor here. */
  readonly who?: string;
  /** Id of the event. */
  readonly of?: string;
  readonly things?: readonly VisitedItem[];
  readonly stays?: readonly VisitDuration[];
  readonly from?: string;
  readonly country?: string;
}

async function visit({ at: setTime = "2026-04-15T12:00", who = "a", of = eventId, ...more }: TestVisit = {}) {
  testApp.time.now = Date.parse(`${setTime}:00.000+09:00`);
  await testApp.services.visits.logVisit({
    link: { eventId: of, mode: "published", token: TOKEN, eventAccessCookie: null },
    report: {
      visit: randomBytes(16).toString("hex"),
      part: 0,
      from: more.from ?? "",
      things: more.things ?? [],
      stays: more.stays ?? [],
    },
    source: {
      network: who,
      userAgent: "Mozilla/5.0",
      isRobot: false,
      ticket: null,
      traits: { lang: "ja", device: "phone", country: more.country ?? "JP" },
    },
  });
}

const read = (input: Partial<ReportInput> = {}, at = "2026-04-15T12:30") => {
  testApp.time.now = Date.parse(`${at}:00.000+09:00`);
  return testApp.services.reports.report({
    actor: owner.actor,
    scope: { kind: "event", id: eventId },
    period: "monthly",
    ...input,
  });
};

describe("a report of an event", () => {
  it("marks the days on which it was published, mailed and closed, and on which tags were added", async () => {
    const at = (time: string) => {
      testApp.time.now = Date.parse(`${time}:00.000+09:00`);
    };
    const { eventId: id, space } = await testApp.addSpace(owner, "本館");
    const setStatus = async (statusId: 1 | 3) => {
      const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId: id });
      const values = { ...event, statusId, publishPassword: { action: "keep" } } as const;
      await testApp.services.events.updateEvent({ actor: owner.actor, eventId: id, values });
    };
    const addTag = (uuid: string) =>
      testApp.services.content.editContent({
        actor: owner.actor,
        eventId: id,
        commands: [newTag(uuid)],
      });
    // Changes before and after midnight in Tokyo.
    at("2026-04-02T23:50");
    await addTag(randomUUID());
    await addTag(randomUUID());
    at("2026-04-03T00:10");
    await addTag(randomUUID());
    await setStatus(3);
    const mailLink = (mode: "preview" | "published") =>
      testApp.services.events.recordSharedLink({ actor: owner.actor, eventId: id, mode, by: "mailed" });
    at("2026-04-04T12:00");
    await mailLink("published");
    await mailLink("preview");
    at("2026-04-10T09:00");
    await setStatus(1);
    const marksIn = async (scope: ReportInput["scope"], period: ReportInput["period"] = "monthly") =>
      (await read({ scope, period })).marks.map(({ period: day, kind, count }) => [day, kind, count]);
    expect(await marksIn({ kind: "event", id })).toEqual([
      ["2026-04-02", "tags", 2],
      ["2026-04-03", "published", 1],
      ["2026-04-03", "tags", 1],
      ["2026-04-04", "mailed", 1],
      ["2026-04-10", "closed", 1],
    ]);
    expect(await marksIn({ kind: "event", id }, "daily")).toEqual([]);
    await visit({ of: id });
    await testApp.setEvent(id, { statusId: 3, accessToken: TOKEN });
    await visit({ of: id });
    expect(await marksIn({ kind: "space", id: space.id })).toEqual([
      ["2026-04-03", "published", 1],
      ["2026-04-04", "mailed", 1],
      ["2026-04-10", "closed", 1],
    ]);
  });

  it("has the totals, the totals of the previous period, and a point for every part of the period", async () => {
    for (const at of ["2026-03-02T10:00", "2026-03-20T10:00", "2026-04-01T00:00", "2026-04-15T12:00"])
      await visit({ at });
    await visit({ at: "2026-04-15T12:10", who: "b", stays: [{ place: "", seconds: 9 }] });
    const monthly = await read();
    expect(monthly).toMatchObject({
      scope: { kind: "event", id: eventId },
      timeZone: "Asia/Tokyo",
      period: {
        kind: "monthly",
        isRunning: true,
        previous: "2026-03-01",
        next: null,
        days: { from: "2026-04-01", to: "2026-04-30" },
      },
      // The comparison uses fifteen days of March, as many as of April.
      numbers: {
        visits: { value: 3, before: 1, change: 2 },
        visitors: { value: 3, before: 1, change: 2 },
        seconds: { value: 9, before: 0, change: null },
      },
      live: 0,
    });
    expect(monthly.series.points).toHaveLength(30);
    expect(monthly.series.points[14]).toMatchObject({ period: "2026-04-15", numbers: { visits: 2 } });
    expect(monthly.series.before).toHaveLength(31);
    expect(monthly.series.before[19]).toMatchObject({ period: "2026-03-20", numbers: { visits: 1 } });

    const march = await read({ at: "2026-03-31" });
    expect(march).toMatchObject({
      period: { isRunning: false, previous: "2026-02-01", next: "2026-04-01" },
      numbers: { visits: { value: 2, before: 0, change: null } },
    });
    expect((await read({ at: "2026-05-01" })).period.isRunning).toBe(false);
    const daily = await read({ period: "daily" });
    expect(daily.series.points.map(({ numbers }) => numbers.visits)).toEqual(
      Array.from({ length: 24 }, (_, hour) => (hour === 12 ? 2 : 0)),
    );
    expect(await read({ period: "weekly" })).toMatchObject({ numbers: { visits: { value: 2, before: 0 } } });
    const yearly = await read({ period: "yearly" });
    expect(yearly.series.points.map(({ numbers }) => numbers.visits)).toEqual([
      0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    const all = await read({ period: "all" });
    expect(all).toMatchObject({
      period: { days: null, previous: null },
      numbers: { visits: { value: 5, before: null, change: null } },
      series: { grain: "month", points: [{ period: "2026-03" }, { period: "2026-04" }], before: [] },
    });
  });

  it("compares a running year with the same days of the previous year", async () => {
    for (const at of [
      "2025-01-20T10:00",
      "2025-04-15T10:00",
      "2025-04-16T10:00",
      "2025-12-01T10:00",
      "2026-02-01T10:00",
    ])
      await visit({ at });
    expect(await read({ period: "yearly" })).toMatchObject({ numbers: { visits: { value: 1, before: 2 } } });
    expect(await read({ period: "yearly", at: "2025-06-01" })).toMatchObject({
      numbers: { visits: { value: 4, before: 0 } },
    });
  });

  it("lists the items that were opened most often, and the steps that visitors reached", async () => {
    const tags = [await testApp.addTag(eventId), await testApp.addTag(eventId)];
    const media = await testApp.addMediaItem(eventId, (await testApp.addItem(owner)).id);
    const product = (number: number) => ({ id: `gid://shopify/Product/${number}`, title: `器${number}` });
    await testApp.db
      .update(eventTags)
      .set({ product: product(1) })
      .where(eq(eventTags.id, tags[0] ?? ""));
    await testApp.db
      .insert(eventScenes)
      .values({ eventId, products: [product(2)], updatedAt: testApp.currentInstant() });
    const visitedItems = (act: VisitedItem["act"], ...ids: readonly unknown[]) =>
      ids.map((id) => ({ act, id: String(id) }));
    await visit({
      things: [
        ...visitedItems("tag", ...tags),
        ...visitedItems("media", media),
        ...visitedItems("product", 1, 2, 3),
      ],
    });
    await visit({
      who: "b",
      country: "FR",
      from: "example.org",
      things: [...visitedItems("tag", tags[1]), ...visitedItems("product", 2)],
    });
    await visit({
      who: "c",
      country: "",
      things: [...visitedItems("cart", 2), ...visitedItems("checkout", "")],
    });
    const report = await read();
    expect(report).toMatchObject({
      tags: [
        { id: tags[1], count: 2, name: { ja: "受付", en: "Reception" } },
        { id: tags[0], count: 1 },
      ],
      media: [{ id: media, count: 1, name: { ja: "絵", en: null } }],
      products: [
        { id: "2", count: 2, name: "器2" },
        { id: "1", count: 1, name: "器1" },
        { id: "3", count: 1, name: null },
      ],
      carts: [{ id: "2", count: 1, name: "器2" }],
      languages: [{ code: "ja", count: 3 }],
      devices: [{ code: "phone", count: 3 }],
      referrers: [
        { code: "", count: 2 },
        { code: "example.org", count: 1 },
      ],
    });
    expect(report.countries).toHaveLength(3);
    expect(report.funnel.map(({ step, visitors }) => [step, visitors])).toEqual([
      ["visitor", 3],
      ["tag", 2],
      ["product", 2],
      ["cart", 1],
      ["checkout", 1],
    ]);
  });

  it("names products that only the shop shows by the store's last name in each language, and deletes the names with the visits", async () => {
    const visitShop = (lang: "ja" | "en", text: string, who: string) => {
      testApp.time.now = Date.parse("2026-04-15T12:00:00.000+09:00");
      return testApp.services.visits.trackEvent({
        link: { eventId, mode: "published", token: TOKEN, eventAccessCookie: null },
        item: { act: "product", id: "9", title: { lang, text } },
        source: {
          network: who,
          userAgent: "Mozilla/5.0",
          isRobot: false,
          ticket: null,
          traits: { lang: "ja", device: "phone", country: "JP" },
        },
      });
    };
    await visitShop("en", "Cup", "a");
    await visitShop("en", "Teacup", "b");
    expect((await read()).products).toMatchObject([{ id: "9", count: 2, name: { ja: null, en: "Teacup" } }]);
    await visitShop("ja", "茶碗", "c");
    expect((await read()).products).toMatchObject([{ count: 3, name: { ja: "茶碗", en: "Teacup" } }]);
    await testApp.services.visits.deleteVisits({ actor: owner.actor, eventId });
    expect(await testApp.db.select().from(visitProducts)).toEqual([]);
  });

  it("names a product in each language as its store does, or else by its name at the time of the choice", async () => {
    const products = [1, 2].map((number) => ({
      id: `gid://shopify/Product/${number}`,
      title: `器${number}`,
    }));
    await testApp.db.insert(eventScenes).values({ eventId, products, updatedAt: testApp.currentInstant() });
    await visit({
      things: [
        { act: "product", id: "1", title: { lang: "en", text: "Bowl" } },
        { act: "product", id: "2" },
      ],
    });
    expect((await read()).products).toMatchObject([
      { id: "1", name: { ja: "器1", en: "Bowl" } },
      { id: "2", name: "器2" },
    ]);
  });

  it("contains visitors' positions for the current source of the space", async () => {
    const item = await testApp.addItem(owner);
    await testApp.db.update(spaces).set({ source: panoramaSpaceSource(item.id, item.id) });
    await visit({
      stays: [
        { place: "nn0", seconds: 2 },
        { place: "nn1", seconds: 5 },
        { place: "", seconds: 2 },
      ],
    });
    await testApp.db.update(spaces).set({ source: panoramaSpaceSource(item.id) });
    expect(await read()).toMatchObject({
      places: { nodes: [{ id: "n0", position: [0, 1.6, 0], seconds: 2 }], cells: [], elsewhere: 7 },
    });
    await testApp.db.update(spaces).set({ source: { kind: "showcase" } });
    await visit({ at: "2026-04-15T12:01", stays: [{ place: "c-1,0,4", seconds: 7 }] });
    expect(await read()).toMatchObject({
      places: { nodes: [], cells: [{ position: [-0.5, 1.5, 4.5], seconds: 7 }], cellSize: 1, elsewhere: 9 },
    });
  });

  it("counts a visitor as live for less than five minutes after the last report", async () => {
    const live = (at: string) => {
      testApp.time.now = Date.parse(`2026-04-15T${at}:00.000+09:00`);
      return testApp.services.reports.liveVisitors({
        actor: owner.actor,
        scope: { kind: "event", id: eventId },
      });
    };
    await visit({ at: "2026-04-15T12:00" });
    await visit({ at: "2026-04-15T12:00", who: "b" });
    await visit({ at: "2026-04-15T12:03", who: "b" });
    expect(await Promise.all(["12:03", "12:04"].map(live))).toEqual([2, 2]);
    expect(await live("12:05")).toBe(1);
    expect(await live("12:08")).toBe(0);
  });

  it("counts live visitors in all events of a space and of an account, also after events or visits were deleted", async () => {
    const secondEventId = await addEventIn(spaceId);
    const live = async () => {
      testApp.time.now = Date.parse("2026-04-15T12:04:00.000+09:00");
      const scopes = [
        { kind: "space", id: spaceId },
        { kind: "account", id: owner.user.id },
      ] as const;
      const counts = scopes.map((scope) =>
        testApp.services.reports.liveVisitors({ actor: owner.actor, scope }),
      );
      const [spaceCount, accountCount] = await Promise.all(counts);
      expect(accountCount).toBe(spaceCount);
      return spaceCount;
    };
    await visit({ at: "2026-04-15T12:00" });
    await visit({ at: "2026-04-15T12:00", who: "b", of: secondEventId });
    await visit({ at: "2026-04-15T12:03", who: "b", of: secondEventId });
    await visit({ at: "2026-04-15T12:03", who: "c", of: secondEventId });
    expect(await live()).toBe(3);
    await testApp.setEvent(secondEventId, { deletedAt: testApp.currentInstant() });
    expect(await live()).toBe(1);
    await testApp.setEvent(secondEventId, { deletedAt: null });
    expect(await live()).toBe(3);
    await testApp.services.visits.deleteVisits({ actor: owner.actor, eventId });
    expect(await live()).toBe(2);
    await testApp.db.delete(events).where(eq(events.id, secondEventId));
    expect(await live()).toBe(0);
    testApp.time.now += 86_400_000;
    await testApp.services.visits.deleteExpiredVisits();
    expect(await testApp.db.select().from(visitSpaceLive)).toEqual([]);
    expect(await testApp.db.select().from(visitAccountLive)).toEqual([]);
  });
});

describe("a report of more than one event", () => {
  it("adds up the events of a space and of an account, and lists the most visited ones", async () => {
    const other = await addEvent();
    await visit();
    await visit({ of: other.id });
    await visit({ of: other.id, who: "b" });
    const deleted = await addEvent();
    await visit({ of: deleted.id });
    await testApp.setEvent(deleted.id, { deletedAt: testApp.currentInstant() });
    const scope = { kind: "account", id: owner.user.id } as const;
    const account = await read({ scope });
    expect(account).toMatchObject({ numbers: { visits: { value: 3 } }, places: null });
    expect(account.events.map(({ id, visits }) => [id, visits])).toEqual([
      [other.id, 2],
      [eventId, 1],
    ]);
    expect(await read({ scope: { kind: "space", id: spaceId } })).toMatchObject({
      numbers: { visits: { value: 1 } },
      events: [{ id: eventId, spaceId, visits: 1 }],
    });
  });

  it("includes only the existing events, after deletions and a restore", async () => {
    const scope = { kind: "space", id: spaceId } as const;
    const second = { id: await addEventIn(spaceId) };
    const visits = async () => {
      const { numbers, series, events: listed, languages } = await read({ scope, period: "all" });
      expect(listed.reduce((sum, event) => sum + event.visits, 0)).toBe(numbers.visits.value);
      expect(languages).toEqual([{ code: "ja", count: numbers.visits.value }]);
      return [numbers.visits.value, series.points.length];
    };
    await visit({ at: "2026-02-03T12:00", of: second.id });
    await visit();
    await visit({ who: "b" });
    expect(await visits()).toEqual([3, 3]);
    await testApp.setEvent(second.id, { deletedAt: testApp.currentInstant() });
    expect(await visits()).toEqual([2, 1]);
    await testApp.setEvent(second.id, { deletedAt: null });
    expect(await visits()).toEqual([3, 3]);
    await testApp.services.visits.deleteVisits({ actor: owner.actor, eventId: second.id });
    expect(await visits()).toEqual([2, 1]);
    await visit({ at: "2026-04-16T12:00", of: second.id });
    expect(await visits()).toEqual([3, 1]);
    await testApp.db.delete(events).where(eq(events.id, second.id));
    expect(await visits()).toEqual([2, 1]);
    await testApp.db.delete(spaces).where(eq(spaces.id, spaceId));
    for (const table of [visitSpaceTotals, visitAccountTotals, visitRanks])
      expect(await testApp.db.select().from(table)).toEqual([]);
  });

  it("of an account includes only its current spaces, after deletions, a restore and a change of owner", async () => {
    const other = await addEvent();
    const newOwner = await testApp.addUser();
    const readReport = async (person: TestUser) => {
      const scope = { kind: "account", id: person.user.id } as const;
      const { actor } = person;
      const {
        numbers,
        events: listed,
        series,
        live,
      } = await read({ actor, scope, period: "all" }, "2026-04-15T12:01");
      expect(listed.reduce((sum, event) => sum + event.visits, 0)).toBe(numbers.visits.value);
      return [numbers.visits.value, series.points.length, live];
    };
    const updateSpace = (fields: Partial<typeof spaces.$inferInsert>) =>
      testApp.db.update(spaces).set(fields).where(eq(spaces.id, other.spaceId));
    await visit({ at: "2026-02-03T12:00", of: other.id });
    await visit({ of: other.id });
    await visit({ who: "b" });
    expect(await readReport(owner)).toEqual([3, 3, 2]);
    await updateSpace({ deletedAt: testApp.currentInstant() });
    expect(await readReport(owner)).toEqual([1, 1, 1]);
    // Changes made in the meantime take effect after the restoration.
    await testApp.setEvent(other.id, { deletedAt: testApp.currentInstant() });
    await updateSpace({ deletedAt: null });
    expect(await readReport(owner)).toEqual([1, 1, 1]);
    await testApp.setEvent(other.id, { deletedAt: null });
    expect(await readReport(owner)).toEqual([3, 3, 2]);
    await updateSpace({ ownerId: newOwner.user.id });
    expect([await readReport(owner), await readReport(newOwner)]).toEqual([
      [1, 1, 1],
      [2, 3, 1],
    ]);
    await visit({ of: other.id, who: "c" });
    expect(await readReport(newOwner)).toEqual([3, 3, 2]);
    await testApp.db.delete(spaces).where(eq(spaces.id, other.spaceId));
    expect([await readReport(owner), await readReport(newOwner)]).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ]);
  });
});

it("a report of many long lists reads only those of the most visited events, and the totals of all events", async () => {
  const ids = [eventId];
  while (ids.length < 3) ids.push((await addEvent()).id);
  const longCode = "x".repeat(1_200_000);
  for (const [index, id] of ids.entries()) {
    for (let times = 0; times <= index; times++) await visit({ of: id, who: `v${times}` });
    await testApp.db
      .update(visitTotals)
      .set({ parts: JSON.stringify({ [`from:${index}.example`]: 1, [`from:${longCode}`]: 1 }) })
      .where(eq(visitTotals.eventId, id));
  }
  const report = await read({ scope: { kind: "account", id: owner.user.id }, period: "all" });
  expect(report).toMatchObject({ numbers: { visits: { value: 6 } } });
  const codes = report.referrers.map(({ code }) => code).filter((code) => code !== longCode);
  expect(codes.sort()).toEqual(["1.example", "2.example"]);
  const visited = await testApp.services.reports.mostVisited({
    actor: owner.actor,
    scope: { kind: "account", id: owner.user.id },
  });
  expect(visited.map(({ id }) => id)).toEqual([...ids].reverse());
});

describe("an event is compared with", () => {
  const find = (query: string, actor = owner.actor) =>
    testApp.services.reports
      .findComparable({ actor, eventId, query })
      .then((comparableEvents) => comparableEvents.map(({ id }) => id));

  it("another event of its owner, which the owner and administrators find by a part of its name or of its space's name", async () => {
    const other = await addEvent();
    await testApp.setEvent(other.id, nameColumns({ ja: "冬の夜", en: "Winter Night" }));
    const [stranger, member] = [await testApp.addUser(), await testApp.addUser()];
    const { id: groupId, actors } = await testApp.addGroup(member);
    await testApp.db.update(spaces).set({ groupId }).where(eq(spaces.id, spaceId));
    const foreignEventId = (await testApp.addSpace(stranger)).eventId;
    expect(await find("ＷＩＮＴＥＲ")).toEqual([other.id]);
    expect(await find("%")).toEqual([]);
    expect(await find("渋谷")).toEqual([other.id]);
    // A user with whom one space is shared does not see the owner's other events; administrators do.
    expect(await find("winter", actors[0])).toEqual([]);
    expect(await find("winter", testApp.admin)).toEqual([other.id]);
    expect(await find("渋谷", testApp.admin)).not.toContain(foreignEventId);
    await expect(find("winter", stranger.actor)).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("reports are read", () => {
  it("only by the owner, the group of the space, and administrators", async () => {
    const [stranger, member] = [await testApp.addUser(), await testApp.addUser()];
    const { id, actors } = await testApp.addGroup(member);
    await testApp.db.update(spaces).set({ groupId: id }).where(eq(spaces.id, spaceId));
    const scopes = [
      { kind: "event", id: eventId },
      { kind: "space", id: spaceId },
      { kind: "account", id: owner.user.id },
    ] as const;
    const readers = { owner: owner.actor, admin: testApp.admin, member: actors[0], stranger: stranger.actor };
    const outcomes = await Promise.all(
      Object.entries(readers).map(async ([name, actor]) => [
        name,
        await Promise.all(
          scopes.map((scope) =>
            read({ scope, actor: actor ?? stranger.actor }).then(
              () => "read",
              ({ kind }) => kind,
            ),
          ),
        ),
      ]),
    );
    expect(Object.fromEntries(outcomes)).toEqual({
      owner: ["read", "read", "read"],
      admin: ["read", "read", "read"],
      member: ["read", "read", "not_found"],
      stranger: ["not_found", "not_found", "not_found"],
    });
    // An API token with the scope `read` reads each report.
    const token = { ...owner.actor, scopes: ["read"] as const };
    for (const scope of scopes) expect((await read({ scope, actor: token })).scope.kind).toBe(scope.kind);
    await expect(read({ scope: { kind: "event", id: randomUUID() } })).rejects.toMatchObject({
      kind: "not_found",
    });
    await testApp.setEvent(eventId, { deletedAt: testApp.currentInstant() });
    await expect(read()).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("a report from more than ten million stored visits reads less than 2,000 rows", () => {
  /** The lists of a year, with the maximum number of items. */
  const parts = JSON.stringify(
    Object.fromEntries([
      ...Array.from({ length: 500 }, () => [`tag:${randomUUID()}`, 20_000]),
      ...Array.from({ length: 200 }, () => [`media:${randomUUID()}`, 20_000]),
      ...Array.from({ length: 500 }, (_, i) => [`at:c${i},0,0`, 1_000_000]),
      ...Array.from({ length: 200 }, (_, i) => [`from:site${i}.example`, 4000]),
      ...Array.from({ length: 200 }, (_, i) => [`product:${7_000_000 + i}`, 4000]),
      ...Array.from({ length: 200 }, (_, i) => [`cart:${8_000_000 + i}`, 4000]),
      ...Array.from({ length: 200 }, (_, i) => [`country:${i}`, 4000]),
    ]),
  );
  const visits = { hour: 1166, day: 28_000, month: 851_666, year: 10_220_000 } as const;
  const columns = Object.keys(NO_VISITS) as (keyof typeof NO_VISITS)[];

  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => String(index + 1).padStart(2, "0"));

  /** All periods that contain these days. */
  function periodsOf(from: string, to: string): string[] {
    const rows = new Set<string>();
    for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000) {
      const date = new Date(day).toISOString().slice(0, 10);
      for (const period of [`year ${date.slice(0, 4)}`, `month ${date.slice(0, 7)}`, `day ${date}`])
        rows.add(period);
      for (let hour = 0; hour < 24; hour++) rows.add(`hour ${date}T${String(hour).padStart(2, "0")}`);
    }
    return [...rows];
  }

  /** Stores the counts of visits in these periods. Each event has one visit more than the previous event. */
  async function seed(ids: readonly string[], periods: readonly string[], lists = parts) {
    const listed = periods.map((row) => {
      const [grain, period] = row.split(" ") as [keyof typeof visits, string];
      return [grain, period, visits[grain]];
    });
    await testApp.binding
      .prepare(
        `INSERT INTO visit_totals (event_id, grain, period, parts, ${columns.map((name) => visitTotals[name].name).join(", ")})
          SELECT id.value, j.value ->> 0, j.value ->> 1, CASE j.value ->> 0 WHEN 'hour' THEN '{}' ELSE ?2 END,
            ${columns.map((name) => (name === "visits" ? "j.value ->> 2 + id.key" : "0")).join(", ")}
          FROM json_each(?1) id CROSS JOIN json_each(?3) j`,
      )
      .bind(JSON.stringify(ids), lists, JSON.stringify(listed))
      .run();
  }

  /** Reads the year on its last day, when the comparison is largest. @returns the report and its cost */
  async function readWithCost(input: Partial<ReportInput> = {}) {
    const before = { trips: testApp.spy.roundTrips, statements: testApp.spy.statements.length };
    const report = await read({ period: "yearly", ...input }, "2026-12-31T23:30");
    const trips = testApp.spy.roundTrips - before.trips;
    let rowsRead = 0;
    for (const { sql, params } of testApp.spy.statements.slice(before.statements)) {
      const { meta } = await testApp.binding
        .prepare(sql)
        .bind(...params)
        .all();
      rowsRead += meta.rows_read;
    }
    return { report, trips, rowsRead };
  }

  it("of an event that is open all year, in three round trips", async () => {
    await seed([eventId], periodsOf("2025-01-01", "2026-12-31"));
    // The shop shows the maximum number of products, and visitors viewed other products.
    const products = Array.from({ length: EVENT_PRODUCTS_MAX }, (_, i) => ({
      id: `gid://shopify/Product/${i}`,
      title: `器${i}`,
    }));
    await testApp.db.insert(eventScenes).values({ eventId, products, updatedAt: testApp.currentInstant() });
    const { report, trips, rowsRead } = await readWithCost();
    expect(trips).toBe(3);
    expect(report.numbers.visits.value).toBeGreaterThan(10_000_000);
    expect(report.numbers.visits.before).toBeGreaterThan(10_000_000);
    // The page shows fewer items than the report lists; the exported file contains all that it lists.
    expect([report.tags.length, report.media.length]).toEqual([100, 100]);
    expect(rowsRead).toBeGreaterThan(24);
    expect(rowsRead).toBeLessThan(2000);
  });

  const scope = () => ({ kind: "account", id: owner.user.id }) as const;
  /** Creates events in this number of spaces of one account, with visits in these periods. */
  async function createEvents(spaceCount: number, eventsOfEach: number, periods: readonly string[]) {
    owner = await testApp.addUser({ spaceLicense: spaceCount });
    const { id } = await addEvent();
    const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => index));
    await testApp.binding
      .prepare(
        `INSERT INTO spaces (id, folder_id, owner_id, name, search_key, sid, source, created_at, updated_at)
          SELECT s.id || j.value, folder_id, owner_id, name, search_key, 'sid' || (10000000 + j.value), source, created_at, updated_at
          FROM spaces s CROSS JOIN json_each(?2) j WHERE s.owner_id = ?1 AND j.value > 0`,
      )
      .bind(owner.user.id, numbers(spaceCount))
      .run();
    await testApp.binding
      .prepare(
        `INSERT INTO events (id, space_id, event_name, name_en, name_key_en, access_token, preview_access_token, created_at, updated_at)
          SELECT s.id || '-' || j.value, s.id, j.value, j.value, j.value, access_token, preview_access_token, e.created_at, e.updated_at
          FROM spaces s CROSS JOIN events e ON e.id = ?3 CROSS JOIN json_each(?2) j WHERE s.owner_id = ?1`,
      )
      .bind(owner.user.id, numbers(eventsOfEach), id)
      .run();
    const { results } = await testApp.binding
      .prepare(
        "SELECT e.id FROM spaces s CROSS JOIN events e ON e.space_id = s.id WHERE s.owner_id = ?1 AND e.id <> ?2",
      )
      .bind(owner.user.id, id)
      .all<{ id: string }>();
    const ids = results.map((row) => row.id);
    expect(ids).toHaveLength(spaceCount * eventsOfEach);
    await seed(ids, periods, '{"lang:ja":1}');
    return ids;
  }
  const yearOf = (year: string) => [
    `year ${year}`,
    ...numbered(12).map((month) => `month ${year}-${month}`),
    ...["11", "12"].flatMap((month) => numbered(31).map((day) => `day ${year}-${month}-${day}`)),
  ];

  it("of an account with a hundred and fifty events that were open for three years, with the right sums", async () => {
    const ids = await createEvents(10, 15, ["2024", "2025", "2026"].flatMap(yearOf));
    const extraVisits = (150 * 149) / 2;
    const topIds = ids.slice(-20).reverse();
    const results = {
      yearly: await readWithCost({ scope: scope() }),
      all: await readWithCost({ scope: scope(), period: "all" }),
    };
    expect(results.yearly.report.numbers.visits).toMatchObject({
      value: 12 * (150 * visits.month + extraVisits),
      before: 11 * (150 * visits.month + extraVisits) + 31 * (150 * visits.day + extraVisits),
    });
    expect(results.all.report.numbers.visits.value).toBe(36 * (150 * visits.month + extraVisits));
    const { report } = await readWithCost({ scope: scope(), period: "monthly" });
    expect(report.numbers.visits.value).toBe(31 * (150 * visits.day + extraVisits));
    const listed = results.yearly.report.events;
    for (const { rowsRead } of Object.values(results)) expect(rowsRead).toBeLessThan(2000);
    expect(listed.map(({ id }) => id)).toEqual(topIds);
    expect(listed[0]?.visits).toBe(visits.year + 149);
    // All time has several years, and a week several days: each event has their sum.
    expect(results.all.report.events[0]).toMatchObject({ id: topIds[0], visits: 3 * (visits.year + 149) });
    const weekly = await readWithCost({ scope: scope(), period: "weekly" });
    expect(weekly.report.events[0]).toMatchObject({ id: topIds[0], visits: 4 * (visits.day + 149) });
    expect(report.events.map(({ id }) => id)).toEqual(topIds);
  });

  it("of an account with many spaces, for every period", async () => {
    const hours = ["30", "31"].flatMap((day) =>
      Array.from({ length: 24 }, (_, hour) => `hour 2026-12-${day}T${String(hour).padStart(2, "0")}`),
    );
    const periods = [...yearOf("2025"), ...yearOf("2026"), ...hours];
    const rows: Record<string, number>[] = [];
    for (const spaceCount of [30, 120]) {
      await createEvents(spaceCount, 1, periods);
      const read: Record<string, number> = {};
      for (const period of REPORT_PERIODS) {
        const { report, rowsRead } = await readWithCost({ scope: scope(), period });
        expect(report.events).toHaveLength(20);
        read[period] = rowsRead;
      }
      rows.push(read);
    }
    const [few, many] = rows;
    for (const period of REPORT_PERIODS) {
      expect(many?.[period], period).toBeLessThan(2000);
      // The lists of at most two hundred events are read.
      expect(many?.[period], period).toBeLessThan((few?.[period] ?? 0) + 800);
    }
  });
});
