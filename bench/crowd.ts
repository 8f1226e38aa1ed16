/** What finding something among five hundred tags takes in the visitors' page and in the editor. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { sessionCookieName } from "../app/domain/auth/session";
import type { CrowdedEvent } from "./stage-event";
import { type Spread, spreadOf } from "./stats";
import { ready } from "./walks";

/** A busy machine may take its time. */
const PATIENCE_MS = 120_000;
/** What is typed, a letter at a time; many things have it, then fewer. */
const TYPED = "展示 49番の作品";
const ROUNDS = 3;

export interface Finding {
  /** Milliseconds from a letter to the list that it leaves, laid out. */
  readonly visitors: Spread;
  /** The same in the editor. */
  readonly editor: Spread;
}

/** Types into the visitors' search box and measures each letter, until all that follows from it is laid out. */
const typeAndMeasure = (page: Page) =>
  page.evaluate(
    async ([typed, rounds]) => {
      const box = document.querySelector<HTMLInputElement>(
        "[role=search] input[type=search], input[type=search]",
      );
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
      if (!box || !set) throw new Error("There is no search box");
      const turn = () =>
        new Promise<void>((done) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => done();
          port2.postMessage(null);
        });
      const times: number[] = [];
      for (let round = 0; round < rounds; round++)
        for (let letters = 0; letters <= typed.length; letters++) {
          const begin = performance.now();
          set.call(box, typed.slice(0, letters));
          box.dispatchEvent(new InputEvent("input", { bubbles: true }));
          await turn();
          document.body.getBoundingClientRect();
          times.push(performance.now() - begin);
          await new Promise((done) => setTimeout(done, 100));
        }
      return times;
    },
    [TYPED, ROUNDS] as const,
  );

async function inVisitors(context: BrowserContext, { url }: CrowdedEvent): Promise<Spread> {
  const page = await context.newPage();
  await page.goto(url);
  await ready(page);
  await page.locator("input[type=search]").waitFor();
  await page.waitForTimeout(2000);
  return spreadOf(await typeAndMeasure(page));
}

async function inEditor(context: BrowserContext, origin: string, { id }: CrowdedEvent): Promise<Spread> {
  const page = await context.newPage();
  await page.goto(`${origin}/event/${id}?panel=tags`);
  await ready(page);
  await page.waitForTimeout(2000);
  return spreadOf(await typeAndMeasure(page));
}

/** Searches in both. @param ticket of the event's owner */
export async function benchFinding(
  browser: Browser,
  origin: string,
  event: CrowdedEvent,
  ticket: string,
): Promise<Finding> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
    const visitors = await inVisitors(context, event);
    await context.addCookies([{ name: sessionCookieName(false), value: ticket, url: origin }]);
    return { visitors, editor: await inEditor(context, origin, event) };
  } finally {
    await context.close();
  }
}
