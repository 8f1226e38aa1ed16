/** What walking through a space asks of the page's main thread. */
import type { Browser, Page } from "playwright-core";
import { percentile } from "./stats";
import { DRAWN, type MainThread, traced } from "./trace";

/** A busy machine may take its time. */
const PATIENCE_MS = 120_000;
/** After the start pictures become sharp and the stage's buttons come. */
const SETTLE_MS = 3000;
/** What a visitor does: keys that are held, in milliseconds. */
const KEYS = [
  ["ArrowUp", 1500],
  ["ArrowLeft", 1200],
  ["ArrowUp", 1500],
  ["ArrowRight", 1500],
  ["KeyW", 1000],
] as const;
/** How long a task may hold up the page, in milliseconds. */
export const LONG_MS = 200;

export interface Walk {
  readonly key: string;
  /** The longest task, by the clock and by the processor time that the page's thread had in it. */
  readonly longestMs: number;
  readonly longestCpuMs: number;
  readonly longTasks: number;
  /** Frames that were drawn. */
  readonly frames: number;
  /** Processor milliseconds of a drawn frame's own script, handing it over to the graphics included. */
  readonly frameCpu: { readonly median: number; readonly p95: number };
  /** Everything that the main thread did, style and layout included, a frame. */
  readonly allCpu: number;
  /** Things drawn in a frame. */
  readonly draws: { readonly median: number; readonly max: number };
  /** Labels that covered another label or disc, in all frames that were looked at. */
  readonly overlaps: number;
  readonly looks: number;
}

interface Probe {
  readonly draws: number[];
  overlaps: number;
  looks: number;
}

/** Runs in a page before its scripts: counts what is drawn in each frame, and looks at where the labels are. */
function watchFrames(mark: string): void {
  const probe: Probe = { draws: [], overlaps: 0, looks: 0 };
  let drawn = 0;
  Object.assign(window, { probe });
  const { prototype } = WebGL2RenderingContext as unknown as {
    prototype: Record<string, (...input: unknown[]) => unknown>;
  };
  for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) {
    const draw = prototype[name];
    if (!draw) continue;
    prototype[name] = function (...input) {
      drawn++;
      return draw.apply(this, input);
    };
  }
  const boxes = () =>
    [...document.querySelectorAll<HTMLElement>("[data-pin]")].flatMap((pin) => {
      if (pin.style.visibility === "hidden" || pin.style.opacity === "0") return [];
      const label = pin.querySelector<HTMLElement>("[data-side]");
      const isShown = label && label.dataset.side !== "none";
      return [{ pin, disc: pin.firstElementChild as Element, label: isShown ? label : null }];
    });
  const touch = (a: DOMRect, b: DOMRect) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const look = () => {
    probe.looks++;
    const all = boxes().map(({ pin, disc, label }) => ({
      pin,
      disc: disc.getBoundingClientRect(),
      label: label?.getBoundingClientRect() ?? null,
    }));
    for (const [at, one] of all.entries())
      for (const [other, two] of all.entries()) {
        if (at === other || !one.label) continue;
        if (touch(one.label, two.disc) || (other > at && two.label && touch(one.label, two.label)))
          probe.overlaps++;
      }
  };
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (act) =>
    request((now) => {
      drawn = 0;
      act(now);
      if (drawn === 0) return;
      probe.draws.push(drawn);
      performance.mark(mark);
      // Looking takes time itself: after the frame, and not at every one.
      if (probe.draws.length % 5 === 0) queueMicrotask(() => setTimeout(look));
    });
}

/** Waits until the space is there to be seen. */
export const ready = (page: Page) =>
  page.waitForSelector('section[data-stage="ready"]', { timeout: PATIENCE_MS });

async function walk(page: Page): Promise<void> {
  const canvas = page.locator("section[data-stage] canvas");
  await canvas.focus();
  for (const [key, ms] of KEYS) {
    await page.keyboard.down(key);
    await page.waitForTimeout(ms);
    await page.keyboard.up(key);
  }
  const box = await canvas.boundingBox();
  if (!box) throw new Error("The canvas is not to be seen");
  const [x, y] = [box.x + box.width / 3, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 20; step++) {
    await page.mouse.move(x + step * 10, y);
    await page.waitForTimeout(30);
  }
  await page.mouse.up();
  await page.waitForTimeout(1500);
}

function figuresOf(key: string, { tasks, frames }: MainThread, { draws, overlaps, looks }: Probe): Walk {
  const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
  const cpu = sorted(frames.map(({ cpuMs }) => cpuMs));
  const drawn = sorted(draws);
  return {
    key,
    longestMs: tasks[0]?.ms ?? 0,
    longestCpuMs: Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs)),
    longTasks: tasks.filter(({ ms }) => ms > LONG_MS).length,
    frames: frames.length,
    frameCpu: { median: percentile(cpu, 0.5), p95: percentile(cpu, 0.95) },
    allCpu: tasks.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / Math.max(1, frames.length),
    draws: { median: percentile(drawn, 0.5), max: drawn.at(-1) ?? 0 },
    overlaps,
    looks,
  };
}

/** Opens an event, walks through its space and looks around, as a visitor does. */
export async function benchWalk(browser: Browser, key: string, url: string): Promise<Walk> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    // What the tools that run this file put around its functions.
    await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
    await context.addInitScript(watchFrames, DRAWN);
    const page = await context.newPage();
    await page.goto(url);
    await ready(page);
    await page.waitForTimeout(SETTLE_MS);
    const probed = () => page.evaluate(() => (window as unknown as { probe: Probe }).probe);
    const before = await probed();
    const main = await traced(browser, page, () => walk(page));
    const { draws, overlaps, looks } = await probed();
    const own = { draws: draws.slice(before.draws.length), overlaps, looks };
    return figuresOf(key, main, own);
  } finally {
    await context.close();
  }
}
