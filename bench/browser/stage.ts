/** Measures spaces and large events in a browser: the first pin, walks, searches, and one tab that switches between spaces. */
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../scripts/lib/browser";
import { demoLink } from "../../scripts/lib/local/demo-links";
import { startLocal } from "../../scripts/lib/local/local-product";
import { seedDemo } from "../../scripts/lib/local/seed-demo";
import { demoIds } from "../../seed/demo";
import { logInOwner } from "../load/scenarios";
import { describeMachine } from "../machine";
import { benchFirstPin, type FirstPin } from "./first-pin";
import { createLargeEvent } from "./large-event";
import { benchSearch, type SearchFigures } from "./search";
import { benchSwitches, type Switches } from "./space-switches";
import { benchWalk, type Walk } from "./walks";

/** Figures of all parts. */
export interface StageFigures {
  readonly firstPin: FirstPin;
  readonly walks: readonly Walk[];
  readonly search: SearchFigures;
  /** Gzip bytes of the large event's page, without files. */
  readonly pageBytes: number;
  readonly switches: Switches;
  /** Load of the machine before each part: the mean number of busy processes over one minute. */
  readonly load: Readonly<Record<"firstPin" | "walks" | "search" | "switches", number>>;
}

/** Measures all parts on the demo, in a browser that renders in software. The product must have been built. */
export async function benchStage(runs: number, log: (line: string) => void): Promise<StageFigures> {
  const local = await startLocal({ port: 0, state: null });
  try {
    await seedDemo(local.mf);
    const { origin } = local;
    const sessionTicket = await logInOwner(new URL(origin));
    const largeEvent = await createLargeEvent(origin, sessionTicket);
    const load = { firstPin: 0, walks: 0, search: 0, switches: 0 };
    // Each part has a new browser, so that it is not affected by what the previous one left in memory.
    const measure = async <T>(part: keyof typeof load, run: (browser: Browser) => Promise<T>): Promise<T> => {
      log(`In a browser: ${part}`);
      load[part] = describeMachine().loadBefore;
      const browser = await launchBrowser();
      try {
        return await run(browser);
      } finally {
        await browser.close();
      }
    };
    const eventUrl = (eventId: string) => demoLink(origin, "published", eventId);
    const firstPin = await measure("firstPin", (browser) =>
      benchFirstPin(browser, eventUrl(demoIds.mainEvent), runs),
    );
    const walks = await measure("walks", async (browser) => [
      await benchWalk(browser, "model", eventUrl(demoIds.mainEvent)),
      await benchWalk(browser, "panorama", eventUrl(demoIds.panoramaEvent)),
      await benchWalk(browser, "splat", eventUrl(demoIds.splatEvent)),
      await benchWalk(browser, "model, 500 tags", largeEvent.url),
    ]);
    const searchSpreads = await measure("search", (browser) =>
      benchSearch(browser, origin, largeEvent, sessionTicket),
    );
    const switches = await measure("switches", (browser) => benchSwitches(browser, origin, sessionTicket));
    return { firstPin, walks, search: searchSpreads, pageBytes: largeEvent.pageBytes, switches, load };
  } finally {
    await local.stop();
  }
}
