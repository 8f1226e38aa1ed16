/** How much script a page needs: every script that a real browser loads, by its gzip size. */
import { gzipSync } from "node:zlib";
import type { Browser, Locator, Page, Response } from "playwright-core";

/** A script, in the order in which it arrived. */
export interface Script {
  readonly name: string;
  /** gzip at its usual level. */
  readonly gzip: number;
  readonly bytes: number;
}

export interface PageScripts {
  readonly key: string;
  /** What must be there before the page is usable, in bytes of gzip, and each script of it. */
  readonly usable: number;
  readonly usableScripts: readonly Script[];
  /** What comes afterwards and makes parts of the page alive. */
  readonly later: number;
  readonly laterScripts: readonly Script[];
  /** What comes afterwards for 3D. */
  readonly stage: number;
  readonly stageScripts: readonly Script[];
  /** Milliseconds from the start of the navigation to the click that proved that scripts run; null where none was made. */
  readonly provenAfterMs: number | null;
  /** The page itself. */
  readonly html: { readonly gzip: number; readonly bytes: number };
}

export interface PageVisit {
  readonly key: string;
  readonly url: string;
  /** Clicks something that only works with scripts, and returns when it has worked. */
  readonly prove?: (page: Page) => Promise<void>;
  /** Whether 3D code must follow. */
  readonly stage?: boolean;
}

/** A busy machine may take its time: what is measured here is size. */
const PATIENCE_MS = 120_000;

/** Modules that touch 3D are named *.client (DESIGN §3); the entry of all pages has that name for another reason. */
const isStage = (name: string) => /\.client-/.test(name) && !name.startsWith("entry.client");

/** The modules that a module needs before it runs: `import"./x.js"` and `from"./x.js"`, not `import("./x.js")`. */
export function staticImports(code: string): string[] {
  return [...code.matchAll(/\b(?:import|from)\s*"\.\/([^"]+\.js)"/g)].map((match) => match[1] as string);
}

function closure(roots: readonly string[], imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const next of imports.get(name) ?? []) add(next);
  };
  roots.forEach(add);
  return found;
}

interface Loaded extends Script {
  readonly code: string;
}

/** The scripts that a page runs at once: those that it fetches ahead, and those that its own script imports. */
export const namedScripts = (html: string): string[] =>
  [
    ...html.matchAll(/<link rel="modulepreload" href="[^"]*\/([^"/]+\.js)"/g),
    ...html.matchAll(/\bimport\b[^"';]*"[^"]*\/([^"/]+\.js)"/g),
  ].map((match) => match[1] as string);

/** Words come by `import()`, and the page is taken over when they are there. */
const isWords = (name: string) => /^(?:ja|en)(?:-visitor)?-/.test(name);

/**
 * Divides the scripts of a page: what it needs before it is usable, what comes alive later (decision 019), and what only 3D needs.
 * @param named see namedScripts
 */
export function divide(
  loaded: readonly Loaded[],
  named: readonly string[],
): { usable: Loaded[]; later: Loaded[]; stage: Loaded[] } {
  const imports = new Map(loaded.map(({ name, code }) => [name, staticImports(code)]));
  const names = loaded.map(({ name }) => name);
  const forPage = closure([...named, ...names.filter(isWords)], imports);
  const forLater = closure(
    names.filter((name) => !closure(names.filter(isStage), imports).has(name)),
    imports,
  );
  const isUsable = ({ name }: Loaded) => forPage.has(name);
  const isLater = (script: Loaded) => !isUsable(script) && forLater.has(script.name);
  return {
    usable: loaded.filter(isUsable),
    later: loaded.filter(isLater),
    stage: loaded.filter((script) => !isUsable(script) && !isLater(script)),
  };
}

const sum = (scripts: readonly Script[]) => scripts.reduce((total, { gzip }) => total + gzip, 0);
const plain = ({ name, gzip, bytes }: Script): Script => ({ name, gzip, bytes });

/** Opens a page in a fresh context, with nothing cached, and notes every script that comes. */
export async function visitPage(
  browser: Browser,
  visit: PageVisit,
  cookies: readonly { name: string; value: string; url: string }[] = [],
): Promise<PageScripts> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    await context.addCookies([...cookies]);
    // A showcase comes from its own host: no part of this product, and no network is measured here.
    const { host } = new URL(visit.url);
    await context.route(
      (url) => url.protocol.startsWith("http") && url.host !== host,
      (route) => route.abort(),
    );
    const page = await context.newPage();
    const scripts: Promise<Loaded>[] = [];
    const take = async (response: Response): Promise<Loaded> => {
      const body = await response.body();
      return {
        name: new URL(response.url()).pathname.replace(/^.*\//, ""),
        gzip: gzipSync(body).length,
        bytes: body.length,
        code: body.toString("utf8"),
      };
    };
    page.on("response", (response) => {
      const { protocol, pathname } = new URL(response.url());
      if (protocol.startsWith("http") && pathname.endsWith(".js") && response.ok())
        scripts.push(take(response));
    });
    const stage = visit.stage
      ? page.waitForResponse((response) => isStage(new URL(response.url()).pathname.replace(/^.*\//, "")))
      : null;
    const start = performance.now();
    const answer = await page.goto(visit.url, { waitUntil: "commit" });
    if (!answer?.ok()) throw new Error(`${visit.key} answered ${answer?.status()}`);
    await visit.prove?.(page);
    const provenAfterMs = visit.prove ? performance.now() - start : null;
    await stage;
    await page.waitForLoadState("networkidle");
    const html = await answer.body();
    const loaded = await Promise.all(scripts);
    const once = [...new Map(loaded.map((script) => [script.name, script])).values()];
    const parts = divide(once, namedScripts(html.toString("utf8")));
    return {
      key: visit.key,
      usable: sum(parts.usable),
      usableScripts: parts.usable.map(plain),
      later: sum(parts.later),
      laterScripts: parts.later.map(plain),
      stage: sum(parts.stage),
      stageScripts: parts.stage.map(plain),
      provenAfterMs,
      html: { gzip: gzipSync(html).length, bytes: html.length },
    };
  } finally {
    await context.close();
  }
}

/**
 * Proves that a viewer page is alive: opening one entry of its list closes the one that was open, which only scripts do.
 * Tries again until it does, as a person would.
 */
export async function proveViewer(page: Page): Promise<void> {
  const entries = page.locator("main li[id] > details");
  const [first, second] = [entries.nth(0), entries.nth(1)];
  const isOpen = (entry: Locator) => entry.evaluate((details: HTMLDetailsElement) => details.open);
  const press = (entry: Locator) => entry.locator("summary").first().click();
  await second.waitFor();
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    if (!(await isOpen(first))) await press(first);
    await press(second);
    for (let looks = 0; looks < 5; looks++) {
      if ((await isOpen(second)) && !(await isOpen(first))) return;
      await page.waitForTimeout(20);
    }
    if (await isOpen(second)) await press(second);
  }
  throw new Error("The viewer page did not come alive");
}
