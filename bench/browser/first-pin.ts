/** Measures how long a visitor on a device with a slow processor waits until the first pin responds to a click. */
import type { Browser } from "playwright-core";
import { computeSpread, type Spread } from "../spread";

/** CPU slowdown factor that stands for a cheap phone, relative to a desktop computer. */
export const SLOWDOWN = 4;
/** Timeout for a busy machine, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** Milliseconds from the start of the navigation. */
export interface FirstPin {
  /** Until a pin was clicked and its entry was open. */
  readonly pin: Spread;
  /** Until the stage was ready, which means that the space is visible. */
  readonly ready: Spread;
  /** Until the page was hydrated. */
  readonly hydrated: Spread;
  readonly runs: number;
}

interface Times {
  readonly pin: number;
  readonly ready: number;
  readonly hydrated: number;
}

/** Runs in a page before its scripts. It clicks the first pin that a pointer can reach, until one has opened. */
function clickFirstPin(): void {
  const times = { pin: 0, ready: 0, hydrated: 0 };
  Object.assign(window, { firstPin: times });
  const isReachable = (pin: Element) => {
    const { left, top, width, height } = pin.getBoundingClientRect();
    const topElement = document.elementFromPoint(left + width / 2, top + height / 2);
    return topElement !== null && pin.contains(topElement);
  };
  const timer = setInterval(() => {
    const stage = document.querySelector("section[data-stage]");
    // The stage is busy from the hydration until the space is visible.
    if (!times.hydrated && stage?.getAttribute("aria-busy") === "true") times.hydrated = performance.now();
    if (!times.ready && stage?.getAttribute("data-stage") === "ready") times.ready = performance.now();
    const pins = [...document.querySelectorAll<HTMLElement>("[data-pin]")];
    if (!times.pin) {
      if (pins.some((pin) => pin.getAttribute("aria-expanded") === "true")) times.pin = performance.now();
      else if (times.hydrated) pins.find(isReachable)?.click();
    }
    if (times.pin && times.ready) clearInterval(timer);
  }, 10);
}

async function visitOnce(browser: Browser, url: string): Promise<Times> {
  // A new context starts with an empty cache.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    // esbuild adds calls of `__name` to this file's functions.
    await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
    await context.addInitScript(clickFirstPin);
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await page.goto(url, { timeout: TIMEOUT_MS, waitUntil: "commit" });
    const timesHandle = await page.waitForFunction(
      () => {
        const { firstPin } = window as unknown as { firstPin: Times };
        return firstPin.pin > 0 && firstPin.ready > 0 ? firstPin : null;
      },
      null,
      { timeout: TIMEOUT_MS, polling: 250 },
    );
    return (await timesHandle.jsonValue()) as Times;
  } finally {
    await context.close();
  }
}

/** Visits an event `runs` times, each time with an empty cache. */
export async function benchFirstPin(browser: Browser, url: string, runs: number): Promise<FirstPin> {
  const times: Times[] = [];
  // The first visit is discarded because the server is cold.
  for (let run = -1; run < runs; run++) {
    const visitTimes = await visitOnce(browser, url);
    if (run >= 0) times.push(visitTimes);
  }
  const spreadFor = (key: keyof Times) => computeSpread(times.map((time) => time[key]));
  return { pin: spreadFor("pin"), ready: spreadFor("ready"), hydrated: spreadFor("hydrated"), runs };
}
