/** Tests which visits the built worker counts, and the mail about an event that opens. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { VisitReport } from "~/domain/analytics/visit";
import type { VisitParts } from "~/domain/analytics/visit-tally";
import type { LocalProduct } from "../../../scripts/lib/local/local-product";
import { type Network, startNetwork } from "../../../scripts/lib/local/network";
import { demoPassword } from "../../../seed/demo";
import { type Caller, caller, type EventJson, linkPath, postEvent } from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { flushRoom } from "../../support/app/rooms";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import { type VisitOptions, visit } from "../../support/browser/visit";
import { contentApi } from "../../support/scene-event";
import { shopPath } from "../../support/shop";

/** User agent of a browser. Visits of other programs are not counted. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

let network: Network;
let local: LocalProduct;
let owner: Caller;
let db: Awaited<ReturnType<LocalProduct["mf"]["getD1Database"]>>;
beforeAll(async () => {
  network = await startNetwork((store) => (request) => store.handle(request));
  // A separate product, so that visits of other tests are not counted.
  local = await startFromSnapshot(inject("snapshotFolder"), {
    vars: network.vars,
    outbound: { proxy: network.proxy },
  });
  db = await local.mf.getD1Database("DB", "hiroba");
  await db.prepare("DELETE FROM visit_totals").run();
  const { ticket } = await caller(null, local.origin).api<{ ticket: string }>("POST", "/api/cas/tickets", {
    email: "owner@demo.example",
    password: demoPassword,
  });
  owner = caller(ticket, local.origin);
});
afterAll(async () => {
  await local?.stop();
  await network?.stop();
});

interface EventCounts {
  readonly visits: number;
  readonly visitors: number;
  readonly seconds: number;
  readonly tags: number;
  readonly media: number;
  readonly products: number;
  readonly carts: number;
  readonly checkouts: number;
  readonly parts: VisitParts;
}

/** Counts of an event in each time unit (grain), after its room (a Durable Object) has written them to D1. */
async function readCounts(eventId: string): Promise<EventCounts[]> {
  await flushRoom(local, eventId);
  const { results } = await db
    .prepare(
      `SELECT grain, sum(visits) visits, sum(visitors) visitors, sum(seconds) seconds, sum(tags) tags, sum(media) media,
        sum(products) products, sum(carts) carts, sum(checkouts) checkouts, max(parts) parts
        FROM visit_totals WHERE event_id = ? GROUP BY grain ORDER BY grain = 'hour', grain`,
    )
    .bind(eventId)
    .all<Omit<EventCounts, "parts"> & { parts: string }>();
  return results.map((row) => ({ ...row, parts: JSON.parse(row.parts) as VisitParts }));
}

const makeReport = (overrides: Partial<VisitReport> = {}): VisitReport => ({
  visit: randomBytes(16).toString("hex"),
  part: 0,
  from: "",
  things: [],
  stays: [],
  ...overrides,
});

/** Reports visit data to the product, as the event's page does. */
async function sendReport(
  event: Pick<EventJson, "uuid" | "access_token">,
  body: unknown,
  {
    address: ipAddress = "192.0.2.1",
    agent = USER_AGENT,
    token = event.access_token,
    ...headers
  }: Record<string, string> = {},
): Promise<number> {
  const send = () =>
    fetch(`${local.origin}/v/${event.uuid}?token=${token}`, {
      method: "POST",
      headers: { "cf-connecting-ip": ipAddress, "user-agent": agent, "accept-language": "ja", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  // An idle connection may be closed while it is reused. A page, too, repeats a report that did not arrive.
  const response = await send().catch(send);
  expect(await response.text()).toBe("");
  return response.status;
}

const addressOf = (visitor: number) => `198.51.${visitor >> 8}.${visitor & 255}`;

test("the visits of 300 visitors are counted exactly, although reports are repeated, concurrent or forged", async () => {
  const event = await postEvent(owner, demoIds.showroom, {
    status_id: 3,
    enable_auto_change_status: false,
  });
  const otherEvent = await postEvent(owner, demoIds.showroom, {
    status_id: 3,
    enable_auto_change_status: false,
  });
  const VISITORS = 300;
  const visitorReports = Array.from({ length: VISITORS }, (_, visitor) => {
    const name = randomBytes(16).toString("hex");
    const parts = [0, 1].map((part) =>
      makeReport({
        visit: name,
        part,
        from: visitor % 3 === 0 ? "example.org" : "",
        stays: [{ place: "c0,0,0", seconds: 4 }],
      }),
    );
    return { address: addressOf(visitor), parts };
  });
  const forged: readonly (readonly [unknown, Record<string, string>?])[] = [
    ["{"],
    [""],
    ["x".repeat(200_000)],
    [makeReport({ visit: "x" })],
    [{ ...makeReport(), at: Date.now() + 86_400_000 }],
    [makeReport({ stays: [{ place: "", seconds: 100_000 }] })],
    [makeReport({ things: [{ act: "product", id: "999999999" }] })],
    [makeReport({ things: Array.from({ length: 60 }, () => ({ act: "checkout", id: "" })) })],
    [makeReport(), { token: otherEvent.access_token }],
    [makeReport(), { token: event.preview_access_token }],
    [makeReport(), { token: "" }],
    [makeReport(), { agent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }],
    [makeReport(), { agent: "curl/8.5.0" }],
    [makeReport(), { agent: "" }],
    [makeReport(), { origin: "https://elsewhere.example" }],
    [makeReport(), { cookie: `session-ticket=${owner.ticket}` }],
  ];
  const statuses = new Set<number>();
  const send = async (body: unknown, headers: Record<string, string> = {}) => {
    statuses.add(await sendReport(event, body, headers));
  };
  const sendAll = (selectParts: (parts: readonly VisitReport[]) => readonly VisitReport[]) =>
    Promise.all(
      visitorReports.flatMap(({ address: ipAddress, parts }) =>
        selectParts(parts).map((part) => send(part, { address: ipAddress })),
      ),
    );
  // Sends the last parts first, each twice at once. Then sends all parts, and repeats them after all were written.
  await sendAll(([, last]) => (last ? [last, last] : []));
  await Promise.all([
    sendAll((parts) => parts),
    ...forged.map(([body, headers]) => send(body, { address: "203.0.113.9", ...headers })),
  ]);
  // One visitor reloads the page 60 times.
  for (let times = 0; times < 60; times++) await send(makeReport(), { address: "203.0.113.7" });
  const expectedCounts = {
    visits: VISITORS + 1,
    visitors: VISITORS + 1,
    seconds: VISITORS * 8,
    checkouts: 0,
  };
  await expect
    .poll(() => readCounts(event.uuid))
    .toMatchObject([expectedCounts, expectedCounts, expectedCounts, expectedCounts]);
  await sendAll((parts) => parts);
  // Reports are written within about a second. Afterwards the counts must not change.
  await new Promise((done) => setTimeout(done, 1500));
  const countedEvents = await readCounts(event.uuid);
  expect(countedEvents).toMatchObject([expectedCounts, expectedCounts, expectedCounts, expectedCounts]);
  expect(countedEvents[0]?.parts).toEqual({
    "lang:ja": VISITORS + 1,
    "device:computer": VISITORS + 1,
    "country:": VISITORS + 1,
    "from:example.org": VISITORS / 3,
    "from:": VISITORS + 1 - VISITORS / 3,
    "at:c0,0,0": VISITORS * 8,
  });
  expect([...statuses]).toEqual([204]);
  expect(await readCounts(otherEvent.uuid)).toEqual([]);
});

test("the report's file with all visits of an event is complete although R2 and D1 lack the newest", async () => {
  const event = await postEvent(owner, demoIds.showroom, {
    status_id: 3,
    enable_auto_change_status: false,
  });
  const report = makeReport({ from: "example.org", stays: [{ place: "c0,0,0", seconds: 4 }] });
  await sendReport(event, report);
  await sendReport(event, { ...report, part: 1, stays: [] });
  await sendReport(event, report);
  const path = `/event/${event.uuid}/report/export`;
  const file = await owner.get(`${path}?period=all&format=visits`);
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="visits-event-all.csv"');
  const [header = "", ...rows] = file.text.trim().split("\r\n");
  expect(header).toBe(
    "time,hour,visitor,visit,part,language,device,country,referrer,act,id,name,place,seconds",
  );
  expect(rows.map((row) => row.split(",").slice(3).join(","))).toEqual([
    `${report.visit},0,ja,computer,,example.org,stay,,,"c0,0,0",4`,
    `${report.visit},1,ja,computer,,example.org,,,,,`,
  ]);
  const emptyPeriod = await owner.get(`${path}?period=daily&at=2020-01-01&format=visits`);
  expect([emptyPeriod.status, emptyPeriod.text.trim()]).toEqual([200, header]);
  // A report of several events has no such file.
  const spaceExport = await owner.get(`/space/${demoIds.showroom}/report/export?format=visits&lang=en`);
  expect([spaceExport.status, spaceExport.visibleText.includes("not as “visits”")]).toEqual([400, true]);
  expect((await caller(null, local.origin).get(`${path}?format=visits`)).status).not.toBe(200);
});

describe("the endpoint for visit reports", () => {
  test("returns 204 or 404 to invalid reports, and 405 to DELETE", async () => {
    const sendRequest = (path: string, init: RequestInit = {}) => fetch(local.origin + path, init);
    for (const path of [
      "/v/",
      "/v/x",
      `/v/${demoIds.mainEvent}`,
      `/v/${demoIds.mainEvent}?token=x`,
      "/v/../v/%00?token=x",
    ]) {
      expect([204, 404]).toContain((await sendRequest(path, { method: "POST", body: "{}" })).status);
      expect([200, 404]).toContain((await sendRequest(path)).status);
    }
    const deletion = await sendRequest(`/v/${demoIds.mainEvent}?token=x`, { method: "DELETE" });
    expect([deletion.status, deletion.headers.get("allow")]).toEqual([405, "GET, POST"]);
  });
});

/** Opens a page of the separate product. The user agent of an automated browser would count as a robot's. */
const visitAsPerson = (options: VisitOptions, run: Parameters<typeof visit<void>>[1]) =>
  visit({ ...options, origin: local.origin, context: { userAgent: USER_AGENT, ...options.context } }, run);

test("with scripts a visit is counted with its positions, opened items and purchase steps", async () => {
  const { tags } = demoEvent();
  const tag = tags.find(({ product }) => product) ?? tags[0];
  const mediaId = tags.flatMap(({ mediaIds }) => mediaIds)[0];
  if (!tag || !mediaId) throw new Error("The demo has nothing to open");
  const countsBefore = (await readCounts(demoIds.mainEvent))[0];
  expect(countsBefore).toBeUndefined();
  await visitAsPerson({ stage: true, context: { deviceScaleFactor: 0.25 } }, async ({ open, page, t }) => {
    await open(demoPath(demoIds.mainEvent));
    await page.locator('section[data-stage="ready"]').waitFor({ timeout: 60_000 });
    await page.locator(`#tag-${tag.id} summary`).click();
    await page
      .locator(`[data-medium="${mediaId}"]`)
      .first()
      .locator("a, button")
      .first()
      .evaluate((link) => {
        // The test only needs the click, not the link's target.
        link.addEventListener("click", (event) => event.preventDefault());
        (link as HTMLElement).click();
      });
    await page.waitForTimeout(4500);
    await page.getByRole("link", { name: t("store-visitors:entrance") }).click();
    await page.waitForURL(/\/shop\?/);
    await page.locator('main a[href*="/shop/products/"]').first().click();
    await page.waitForURL(/\/shop\/products\/\d+/);
    await page.getByRole("button", { name: t("store-visitors:add") }).click();
    const checkout = page.getByRole("link", { name: t("store-visitors:checkout") });
    await checkout.waitFor();
    expect(await checkout.getAttribute("ping")).toBeNull();
    await checkout.evaluate((link) => {
      link.addEventListener("click", (event) => event.preventDefault());
      (link as HTMLElement).click();
    });
    // Simulates a page that is hidden or left. The browser sends later requests with its own user agent, which counts as a robot's.
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.waitForTimeout(300);
  });
  const expectedCounts = { visits: 1, visitors: 1, tags: 1, products: 1, carts: 1, checkouts: 1 };
  await expect
    .poll(() => readCounts(demoIds.mainEvent))
    .toMatchObject([expectedCounts, expectedCounts, expectedCounts, expectedCounts]);
  const [counts] = await readCounts(demoIds.mainEvent);
  expect(counts?.media).toBeGreaterThanOrEqual(1);
  expect(counts?.seconds).toBeGreaterThan(2);
  expect(counts?.parts).toMatchObject({ [`tag:${tag.id}`]: 1, [`media:${mediaId}`]: 1, "lang:ja": 1 });
  expect(Object.keys(counts?.parts ?? {}).some((name) => name.startsWith("at:c"))).toBe(true);
});

test("without scripts a visit is counted with its opened items and purchase steps", async () => {
  const event = await postEvent(owner, demoIds.showroom, {
    status_id: 3,
    enable_auto_change_status: false,
    sp_store_url: demoEvent().event.spStoreUrl,
    sp_access_token: demoEvent().event.spAccessToken,
  });
  const content = contentApi(owner, event);
  const images = demoEvent().media.filter(({ kind }) => kind === "image");
  const items = [...new Set(images.map(({ libraryItemId }) => libraryItemId))];
  const [tagId, otherTagId, mediaId, otherMediaId] = [0, 1, 2, 3].map(() => randomUUID() as string);
  const tag = (uuid: unknown, index: number) => ({
    op: "create_tag",
    uuid,
    values: { title: { ja: "札", en: `Tag ${index}` }, position: [index, 1, 2] },
  });
  const poster = (uuid: unknown, item: unknown) => ({
    op: "create_media",
    uuid,
    values: { library_item_uuid: item, title: { en: "Poster" } },
  });
  await content.edit(
    tag(tagId, 1),
    tag(otherTagId, 2),
    poster(mediaId, items[0]),
    poster(otherMediaId, items[1]),
  );
  const embeddingOrigin = `http://${network.proxy.replace("127.0.0.1", "localhost")}`;
  const link = linkPath(event, "published");
  const referrerHeaders = { referer: "https://www.news.example/today?q=secret" };
  // The page is cached for all visitors from now on, so it must not contain another visitor's referrer.
  await fetch(new URL(link, local.origin), { headers: { "user-agent": USER_AGENT } }).then((page) =>
    page.text(),
  );
  await visitAsPerson({ js: false, embeddingOrigin }, async ({ open, page, t }) => {
    await page.goto(new URL(link, local.origin).href, referrerHeaders);
    await open(link);
    expect(await page.content()).not.toContain("news.example");
    await page.locator(`#tag-${tagId} summary`).click();
    await page.locator(`#tag-${tagId} summary`).click();
    await page.locator(`#tag-${tagId} summary`).click();
    const mediaLink = page.locator(`[data-medium="${mediaId}"] a`).first();
    await mediaLink.evaluate((anchor) => anchor.setAttribute("href", "#"));
    await mediaLink.click();
    // Opening a file with the keyboard causes no pointer event, and must count too.
    await page.locator(`[data-medium="${otherMediaId}"] a`).first().press("Enter");
    await page.waitForURL(/\/media\//);
    await open(shopPath("", {}, link));
    await page.locator('main a[href*="/shop/products/"]').first().click();
    await page.getByRole("button", { name: t("store-visitors:add") }).click();
    const checkout = page.getByRole("link", { name: t("store-visitors:checkout") });
    const [paying] = await Promise.all([page.waitForEvent("popup"), checkout.click()]);
    await paying.waitForLoadState();
  });
  const expectedCounts = { visits: 1, visitors: 1, tags: 1, media: 2, products: 1, carts: 1, checkouts: 1 };
  await expect
    .poll(() => readCounts(event.uuid))
    .toMatchObject([expectedCounts, expectedCounts, expectedCounts, expectedCounts]);
  const [counts] = await readCounts(event.uuid);
  expect(counts?.parts).toMatchObject({
    "from:news.example": 1,
    [`tag:${tagId}`]: 1,
    [`media:${mediaId}`]: 1,
  });
  expect(counts?.parts).toMatchObject({ [`media:${otherMediaId}`]: 1 });
  const [product = ""] = Object.keys(counts?.parts ?? {}).filter((name) => name.startsWith("product:"));
  // A cached page is counted for each visitor who receives it. Prefetched pages and unknown products are not counted.
  const path = shopPath(`/products/${product.slice("product:".length)}`, {}, link);
  for (let visitor = 1; visitor <= 3; visitor++)
    for (const purpose of ["prefetch", ""])
      await fetch(new URL(path, local.origin), {
        headers: { "user-agent": USER_AGENT, "cf-connecting-ip": addressOf(visitor), "sec-purpose": purpose },
      }).then((page) => page.text());
  await fetch(new URL(shopPath("/products/999999999", {}, link), local.origin), {
    headers: { "user-agent": USER_AGENT },
  }).then((page) => page.text());
  const countsOfFour = { visits: 4, visitors: 4, products: 4, carts: 1 };
  await expect
    .poll(() => readCounts(event.uuid))
    .toMatchObject([countsOfFour, countsOfFour, countsOfFour, countsOfFour]);
  expect((await readCounts(event.uuid))[0]?.parts).toMatchObject({ [product]: 4 });
});

test("previews and the owner's own visits are not counted", async () => {
  const event = await postEvent(owner, demoIds.showroom, {
    status_id: 3,
    enable_auto_change_status: false,
  });
  const paths: string[] = [];
  const openPage = async (
    { open, page }: Parameters<Parameters<typeof visitAsPerson>[1]>[0],
    path: string,
  ) => {
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/v/")) paths.push(pathname);
    });
    await open(path);
    await page.waitForTimeout(2500);
  };
  await visitAsPerson({}, (self) => openPage(self, linkPath(event, "preview")));
  expect(paths).toEqual([]);
  await visitAsPerson({ as: owner }, async (self) => {
    await openPage(self, `/event/${event.uuid}/as-visitor`);
    expect(paths).toEqual([]);
    await openPage(self, linkPath(event, "published"));
  });
  expect(paths).not.toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await readCounts(event.uuid)).toEqual([]);
});

test("the cron job mails an opted-in owner when an event opens at its start, until the owner uses the unsubscribe link", async () => {
  await owner.api("PUT", "/api/v1/account", { status_mails: true });
  const event = await postEvent(owner, demoIds.showroom, { status_id: 1, enable_auto_change_status: true });
  const worker = await local.mf.getWorker("hiroba");
  const openEvent = async () => {
    const aMinuteAgo = new Date(Date.now() - 60_000).toISOString();
    await db
      .prepare("UPDATE events SET status_id = 1, start_date = ? WHERE id = ?")
      .bind(aMinuteAgo, event.uuid)
      .run();
    await worker.scheduled({ cron: "* * * * *" });
  };
  const visitor = caller(null, local.origin);
  const listMails = async () => {
    const { text } = await visitor.get("/dev/mail?to=owner%40demo.example");
    return [...text.matchAll(/href="(\/dev\/mail\/[0-9a-f-]{36})/g)].map(([, path = ""]) => path);
  };
  // An event of the demo may have opened by itself since the demo was seeded.
  await worker.scheduled({ cron: "* * * * *" });
  const mailsBefore = (await listMails()).length;
  await openEvent();
  const [newMail = "", ...earlierMails] = await listMails();
  expect(earlierMails).toHaveLength(mailsBefore);
  const [unsubscribePath = ""] = /\/stop-mails\?token=[\w-]+/.exec((await visitor.get(newMail)).text) ?? [];
  const page = await visitor.get(`${unsubscribePath}&lang=en`);
  expect([page.status, page.headers.get("referrer-policy")]).toEqual([200, "same-origin"]);
  expect(page.visibleText).toContain("Stop emails");
  expect((await owner.api<{ status_mails: boolean }>("GET", "/api/v1/account")).status_mails).toBe(true);
  // The request that a mail program sends (RFC 8058 §3.2).
  const oneClickResponse = await visitor.fetch(`${unsubscribePath}&lang=en`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  expect([
    oneClickResponse.status,
    (await oneClickResponse.text()).includes("Emails about events are off"),
  ]).toEqual([200, true]);
  expect((await owner.api<{ status_mails: boolean }>("GET", "/api/v1/account")).status_mails).toBe(false);
  await openEvent();
  expect(await listMails()).toHaveLength(mailsBefore + 1);
  const wrongToken = await visitor.post(`${unsubscribePath}x&lang=en`, {});
  expect([wrongToken.status, wrongToken.visibleText.includes("This link is not valid")]).toEqual([404, true]);
});
