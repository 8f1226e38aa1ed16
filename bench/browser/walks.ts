/** Measures the load that walking through a space puts on the page's main thread. */
import type { Browser, Page } from "playwright-core";
import { percentile } from "../spread";
import { DRAWN_MARK, type MainThread, traceAction } from "./trace";

/** Timeout for a busy machine, in milliseconds. */
const TIMEOUT_MS = 120_000;
/** Time before a walk, in which images become sharp and the stage's buttons appear, in milliseconds. */
const SETTLE_MS = 3000;
/** A visitor's input: keys, and the milliseconds for which each is held. */
const KEYS = [
  ["ArrowUp", 1500],
  ["ArrowLeft", 1200],
  ["ArrowUp", 1500],
  ["ArrowRight", 1500],
  ["KeyW", 1000],
] as const;
/** Maximum duration of a task that does not count as long, in milliseconds. */
export const LONG_TASK_MS = 200;

/** Figures of one walk. */
export interface Walk {
  readonly key: string;
  /** The longest task by elapsed time, and the longest by CPU time of the page's thread. */
  readonly longestMs: number;
  readonly longestCpuMs: number;
  readonly longTasks: number;
  /** Number of drawn frames. */
  readonly frames: number;
  /** CPU milliseconds of a drawn frame's own script, including the calls to the graphics library. */
  readonly frameCpu: { readonly median: number; readonly p95: number };
  /** CPU milliseconds of the whole main thread per frame, including style and layout. */
  readonly allCpu: number;
  /** Draw calls per frame. */
  readonly draws: { readonly median: number; readonly max: number };
  /** Number of overlaps of a label with another label or a marker, in all checks, and the number of these checks. */
  readonly overlaps: number;
  readonly checks: number;
}

interface Probe {
  readonly draws: number[];
  overlaps: number;
  checks: number;
}

/** Runs in a page before its scripts: counts the draw calls of each frame, and checks the positions of the labels. */
function watchFrames(mark: string): void {
  const probe: Probe = { draws: [], overlaps: 0, checks: 0 };
  let drawCalls = 0;
  Object.assign(window, { probe });
  const { prototype } = WebGL2RenderingContext as unknown as {
    prototype: Record<string, (...input: unknown[]) => unknown>;
  };
  for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) {
    const draw = prototype[name];
    if (!draw) continue;
    prototype[name] = function (...input) {
      drawCalls++;
      return draw.apply(this, input);
    };
  }
  const readPins = () =>
    [...document.querySelectorAll<HTMLElement>("[data-pin]")].flatMap((pin) => {
      if (pin.style.visibility === "hidden" || pin.style.opacity === "0") return [];
      const label = pin.querySelector<HTMLElement>("[data-side]");
      const isVisible = label && label.dataset.side !== "none";
      return [{ pin, disc: pin.firstElementChild as Element, label: isVisible ? label : null }];
    });
  const isOverlapping = (a: DOMRect, b: DOMRect) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const checkLabels = () => {
    probe.checks++;
    const measuredLabels = readPins().map(({ pin, disc, label }) => ({
      pin,
      disc: disc.getBoundingClientRect(),
      label: label?.getBoundingClientRect() ?? null,
    }));
    for (const [index, labelA] of measuredLabels.entries())
      for (const [indexB, labelB] of measuredLabels.entries()) {
        if (index === indexB || !labelA.label) continue;
        if (
          isOverlapping(labelA.label, labelB.disc) ||
          (indexB > index && labelB.label && isOverlapping(labelA.label, labelB.label))
        )
          probe.overlaps++;
      }
  };
  const requestFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) =>
    requestFrame((now) => {
      drawCalls = 0;
      draw(now);
      if (drawCalls === 0) return;
      probe.draws.push(drawCalls);
      performance.mark(mark);
      // The check itself takes time, so it runs after the frame, and not after every one.
      if (probe.draws.length % 5 === 0) queueMicrotask(() => setTimeout(checkLabels));
    });
}

/** Waits until the space is visible. */
export const waitForStage = (page: Page) =>
  page.waitForSelector('section[data-stage="ready"]', { timeout: TIMEOUT_MS });

async function walk(page: Page): Promise<void> {
  const canvas = page.locator("section[data-stage] canvas");
  await canvas.focus();
  for (const [key, ms] of KEYS) {
    await page.keyboard.down(key);
    await page.waitForTimeout(ms);
    await page.keyboard.up(key);
  }
  const box = await canvas.boundingBox();
  if (!box) throw new Error("The canvas is not visible");
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

function figuresOf(key: string, { tasks, frames }: MainThread, { draws, overlaps, checks }: Probe): Walk {
  const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
  const cpu = sorted(frames.map(({ cpuMs }) => cpuMs));
  const sortedDraws = sorted(draws);
  return {
    key,
    longestMs: tasks[0]?.ms ?? 0,
    longestCpuMs: Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs)),
    longTasks: tasks.filter(({ ms }) => ms > LONG_TASK_MS).length,
    frames: frames.length,
    frameCpu: { median: percentile(cpu, 0.5), p95: percentile(cpu, 0.95) },
    allCpu: tasks.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / Math.max(1, frames.length),
    draws: { median: percentile(sortedDraws, 0.5), max: sortedDraws.at(-1) ?? 0 },
    overlaps,
    checks,
  };
}

/** Opens an event, walks through its space and looks around, as a visitor does. */
export async function benchWalk(browser: Browser, key: string, url: string): Promise<Walk> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(TIMEOUT_MS);
  try {
    // esbuild adds calls of `__name` to this file's functions.
    await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
    await context.addInitScript(watchFrames, DRAWN_MARK);
    const page = await context.newPage();
    await page.goto(url);
    await waitForStage(page);
    await page.waitForTimeout(SETTLE_MS);
    const readProbe = () => page.evaluate(() => (window as unknown as { probe: Probe }).probe);
    const probeBefore = await readProbe();
    const mainThread = await traceAction(browser, page, () => walk(page));
    const { draws, overlaps, checks } = await readProbe();
    const walkProbe = { draws: draws.slice(probeBefore.draws.length), overlaps, checks };
    return figuresOf(key, mainThread, walkProbe);
  } finally {
    await context.close();
  }
}
