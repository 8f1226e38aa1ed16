import { describe, expect, test } from "vitest";
import {
  caller,
  changeEvent,
  createEvent,
  type EventJson,
  linkPath,
  readEvent,
  signIn,
  unescapeHtml,
} from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { LANGUAGES, visit } from "../../support/browser/visit";

const visitor = caller();
const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

interface TimedResponse {
  readonly sent: number;
  readonly received: number;
  readonly status: number;
}

/**
 * Requests a path repeatedly until a second after `until`, so that every cache holds it. Each call acts as a visitor of a separate network, and pauses to stay below the network's limits (PAGE_LIMIT and API_LIMIT, 600 a minute).
 */
async function watch(path: string, until: number): Promise<TimedResponse[]> {
  const watcher = caller();
  const responses: TimedResponse[] = [];
  while (Date.now() < until + 1000) {
    const sent = Date.now();
    const response = await watcher.fetch(path);
    await response.arrayBuffer();
    responses.push({ sent, received: Date.now(), status: response.status });
    await sleep(10);
  }
  return responses;
}

/** Every response must be valid for some time between its request and its arrival. */
function expectTurn(responses: readonly TimedResponse[], at: number, before: number, after: number): void {
  expect(responses.filter(({ status }) => status === before).length).toBeGreaterThan(5);
  expect(responses.filter(({ status }) => status === after).length).toBeGreaterThan(2);
  const wrong = responses.filter(
    ({ sent, received, status }) =>
      !((status === before && sent < at) || (status === after && received >= at)),
  );
  expect(wrong).toEqual([]);
}

describe("a link", () => {
  test("closes its page, data and files exactly at the event's end, despite every cache", async () => {
    const owner = await signIn("curator");
    const end = inMs(4000);
    const event = await createEvent(owner, demoIds.tearoom, { status_id: 3, end_date: end });
    const at = Date.parse(end);
    const page = linkPath(event, "published");
    const html = unescapeHtml((await visitor.get(page)).text).replaceAll("\\u0026", "&");
    const cover = /(?<=src=")\/media\/([^"?]+)/.exec(html)?.[1] ?? "";
    // The page of an ended event shows its cover; every other file closes.
    const file = [...html.matchAll(/\/media\/[^"\\?]+\?event=[^"\\]+/g)]
      .map(([url]) => url)
      .find((url) => !url.includes(cover));
    if (!cover || !file) throw new Error("The page names no file beside its cover.");
    const [pages, previews, data, files] = await Promise.all([
      watch(page, at),
      watch(`${linkPath(event, "preview")}&lang=en`, at),
      watch(`/api/fetch_publish_event/${event.uuid}/${event.access_token}`, at),
      watch(file, at),
    ]);
    expectTurn(pages, at, 200, 302);
    expectTurn(previews, at, 200, 302);
    expectTurn(data, at, 200, 404);
    expectTurn(files, at, 200, 404);
    expect(await readEvent(owner, event.uuid)).toMatchObject({ status_id: 4 });
  });

  test("opens exactly at the event's start", async () => {
    const owner = await signIn("curator");
    const start = inMs(4000);
    const at = Date.parse(start);
    const [unpublished, preview] = (await Promise.all(
      [1, 2].map((status_id) => createEvent(owner, demoIds.tearoom, { status_id, start_date: start })),
    )) as [EventJson, EventJson];
    const [pages, publics, previews] = await Promise.all([
      watch(linkPath(unpublished, "preview"), at),
      watch(linkPath(preview, "published"), at),
      watch(linkPath(preview, "preview"), at),
    ]);
    expectTurn(pages, at, 302, 200);
    expectTurn(publics, at, 302, 200);
    expect(previews.filter(({ status }) => status !== 200)).toEqual([]);
    // The preview notice is no longer shown.
    expect((await visitor.get(`${linkPath(preview, "preview")}&lang=en`)).status).toBe(200);
  });

  test("ignores dates while automatic status changes are off", async () => {
    const owner = await signIn("curator");
    const event = await createEvent(owner, demoIds.tearoom, {
      status_id: 3,
      end_date: inMs(700),
      enable_auto_change_status: false,
    });
    await sleep(900);
    expect((await visitor.get(linkPath(event, "published"))).status).toBe(200);
    // When they are switched on, a past date takes effect at once.
    await changeEvent(owner, event.uuid, { enable_auto_change_status: true });
    expect((await visitor.get(linkPath(event, "published"))).status).toBe(302);
  });

  test("is not reopened by its start after an owner archived the event", async () => {
    const owner = await signIn("curator");
    const event = await createEvent(owner, demoIds.tearoom, { status_id: 4, start_date: inMs(500) });
    await sleep(800);
    expect((await visitor.get(linkPath(event, "published"))).status).toBe(302);
    expect(await readEvent(owner, event.uuid)).toMatchObject({ status_id: 4 });
  });
});

describe("an owner", () => {
  for (const lang of LANGUAGES)
    test(`sees the current status and the saved one (${lang})`, async () => {
      const owner = await signIn("curator");
      const event = await createEvent(owner, demoIds.tearoom, { status_id: 2, start_date: inMs(600) });
      await sleep(800);
      await visit({ lang, as: owner }, async ({ open, page, t }) => {
        await open(`/event/${event.uuid}?panel=links`);
        await page
          .getByRole("banner")
          .getByRole("link", { name: t("shared-owners:changeStatus", { status: t("shared:statuses.3") }) })
          .waitFor();
        expect(await page.locator('form#event [name="statusId"]:checked').getAttribute("value")).toBe("3");
        expect(
          await page
            .getByText(
              t("events:statusSavedNow", { saved: t("shared:statuses.2"), now: t("shared:statuses.3") }),
            )
            .isVisible(),
        ).toBe(true);
        // The list shows the same.
        await open(`/space/${demoIds.tearoom}`);
        const row = page.getByRole("listitem").filter({ hasText: event.event_name });
        expect(await row.textContent()).toContain(t("shared:statuses.3"));
      });
    });
});
