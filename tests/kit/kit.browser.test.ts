import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { TOAST_MS } from "~/domain/shared/limits";
import { endAnimations } from "../support/browser/animations";
import { axeViolations } from "../support/browser/axe";
import { PAGES } from "./gallery";
import { galleryPages, LOADED_MS, readPostedFields, waitForReplacements } from "./gallery-pages";

const onPage = galleryPages();

/** Lets React run its effects after an event or a timer, also while the page's clock is stopped. */
const runEffects = (page: Page) =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 10; turn++)
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
  });

const withoutScripts = { javaScriptEnabled: false } as const;

/** Controls less than 40 px high, the minimum for touch. */
const findSmallTargets = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        "a[href], button, summary, select, textarea, input:not([type=hidden])",
      ),
    ]
      .filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) &&
          !element.closest(".sr-only, .skip-link, [aria-hidden]"),
      )
      .filter((element) => {
        // The label of a checkbox and the card of a stretched link are also targets.
        const label = (element as HTMLInputElement).labels?.[0];
        const heights = [element, ...(label ? [label] : [])].map((part) => {
          const afterStyle = getComputedStyle(part, "::after");
          const isEnlarged = afterStyle.content !== "none" && afterStyle.position === "absolute";
          return isEnlarged ? Number.parseFloat(afterStyle.height) : part.getBoundingClientRect().height;
        });
        const control = element.closest(".control");
        return Math.max(...heights) < 39.5 && !(control && control.getBoundingClientRect().height >= 39.5);
      })
      .map((element) => element.outerHTML.slice(0, 160)),
  );

/** Distance by which a page can be scrolled sideways, in pixels. */
const readExcess = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

describe("every page of the gallery", () => {
  for (const name of PAGES)
    for (const [lang, colorScheme] of [
      ["ja", "light"],
      ["en", "dark"],
    ] as const)
      test(`${name} in ${lang} and ${colorScheme} has no axe violations, fits a phone and a window of 640 px at 200 %, with targets at least 40 px high`, () =>
        onPage(`/${name}?lang=${lang}`, { colorScheme, reducedMotion: "reduce" }, async (page) => {
          expect(await axeViolations(page)).toEqual([]);
          for (const width of [320, 390]) {
            await page.setViewportSize({ width, height: 800 });
            await runEffects(page);
            expect(await readExcess(page), `at ${width}`).toBeLessThanOrEqual(0);
          }
          expect(await findSmallTargets(page)).toEqual([]);
        }));
});

describe("without scripts", () => {
  test("the account menu opens on hover, with Enter and on a click, and logs out with a form", () =>
    onPage("/cards?lang=en", withoutScripts, async (page) => {
      const entry = page.getByRole("link", { name: "Account settings" });
      const summary = page.locator("summary", { hasText: "Hanako" });
      expect(await entry.isVisible()).toBe(false);

      await summary.hover();
      expect(await entry.isVisible()).toBe(true);
      await page.mouse.move(0, 700);
      expect(await entry.isVisible()).toBe(false);

      await page.locator("header nav a").first().focus();
      await page.keyboard.press("Tab");
      expect(await entry.isVisible()).toBe(false);
      await page.keyboard.press("Enter");
      expect(await entry.isVisible()).toBe(true);
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Users");
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      expect(await entry.isVisible()).toBe(false);

      await summary.click();
      await page.mouse.click(600, 700);
      expect(await entry.isVisible()).toBe(true);
      await page.getByRole("button", { name: "Log out" }).click();
      expect(new URL(page.url()).pathname).toBe("/logout");
    }));

  test("a click on one menu closes the other", () =>
    onPage("/table?lang=en", withoutScripts, async (page) => {
      await page.locator("summary[aria-label='Actions for Autumn show']").click();
      await page.locator("summary[aria-label='Actions for Cool summer']").click();
      expect(await page.getByRole("link", { name: "Duplicate" }).count()).toBe(1);
    }));

  test("a form posts its values, and Enter saves rather than deletes a date", () =>
    onPage("/form?lang=en", withoutScripts, async (page) => {
      await page.getByLabel("Keywords").fill("pottery, tea");
      await page.getByLabel("Archived").check();
      await page.getByLabel("Event name").press("Enter");
      const values = await readPostedFields(page);
      expect(values.get("intent")).toBe("save");
      expect(values.get("keywords")).toBe("pottery, tea");
      expect(values.get("statusId")).toBe("4");
      expect(values.get("startDate")).toBe("2026/11/01 10:00");
    }));

  test("the buttons that clear a date and undo a change post an intent to the server", () =>
    onPage("/form?lang=en", withoutScripts, async (page) => {
      await page.getByRole("button", { name: "Clear date: Start" }).click();
      expect((await readPostedFields(page)).get("intent")).toBe("clear:startDate");
      await page.goBack();
      await page.getByRole("button", { name: "Undo: End" }).click();
      expect((await readPostedFields(page)).get("intent")).toBe("undo:endDate");
    }));

  test("controls that need scripts are not shown: copying by button, showing a password", () =>
    onPage("/form?lang=en", withoutScripts, async (page) => {
      expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Show password" }).count()).toBe(0);
      const link = page.getByLabel("Public link", { exact: true });
      expect(await link.inputValue()).toContain("token=");
      const readWidth = async (locator: typeof link) => (await locator.boundingBox())?.width;
      expect(await readWidth(link)).toBe(await readWidth(page.getByLabel("Details")));
    }));

  test("a toast is inside the window, and stays", () =>
    onPage("/parts?lang=en", withoutScripts, async (page) => {
      const toast = page.getByText("Event has been updated.");
      await endAnimations(page);
      const box = await toast.boundingBox();
      const height = page.viewportSize()?.height ?? 0;
      expect(await toast.isVisible()).toBe(true);
      expect(box && box.y > 0 && box.y + box.height < height).toBe(true);
    }));

  test("a dialog is open in the server's page, and a link closes it", () =>
    onPage("/dialog?lang=en", withoutScripts, async (page) => {
      await page.getByLabel("Name of the space").fill("Hall");
      await page.getByRole("dialog").getByRole("link", { name: "Close" }).click();
      expect(new URL(page.url()).pathname).toBe("/cards");
    }));

  test("the error summary has the focus and links to each field", () =>
    onPage("/errors?lang=en", withoutScripts, async (page) => {
      // The browser focuses the summary when it renders the first frame.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
        .toBe("alert");
      for (const [message, id] of [
        ["Event name: please use at most 32 characters.", "eventName"],
        ["Start: must be before the end.", "startDate"],
        ["Please enter a password.", "publishPassword"],
      ] as const) {
        await page.getByRole("link", { name: message }).click();
        expect(await page.evaluate(() => document.activeElement?.id)).toBe(id);
      }
    }));
});

describe("with scripts", () => {
  test("the counter updates while the user types, and states the excess", () =>
    onPage("/form?lang=en", {}, async (page) => {
      const name = page.getByLabel("Event name");
      await name.fill("展示会👘");
      await page.getByText("4 / 32").waitFor();
      await name.fill("x".repeat(35));
      await page.locator("#eventName-count", { hasText: "3 characters over the limit" }).waitFor();
    }));

  test("deleting a date and undoing it happen in place, with the date in words below", () =>
    onPage("/form?lang=ja", {}, async (page) => {
      const start = page.getByLabel("開始日時", { exact: true });
      const readout = page.locator("#startDate-readout");
      expect(await readout.textContent()).toBe("2026年11月1日(日) 10:00");
      await page.getByRole("button", { name: "日時を削除：開始日時" }).click();
      expect(await start.inputValue()).toBe("");
      expect(await readout.textContent()).toBe("日時の指定なし");
      await start.fill("2026/12/24 18:30");
      expect(await readout.textContent()).toBe("2026年12月24日(木) 18:30");
      await page.getByRole("button", { name: "元に戻す：開始日時" }).click();
      expect(await start.inputValue()).toBe("2026/11/01 10:00");
      expect(new URL(page.url()).pathname).toBe("/form");
    }));

  test("for a date that does not exist, an example is shown instead of the date in words", () =>
    onPage("/form?lang=en", {}, async (page) => {
      await page.getByLabel("Start", { exact: true }).fill("2026/13/45 10:00");
      expect(await page.locator("#startDate-readout").textContent()).toBe("Example: 2026/08/01 14:30");
    }));

  test("a form receives input events of a deleted date and of an added keyword", () =>
    onPage("/form?lang=en", {}, async (page) => {
      await page.evaluate(() => {
        document.querySelector("form#event-form")?.addEventListener("input", (event) => {
          const { name, value } = event.target as HTMLInputElement;
          if (name) document.body.dataset[name.toLowerCase()] = value;
        });
      });
      await waitForReplacements(page);
      await page.getByRole("button", { name: "Clear date: Start" }).click();
      await page.getByLabel("Keywords").fill("tea");
      await page.getByLabel("Keywords").press("Enter");
      expect(await page.evaluate(() => ({ ...document.body.dataset }))).toMatchObject({
        startdate: "",
        keywords: "pottery, dyeing, woodwork, tea",
      });
    }));

  test("copying copies the text and reports it", () =>
    onPage("/form?lang=ja", { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      await page.getByRole("button", { name: "コピー：公開リンク" }).click();
      await page.getByRole("status").filter({ hasText: "コピーしました" }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("/event/published/");
    }));

  test("copying that is refused selects the text", () =>
    onPage("/form?lang=ja", {}, async (page) => {
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
      });
      await page.getByRole("button", { name: "コピー：公開リンク" }).click();
      await page.getByText("コピーできませんでした").waitFor();
      expect(await page.evaluate(() => getSelection()?.toString())).toContain("/event/published/");
    }));

  test("keywords are added by comma, Tab and Enter and removed by Backspace", () =>
    onPage("/form?lang=en", {}, async (page) => {
      await waitForReplacements(page);
      const entry = page.getByLabel("Keywords");
      const readValue = () => page.locator("input[name=keywords]").inputValue();
      await entry.focus();
      await page.keyboard.type("tea,");
      await page.keyboard.type("ink");
      await page.keyboard.press("Tab");
      await page.keyboard.type("paper");
      await page.keyboard.press("Enter");
      await page.keyboard.type("tea,");
      expect(await readValue()).toBe("pottery, dyeing, woodwork, tea, ink, paper");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("keywords");
      await page.keyboard.press("Backspace");
      expect(await readValue()).toBe("pottery, dyeing, woodwork, tea, ink");
      await page.getByRole("button", { name: "Remove dyeing" }).click();
      expect(await readValue()).toBe("pottery, woodwork, tea, ink");
      await page.keyboard.insertText("墨、筆，硯");
      await page.keyboard.press("Enter");
      expect(await readValue()).toBe("pottery, woodwork, tea, ink, 墨, 筆, 硯");
      // A word is not lost when the page is left during typing.
      await page.keyboard.type("clay");
      await page.evaluate(() => {
        Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      });
      expect(await readValue()).toBe("pottery, woodwork, tea, ink, 墨, 筆, 硯, clay");
      // With an empty input, Tab leaves the field.
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.id)).not.toBe("keywords");
      expect(new URL(page.url()).pathname).toBe("/form");
    }));

  test("Enter that ends a conversion of the input method adds no keyword", () =>
    onPage("/form?lang=ja", {}, async (page) => {
      await waitForReplacements(page);
      await page.getByLabel("キーワード").focus();
      const cdp = await page.context().newCDPSession(page);
      // An input method takes the key before it composes.
      await cdp.send("Input.dispatchKeyEvent", {
        type: "rawKeyDown",
        key: "Process",
        windowsVirtualKeyCode: 229,
      });
      await cdp.send("Input.imeSetComposition", { text: "ちゃ", selectionStart: 2, selectionEnd: 2 });
      await page.keyboard.press("Enter");
      expect(await page.locator("input[name=keywords]").inputValue()).toBe("陶器, 染物, 木工");
      await cdp.send("Input.insertText", { text: "茶" });
      await page.keyboard.press("Enter");
      expect(await page.locator("input[name=keywords]").inputValue()).toBe("陶器, 染物, 木工, 茶");
    }));

  test("a toast disappears after three seconds, but not while the pointer is over it", () =>
    onPage("/parts?lang=en", { stopClock: true }, async (page) => {
      const toast = page.getByText("Event has been updated.");
      await toast.hover();
      await runEffects(page);
      await page.clock.runFor(10 * TOAST_MS);
      expect(await toast.isVisible()).toBe(true);
      const box = await toast.boundingBox();
      expect(box && box.x > 640 && box.y > 700).toBe(true);
      await page.mouse.move(10, 10);
      await runEffects(page);
      // The toast has been shown for at most LOADED_MS before the pointer was over it.
      await page.clock.runFor(TOAST_MS - LOADED_MS - 1);
      await runEffects(page);
      expect(await toast.isVisible()).toBe(true);
      await page.clock.runFor(LOADED_MS + 1);
      await toast.waitFor({ state: "hidden" });
      await page.locator("#another-toast").click();
      await toast.waitFor();
    }));

  test("a toast about a failure stays until it is closed", () =>
    onPage("/parts?lang=en", { stopClock: true }, async (page) => {
      await page.locator("#failed-toast").click();
      const toast = page.getByText("Couldn't undo the change.");
      await toast.waitFor();
      await runEffects(page);
      await page.clock.runFor(10 * TOAST_MS);
      await runEffects(page);
      expect(await toast.isVisible()).toBe(true);
      await page.getByRole("status").getByRole("button", { name: "Close" }).click();
      await toast.waitFor({ state: "hidden" });
    }));

  test("a dialog traps the focus, and Esc follows its close link", () =>
    onPage("/dialog?lang=en", {}, async (page) => {
      const dialog = page.getByRole("dialog", { name: "New space" });
      expect(await dialog.evaluate((element) => element.matches(":modal"))).toBe(true);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
      for (let step = 0; step < 12; step++) {
        await page.keyboard.press("Tab");
        // Beyond its last control, the browser's own controls get the focus, and the page's active element is its body.
        expect(
          await page.evaluate(() => document.activeElement?.matches("body, dialog, dialog *") ?? true),
        ).toBe(true);
      }
      await page.keyboard.press("Escape");
      await page.waitForURL("**/cards");
    }));

  test("a click on a dialog's backdrop closes it as well", () =>
    onPage("/dialog?lang=en", {}, async (page) => {
      await page.mouse.click(20, 600);
      await page.waitForURL("**/cards");
    }));

  test("a menu closes by Esc, which gives the focus back, and by a click elsewhere", () =>
    onPage("/cards?lang=en", {}, async (page) => {
      await waitForReplacements(page);
      const trigger = page.getByRole("button", { name: "Actions for Kyoto machiya gallery" });
      const entry = page.getByRole("menuitem", { name: "Rename" });
      await trigger.click();
      await entry.waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Escape");
      await entry.waitFor({ state: "detached" });
      expect(await trigger.evaluate((element) => element === document.activeElement)).toBe(true);
      await trigger.click();
      await entry.waitFor();
      await page.mouse.click(600, 780);
      await entry.waitFor({ state: "detached" });
    }));

  test("the account menu opens on hover, with Enter and on a click, and Esc closes it", () =>
    onPage("/cards?lang=en", {}, async (page) => {
      await waitForReplacements(page);
      const entry = page.getByRole("link", { name: "Account settings" });
      const trigger = page.getByRole("button", { name: /Hanako/ });
      await trigger.hover();
      expect(await entry.isVisible()).toBe(true);
      await page.keyboard.press("Tab");
      await page.mouse.move(0, 700);
      await page.locator("header nav a").first().focus();
      await entry.waitFor({ state: "hidden" });
      await page.keyboard.press("Tab");
      expect(await trigger.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await entry.isVisible()).toBe(false);
      await page.keyboard.press("Enter");
      await entry.waitFor();
      await page.keyboard.press("Enter");
      await entry.waitFor({ state: "hidden" });
      await page.keyboard.press("Enter");
      await entry.waitFor();
      await page.keyboard.press("Escape");
      await entry.waitFor({ state: "hidden" });
      await page.keyboard.press("Enter");
      await entry.waitFor();
      // From inside the menu, Esc returns to the button, and the menu stays closed.
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      await entry.waitFor({ state: "hidden" });
      expect(await trigger.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press("Enter");
      await entry.waitFor();
      await page.mouse.click(600, 700);
      await entry.waitFor({ state: "hidden" });
      await trigger.click();
      await page.mouse.move(0, 700);
      expect(await entry.isVisible()).toBe(true);
    }));

  test("a password can be shown", () =>
    onPage("/login?lang=en", {}, async (page) => {
      await page.getByLabel("Password", { exact: true }).fill("demo-password");
      await page.getByRole("button", { name: "Show password" }).click();
      expect(await page.getByLabel("Password", { exact: true }).getAttribute("type")).toBe("text");
    }));
});
