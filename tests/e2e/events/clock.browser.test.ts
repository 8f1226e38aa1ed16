import { describe, expect, test } from "vitest";
import {
  caller,
  changeEvent,
  type EventJson,
  fetchEvent,
  linkPath,
  postEvent,
  signIn,
  unescapeHtml,
} from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { LANGUAGES, visit } from "../../support/browser/visit";

const visitor = caller();
const toIsoIn = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Status of a response, and the times of its request and its arrival in milliseconds. */
interface TimedResponse {
  readonly sent: number;
  readonly received: number;
  readonly status: number;
}

/**
 * Requests a path repeatedly until a second after `turnTime`, so that every cache holds it. Each call acts as a visitor of a separate network, and
 * pauses to stay below the network's limits (PAGE_LIMIT and API_LIMIT, 600 a minute).
 * @param turnTime time at which the status of the event changes
 */
async function requestRepeatedly(path: string, turnTime: number): Promise<TimedResponse[]> {
  const requester = caller();
  const responses: TimedResponse[] = [];
  while (Date.now() < turnTime + 1000) {
    const sentAt = Date.now();
    const response = await requester.fetch(path);
    await response.arrayBuffer();
    responses.push({ sent: sentAt, received: Date.now(), status: response.status });
    await sleep(10);
  }
  return responses;
}

/** Every response must be valid for some time between its request and its arrival. */
function expectStatusChange(
  responses: readonly TimedResponse[],
  turnTime: number,
  statusBefore: number,
  statusAfter: number,
): void {
  expect(responses.filter(({ status }) => status === statusBefore).length).toBeGreaterThan(5);
  expect(responses.filter(({ status }) => status === statusAfter).length).toBeGreaterThan(2);
  const unexpected = responses.filter(
    ({ sent, received, status }) =>
      !((status === statusBefore && sent < turnTime) || (status === statusAfter && received >= turnTime)),
  );
  expect(unexpected).toEqual([]);
}

describe("a link", () => {
  test("closes its page, data and files exactly at the event's end, despite caches", async () => {
    const owner = await signIn("curator");
    const end = toIsoIn(4000);
    const event = await postEvent(owner, demoIds.tearoom, { status_id: 3, end_date: end });
    const endTime = Date.parse(end);
    const page = linkPath(event, "published");
    const html = unescapeHtml((await visitor.get(page)).text).replaceAll("\\u0026", "&");
    const cover = /(?<=src=")\/media\/([^"?]+)/.exec(html)?.[1] ?? "";
    // The page of an ended event shows its cover; every other file closes.
    const file = [...html.matchAll(/\/media\/[^"\\?]+\?event=[^"\\]+/g)]
      .map(([url]) => url)
      .find((url) => !url.includes(cover));
    if (!cover || !file) throw new Error("The page names no file beside its cover.");
    const [pages, previews, data, files] = await Promise.all([
      requestRepeatedly(page, endTime),
      requestRepeatedly(`${linkPath(event, "preview")}&lang=en`, endTime),
      requestRepeatedly(`/api/fetch_publish_event/${event.uuid}/${event.access_token}`, endTime),
      requestRepeatedly(file, endTime),
    ]);
    expectStatusChange(pages, endTime, 200, 302);
    expectStatusChange(previews, endTime, 200, 302);
    expectStatusChange(data, endTime, 200, 404);
    expectStatusChange(files, endTime, 200, 404);
    expect(await fetchEvent(owner, event.uuid)).toMatchObject({ status_id: 4 });
  });

  test("opens exactly at the event's start", async () => {
    const owner = await signIn("curator");
    const start = toIsoIn(4000);
    const startTime = Date.parse(start);
    const [unpublished, preview] = (await Promise.all(
      [1, 2].map((status_id) => postEvent(owner, demoIds.tearoom, { status_id, start_date: start })),
    )) as [EventJson, EventJson];
    const [pages, publicPages, previews] = await Promise.all([
      requestRepeatedly(linkPath(unpublished, "preview"), startTime),
      requestRepeatedly(linkPath(preview, "published"), startTime),
      requestRepeatedly(linkPath(preview, "preview"), startTime),
    ]);
    expectStatusChange(pages, startTime, 302, 200);
    expectStatusChange(publicPages, startTime, 302, 200);
    expect(previews.filter(({ status }) => status !== 200)).toEqual([]);
    // The preview link works in English as well.
    expect((await visitor.get(`${linkPath(preview, "preview")}&lang=en`)).status).toBe(200);
  });

  test("ignores dates while automatic status changes are off", async () => {
    const owner = await signIn("curator");
    const event = await postEvent(owner, demoIds.tearoom, {
      status_id: 3,
      end_date: toIsoIn(700),
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
    const event = await postEvent(owner, demoIds.tearoom, { status_id: 4, start_date: toIsoIn(500) });
    await sleep(800);
    expect((await visitor.get(linkPath(event, "published"))).status).toBe(302);
    expect(await fetchEvent(owner, event.uuid)).toMatchObject({ status_id: 4 });
  });
});

describe("an owner", () => {
  for (const lang of LANGUAGES)
    test(`sees the current status and the saved one (${lang})`, async () => {
      const owner = await signIn("curator");
      const event = await postEvent(owner, demoIds.tearoom, { status_id: 2, start_date: toIsoIn(600) });
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
        // The list shows the current status.
        await open(`/space/${demoIds.tearoom}`);
        const row = page.getByRole("listitem").filter({ hasText: event.event_name });
        expect(await row.textContent()).toContain(t("shared:statuses.3"));
      });
    });
});
