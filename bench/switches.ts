/** What going from space to space in one tab leaves behind. */
import type { Browser, CDPSession, Page } from "playwright-core";
import { sessionCookieName } from "../app/domain/auth/session";
import { demoIds } from "../seed/demo";
import { ready } from "./walks";

/** A busy machine may take its time. */
const PATIENCE_MS = 120_000;
/** How often another event is opened, and after how many of them what is held is counted: with the same kind of event open. */
const SWITCHES = 52;
const COUNTED_EVERY = 8;
/** A showcase stands in for the one that measurements never reach. */
const SHOWCASE = "https://my.matterport.com/";
const EVENTS = [demoIds.mainEvent, demoIds.panoramaEvent, demoIds.splatEvent, demoIds.showcaseEvent];

/** What a tab holds after its garbage was collected. */
export interface Held {
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly frames: number;
  readonly canvases: number;
  /** Graphics contexts that were not given back, and what they hold: textures, buffers and programs that were made and not freed. */
  readonly contexts: number;
  readonly graphics: number;
}

export interface Switches {
  readonly switches: number;
  /** After every so many of them, the first when all scripts have come. */
  readonly held: readonly Held[];
}

/** What is compared: the second count, as scripts were still being compiled at the first, and the last. */
export const ends = ({ held }: Switches) => [held[1] ?? held[0], held.at(-1)] as const;

/** Runs in a page before its scripts: counts what is made of graphics, and what is given back. */
function countGraphics(): void {
  // Nothing is kept for being counted.
  const contexts: { readonly context: WeakRef<WebGL2RenderingContext>; held: number }[] = [];
  Object.assign(window, { graphics: contexts });
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...input: unknown[]) {
    const made = Reflect.apply(getContext, this, input) as RenderingContext | null;
    if (made instanceof WebGL2RenderingContext && !contexts.some(({ context }) => context.deref() === made))
      contexts.push({ context: new WeakRef(made), held: 0 });
    return made;
  } as typeof getContext;
  const methods = WebGL2RenderingContext.prototype as unknown as Record<
    string,
    (this: WebGL2RenderingContext, ...input: unknown[]) => unknown
  >;
  for (const kind of ["Texture", "Buffer", "Program", "Framebuffer", "Renderbuffer", "VertexArray"])
    for (const [name, by] of [
      [`create${kind}`, 1],
      [`delete${kind}`, -1],
    ] as const) {
      const act = methods[name];
      if (!act) continue;
      methods[name] = function (...input) {
        const own = contexts.find(({ context }) => context.deref() === this);
        if (own && (by > 0 || input[0])) own.held += by;
        return act.apply(this, input);
      };
    }
}

async function held(page: Page, client: CDPSession): Promise<Held> {
  // The browser's own list of what was fetched, which ends by itself at 250.
  await page.evaluate(() => performance.clearResourceTimings());
  for (let count = 0; count < 3; count++) await client.send("HeapProfiler.collectGarbage");
  const { metrics } = await client.send("Performance.getMetrics");
  const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  const seen = await page.evaluate(() => {
    type Graphics = readonly { readonly context: WeakRef<WebGL2RenderingContext>; readonly held: number }[];
    const { graphics } = window as unknown as { graphics: Graphics };
    const alive = graphics.filter(({ context }) => context.deref()?.isContextLost() === false);
    return {
      contexts: alive.length,
      graphics: alive.reduce((sum, each) => sum + each.held, 0),
      canvases: document.querySelectorAll("canvas").length,
    };
  });
  return {
    heapBytes: read("JSHeapUsedSize"),
    nodes: read("Nodes"),
    listeners: read("JSEventListeners"),
    frames: read("Frames"),
    ...seen,
  };
}

/**
 * Goes from event to event in one tab, as its owner does: there alone links lead from space to space without a new document. What is
 * held is counted with the same event open each time.
 */
export async function benchSwitches(browser: Browser, origin: string, ticket: string): Promise<Switches> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    await context.addCookies([{ name: sessionCookieName(false), value: ticket, url: origin }]);
    await context.addInitScript({ content: "globalThis.__name ??= (value) => value;" });
    await context.addInitScript(countGraphics);
    await context.route(`${SHOWCASE}**`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Showcase</title>" }),
    );
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Performance.enable");
    await client.send("HeapProfiler.enable");
    await page.goto(`${origin}/event/${EVENTS[0]}`);
    await ready(page);
    const go = async (count: number) => {
      const id = EVENTS[count % EVENTS.length];
      await page.evaluate(async (path) => {
        // The space that is left is ready too, until the next one begins.
        const left = new Promise<void>((done) => {
          const look = new MutationObserver(() => {
            if (document.querySelector('[data-stage="ready"]')) return;
            look.disconnect();
            done();
          });
          look.observe(document.body, { subtree: true, childList: true, attributes: true });
        });
        const { __remixRouter: router } = window as unknown as {
          __remixRouter: { navigate(to: string): Promise<void> };
        };
        await router.navigate(path);
        await left;
      }, `/event/${id}`);
      await page.waitForFunction((path) => location.pathname === path, `/event/${id}`);
      await ready(page);
      await page.waitForTimeout(300);
    };
    const counted: Held[] = [];
    for (let count = 1; count <= SWITCHES; count++) {
      await go(count);
      if (count % COUNTED_EVERY === SWITCHES % COUNTED_EVERY) counted.push(await held(page, client));
    }
    return { switches: SWITCHES, held: counted };
  } finally {
    await context.close();
  }
}
