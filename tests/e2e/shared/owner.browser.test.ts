import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { EVENT_NAME_MAX } from "~/domain/shared/limits";
import {
  type Caller,
  caller,
  changeEvent,
  type EventJson,
  fetchEvent,
  linkPath,
  postEvent,
  signIn,
} from "../../support/api/caller";
import { demoEvent, demoIds } from "../../support/app/demo";
import { eventTextLabel, openGroup, panelTab } from "../../support/browser/controls";
import {
  type BrowserVisit,
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  SCRIPTS,
  submitForm,
  visit,
  waitForHydration,
} from "../../support/browser/visit";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

/** The error beside a field. */
async function readError(field: Locator): Promise<string> {
  const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
  const id = ids.find((candidate) => candidate.endsWith("-error"));
  return id ? ((await field.page().locator(`[id="${id}"]`).textContent()) ?? "") : "";
}

/** Waits for a field's error. */
async function expectError(field: Locator, message: string): Promise<void> {
  await expect.poll(() => readError(field), { timeout: 5000 }).toContain(message);
  expect(await field.getAttribute("aria-invalid")).toBe("true");
}

/** A date as the field displays it. */
const toTypedDate = (local: string) => local.replaceAll("-", "/").replace("T", " ");

/** Locators of the event form's fields, in the editor's panels or in the dialog with the whole form. */
function findForm(
  { page, t, lang }: Pick<BrowserVisit, "page" | "t" | "lang">,
  id: "event" | "event-dialog" = "event",
) {
  const form = page.locator(`form#${id}`);
  const findField = (text: string) => form.getByLabel(text, { exact: true });
  return {
    form,
    name: findField(eventTextLabel({ t, lang }, "name")),
    start: form.locator('[name="startDate"]'),
    end: form.locator('[name="endDate"]'),
    status: (id: number) => form.locator(`[name="statusId"][value="${id}"]`),
    autoChange: form.getByRole("checkbox", { name: t("events:autoChange") }),
    detail: findField(eventTextLabel({ t, lang }, "detail")),
    password: findField(t("events:passwordNew")),
    storeUrl: findField(t("events:storeUrl")),
    storeToken: findField(t("events:storeToken")),
    publicLink: findField(t("events:publicLink")),
    previewLink: findField(t("events:previewLink")),
    params: form.locator("summary", { hasText: t("events:urlParams") }),
    param: (name: string) => form.locator(`[name="urlParams.${name}"]`),
    extra: (row: number, part: "name" | "value") => form.locator(`[name="extraParams[${row}].${part}"]`),
    button: (text: string) => form.getByRole("button", { name: text }),
    update: form.getByRole("button", { name: t("events:update"), exact: true }),
  };
}

const waitUntilSaved = ({ page, t }: BrowserVisit) =>
  page.getByText(t("shared-owners:toasts.eventUpdated")).waitFor();

describe("an owner", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`creates an event, fills in the whole form, publishes the event and shows its link (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async (self) => {
        const { open, page, t, expectStatus } = self;
        expectStatus(400);
        await open("/space-list");
        await page.getByRole("link", { name: "Matterport ショーケース" }).click();
        await page.getByRole("heading", { level: 1, name: "Matterport ショーケース" }).waitFor();
        expect(new URL(page.url()).pathname).toBe(`/space/${demoIds.showcase}`);
        expect(
          await page.getByRole("banner").getByText(t("shared-owners:shell.spaceDetail")).isVisible(),
        ).toBe(true);

        await page.getByRole("link", { name: t("spaces:detail.createEvent") }).click();
        const dialog = page.getByRole("dialog");
        const name = dialog.getByLabel(t("spaces:detail.eventName"), { exact: true });
        const create = dialog.getByRole("button", { name: t("spaces:detail.createEventSubmit") });
        const takenName = demoEvent(demoIds.showcaseEvent).event.eventName[lang];
        await name.fill(` ${takenName} `);
        await create.click();
        await expectError(name, t("events:errors.eventName.taken"));
        expect((await name.inputValue()).trim()).toBe(takenName);
        const longName = "長い名前の展示会".repeat(5);
        await name.fill(longName);
        await create.click();
        await expectError(name, t("events:errors.eventName.tooLong"));
        expect(await name.inputValue()).toBe(longName);
        const firstName = `${lang === "ja" ? "春の展示" : "Spring show"} ${js ? 1 : 0}`;
        await name.fill(firstName);
        await create.click();
        await page.waitForURL(/\/event\/[0-9a-f-]{36}/);
        await page.getByText(t("shared-owners:toasts.eventCreated")).waitFor();
        if (js) await waitForHydration(page);
        const id = new URL(page.url()).pathname.split("/")[2] ?? "";
        expect(await page.getByRole("banner").getByText(firstName).isVisible()).toBe(true);
        expect(await fetchEvent(owner, id)).toMatchObject({ event_name: firstName, status_id: 1 });

        // The dialog is the whole form of specification §2; each panel of the editor shows a part of it.
        const dialogPath = `/event/${id}?dialog=status`;
        await open(dialogPath);
        const fields = findForm(self, "event-dialog");
        expect(await fields.update.isDisabled()).toBe(js);
        expect(await fields.name.inputValue()).toBe(firstName);
        const newName = `春の展示 “${lang}” & <b>${js ? 1 : 0}</b>`;
        await fields.name.fill(newName);
        await fields.start.fill(toTypedDate("2031-04-05T09:30"));
        await fields.end.fill(toTypedDate("2031-04-06T18:00"));
        await fields.status(2).check();
        await fields.autoChange.uncheck();
        await fields.detail.fill("一行目\n\n二行目 👘 <script>");
        await fields.password.fill("合言葉 1234");
        await fields.storeUrl.fill("hiroba-test.myshopify.com");
        await fields.storeToken.fill("0123456789abcdef0123456789abcdef");
        await fields.params.click();
        await fields.param("play").selectOption("0");
        if (js) {
          await fields.button(t("events:urlParamReset", { name: "play" })).click();
          expect(await fields.param("play").inputValue()).toBe("");
          await fields.param("play").selectOption("0");
        }
        await fields.param("ts").fill("7");
        await fields.extra(0, "name").fill("later");
        await fields.extra(0, "value").fill("1");
        expect(await fields.update.isDisabled()).toBe(false);
        await submitForm(self, fields.update);
        await waitUntilSaved(self);

        expect(await fetchEvent(owner, id)).toMatchObject({
          event_name: newName,
          start_date: "2031-04-05T00:30:00.000Z",
          end_date: "2031-04-06T09:00:00.000Z",
          status_id: 2,
          enable_auto_change_status: false,
          event_detail: "一行目\n\n二行目 👘 <script>",
          has_publish_password: true,
          sp_store_url: "https://hiroba-test.myshopify.com",
          sp_access_token: "0123456789abcdef0123456789abcdef",
          url_params: JSON.stringify({ later: "1", play: "0", ts: 7 }),
        });

        await open(dialogPath);
        expect(await fields.name.inputValue()).toBe(newName);
        expect(await fields.start.inputValue()).toBe(toTypedDate("2031-04-05T09:30"));
        expect(await fields.end.inputValue()).toBe(toTypedDate("2031-04-06T18:00"));
        expect(await fields.status(2).isChecked()).toBe(true);
        expect(await fields.autoChange.isChecked()).toBe(false);
        expect(await fields.detail.inputValue()).toBe("一行目\n\n二行目 👘 <script>");
        expect(await fields.password.inputValue()).toBe("");
        expect(await fields.storeUrl.inputValue()).toBe("https://hiroba-test.myshopify.com");
        expect(await fields.storeToken.inputValue()).toBe("");
        expect(await page.content()).not.toContain("0123456789abcdef");
        expect(await fields.param("play").inputValue()).toBe("0");
        expect(await fields.param("ts").inputValue()).toBe("7");
        expect(await fields.extra(0, "name").inputValue()).toBe("later");
        expect(await fields.extra(0, "value").inputValue()).toBe("1");
        expect(await fields.update.isDisabled()).toBe(js);

        // After the password was removed, every holder of the public link has access.
        await fields.status(3).check();
        await fields.form.getByRole("checkbox", { name: t("events:passwordRemove") }).check();
        // The form first says that the event opens before its start.
        if (!js) await submitForm(self, fields.update);
        await fields.button(t("shared-owners:waitForStart")).waitFor();
        await submitForm(self, fields.update);
        await self.page.getByText(t("shared-owners:toasts.eventOpenEarly")).waitFor();
        await waitUntilSaved(self);
        const event = await fetchEvent(owner, id);
        expect(event).toMatchObject({
          status_id: 3,
          has_publish_password: false,
          sp_access_token: "0123456789abcdef0123456789abcdef",
        });
        await open(`/event/${id}?panel=links`);
        const { publicLink, previewLink } = findForm(self);
        const link = await publicLink.inputValue();
        expect(link).toBe(`${self.origin}${linkPath(event, "published")}`);
        expect(await previewLink.inputValue()).toBe(`${self.origin}${linkPath(event, "preview")}`);
        const visitorPage = await caller().get(link.slice(self.origin.length));
        expect(visitorPage.status).toBe(200);
        expect(visitorPage.visibleText).toContain(newName);
        expect(visitorPage.visibleText).toContain("二行目 👘 <script>");
      }));

  test("copies a link with one click", () =>
    visit(
      { lang: "en", as: owner, context: { permissions: ["clipboard-read", "clipboard-write"] } },
      async (self) => {
        const { open, page, t } = self;
        await open(`/event/${demoIds.mainEvent}?panel=links`);
        await page
          .getByRole("button", { name: t("shared:copyThis", { label: t("events:publicLink") }) })
          .click();
        await page
          .getByRole("status")
          .filter({ hasText: t("shared:copied") })
          .waitFor({ state: "attached" });
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        expect(copied).toBe(await findForm(self).publicLink.inputValue());
        expect((await caller().get(copied.slice(self.origin.length))).status).toBe(200);
      },
    ));

  test("enables Update only while a field differs from the saved value, and Cancel restores the saved values", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const event = await postEvent(owner, demoIds.panorama, { event_detail: "As it was" });
      await self.open(`/event/${event.uuid}`);
      const fields = findForm(self);
      expect(await fields.update.isDisabled()).toBe(true);
      await fields.detail.fill("Changed");
      expect(await fields.update.isDisabled()).toBe(false);
      await fields.detail.fill("As it was");
      expect(await fields.update.isDisabled()).toBe(true);
      await panelTab(self, self.t("content:panelGroups.publish")).click();
      await fields.status(4).check();
      expect(await fields.update.isDisabled()).toBe(false);
      await fields.status(1).check();
      expect(await fields.update.isDisabled()).toBe(true);
      await fields.autoChange.uncheck();
      expect(await fields.update.isDisabled()).toBe(false);
      await fields.autoChange.check();
      await fields.start.fill("2031/04/05 09:30");
      expect(await fields.update.isDisabled()).toBe(false);
      await fields.button(self.t("shared-owners:clearDateOf", { label: self.t("events:start") })).click();
      expect(await fields.update.isDisabled()).toBe(true);
      // Cancel restores the saved values, after a question.
      await panelTab(self, self.t("content:panelGroups.details")).click();
      await fields.name.fill("Something else");
      const cancel = fields.form.getByRole("link", { name: self.t("events:cancel") });
      await cancel.click();
      const question = self.page.getByRole("dialog", { name: self.t("shared-owners:discardTitle") });
      await question.getByRole("button", { name: self.t("shared-owners:leaveStay"), exact: true }).click();
      expect(await fields.name.inputValue()).toBe("Something else");
      await cancel.click();
      await question.getByRole("button", { name: self.t("shared-owners:discardGo"), exact: true }).click();
      await expect.poll(() => fields.name.inputValue()).toBe(event.names.en);
    }));

  test("sees before saving how the clock changes the status, and is asked before leaving unsaved changes", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { page, t } = self;
      const event = await postEvent(owner, demoIds.panorama);
      await self.open(`/event/${event.uuid}?panel=links`);
      const fields = findForm(self);
      const overruledNotice = fields.form.getByText(
        t("events:statusOverruled", { now: t("shared:statuses.4"), autoChange: t("events:autoChange") }),
      );
      expect(await overruledNotice.count()).toBe(0);
      await fields.end.fill("2020/01/01 00:00");
      await overruledNotice.waitFor();
      await fields.autoChange.uncheck();
      await overruledNotice.waitFor({ state: "detached" });
      // A start in the past has one message, beside its field.
      await fields.end.fill("");
      await fields.autoChange.check();
      await fields.start.fill("2020/01/01 00:00");
      await expectError(fields.start, t("events:errors.startDate.past"));
      expect(await fields.form.getByRole("status").getByRole("paragraph").count()).toBe(0);

      const question = page.getByRole("dialog", { name: t("shared-owners:leaveTitle") });
      const backLink = page.getByRole("link", { name: t("events:backToSpace") });
      await backLink.click();
      await question.getByRole("button", { name: t("shared-owners:leaveStay") }).click();
      await question.waitFor({ state: "detached" });
      expect(await fields.start.inputValue()).toBe("2020/01/01 00:00");
      // A dialog of the page loses no changes, so there is no question.
      await page
        .getByRole("banner")
        .getByRole("link", { name: t("shared-owners:changeStatus", { status: "Unpublished" }) })
        .click();
      const status = page.getByRole("dialog", { name: t("events:statusDialog") });
      await status.getByRole("link", { name: t("shared:close") }).click();
      await status.waitFor({ state: "detached" });
      expect([await question.count(), await fields.start.inputValue()]).toEqual([0, "2020/01/01 00:00"]);
      const leaveDialog = page.waitForEvent("dialog");
      await page.evaluate(() => setTimeout(() => window.location.reload()));
      expect((await leaveDialog).type()).toBe("beforeunload");
      await (await leaveDialog).dismiss();
      expect(await fields.start.inputValue()).toBe("2020/01/01 00:00");
      await backLink.click();
      await question.getByRole("button", { name: t("shared-owners:leaveGo") }).click();
      await page.waitForURL((url) => url.pathname === `/space/${demoIds.panorama}`);
    }));

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`deletes a date and restores it, each with a button (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async (self) => {
        const { open, page, t } = self;
        const event = await postEvent(owner, demoIds.panorama, {
          start_date: "2031-04-05T00:30:00.000Z",
          end_date: "2031-04-06T09:00:00.000Z",
        });
        await open(`/event/${event.uuid}?panel=links`);
        const fields = findForm(self);
        const pressDateButton = (
          key: "shared-owners:clearDateOf" | "shared-owners:undoOf",
          label: string,
        ) => {
          const button = fields.button(t(key, { label }));
          return js ? button.click() : submitForm(self, button);
        };
        await fields.autoChange.uncheck();
        await pressDateButton("shared-owners:clearDateOf", t("events:start"));
        expect(await fields.start.inputValue()).toBe("");
        expect(await fields.end.inputValue()).toBe(toTypedDate("2031-04-06T18:00"));
        expect(await fields.autoChange.isChecked()).toBe(false);
        await pressDateButton("shared-owners:clearDateOf", t("events:end"));
        await pressDateButton("shared-owners:undoOf", t("events:start"));
        expect(await fields.start.inputValue()).toBe(toTypedDate("2031-04-05T09:30"));
        expect(await fields.end.inputValue()).toBe("");
        expect(await fields.autoChange.isChecked()).toBe(false);
        expect(await fetchEvent(owner, event.uuid)).toEqual(event);
        await submitForm(self, fields.update);
        await waitUntilSaved(self);
        expect(await fetchEvent(owner, event.uuid)).toMatchObject({
          enable_auto_change_status: false,
          start_date: event.start_date,
          end_date: null,
        });
        await page.reload();
        expect(await fields.end.inputValue()).toBe("");
      }));

  for (const js of SCRIPTS)
    test(`changes the status in the dialog of the top bar (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: owner }, async (self) => {
        const { open, page, t } = self;
        const event = await postEvent(owner, demoIds.panorama, { enable_auto_change_status: false });
        await open(`/event/${event.uuid}`);
        const bar = page.getByRole("banner");
        await bar
          .getByRole("link", { name: t("shared-owners:changeStatus", { status: "Unpublished" }) })
          .click();
        const dialog = page.getByRole("dialog", { name: t("events:statusDialog") });
        await dialog.waitFor();
        // The dialog is the whole form of specification §2.
        for (const label of [
          eventTextLabel(self, "name"),
          eventTextLabel(self, "detail"),
          t("events:publicLink"),
          t("events:storeUrl"),
        ])
          expect(await dialog.getByLabel(label, { exact: true }).isVisible()).toBe(true);
        const update = dialog.getByRole("button", { name: t("events:update"), exact: true });
        expect(await update.isDisabled()).toBe(js);
        await dialog.locator('[name="statusId"][value="3"]').check();
        await submitForm(self, update);
        await waitUntilSaved(self);
        await dialog.waitFor({ state: "detached" });
        await bar
          .getByRole("link", { name: t("shared-owners:changeStatus", { status: "Published" }) })
          .waitFor();
        expect(new URL(page.url()).pathname).toBe(`/event/${event.uuid}`);
        expect((await caller().get(linkPath(event, "published"))).status).toBe(200);

        // The error is shown in the dialog, which stays open.
        self.expectStatus(400);
        await bar
          .getByRole("link", { name: t("shared-owners:changeStatus", { status: "Published" }) })
          .click();
        const name = dialog.getByLabel(eventTextLabel(self, "name"), { exact: true });
        await name.fill("x".repeat(EVENT_NAME_MAX + 1));
        if (js) {
          // Update is disabled and says why.
          await dialog.getByRole("status").getByText(t("events:errors.eventName.tooLong")).waitFor();
          expect(await update.isDisabled()).toBe(true);
        } else await update.click();
        await expectError(name, t("events:errors.eventName.tooLong"));
        expect(await dialog.isVisible()).toBe(true);
        await dialog.getByRole("link", { name: t("shared:close") }).click();
        if (js) await page.getByRole("button", { name: t("shared-owners:leaveGo") }).click();
        await dialog.waitFor({ state: "detached" });
        expect(await fetchEvent(owner, event.uuid)).toMatchObject({ event_name: event.event_name });
      }));

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`overwrites no changes of another user without a decision (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: owner }, async (self) => {
        const { open, page, t, expectStatus } = self;
        expectStatus(409);
        const event = await postEvent(owner, demoIds.panorama, { event_detail: "at first" });
        await open(`/event/${event.uuid}?dialog=status`);
        const otherChanges = {
          names: { [lang]: `theirs ${lang} ${js}` },
          event_detail: "their detail",
          url_params: { play: "0" },
        };
        const eventAfter = await changeEvent(await signIn("curator"), event.uuid, otherChanges);

        const fields = findForm(self, "event-dialog");
        await fields.name.fill(`mine ${lang} ${js}`);
        await fields.password.fill("合言葉 1234");
        const responseOfUpdate = page.waitForResponse((response) => response.request().method() === "POST");
        await fields.update.click();
        expect((await responseOfUpdate).status()).toBe(409);
        await page.getByText(t("events:conflictTitle")).waitFor();
        if (js) await waitForHydration(page);
        const readSides = (label: string) =>
          page.getByRole("row", { name: label }).getByRole("cell").allTextContents();
        expect(await readSides(eventTextLabel(self, "name"))).toEqual([
          otherChanges.names[lang],
          `mine ${lang} ${js}`,
        ]);
        expect(await readSides(t("events:password"))).toEqual([
          t("events:conflictSecret.none"),
          t("events:conflictSecret.new"),
        ]);
        const [savedParams, ownParams] = await readSides(t("events:urlParams"));
        expect(savedParams).toMatch(/^play0 – /);
        expect(ownParams).not.toContain("{");
        expect(await fetchEvent(owner, event.uuid)).toEqual(eventAfter);
        expect(await fields.name.inputValue()).toBe(`mine ${lang} ${js}`);

        // The server never returns a typed password, so without scripts the form is not saved until it is typed again.
        if (!js) {
          expectStatus(400);
          await submitForm(self, fields.button(t("events:conflictOverwrite")));
          await expectError(fields.password, t("store:errors.secret.again"));
          expect(await fetchEvent(owner, event.uuid)).toEqual(eventAfter);
          await fields.password.fill("合言葉 1234");
        }
        await submitForm(self, fields.button(js ? t("events:conflictOverwrite") : t("events:update")));
        await waitUntilSaved(self);
        expect(await fetchEvent(owner, event.uuid)).toMatchObject({
          names: { [lang]: `mine ${lang} ${js}` },
          event_detail: "at first",
          has_publish_password: true,
          version: eventAfter.version + 1,
        });
      }));

  for (const js of SCRIPTS)
    test(`keeps the store's fields open after a conflict in them (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: owner }, async (self) => {
        const { open, page, t, expectStatus } = self;
        expectStatus(409);
        const event = await postEvent(owner, demoIds.panorama);
        await open(`/event/${event.uuid}?panel=store`);
        await openGroup(self, t("content:store.other"));
        const fields = findForm(self, "event");
        await changeEvent(owner, event.uuid, {
          sp_store_url: "https://theirs.myshopify.com",
          sp_access_token: "0123456789abcdef0123456789abcdef",
        });
        await fields.storeUrl.fill("https://mine.myshopify.com");
        await fields.storeToken.fill("0123456789abcdef0123456789abcdef");
        await fields.update.click();
        await page.getByText(t("events:conflictTitle")).waitFor();
        expect(await fields.storeUrl.isVisible()).toBe(true);
        expect(await fields.storeUrl.inputValue()).toBe("https://mine.myshopify.com");
      }));

  test("loads the saved version after a conflict, through a link", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      self.expectStatus(409);
      const event = await postEvent(owner, demoIds.panorama);
      await self.open(`/event/${event.uuid}`);
      await changeEvent(owner, event.uuid, { event_detail: "theirs" });
      const fields = findForm(self);
      await fields.detail.fill("mine");
      await fields.update.click();
      await self.page.getByRole("link", { name: self.t("events:conflictUseSaved") }).click();
      await expect.poll(() => fields.detail.inputValue()).toBe("theirs");
      expect(await self.page.getByText(self.t("events:conflictTitle")).count()).toBe(0);
    }));

  for (const js of SCRIPTS)
    test(`sees the error beside each invalid field, and valid and invalid values stay (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: owner }, async (self) => {
        const { open, t, page, expectStatus } = self;
        expectStatus(400);
        const event = await postEvent(owner, demoIds.panorama);
        await open(`/event/${event.uuid}?dialog=status`);
        const fields = findForm(self, "event-dialog");
        await fields.name.fill("Kept “name”");
        await fields.start.fill(toTypedDate("2020-01-01T00:00"));
        await fields.detail.fill("d".repeat(1001));
        await fields.storeUrl.fill("http://localhost/");
        await fields.password.fill("short");
        await fields.password.press("Tab");
        await fields.params.click();
        await fields.param("ts").fill("7");
        await fields.extra(1, "name").fill("applicationKey");
        await fields.extra(1, "value").fill("x");
        await fields.update.click();
        await expectError(fields.start, t("events:errors.startDate.past"));
        await expectError(fields.detail, t("events:errors.eventDetail.tooLong"));
        await expectError(fields.storeUrl, t("store:errors.spStoreUrl.host"));
        await expectError(fields.password, t("events:errors.publishPassword.tooShort"));
        await expectError(fields.extra(1, "name"), t("events:errors.urlParams.rejected"));
        const summary = page.getByRole("alert").filter({ hasText: t("shared:errorsTitle") });
        expect(await summary.getByRole("link").count()).toBeGreaterThanOrEqual(5);
        await expect.poll(() => summary.evaluate((element) => element === document.activeElement)).toBe(true);
        await summary.getByRole("link", { name: t("events:errors.startDate.past") }).click();
        await expect
          .poll(() => fields.start.evaluate((element) => element === document.activeElement))
          .toBe(true);
        expect(await fields.name.inputValue()).toBe("Kept “name”");
        expect((await fields.detail.inputValue()).length).toBe(1001);
        expect(await fields.storeUrl.inputValue()).toBe("http://localhost/");
        expect(await fields.param("ts").inputValue()).toBe("7");
        expect(await fields.extra(1, "value").inputValue()).toBe("x");
        expect(await fetchEvent(owner, event.uuid)).toEqual(event);
      }));
});

describe("a space from a showcase", () => {
  const fillAndSubmit = async ({ page, t }: BrowserVisit, name: string, showcase: string) => {
    const screen = page.getByRole("main");
    await screen.getByLabel(t("spaces:name"), { exact: true }).fill(name);
    await screen.getByLabel(t("spaces:showcase"), { exact: true }).fill(showcase);
    await screen.getByRole("button", { name: t("spaces:createSubmit") }).click();
    return screen;
  };

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`is created from a showcase URL, and not from the URL of another site (${describeVisit({ lang, js })})`, async () => {
      // Each run uses a user who owns no space yet and may own one.
      const person = await signIn(js ? "takahashi" : "hayashi");
      await visit({ lang, js, as: person }, async (self) => {
        const { open, page, t, expectStatus } = self;
        expectStatus(400);
        await open("/space-list");
        await page.getByRole("heading", { name: t("spaces:steps.title") }).waitFor();
        await open("/space-list/new?kind=showcase");
        const screen = await fillAndSubmit(self, "見学の間 <1>", "https://example.com/show?m=SxQL3iGyoDo");
        const field = screen.getByLabel(t("spaces:showcase"), { exact: true });
        await expectError(field, t("spaces:errors.showcase.invalid"));
        expect(await field.inputValue()).toBe("https://example.com/show?m=SxQL3iGyoDo");
        expect(await screen.getByLabel(t("spaces:name"), { exact: true }).inputValue()).toBe("見学の間 <1>");

        await fillAndSubmit(self, "見学の間 <1>", "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1");
        await page.waitForURL(/\/space\/[0-9a-f-]{36}/);
        await page.getByText(t("shared-owners:toasts.spaceCreated")).waitFor();
        expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("見学の間 <1>");
        // Every space has an event.
        const eventsCaption = t("spaces:detail.eventsCaption", { name: "見学の間 <1>" });
        expect(await page.getByRole("list", { name: eventsCaption }).locator("> li").count()).toBe(1);
        await page.getByRole("link", { name: t("shared-owners:spaceTabs.settings"), exact: true }).click();
        await page.getByText("SxQL3iGyoDo").waitFor();
      });
    });

  test("is not created by an unknown form of the list", async () => {
    const form = { intent: "unknown", name: "館", showcase: "SxQL3iGyoDo" };
    expect((await owner.post("/space-list", form)).status).toBe(400);
  });

  test("is rejected beyond the licence, with a message and all values kept", async () => {
    // This user of the demo may own one space.
    const person = await signIn("sato");
    await visit({ lang: "en", as: person }, async (self) => {
      const { open, page, t, expectStatus } = self;
      expectStatus(403);
      await open("/space-list/new?kind=showcase");
      await fillAndSubmit(self, "The only one", "SxQL3iGyoDo");
      await page.waitForURL(/\/space\/[0-9a-f-]{36}/);
      await open("/space-list/new?kind=showcase");
      const screen = await fillAndSubmit(self, "One too many", "SxQL3iGyoDo");
      await screen
        .getByText(t("api:services.spaceLicense", { count: 1 }))
        .first()
        .waitFor();
      expect(await screen.getByLabel(t("spaces:name"), { exact: true }).inputValue()).toBe("One too many");
      expect(await screen.getByLabel(t("spaces:showcase"), { exact: true }).inputValue()).toBe("SxQL3iGyoDo");
      const spaces = await person.api<unknown[]>("GET", "/api/v1/spaces.json");
      expect(spaces.length).toBe(1);
    });
  });
});

describe("another user's content", () => {
  test("returns 404 to a user with whom it is not shared", async () => {
    const event: EventJson = await postEvent(owner, demoIds.showroom);
    const stranger = await signIn("suzuki");
    for (const path of [
      `/event/${event.uuid}`,
      `/space/${demoIds.showroom}`,
      `/space-list/${demoIds.owner}`,
      `/library/${demoIds.owner}`,
      "/user-list",
    ])
      expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
    const postResponse = await stranger.post(`/event/${event.uuid}`, {
      intent: "update",
      version: String(event.version),
      "eventName.ja": "taken over",
      statusId: "3",
    });
    expect(postResponse.status).toBe(404);
    expect((await stranger.post(`/space/${demoIds.showroom}`, { "eventName.ja": "intruder" })).status).toBe(
      404,
    );
    expect(
      (await stranger.post(`/space-list/${demoIds.owner}`, { name: "intruder", showcase: "SxQL3iGyoDo" }))
        .status,
    ).toBe(404);
    expect(await fetchEvent(owner, event.uuid)).toEqual(event);
    expect((await owner.get(`/space/${demoIds.showroom}`)).text).not.toContain("intruder");
  });

  test("is shared with a group, and open to administrators", async () => {
    const curator = await signIn("curator");
    const sharedPage = await curator.get(`/space/${demoIds.panorama}`);
    expect(sharedPage.status).toBe(200);
    // It does not link back to a list that only the owner may see.
    expect((await curator.get(`/space-list/${demoIds.owner}`)).status).toBe(404);
    expect(sharedPage.text).toContain('href="/space-list"');
    expect(sharedPage.text).not.toContain(`/space-list/${demoIds.owner}`);
    expect((await curator.get(`/space/${demoIds.showroom}`)).status).toBe(404);
    expect((await (await signIn("admin")).get(`/event/${demoIds.mainEvent}`)).status).toBe(200);
    expect((await (await signIn("admin")).get(`/space-list/${demoIds.owner}`)).status).toBe(200);
  });
});
