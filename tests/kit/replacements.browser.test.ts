import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  galleryPages,
  measureLayout,
  readPostedFields,
  readShifts,
  waitForReplacements,
  watchShifts,
} from "./gallery-pages";

const onPage = galleryPages();

const readFocusedText = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.ariaLabel);
/** Text of the active entry of an open menu. */
const readActiveEntry = (page: Page) => page.locator("[role=menuitem][data-focus]").textContent();

const countMenus = (page: Page) => page.locator("details[name=menu]").count();

describe("before scripts run", () => {
  test("an opened menu is replaced only after it is closed", () =>
    onPage(
      "/table?lang=en",
      { beforeScripts: (page) => page.locator("summary[aria-label='Actions for Autumn show']").click() },
      async (page) => {
        const details = page.locator("details", { hasText: "Duplicate" }).first();
        const element = await details.elementHandle();
        await page.mouse.move(5, 700);
        await expect.poll(() => countMenus(page)).toBe(1);
        expect(
          await element?.evaluate(
            (detailsElement) => detailsElement.isConnected && (detailsElement as HTMLDetailsElement).open,
          ),
        ).toBe(true);
        await page.locator("summary").click();
        await expect.poll(() => countMenus(page)).toBe(0);
        await page.getByRole("button", { name: "Actions for Autumn show" }).click();
        await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
      },
    ));

  test("an opened menu closes by a click elsewhere once the scripts are loaded", () =>
    onPage(
      "/table?lang=en",
      { beforeScripts: (page) => page.locator("summary[aria-label='Actions for Autumn show']").click() },
      async (page) => {
        await page.mouse.move(5, 700);
        await expect.poll(() => countMenus(page)).toBe(1);
        await page.mouse.click(5, 700);
        await expect.poll(() => countMenus(page)).toBe(0);
      },
    ));

  test("arrows and Esc work in a menu that was opened by keyboard", () =>
    onPage(
      "/table?lang=en",
      {
        beforeScripts: async (page) => {
          await page.locator("summary[aria-label='Actions for Autumn show']").focus();
          await page.keyboard.press("Enter");
        },
      },
      async (page) => {
        // The other menus are replaced, and this one is still open.
        await expect.poll(() => countMenus(page)).toBe(1);
        const visited: unknown[] = [];
        for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) {
          await page.keyboard.press(key);
          visited.push(await readFocusedText(page));
        }
        expect(visited).toEqual(["Edit", "Duplicate", "Edit", "Duplicate"]);
        await page.keyboard.press("Escape");
        await expect.poll(() => countMenus(page)).toBe(0);
        expect(await readFocusedText(page)).toBe("Actions for Autumn show");
        await page.keyboard.press("ArrowDown");
        await expect.poll(() => readActiveEntry(page)).toBe("Edit");
      },
    ));

  test("the focus of a menu's button moves to the button that replaces it", () =>
    onPage(
      "/table?lang=ja",
      { beforeScripts: (page) => page.locator("summary[aria-label='春の準備 の操作']").focus() },
      async (page) => {
        await expect.poll(() => countMenus(page)).toBe(0);
        expect(await readFocusedText(page)).toBe("春の準備 の操作");
        await page.keyboard.press("Enter");
        await page.getByRole("menuitem", { name: "複製" }).waitFor();
      },
    ));

  test("an account menu that was opened by keyboard stays open", () =>
    onPage(
      "/cards?lang=en",
      {
        beforeScripts: async (page) => {
          await page.locator("header nav a").first().focus();
          await page.keyboard.press("Tab");
          await page.keyboard.press("Enter");
        },
      },
      async (page) => {
        expect(await page.getByRole("link", { name: "Account settings" }).isVisible()).toBe(true);
        await page.keyboard.press("Tab");
        expect(await readFocusedText(page)).toBe("Users");
      },
    ));

  test("a selection is kept and posted", () =>
    onPage(
      "/form?lang=en",
      {
        beforeScripts: async (page) => {
          await page.locator("select[name=groupId]").selectOption("tea");
        },
      },
      async (page) => {
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await waitForReplacements(page);
        expect(await page.getByLabel("Group").inputValue()).toBe("Tea house");
        await page.getByLabel("Event name").press("Enter");
        expect((await readPostedFields(page)).getAll("groupId")).toEqual(["tea"]);
      },
    ));

  test("a list is not replaced while it has the focus", () =>
    onPage(
      "/form?lang=en",
      { beforeScripts: (page) => page.locator("select[name=groupId]").focus() },
      async (page) => {
        const select = page.locator("select[name=groupId]");
        await page.mouse.move(3, 690);
        await page.locator("header button[aria-expanded]").waitFor();
        await page.keyboard.press("ArrowDown");
        expect(await select.isVisible()).toBe(true);
        expect(await select.inputValue()).toBe("dyers");
        await page.keyboard.press("Tab");
        await select.waitFor({ state: "hidden" });
        expect(await page.getByLabel("Group").inputValue()).toBe("Dyers of Nishijin");
      },
    ));

  for (const lang of ["ja", "en"] as const)
    test(`a field is not replaced while a user types into it, and no text is lost (${lang})`, () =>
      onPage(
        `/form?lang=${lang}`,
        {
          beforeScripts: async (page) => {
            await page.locator("input[name=keywords]").press("End");
            await page.keyboard.type(", 茶, te");
          },
        },
        async (page) => {
          await page.mouse.move(3, 500);
          await page.mouse.move(5, 510);
          await page.locator("header button[aria-expanded]").waitFor();
          await page.keyboard.type("a");
          const field = page.locator("input[name=keywords]");
          const initialKeywords = lang === "ja" ? "陶器, 染物, 木工" : "pottery, dyeing, woodwork";
          expect(await field.getAttribute("type")).toBe("text");
          expect(await field.inputValue()).toBe(`${initialKeywords}, 茶, tea`);
          expect(await page.evaluate(() => document.activeElement?.id)).toBe("keywords");
          await page.keyboard.press("Tab");
          await expect.poll(() => field.getAttribute("type")).toBe("hidden");
          expect(await field.inputValue()).toBe(`${initialKeywords}, 茶, tea`);
          await page.getByLabel(lang === "ja" ? "イベント名" : "Event name").press("Enter");
          expect((await readPostedFields(page)).getAll("keywords")).toEqual([`${initialKeywords}, 茶, tea`]);
        },
      ));

  test("the native element still works when a script cannot be loaded", () =>
    onPage("/table?lang=en", { failingScripts: /headless\.client/ }, async (page) => {
      await page.mouse.move(3, 690);
      await page.mouse.move(5, 700);
      await page.locator("summary[aria-label='Actions for Autumn show']").click();
      await page.getByRole("link", { name: "Duplicate" }).click();
      await page.waitForURL("**/form");
    }));
});

describe("the replacement", () => {
  for (const path of ["/cards", "/table", "/form"])
    for (const [lang, width] of [
      ["ja", 1280],
      ["en", 390],
    ] as const)
      test(`causes no layout shift on ${path} in ${lang} at ${width} px`, () => {
        let releaseScripts = () => {};
        const released = new Promise<void>((resolve) => {
          releaseScripts = resolve;
        });
        // Delays the script that replaces the elements until they are measured.
        const holdScripts = async (page: Page) => {
          await page.route(/headless\.client/, async (route) => {
            await released;
            await route.continue();
          });
        };
        const options = { viewport: { width, height: 800 }, beforeScripts: holdScripts };
        return onPage(`${path}?lang=${lang}`, options, async (page) => {
          await watchShifts(page);
          const boxesBefore = await measureLayout(page);
          releaseScripts();
          await waitForReplacements(page);
          expect(await measureLayout(page)).toEqual(boxesBefore);
          expect(await readShifts(page)).toBe(0);
        });
      });
});

describe("by keyboard", () => {
  for (const lang of ["ja", "en"] as const) {
    const pickText = (ja: string, en: string) => (lang === "ja" ? ja : en);

    test(`a menu supports arrows, Home, End and (in English) first letters, and Esc gives the focus back (${lang})`, () =>
      onPage(`/table?lang=${lang}`, {}, async (page) => {
        await waitForReplacements(page);
        const trigger = page.getByRole("button", {
          name: pickText("秋の新作展 の操作", "Actions for Autumn show"),
        });
        const [editLabel, copyLabel] = [pickText("編集", "Edit"), pickText("複製", "Duplicate")];
        await trigger.focus();
        await page.keyboard.press("ArrowDown");
        await expect.poll(() => readActiveEntry(page)).toBe(editLabel);
        await page.keyboard.press("ArrowDown");
        expect(await readActiveEntry(page)).toBe(copyLabel);
        await page.keyboard.press("Home");
        expect(await readActiveEntry(page)).toBe(editLabel);
        await page.keyboard.press("End");
        expect(await readActiveEntry(page)).toBe(copyLabel);
        await page.keyboard.press("Home");
        if (lang === "en") {
          await page.keyboard.press("d");
          expect(await readActiveEntry(page)).toBe(copyLabel);
        }
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
        expect(await trigger.evaluate((element) => element === document.activeElement)).toBe(true);
        await page.keyboard.press("ArrowUp");
        await expect.poll(() => readActiveEntry(page)).toBe(copyLabel);
        await page.keyboard.press("Enter");
        await page.waitForURL("**/form");
      }));

    test(`a combobox finds options by a part of a label, Enter chooses one and Esc restores the previous one (${lang})`, () =>
      onPage(`/form?lang=${lang}`, {}, async (page) => {
        await waitForReplacements(page);
        const field = page.getByRole("combobox", { name: pickText("グループ", "Group") });
        const readValue = () => page.locator("select[name=groupId]").inputValue();
        const options = page.locator("[role=option]");
        await field.focus();
        await expect.poll(() => options.count()).toBe(5);
        expect(await page.locator("[role=option][aria-selected=true]").textContent()).toBe(
          pickText("窯元", "Kiln"),
        );
        // Hiragana find katakana, and lower-case letters find upper-case letters.
        await page.keyboard.type(pickText("てぃー", "nishi"));
        await expect
          .poll(() => options.allTextContents())
          .toEqual([pickText("ティーハウス", "Dyers of Nishijin")]);
        await page.keyboard.press("Enter");
        await options.first().waitFor({ state: "detached" });
        expect(await readValue()).toBe(pickText("tea", "dyers"));
        expect(await field.inputValue()).toBe(pickText("ティーハウス", "Dyers of Nishijin"));
        expect(new URL(page.url()).pathname).toBe("/form");
        await page.keyboard.type("xxx");
        // The list states that nothing matches, and Enter then chooses nothing.
        await expect
          .poll(() => options.allTextContents())
          .toEqual([pickText("見つかりません。", "No results.")]);
        await page.keyboard.press("Enter");
        expect(await readValue()).toBe(pickText("tea", "dyers"));
        await page.keyboard.press("Escape");
        await expect.poll(() => field.inputValue()).toBe(pickText("ティーハウス", "Dyers of Nishijin"));
        await field.fill("");
        await page.keyboard.press("Tab");
        expect(await readValue()).toBe(pickText("tea", "dyers"));
        await expect.poll(() => field.inputValue()).toBe(pickText("ティーハウス", "Dyers of Nishijin"));
        await page.evaluate(() => document.querySelector<HTMLFormElement>("form#event-form")?.reset());
        await expect.poll(() => field.inputValue()).toBe(pickText("窯元", "Kiln"));
      }));

    test(`the list suggests known words, and Enter adds the typed word unless the arrow keys selected one (${lang})`, () =>
      onPage(`/form?lang=${lang}`, {}, async (page) => {
        await waitForReplacements(page);
        const readValue = () => page.locator("input[name=keywords]").inputValue();
        const options = page.locator("[role=option]");
        const initialKeywords = lang === "ja" ? "陶器, 染物, 木工" : "pottery, dyeing, woodwork";
        await page.locator("#keywords").focus();
        await page.keyboard.type("PA");
        await expect.poll(() => options.allTextContents()).toEqual(["PA", "paper"]);
        await page.keyboard.press("Enter");
        await options.first().waitFor({ state: "detached" });
        expect(await readValue()).toBe(`${initialKeywords}, PA`);
        await page.keyboard.type("porc");
        await expect.poll(() => options.allTextContents()).toEqual(["porc", "porcelain"]);
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await expect.poll(readValue).toBe(`${initialKeywords}, PA, porcelain`);
        expect(await page.locator("#keywords").inputValue()).toBe("");
        await page.keyboard.type("pap");
        await options.last().click();
        await expect.poll(readValue).toBe(`${initialKeywords}, PA, porcelain, paper`);
        expect(await page.evaluate(() => document.activeElement?.id)).toBe("keywords");
        await page.keyboard.type("tea");
        expect(await options.count()).toBe(0);
        await page.keyboard.press("Tab");
        expect(await readValue()).toBe(`${initialKeywords}, PA, porcelain, paper, tea`);
        expect(new URL(page.url()).pathname).toBe("/form");
      }));

    test(`a row of tabs is one tab stop, supports arrows, Home and End, and Enter follows the tab's link (${lang})`, () =>
      onPage(`/table?lang=${lang}`, {}, async (page) => {
        await waitForReplacements(page);
        expect(await page.locator("[role=tab][tabindex='0']").count()).toBe(1);
        await page.getByRole("tab", { selected: true }).focus();
        const names = [
          [pickText("メディア", "Media"), "ArrowRight"],
          [pickText("タグ", "Tags"), "ArrowLeft"],
          [pickText("履歴", "History"), "End"],
          [pickText("設定", "Settings"), "ArrowRight"],
          [pickText("履歴", "History"), "ArrowLeft"],
          [pickText("設定", "Settings"), "Home"],
        ] as const;
        for (const [name, key] of names) {
          await page.keyboard.press(key);
          expect(await readFocusedText(page), key).toBe(name);
          expect(await page.locator(":focus").evaluate((tab) => getComputedStyle(tab).outlineStyle)).toBe(
            "solid",
          );
        }
        expect(new URL(page.url()).pathname).toBe("/table");
        await page.keyboard.press("Enter");
        await page.waitForURL("**/cards");
      }));
  }
});

test("the panel of a menu stays in the window", () =>
  onPage("/table?lang=en", { viewport: { width: 1280, height: 560 } }, async (page) => {
    await waitForReplacements(page);
    const trigger = page.getByRole("button", { name: "Actions for Cool summer" });
    await trigger.evaluate((element) => {
      element.scrollIntoView({ block: "end" });
    });
    await trigger.click();
    const sheet = page.getByRole("menu");
    await sheet.waitFor();
    await expect
      .poll(async () => {
        const box = await sheet.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= 560 && box.x + box.width <= 1280;
      })
      .toBe(true);
  }));

test("the focus of a menu is visible with the keyboard, and not after a click", () =>
  onPage("/table?lang=en", {}, async (page) => {
    await waitForReplacements(page);
    const readOutline = () =>
      page.evaluate(() => {
        const activeElement = document.querySelector("[role=menuitem][data-focus]") ?? document.activeElement;
        return (
          activeElement && [
            activeElement.textContent?.trim() || activeElement.ariaLabel,
            getComputedStyle(activeElement).outlineStyle,
          ]
        );
      });
    const name = "Actions for Autumn show";
    const trigger = page.getByRole("button", { name });
    const menu = page.getByRole("menu");
    await trigger.click();
    await menu.waitFor();
    await trigger.click();
    await menu.waitFor({ state: "detached" });
    expect(await readOutline()).toEqual([name, "none"]);
    await page.keyboard.press("Enter");
    await menu.waitFor();
    expect(await readOutline()).toEqual(["Edit", "solid"]);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    expect(await readOutline()).toEqual([name, "solid"]);
  }));
