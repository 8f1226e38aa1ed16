import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVENT_TEMPLATES } from "~/domain/events/templates/event-template";
import { type Caller, signIn } from "../../support/api/caller";
import { type BrowserVisit, submitForm, visit } from "../../support/browser/visit";

/** Accounts without a space, one for each way through the steps. */
const ACCOUNTS = { en: "smith", ja: "nakamura", dismissed: "yamamoto" } as const;
const callers = new Map<string, Caller>();
const findCaller = (name: string): Caller => {
  const caller = callers.get(name);
  if (!caller) throw new Error(`no ${name}`);
  return caller;
};
beforeAll(async () => {
  for (const name of Object.values(ACCOUNTS)) callers.set(name, await signIn(name));
});
afterAll(async () => {
  for (const caller of callers.values())
    for (const { uuid } of await caller.api<{ uuid: string }[]>("GET", "/api/v1/spaces"))
      await caller.post(`/space/${uuid}`, { intent: "delete" });
});

const findSteps = ({ page }: BrowserVisit) => page.locator("[data-step]");
const readDoneSteps = (self: BrowserVisit) =>
  findSteps(self).evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.done === "true"));
const findCurrentStep = ({ page }: BrowserVisit) =>
  page.locator('[data-step][aria-current="step"]').getByRole("link");

describe("the first steps of an account", () => {
  test.each([
    { lang: "en", js: true, width: 1280 },
    { lang: "ja", js: false, width: 390 },
  ] as const)("lead to a link, with a sample and a template (%o)", { timeout: 240_000 }, (options) =>
    visit({ ...options, as: findCaller(ACCOUNTS[options.lang]), reducedMotion: true }, async (self) => {
      const { page, open, t, lang, js, axe, saveScreenshot } = self;
      await open("/space-list");
      expect(await readDoneSteps(self)).toEqual([false, false, false]);
      expect(await findCurrentStep(self).getAttribute("href")).toBe("/space-list/new");
      if (js) await axe("space-list-first-steps");
      await saveScreenshot("space-list-first-steps", { fullPage: true });

      // The sample opens as visitors see it, and completes no step.
      await submitForm(self, page.getByRole("button", { name: t("spaces:steps.openSample") }));
      await page.waitForURL(/\/as-visitor\?link=preview/);
      await open("/space-list");
      expect(await readDoneSteps(self)).toEqual([false, false, false]);

      await open("/space-list/new");
      await submitForm(self, page.getByRole("button", { name: new RegExp(t("spaces:start.sample")) }));
      await page.waitForURL(/\/space\/[0-9a-f-]{36}/);
      await open("/space-list");
      expect(await readDoneSteps(self)).toEqual([true, false, false]);
      await findCurrentStep(self).click();
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      if (js) await axe("event-create");
      await saveScreenshot("event-create");
      expect(await dialog.getByRole("radio", { name: t("spaces:template.empty") }).isChecked()).toBe(true);
      await dialog.getByRole("radio", { name: t("spaces:template.museum") }).check();
      const name = dialog.getByRole("textbox", { name: t("spaces:detail.eventName") });
      const suggestedName = EVENT_TEMPLATES.museum.name[lang];
      // Without scripts, the test types the name.
      if (js) expect(await name.inputValue()).toBe(suggestedName);
      else await name.fill(suggestedName);
      await submitForm(self, dialog.getByRole("button", { name: t("spaces:detail.createEventSubmit") }));
      await page.waitForURL(/panel=tags&show=unplaced/);
      for (const { title } of EVENT_TEMPLATES.museum.tags)
        await page.locator("#list").getByText(title[lang], { exact: true }).waitFor();
      await page.getByText(t("content:placeEach.tag")).waitFor();

      const eventId = /\/event\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";
      await open("/space-list");
      expect(await readDoneSteps(self)).toEqual([true, true, false]);
      expect(await findCurrentStep(self).getAttribute("href")).toBe(`/event/${eventId}?panel=links`);
      await open(`/event/${eventId}?panel=links`);
      expect(await page.locator('[data-check="places"]').textContent()).toContain(
        t("events:checklist.placesMissing", { count: EVENT_TEMPLATES.museum.tags.length }),
      );

      const owner = findCaller(ACCOUNTS[options.lang]);
      await owner.api("PUT", `/api/v1/events/${eventId}`, { status_id: 2, enable_auto_change_status: false });
      await owner.post(`/event/${eventId}?panel=links`, { intent: "try-link", mode: "preview" });
      await open("/space-list");
      expect(await findSteps(self).count()).toBe(0);
    }),
  );

  test("can be dismissed, on another device as well", { timeout: 120_000 }, () =>
    visit({ js: false, lang: "en", as: findCaller(ACCOUNTS.dismissed) }, async (self) => {
      const { page, open, t } = self;
      await open("/space-list");
      await submitForm(self, page.getByRole("button", { name: t("spaces:steps.dismiss") }));
      await page.getByText(t("shared-owners:toasts.stepsDismissed")).waitFor();
      expect(await findSteps(self).count()).toBe(0);
      await visit({ js: true, lang: "en", as: findCaller(ACCOUNTS.dismissed) }, async (otherVisit) => {
        await otherVisit.open("/space-list");
        expect(await findSteps(otherVisit).count()).toBe(0);
        await otherVisit.page.getByText(t("spaces:emptyTitle")).waitFor();
      });
    }),
  );
});

test.each([{ js: true }, { js: false }])(
  "the form of a new event keeps the name that the owner typed, and the template after an error (%o)",
  { timeout: 120_000 },
  ({ js }) =>
    visit({ js, lang: "en", as: findCaller(ACCOUNTS.en) }, async (self) => {
      const { page, open, t, expectStatus } = self;
      const [space] = await findCaller(ACCOUNTS.en).api<{ uuid: string }[]>("GET", "/api/v1/spaces");
      const existingEvent = await findCaller(ACCOUNTS.en).api<{ uuid: string }>("POST", "/api/v1/events", {
        space_uuid: space?.uuid,
        event_name: `Taken ${js}`,
      });
      expect(existingEvent.uuid).not.toBe("");
      await open(`/space/${space?.uuid}?dialog=new`);
      const dialog = page.getByRole("dialog");
      const name = dialog.getByRole("textbox", { name: t("spaces:detail.eventName") });
      await name.fill(`Taken ${js}`);
      await dialog.getByRole("radio", { name: t("spaces:template.shop") }).check();
      expect(await name.inputValue()).toBe(`Taken ${js}`);
      expectStatus(400);
      await submitForm(self, dialog.getByRole("button", { name: t("spaces:detail.createEventSubmit") }));
      await page.getByText(t("events:errors.eventName.taken")).first().waitFor();
      expect(await name.inputValue()).toBe(`Taken ${js}`);
      expect(await dialog.getByRole("radio", { name: t("spaces:template.shop") }).isChecked()).toBe(true);
    }),
);
