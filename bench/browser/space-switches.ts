/** Measures what remains in memory when one tab switches between spaces. */
import type { Browser, CDPSession, Page } from "playwright-core";
import { sessionCookieName } from "../../app/domain/auth/session";
import { demoIds } from "../../seed/demo";
import { waitForStage } from "./walks";

/** Timeout for a busy machine, in milliseconds. */
const TIMEOUT_MS = 120_000;
/** Number of switches to another event, and the number of switches between two counts. Each count has the same event open. */
const SWITCHES = 52;
const COUNTED_EVERY = 8;
/** Origin of showcases. A stub page replaces it, because measurements send no requests to other machines. */
const SHOWCASE = "https://my.matterport.com/";
const EVENTS = [demoIds.mainEvent, demoIds.panoramaEvent, demoIds.splatEvent, demoIds.showcaseEvent];

/** Resources of a tab after a garbage collection. */
export interface HeldResources {
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly frames: number;
  readonly canvases: number;
  /** Graphics contexts that were not released, and the graphics objects, such as textures, that were created in them and not deleted. */
  readonly contexts: number;
  readonly graphics: number;
}

/** Resources that were counted during the switches. */
export interface Switches {
  readonly switches: number;
  /** One entry per COUNTED_EVERY switches. At the first one, all scripts have loaded. */
  readonly resources: readonly HeldResources[];
}

/** The two counts that are compared: the second, because scripts were still being compiled at the first, and the last. */
export const comparedCounts = ({ resources }: Switches) =>
  [resources[1] ?? resources[0], resources.at(-1)] as const;

/** Runs in a page before its scripts: counts the graphics resources that are created and deleted. */
function countGraphics(): void {
  // Weak references, so that counting does not keep a context alive.
  const contexts: { readonly context: WeakRef<WebGL2RenderingContext>; count: number }[] = [];
  Object.assign(window, { graphics: contexts });
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...input: unknown[]) {
    const created = Reflect.apply(getContext, this, input) as RenderingContext | null;
    if (
      created instanceof WebGL2RenderingContext &&
      !contexts.some(({ context }) => context.deref() === created)
    )
      contexts.push({ context: new WeakRef(created), count: 0 });
    return created;
  } as typeof getContext;
  const methods = WebGL2RenderingContext.prototype as unknown as Record<
    string,
    (this: WebGL2RenderingContext, ...input: unknown[]) => unknown
  >;
  for (const kind of ["Texture", "Buffer", "Program", "Framebuffer", "Renderbuffer", "VertexArray"])
    for (const [name, amount] of [
      [`create${kind}`, 1],
      [`delete${kind}`, -1],
    ] as const) {
      const originalMethod = methods[name];
      if (!originalMethod) continue;
      methods[name] = function (...input) {
        const ownContext = contexts.find(({ context }) => context.deref() === this);
        if (ownContext && (amount > 0 || input[0])) ownContext.count += amount;
        return originalMethod.apply(this, input);
      };
    }
}

async function countResources(page: Page, client: CDPSession): Promise<HeldResources> {
  // Clears the browser's resource timing buffer, which would otherwise grow up to 250 entries.
  await page.evaluate(() => performance.clearResourceTimings());
  for (let count = 0; count < 3; count++) await client.send("HeapProfiler.collectGarbage");
  const { metrics } = await client.send("Performance.getMetrics");
  const readMetric = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  const pageCounts = await page.evaluate(() => {
    type GraphicsCounts = readonly {
      readonly context: WeakRef<WebGL2RenderingContext>;
      readonly count: number;
    }[];
    const { graphics } = window as unknown as { graphics: GraphicsCounts };
    const liveContexts = graphics.filter(({ context }) => context.deref()?.isContextLost() === false);
    return {
      contexts: liveContexts.length,
      graphics: liveContexts.reduce((sum, alive) => sum + alive.count, 0),
      canvases: document.querySelectorAll("canvas").length,
    };
  });
  return {
    heapBytes: readMetric("JSHeapUsedSize"),
    nodes: readMetric("Nodes"),
    listeners: readMetric("JSEventListeners"),
    frames: readMetric("Frames"),
    ...pageCounts,
  };
}

/**
 * Switches between events in one tab, as their owner, because only owners' pages link from space to space without loading a new document. Resources
 * are counted with the same event open each time.
 */
export async function benchSwitches(
  browser: Browser,
  origin: string,
  sessionTicket: string,
): Promise<Switches> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(TIMEOUT_MS);
  try {
    await context.addCookies([{ name: sessionCookieName(false), value: sessionTicket, url: origin }]);
    // esbuild adds calls of `__name` to this file's functions.
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
    await waitForStage(page);
    const switchEvent = async (index: number) => {
      const id = EVENTS[index % EVENTS.length];
      await page.evaluate(async (path) => {
        // The stage of the previous space remains marked as ready until the next one begins.
        const previousStageRemoved = new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => {
            if (document.querySelector('[data-stage="ready"]')) return;
            observer.disconnect();
            resolve();
          });
          observer.observe(document.body, { subtree: true, childList: true, attributes: true });
        });
        const { __remixRouter: router } = window as unknown as {
          __remixRouter: { navigate(to: string): Promise<void> };
        };
        await router.navigate(path);
        await previousStageRemoved;
      }, `/event/${id}`);
      await page.waitForFunction((path) => location.pathname === path, `/event/${id}`);
      await waitForStage(page);
      await page.waitForTimeout(300);
    };
    const counts: HeldResources[] = [];
    for (let count = 1; count <= SWITCHES; count++) {
      await switchEvent(count);
      if (count % COUNTED_EVERY === SWITCHES % COUNTED_EVERY) counts.push(await countResources(page, client));
    }
    return { switches: SWITCHES, resources: counts };
  } finally {
    await context.close();
  }
}
