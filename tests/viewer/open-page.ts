import type { Browser, BrowserContextOptions, ConsoleMessage, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { fewerFrames } from "../support/browser/fewer-frames";
import { plainDrawing } from "../support/browser/plain-drawing";
import { getTabs } from "../support/browser/tabs";
import { mockOrigins } from "../support/external/mock-origins";
import { SHOWCASE_SITES, showcaseResponse } from "../support/external/showcase";

declare global {
  interface Window {
    /** Number of WebGL contexts that still work. */
    liveContexts(): number;
    /** Number of animation frames requested since the page started. */
    frameCount: number;
    /** Whether a requested animation frame has neither run nor been cancelled. */
    hasPendingFrame(): boolean;
  }
}

/** Counts the frames and WebGL contexts that a stage requests. Runs before any script of the page. */
function countResources(): void {
  const contexts: WeakRef<WebGL2RenderingContext>[] = [];
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...input: unknown[]) {
    const context = (getContext as (...values: unknown[]) => RenderingContext | null).apply(this, input);
    if (context instanceof WebGL2RenderingContext) contexts.push(new WeakRef(context));
    return context;
  } as typeof getContext;
  window.liveContexts = () => contexts.filter((ref) => ref.deref()?.isContextLost() === false).length;
  window.frameCount = 0;
  const pendingFrames = new Set<number>();
  window.hasPendingFrame = () => pendingFrames.size > 0;
  const request = window.requestAnimationFrame;
  window.requestAnimationFrame = (callback) => {
    window.frameCount++;
    const id = request.call(window, (time) => {
      pendingFrames.delete(id);
      callback(time);
    });
    pendingFrames.add(id);
    return id;
  };
  const cancel = window.cancelAnimationFrame;
  window.cancelAnimationFrame = (id) => {
    pendingFrames.delete(id);
    cancel.call(window, id);
  };
}

/** Removes WebGL and all other canvas contexts from a page. */
export function withoutWebGl(): void {
  HTMLCanvasElement.prototype.getContext = () => null;
}

export interface TestPageOptions extends BrowserContextOptions {
  /** Runs in the page before its scripts. */
  readonly prepare?: () => void;
  /** Console messages that this test expects. */
  readonly expected?: RegExp;
  /** URLs that fail until the test unroutes them. */
  readonly failing?: string;
  /** URLs that never respond. */
  readonly hanging?: string;
}

/** Device pixels per CSS pixel. The ratio is low because of software rendering. */
export const pixelRatio = 0.25;
/** Console message of software rendering that does not concern the page. */
const HARMLESS = /GPU stall due to ReadPixels/;

/** An open page, with its collected errors. */
export interface OpenPage {
  readonly page: Page;
  /** Uncaught errors, console errors and warnings, and requests that leave the machine. */
  readonly problems: readonly string[];
  /** @param hasPassed true when the test passed, so that another test may reuse the page */
  close(hasPassed: boolean): Promise<void>;
}

/** Opens a page, and collects its problems. */
export async function openPage(
  browser: Browser,
  href: string,
  { prepare, expected, failing, hanging, ...options }: TestPageOptions = {},
): Promise<OpenPage> {
  const tabs = getTabs(browser);
  // Failing and hanging requests use Playwright's routes, which intercept all requests.
  const isRouted = Boolean(failing || hanging);
  const tab = await tabs.take(
    { viewport: { width: 640, height: 420 }, deviceScaleFactor: pixelRatio, ...options },
    isRouted ? "routed" : "",
    async ({ context, page }) => {
      await context.addInitScript(fewerFrames);
      await context.addInitScript(plainDrawing);
      await context.addInitScript(countResources);
      if (!isRouted) await mockOrigins(page, SHOWCASE_SITES, ({ url }) => showcaseResponse(url));
    },
  );
  const { context, page } = tab;
  const problems: string[] = [];
  const { origin } = new URL(href);
  const onRequest = (request: Request) => {
    const url = request.url();
    if (![origin, "blob:", "data:", "about:", ...SHOWCASE_SITES].some((prefix) => url.startsWith(prefix)))
      problems.push(`request to ${url}`);
  };
  const onConsole = (message: ConsoleMessage) => {
    const text = message.text();
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (!HARMLESS.test(text) && !expected?.test(text)) problems.push(text);
  };
  const onError = (error: Error) => problems.push(error.stack ?? error.message);
  context.addListener("request", onRequest);
  page.addListener("console", onConsole).addListener("pageerror", onError);
  if (prepare) await context.addInitScript(prepare);
  if (isRouted)
    for (const site of SHOWCASE_SITES)
      await context.route(`${site}**`, (route) => {
        const response = showcaseResponse(route.request().url());
        return response ? route.fulfill({ contentType: response.type, body: response.body }) : route.abort();
      });
  if (hanging) await page.route(hanging, () => {});
  if (failing) await page.route(failing, (route) => route.abort());
  const close = (hasPassed: boolean) => {
    context.removeListener("request", onRequest);
    page.removeListener("console", onConsole).removeListener("pageerror", onError);
    return tabs.release(tab, hasPassed);
  };
  await page.goto(href);
  return { page, problems, close };
}

/** Opens a page for one test, which fails if the page has problems. */
export async function withPage(
  browser: Browser,
  url: string,
  run: (page: Page) => Promise<void>,
  options: TestPageOptions = {},
): Promise<void> {
  const { page, problems, close } = await openPage(browser, url, options);
  let hasPassed = false;
  try {
    await run(page);
    expect(problems).toEqual([]);
    hasPassed = true;
  } finally {
    await close(hasPassed);
  }
}

/** Deviation of an image's colours: about 0 for an empty canvas. */
export async function measureColorDeviation(image: Buffer): Promise<number> {
  const { default: sharp } = await import("sharp");
  const { channels } = await sharp(image).removeAlpha().stats();
  return Math.max(...channels.map(({ stdev }) => stdev));
}
