import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, type EventJson, postEvent, signIn } from "../../support/api/caller";
import { demoEvent, demoIds } from "../../support/app/demo";
import { chooseInMenu, eventTextLabel, openGroup, openPanel, panelTab } from "../../support/browser/controls";
import { holdScript } from "../../support/browser/hold-script";
import {
  type BrowserVisit,
  describeVisit,
  LANGUAGES,
  SCRIPTS,
  submitForm,
  visit,
} from "../../support/browser/visit";
import { waitForSaveState } from "../../support/browser/wait-for-save-state";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

interface TagJson {
  readonly uuid: string;
  readonly version: number;
  readonly title: { readonly ja: string; readonly en: string };
  readonly body: { readonly ja: string; readonly en: string };
  readonly hidden: boolean;
  readonly position: readonly number[] | null;
  readonly stem: readonly number[];
  readonly media_uuids: readonly string[];
  readonly keywords: readonly string[];
}
interface ContentJson {
  readonly tags: readonly TagJson[];
  readonly scene: { readonly start_view: { readonly yaw: number } | null };
  readonly media: readonly {
    readonly uuid: string;
    readonly library_item_uuid: string;
    readonly title: { readonly en: string };
    readonly placement: { readonly width: number } | null;
  }[];
}
const readContent = ({ uuid }: EventJson) => owner.api<ContentJson>("GET", `/api/v1/events/${uuid}/content`);
const editContent = ({ uuid }: EventJson, ...commands: readonly object[]) =>
  owner.api<{ results: readonly { ok: boolean }[] }>("POST", `/api/v1/events/${uuid}/content`, { commands });
const readTagTitles = async (event: EventJson) =>
  (await readContent(event)).tags.map(({ title }) => title.en);

/** Creates an event with this number of tags, called A, B, C … */
async function createEventWithTags(count: number): Promise<EventJson> {
  const event = await postEvent(owner, demoIds.showroom);
  const commands = Array.from({ length: count }, (_, index) => ({
    op: "create_tag",
    uuid: crypto.randomUUID(),
    values: { title: { ja: "", en: String.fromCharCode(65 + index) }, position: [index, 1, 0] },
  }));
  if (count > 0) await editContent(event, ...commands);
  return event;
}

const listRows = (page: Page) => page.getByRole("main").locator("li:has(> label > [name=item])");
const readShownTitles = (page: Page) => listRows(page).locator("a:not([aria-label])").allTextContents();
const tickItems = async ({ page, t }: BrowserVisit, ...names: readonly string[]) => {
  for (const name of names)
    await page.getByRole("checkbox", { name: t("folders:select", { name }), exact: true }).check();
};

describe("without scripts", () => {
  test("tags are created, corrected, ordered, hidden, deleted and restored, each by a form", () =>
    visit({ lang: "en", js: false, as: owner }, async (self) => {
      const { open, page, t, expectStatus } = self;
      expectStatus(400, 409);
      const event = await createEventWithTags(0);
      await open(`/event/${event.uuid}?panel=tags`);
      await page.getByRole("link", { name: t("content:tag.new") }).click();
      const form = page.getByRole("form", { name: t("content:tag.form") });
      const field = (text: string) => form.getByLabel(text, { exact: true });
      const save = form.getByRole("button", { name: t("content:save.button"), exact: true });
      const title = field(t("content:tag.title.en"));
      const x = form.locator('[name="position.x"]');
      for (const group of [t("content:groups.position"), t("content:tag.keywords")])
        await openGroup(self, group);
      await title.fill("Entrance");
      await field(t("content:tag.body.en")).fill("**Come in**");
      await x.fill("1");
      await form.locator('[name="keywords"]').fill("door, 入口");
      await submitForm(self, save);
      // The error is shown, and the title and x are kept.
      await page.getByRole("alert").getByText(t("shared-owners:errors.field.y")).first().waitFor();
      expect([await title.inputValue(), await x.inputValue()]).toEqual(["Entrance", "1"]);
      expect((await readContent(event)).tags).toEqual([]);
      await form.locator('[name="position.y"]').fill("1.5");
      await form.locator('[name="position.z"]').fill("-2");
      await submitForm(self, form.getByRole("button", { name: t("content:preview.title") }));
      await page.locator("strong", { hasText: "Come in" }).waitFor();
      await submitForm(self, save);
      await page.getByText(t("shared-owners:toasts.contentSaved"), { exact: true }).waitFor();
      const [created] = (await readContent(event)).tags;
      expect(created).toMatchObject({ title: { ja: "", en: "Entrance" }, position: [1, 1.5, -2] });

      // The tag is changed through the API meanwhile. Nothing is overwritten without a decision.
      await editContent(event, {
        op: "update_tag",
        uuid: created?.uuid,
        version: created?.version,
        values: { title: { ja: "入口", en: "Gate" } },
      });
      await title.fill("Door");
      await submitForm(self, save);
      await page.getByRole("cell", { name: /Gate/ }).waitFor();
      expect(await readTagTitles(event)).toEqual(["Gate"]);
      await submitForm(self, form.getByRole("button", { name: t("events:conflictOverwrite") }));
      expect(await readTagTitles(event)).toEqual(["Door"]);

      // The picker adds a media item of the library to the tag.
      await submitForm(self, form.getByRole("button", { name: t("content:tag.addMedia") }));
      const library = page.getByRole("region", { name: t("content:pick.ofLibrary") });
      await submitForm(self, library.getByRole("button", { name: t("content:pick.add") }).first());
      await page.getByRole("link", { name: t("content:backTo.form") }).click();
      expect((await readContent(event)).tags[0]?.media_uuids).toHaveLength(1);
      await page.getByRole("link", { name: t("content:backTo.tag") }).click();

      await editContent(event, {
        op: "create_tag",
        uuid: crypto.randomUUID(),
        values: { title: { ja: "", en: "Stairs" } },
      });
      await page.reload();
      const submitAction = (action: "up" | "hide" | "duplicate" | "delete") =>
        submitForm(self, page.getByRole("button", { name: t(`content:actions.${action}`), exact: true }));
      await tickItems(self, "Stairs");
      await submitAction("up");
      expect(await readTagTitles(event)).toEqual(["Stairs", "Door"]);
      await tickItems(self, "Stairs");
      await submitAction("hide");
      expect((await readContent(event)).tags.map(({ hidden }) => hidden)).toEqual([true, false]);
      await openGroup(self, t("content:show.label"));
      await page.getByRole("search").getByLabel(t("content:show.label")).selectOption("hidden");
      await page.getByRole("button", { name: t("content:searchSubmit") }).click();
      expect(await readShownTitles(page)).toEqual(["Stairs"]);
      await page.getByRole("link", { name: t("content:showAll") }).click();
      await tickItems(self, "Door");
      await submitAction("duplicate");
      expect(await readTagTitles(event)).toEqual(["Stairs", "Door", "Door (2)"]);
      // Only the copy is selected, because the next action usually concerns it.
      expect(await page.locator("input[name=item]:checked").count()).toBe(1);
      const copyCheckbox = page.getByLabel(t("folders:select", { name: "Door (2)" }), { exact: true });
      expect(await copyCheckbox.isChecked()).toBe(true);
      await copyCheckbox.uncheck();
      await tickItems(self, "Stairs");
      await submitAction("delete");
      expect(await readTagTitles(event)).toEqual(["Door", "Door (2)"]);
      await submitForm(self, page.getByRole("button", { name: t("content:actions.restore") }));
      expect(await readTagTitles(event)).toEqual(["Stairs", "Door", "Door (2)"]);
    }));

  for (const js of SCRIPTS)
    test(`an open tag is deleted from the menu above its form, another from its row (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: owner }, async (self) => {
        const { open, page, t, expectStatus } = self;
        const event = await createEventWithTags(3);
        await open(`/event/${event.uuid}?panel=tags`);
        await page.getByRole("link", { name: "A", exact: true }).click();
        await page.getByRole("heading", { name: "A", exact: true }).waitFor();
        const menu = t("events:spaceEvents.actions", { name: event.event_name });
        await chooseInMenu(self, menu, t("content:actions.delete"));
        const restore = page.getByRole("button", { name: t("content:actions.restore") });
        await restore.waitFor();
        await expect.poll(() => readTagTitles(event)).toEqual(["B", "C"]);
        const deletion = page.getByRole("button", {
          name: t("content:actions.deleteNamed", { name: "C" }),
          exact: true,
        });
        if (js) await deletion.click();
        else await submitForm(self, deletion);
        await expect.poll(() => readTagTitles(event)).toEqual(["B"]);
        // Enter in a checkbox deletes nothing. Without scripts, it submits the list without a selection.
        if (!js) expectStatus(400);
        await page.getByLabel(t("folders:select", { name: "B" }), { exact: true }).press("Enter");
        await restore.waitFor();
        expect(await readTagTitles(event)).toEqual(["B"]);
      }));

  test("media are placed by numbers, and tags are copied to another event of the space", () =>
    visit({ lang: "ja", js: false, as: owner }, async (self) => {
      const { open, page, t, expectStatus } = self;
      expectStatus(400);
      const [event, targetEvent] = [await createEventWithTags(2), await postEvent(owner, demoIds.showroom)];
      await open(`/event/${event.uuid}?panel=media&pick=media`);
      const library = page.getByRole("region", { name: t("content:pick.ofLibrary") });
      // Several items can be added one after the other.
      for (const count of [1, 2]) {
        await submitForm(self, library.getByRole("button", { name: t("content:pick.add") }).first());
        await expect.poll(async () => (await readContent(event)).media.length).toBe(count);
      }
      const firstItem = library.locator("details").first();
      await firstItem.locator("summary").click();
      await firstItem.getByRole("link", { name: t("content:pick.openThis") }).click();
      const form = page.getByRole("form", { name: t("content:media.form") });
      const save = form.getByRole("button", { name: t("content:save.button"), exact: true });
      await openGroup(self, t("content:groups.size"));
      for (const [name, value] of [
        ["position.x", "1"],
        ["position.y", "1.5"],
        ["position.z", "0"],
        ["width", "0"],
      ])
        await form.locator(`[name="${name}"]`).fill(value ?? "");
      // Sends the form as a browser without built-in validation does.
      await form.evaluate((element) => element.setAttribute("novalidate", ""));
      await submitForm(self, save);
      await page.getByRole("alert").getByText(t("content:errors.media.width")).waitFor();
      await form.locator('[name="width"]').fill("2.5");
      await submitForm(self, save);
      expect((await readContent(event)).media[0]?.placement).toMatchObject({ width: 2.5 });

      await openPanel(self, "tags");
      await tickItems(self, "A", "B");
      await submitForm(self, page.getByRole("button", { name: t("content:actions.copy") }));
      const dialog = page.getByRole("dialog");
      await dialog.locator(`[value="${targetEvent.uuid}"]`).check();
      await submitForm(self, dialog.getByRole("button", { name: t("content:copy.submit"), exact: true }));
      expect(await readTagTitles(targetEvent)).toEqual(["A", "B"]);
      // The page links to the event that received the copies.
      await page
        .getByRole("link", { name: t("content:copy.open", { name: targetEvent.event_name }) })
        .click();
      await page.waitForURL(new RegExp(`/event/${targetEvent.uuid}\\?panel=tags`));
      expect(await readShownTitles(page)).toEqual(["A", "B"]);
    }));
});

test.each(SCRIPTS)(
  "a row of the list of tags leads to the fields of the position while the space is not shown (scripts: %s)",
  (js) =>
    visit({ lang: "en", as: owner, js }, async ({ open, page, t }) => {
      const event = await postEvent(owner, demoIds.showroom);
      const title = { ja: "", en: "Gate" };
      await editContent(event, { op: "create_tag", uuid: crypto.randomUUID(), values: { title } });
      await open(`/event/${event.uuid}?panel=tags`);
      await page.getByRole("link", { name: t("content:place.named.tag", { name: "Gate" }) }).click();
      const field = page.locator('[name="position.x"]');
      await field.waitFor();
      if (js) await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    }),
);

describe("with scripts", () => {
  for (const lang of LANGUAGES)
    test(`keywords that are entered before hydration are kept and saved, and those of other tags are suggested (${lang})`, () =>
      visit({ lang, as: owner }, async (self) => {
        const { page, origin } = self;
        const event = await createEventWithTags(1);
        const [uuid, otherTag] = [crypto.randomUUID(), crypto.randomUUID()];
        const values = { title: { ja: "炉", en: "Hearth" }, position: [0, 1, 0] };
        await editContent(
          event,
          { op: "create_tag", uuid, values },
          { op: "create_tag", uuid: otherTag, values: { ...values, keywords: ["陶芸", "pottery"] } },
        );
        const readKeywords = async () =>
          (await readContent(event)).tags.find((tag) => tag.uuid === uuid)?.keywords.join(" · ");
        let releaseScript = () => {};
        const released = new Promise<void>((resolve) => {
          releaseScript = resolve;
        });
        await page.route(/\/entry\.client-[^/]*\.js$/, async (route) => {
          await released;
          await route.continue();
        });
        await page.goto(`${origin}/event/${event.uuid}?panel=tags&tag=${uuid}`, { waitUntil: "commit" });
        const field = page.locator("[name=keywords]");
        await openGroup(self, self.t("content:tag.keywords"));
        await field.click();
        await page.keyboard.type("ki");
        releaseScript();
        await expect.poll(readKeywords).toBe("ki");
        // The account menu has been replaced, and the field has not.
        await page.locator("header button[aria-expanded]").waitFor();
        await page.keyboard.type("ln");
        expect(await field.getAttribute("type")).toBe("text");
        await expect.poll(readKeywords).toBe("kiln");
        await page.keyboard.press("Tab");
        await expect.poll(() => field.getAttribute("type")).toBe("hidden");
        await page.locator("#tag-keywords").focus();
        await page.keyboard.type("pott");
        await expect.poll(() => page.locator("[role=option]").allTextContents()).toEqual(["pott", "pottery"]);
        await self.axe("keywords-offered");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await expect.poll(readKeywords).toBe("kiln · pottery");
      }));

  test(
    "changes are saved automatically and undone by keys, and an editor shows those of a second window",
    { timeout: 120_000 },
    () =>
      visit({ lang: "en", as: owner }, async (self) => {
        const { context, open, page, t, origin } = self;
        const event = await createEventWithTags(3);
        await open(`/event/${event.uuid}?panel=tags`);
        await waitForSaveState(self, "saved");
        // When the space cannot be shown, tags cannot be placed by pointing.
        await page.getByText(t("content:notConnected.notShown")).waitFor();
        expect(await page.getByRole("button", { name: t("content:place.newByPointing") }).count()).toBe(0);
        await page.getByRole("link", { name: "A", exact: true }).click();
        const titleField = (editorPage: Page) =>
          editorPage.getByLabel(t("content:tag.title.en"), { exact: true });
        // The focus starts at the form's heading.
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("A");
        await titleField(page).fill("Alpha");
        await waitForSaveState(self, "saved");
        expect(await readTagTitles(event)).toEqual(["Alpha", "B", "C"]);
        await page.keyboard.press("Control+z");
        await expect.poll(() => titleField(page).inputValue()).toBe("A");
        await page.keyboard.press("Control+Shift+z");
        await expect.poll(() => titleField(page).inputValue()).toBe("Alpha");
        await openGroup(self, t("content:groups.position"));
        // Keys move the tag: by 5 cm, and by half a metre with Shift.
        await page.getByRole("button", { name: t("content:place.directions.up"), exact: true }).focus();
        await page.keyboard.press("PageUp");
        await page.keyboard.press("Shift+PageDown");
        await waitForSaveState(self, "saved");
        expect((await readContent(event)).tags[0]?.position).toEqual([0, 0.55, 0]);
        // Even after quick changes, the fields show the current position, and editing one leaves the others unchanged.
        for (const key of ["ArrowRight", "Shift+ArrowUp", "PageUp"]) await page.keyboard.press(key);
        await page.locator('[name="position.y"]').fill("0.75");
        await waitForSaveState(self, "saved");
        const [x = 0, y, z = 0] = (await readContent(event)).tags[0]?.position ?? [];
        expect([Math.hypot(x, z) > 0.5, y]).toEqual([true, 0.75]);
        for (const [axis, value] of Object.entries({ x, z }))
          expect(Number(await page.locator(`[name="position.${axis}"]`).inputValue())).toBeCloseTo(value, 3);

        // The same user opens a second editor in another window.
        const secondPage = await context.newPage();
        await secondPage.goto(`${origin}/event/${event.uuid}?panel=tags`);
        await secondPage.locator("[data-save=saved]").waitFor();
        await secondPage.getByRole("link", { name: "Alpha" }).click();
        // The editor also follows changes of the event itself, such as its status.
        await owner.api("PUT", `/api/v1/events/${event.uuid}`, { status_id: 2 });
        await titleField(secondPage).fill("From the other window");
        await expect
          .poll(() => titleField(page).inputValue(), { timeout: 20_000 })
          .toBe("From the other window");
        await page.getByText(t("shared-owners:count", { count: 21, max: 100 })).waitFor();
        await page.getByText(/changed 1 item/).waitFor();
        await page.getByRole("banner").getByText(t("shared:statuses.2"), { exact: true }).waitFor();

        // The API changes the field that the user edits: no text is lost, and the user decides.
        const [tag] = (await readContent(event)).tags;
        await titleField(page).fill("Mine");
        await editContent(event, {
          op: "update_tag",
          uuid: tag?.uuid,
          version: tag?.version,
          values: { title: { ja: "", en: "Theirs" } },
        });
        await waitForSaveState(self, "conflict");
        await expect.poll(() => titleField(page).inputValue()).toBe("Mine");
        expect(await readTagTitles(event)).toEqual(["Theirs", "B", "C"]);
        await page.getByRole("cell", { name: /Theirs/ }).waitFor();
        await self.axe("a conflict in the editor");
        await page.getByRole("button", { name: t("content:conflict.overwrite") }).click();
        await waitForSaveState(self, "saved");
        expect(await readTagTitles(event)).toEqual(["Mine", "B", "C"]);
        await secondPage.close();

        // The list and the URL follow the input; the field keeps the focus.
        await page.getByRole("link", { name: t("content:backTo.tag") }).click();
        await page.getByRole("search").getByRole("searchbox").pressSequentially("min");
        await expect.poll(() => readShownTitles(page)).toEqual(["Mine"]);
        await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("min");
        await page.keyboard.press("Backspace");
        await page.keyboard.type("m");
        await page.getByText(t("shared-owners:nothingFound")).waitFor();
        await page.getByRole("link", { name: t("content:showAll") }).click();
        await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("");

        // The list is ordered by dragging.
        await listRows(page)
          .nth(2)
          .dragTo(listRows(page).nth(0), { targetPosition: { x: 80, y: 4 } });
        expect(await readShownTitles(page)).toEqual(["C", "Mine", "B"]);
        await tickItems(self, "Mine", "B");
        // Cancelling a question about the selection keeps the selection, and returns the focus to the button.
        const copy = page.getByRole("button", { name: t("content:actions.copy"), exact: true });
        await copy.press("Enter");
        await page.getByRole("dialog").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        expect(await copy.evaluate((button) => button === document.activeElement)).toBe(true);
        await page.getByText(t("folders:chosen", { count: 2 })).waitFor();
        await page.getByRole("button", { name: t("content:actions.delete"), exact: true }).click();
        await page.getByText(t("content:deleted", { count: 2 })).waitFor();
        await waitForSaveState(self, "saved");
        expect(await readTagTitles(event)).toEqual(["C"]);
        // The focus moves to the button that restores the deleted tags.
        const focused = page.locator(":focus");
        const restore = page.getByRole("button", { name: t("content:actions.restore") });
        await expect.poll(() => focused.textContent()).toBe(t("content:actions.restore"));
        // A copy that the user has deselected stays deselected after the list was left. The list of media does not offer to restore tags.
        await tickItems(self, "C");
        await page.getByRole("button", { name: t("content:actions.duplicate"), exact: true }).click();
        await page.getByLabel(t("folders:select", { name: "C (2)" }), { exact: true }).uncheck();
        await panelTab(self, t("content:panels.media")).click();
        await page.getByText(t("content:empty.media")).waitFor();
        expect(await restore.count()).toBe(0);
        await panelTab(self, t("content:panels.tags")).click();
        await expect.poll(() => listRows(page).count()).toBe(2);
        expect(await page.locator("input[name=item]:checked").count()).toBe(0);
        await page.keyboard.press("Control+z");
        await expect.poll(() => listRows(page).count()).toBe(1);
        await restore.press("Enter");
        await expect.poll(() => focused.textContent()).toMatch(/^(Mine|B)$/);
        await waitForSaveState(self, "saved");
        expect([...(await readTagTitles(event))].sort()).toEqual(["B", "C", "Mine"]);

        // A media item that is added to a tag is marked in the list, and added only once.
        await page.getByRole("link", { name: "C", exact: true }).click();
        await page.getByRole("button", { name: t("content:tag.addMedia") }).click();
        const library = page.getByRole("region", { name: t("content:pick.ofLibrary") });
        await library
          .getByRole("button", { name: t("content:pick.add") })
          .first()
          .press("Enter");
        await page
          .getByRole("status")
          .getByText(/ was added\.$/)
          .waitFor({ state: "attached" });
        expect(await focused.textContent()).toBe(t("content:pick.in"));
        await page.keyboard.press("Enter");
        await waitForSaveState(self, "saved");
        const countTagMedia = async () =>
          (await readContent(event)).tags.map(({ media_uuids }) => media_uuids.length);
        expect((await countTagMedia()).reduce((sum, count) => sum + count)).toBe(1);
        await page.getByRole("link", { name: t("content:backTo.form") }).click();
        // When undo removes the open item, a message appears and receives the focus.
        await page.getByRole("button", { name: t("content:actions.duplicate"), exact: true }).press("Enter");
        await expect.poll(async () => (await countTagMedia()).length).toBe(4);
        await page.keyboard.press("Control+z");
        await expect.poll(() => focused.textContent()).toContain(t("content:notThere.tag"));
        await page.getByRole("link", { name: t("content:backTo.tag") }).click();
        await waitForSaveState(self, "saved");

        // A new tag is created as soon as it has a title, without a reset of the form.
        await page.getByRole("link", { name: t("content:tag.new") }).click();
        await page.getByLabel(t("content:tag.body.en"), { exact: true }).fill("First the text");
        await titleField(page).pressSequentially("Then the title");
        await waitForSaveState(self, "saved");
        await expect.poll(() => titleField(page).inputValue()).toBe("Then the title");
        expect((await readContent(event)).tags.at(-1)).toMatchObject({
          title: { en: "Then the title" },
          body: { en: "First the text" },
        });

        // An invalid value stays on the screen, with the message beside its field.
        await openGroup(self, t("content:groups.link"));
        const link = page.getByRole("textbox", { name: t("content:tag.link"), exact: true });
        await link.fill("no address");
        await page.getByText(t("shared-owners:errors.linkUrl.invalid")).waitFor();
        await waitForSaveState(self, "invalid");
        // The input is kept while the list is open, and the bar links back to its form.
        await page.getByRole("link", { name: t("content:backTo.tag") }).click();
        // The discard button names its target, and the same button restores the input.
        const form = `${t("content:panels.tags")} – Then the title`;
        await page.getByRole("button", { name: t("content:save.discard", { form }) }).press("Enter");
        await waitForSaveState(self, "saved");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: t("content:save.discard", { form }) }).press("Enter");
        // A panel without a save bar does not prevent restoring it.
        const restoreDiscarded = page.getByRole("button", { name: t("content:save.discardUndo", { form }) });
        await openPanel(self, "links");
        await restoreDiscarded.waitFor({ state: "detached" });
        await openPanel(self, "tags");
        await restoreDiscarded.press("Enter");
        await page.getByRole("button", { name: t("content:save.discard", { form }) }).waitFor();
        await page.getByRole("link", { name: t("content:save.invalid", { count: 1 }) }).click();
        await page.getByText(t("shared-owners:errors.linkUrl.invalid")).waitFor();
        expect(await link.inputValue()).toBe("no address");
        await page
          .getByRole("navigation", { name: t("shared-owners:breadcrumbs") })
          .getByRole("link")
          .click();
        await page.getByRole("button", { name: t("shared-owners:leaveStay") }).click();
        // The preview shows the text, and a message while there is no connection.
        await page.getByRole("button", { name: t("content:preview.title") }).click();
        await page
          .getByRole("region", { name: t("content:preview.title") })
          .getByText("First the text")
          .waitFor();
        await context.setOffline(true);
        await page.getByLabel(t("content:tag.body.en"), { exact: true }).fill("**Then** more of it");
        await page.getByText(t("content:preview.lost")).waitFor();
        await titleField(page).fill("Written without a connection");
        await waitForSaveState(self, "offline");
        // Panels that need no data open without a connection.
        const openTab = (name: "event" | "tags" | "tour" | "history") => openPanel(self, name);
        await page.getByRole("link", { name: t("content:backTo.tag") }).click();
        await openTab("tour");
        await page.getByRole("heading", { name: t("content:sceneEditor.tour.title"), exact: true }).waitFor();
        await openTab("tags");
        await page.getByRole("link", { name: "Written without a connection", exact: true }).click();
        await titleField(page).waitFor();
        await waitForSaveState(self, "offline");
        await context.setOffline(false);
        // Saving continues automatically when the connection is back.
        await waitForSaveState(self, "invalid");
        await expect
          .poll(async () => (await readTagTitles(event)).at(-1))
          .toBe("Written without a connection");
        await link.fill("example.com");
        await waitForSaveState(self, "saved");
        await context.setOffline(true);
        await titleField(page).fill("Written as well");
        await waitForSaveState(self, "offline");
        // Forms without automatic saving are not sent while offline.
        await openTab("event");
        const detail = page.getByLabel(eventTextLabel(self, "detail"), { exact: true });
        await detail.fill("Typed without a connection");
        const update = page.getByRole("button", { name: t("events:update"), exact: true });
        await update.click();
        await page.getByText(t("shared-owners:lost.notSent")).waitFor();
        await context.setOffline(false);
        await update.click();
        await page.getByText(t("events:saved")).waitFor();
        expect(await detail.inputValue()).toBe("Typed without a connection");
        await context.setOffline(true);
        await openTab("history");
        await page.getByText(t("shared-owners:lost.text")).waitFor();
        await context.setOffline(false);
        await page.getByRole("heading", { name: t("content:history.title"), exact: true }).waitFor();
        await expect.poll(async () => (await readTagTitles(event)).at(-1)).toBe("Written as well");
        self.expectError(/ERR_INTERNET_DISCONNECTED/);
      }),
  );

  test("a row places its item by pointing, also with the keyboard", { timeout: 180_000 }, () =>
    visit({ lang: "en", as: owner, stage: true }, async (self) => {
      const { open, page, t } = self;
      const event = await postEvent(owner, demoIds.showroom);
      const [poster] = (await owner.api<ContentJson>("GET", `/api/v1/events/${demoIds.mainEvent}/content`))
        .media;
      await editContent(
        event,
        { op: "create_tag", uuid: crypto.randomUUID(), values: { title: { ja: "", en: "Gate" } } },
        {
          op: "create_media",
          uuid: crypto.randomUUID(),
          values: { library_item_uuid: poster?.library_item_uuid, title: { ja: "", en: "Poster" } },
        },
      );
      const rowButton = (type: "tag" | "media", name: string) =>
        page.getByRole("button", { name: t(`content:place.named.${type}`, { name }) });
      let releaseScript = () => {};
      const released = new Promise<void>((resolve) => {
        releaseScript = resolve;
      });
      await page.route(/browser-ports/, async (route) => {
        await released;
        await route.continue();
      });
      await open(`/event/${event.uuid}?panel=tags`);
      const canvas = page.getByLabel(t("visitors:viewer.canvas", { title: event.event_name }));
      const hasFocus = (locator: typeof canvas) =>
        locator.evaluate((element) => element === document.activeElement);
      const gate = page.getByRole("link", { name: "Gate", exact: true });
      const readGateWidth = async () => (await gate.boundingBox())?.width;
      await gate.focus();
      await page.keyboard.press("Tab");
      // Until the editor is ready, a link leads to the fields of the position. The button that replaces it receives its focus.
      await page.locator("a:focus[href*=position]").waitFor();
      releaseScript();
      await page.locator('section[data-stage="ready"]').waitFor({ timeout: 90_000 });
      await expect.poll(() => hasFocus(rowButton("tag", "Gate"))).toBe(true);
      const width = await readGateWidth();
      await page.keyboard.press("Enter");
      await expect.poll(() => hasFocus(canvas)).toBe(true);
      await page.keyboard.press("Enter");
      await waitForSaveState(self, "saved");
      expect((await readContent(event)).tags[0]?.position).toHaveLength(3);
      expect(await rowButton("tag", "Gate").count()).toBe(0);
      await expect.poll(() => hasFocus(gate)).toBe(true);
      // With a mouse, the button took no room.
      expect(await readGateWidth()).toBe(width);

      await openPanel(self, "media");
      await rowButton("media", "Poster").click();
      await page.getByText(t("content:place.pointing")).waitFor();
      expect(await rowButton("media", "Poster").getAttribute("aria-pressed")).toBe("true");
      await canvas.click({ position: { x: 150, y: 300 } });
      await page.getByText(t("content:place.placed"), { exact: true }).waitFor();
      await waitForSaveState(self, "saved");
      expect((await readContent(event)).media[0]?.placement?.width).toBeGreaterThan(0);
      expect(await rowButton("media", "Poster").count()).toBe(0);
    }),
  );

  test(
    "a tag is placed by pointing, also with the keyboard, and stays hidden until its form is closed with a title",
    { timeout: 180_000 },
    () =>
      visit({ lang: "en", as: owner, stage: true }, async (self) => {
        const { open, page, t } = self;
        const event = await createEventWithTags(0);
        await open(`/event/${event.uuid}?panel=start`);
        await page.locator('section[data-stage="ready"]').waitFor({ timeout: 90_000 });
        await page.getByRole("button", { name: t("content:sceneEditor.view.take") }).click();
        await waitForSaveState(self, "saved");
        const { start_view: viewBefore } = (await readContent(event)).scene;
        await openPanel(self, "tags");
        await page.getByRole("button", { name: t("content:place.newByPointing") }).click();
        await page.getByText(t("content:place.pointing")).waitFor();
        await page.keyboard.press("Escape");
        await page.getByText(t("content:place.pointing")).waitFor({ state: "detached" });
        // With the keyboard the focus moves into the space, and out of it again.
        const byPointing = page.getByRole("button", { name: t("content:place.newByPointing") });
        const canvas = page.getByLabel(t("visitors:viewer.canvas", { title: event.event_name }));
        await page.getByRole("link", { name: t("content:tag.new") }).focus();
        await page.keyboard.press("Shift+Tab");
        const hasFocus = (locator: typeof canvas) =>
          locator.evaluate((element) => element === document.activeElement);
        await page.keyboard.press("Enter");
        await expect.poll(() => hasFocus(canvas)).toBe(true);
        await page.keyboard.press("Escape");
        await expect.poll(() => hasFocus(byPointing)).toBe(true);
        await page.keyboard.press("Enter");
        await expect.poll(() => hasFocus(canvas)).toBe(true);
        await page.keyboard.press("Enter");
        await page.waitForURL(/tag=[0-9a-f-]{36}/, { timeout: 60_000 });
        await waitForSaveState(self, "saved");
        const [tag] = (await readContent(event)).tags;
        expect(tag).toMatchObject({ title: { en: t("content:tag.newTitle") }, hidden: true });
        expect(tag?.position).toHaveLength(3);
        expect(Math.hypot(...(tag?.stem ?? []))).toBeCloseTo(0.25, 5);
        await openGroup(self, t("content:view.title"));
        await page.getByRole("button", { name: t("content:view.take") }).click();
        await waitForSaveState(self, "saved");
        // The camera has not moved to the tag, because it was placed in view.
        expect((await readContent(event)).tags[0]).toMatchObject({ viewpoint: viewBefore, hidden: true });
        await page.getByText(t("content:tag.unnamed", { title: t("content:tag.newTitle") })).waitFor();
        await page.getByLabel(t("content:tag.title.en"), { exact: true }).fill("Lantern");
        await waitForSaveState(self, "saved");
        // The tag stays hidden after its title is saved and another field is filled. It becomes visible when the form is closed, as the form states.
        expect((await readContent(event)).tags[0]).toMatchObject({ title: { en: "Lantern" }, hidden: true });
        await page.getByLabel(t("content:tag.body.en"), { exact: true }).fill("Paper and");
        await waitForSaveState(self, "saved");
        const readLantern = async () => (await readContent(event)).tags[0];
        expect(await readLantern()).toMatchObject({ title: { en: "Lantern" }, hidden: true });
        await page.getByText(t("content:draft.waiting")).waitFor();
        await page.getByRole("link", { name: t("content:backTo.tag") }).click();
        await expect.poll(async () => (await readLantern())?.hidden).toBe(false);
        await page.getByRole("link", { name: "Lantern", exact: true }).click();

        // A hidden tag is marked in the space, and its form has a button that shows it.
        await page.getByLabel(t("content:hidden"), { exact: true }).check();
        const show = page.getByRole("button", { name: t("content:draft.show") });
        await show.waitFor();
        const pin = page.locator("[data-pin][data-draft]");
        await expect.poll(() => pin.textContent()).toBe(t("content:draftLabel", { title: "Lantern" }));
        await waitForSaveState(self, "saved");
        expect((await readContent(event)).tags[0]).toMatchObject({ hidden: true });
        await show.click();
        await show.waitFor({ state: "detached" });
        await expect.poll(() => pin.count()).toBe(0);

        // A tag whose title was typed becomes visible also when its page is reloaded without leaving the field.
        await page.getByRole("link", { name: t("content:backTo.tag") }).click();
        await byPointing.click();
        const box = await canvas.boundingBox();
        await canvas.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 + 40 } });
        await page.waitForURL((url) => /[0-9a-f-]{36}/.test(url.searchParams.get("tag") ?? ""));
        await page.getByLabel(t("content:tag.title.en"), { exact: true }).fill("Bench");
        await waitForSaveState(self, "saved");
        await page.reload();
        const readBench = async () =>
          (await readContent(event)).tags.find(({ title }) => title.en === "Bench");
        await expect.poll(async () => (await readBench())?.hidden).toBe(false);
      }),
  );

  test(
    "the pin of a placed tag moves the view after another link replaced the navigation to its form",
    { timeout: 180_000 },
    () =>
      visit({ lang: "en", as: owner, stage: true }, async (self) => {
        const { open, page, t } = self;
        const event = await createEventWithTags(0);
        await open(`/event/${event.uuid}?panel=start`);
        await page.locator('section[data-stage="ready"]').waitFor({ timeout: 90_000 });
        await page.getByRole("button", { name: t("content:sceneEditor.view.take") }).click();
        await waitForSaveState(self, "saved");
        const { start_view: viewBefore } = (await readContent(event)).scene;
        await openPanel(self, "tags");
        await page.getByRole("button", { name: t("content:place.newByPointing") }).click();
        await openPanel(self, "history");
        await page.waitForURL(/panel=history$/);
        // The data of the form does not arrive.
        const isFormData = (url: URL) => url.pathname.endsWith(".data") && url.searchParams.has("tag");
        await page.route(isFormData, () => {});
        const formRequest = page.waitForRequest((request) => isFormData(new URL(request.url())));
        const canvas = page.getByLabel(t("visitors:viewer.canvas", { title: event.event_name }));
        await canvas.click({ position: { x: 150, y: 300 } });
        await formRequest;
        const replaced = page.waitForEvent("framenavigated");
        await openPanel(self, "history");
        await replaced;
        await page.unroute(isFormData);

        await page.locator("section[data-stage] [data-pin]").click();
        await page.waitForURL(/tag=[0-9a-f-]{36}/);
        await openGroup(self, t("content:view.title"));
        await page.getByRole("button", { name: t("content:view.take") }).click();
        await waitForSaveState(self, "saved");
        const [tag] = (await readContent(event)).tags;
        expect(tag).toMatchObject({ viewpoint: expect.anything() });
        expect(tag).not.toMatchObject({ viewpoint: viewBefore });
      }),
  );
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC",
  "base64",
);
const createFiles = (...names: readonly string[]) =>
  names.map((name) => ({ name: `${name}.png`, mimeType: "image/png", buffer: PNG }));

describe("the picker of media", () => {
  for (const js of [true, false])
    test(`uploads files into the event, and asks before it adds an item twice (${js ? "with" : "without"} scripts)`, () =>
      visit({ lang: "en", js, as: owner }, async (self) => {
        const { open, page, t } = self;
        const event = await createEventWithTags(1);
        const readTitles = async () => (await readContent(event)).media.map(({ title }) => title.en).sort();
        await open(`/event/${event.uuid}?panel=media&pick=media`);
        const library = page.getByRole("region", { name: t("content:pick.ofLibrary") });
        await page
          .locator("input[type=file][multiple]:not([webkitdirectory])")
          .setInputFiles(createFiles("Morning", "Evening"));
        if (!js)
          await submitForm(
            self,
            page.getByRole("button", { name: t("library:uploads.submit"), exact: true }),
          );
        await expect.poll(readTitles).toEqual(["Evening", "Morning"]);
        if (!js) await open(`/event/${event.uuid}?panel=media&pick=media`);
        const addedItem = library.locator("details", { hasText: "Morning" }).first();
        await addedItem.getByText(t("content:pick.inEvent")).click();
        const addAgainButton = addedItem.getByRole("button", { name: t("content:pick.again") });
        if (js) {
          await self.axe("picker");
          await addAgainButton.click();
        } else await submitForm(self, addAgainButton);
        await expect.poll(readTitles).toEqual(["Evening", "Morning", "Morning"]);

        // A tag gets the media item that the event already has.
        const [tag] = (await readContent(event)).tags;
        await open(`/event/${event.uuid}?panel=tags&tag=${tag?.uuid}&pick=media`);
        const add = library
          .getByRole("button", { name: t("content:pick.addThis", { title: "Evening" }) })
          .first();
        if (js) await add.click();
        else await submitForm(self, add);
        await expect.poll(async () => (await readContent(event)).tags[0]?.media_uuids.length).toBe(1);
        expect(await readTitles()).toHaveLength(3);
        await page
          .locator("input[type=file][multiple]:not([webkitdirectory])")
          .setInputFiles(createFiles("Night"));
        if (!js)
          await submitForm(
            self,
            page.getByRole("button", { name: t("library:uploads.submit"), exact: true }),
          );
        await expect.poll(async () => (await readContent(event)).tags[0]?.media_uuids.length).toBe(2);
        expect(await readTitles()).toContain("Night");
        if (!js) return;
        // The end of adding is visible: the last file is named, beside a button that leads back to the tag.
        await page
          .getByRole("status")
          .filter({ hasText: t("content:pick.addedThis", { title: "Night" }) })
          .waitFor();
        await page.getByRole("link", { name: t("content:pick.done"), exact: true }).click();
        await page.getByRole("form", { name: t("content:tag.form") }).waitFor();
      }));

  test("adds files whose file dialog was opened before hydration", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { page, t, origin } = self;
      const event = await createEventWithTags(0);
      const readTitles = async () => (await readContent(event)).media.map(({ title }) => title.en);
      const releasePanel = await holdScript(self, "content-panel");
      await page.goto(`${origin}/event/${event.uuid}?panel=media&pick=media`);
      const [fileDialog] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByLabel(t("library:uploads.files")).click(),
      ]);
      releasePanel();
      await page.getByRole("button", { name: t("library:uploads.choose"), exact: true }).waitFor();
      await fileDialog.setFiles(createFiles("Early"));
      await expect.poll(readTitles).toEqual(["Early"]);
    }));

  test("adds files that have arrived before the editor is loaded", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { open, page, t } = self;
      const event = await createEventWithTags(0);
      const readTitles = async () => (await readContent(event)).media.map(({ title }) => title.en);
      const title = `Early ${event.uuid.slice(0, 8)}`;
      const releaseEditor = await holdScript(self, "browser-ports\\.client");
      await open(`/event/${event.uuid}?panel=media&pick=media`);
      await page.getByRole("button", { name: t("library:uploads.choose"), exact: true }).waitFor();
      await page
        .locator("input[type=file][multiple]:not([webkitdirectory])")
        .setInputFiles(createFiles(title));
      // The list is loaded again after the file has arrived.
      await page.getByRole("button", { name: t("content:pick.addThis", { title }) }).waitFor();
      releaseEditor();
      await expect.poll(readTitles).toEqual([title]);
    }));

  test("reports a file that is uploaded again, removes it from the event, and adds it again by undo", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { open, page, t } = self;
      const event = await createEventWithTags(0);
      const title = `Repeated ${event.uuid.slice(0, 8)}`;
      const countInEvent = async () => (await readContent(event)).media.length;
      await open(`/event/${event.uuid}?panel=media`);
      const upload = async (count: number) => {
        await page
          .locator("input[type=file][multiple]:not([webkitdirectory])")
          .setInputFiles(createFiles(title));
        await expect.poll(countInEvent).toBe(count);
      };
      const notice = (count: number) => page.getByText(t("content:pick.repeated", { title, count }));
      await upload(1);
      await upload(2);
      await notice(2).waitFor();
      await upload(3);
      await notice(3).waitFor();
      await page
        .getByRole("button", { name: t("content:pick.removeRepeated") })
        .last()
        .click();
      await notice(3).waitFor({ state: "detached" });
      await expect.poll(countInEvent).toBe(2);
      await page.getByRole("button", { name: t("content:undo"), exact: true }).click();
      await expect.poll(countInEvent).toBe(3);
      await page.getByRole("button", { name: t("content:pick.keepRepeated") }).click();
      await notice(2).waitFor({ state: "detached" });
      expect(await countInEvent()).toBe(3);
    }));
});

test("all tags of a demo event are in the list of tags", async () => {
  const { tags } = demoEvent(demoIds.panoramaEvent);
  const { status, visibleText: text } = await owner.get(`/event/${demoIds.panoramaEvent}?panel=tags&lang=ja`);
  expect(status).toBe(200);
  for (const { title } of tags) expect(text).toContain(title.ja);
});
