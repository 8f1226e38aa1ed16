import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { decodeViewpoint } from "~/viewer/core/viewpoint-link";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import { measureColorDeviation, type TestPageOptions, withoutWebGl, withPage } from "./open-page";

let browser: Browser;
const { origin } = inject("stage");

beforeAll(async () => {
  browser = await launchBrowser(STAGE_BROWSER_ARGS);
});
afterAll(() => browser?.close());

const onPage = (path: string, run: (page: Page) => Promise<void>, options?: TestPageOptions) =>
  withPage(browser, `${origin}${path}`, run, {
    viewport: { width: 800, height: 520 },
    reducedMotion: "reduce",
    ...options,
  });

const findStage = (page: Page) => page.locator("section[data-stage]");
const waitUntilReady = (page: Page) => page.waitForSelector('[data-stage="ready"]', { timeout: 30_000 });
const findPin = (page: Page, id: string) => page.locator(`[data-pin="${id}"]`);
const readAriaCurrent = (page: Page, id: string) => page.locator(`#tag-${id} a`).getAttribute("aria-current");

/** The viewpoint of the link that the stage copies now. */
async function readLinkedView(page: Page): Promise<ReturnType<typeof decodeViewpoint>> {
  await page.getByRole("button", { name: "Copy link to this view" }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  return decodeViewpoint(new URL(text).searchParams.get("view"));
}
const clipboardAccess = { permissions: ["clipboard-read", "clipboard-write"] };

describe("the stage", () => {
  test("is a poster with the list beside it without scripts", () =>
    onPage(
      "/visit",
      async (page) => {
        expect(await findStage(page).getAttribute("data-stage")).toBe("idle");
        expect(
          await page.locator("section img").evaluate((image) => (image as HTMLImageElement).naturalWidth),
        ).toBe(640);
        expect(await page.locator("noscript p").isVisible()).toBe(true);
        expect(await page.locator("section button").count()).toBe(0);
        expect(await page.getByRole("link", { name: "Bench" }).isVisible()).toBe(true);
      },
      { javaScriptEnabled: false },
    ));

  test("offers the animations of a model's file by their names, by keys as well", () =>
    onPage("/visit?file=/packed/animated.glb", async (page) => {
      await waitUntilReady(page);
      const animationSelect = page.getByRole("combobox", { name: "Animation" });
      expect(await animationSelect.locator("option").allTextContents()).toEqual(["rise", "leave"]);
      await animationSelect.focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect.poll(() => animationSelect.inputValue()).toBe("1");
      // With reduced motion, the animation waits for the button.
      await page.getByRole("button", { name: "Play animation" }).click();
      await page.getByRole("button", { name: "Pause animation" }).waitFor();
    }));

  test("keeps the old variant and reports a variant that cannot be loaded", () =>
    onPage(
      "/visit?file=/packed/variant-damaged.glb",
      async (page) => {
        await waitUntilReady(page);
        const variantSelect = page.getByRole("combobox", { name: "Variant" });
        await variantSelect.selectOption("0");
        await page.getByText("This variant could not be loaded.").waitFor();
        expect(await page.getByText("A simpler version is shown").count()).toBe(0);
        expect(await variantSelect.inputValue()).toBe("");
        // A choice that another one replaces at once reports nothing.
        await variantSelect.evaluate((element) => {
          const select = element as unknown as HTMLSelectElement;
          for (const value of ["0", ""]) {
            select.value = value;
            select.dispatchEvent(new Event("change", { bubbles: true }));
          }
        });
        await page.waitForTimeout(1_000);
        expect(await page.getByText("This variant could not be loaded.").count()).toBe(0);
      },
      { expected: /THREE.GLTFLoader: Couldn't load texture/ },
    ));

  test("fetches 3D only after DOMContentLoaded, then shows the space, its pins and its buttons", () =>
    onPage("/visit", async (page) => {
      await waitUntilReady(page);
      const [pageLoadedTime, modelStart, codeStart, codeEnd] = await page.evaluate(() => {
        const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
        const start = (part: string) => resources.find(({ name }) => name.includes(part))?.startTime ?? 0;
        const end = resources.find(({ name }) => name.includes("model-viewer.client"))?.responseEnd ?? 0;
        return [
          navigation?.domContentLoadedEventEnd ?? 0,
          start("rooms.glb"),
          start("model-viewer.client"),
          end,
        ] as const;
      });
      expect(codeStart).toBeGreaterThan(pageLoadedTime);
      // The space's file is requested before the code needs it.
      expect(modelStart).toBeGreaterThan(pageLoadedTime);
      expect(modelStart).toBeLessThan(codeEnd);
      await expect
        .poll(async () => measureColorDeviation(await page.locator("canvas").screenshot()))
        .toBeGreaterThan(10);
      await findPin(page, "north").waitFor();
      for (const name of ["Walk", "Overview", "From above", "Zoom in", "How to move", "Full screen"])
        expect(await page.getByRole("button", { name }).isVisible(), name).toBe(true);
      expect(await page.getByRole("button", { name: "Walk" }).getAttribute("aria-pressed")).toBe("true");
      await page.getByRole("button", { name: "From above" }).click();
      await expect
        .poll(() => page.getByRole("button", { name: "From above" }).getAttribute("aria-pressed"))
        .toBe("true");
    }));

  test("waits for the visitor when the page requests it", () =>
    onPage("/visit?start=wait", async (page) => {
      await page.waitForTimeout(600);
      expect(await findStage(page).getAttribute("data-stage")).toBe("idle");
      await page.getByRole("button", { name: "Enter the space" }).click();
      await waitUntilReady(page);
    }));

  test("opens an item that is clicked in 3D in the list, keeps it open at another click, and closes it by key", () =>
    onPage("/visit", async (page) => {
      await waitUntilReady(page);
      await findPin(page, "north").click();
      await expect.poll(() => readAriaCurrent(page, "north")).toBe("true");
      expect(await findPin(page, "north").getAttribute("aria-expanded")).toBe("true");
      await findPin(page, "north").click();
      expect(await findPin(page, "north").getAttribute("aria-expanded")).toBe("true");
      await page.keyboard.press("Escape");
      await expect.poll(() => readAriaCurrent(page, "north")).toBe("false");
      await findPin(page, "north").focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => readAriaCurrent(page, "north")).toBe("true");
      await page.keyboard.press("Enter");
      await expect.poll(() => readAriaCurrent(page, "north")).toBe("false");
    }));

  test("flies to the entry that is focused in the list, and opens the entry whose link is followed", () =>
    onPage(
      "/visit",
      async (page) => {
        await waitUntilReady(page);
        const viewBefore = await readLinkedView(page);
        // The camera follows the focus of a keyboard.
        await page.keyboard.press("Tab");
        await page.getByRole("link", { name: "In the red room" }).focus();
        await findPin(page, "red").waitFor();
        const arrivalView = await readLinkedView(page);
        expect(arrivalView?.position[0]).toBeGreaterThan(2);
        expect(arrivalView?.position).not.toEqual(viewBefore?.position);
        await page.getByRole("link", { name: "Bench" }).click();
        await expect.poll(() => readAriaCurrent(page, "bench")).toBe("true");
        await findPin(page, "bench").waitFor();
      },
      clipboardAccess,
    ));

  test("copies a link with the view, the open tag and the page's own parameters, which opens at the same view", () =>
    onPage(
      "/visit?token=secret",
      async (page) => {
        await waitUntilReady(page);
        await page.getByRole("link", { name: "Picture on the north wall" }).click();
        await expect.poll(() => readAriaCurrent(page, "north")).toBe("true");
        await findPin(page, "north").waitFor();
        const view = await readLinkedView(page);
        expect(await page.getByText("Link to this view copied.").isVisible()).toBe(true);
        const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
        expect(link.searchParams.get("token")).toBe("secret");
        expect(link.searchParams.get("tag")).toBe("north");
        await page.goto(link.href);
        await waitUntilReady(page);
        expect(await readAriaCurrent(page, "north")).toBe("true");
        expect(await readLinkedView(page)).toEqual(view);
      },
      clipboardAccess,
    ));

  test("shows the link in a field when the clipboard is not available", () =>
    onPage(
      "/visit",
      async (page) => {
        await waitUntilReady(page);
        await page.getByRole("button", { name: "Copy link to this view" }).click();
        expect(await page.getByRole("textbox", { name: "Link to this view" }).inputValue()).toContain(
          "view=w_",
        );
      },
      {
        prepare: () => {
          Object.defineProperty(navigator, "clipboard", { value: undefined });
        },
      },
    ));

  test("begins at a linked view, and at its own start for an invalid link", () =>
    onPage(
      "/visit?view=w_3_1.6_3_90_0",
      async (page) => {
        await waitUntilReady(page);
        expect((await readLinkedView(page))?.position).toEqual([3, 1.6, 3]);
        for (const view of ["w_NaN_1_2_3_4", "w_900_1.6_900_0_0", "x"]) {
          await page.goto(`${origin}/visit?view=${view}`);
          await waitUntilReady(page);
          expect((await readLinkedView(page))?.position, view).toEqual([-1.5, 1.6, 4.8]);
        }
      },
      clipboardAccess,
    ));

  test("explains how to move in a dialog, which Escape closes without closing the open item", () =>
    onPage("/visit?tag=north", async (page) => {
      await waitUntilReady(page);
      await page.getByRole("button", { name: "How to move" }).click();
      const help = page.getByRole("dialog", { name: "How to move" });
      await help.waitFor();
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "detached" });
      expect(await readAriaCurrent(page, "north")).toBe("true");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("How to move");
    }));

  test("hides its buttons while they are unused, and shows them for the keyboard", () =>
    onPage("/visit", async (page) => {
      await waitUntilReady(page);
      const bar = page.getByRole("toolbar", { name: "View controls" }).locator("..");
      const readOpacity = () => bar.evaluate((element) => getComputedStyle(element).opacity);
      await page.mouse.move(300, 200);
      await expect.poll(readOpacity).toBe("1");
      await expect.poll(readOpacity, { timeout: 8000 }).toBe("0");
      await page.getByRole("button", { name: "Walk" }).focus();
      await expect.poll(readOpacity).toBe("1");
    }));

  test("has one row of buttons on a phone, and the others behind one of them", () =>
    onPage(
      "/visit",
      async (page) => {
        await waitUntilReady(page);
        const zoom = page.getByRole("button", { name: "Zoom in" });
        expect(await zoom.isVisible()).toBe(false);
        const toolbar = page.getByRole("toolbar", { name: "View controls" });
        expect((await toolbar.boundingBox())?.height).toBeLessThan(60);
        await page.getByRole("button", { name: "More controls" }).press("Enter");
        await zoom.click();
        const measure = page.getByRole("button", { name: "Measure" });
        await measure.press("Enter");
        // While measuring, the zoom buttons are hidden again. The tool's code is loaded with the first press.
        await expect.poll(() => zoom.isVisible()).toBe(false);
        await expect.poll(() => measure.getAttribute("aria-pressed")).toBe("true");
        // With forced colours, a pressed button still has another background.
        await page.emulateMedia({ forcedColors: "active" });
        const readBackground = (name: string) =>
          page.getByRole("button", { name }).evaluate((button) => getComputedStyle(button).backgroundColor);
        expect(await readBackground("Measure")).not.toBe(await readBackground("More controls"));
        await page.emulateMedia({ forcedColors: null });
        await measure.press("Enter");
        await expect.poll(() => measure.isVisible()).toBe(false);
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toBe("More controls");
      },
      { viewport: { width: 360, height: 740 } },
    ));

  test("keeps the poster and shows a message when the space does not load, with a retry", () =>
    onPage(
      "/visit",
      async (page) => {
        await page.waitForSelector('[data-stage="failed"]');
        expect(await page.getByRole("status").filter({ hasText: "could not be loaded" }).isVisible()).toBe(
          true,
        );
        expect(await page.locator("section img").isVisible()).toBe(true);
        expect(await page.locator("canvas").count()).toBe(0);
        await page.unroute("**/rooms.glb");
        await page.getByRole("button", { name: "Try again" }).click();
        await waitUntilReady(page);
      },
      { expected: /ERR_FAILED|could not be shown/, failing: "**/rooms.glb" },
    ));

  test("keeps the poster and the list in a browser without WebGL", () =>
    onPage(
      "/visit?lang=ja",
      async (page) => {
        await page.waitForSelector('[data-stage="failed"]');
        expect(await page.getByText("このブラウザは3D（WebGL 2）を表示できません。").isVisible()).toBe(true);
        expect(await page.locator("section img").isVisible()).toBe(true);
        expect(await page.getByRole("link", { name: "Bench" }).isVisible()).toBe(true);
      },
      { prepare: withoutWebGl },
    ));

  test("shows a showcase in its frame, without buttons that it does not support", () =>
    onPage("/visit?kind=showcase", async (page) => {
      await waitUntilReady(page);
      expect(await page.locator("section iframe").getAttribute("title")).toBe("Two rooms");
      expect(await page.getByRole("button", { name: "Zoom in" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Full screen" }).isVisible()).toBe(true);
    }));

  test("steps between panoramas by the rings on the floor, and by names that are always there", () =>
    onPage("/visit?kind=panorama&view=w_0_1.6_3_-90_-25_door", async (page) => {
      await waitUntilReady(page);
      const placeButtons = page.getByRole("group", { name: "Places to go" }).getByRole("button");
      expect(await placeButtons.allTextContents()).toEqual(["Green room", "Red room"]);
      // The view is to the east: the red room is ahead and the green one behind, and their arrows point accordingly.
      const [greenAngle = 0, redAngle = 0] = await placeButtons
        .locator("span")
        .evaluateAll((arrows) => arrows.map((arrow) => Number.parseFloat(getComputedStyle(arrow).rotate)));
      expect(Math.cos(((redAngle + 90) * Math.PI) / 180)).toBeCloseTo(1, 2);
      expect(Math.cos(((greenAngle + 90) * Math.PI) / 180)).toBeLessThan(-0.8);
      await page.getByRole("button", { name: "Go to Red room" }).click();
      await page.getByRole("button", { name: "Go to Red room" }).waitFor({ state: "detached" });
      expect(await page.getByRole("button", { name: "Walk" }).count()).toBe(0);
      // The arrows stay visible when the other buttons are hidden, and keep the focus when the visitor moves.
      const toolbar = page.getByRole("toolbar").locator("..");
      await page.mouse.move(10, 10);
      await expect
        .poll(() => toolbar.evaluate((bar) => getComputedStyle(bar).opacity), { timeout: 8000 })
        .toBe("0");
      expect(await placeButtons.allTextContents()).toEqual(["Door"]);
      expect(await placeButtons.first().isVisible()).toBe(true);
      await placeButtons.first().focus();
      await page.keyboard.press("Enter");
      await page
        .getByRole("status")
        .filter({ hasText: "You are here: Door." })
        .waitFor({ state: "attached" });
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Green room");
    }));

  test.each(["view=w_3_1.6_3_0_0_red", "tag=red"])(
    "opens at its start, with a message, when the panorama of the link %s does not load",
    (link) =>
      onPage(
        `/visit?kind=panorama&${link}`,
        async (page) => {
          await waitUntilReady(page);
          const message = page.getByText("That place could not be loaded, so you stayed here.");
          await message.waitFor();
          // The message stays after the camera has settled.
          await page.waitForTimeout(500);
          expect(await message.isVisible()).toBe(true);
          const placeButtons = page.getByRole("group", { name: "Places to go" }).getByRole("button");
          expect(await placeButtons.allTextContents()).toEqual(["Door"]);
        },
        { expected: /ERR_FAILED/, failing: "**/red.jpg" },
      ),
  );

  test("shows the title of a showcase that cannot be reached, a link to it, and a retry", () =>
    onPage(
      "/visit?kind=showcase",
      async (page) => {
        await page.waitForSelector('[data-stage="failed"]');
        const status = page.getByRole("status").filter({ hasText: "The showcase cannot be reached" });
        expect(await status.isVisible()).toBe(true);
        expect(await status.getByText("Two rooms").isVisible()).toBe(true);
        const showcaseLink = status.getByRole("link", { name: "Open on my.matterport.com" });
        expect(await showcaseLink.getAttribute("href")).toContain("https://my.matterport.com/show/?m=");
        expect(await page.locator("iframe").count()).toBe(0);
        await page.unroute("https://my.matterport.com/**");
        await page.getByRole("button", { name: "Try again" }).click();
        await waitUntilReady(page);
        expect(await page.locator("iframe").isVisible()).toBe(true);
      },
      { expected: /ERR_FAILED/, failing: "https://my.matterport.com/**" },
    ));

  test("reports that a showcase takes long, and shows the focus on the canvas", async () => {
    await onPage(
      "/visit?kind=showcase",
      async (page) => {
        await page.getByText("This is taking a while.").first().waitFor();
        expect(await findStage(page).getAttribute("data-stage")).toBe("loading");
        expect(await page.getByRole("link", { name: "Open on my.matterport.com" }).isVisible()).toBe(true);
      },
      { hanging: "https://my.matterport.com/**" },
    );
    await onPage("/visit", async (page) => {
      await waitUntilReady(page);
      const readFocusFrame = () =>
        page
          .locator("canvas")
          .evaluate((canvas) => getComputedStyle(canvas.parentElement ?? canvas, "::after").display);
      await page.locator("canvas").click({ position: { x: 20, y: 20 } });
      expect(await readFocusFrame()).toBe("none");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Shift+Tab");
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("CANVAS");
      expect(await readFocusFrame()).toBe("block");
    });
  });

  test("disposes its canvas and its WebGL context when its page is left, also during loading", () =>
    onPage("/visit", async (page) => {
      await waitUntilReady(page);
      await page.evaluate(() => window.leave());
      expect(
        await page.evaluate(() => [window.liveContexts(), document.querySelectorAll("canvas").length]),
      ).toEqual([0, 0]);
      await page.goto(`${origin}/visit?file=/slow.glb`);
      await page.waitForSelector("canvas", { state: "attached" });
      await page.evaluate(() => window.leave());
      expect(
        await page.evaluate(() => [window.liveContexts(), document.querySelectorAll("canvas").length]),
      ).toEqual([0, 0]);
    }));

  for (const [path, width, height] of [
    ["/visit", 1280, 800],
    ["/visit?lang=ja&tag=north", 390, 844],
    ["/visit?kind=panorama", 390, 844],
    ["/visit?lang=ja", 320, 400],
    ["/visit?kind=showcase", 1280, 800],
  ] as const)
    test(`${path} at ${width} px has no axe violations, and no stage button under 40 px or cut off at the sides`, () =>
      onPage(
        path,
        async (page) => {
          await waitUntilReady(page);
          await page.waitForTimeout(300);
          const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
          expect(
            violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
          ).toEqual([]);
          const boxes = await page.locator("section button:visible").evaluateAll((buttons) =>
            buttons.map((element) => {
              const {
                left,
                right,
                width: buttonWidth,
                height: buttonHeight,
              } = element.getBoundingClientRect();
              return {
                name: element.textContent,
                isRing: element.hasAttribute("data-node"),
                left,
                right,
                isSmall: buttonWidth < 40 || buttonHeight < 40,
              };
            }),
          );
          expect(boxes.filter(({ isSmall }) => isSmall)).toEqual([]);
          // Rings on the floor may be cut off at the window's edge, like the floor.
          expect(boxes.filter(({ isRing, left, right }) => !isRing && (left < 0 || right > width))).toEqual(
            [],
          );
        },
        { viewport: { width, height } },
      ));
});
