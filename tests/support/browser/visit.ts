/** Runs visits in a browser, which fail on unexpected console errors and on requests to other machines. */
import { mkdirSync } from "node:fs";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Locator,
  Page,
  Request,
} from "playwright-core";
import { expect, inject } from "vitest";
import { PLAYER_ORIGINS } from "~/domain/library/web-media";
import type { Lang } from "~/domain/shared/model";
import type { Translate } from "~/i18n/messages";
import { launchBrowser, PAGE_BROWSER_ARGS, STAGE_BROWSER_ARGS } from "../../../scripts/lib/browser";
import { fromRoot } from "../../../scripts/lib/paths";
import { type Caller, freshAddress } from "../api/caller";
import { mockOrigins } from "../external/mock-origins";
import { SHOWCASE_SITES, showcaseResponse } from "../external/showcase";
import { translateIn } from "../translate";
import { axeViolations } from "./axe";
import { fewerFrames } from "./fewer-frames";
import { plainDrawing } from "./plain-drawing";
import { getTabs } from "./tabs";

/** Environment variable that enables screenshots. They are only for manual review, and each takes as long as a page. */
const SCREENSHOTS_VARIABLE = "HIROBA_PICTURES";
export const wantsScreenshots = Boolean(process.env[SCREENSHOTS_VARIABLE]);

/** Browsers that are shared by all files of a run. Each starts at its first visit, and ends with the process. */
const browsers: Partial<Record<"flat" | "stage", Promise<Browser>>> = {};

function sharedBrowser(stage: boolean): Promise<Browser> {
  const kind = stage ? "stage" : "flat";
  const browser = browsers[kind] ?? launchBrowser(stage ? STAGE_BROWSER_ARGS : PAGE_BROWSER_ARGS);
  browsers[kind] = browser;
  return browser;
}

export interface VisitOptions {
  readonly lang?: Lang;
  readonly width?: 1280 | 390;
  /** False disables JavaScript. */
  readonly js?: boolean;
  /** Account of the browser's session; no session by default. */
  readonly as?: Caller;
  readonly origin?: string;
  /** A browser that replaces the shared one. */
  readonly browser?: Browser;
  /** Disables motion, for screenshots and axe. */
  readonly reducedMotion?: boolean;
  /**
   * True renders spaces in 3D. Otherwise the browser has no WebGL and shows the space's poster, because software rendering takes
   * seconds and most tests check only the surrounding page.
   */
  readonly stage?: boolean;
  /** Origin of another local site whose pages embed the product in a frame. */
  readonly embeddingOrigin?: string;
  readonly context?: BrowserContextOptions;
}

export interface BrowserVisit {
  readonly origin: string;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly lang: Lang;
  readonly js: boolean;
  /** Whether spaces are rendered in 3D. */
  readonly stage: boolean;
  /** Width of the window, in CSS pixels. `resize` changes it. */
  readonly width: number;
  /** URLs of web media players that were loaded so far. */
  readonly players: readonly string[];
  /** Translates the product's messages to this visit's language. */
  readonly t: Translate;
  /** Opens a path of the product and waits until the page is hydrated. */
  open(path: string): Promise<Page>;
  /** Allows responses with these statuses, for which the browser itself logs an error. */
  expectStatus(...statuses: number[]): void;
  /** Allows other console errors and failed requests. */
  expectError(pattern: RegExp): void;
  /** Sets the window's width, and the height that belongs to it. */
  resize(width: number): Promise<void>;
  /** Fails when axe finds a violation. */
  axe(screen: string): Promise<void>;
  /** Writes tests/pictures/app/<screen>-<lang>-<width>[-nojs].jpg when SCREENSHOTS_VARIABLE is set. */
  saveScreenshot(screen: string, options?: { fullPage?: boolean }): Promise<void>;
}

const isShowcase = (url: string) => SHOWCASE_SITES.some((site) => url.startsWith(site));
/** The browser's messages about software WebGL, which do not concern the page. */
const GRAPHICS_WARNINGS = /GPU stall due to ReadPixels|GL Driver Message|software WebGL has been deprecated/;
/** Message of the framework when a page is left while the next one is loading. The framework discards the response. */
const LEAVING_ERRORS = /^AbortError: BodyStreamBuffer was aborted/;
/** Removes WebGL from a page. */
function withoutWebGl(): void {
  const original = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...input: unknown[]) {
    return String(input[0]).startsWith("webgl") ? null : Reflect.apply(original, this, input);
  } as typeof original;
}

/**
 * Message of the framework when the browser aborts a request for the routes of links, because the page is being left. It is also the message of a lost
 * connection.
 */
const MANIFEST_ERROR = /^Failed to fetch manifest patches TypeError: Failed to fetch/;
const isAbortedManifest = (request: Request) =>
  new URL(request.url()).pathname === "/__manifest" && request.failure()?.errorText === "net::ERR_ABORTED";

/** Replacement for third-party pages that the product embeds, because tests send no requests to other machines. */
function fakeEmbeddedPage(url: string, isNavigation: boolean): { type: string; body: string } | null {
  const page = (title: string, colors: string) =>
    `<!doctype html><html lang="en"><title>${title}</title><body style="margin:0;${colors}"><main><h1>${title}</h1></main></body></html>`;
  if (isShowcase(url)) return showcaseResponse(url);
  if (isNavigation && PLAYER_ORIGINS.includes(new URL(url).origin))
    return { type: "text/html; charset=utf-8", body: page("Player", "background:#1d2b53;color:#fff") };
  return null;
}

const EMBEDDED_ORIGINS = [...SHOWCASE_SITES, ...PLAYER_ORIGINS.map((origin) => `${origin}/`)];

/** Fulfils the requests to embedded sites like mockOrigins, and also those of frames inside frames of other origins. Playwright's routes are slower. */
async function fulfillOtherOrigins(context: BrowserContext): Promise<void> {
  await context.route(
    (url) => url.protocol.startsWith("http"),
    (route) => {
      const request = route.request();
      const response = fakeEmbeddedPage(request.url(), request.isNavigationRequest());
      return response === null
        ? route.continue()
        : route.fulfill({ contentType: response.type, body: response.body });
    },
  );
}

const heightAt = (width: number) => (width < 640 ? 844 : 800);

/** Resolves when React has hydrated the page. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.documentElement).some((key) => key.startsWith("__react")),
  );
  // Effects add their content one frame later.
  await waitForFrame(page);
}

/** Resolves when React has hydrated the element, whose part of the page may be hydrated later than the page. Until then, links load documents. */
export async function waitUntilHydrated(element: Locator): Promise<void> {
  await expect
    .poll(() => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactProps"))))
    .toBe(true);
}

/** Clicks a button that posts, and waits for the resulting page. */
export async function submitForm({ page, js }: BrowserVisit, button: Locator): Promise<void> {
  const postResponse = page.waitForResponse((response) => response.request().method() === "POST");
  await button.click();
  await postResponse;
  await page.waitForLoadState();
  if (js) await waitForHydration(page);
}

/** Resolves when the page's next frame has been drawn. */
const waitForFrame = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Writes a screenshot of a failed visit's page into tests/pictures/failures, and prints its path and the page's URL. */
async function saveFailureScreenshot(page: Page): Promise<void> {
  const path = fromRoot("tests", "pictures", "failures", `${Date.now()}.jpg`);
  await page
    .screenshot({ path, type: "jpeg", timeout: 5_000 })
    .then(() => console.error(`The visit failed at ${page.url()}: ${path}`))
    .catch((reason: Error) => console.error(`The visit failed at ${page.url()}: ${reason.message}`));
}

/**
 * Runs a visit in a page of an empty context. It fails afterwards on console errors and warnings, script errors, violations of the
 * content security policy, and requests to other machines.
 */
export async function visit<T>(options: VisitOptions, run: (visit: BrowserVisit) => Promise<T>): Promise<T> {
  const { lang = "ja", width = 1280, js = true, reducedMotion = false, stage = false } = options;
  const origin = options.origin ?? inject("origin");
  const browser = options.browser ?? (await sharedBrowser(stage));
  const tabs = getTabs(browser);
  const tab = await tabs.take(
    {
      viewport: { width, height: heightAt(width) },
      javaScriptEnabled: js,
      serviceWorkers: "block",
      locale: lang === "ja" ? "ja-JP" : "en-GB",
      timezoneId: "Asia/Tokyo",
      reducedMotion: reducedMotion ? "reduce" : "no-preference",
      extraHTTPHeaders: { "cf-connecting-ip": freshAddress() },
      // Software rendering with few pixels, unless screenshots are taken.
      deviceScaleFactor: stage && !wantsScreenshots ? 0.25 : 1,
      ...options.context,
    },
    `${stage ? "stage" : "flat"}${options.embeddingOrigin ? ", framed" : ""}`,
    async ({ context, page }) => {
      context.setDefaultTimeout(30_000);
      if (stage) await context.addInitScript(fewerFrames);
      if (!stage) await context.addInitScript(withoutWebGl);
      // Screenshots for review show spaces as visitors see them.
      else if (!wantsScreenshots) await context.addInitScript(plainDrawing);
      if (options.embeddingOrigin) await fulfillOtherOrigins(context);
      else
        await mockOrigins(page, EMBEDDED_ORIGINS, ({ url, isNavigation }) =>
          fakeEmbeddedPage(url, isNavigation),
        );
    },
  );
  const { context, page } = tab;
  const consoleErrors: string[] = [];
  const externalRequests: string[] = [];
  const players: string[] = [];
  const expectedStatuses = new Set<number>();
  const allowedErrors: RegExp[] = [];
  const onConsole = (message: ConsoleMessage) => {
    const text = message.text();
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (GRAPHICS_WARNINGS.test(text) || LEAVING_ERRORS.test(text) || isShowcase(message.location().url))
      return;
    consoleErrors.push(`${text} (${message.location().url})`);
  };
  const onError = (error: Error) => {
    const text = error.stack ?? error.message;
    if (!LEAVING_ERRORS.test(text)) consoleErrors.push(text);
  };
  let abortedManifests = 0;
  const onRequestFailed = (request: Request) => {
    if (isAbortedManifest(request)) abortedManifests++;
  };
  const listen = (page: Page) => page.addListener("console", onConsole).addListener("pageerror", onError);
  const onRequest = (request: Request) => {
    const url = request.url();
    const target = new URL(url);
    if (
      target.origin === origin ||
      target.origin === options.embeddingOrigin ||
      !target.protocol.startsWith("http")
    )
      return;
    if (!fakeEmbeddedPage(url, request.isNavigationRequest())) externalRequests.push(url);
    else if (!isShowcase(url)) players.push(url);
  };
  listen(page);
  context.addListener("page", listen).addListener("request", onRequest);
  context.addListener("requestfailed", onRequestFailed);
  let hasSucceeded = false;
  try {
    await context.addCookies([
      { name: "lang", value: lang, url: origin },
      ...(options.as?.ticket ? [{ name: "session-ticket", value: options.as.ticket, url: origin }] : []),
    ]);
    const visitContext: BrowserVisit = {
      origin,
      context,
      page,
      lang,
      js,
      players,
      stage,
      get width() {
        return page.viewportSize()?.width ?? width;
      },
      t: translateIn(lang),
      async open(path) {
        await page.goto(new URL(path, origin).href);
        if (js) await waitForHydration(page);
        return page;
      },
      async resize(newWidth) {
        if (visitContext.width === newWidth) return;
        await page.setViewportSize({ width: newWidth, height: heightAt(newWidth) });
        if (js) await waitForFrame(page);
      },
      expectStatus: (...addedStatuses) => {
        for (const status of addedStatuses) expectedStatuses.add(status);
      },
      expectError: (pattern) => allowedErrors.push(pattern),
      async axe(screen) {
        expect
          .soft(await axeViolations(page), `axe on ${screen}, ${lang}, ${visitContext.width}`)
          .toEqual([]);
      },
      async saveScreenshot(screen, { fullPage = false } = {}) {
        if (!wantsScreenshots) return;
        const folder = fromRoot("tests", "pictures", "app");
        mkdirSync(folder, { recursive: true });
        // Loads images that wait for scrolling.
        if (fullPage)
          for (const image of await page.locator("img[loading=lazy]").all())
            await image.scrollIntoViewIfNeeded();
        if (fullPage) await page.evaluate(() => window.scrollTo(0, 0));
        const path = `${folder}/${screen}-${lang}-${visitContext.width}${js ? "" : "-nojs"}.jpg`;
        // JPEG, because writing a PNG takes three times as long.
        await page.screenshot({ path, fullPage, type: "jpeg", quality: 85 });
      },
    };
    const result = await run(visitContext);
    const unexpectedErrors = consoleErrors.filter((text) => {
      if (MANIFEST_ERROR.test(text) && abortedManifests > 0) {
        abortedManifests--;
        return false;
      }
      const status = /the server responded with a status of (\d+)/.exec(text)?.[1];
      return (
        !(status && expectedStatuses.has(Number(status))) &&
        !allowedErrors.some((pattern) => pattern.test(text))
      );
    });
    expect(unexpectedErrors, "errors in the console of the browser").toEqual([]);
    expect(externalRequests, "requests to other machines").toEqual([]);
    hasSucceeded = true;
    return result;
  } catch (error) {
    await saveFailureScreenshot(page);
    throw error;
  } finally {
    page.removeListener("console", onConsole).removeListener("pageerror", onError);
    context.removeListener("page", listen).removeListener("request", onRequest);
    context.removeListener("requestfailed", onRequestFailed);
    await tabs.release(tab, hasSucceeded);
  }
}

/** With and without scripts. */
export const SCRIPTS = [true, false] as const;
export const LANGUAGES = ["ja", "en"] as const satisfies readonly Lang[];
export const WIDTHS = [1280, 390] as const;

/** Each language, width and script setting once, for tests that do not depend on a particular combination. */
export const EACH_LANGUAGE_AND_WIDTH_ONCE = [
  { lang: "ja", js: true, width: 390 },
  { lang: "en", js: false, width: 1280 },
] as const satisfies readonly VisitOptions[];

/** Describes a visit's options for the name of a test. */
export const describeVisit = ({ lang, js = true, width }: VisitOptions) =>
  [lang, width, js ? "with scripts" : "without scripts"].filter(Boolean).join(", ");
