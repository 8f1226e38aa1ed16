import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { launchBrowser, PAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import { getTabs } from "../support/browser/tabs";
import { serveGallery } from "./serve";

/**
 * `stopClock`: the page's clock advances only when a test advances it. `beforeScripts`: runs before the page's script is
 * loaded. `failingScripts`: URLs of scripts that fail to load.
 */
type PageOptions = BrowserContextOptions & {
  readonly stopClock?: boolean;
  readonly beforeScripts?: (page: Page) => Promise<void>;
  readonly failingScripts?: RegExp;
};

/** Time in milliseconds that a stopped clock has advanced when a page is ready. */
export const LOADED_MS = 100;

/**
 * Serves the component gallery to a test file. The returned function opens one of its pages, and fails on errors and warnings in the console, such
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
    { stopClock = false, beforeScripts, failingScripts, ...options }: PageOptions,
    run: (page: Page) => Promise<void>,
  ): Promise<void> {
    const tabs = getTabs(browser);
    const tab = await tabs.take(
      { viewport: { width: 1280, height: 800 }, locale: "ja-JP", ...options },
      "gallery",
      async () => {},
    );
    const { page } = tab;
    const problems: string[] = [];
    const onConsole = (message: ConsoleMessage) => {
      const isExpectedFailure = failingScripts?.test(message.location().url);
      if (!isExpectedFailure && (message.type() === "error" || message.type() === "warning"))
        problems.push(message.text());
    };
    const onError = (error: Error) => problems.push(error.message);
    page.addListener("console", onConsole).addListener("pageerror", onError);
    let hasPassed = false;
    try {
      if (stopClock) {
        await page.clock.install();
        await page.clock.pauseAt(Date.now() + 1000);
      }
      if (failingScripts) await page.route(failingScripts, (route) => route.abort());
      let release = () => {};
      if (beforeScripts) {
        const released = new Promise<void>((resolve) => {
          release = resolve;
        });
        await page.route("**/client.js", async (route) => {
          await released;
          await route.continue();
        });
      }
      await page.goto(`${gallery.origin}${path}`, { waitUntil: beforeScripts ? "commit" : "load" });
      await beforeScripts?.(page);
      release();
      // A page sets data-ready after two animation frames.
      if (stopClock) await page.clock.runFor(LOADED_MS);
      if (options.javaScriptEnabled !== false) await page.waitForSelector("[data-ready]");
      await run(page);
      expect(problems).toEqual([]);
      hasPassed = true;
    } finally {
      page.removeListener("console", onConsole).removeListener("pageerror", onError);
      await tabs.release(tab, hasPassed);
    }
  };
}

/** Moves the pointer, and waits until the native elements have been replaced by scripted ones. */
export async function waitForReplacements(page: Page): Promise<void> {
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
export const readShifts = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return (window as unknown as { shifts: { value: number } }).shifts.value;
  });

/** The page's height, and the boxes of its visible controls, paragraphs, headings and table cells, to half a pixel. */
export const measureLayout = (page: Page) =>
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
export const readPostedFields = async (page: Page) =>
  new URLSearchParams((await page.locator("body").textContent()) ?? "");
