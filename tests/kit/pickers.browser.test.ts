import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { galleryPages, measureLayout, readPostedFields, readShifts, watchShifts } from "./gallery-pages";

const onPage = galleryPages();

const findSearch = (page: Page) => page.getByRole("combobox", { name: "Products" });
const findOptions = (page: Page) => page.locator("[role=option]");
const readSearches = (page: Page) => page.evaluate(() => window.searches ?? []);
const readStatus = (page: Page) => page.getByRole("search").getByRole("status").textContent();
const readOptionTexts = (page: Page) => findOptions(page).allTextContents();

/** Moves the pointer until the three fields of the page are comboboxes. */
async function waitForComboboxes(page: Page) {
  // A movement before the page is hydrated has no effect.
  const moveAndCount = async () => {
    await page.mouse.move(640, 300);
    await page.mouse.move(5, 610);
    return page.locator("input[role=combobox]").count();
  };
  await expect.poll(moveAndCount).toBe(3);
}

describe("without scripts", () => {
  test("a search leads to a page of results, and folders and spaces are radio buttons", () =>
    onPage("/pickers?lang=en", { javaScriptEnabled: false }, async (page) => {
      await page.getByRole("searchbox", { name: "Products" }).fill("bowl");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.waitForURL(/find=bowl/);
      expect(await page.locator("select").first().isVisible()).toBe(false);
      expect(await page.getByRole("radio", { name: /Spaces/ }).isDisabled()).toBe(true);
      // The browser reports the missing choice.
      await page.getByRole("button", { name: "Move" }).click();
      expect(new URL(page.url()).searchParams.get("find")).toBe("bowl");
      await page.getByRole("radio", { name: "Spring" }).last().check();
      await page.getByRole("button", { name: "Move" }).click();
      // The hidden list posts a second value, after that of the radio button.
      const fields = await readPostedFields(page);
      expect([fields.get("folderId"), fields.get("spaceId")]).toEqual(["spring26", "here"]);
    }));
});

describe("the replacement", () => {
  for (const [path, width] of [
    ["/pickers", 1280],
    ["/pickers", 390],
    ["/picker-dialog", 1280],
    ["/picker-dialog", 390],
  ] as const)
    test(`moves nothing on ${path} at ${width} px, and neither does an open list`, () => {
      let releaseScripts = () => {};
      const released = new Promise<void>((resolve) => {
        releaseScripts = resolve;
      });
      const holdScripts = async (page: Page) => {
        await page.route(/headless\.client/, async (route) => {
          await released;
          await route.continue();
        });
      };
      const lang = width === 390 ? "ja" : "en";
      return onPage(
        `${path}?lang=${lang}`,
        { viewport: { width, height: 800 }, beforeScripts: holdScripts },
        async (page) => {
          // The dialog moves while it opens.
          await page.waitForFunction(() =>
            document.getAnimations().every((animation) => !(animation instanceof CSSAnimation)),
          );
          await watchShifts(page);
          const boxesBefore = await measureLayout(page);
          releaseScripts();
          await waitForComboboxes(page);
          expect(await measureLayout(page)).toEqual(boxesBefore);
          const field = page.locator("#folderId");
          await field.click();
          await expect.poll(() => findOptions(page).count()).toBe(5);
          expect(await measureLayout(page)).toEqual(boxesBefore);
          // The list lies above everything else, also above a modal dialog.
          const secondOption = findOptions(page).nth(1);
          await expect
            .poll(() =>
              secondOption.evaluate((option) => {
                const { x, y, width, height } = option.getBoundingClientRect();
                return option.contains(document.elementFromPoint(x + width / 2, y + height / 2));
              }),
            )
            .toBe(true);
          expect(await readShifts(page)).toBe(0);
        },
      );
    });

  test("waits until the user leaves a field that is being typed into, and keeps the text", () =>
    onPage(
      "/pickers?lang=en",
      {
        beforeScripts: async (page) => {
          await page.locator("#find").press("End");
          await page.keyboard.type("bo");
        },
      },
      async (page) => {
        await page.mouse.move(3, 600);
        await page.mouse.move(5, 610);
        await page.locator("header button[aria-expanded]").waitFor();
        await page.keyboard.type("wl");
        expect(await page.locator("#find").getAttribute("role")).toBeNull();
        await page.locator("h1").click();
        await waitForComboboxes(page);
        expect(await findSearch(page).inputValue()).toBe("bowl");
        expect(await readSearches(page)).toEqual([]);
        await findSearch(page).press("Enter");
        await page.waitForURL(/find=bowl/);
      },
    ));

  test("keeps the focus of a dialog's field without opening a list", () =>
    onPage("/picker-dialog?lang=en", {}, async (page) => {
      await waitForComboboxes(page);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("folderId");
      expect(await findOptions(page).count()).toBe(0);
      // Esc closes the list, and then the dialog.
      await page.locator("#folderId").click();
      await expect.poll(() => findOptions(page).count()).toBe(5);
      await page.keyboard.press("Escape");
      await expect.poll(() => findOptions(page).count()).toBe(0);
      expect(await page.getByRole("dialog").isVisible()).toBe(true);
      await page.keyboard.press("Escape");
      await page.waitForURL("**/pickers");
    }));

  test("leaves the native fields when a script cannot be loaded", () =>
    onPage("/pickers?lang=en", { failingScripts: /headless\.client/ }, async (page) => {
      await page.mouse.move(3, 600);
      await page.locator("select[name=folderId]").selectOption({ label: "Spring · Spaces / 2025" });
      await page.getByRole("button", { name: "Move" }).click();
      expect((await readPostedFields(page)).getAll("folderId")).toEqual(["spring25"]);
    }));
});

describe("a folder", () => {
  test("is found by any part of its path, and posted", () =>
    onPage("/picker-dialog?lang=en", {}, async (page) => {
      await waitForComboboxes(page);
      await page.keyboard.type("spr");
      await expect.poll(() => readOptionTexts(page)).toEqual(["SpringSpaces / 2025", "SpringSpaces / 2026"]);
      await page
        .getByRole("dialog")
        .getByRole("status")
        .getByText("2 results")
        .waitFor({ state: "attached" });
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator("#folderId").inputValue()).toBe("Spring · Spaces / 2026");
      await page.locator("#folderId").fill("2025 ");
      await expect.poll(() => readOptionTexts(page)).toEqual(["2025Spaces", "SpringSpaces / 2025"]);
      // A disabled one is skipped.
      await page.locator("#folderId").fill("spaces");
      await expect.poll(() => findOptions(page).count()).toBe(5);
      await page.keyboard.press("Home");
      expect(await page.locator("[role=option][data-focus]").textContent()).toBe("2025Spaces");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Move" }).click();
      const fields = await readPostedFields(page);
      expect([fields.getAll("folderId"), fields.getAll("spaceId")]).toEqual([["spring26"], ["here"]]);
    }));

  test("that is not chosen does not block the form, because the server checks it", () =>
    onPage("/pickers?lang=en", {}, async (page) => {
      await waitForComboboxes(page);
      await page.getByRole("button", { name: "Move" }).click();
      expect((await readPostedFields(page)).getAll("folderId")).toEqual([""]);
    }));
});

describe("a space", () => {
  test("that is not listed is found by a search, and posted", () =>
    onPage("/pickers?lang=en", {}, async (page) => {
      await waitForComboboxes(page);
      const field = page.getByRole("combobox", { name: "Copy to space" });
      await field.click();
      await expect.poll(() => readOptionTexts(page)).toEqual(["Main hall"]);
      await page.keyboard.type("annex");
      // Enter before the results are there searches at once, and chooses nothing.
      await page.keyboard.press("Enter");
      await expect.poll(() => readOptionTexts(page)).toEqual(["Annex", "New annex"]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect.poll(() => field.inputValue()).toBe("New annex");
      await page.getByRole("button", { name: "Move" }).click();
      expect((await readPostedFields(page)).getAll("spaceId")).toEqual(["New annex"]);
    }));

  test("keeps its choice when the server cannot be reached, and the list says so", () =>
    onPage("/pickers?lang=en", {}, async (page) => {
      await waitForComboboxes(page);
      const field = page.getByRole("combobox", { name: "Copy to space" });
      await field.fill("!");
      await page.locator("[role=option]", { hasText: "The server could not be reached" }).waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
      await expect.poll(() => field.inputValue()).toBe("Main hall");
    }));
});

describe("a search", () => {
  test("shows results while a person types, and a newer text aborts the older request", () =>
    onPage("/pickers?lang=en", {}, async (page) => {
      await waitForComboboxes(page);
      await findSearch(page).click();
      expect(await findOptions(page).count()).toBe(0);
      await page.keyboard.type("b");
      // A pause of typing starts the first request, and the next letter aborts it.
      await expect.poll(() => readSearches(page)).toEqual(["b"]);
      await page.keyboard.type("o");
      await page.keyboard.type("wl");
      await expect.poll(() => readOptionTexts(page)).toEqual(["Blue bowl", "Red bowl", "Show all"]);
      expect(await readSearches(page)).toEqual(["b", "-b", "bowl"]);
      await expect.poll(() => readStatus(page)).toBe("2 results");
      await findSearch(page).fill("nothing");
      await expect.poll(() => readOptionTexts(page)).toEqual(["No results for “nothing”."]);
      await page.keyboard.press("Enter");
      expect(new URL(page.url()).search).toBe("?lang=en");
    }));

  test("adds results one after the other by keyboard, and disables one that was added", () =>
    onPage("/pickers?lang=en", {}, async (page) => {
      await waitForComboboxes(page);
      await findSearch(page).click();
      await page.keyboard.type("bowl");
      // Enter before the results are there chooses nothing.
      await page.keyboard.press("Enter");
      await expect.poll(() => readSearches(page)).toEqual(["bowl"]);
      await expect.poll(() => findOptions(page).count()).toBe(3);
      expect(await readStatus(page)).toBe("2 results");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect.poll(() => readStatus(page)).toBe("Red bowl was added");
      expect(await findOptions(page).nth(1).getAttribute("aria-disabled")).toBe("true");
      // The list stays open, and the next word replaces the text.
      await page.keyboard.type("towel");
      await expect.poll(() => readOptionTexts(page)).toEqual(["Indigo towel"]);
      await page.keyboard.press("Home");
      await page.keyboard.press("Enter");
      await expect.poll(() => readStatus(page)).toBe("Indigo towel was added");
      expect(new URL(page.url()).search).toBe("?lang=en");
    }));

  for (const key of ["Tab", "Escape"])
    test(`chooses nothing by ${key}, and keeps the text`, () =>
      onPage("/pickers?lang=en", {}, async (page) => {
        await waitForComboboxes(page);
        await findSearch(page).click();
        await page.keyboard.type("large");
        await expect.poll(() => readOptionTexts(page)).toEqual(["Large bowl"]);
        await page.keyboard.press(key);
        await expect.poll(() => findOptions(page).count()).toBe(0);
        expect([await findSearch(page).inputValue(), await readStatus(page)]).toEqual(["large", ""]);
      }));

  test("leads to the page of results by its last option, and by its button", () =>
    onPage("/pickers?lang=en", {}, async (page) => {
      await waitForComboboxes(page);
      await findSearch(page).fill("bowl");
      await page.getByRole("option", { name: "Show all" }).click();
      await page.waitForURL(/find=bowl/);
      await waitForComboboxes(page);
      await findSearch(page).fill("towel");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.waitForURL(/find=towel/);
    }));

  test("shows a failure beside the field, and Enter then leads to the page of results", () =>
    onPage("/pickers?lang=en", {}, async (page) => {
      await waitForComboboxes(page);
      await findSearch(page).click();
      await page.keyboard.type("!");
      await page
        .getByRole("search")
        .getByText(/The server could not be reached/)
        .waitFor();
      expect(await findSearch(page).inputValue()).toBe("!");
      expect(await findOptions(page).count()).toBe(0);
      await page.keyboard.press("Enter");
      await page.waitForURL(/find=%21|find=!/);
    }));
});
