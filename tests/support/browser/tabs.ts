/**
 * Tabs of a browser that one visit uses after the other. A context, its two processes and a page's scripts, fetched and compiled
 * anew, take three times the processor that a page itself takes; so a tab is emptied and kept. What a visit could have
 * changed for good (routes, scripts that run before the page's, clocks, more tabs) is noticed, and ends the tab with it.
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
  readonly scripts: boolean;
  uses: number;
  /** Whether something that no emptying takes back was done to it. */
  isChanged: boolean;
}

/** After so many visits a tab has enough: what a page forgets to give back would be there for all that follow. */
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
  ...["install", "fastForward", "pauseAt", "resume", "runFor", "setFixedTime", "setSystemTime"],
] as const satisfies readonly (keyof Clock)[];

/** Calls `changed` whenever one of these methods is called. */
function watchChanges<T extends BrowserContext | Page | Clock>(
  target: T,
  methods: readonly (keyof T)[],
  changed: () => void,
) {
  for (const name of methods) {
    const original = target[name] as (...input: unknown[]) => unknown;
    Object.defineProperty(target, name, {
      value: (...input: unknown[]) => {
        changed();
        return Reflect.apply(original, target, input);
      },
    });
  }
}

class Tabs {
  readonly #browser: Browser;
  /** Tabs that nobody uses, by what they are like. */
  readonly #idle = new Map<string, ReusableTab[]>();
  readonly #used = new Map<Tab, { readonly kind: string; readonly tab: ReusableTab }>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * An empty tab: no cookies, nothing stored, no history.
   * @param options of its context; size, headers, colours and motion are set anew for each visit
   * @param kind what else distinguishes tabs that `prepare` makes
   * @param prepare what is done to a new one before anybody uses it
   */
  async take(
    { viewport, extraHTTPHeaders, colorScheme, reducedMotion, ...options }: BrowserContextOptions,
    kind: string,
    prepare: (tab: Tab) => Promise<void>,
  ): Promise<Tab> {
    const key = JSON.stringify([kind, options]);
    const tab = this.#idle.get(key)?.pop() ?? (await this.#make(options, prepare));
    this.#used.set(tab, { kind: key, tab });
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

  async #make(options: BrowserContextOptions, prepare: (tab: Tab) => Promise<void>): Promise<ReusableTab> {
    const context = await this.#browser.newContext(options);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await prepare({ context, page });
    const scripts = options.javaScriptEnabled !== false;
    const tab: ReusableTab = { context, page, devtools, scripts, uses: 0, isChanged: false };
    const changed = () => {
      tab.isChanged = true;
    };
    watchChanges(context, CONTEXT_CHANGES, changed);
    watchChanges(context.clock, CLOCK_CHANGES, changed);
    watchChanges(page, PAGE_CHANGES, changed);
    return tab;
  }

  /** Ends a visit: nothing of its page runs any more, not even what pages do when they are left. */
  async leave(of: Tab, keepTab: boolean): Promise<void> {
    const { kind, tab } = this.#used.get(of) ?? {};
    this.#used.delete(of);
    if (
      !tab ||
      !kind ||
      !keepTab ||
      tab.isChanged ||
      ++tab.uses >= USES_MAX ||
      tab.context.pages().length !== 1
    )
      return of.context.close();
    try {
      await resetTab(tab);
    } catch {
      return tab.context.close();
    }
    this.#idle.set(kind, [...(this.#idle.get(kind) ?? []), tab]);
  }
}

const tabsByBrowser = new WeakMap<Browser, Tabs>();

/** The tabs of a browser. */
export function getTabs(browser: Browser): Tabs {
  const tabs = tabsByBrowser.get(browser) ?? new Tabs(browser);
  tabsByBrowser.set(browser, tabs);
  return tabs;
}

async function resetTab({ context, page, devtools, scripts }: ReusableTab): Promise<void> {
  const origin = scripts && page.url().startsWith("http") ? new URL(page.url()).origin : null;
  if (origin)
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  if (scripts) await devtools.send("Emulation.setScriptExecutionDisabled", { value: true });
  await page.goto("about:blank");
  // Nobody has its databases open any more.
  if (origin)
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb,cache_storage" });
  await page.mouse.move(-1, -1);
  await devtools.send("Page.resetNavigationHistory");
  await context.clearCookies();
  if (scripts) await devtools.send("Emulation.setScriptExecutionDisabled", { value: false });
}
