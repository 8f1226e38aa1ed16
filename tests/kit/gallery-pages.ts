import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { launchBrowser, PAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import { getTabs } from "../support/browser/tabs";
import { serveGallery } from "./serve";

/**
 * `stopped`: the page's clock advances only when a test advances it. `early`: user actions before the page's scripts are loaded.
 * `lost`: scripts that fail to load.
 */
type PageOptions = BrowserContextOptions & {
  readonly stopped?: boolean;
  readonly early?: (page: Page) => Promise<void>;
  readonly lost?: RegExp;
};

/**
 * Serves the gallery to a test file. The returned function opens one of its pages, and fails on errors and warnings in the console, such
 * as hydration mismatches and blocked styles.
 */
export function galleryPages() {
  let browser: Browser;
  let gallery: Awaited<ReturnType<typeof serveGallery>>;
  beforeAll(async () => {
    [gallery, browser] = await Promise.all([serveGallery(), launchBrowser(PAGE_BROWSER_ARGS)]);
  });
  afterAll(async () => {
    await browser?.close();
    await gallery?.close();
  });
  return async function onPage(
    path: string,
    { stopped = false, early, lost, ...options }: PageOptions,
    run: (page: Page) => Promise<void>,
  ): Promise<void> {
    const tabs = getTabs(browser);
    const tab = await tabs.take(
      { viewport: { width: 1280, height: 800 }, locale: "ja-JP", ...options },
      "gallery",
      async () => {},
    );
    const { page } = tab;
    const complaints: string[] = [];
    const onConsole = (message: ConsoleMessage) => {
      const isLost = lost?.test(message.location().url);
      if (!isLost && (message.type() === "error" || message.type() === "warning"))
        complaints.push(message.text());
    };
    const onError = (error: Error) => complaints.push(error.message);
    page.addListener("console", onConsole).addListener("pageerror", onError);
    let isWell = false;
    try {
      if (stopped) {
        await page.clock.install();
        await page.clock.pauseAt(Date.now() + 1000);
      }
      if (lost) await page.route(lost, (route) => route.abort());
      let release = () => {};
      if (early) {
        const isReleased = new Promise<void>((resolve) => {
          release = resolve;
        });
        await page.route("**/client.js", async (route) => {
          await isReleased;
          await route.continue();
        });
      }
      await page.goto(`${gallery.origin}${path}`, { waitUntil: early ? "commit" : "load" });
      await early?.(page);
      release();
      // A page sets data-ready after two animation frames.
      if (stopped) await page.clock.runFor(100);
      if (options.javaScriptEnabled !== false) await page.waitForSelector("[data-ready]");
      await run(page);
      expect(complaints).toEqual([]);
      isWell = true;
    } finally {
      page.removeListener("console", onConsole).removeListener("pageerror", onError);
      await tabs.release(tab, isWell);
    }
  };
}

/** Moves the pointer once, and waits until the native elements have been replaced. */
export async function replaced(page: Page): Promise<void> {
  await page.mouse.move(3, 500);
  await page.mouse.move(5, 510);
  await page.waitForFunction(
    () =>
      document.querySelectorAll(
        "details[name=menu], header details, select[name=groupId]:not([hidden]), input[name=keywords]:not([type=hidden])",
      ).length === 0,
  );
}

/** Collects layout shifts from now on, including those right after an input. */
export const watchShifts = (page: Page) =>
  page.evaluate(() => {
    const total = { value: 0 };
    Object.assign(window, { shifts: total });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) total.value += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: false });
  });
/** Sum of the layout shifts since watchShifts. */
export const shifts = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return (window as unknown as { shifts: { value: number } }).shifts.value;
  });

/** The page's height and the boxes of its visible elements, to half a pixel. */
export const boxes = (page: Page) =>
  page.evaluate(() => [
    document.documentElement.scrollHeight,
    ...[...document.querySelectorAll("a[href], button, summary, .control, p, h1, h2, td")]
      .filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) &&
          !element.closest(".sr-only, [aria-hidden]") &&
          !element.parentElement?.closest(".control"),
      )
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height].map((value) => Math.round(value * 2) / 2).join(" ");
      }),
  ]);

/** Reads the fields that a form posted from the page that echoes them. */
export const posted = async (page: Page) =>
  new URLSearchParams((await page.locator("body").textContent()) ?? "");
