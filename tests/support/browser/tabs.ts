/**
 * Reuses tabs of a browser for consecutive visits. A new context, its two processes and compiling a page's scripts again take three times the CPU
 * time of the page itself. Lasting changes (routes, init scripts, clocks, more tabs) are detected, and such a tab is closed after its visit.
 */
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Clock,
  Page,
} from "playwright-core";

export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
}

interface ReusableTab extends Tab {
  readonly devtools: CDPSession;
  readonly hasScripts: boolean;
  uses: number;
  /** Whether the visit made a change that cannot be undone. */
  isChanged: boolean;
}

/** Maximum number of visits per tab, because resources that a page leaks stay in its tab. */
const USES_MAX = 30;

const CONTEXT_CHANGES = [
  ...["addInitScript", "route", "routeFromHAR", "routeWebSocket", "exposeFunction", "exposeBinding"],
  ...["setOffline", "setGeolocation", "grantPermissions", "newCDPSession", "on", "once", "setDefaultTimeout"],
] as const satisfies readonly (keyof BrowserContext)[];
const PAGE_CHANGES = [
  ...["addInitScript", "route", "routeFromHAR", "routeWebSocket", "exposeFunction", "exposeBinding"],
  ...["setExtraHTTPHeaders", "addLocatorHandler", "on", "once", "setDefaultTimeout"],
] as const satisfies readonly (keyof Page)[];

const CLOCK_CHANGES = [
  "install",
  "fastForward",
  "pauseAt",
  "resume",
  "runFor",
  "setFixedTime",
  "setSystemTime",
] as const satisfies readonly (keyof Clock)[];

/** Calls `onChange` whenever one of these methods is called. */
function watchChanges<T extends BrowserContext | Page | Clock>(
  target: T,
  methods: readonly (keyof T)[],
  onChange: () => void,
) {
  for (const name of methods) {
    const original = target[name] as (...input: unknown[]) => unknown;
    Object.defineProperty(target, name, {
      value: (...input: unknown[]) => {
        onChange();
        return Reflect.apply(original, target, input);
      },
    });
  }
}

class Tabs {
  readonly #browser: Browser;
  /** Idle tabs, by their kind and options. */
  readonly #idle = new Map<string, ReusableTab[]>();
  readonly #used = new Map<Tab, { readonly key: string; readonly tab: ReusableTab }>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * Returns a tab without cookies, storage and history.
   * @param options of its context; size, headers, colours and motion are set again for each visit
   * @param kind distinguishes tabs with different `prepare` functions
   * @param prepare runs once on a new tab
   */
  async take(
    { viewport, extraHTTPHeaders, colorScheme, reducedMotion, ...options }: BrowserContextOptions,
    kind: string,
    prepare: (tab: Tab) => Promise<void>,
  ): Promise<Tab> {
    const key = JSON.stringify([kind, options]);
    const tab = this.#idle.get(key)?.pop() ?? (await this.#createTab(options, prepare));
    this.#used.set(tab, { key, tab });
    if (viewport) await tab.page.setViewportSize(viewport);
    await tab.context.setExtraHTTPHeaders(extraHTTPHeaders ?? {});
    await tab.page.emulateMedia({
      media: null,
      forcedColors: null,
      contrast: null,
      colorScheme: colorScheme ?? null,
      reducedMotion: reducedMotion ?? null,
    });
    return tab;
  }

  async #createTab(
    options: BrowserContextOptions,
    prepare: (tab: Tab) => Promise<void>,
  ): Promise<ReusableTab> {
    const context = await this.#browser.newContext(options);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await prepare({ context, page });
    const hasScripts = options.javaScriptEnabled !== false;
    const tab: ReusableTab = { context, page, devtools, hasScripts, uses: 0, isChanged: false };
    const markChanged = () => {
      tab.isChanged = true;
    };
    watchChanges(context, CONTEXT_CHANGES, markChanged);
    watchChanges(context.clock, CLOCK_CHANGES, markChanged);
    watchChanges(page, PAGE_CHANGES, markChanged);
    return tab;
  }

  /** Ends a visit. Scripts of its page stop, including their unload handlers. */
  async release(usedTab: Tab, keepTab: boolean): Promise<void> {
    const { key, tab } = this.#used.get(usedTab) ?? {};
    this.#used.delete(usedTab);
    if (
      !tab ||
      !key ||
      !keepTab ||
      tab.isChanged ||
      ++tab.uses >= USES_MAX ||
      tab.context.pages().length !== 1
    )
      return usedTab.context.close();
    try {
      await resetTab(tab);
    } catch {
      return tab.context.close();
    }
    this.#idle.set(key, [...(this.#idle.get(key) ?? []), tab]);
  }
}

const tabsByBrowser = new WeakMap<Browser, Tabs>();

/** The tabs of a browser. */
export function getTabs(browser: Browser): Tabs {
  const tabs = tabsByBrowser.get(browser) ?? new Tabs(browser);
  tabsByBrowser.set(browser, tabs);
  return tabs;
}

async function resetTab({ context, page, devtools, hasScripts }: ReusableTab): Promise<void> {
  const origin = hasScripts && page.url().startsWith("http") ? new URL(page.url()).origin : null;
  if (origin)
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  if (hasScripts) await devtools.send("Emulation.setScriptExecutionDisabled", { value: true });
  await page.goto("about:blank");
  // These are cleared after the page has been left, because it no longer has its databases open.
  if (origin)
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb,cache_storage" });
  await page.mouse.move(-1, -1);
  await devtools.send("Page.resetNavigationHistory");
  await context.clearCookies();
  if (hasScripts) await devtools.send("Emulation.setScriptExecutionDisabled", { value: false });
}
