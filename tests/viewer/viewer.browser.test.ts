import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { decodeViewpoint } from "~/viewer/core/viewpoint-link";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import { measureColorDeviation, type VisitOptions, visit, withoutWebGl } from "./browser";

let browser: Browser;
const { origin } = inject("stage");

beforeAll(async () => {
  browser = await launchBrowser(STAGE_BROWSER_ARGS);
});
afterAll(() => browser?.close());

const onPage = (path: string, run: (page: Page) => Promise<void>, options?: VisitOptions) =>
  visit(browser, `${origin}${path}`, run, {
    viewport: { width: 800, height: 520 },
    reducedMotion: "reduce",
    ...options,
  });

const stage = (page: Page) => page.locator("section[data-stage]");
const ready = (page: Page) => page.waitForSelector('[data-stage="ready"]', { timeout: 30_000 });
const pin = (page: Page, id: string) => page.locator(`[data-pin="${id}"]`);
const isOpen = (page: Page, id: string) => page.locator(`#tag-${id} a`).getAttribute("aria-current");

/** The viewpoint of the link that the stage copies now. */
async function linkedView(page: Page): Promise<ReturnType<typeof decodeViewpoint>> {
  await page.getByRole("button", { name: "Copy link to this view" }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  return decodeViewpoint(new URL(text).searchParams.get("view"));
}
const mayCopy = { permissions: ["clipboard-read", "clipboard-write"] };

describe("the stage", () => {
  test("is a poster with the list beside it without scripts", () =>
    onPage(
      "/visit",
      async (page) => {
        expect(await stage(page).getAttribute("data-stage")).toBe("idle");
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
      await ready(page);
      const choice = page.getByRole("combobox", { name: "Animation" });
      expect(await choice.locator("option").allTextContents()).toEqual(["rise", "leave"]);
      await choice.focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect.poll(() => choice.inputValue()).toBe("1");
      // With reduced motion, the animation waits for the button.
      await page.getByRole("button", { name: "Play animation" }).click();
      await page.getByRole("button", { name: "Pause animation" }).waitFor();
    }));

  test("fetches 3D only after the page has loaded, then shows the space, its pins and its buttons", () =>
    onPage("/visit", async (page) => {
      await ready(page);
      const [loaded, model, code, codeCame] = await page.evaluate(() => {
        const all = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
        const start = (part: string) => all.find(({ name }) => name.includes(part))?.startTime ?? 0;
        const end = all.find(({ name }) => name.includes("model-viewer.client"))?.responseEnd ?? 0;
        return [
          page?.domContentLoadedEventEnd ?? 0,
          start("rooms.glb"),
          start("model-viewer.client"),
          end,
        ] as const;
      });
      expect(code).toBeGreaterThan(loaded);
      // The space's file is requested before the code needs it.
      expect(model).toBeGreaterThan(loaded);
      expect(model).toBeLessThan(codeCame);
      await expect
        .poll(async () => measureColorDeviation(await page.locator("canvas").screenshot()))
        .toBeGreaterThan(10);
      await pin(page, "north").waitFor();
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
      expect(await stage(page).getAttribute("data-stage")).toBe("idle");
      await page.getByRole("button", { name: "Enter the space" }).click();
      await ready(page);
    }));

  test("opens an item that is clicked in 3D in the list, and closes it with Escape or another click", () =>
    onPage("/visit", async (page) => {
      await ready(page);
      await pin(page, "north").click();
      await expect.poll(() => isOpen(page, "north")).toBe("true");
      expect(await pin(page, "north").getAttribute("aria-expanded")).toBe("true");
      await page.keyboard.press("Escape");
      await expect.poll(() => isOpen(page, "north")).toBe("false");
      await pin(page, "north").focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => isOpen(page, "north")).toBe("true");
      await page.keyboard.press("Enter");
      await expect.poll(() => isOpen(page, "north")).toBe("false");
    }));

  test("flies to the entry that is focused in the list, and opens the entry whose link is followed", () =>
    onPage(
      "/visit",
      async (page) => {
        await ready(page);
        const before = await linkedView(page);
        // The camera follows the focus of a keyboard.
        await page.keyboard.press("Tab");
        await page.getByRole("link", { name: "In the red room" }).focus();
        await pin(page, "red").waitFor();
        const arrivalView = await linkedView(page);
        expect(arrivalView?.position[0]).toBeGreaterThan(2);
        expect(arrivalView?.position).not.toEqual(before?.position);
        await page.getByRole("link", { name: "Bench" }).click();
        await expect.poll(() => isOpen(page, "bench")).toBe("true");
        await pin(page, "bench").waitFor();
      },
      mayCopy,
    ));

  test("copies a link that leads to the same view, with the open tag, and reads it", () =>
    onPage(
      "/visit?token=secret",
      async (page) => {
        await ready(page);
        await page.getByRole("link", { name: "Picture on the north wall" }).click();
        await expect.poll(() => isOpen(page, "north")).toBe("true");
        await pin(page, "north").waitFor();
        const view = await linkedView(page);
        expect(await page.getByText("Link to this view copied.").isVisible()).toBe(true);
        const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
        expect(link.searchParams.get("token")).toBe("secret");
        expect(link.searchParams.get("tag")).toBe("north");
        await page.goto(link.href);
        await ready(page);
        expect(await isOpen(page, "north")).toBe("true");
        expect(await linkedView(page)).toEqual(view);
      },
      mayCopy,
    ));

  test("shows the link in a field when the clipboard is not available", () =>
    onPage(
      "/visit",
      async (page) => {
        await ready(page);
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
        await ready(page);
        expect((await linkedView(page))?.position).toEqual([3, 1.6, 3]);
        for (const view of ["w_NaN_1_2_3_4", "w_900_1.6_900_0_0", "x"]) {
          await page.goto(`${origin}/visit?view=${view}`);
          await ready(page);
          expect((await linkedView(page))?.position, view).toEqual([-1.5, 1.6, 4.8]);
        }
      },
      mayCopy,
    ));

  test("explains how to move, and is closed by Escape without closing the open item", () =>
    onPage("/visit?tag=north", async (page) => {
      await ready(page);
      await page.getByRole("button", { name: "How to move" }).click();
      const help = page.getByRole("dialog", { name: "How to move" });
      await help.waitFor();
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "detached" });
      expect(await isOpen(page, "north")).toBe("true");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("How to move");
    }));

  test("hides its buttons while they are unused, and shows them for the keyboard", () =>
    onPage("/visit", async (page) => {
      await ready(page);
      const bar = page.getByRole("toolbar", { name: "View controls" }).locator("..");
      const opacity = () => bar.evaluate((element) => getComputedStyle(element).opacity);
      await page.mouse.move(300, 200);
      await expect.poll(opacity).toBe("1");
      await expect.poll(opacity, { timeout: 8000 }).toBe("0");
      await page.getByRole("button", { name: "Walk" }).focus();
      await expect.poll(opacity).toBe("1");
    }));

  test("has one row of buttons on a phone, and the others behind one of them", () =>
    onPage(
      "/visit",
      async (page) => {
        await ready(page);
        const zoom = page.getByRole("button", { name: "Zoom in" });
        expect(await zoom.isVisible()).toBe(false);
        const bars = page.getByRole("toolbar", { name: "View controls" });
        expect((await bars.boundingBox())?.height).toBeLessThan(60);
        await page.getByRole("button", { name: "More controls" }).press("Enter");
        await zoom.click();
        const measure = page.getByRole("button", { name: "Measure" });
        await measure.press("Enter");
        // While measuring, all other buttons are hidden. The tool's code is loaded with the first press.
        await expect.poll(() => zoom.isVisible()).toBe(false);
        await expect.poll(() => measure.getAttribute("aria-pressed")).toBe("true");
        // With forced colours, pressed buttons need another mark.
        await page.emulateMedia({ forcedColors: "active" });
        const ground = (name: string) =>
          page.getByRole("button", { name }).evaluate((button) => getComputedStyle(button).backgroundColor);
        expect(await ground("Measure")).not.toBe(await ground("More controls"));
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
        await ready(page);
      },
      { expected: /ERR_FAILED|could not be shown/, failing: "**/rooms.glb" },
    ));

  test("keeps the poster and the list in a browser without WebGL", () =>
    onPage(
      "/visit?lang=ja",
      async (page) => {
        await page.waitForSelector('[data-stage="failed"]');
        expect(await page.getByText("このブラウザは3D（WebGL 2）を表示できません。").isVisible()).toBe(true);
        expect(await page.getByRole("link", { name: "Bench" }).isVisible()).toBe(true);
      },
      { prepare: withoutWebGl },
    ));

  test("shows a showcase in its frame, without buttons that it does not support", () =>
    onPage("/visit?kind=showcase", async (page) => {
      await ready(page);
      expect(await page.locator("section iframe").getAttribute("title")).toBe("Two rooms");
      expect(await page.getByRole("button", { name: "Zoom in" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Full screen" }).isVisible()).toBe(true);
    }));

  test("steps between panoramas by the rings on the floor, and by names that are always there", () =>
    onPage("/visit?kind=panorama&view=w_0_1.6_3_-90_-25_door", async (page) => {
      await ready(page);
      const places = page.getByRole("group", { name: "Places to go" }).getByRole("button");
      expect(await places.allTextContents()).toEqual(["Green room", "Red room"]);
      // The view is to the east: the red room is ahead and the green one behind, and their arrows point accordingly.
      const [green = 0, red = 0] = await places
        .locator("span")
        .evaluateAll((arrows) => arrows.map((arrow) => Number.parseFloat(getComputedStyle(arrow).rotate)));
      expect(Math.cos(((red + 90) * Math.PI) / 180)).toBeCloseTo(1, 2);
      expect(Math.cos(((green + 90) * Math.PI) / 180)).toBeLessThan(-0.8);
      await page.getByRole("button", { name: "Go to Red room" }).click();
      await page.getByRole("button", { name: "Go to Red room" }).waitFor({ state: "detached" });
      expect(await page.getByRole("button", { name: "Walk" }).count()).toBe(0);
      // The arrows stay visible when the other buttons are hidden, and keep the focus when the visitor moves.
      const toolbar = page.getByRole("toolbar").locator("..");
      await page.mouse.move(10, 10);
      await expect
        .poll(() => toolbar.evaluate((bar) => getComputedStyle(bar).opacity), { timeout: 8000 })
        .toBe("0");
      expect(await places.allTextContents()).toEqual(["Door"]);
      expect(await places.first().isVisible()).toBe(true);
      await places.first().focus();
      await page.keyboard.press("Enter");
      await page
        .getByRole("status")
        .filter({ hasText: "You are here: Door." })
        .waitFor({ state: "attached" });
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Green room");
    }));

  test("shows the metadata of a showcase that cannot be reached, a link to it, and a retry", () =>
    onPage(
      "/visit?kind=showcase",
      async (page) => {
        await page.waitForSelector('[data-stage="failed"]');
        const status = page.getByRole("status").filter({ hasText: "The showcase cannot be reached" });
        expect(await status.isVisible()).toBe(true);
        expect(await status.getByText("Two rooms").isVisible()).toBe(true);
        const way = status.getByRole("link", { name: "Open on my.matterport.com" });
        expect(await way.getAttribute("href")).toContain("https://my.matterport.com/show/?m=");
        expect(await page.locator("iframe").count()).toBe(0);
        await page.unroute("https://my.matterport.com/**");
        await page.getByRole("button", { name: "Try again" }).click();
        await ready(page);
        expect(await page.locator("iframe").isVisible()).toBe(true);
      },
      { expected: /ERR_FAILED/, failing: "https://my.matterport.com/**" },
    ));

  test("reports that a showcase takes long, and shows the focus on the canvas", async () => {
    await onPage(
      "/visit?kind=showcase",
      async (page) => {
        await page.getByText("This is taking a while.").first().waitFor();
        expect(await stage(page).getAttribute("data-stage")).toBe("loading");
        expect(await page.getByRole("link", { name: "Open on my.matterport.com" }).isVisible()).toBe(true);
      },
      { hanging: "https://my.matterport.com/**" },
    );
    await onPage("/visit", async (page) => {
      await ready(page);
      const frame = () =>
        page
          .locator("canvas")
          .evaluate((canvas) => getComputedStyle(canvas.parentElement ?? canvas, "::after").display);
      await page.locator("canvas").click({ position: { x: 20, y: 20 } });
      expect(await frame()).toBe("none");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Shift+Tab");
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("CANVAS");
      expect(await frame()).toBe("block");
    });
  });

  test("disposes everything when its page is left, also during loading", () =>
    onPage("/visit", async (page) => {
      await ready(page);
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
    test(`${path} at ${width} px has no axe violations, no target under 40 px and no cut-off content`, () =>
      onPage(
        path,
        async (page) => {
          await ready(page);
          await page.waitForTimeout(300);
          const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
          expect(
            violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
          ).toEqual([]);
          const boxes = await page.locator("section button:visible").evaluateAll((buttons) =>
            buttons.map((element) => {
              const { left, right, width: w, height: h } = element.getBoundingClientRect();
              return {
                name: element.textContent,
                ring: element.hasAttribute("data-stop"),
                left,
                right,
                small: w < 40 || h < 40,
              };
            }),
          );
          expect(boxes.filter(({ small }) => small)).toEqual([]);
          // Rings on the floor may be cut off at the window's edge, like the floor.
          expect(boxes.filter(({ ring, left, right }) => !ring && (left < 0 || right > width))).toEqual([]);
        },
        { viewport: { width, height } },
      ));
});
