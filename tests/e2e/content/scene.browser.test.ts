import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { TOUR_STOPS_MAX } from "~/domain/shared/limits";
import { type Caller, signIn } from "../../support/api/caller";
import { chooseInMenu, openGroup } from "../../support/browser/controls";
import { submitForm, visit } from "../../support/browser/visit";
import { waitForSaveState } from "../../support/browser/wait-for-save-state";
import { eventWithTags, stopFor } from "../../support/scene-event";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

const VIEW = { position: [0, 1.6, 7], yaw: 0.5, pitch: 0, mode: "walk" };
const OTHER_VIEW = { ...VIEW, position: [2, 1.6, 7] };
/** Turns off the browser's validation, so that invalid values reach the server. */
const disableValidation = (page: Page) =>
  page.locator("main form").evaluateAll((forms) => {
    for (const form of forms) form.setAttribute("novalidate", "");
  });
/** Enters text that browsers do not accept in number fields. */
const typeAnything = (page: Page, name: string, value: string) =>
  page.locator(`main [name="${name}"]`).evaluate((field, text) => {
    (field as HTMLInputElement).type = "text";
    (field as HTMLInputElement).value = text;
  }, value);
const listRows = (page: Page) => page.getByRole("main").locator("li:has([name=item])");
const readShownTitles = (page: Page) => listRows(page).getByRole("link").allTextContents();

describe("the start view without scripts", () => {
  test("is set by numbers; invalid ones are marked at their fields, and a valid one is kept", () =>
    visit({ lang: "ja", js: false, as: owner }, async (self) => {
      const { open, page, t, expectStatus } = self;
      expectStatus(400, 409);
      self.expectError(/cannot be parsed, or is out of range/);
      const { event, scene, setScene } = await eventWithTags(owner, 1);
      await open(`/event/${event.uuid}?panel=start`);
      await page.getByText(t("content:sceneEditor.start.own")).waitFor();
      const field = (name: string) => page.locator(`main [name="view.${name}"]`);
      const save = page.getByRole("button", { name: t("content:save.button"), exact: true });
      await openGroup(self, t("content:sceneEditor.view.numbers"));
      await field("x").fill("-1");
      await field("y").fill("1.6");
      await typeAnything(page, "view.z", "NaN");
      await typeAnything(page, "view.yaw", "1e999");
      await field("pitch").fill("91");
      await disableValidation(page);
      await submitForm(self, save);
      for (const name of ["z", "yaw", "pitch"])
        expect(await field(name).getAttribute("aria-invalid"), name).toBe("true");
      for (const name of ["x", "y"]) expect(await field(name).getAttribute("aria-invalid"), name).toBe(null);
      expect(await field("x").inputValue()).toBe("-1");
      expect((await scene()).start_view).toBe(null);
      await field("z").fill("2");
      await field("yaw").fill("0");
      await field("pitch").fill("-5");
      await submitForm(self, save);
      // The page describes the position in words: near tag A.
      await page.getByText(t("content:sceneEditor.view.near", { title: "A" })).waitFor();
      expect((await scene()).start_view).toMatchObject({ position: [-1, 1.6, 2], yaw: 0, mode: "walk" });

      // A different view was saved through the API meanwhile: both are shown, and nothing is overwritten without a decision.
      await setScene({ start_view: OTHER_VIEW });
      await openGroup(self, t("content:sceneEditor.view.numbers"));
      await field("x").fill("5");
      await submitForm(self, save);
      await page.getByRole("cell", { name: /x 2/ }).waitFor();
      await page.getByRole("cell", { name: /x 5/ }).waitFor();
      expect((await scene()).start_view).toMatchObject(OTHER_VIEW);
      await submitForm(self, page.getByRole("button", { name: t("events:conflictOverwrite") }));
      expect((await scene()).start_view).toMatchObject({ position: [5, 1.6, 2] });
      // Changes of other parts of the scene do not affect this form.
      await setScene({ tour: [stopFor(null, "一", { viewpoint: VIEW })] });
      await submitForm(self, page.getByRole("button", { name: t("content:sceneEditor.start.clear") }));
      expect(await scene()).toMatchObject({ start_view: null, tour: [{ title: { ja: "一" } }] });
    }));
});

test("the actions of a tour stop do not cover its title in a narrow window with a mouse", () =>
  visit({ lang: "en", width: 390, as: owner }, async ({ open, page }) => {
    const { event, setScene } = await eventWithTags(owner, 1);
    const title = "A long name of a stop that fills its row";
    await setScene({
      tour: [stopFor(null, title, { viewpoint: VIEW }), stopFor(null, "B", { viewpoint: VIEW })],
    });
    await open(`/event/${event.uuid}?panel=tour`);
    const row = listRows(page).first();
    await row.hover();
    const link = await row.getByRole("link", { name: title }).boundingBox();
    const actions = await row.locator("[data-reveal]").boundingBox();
    expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThanOrEqual(actions?.x ?? 0);
    expect(link?.width).toBeGreaterThan(150);
  }));

describe("the tour without scripts", () => {
  test("is edited by forms: tags and numbers, order, copies, deletion and restoring", () =>
    visit({ lang: "en", js: false, as: owner }, async (self) => {
      const { open, page, t, expectStatus } = self;
      expectStatus(400, 409);
      const { event, tags, scene, setScene, edit } = await eventWithTags(owner, 3);
      const readTitles = async () =>
        (await scene()).tour.map(({ title, tag_uuid }) => title.en || tags.indexOf(tag_uuid ?? ""));
      await open(`/event/${event.uuid}?panel=tour`);
      await page.getByText(t("content:sceneEditor.tour.none")).waitFor();
      const add = page.getByRole("button", { name: t("content:sceneEditor.tour.addTag") });
      const openOtherWays = () => openGroup(self, t("content:sceneEditor.tour.addOther"));
      await openOtherWays();
      await submitForm(self, add);
      await page.getByText(t("content:sceneEditor.tour.chooseTag")).waitFor();
      await openOtherWays();
      await page.getByLabel(t("content:sceneEditor.tour.tag"), { exact: true }).selectOption({ label: "B" });
      await submitForm(self, add);
      expect(await readTitles()).toEqual([1]);

      // The stop's form shows the error and keeps the text.
      const form = page.getByRole("form", { name: t("content:sceneEditor.tour.form"), exact: true });
      const save = form.getByRole("button", { name: t("content:save.button"), exact: true });
      await form.locator('[name="text.en"]').fill("Look here");
      await form.locator('[name="seconds"]').fill("0");
      await disableValidation(page);
      await submitForm(self, save);
      await page.getByRole("alert").getByText(t("content:errors.tour.seconds")).waitFor();
      expect(await form.locator('[name="text.en"]').inputValue()).toBe("Look here");
      await form.locator('[name="seconds"]').fill("12.5");
      await submitForm(self, save);
      expect((await scene()).tour).toMatchObject([{ text: { en: "Look here" }, seconds: 12.5 }]);

      // The API adds a stop, which does not affect this form, and then changes the same title.
      const [created] = (await scene()).tour;
      const otherStop = stopFor(tags[0] ?? "", "Other");
      await setScene({ tour: [created, otherStop] });
      await form.locator('[name="title.en"]').fill("Mine");
      await submitForm(self, save);
      expect(await readTitles()).toEqual(["Mine", "Other"]);
      await setScene({ tour: [{ ...created, title: { ja: "", en: "Theirs" } }, otherStop] });
      await form.locator('[name="title.en"]').fill("Still mine");
      await submitForm(self, save);
      await page.getByRole("cell", { name: /Theirs/ }).waitFor();
      expect(await readTitles()).toEqual(["Theirs", "Other"]);
      await submitForm(self, form.getByRole("button", { name: t("events:conflictOverwrite") }));
      expect(await readTitles()).toEqual(["Still mine", "Other"]);

      // A stop is added by numbers.
      await page
        .getByRole("link", { name: t("content:sceneEditor.tour.back") })
        .first()
        .click();
      await openOtherWays();
      await page.getByRole("link", { name: t("content:sceneEditor.tour.addNumbers") }).click();
      await form.locator('[name="title.en"]').fill("Window");
      await submitForm(self, save);
      await page.getByRole("alert").getByText(t("content:errors.tour.nowhere")).waitFor();
      await openGroup(self, t("content:sceneEditor.view.numbers"));
      for (const [axis, value] of [
        ["x", "1"],
        ["y", "1.6"],
        ["z", "3"],
      ] as const)
        await form.locator(`[name="view.${axis}"]`).fill(value);
      await submitForm(self, save);
      expect(await readTitles()).toEqual(["Still mine", "Other", "Window"]);

      // The list orders, copies, deletes and restores stops.
      await page
        .getByRole("link", { name: t("content:sceneEditor.tour.back") })
        .first()
        .click();
      const submitAction = async (action: "up" | "duplicate" | "delete", ...names: readonly string[]) => {
        for (const name of names)
          await page
            .getByRole("checkbox", { name: t("folders:select", { name }) })
            .first()
            .check();
        await submitForm(
          self,
          page.getByRole("button", { name: t(`content:actions.${action}`), exact: true }),
        );
      };
      await submitAction("up", "Window");
      expect(await readTitles()).toEqual(["Still mine", "Window", "Other"]);
      await submitAction("duplicate", "Other");
      expect(await readTitles()).toEqual(["Still mine", "Window", "Other", "Other"]);
      await submitAction("delete", "Still mine", "Window");
      expect(await readTitles()).toEqual(["Other", "Other"]);
      await submitForm(self, page.getByRole("button", { name: t("content:actions.restore") }));
      expect(await readTitles()).toEqual(["Still mine", "Window", "Other", "Other"]);
      expect((await scene()).tour[1]).toMatchObject({ viewpoint: { position: [1, 1.6, 3] } });

      // A stop whose tag has no position leads nowhere, which the list states at each of the two stops.
      await edit({ op: "update_tag", uuid: tags[0], version: 1, values: { position: null } });
      await page.reload();
      expect(await page.getByText(t("content:sceneEditor.tour.nowhere")).count()).toBe(2);

      // The list states that visitors do not see stops whose tag is hidden or deleted.
      await edit({ op: "update_tag", uuid: tags[1], version: 1, values: { hidden: true } });
      await edit({ op: "delete", type: "tag", uuid: tags[0], version: 2 });
      await page.reload();
      await page.getByText(t("content:sceneEditor.tour.hidden")).waitFor();
      expect(await page.getByText(t("content:sceneEditor.tour.gone")).count()).toBe(2);
    }));
});

describe("the floor plan without scripts", () => {
  test("is an image of the library that is positioned by numbers, and visitors see it with pins for the tags", () =>
    visit({ lang: "ja", js: false, as: owner }, async (self) => {
      const { open, page, t, expectStatus } = self;
      expectStatus(400, 409);
      self.expectError(/cannot be parsed, or is out of range/);
      const { event, scene, setScene, read } = await eventWithTags(owner, 2);
      await open(`/event/${event.uuid}?panel=plan`);
      await page.getByRole("link", { name: t("content:sceneEditor.plan.choose") }).click();
      await page.getByRole("searchbox").fill(t("content:sceneEditor.plan.title"));
      await page.getByRole("button", { name: t("library:searchSubmit") }).click();
      await submitForm(self, page.locator("main button[value=pick]").first());
      const created = (await scene()).plan;
      expect(created?.media_uuid).toBe((await read()).media[0]?.uuid);
      // The initial size includes everything that has a position.
      expect(created?.width).toBeGreaterThan(4);
      const field = (name: string) => page.locator(`main [name="${name}"]`);
      const save = page.getByRole("button", { name: t("content:save.button"), exact: true });
      const openNumbers = () => openGroup(self, t("content:sceneEditor.view.numbers"));
      await openNumbers();
      await field("width").fill("0");
      await typeAnything(page, "center.z", "NaN");
      await field("rotation").fill("90");
      await disableValidation(page);
      await submitForm(self, save);
      for (const [name, invalid] of [
        ["width", "true"],
        ["center.z", "true"],
        ["center.x", null],
        ["rotation", null],
      ] as const)
        expect(await field(name).getAttribute("aria-invalid"), name).toBe(invalid);
      expect(await field("rotation").inputValue()).toBe("90");
      await field("width").fill("20");
      await field("center.z").fill("1");
      await submitForm(self, save);
      expect((await scene()).plan).toMatchObject({ width: 20, center: [created?.center[0], 1] });
      expect((await scene()).plan?.rotation).toBeCloseTo(Math.PI / 2);
      await setScene({ plan: { ...created, width: 33 } });
      await openNumbers();
      await field("width").fill("21");
      await submitForm(self, save);
      await page.getByRole("cell", { name: /33/ }).waitFor();
      expect((await scene()).plan?.width).toBe(33);
      await submitForm(self, page.getByRole("button", { name: t("events:conflictOverwrite") }));
      expect((await scene()).plan?.width).toBe(21);

      await open(`/event/published/${event.uuid}?token=${event.access_token}`);
      const map = page.getByRole("region", { name: t("visitors-late:plan") });
      await map.getByRole("img", { name: t("visitors-late:planOf", { count: 2 }) }).waitFor();
      expect(await map.getByRole("link").allTextContents()).toEqual(["A", "B"]);
      await open(`/event/${event.uuid}?panel=plan`);
      await submitForm(self, page.getByRole("button", { name: t("content:sceneEditor.plan.remove") }));
      expect((await scene()).plan).toBe(null);
    }));
});

test("an invalid form of one panel that is posted to the URL of another panel gets status 400", async () => {
  const { event } = await eventWithTags(owner, 0);
  for (const [intent, panel] of [
    ["start", "tour&stop=new"],
    ["plan", "start"],
    ["stop", "plan"],
  ] as const) {
    const form = {
      intent,
      id: crypto.randomUUID(),
      new: "1",
      "view.mode": "walk",
      "view.x": "far",
      width: "wide",
      seconds: "-1",
    };
    const response = await owner.post(`/event/${event.uuid}?panel=${panel}`, form);
    expect([intent, response.status]).toEqual([intent, 400]);
  }
});

describe("with scripts", () => {
  test(
    "a tour is ordered by keys and by dragging, its stops are saved automatically and undone, and a conflict needs a decision",
    { timeout: 120_000 },
    () =>
      visit({ lang: "en", as: owner }, async (self) => {
        const { open, page, t } = self;
        self.expectError(/ERR_INTERNET_DISCONNECTED/);
        const { event, tags, scene, setScene } = await eventWithTags(owner, 3);
        const tour = ["One", "Two", "Three"].map((title, index) => stopFor(tags[index] ?? "", title));
        await setScene({ tour });
        const readTitles = async () => (await scene()).tour.map(({ title }) => title.en);
        await open(`/event/${event.uuid}?panel=tour`);
        await waitForSaveState(self, "saved");
        await page.getByRole("link", { name: "One", exact: true }).focus();
        await page.keyboard.press("Alt+ArrowDown");
        await page
          .getByRole("status")
          .filter({ hasText: t("content:sceneEditor.tour.movedTo", { title: "One", at: 2, of: 3 }) })
          .waitFor({ state: "attached" });
        expect(await readShownTitles(page)).toEqual(["Two", "One", "Three"]);
        // The focus follows the moved item.
        await page.keyboard.press("Alt+ArrowDown");
        expect(await readShownTitles(page)).toEqual(["Two", "Three", "One"]);
        await listRows(page)
          .nth(2)
          .dragTo(listRows(page).nth(0), { targetPosition: { x: 80, y: 4 } });
        expect(await readShownTitles(page)).toEqual(["One", "Two", "Three"]);
        await page.getByRole("checkbox", { name: t("folders:select", { name: "Two" }) }).check();
        await page.getByRole("button", { name: t("content:actions.delete"), exact: true }).click();
        await page.getByText(t("content:sceneEditor.tour.deleted", { count: 1 })).waitFor();
        await waitForSaveState(self, "saved");
        expect(await readTitles()).toEqual(["One", "Three"]);
        // The focus moves to the button that restores the stop, and then to the stop.
        const focused = page.locator(":focus");
        await expect.poll(() => focused.textContent()).toBe(t("content:actions.restore"));
        await page.keyboard.press("Enter");
        await expect.poll(() => focused.textContent()).toBe("Two");
        await waitForSaveState(self, "saved");
        expect(await readTitles()).toEqual(["One", "Two", "Three"]);

        await page.keyboard.press("Enter");
        await page.getByRole("link", { name: t("content:sceneEditor.tour.back") }).press("Enter");
        await expect.poll(() => focused.textContent()).toBe("Two");
        await page.getByRole("link", { name: "Two", exact: true }).click();
        const title = page.getByLabel(t("content:sceneEditor.tour.name.en"), { exact: true });
        const text = page.getByLabel(t("content:sceneEditor.tour.text.en"), { exact: true });
        await text.fill("What one sees here");
        await waitForSaveState(self, "saved");
        expect((await scene()).tour[1]).toMatchObject({ text: { en: "What one sees here" } });
        await page.keyboard.press("Control+z");
        await expect.poll(() => text.inputValue()).toBe("");
        await page.keyboard.press("Control+Shift+z");
        await expect.poll(() => text.inputValue()).toBe("What one sees here");
        const seconds = page.getByLabel(t("content:sceneEditor.tour.secondsLabel"));
        await seconds.fill("601");
        await page.getByText(t("content:errors.tour.seconds")).waitFor();
        await title.fill("Second");
        // Valid changes are saved, and the save bar reports invalid ones until they are corrected.
        const readSecondStop = async () => (await scene()).tour[1];
        await expect.poll(readSecondStop).toMatchObject({ title: { en: "Second" }, seconds: 8 });
        await waitForSaveState(self, "invalid");
        await seconds.fill("9");
        await waitForSaveState(self, "saved");
        expect(await readSecondStop()).toMatchObject({ title: { en: "Second" }, seconds: 9 });

        // The user and the API change the same stop: nothing is lost, conflicts need a decision, and other changes are merged. The browser is
        // offline until the other change is stored; otherwise its own change might be saved first.
        await page.context().setOffline(true);
        await title.fill("Mine");
        const theirs = (await scene()).tour.slice(0, 2);
        await setScene({
          tour: theirs.map((stop, index) =>
            index === 1 ? { ...stop, title: { ...stop.title, en: "Two" } } : stop,
          ),
        });
        await page.context().setOffline(false);
        await waitForSaveState(self, "conflict");
        expect(await readTitles()).toEqual(["One", "Two"]);
        await page.getByRole("rowheader", { name: t("content:sceneEditor.tour.stop", { at: 2 }) }).waitFor();
        await page.getByRole("cell", { name: /Mine/ }).waitFor();
        await self.axe("a conflict about a tour");
        await page.getByRole("button", { name: t("content:conflict.overwrite") }).click();
        await waitForSaveState(self, "saved");
        expect(await readTitles()).toEqual(["One", "Mine"]);
        await page.getByRole("button", { name: t("content:actions.duplicate"), exact: true }).click();
        await waitForSaveState(self, "saved");
        expect(await readTitles()).toEqual(["One", "Mine", "Mine"]);

        // A full tour shows a message: a new stop is saved when there is room, and duplicating and restoring are refused.
        const setStopCount = (count: number) =>
          setScene({
            tour: Array.from({ length: count }, (_, index) => stopFor(tags[0] ?? "", `Stop ${index}`)),
          });
        await setStopCount(TOUR_STOPS_MAX);
        await open(`/event/${event.uuid}?panel=tour&stop=new`);
        await waitForSaveState(self, "saved");
        await page
          .getByRole("status")
          .filter({ hasText: t("content:errors.tour.tooMany") })
          .waitFor();
        await title.fill("One too many");
        await page.getByLabel(t("content:sceneEditor.tour.tag"), { exact: true }).selectOption(tags[1] ?? "");
        await setStopCount(TOUR_STOPS_MAX - 1);
        await expect.poll(async () => (await readTitles()).at(-1)).toBe("One too many");
        expect(await readTitles()).toHaveLength(TOUR_STOPS_MAX);
        await page.getByRole("button", { name: t("content:actions.duplicate"), exact: true }).click();
        await page
          .getByRole("alert")
          .filter({ hasText: t("content:errors.tour.tooMany") })
          .waitFor();
        await page.getByRole("button", { name: t("content:actions.delete"), exact: true }).click();
        await waitForSaveState(self, "saved");
        await setStopCount(TOUR_STOPS_MAX);
        await listRows(page)
          .nth(TOUR_STOPS_MAX - 1)
          .waitFor();
        await page.getByRole("button", { name: t("content:actions.restore") }).click();
        await page
          .getByRole("alert")
          .filter({ hasText: t("content:errors.tour.tooMany") })
          .waitFor();
        expect(await listRows(page).count()).toBe(TOUR_STOPS_MAX);
      }),
  );

  test(
    "an image is positioned under the space by dragging two marks, and with keys",
    { timeout: 90_000 },
    () =>
      visit({ lang: "en", as: owner }, async (self) => {
        const { open, page, t } = self;
        const { event, tags, scene } = await eventWithTags(owner, 3);
        await open(`/event/${event.uuid}?panel=plan`);
        await waitForSaveState(self, "saved");
        // With the keyboard, the focus moves to a nearby element when the pressed one disappears.
        const focused = page.locator(":focus");
        await page.getByRole("link", { name: t("content:sceneEditor.plan.choose") }).press("Enter");
        await expect.poll(() => focused.textContent()).toBe(t("content:sceneEditor.plan.choose"));
        await page.locator("main button[value=pick]").first().press("Enter");
        const findMark = (index: number) => page.locator(`[data-mark="${tags[index]}"]`);
        await findMark(0).waitFor();
        await expect.poll(() => focused.textContent()).toBe(t("content:sceneEditor.plan.title"));
        await waitForSaveState(self, "saved");
        const image = page.locator("section img[draggable=false]");
        await image.scrollIntoViewIfNeeded();
        const imageBox = await image.boundingBox();
        if (!imageBox) throw new Error("There is no picture");
        const dragTo = async (index: number, left: number, top: number) => {
          const markBox = await findMark(index).boundingBox();
          if (!markBox) throw new Error("There is no mark");
          await page.mouse.move(markBox.x + markBox.width / 2, markBox.y + markBox.height / 2);
          await page.mouse.down();
          await page.mouse.move(imageBox.x + left * imageBox.width, imageBox.y + top * imageBox.height, {
            steps: 4,
          });
          await page.mouse.up();
        };
        // Tags A and C are two metres apart from west to east. Their marks are put below each other, half the image's width apart, so the
        // image is 4 m wide and turned by 90°.
        await dragTo(0, 0.25, 0.25);
        await dragTo(2, 0.25, 0.25 + 0.5 * (imageBox.width / imageBox.height));
        await waitForSaveState(self, "saved");
        const plan = (await scene()).plan;
        expect(plan?.width).toBeCloseTo(4, 0);
        expect(plan?.rotation).toBeCloseTo(Math.PI / 2, 1);
        expect(await findMark(0).getAttribute("aria-pressed")).toBe("true");
        await self.axe("the floor plan's panel");
        // The Tab key reaches one mark, which is chosen from a list.
        const reachableMarks = page.locator("[data-mark][tabindex='0']");
        expect(await reachableMarks.getAttribute("data-mark")).toBe(tags[2]);
        const markSelect = page.getByLabel(t("content:sceneEditor.plan.mark"));
        await markSelect.focus();
        await markSelect.selectOption(tags[0] ?? "");
        await page.keyboard.press("Tab");
        expect(await findMark(0).evaluate((element) => element === document.activeElement)).toBe(true);
        expect(await reachableMarks.count()).toBe(1);
        // One drag is one undo step, and an undone mark is no longer fixed.
        await page.keyboard.press("Control+z");
        await waitForSaveState(self, "saved");
        expect((await scene()).plan?.rotation).toBeCloseTo(0);
        expect(
          await Promise.all([0, 2].map((index) => findMark(index).getAttribute("aria-pressed"))),
        ).toEqual(["true", "false"]);
        await page.getByRole("button", { name: t("content:sceneEditor.plan.releaseMarkers") }).click();
        const planBefore = (await scene()).plan;
        await findMark(1).focus();
        await page.keyboard.press("Shift+ArrowRight");
        // The position of the mark is announced at each step.
        const status = page.getByRole("status").filter({ hasText: /^B is fixed/ });
        const firstText = await status.textContent();
        await waitForSaveState(self, "saved");
        const planAfter = (await scene()).plan;
        expect((planAfter?.center[0] ?? 0) - (planBefore?.center[0] ?? 0)).toBeCloseTo(
          -0.05 * (planBefore?.width ?? 0),
          3,
        );
        expect([planAfter?.width, planAfter?.rotation]).toEqual([planBefore?.width, planBefore?.rotation]);
        await page.keyboard.press("ArrowDown");
        await expect.poll(() => status.textContent()).not.toBe(firstText);
        // After alignment, the plan has no marks.
        await page.getByRole("link", { name: t("content:sceneEditor.plan.alignDone") }).click();
        await expect.poll(() => page.locator("[data-mark]").count()).toBe(0);
        await page.getByRole("link", { name: t("content:sceneEditor.plan.align") }).waitFor();
        await chooseInMenu(self, t("content:sceneEditor.plan.more"), t("content:sceneEditor.plan.remove"));
        await expect.poll(() => focused.textContent()).toBe(t("content:sceneEditor.plan.title"));
        await waitForSaveState(self, "saved");
        expect((await scene()).plan).toBe(null);
      }),
  );
});
