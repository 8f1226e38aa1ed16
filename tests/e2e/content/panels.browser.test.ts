/** The panels of the editor have scripts of their own. Here, these scripts are late, missing, or already loaded. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Panel } from "~/routes/content/editor/panels";
import { type Caller, postEvent, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { eventTextLabel, openPanel, panelTab } from "../../support/browser/controls";
import { holdScript } from "../../support/browser/hold-script";
import { type BrowserVisit, LANGUAGES, visit, waitForHydration } from "../../support/browser/visit";
import { waitForSaveState } from "../../support/browser/wait-for-save-state";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

/** Marks the document, to recognise that no other document is loaded. */
const markDocument = ({ page }: BrowserVisit) =>
  page.evaluate(() => document.documentElement.classList.add("marked"));
const isMarked = ({ page }: BrowserVisit) =>
  page.evaluate(() => document.documentElement.classList.contains("marked"));

/** An element that is visible while a panel is open. */
const findPanelContent = ({ page, t }: BrowserVisit, panel: Panel) => {
  const heading = (name: string) => page.getByRole("heading", { name, exact: true });
  const contents = {
    event: page.locator("#event-eventName\\.en"),
    history: heading(t("content:history.title")),
    tags: page.getByRole("link", { name: t("content:tag.new") }),
    media: page.getByRole("link", { name: t("content:media.add") }),
    start: heading(t("content:sceneEditor.start.title")),
    tour: heading(t("content:sceneEditor.tour.title")),
    plan: heading(t("content:sceneEditor.plan.title")),
    store: heading(t("events:store")),
    links: page.getByRole("region", { name: t("events:checklist.title") }),
  };
  return contents[panel].first();
};

const detailField = (self: BrowserVisit) =>
  self.page.getByLabel(eventTextLabel(self, "detail"), { exact: true });

describe("a panel whose script is late", () => {
  for (const lang of LANGUAGES)
    test(`opens when the script has arrived, without a new document (${lang})`, () =>
      visit({ lang, as: owner }, async (self) => {
        const { open, page, t } = self;
        const event = await postEvent(owner, demoIds.showroom);
        const release = await holdScript(self, "scene-panel");
        await open(`/event/${event.uuid}`);
        await markDocument(self);
        await detailField(self).fill("Typed before the panel was opened");
        const tab = panelTab(self, t("content:panelGroups.space")).first();
        await tab.click();
        await page.waitForURL(/panel=start/);
        // The panel that was open stays, and accepts input.
        await detailField(self).fill("Typed while the panel was awaited");
        expect(await findPanelContent(self, "start").count()).toBe(0);
        await tab.focus();
        release();
        await findPanelContent(self, "start").waitFor();
        expect(await tab.evaluate((element) => element === document.activeElement)).toBe(true);
        await openPanel(self, "event");
        expect(await detailField(self).inputValue()).toBe("Typed while the panel was awaited");
        expect(await isMarked(self)).toBe(true);
      }));

  test("does not delay other panels", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { open, page, t } = self;
      const event = await postEvent(owner, demoIds.showroom);
      const release = await holdScript(self, "scene-panel");
      await open(`/event/${event.uuid}`);
      await markDocument(self);
      await panelTab(self, t("content:panelGroups.space")).first().click();
      await page.waitForURL(/panel=start/);
      await openPanel(self, "tags");
      await findPanelContent(self, "tags").waitFor();
      release();
      await waitForSaveState(self, "saved");
      expect(await findPanelContent(self, "start").count()).toBe(0);
      expect(await isMarked(self)).toBe(true);
    }));

  test("keeps the text that was typed into the server's page", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { page, origin, t } = self;
      const event = await postEvent(owner, demoIds.showroom);
      const tag = crypto.randomUUID();
      const values = { title: { ja: "", en: "Gate" }, position: [0, 1, 0] };
      await owner.api("POST", `/api/v1/events/${event.uuid}/content`, {
        commands: [{ op: "create_tag", uuid: tag, values }],
      });
      const release = await holdScript(self, "content-panel");
      await page.goto(`${origin}/event/${event.uuid}?panel=tags&tag=${tag}`, { waitUntil: "commit" });
      const title = page.getByLabel(t("content:tag.title.en"), { exact: true });
      await title.click();
      await page.keyboard.press("End");
      await page.keyboard.type("way");
      release();
      await waitForSaveState(self, "saved");
      expect(await title.inputValue()).toBe("Gateway");
      expect(await title.evaluate((element) => element === document.activeElement)).toBe(true);
    }));

  test("is reported without a connection, and opens when the connection is back", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { context, open, page, t } = self;
      const event = await postEvent(owner, demoIds.showroom);
      // The scripts of the panels are loaded one after the other.
      const release = await holdScript(self, "content-panel");
      const pendingUrls = new Set<string>();
      page.on("request", (request) => request.url().includes("/assets/") && pendingUrls.add(request.url()));
      page.on("requestfinished", (request) => pendingUrls.delete(request.url()));
      await open(`/event/${event.uuid}`);
      await markDocument(self);
      // A file that is lost on its way would never be requested again.
      await expect.poll(() => [...pendingUrls]).toEqual([expect.stringMatching(/\/content-panel-/)]);
      await context.setOffline(true);
      await panelTab(self, t("content:panelGroups.space")).first().click();
      await page.getByRole("alert").getByText(t("shared:missingPart")).waitFor();
      await detailField(self).fill("Typed without a connection");
      await context.setOffline(false);
      await findPanelContent(self, "start").waitFor();
      release();
      expect(await isMarked(self)).toBe(true);
      // The space may still be loading when the connection is lost.
      self.expectError(
        /ERR_INTERNET_DISCONNECTED|Failed to fetch manifest patches|3D space could not be shown/,
      );
    }));
});

test("the group of numbers in the start panel does not move when the editor becomes ready", () =>
  visit({ lang: "en", width: 390, as: owner }, async (self) => {
    const { open, page, t } = self;
    const release = await holdScript(self, "browser-ports.client");
    await open(`/event/${demoIds.mainEvent}?panel=start`);
    const group = page.getByText(t("content:sceneEditor.view.numbers"));
    const button = page.getByRole("button", { name: t("content:sceneEditor.view.take") });
    // The view can be taken before that, too.
    expect(await button.isEnabled()).toBe(true);
    const boxBefore = await group.boundingBox();
    release();
    await page
      .getByRole("button", { name: t("content:save.button"), exact: true })
      .waitFor({ state: "detached" });
    expect(await button.isEnabled()).toBe(true);
    expect(await group.boundingBox()).toEqual(boxBefore);
  }));

test("a panel opens at its top after the previous one was scrolled to its end", () =>
  visit({ lang: "en", as: owner }, async (self) => {
    const { open, page, t } = self;
    await open(`/event/${demoIds.mainEvent}?panel=links`);
    const main = page.locator("main");
    await main.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    expect(await main.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(100);
    await panelTab(self, t("content:panelGroups.content")).first().click();
    await findPanelContent(self, "tags").waitFor();
    await expect.poll(() => main.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  }));

test("a panel whose script is missing is reported, the open panel stays usable, and the browser asks before its input is lost", () =>
  visit({ lang: "en", as: owner }, async (self) => {
    const { open, page, t } = self;
    const event = await postEvent(owner, demoIds.showroom);
    await page.route(/\/scene-panel-[\w-]{8}\.js$/, (route) => route.abort());
    await open(`/event/${event.uuid}`);
    await detailField(self).fill("Typed before");
    await panelTab(self, t("content:panelGroups.space")).first().click();
    const notice = page.getByRole("alert").filter({ hasText: t("shared:missingPart") });
    await notice.waitFor();
    await detailField(self).fill("Typed after");
    expect(await detailField(self).inputValue()).toBe("Typed after");
    await page.unrouteAll();
    const question = page.waitForEvent("dialog");
    const reload = notice.getByRole("link", { name: t("shared:loadAgain") }).click();
    await (await question).accept();
    await reload;
    await findPanelContent(self, "start").waitFor();
    await waitForHydration(page);
    self.expectError(/ERR_FAILED/);
  }));

test("panels that need no data open without a connection, and those of the store and the links when it is back", () =>
  visit({ lang: "en", as: owner }, async (self) => {
    const { context, open, page, t } = self;
    const event = await postEvent(owner, demoIds.showroom);
    const lastScript = page.waitForResponse(/\/copy-dialog-[\w-]{8}\.js$/);
    await open(`/event/${event.uuid}`);
    await markDocument(self);
    await (await lastScript).finished();
    await context.setOffline(true);
    for (const panel of ["tags", "media", "start", "tour", "plan", "event"] as const) {
      // Panels of the open group have links of their own.
      const link = panelTab(self, t(`content:panels.${panel}`)).last();
      await ((await link.count()) > 0 ? link.click() : openPanel(self, panel));
      await findPanelContent(self, panel).waitFor();
    }
    // The open tab keeps the page: nothing is requested, so no request can fail.
    await panelTab(self, t("content:panelGroups.details")).first().click();
    await page.waitForTimeout(300);
    await findPanelContent(self, "event").waitFor();
    expect(await page.getByText(t("shared-owners:lost.title")).count()).toBe(0);
    await context.setOffline(false);
    for (const panel of ["store", "links"] as const) {
      await openPanel(self, panel);
      await findPanelContent(self, panel).waitFor();
    }
    expect(await isMarked(self)).toBe(true);
    self.expectError(/ERR_INTERNET_DISCONNECTED|Failed to fetch manifest patches/);
  }));
