/** Measures the scripts of a page: every script that a real browser loads, by its gzip size. */
import { gzipSync } from "node:zlib";
import type { Browser, Locator, Page, Response } from "playwright-core";

/** A script. Scripts are listed in the order of their arrival. */
export interface Script {
  readonly name: string;
  /** Bytes after gzip at its default level. */
  readonly gzip: number;
  readonly bytes: number;
}

/** The scripts of one page. */
export interface PageScripts {
  readonly key: string;
  /** Scripts that must be loaded before the page is usable: their gzip bytes together, and the scripts. */
  readonly usable: number;
  readonly usableScripts: readonly Script[];
  /** The same for scripts that load later and hydrate parts of the page. */
  readonly later: number;
  readonly laterScripts: readonly Script[];
  /** The same for scripts that load later for 3D. */
  readonly stage: number;
  readonly stageScripts: readonly Script[];
  /** Milliseconds from the start of the navigation to the click that proved that scripts run; null when no click was made. */
  readonly provenAfterMs: number | null;
  /** The document itself. */
  readonly html: { readonly gzip: number; readonly bytes: number };
}

/** A page to open. */
export interface PageVisit {
  readonly key: string;
  readonly url: string;
  /** Clicks an element that only works with scripts, and resolves when it has worked. */
  readonly prove?: (page: Page) => Promise<void>;
  /** Whether the page loads 3D code later. The visit then waits for it. */
  readonly stage?: boolean;
}

/** Timeout for a busy machine, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** Modules that use 3D are named *.client. The entry of all pages has that name for another reason. */
const isStageScript = (name: string) => /\.client-/.test(name) && !name.startsWith("entry.client");

/** Static imports of a module: `import"./x.js"` and `from"./x.js"`, not `import("./x.js")`. */
export function staticImports(code: string): string[] {
  return [...code.matchAll(/\b(?:import|from)\s*"\.\/([^"]+\.js)"/g)].map((match) => match[1] as string);
}

function withImports(roots: readonly string[], imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const modules = new Set<string>();
  const add = (name: string) => {
    if (modules.has(name)) return;
    modules.add(name);
    for (const importedName of imports.get(name) ?? []) add(importedName);
  };
  roots.forEach(add);
  return modules;
}

interface LoadedScript extends Script {
  readonly code: string;
}

/**
 * The scripts that a page loads at once: those that it preloads, among them its messages, and those that its own script imports.
 * @param link the page's `Link` header
 */
export const initialScripts = (html: string, link: string): string[] =>
  [
    ...link.matchAll(/<[^>]*\/([^>/]+\.js)>; rel=modulepreload/g),
    ...html.matchAll(/<link fetchpriority="low" rel="modulepreload" href="[^"]*\/([^"/]+\.js)"/g),
    ...html.matchAll(/\bimport\b[^"';]*"[^"]*\/([^"/]+\.js)"/g),
  ].map((match) => match[1] as string);

/**
 * Groups the scripts of a page: those that it needs before it is usable, those that hydrate parts of the page later (decision 019), and those
 * that only 3D needs.
 * @param initialNames see initialScripts
 */
export function groupScripts(
  loaded: readonly LoadedScript[],
  initialNames: readonly string[],
): { usable: LoadedScript[]; later: LoadedScript[]; stage: LoadedScript[] } {
  const imports = new Map(loaded.map(({ name, code }) => [name, staticImports(code)]));
  const names = loaded.map(({ name }) => name);
  const pageModules = withImports(initialNames, imports);
  const laterModules = withImports(
    names.filter((name) => !withImports(names.filter(isStageScript), imports).has(name)),
    imports,
  );
  const isUsable = ({ name }: LoadedScript) => pageModules.has(name);
  const isLater = (script: LoadedScript) => !isUsable(script) && laterModules.has(script.name);
  return {
    usable: loaded.filter(isUsable),
    later: loaded.filter(isLater),
    stage: loaded.filter((script) => !isUsable(script) && !isLater(script)),
  };
}

const sumGzip = (scripts: readonly Script[]) => scripts.reduce((total, { gzip }) => total + gzip, 0);
const withoutContents = ({ name, gzip, bytes }: Script): Script => ({ name, gzip, bytes });

/** Opens a page in a new context with an empty cache, and records every script that loads. */
export async function visitPage(
  browser: Browser,
  visit: PageVisit,
  cookies: readonly { name: string; value: string; url: string }[] = [],
): Promise<PageScripts> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(TIMEOUT_MS);
  try {
    await context.addCookies([...cookies]);
    // Requests to other hosts, such as that of showcases, are blocked, because they are not part of this product.
    const { host } = new URL(visit.url);
    await context.route(
      (url) => url.protocol.startsWith("http") && url.host !== host,
      (route) => route.abort(),
    );
    const page = await context.newPage();
    const scripts: Promise<LoadedScript>[] = [];
    const recordScript = async (response: Response): Promise<LoadedScript> => {
      const body = await response.body();
      return {
        name: new URL(response.url()).pathname.replace(/^.*\//, ""),
        gzip: gzipSync(body).length,
        bytes: body.length,
        code: body.toString("utf8"),
      };
    };
    const onResponse = (response: Response) => {
      const { protocol, pathname } = new URL(response.url());
      if (protocol.startsWith("http") && pathname.endsWith(".js") && response.ok())
        scripts.push(recordScript(response));
    };
    page.on("response", onResponse);
    const stageScriptLoaded = visit.stage
      ? page.waitForResponse((response) =>
          isStageScript(new URL(response.url()).pathname.replace(/^.*\//, "")),
        )
      : null;
    const start = performance.now();
    const navigation = await page.goto(visit.url, { waitUntil: "commit" });
    if (!navigation?.ok()) throw new Error(`${visit.key} returned ${navigation?.status()}`);
    await visit.prove?.(page);
    const provenAfterMs = visit.prove ? performance.now() - start : null;
    await stageScriptLoaded;
    await page.waitForLoadState("networkidle");
    // Scripts that arrive later are ignored, because their bodies cannot be read after the page is closed.
    page.off("response", onResponse);
    const html = await navigation.body();
    const loaded = await Promise.all(scripts);
    const uniqueScripts = [...new Map(loaded.map((script) => [script.name, script])).values()];
    const link = (await navigation.headerValue("link")) ?? "";
    const groups = groupScripts(uniqueScripts, initialScripts(html.toString("utf8"), link));
    return {
      key: visit.key,
      usable: sumGzip(groups.usable),
      usableScripts: groups.usable.map(withoutContents),
      later: sumGzip(groups.later),
      laterScripts: groups.later.map(withoutContents),
      stage: sumGzip(groups.stage),
      stageScripts: groups.stage.map(withoutContents),
      provenAfterMs,
      html: { gzip: gzipSync(html).length, bytes: html.length },
    };
  } finally {
    await context.close();
  }
}

/**
 * Proves that a viewer page is hydrated: opening one entry of its list closes the open one, which only scripts do. Clicks
 * repeatedly until this happens.
 */
export async function proveHydrated(page: Page): Promise<void> {
  const entries = page.locator("main li[id] > details");
  const [firstEntry, secondEntry] = [entries.nth(0), entries.nth(1)];
  const isOpen = (entry: Locator) => entry.evaluate((details: HTMLDetailsElement) => details.open);
  const press = (entry: Locator) => entry.locator("summary").first().click();
  await secondEntry.waitFor();
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (!(await isOpen(firstEntry))) await press(firstEntry);
    await press(secondEntry);
    for (let attempts = 0; attempts < 5; attempts++) {
      if ((await isOpen(secondEntry)) && !(await isOpen(firstEntry))) return;
      await page.waitForTimeout(20);
    }
    if (await isOpen(secondEntry)) await press(secondEntry);
  }
  throw new Error("The viewer page was not hydrated");
}
