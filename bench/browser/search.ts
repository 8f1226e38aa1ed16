/** Measures searches among 500 tags in the visitor page and in the editor. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { sessionCookieName } from "../../app/domain/auth/session";
import { computeSpread, type Spread } from "../spread";
import type { LargeEvent } from "./large-event";
import { waitForStage } from "./walks";

/** Timeout for a busy machine, in milliseconds. */
const TIMEOUT_MS = 120_000;
/** Search text that is typed one letter at a time. Many items match its beginning, and fewer match the whole. */
const SEARCH_TEXT = "展示 49番の作品";
/** Time before the first letter, so that loading does not disturb the measurement, in milliseconds. */
const SETTLE_MS = 2000;
/** Number of times that the text is typed. */
const ROUNDS = 3;

/** Durations of searches. */
export interface SearchFigures {
  /** Milliseconds from a letter until the filtered list is laid out. */
  readonly visitors: Spread;
  /** The same figure in the editor. */
  readonly editor: Spread;
}

/** Types into the page's search box. Measures each letter until the page is laid out again. */
const typeAndMeasure = (page: Page) =>
  page.evaluate(
    async ([searchText, rounds]) => {
      const box = document.querySelector<HTMLInputElement>(
        "[role=search] input[type=search], input[type=search]",
      );
      const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
      if (!box || !setValue) throw new Error("There is no search box");
      const nextTask = () =>
        new Promise<void>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve();
          port2.postMessage(null);
        });
      const times: number[] = [];
      for (let round = 0; round < rounds; round++)
        for (let letterCount = 0; letterCount <= searchText.length; letterCount++) {
          const startedAt = performance.now();
          setValue.call(box, searchText.slice(0, letterCount));
          box.dispatchEvent(new InputEvent("input", { bubbles: true }));
          await nextTask();
          document.body.getBoundingClientRect();
          times.push(performance.now() - startedAt);
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      return times;
    },
    [SEARCH_TEXT, ROUNDS] as const,
  );

async function searchVisitorPage(context: BrowserContext, { url }: LargeEvent): Promise<Spread> {
  const page = await context.newPage();
  await page.goto(url);
  await waitForStage(page);
  await page.locator("input[type=search]").waitFor();
  await page.waitForTimeout(SETTLE_MS);
  return computeSpread(await typeAndMeasure(page));
}

async function searchEditor(context: BrowserContext, origin: string, { id }: LargeEvent): Promise<Spread> {
  const page = await context.newPage();
  await page.goto(`${origin}/event/${id}?panel=tags`);
  await waitForStage(page);
  await page.waitForTimeout(SETTLE_MS);
  return computeSpread(await typeAndMeasure(page));
}

/**
 * Measures searches in the visitor page and in the editor.
 * @param sessionTicket session ticket of the event's owner
 */
export async function benchSearch(
  browser: Browser,
  origin: string,
  event: LargeEvent,
  sessionTicket: string,
): Promise<SearchFigures> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(TIMEOUT_MS);
  try {
    // esbuild adds calls of `__name` to this file's functions.
    await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
    const visitors = await searchVisitorPage(context, event);
    await context.addCookies([{ name: sessionCookieName(false), value: sessionTicket, url: origin }]);
    return { visitors, editor: await searchEditor(context, origin, event) };
  } finally {
    await context.close();
  }
}
