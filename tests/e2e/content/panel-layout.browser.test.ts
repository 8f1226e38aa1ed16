import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, postEvent, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { visit } from "../../support/browser/visit";
import { contentApi } from "../../support/scene-event";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

const readBox = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The element is not visible.");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};

type Box = Awaited<ReturnType<typeof readBox>>;
const overlaps = (a: Box, b: Box) => a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom;

describe("a row of an item without a place", () => {
  for (const width of [390, 1280] as const)
    test(`has a Place button that does not overlap the title, the handle or the checkbox while the row is ticked (${width})`, () =>
      visit({ lang: "en", width, as: owner }, async ({ open, page, t }) => {
        const event = await postEvent(owner, demoIds.showcase);
        const title = "A title that is so long that it takes several lines in the list of tags";
        await contentApi(owner, event).edit({
          op: "create_tag",
          uuid: crypto.randomUUID(),
          values: { title: { ja: "", en: title } },
        });
        await open(`/event/${event.uuid}?panel=tags`);
        const row = page.locator("#list > [data-row]");
        const button = row.getByRole("button", { name: t("content:place.named.tag", { name: title }) });
        await button
          .or(row.getByRole("link", { name: t("content:place.named.tag", { name: title }) }))
          .waitFor();
        await row.getByRole("checkbox").check();
        const placeButtonBox = await readBox(row.locator("p button, p a"));
        for (const part of [
          row.getByRole("link", { name: title, exact: true }),
          row.locator("label"),
          row.getByTitle(t("content:dragToMove")),
        ])
          expect(overlaps(placeButtonBox, await readBox(part))).toBe(false);
      }));
});

test("the buttons that format a text take no room of their own", () =>
  visit({ lang: "en", as: owner }, async ({ open, page, t }) => {
    const event = await postEvent(owner, demoIds.showcase);
    await open(`/event/${event.uuid}?panel=tags&tag=new`);
    const text = page.getByLabel(t("content:tag.body.en"), { exact: true });
    const preview = page.getByRole("button", { name: t("content:preview.title") });
    const textBox = await readBox(text);
    expect((await readBox(preview)).y - textBox.bottom).toBeLessThan(32);
    await text.focus();
    const toolbar = await readBox(
      page.getByRole("toolbar", { name: t("content:marks.label", { field: t("content:tag.body.en") }) }),
    );
    expect(toolbar.y).toBeGreaterThan(textBox.y + 60);
    expect(toolbar.bottom).toBeLessThanOrEqual(textBox.bottom);
  }));

for (const js of [true, false])
  test(`the Update button of the store form is below the form's fields (${js ? "with" : "without"} scripts)`, () =>
    visit({ lang: "en", js, as: owner }, async ({ open, page, t }) => {
      await open(`/event/${demoIds.mainEvent}?panel=store`);
      const form = page.locator("form#event");
      const update = form.getByRole("button", { name: t("events:update"), exact: true });
      // The form's first lines are at the lower edge of the window, where a sticky row would be cut.
      await form.evaluate((element) => {
        const panel = element.closest("main");
        panel?.scrollBy(0, element.getBoundingClientRect().top - window.innerHeight + 40);
      });
      expect((await readBox(update)).y).toBeGreaterThan(
        (await readBox(form.getByLabel(t("events:storeToken"), { exact: true }))).bottom,
      );
    }));

test("menus without scripts stay inside a low window", () =>
  visit(
    { lang: "en", js: false, as: owner, context: { viewport: { width: 390, height: 500 } } },
    async ({ open, page }) => {
      await open("/library");
      const buttons = page.locator("details[name=menu] > summary:visible");
      const count = await buttons.count();
      expect(count).toBeGreaterThan(4);
      for (let index = 0; index < count; index++) {
        const button = buttons.nth(index);
        await button.evaluate((element) => element.scrollIntoView({ block: "end" }));
        await button.click();
        const panel = await readBox(button.locator("+ div"));
        expect(panel.x).toBeGreaterThanOrEqual(0);
        expect(panel.y).toBeGreaterThanOrEqual(0);
        expect(panel.right).toBeLessThanOrEqual(390);
        expect(panel.bottom).toBeLessThanOrEqual(500);
        await button.click();
      }
    },
  ));
