/** How spaces and large events feel in a browser: the first pin, walks, searches, and one tab that goes from space to space. */
import type { Browser } from "playwright-core";
import { launchBrowser } from "../scripts/lib/browser";
import { demoLink } from "../scripts/lib/demo";
import { startLocal } from "../scripts/lib/local";
import { seedDemo } from "../scripts/lib/seed";
import { demoIds } from "../seed/demo";
import { benchFinding, type Finding } from "./crowd";
import { benchFirstPin, type FirstPin } from "./first-pin";
import { describeMachine } from "./machine";
import { makeCrowdedEvent } from "./stage-event";
import { logIn } from "./subjects";
import { benchSwitches, type Switches } from "./switches";
import { benchWalk, type Walk } from "./walks";

export interface StageFigures {
  readonly firstPin: FirstPin;
  readonly walks: readonly Walk[];
  readonly finding: Finding;
  /** Bytes of gzip of the crowded event's page, without files. */
  readonly pageBytes: number;
  readonly switches: Switches;
  /** What else the machine did before each of them: busy processes, in the mean of one minute. */
  readonly load: Readonly<Record<"firstPin" | "walks" | "finding" | "switches", number>>;
}

/** Measures all of it on the demo, in a browser with graphics by software. The product must have been built. */
export async function benchStage(runs: number, log: (line: string) => void): Promise<StageFigures> {
  const local = await startLocal({ port: 0, state: null });
  try {
    await seedDemo(local.mf);
    const { origin } = local;
    const ticket = await logIn(new URL(origin));
    const crowded = await makeCrowdedEvent(origin, ticket);
    const load = { firstPin: 0, walks: 0, finding: 0, switches: 0 };
    // A browser for each: what one part leaves behind is not the next one's.
    const measure = async <T>(part: keyof typeof load, act: (browser: Browser) => Promise<T>): Promise<T> => {
      log(`In a browser: ${part}`);
      load[part] = describeMachine().loadBefore;
      const browser = await launchBrowser();
      try {
        return await act(browser);
      } finally {
        await browser.close();
      }
    };
    const link = (eventId: string) => demoLink(origin, "published", eventId);
    const firstPin = await measure("firstPin", (browser) =>
      benchFirstPin(browser, link(demoIds.mainEvent), runs),
    );
    const walks = await measure("walks", async (browser) => [
      await benchWalk(browser, "model", link(demoIds.mainEvent)),
      await benchWalk(browser, "panorama", link(demoIds.panoramaEvent)),
      await benchWalk(browser, "splat", link(demoIds.splatEvent)),
      await benchWalk(browser, "model, 500 tags", crowded.url),
    ]);
    const finding = await measure("finding", (browser) => benchFinding(browser, origin, crowded, ticket));
    const switches = await measure("switches", (browser) => benchSwitches(browser, origin, ticket));
    return { firstPin, walks, finding, pageBytes: crowded.pageBytes, switches, load };
  } finally {
    await local.stop();
  }
}
