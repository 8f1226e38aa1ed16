import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { createDateFormatter } from "~/components/date-time";
import {
  type Caller,
  caller,
  changeEvent,
  fetchEvent,
  linkPath,
  postEvent,
  signIn,
} from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { openPanel } from "../../support/browser/controls";
import {
  type BrowserVisit,
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  submitForm,
  visit,
} from "../../support/browser/visit";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

const toIsoIn = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const DAY_MS = 86_400_000;

/** Types a start that has passed. Without scripts, it is submitted, which is rejected. */
async function typePastStart(self: BrowserVisit) {
  const { page, t, js, expectStatus } = self;
  const form = page.locator("form#event");
  if (js) await form.getByText(t("events:saved")).waitFor();
  await form.locator('[name="startDate"]').fill("2021/04/05 09:30");
  if (js) return form.getByText(t("events:notSaved"), { exact: true }).waitFor();
  expectStatus(400);
  await submitForm(self, form.getByRole("button", { name: t("events:update"), exact: true }));
}

describe("the panel in which an event is published", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`computes its checklist from the texts of the event and the links that were opened (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async (self) => {
        const { open, page, t, axe } = self;
        const event = await postEvent(owner, demoIds.showroom, { status_id: 1 });
        const panel = `/event/${event.uuid}?panel=links`;
        await open(panel);
        const findItem = (itemName: string) => page.locator(`[data-check="${itemName}"]`);
        const isDone = (name: string) => findItem(name).getAttribute("data-done");
        // An event in one language needs no texts in the other one.
        expect(await page.locator("[data-check]").count()).toBe(4);
        const names = { ja: event.event_name, en: event.event_name };
        const detail = { ja: "案内", en: "" };
        await changeEvent(owner, event.uuid, { names, details: detail });
        await open(panel);
        // Says which language is missing, and leads to its field.
        const language = t("shared-owners:languages.en");
        await findItem("texts")
          .getByText(t("events:checklist.textsMissing", { count: 1, languages: language }))
          .click();
        await page.waitForURL(/#event-eventDetail\.en$/);
        const missingField = page.locator('form#event [name="eventDetail.en"]');
        if (js)
          await expect.poll(() => missingField.evaluate((el) => el === document.activeElement)).toBe(true);
        await missingField.waitFor();
        await changeEvent(owner, event.uuid, { details: { ...detail, en: "Guide" } });
        await open(panel);
        expect(await page.locator("[data-check]").count()).toBe(5);
        expect(await page.locator("[data-check] input").count()).toBe(0);
        const isCoverDone = await isDone("cover");
        expect([isCoverDone, await isDone("links"), await isDone("phone")]).toEqual([
          "true",
          "false",
          "false",
        ]);
        expect(await findItem("links").textContent()).toContain(t("events:checklist.linksClosed"));
        if (js) await axe("publish");

        // The link is opened in a window of its own, and its time is recorded.
        await changeEvent(owner, event.uuid, { status_id: 2 });
        await open(panel);
        const [popup] = await Promise.all([
          page.context().waitForEvent("page"),
          findItem("links")
            .getByRole("button", { name: t("events:checklist.open.preview") })
            .click(),
        ]);
        await popup.waitForURL(`**${linkPath(event, "preview")}`);
        await popup.close();
        await open(`/event/${event.uuid}/as-visitor?size=phone&link=preview`);
        await open(panel);
        expect([await isDone("links"), await isDone("phone")]).toEqual(["true", "true"]);
        // Opening the preview link does not count for the public link.
        await changeEvent(owner, event.uuid, { status_id: 3 });
        await open(panel);
        expect(await isDone("links")).toBe("false");
        expect(await findItem("links").textContent()).toContain(t("events:checklist.open.published"));
        // The report marks the day on which an email with the public link was started.
        const mail = page.getByRole("link", { name: t("content:links.mail") }).last();
        expect(await mail.getAttribute("href")).toMatch(/^mailto:/);
        if (js) {
          const [response] = await Promise.all([
            page.waitForResponse((response) => response.request().method() === "POST"),
            mail.click(),
          ]);
          expect(response.status()).toBe(204);
        }
      }));

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`lets the links of a scheduled event be tried and copied before it opens (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async ({ open, page, t }) => {
        const event = await postEvent(owner, demoIds.showroom, { start_date: toIsoIn(3 * DAY_MS) });
        await open(`/event/${event.uuid}?panel=links`);
        const item = page.locator('[data-check="links"]');
        for (const mode of ["preview", "published"] as const) {
          const [popup] = await Promise.all([
            page.context().waitForEvent("page"),
            item.getByRole("button", { name: t(`events:checklist.open.${mode}`) }).click(),
          ]);
          await popup.waitForURL(`**/error/event/${event.uuid}?**`);
          await popup.getByRole("heading", { level: 1, name: event.event_name }).waitFor();
          await popup.close();
          await open(`/event/${event.uuid}?panel=links`);
        }
        expect(await item.getAttribute("data-done")).toBe("true");
        if (!js) return;
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        const [response] = await Promise.all([
          page.waitForResponse((response) => response.url().endsWith("/shared-link")),
          page.getByRole("button", { name: t("shared:copyThis", { label: t("events:publicLink") }) }).click(),
        ]);
        expect(response.status()).toBe(204);
      }));

  test("keeps what was typed in another panel, and shows its error", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { open, page, t } = self;
      const event = await postEvent(owner, demoIds.showroom);
      await open(`/event/${event.uuid}`);
      const name = page.locator('form#event [name="eventName.en"]');
      await name.fill("x".repeat(40));
      await openPanel(self, "links");
      await page.waitForURL(/panel=links/);
      // The form cannot be saved with this name, so the panel shows the field and the reason.
      await page.getByRole("status").getByText(t("events:errors.eventName.tooLong")).waitFor();
      expect(await page.getByRole("button", { name: t("events:update"), exact: true }).isDisabled()).toBe(
        true,
      );
      expect(await name.isVisible()).toBe(true);
      await name.fill("A short name");
      await submitForm(self, page.getByRole("button", { name: t("events:update"), exact: true }));
      await page.getByText(t("shared-owners:toasts.eventUpdated")).waitFor();
      expect(new URL(page.url()).searchParams.get("panel")).toBe("links");
      expect(await fetchEvent(owner, event.uuid)).toMatchObject({ names: { en: "A short name" } });
    }));

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`warns when the chosen status opens an event before its start date, and offers to wait for that date (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async (self) => {
        const { open, page, t } = self;
        const event = await postEvent(owner, demoIds.showroom);
        await open(`/event/${event.uuid}?panel=links`);
        const form = page.locator("form#event");
        const update = form.getByRole("button", { name: t("events:update"), exact: true });
        const waitButton = form.getByRole("button", { name: t("shared-owners:waitForStart") });
        await form
          .locator('[name="startDate"]')
          .fill(lang === "ja" ? "2031年4月5日 9時30分" : "5 Apr 2031 9:30");
        await form.locator('[name="statusId"][value="3"]').check();
        if (!js) await submitForm(self, update);
        await waitButton.waitFor();
        expect(await fetchEvent(owner, event.uuid)).toMatchObject({ status_id: 1, start_date: null });
        if (js) await waitButton.click();
        else await submitForm(self, waitButton);
        await waitButton.waitFor({ state: "detached" });
        expect(await form.locator('[name="statusId"][value="1"]').isChecked()).toBe(true);
        await submitForm(self, update);
        await page.getByText(t("shared-owners:toasts.eventUpdated")).waitFor();
        expect(await fetchEvent(owner, event.uuid)).toMatchObject({
          status_id: 1,
          enable_auto_change_status: true,
          start_date: "2031-04-05T00:30:00.000Z",
        });
        // After it was opened before its start, the toast offers to wait, too.
        await form.locator('[name="statusId"][value="3"]').check();
        await submitForm(self, update);
        if (!js) await submitForm(self, update);
        await page.getByText(t("shared-owners:toasts.eventOpenEarly")).waitFor();
        expect(await fetchEvent(owner, event.uuid)).toMatchObject({ status_id: 3 });
        const toast = page.getByRole("status").filter({ hasText: t("shared-owners:toasts.eventOpenEarly") });
        await submitForm(self, toast.getByRole("button", { name: t("shared-owners:waitForStart") }));
        await page.getByText(t("shared-owners:toasts.eventWaits")).waitFor();
        expect(await form.locator('[name="statusId"][value="1"]').isChecked()).toBe(true);
        expect(await fetchEvent(owner, event.uuid)).toMatchObject({
          status_id: 1,
          enable_auto_change_status: true,
          start_date: "2031-04-05T00:30:00.000Z",
        });
        expect(new URL(page.url()).searchParams.get("panel")).toBe("links");
        // Says when it opens, also beside the public link, which can be sent before.
        const date = createDateFormatter(t)("2031-04-05T09:30");
        await form.getByRole("status").getByText(t("events:opensLater", { date })).waitFor();
        await form.getByText(t("events:linkHint.published.opensLater", { date })).waitFor();
        expect(
          await form
            .getByRole("link", { name: t("content:links.mail") })
            .first()
            .isVisible(),
        ).toBe(true);
      }));

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`opens the event now in place of a start that has passed, and the message about it does not move the end date (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async (self) => {
        const { open, page, t } = self;
        const event = await postEvent(owner, demoIds.showroom);
        await open(`/event/${event.uuid}?panel=links`);
        const form = page.locator("form#event");
        const [start, end] = [form.locator('[name="startDate"]'), form.locator('[name="endDate"]')];
        const measureDistance = async () =>
          ((await end.boundingBox())?.y ?? 0) - ((await start.boundingBox())?.y ?? 0);
        const distanceBefore = await measureDistance();
        if (js) await form.getByText(t("events:saved")).waitFor();
        await typePastStart(self);
        await end.fill("2031/04/05 09:30");
        await form.locator("#event-startDate-error").getByText(t("events:errors.startDate.past")).waitFor();
        expect(await measureDistance()).toBe(distanceBefore);
        const openNow = form.getByRole("button", { name: t("events:openNow"), exact: true });
        await submitForm(self, openNow);
        await page.getByText(t("shared-owners:toasts.eventOpened")).waitFor();
        expect(await openNow.count()).toBe(0);
        // The event starts in the current minute.
        await expect.poll(() => start.inputValue()).toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d$/);
        expect(await form.locator('[name="statusId"]:checked').inputValue()).toBe("3");
        expect(await measureDistance()).toBe(distanceBefore);
        const opened = await fetchEvent(owner, event.uuid);
        expect(opened).toMatchObject({ status_id: 3, end_date: "2031-04-05T00:30:00.000Z" });
        const openedStart = Date.parse(String(opened.start_date));
        expect(openedStart).toBeLessThanOrEqual(Date.now());
        expect(openedStart).toBeGreaterThan(Date.now() - 120_000);
        // The event is open already, so the same button confirms it again.
        await typePastStart(self);
        await submitForm(self, openNow);
        await page.getByText(t("shared-owners:toasts.eventOpened")).waitFor();
        await expect.poll(() => start.inputValue()).not.toContain("2021");
        if (js) await form.getByText(t("events:saved"), { exact: true }).waitFor();
        const confirmed = await fetchEvent(owner, event.uuid);
        expect(confirmed.status_id).toBe(3);
        expect(Date.parse(String(confirmed.start_date))).toBeGreaterThanOrEqual(openedStart);
      }));

  test("keeps the typed values when another panel is opened before a save has ended", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { open, page, t } = self;
      const event = await postEvent(owner, demoIds.showroom);
      await open(`/event/${event.uuid}?panel=links`);
      const form = page.locator("form#event");
      const update = form.getByRole("button", { name: t("events:update"), exact: true });
      const end = form.locator('[name="endDate"]');
      await form.getByText(t("events:saved"), { exact: true }).waitFor();
      await end.fill("2031/04/05 09:30");
      // The save does not arrive.
      await page.route(/\/event\//, (route) =>
        route.request().method() === "POST" ? undefined : route.continue(),
      );
      await update.click();
      await form.getByText(t("events:updating"), { exact: true }).waitFor();
      await openPanel(self, "tags");
      await page.waitForURL(({ search }) => search.includes("panel=tags"));
      await openPanel(self, "links");
      await update.waitFor();
      expect(await end.inputValue()).toContain("2031");
      expect(await update.isEnabled()).toBe(true);
    }));

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`does not open an event whose end has passed, and shows the reason at its end date (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async (self) => {
        const { open, page, t, expectStatus } = self;
        const event = await postEvent(owner, demoIds.panorama, { end_date: toIsoIn(700) });
        await sleep(800);
        await open(`/event/${event.uuid}?panel=links`);
        const form = page.locator("form#event");
        await typePastStart(self);
        const openNow = form.getByRole("button", { name: t("events:openNow"), exact: true });
        if (js) await openNow.click();
        else {
          expectStatus(400);
          await submitForm(self, openNow);
        }
        await form.locator("#event-endDate-error").getByText(t("events:errors.endDate.past")).waitFor();
        expect(await fetchEvent(owner, event.uuid)).toMatchObject({ status_id: 4, start_date: null });
      }));

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`shows the status, the public link and the dates together, and describes the chosen status only (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async ({ open, page, t }) => {
        await open(`/event/${demoIds.mainEvent}?panel=links`);
        const form = page.locator("form#event");
        const bar = await form.locator("[data-action-bar]").boundingBox();
        const link = page.locator("#event-public-link");
        for (const field of [
          form.locator('[name="statusId"]').last(),
          link,
          form.locator('[name="startDate"]'),
          form.locator('[name="endDate"]'),
        ]) {
          const box = await field.boundingBox();
          expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
        }
        const findDescription = (status: 1 | 3) =>
          form.getByText(t(`events:statusDescription.${status}`), { exact: true });
        expect([await findDescription(1).isVisible(), await findDescription(3).isVisible()]).toEqual([
          false,
          true,
        ]);
        const y = (await link.boundingBox())?.y;
        await form.locator('[name="statusId"][value="1"]').check();
        expect([await findDescription(1).isVisible(), await findDescription(3).isVisible()]).toEqual([
          true,
          false,
        ]);
        expect((await link.boundingBox())?.y).toBe(y);
      }));

  test("has a calendar that lists the other events of the space and can be operated with the keyboard", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { open, page, t, axe } = self;
      const otherEvent = await postEvent(owner, demoIds.panorama, {
        start_date: "2031-05-02T01:00:00.000Z",
        end_date: "2031-05-03T09:00:00.000Z",
      });
      const event = await postEvent(owner, demoIds.panorama, { start_date: "2031-05-01T01:00:00.000Z" });
      await open(`/event/${event.uuid}?panel=links`);
      const start = page.locator('form#event [name="startDate"]');
      expect(await start.inputValue()).toBe("2031/05/01 10:00");
      await start.focus();
      await page
        .getByRole("button", { name: t("shared-owners:pickDateOf", { label: t("events:start") }) })
        .click();
      const grid = page.getByRole("grid", { name: "May 2031" });
      await grid.waitFor();
      await page
        .getByRole("region", { name: t("shared-owners:otherEvents") })
        .getByText(otherEvent.event_name)
        .waitFor();
      const readFocusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
      await expect.poll(readFocusedLabel).toBe("Thu 1 May 2031");
      await axe("calendar");
      await page.keyboard.press("ArrowRight");
      await expect.poll(readFocusedLabel).toBe(`Fri 2 May 2031, ${otherEvent.event_name}`);
      await page.keyboard.press("PageDown");
      await expect.poll(readFocusedLabel).toBe("Mon 2 Jun 2031");
      await page.keyboard.press("Home");
      await expect.poll(readFocusedLabel).toBe("Sun 1 Jun 2031");
      await page.keyboard.press("Enter");
      await expect.poll(() => start.inputValue()).toBe("2031/06/01 10:00");
      expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe("startDate");
      // The time is selected, so it can be typed at once.
      await page.keyboard.type("18:00");
      expect(await start.inputValue()).toBe("2031/06/01 18:00");
    }));

  test("gives today's date the next full hour, and the end an hour after the start", () =>
    visit({ lang: "en", as: owner }, async ({ open, page, t }) => {
      const event = await postEvent(owner, demoIds.panorama);
      await open(`/event/${event.uuid}?panel=links`);
      const form = page.locator("form#event");
      await form.getByText(t("events:saved")).waitFor();
      // 17:30 in Tokyo.
      await page.clock.setFixedTime(new Date("2031-05-01T08:30:00Z"));
      const pickToday = async (label: string) => {
        await page.getByRole("button", { name: t("shared-owners:pickDateOf", { label }) }).click();
        await page.getByRole("grid", { name: "May 2031" }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("grid").waitFor({ state: "detached" });
      };
      await pickToday(t("events:start"));
      expect(await form.locator('[name="startDate"]').inputValue()).toBe("2031/05/01 18:00");
      await pickToday(t("events:end"));
      expect(await form.locator('[name="endDate"]').inputValue()).toBe("2031/05/01 19:00");
      // A time that the owner chose stays.
      await form.locator('[name="startDate"]').fill("2031/05/01 09:15");
      await pickToday(t("events:start"));
      expect(await form.locator('[name="startDate"]').inputValue()).toBe("2031/05/01 09:15");
    }));
});

describe("the page of a closed event", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`shows the event's name, cover and calendar entry to visitors with the right link (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js }, async ({ open, page, t, axe, expectStatus }) => {
        const event = await postEvent(owner, demoIds.showroom, {
          start_date: toIsoIn(3 * DAY_MS),
          end_date: toIsoIn(5 * DAY_MS),
        });
        await open(linkPath(event, "published"));
        expect(new URL(page.url()).pathname).toBe(`/error/event/${event.uuid}`);
        await page.getByRole("heading", { level: 1, name: event.event_name }).waitFor();
        expect(
          await page.locator("main img").evaluate((img: HTMLImageElement) => img.naturalWidth),
        ).toBeGreaterThan(0);
        expect(await page.getByRole("timer").count()).toBe(js ? 1 : 0);
        expect(await page.locator('meta[name="robots"]').getAttribute("content")).toBe("noindex");
        if (js) await axe("closed-event");
        const calendar = page.getByRole("link", { name: t("visitors-late:closed.calendar") });
        const file = await caller().get((await calendar.getAttribute("href")) ?? "");
        expect(file.headers.get("content-type")).toContain("text/calendar");
        expect(file.text.replaceAll("\r\n ", "")).toContain(`SUMMARY:${event.event_name}`);

        // An event that does not open by itself shows the neutral page.
        expectStatus(404);
        await changeEvent(owner, event.uuid, { enable_auto_change_status: false });
        await page.reload();
        await page.getByRole("heading", { level: 1, name: t("visitors:unavailableTitle") }).waitFor();
        expect(await page.content()).not.toContain(event.event_name);
      }));

  test("opens the event when its time has come, and not before for a visitor whose clock is five minutes ahead", () =>
    visit({ lang: "en" }, async ({ open, page }) => {
      await page.clock.install({ time: Date.now() + 5 * 60_000 });
      const event = await postEvent(owner, demoIds.showroom, { start_date: toIsoIn(8_000) });
      await open(linkPath(event, "published"));
      const visitedPaths: string[] = [];
      page.on("framenavigated", (frame) => visitedPaths.push(new URL(frame.url()).pathname));
      await page.waitForURL((url) => url.pathname === `/event/published/${event.uuid}`, { timeout: 20_000 });
      await page.getByRole("heading", { level: 1, name: event.event_name }).waitFor();
      expect(visitedPaths.filter((path) => path.startsWith("/error/"))).toEqual([]);
    }));

  test("opens only for its own link, and its URL cannot be forged", async () => {
    const event = await postEvent(owner, demoIds.showroom, { status_id: 4 });
    const otherEvent = await postEvent(owner, demoIds.showroom, { status_id: 4 });
    const location = (await caller().get(linkPath(event, "published"))).headers.get("location") ?? "";
    expect((await caller().get(location)).visibleText).toContain(event.event_name);
    const neutralText = (await caller().get(`/error/event/${event.uuid}`)).visibleText;
    for (const path of [
      location.replace(event.uuid, otherEvent.uuid),
      `${location.slice(0, -2)}AA`,
      `/error/event/${event.uuid}?link=x`,
    ])
      expect((await caller().get(path)).visibleText).toBe(neutralText);
  });
});

test("the page that asks for a publish password hides the event unless its owner shows it", async () => {
  const event = await postEvent(owner, demoIds.showroom, {
    status_id: 3,
    publish_password: "a-long-secret-of-april",
  });
  const path = linkPath(event, "published");
  expect((await caller().get(path)).text).not.toContain(event.event_name);
  await changeEvent(owner, event.uuid, { show_before_password: true });
  expect((await caller().get(path)).visibleText).toContain(event.event_name);
});
