/** How long a visitor waits for the first pin that answers a click, on a device with a slow processor. */
import type { Browser } from "playwright-core";
import { type Spread, spreadOf } from "./stats";

/** As slow as a cheap phone is against a desk's computer. */
export const SLOWDOWN = 4;
/** A busy machine may take its time. */
const PATIENCE_MS = 120_000;

/** Milliseconds from the start of the navigation. */
export interface FirstPin {
  /** Until a pin was clicked and its entry was open. */
  readonly pin: Spread;
  /** Until the stage was ready: the space is seen. */
  readonly ready: Spread;
  /** Until the page's scripts had taken it over. */
  readonly hydrated: Spread;
  readonly runs: number;
}

interface Times {
  readonly pin: number;
  readonly ready: number;
  readonly hydrated: number;
}

/** Runs in a page before its scripts: clicks the first pin that a pointer would meet, until one has opened. */
function clickFirstPin(): void {
  const times = { pin: 0, ready: 0, hydrated: 0 };
  Object.assign(window, { firstPin: times });
  const meets = (pin: Element) => {
    const { left, top, width, height } = pin.getBoundingClientRect();
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    return met !== null && pin.contains(met);
  };
  const look = setInterval(() => {
    const stage = document.querySelector("section[data-stage]");
    if (!times.hydrated && stage?.getAttribute("aria-busy") === "true") times.hydrated = performance.now();
    if (!times.ready && stage?.getAttribute("data-stage") === "ready") times.ready = performance.now();
    const pins = [...document.querySelectorAll<HTMLElement>("[data-pin]")];
    if (!times.pin) {
      if (pins.some((pin) => pin.getAttribute("aria-expanded") === "true")) times.pin = performance.now();
      else if (times.hydrated) pins.find(meets)?.click();
    }
    if (times.pin && times.ready) clearInterval(look);
  }, 10);
}

async function visitOnce(browser: Browser, url: string): Promise<Times> {
  // A context of its own: nothing is cached.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    // What the tools that run this file put around its functions.
    await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
    await context.addInitScript(clickFirstPin);
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await page.goto(url, { timeout: PATIENCE_MS, waitUntil: "commit" });
    const done = await page.waitForFunction(
      () => {
        const { firstPin } = window as unknown as { firstPin: Times };
        return firstPin.pin > 0 && firstPin.ready > 0 ? firstPin : null;
      },
      null,
      { timeout: PATIENCE_MS, polling: 250 },
    );
    return (await done.jsonValue()) as Times;
  } finally {
    await context.close();
  }
}

/** Visits an event so many times, each as if for the first time. */
export async function benchFirstPin(browser: Browser, url: string, runs: number): Promise<FirstPin> {
  const times: Times[] = [];
  // The first visit finds the server cold, which is not what is measured.
  for (let run = -1; run < runs; run++) {
    const found = await visitOnce(browser, url);
    if (run >= 0) times.push(found);
  }
  const of = (key: keyof Times) => spreadOf(times.map((each) => each[key]));
  return { pin: of("pin"), ready: of("ready"), hydrated: of("hydrated"), runs };
}
