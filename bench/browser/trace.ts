/** Reads the activity of a page's main thread from a browser trace. */
import type { Browser, Page } from "playwright-core";

/** A trace event. Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread, without the time that it waited for graphics or other programs. */
  readonly tdur?: number;
}

/** A task of the main thread, in milliseconds. */
export interface Task {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Activity of a page's main thread. */
export interface MainThread {
  /** The tasks, the longest first. */
  readonly tasks: readonly Task[];
  /** The animation frames in which something was drawn. */
  readonly frames: readonly Task[];
}

/** Name of the performance mark that a page sets for every frame in which it drew. */
export const DRAWN_MARK = "drawn";
const BEGIN_MARK = "bench begins";
const CATEGORIES = [
  "toplevel",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "blink.user_timing",
];

const toTask = ({ dur = 0, tdur = 0 }: TraceEvent): Task => ({ ms: dur / 1000, cpuMs: tdur / 1000 });

/** Reads a trace from the moment at which the page set BEGIN_MARK. */
function readTrace(events: readonly TraceEvent[]): MainThread {
  const beginMark = events.find(({ name }) => name === BEGIN_MARK);
  if (!beginMark) throw new Error("The trace does not contain the page's mark");
  const threadEvents = events.filter(
    ({ pid, tid, ts }) => pid === beginMark.pid && tid === beginMark.tid && ts >= beginMark.ts,
  );
  const completeEvents = threadEvents.filter(({ ph }) => ph === "X");
  const marks = threadEvents
    .filter(({ name }) => name === DRAWN_MARK)
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  const hasDrawn = ({ ts, dur = 0 }: TraceEvent) => marks.some((time) => time >= ts && time <= ts + dur);
  return {
    tasks: completeEvents
      .filter(({ name }) => name === "RunTask")
      .map(toTask)
      .sort((a, b) => b.ms - a.ms),
    frames: completeEvents
      .filter(({ name }) => name === "FireAnimationFrame")
      .filter(hasDrawn)
      .map(toTask),
  };
}

/** Runs an action on a page, and returns the activity of its main thread during the action. */
export async function traceAction(
  browser: Browser,
  page: Page,
  action: () => Promise<void>,
): Promise<MainThread> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.evaluate((name) => performance.mark(name), BEGIN_MARK);
  await action();
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: TraceEvent[] };
  return readTrace(traceEvents);
}
