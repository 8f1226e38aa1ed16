import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { describe, expect, test } from "vitest";
import { moduleNames, startModules } from "../../../scripts/lib/build/worker-modules";
import { localOptions } from "../../../scripts/lib/local/local-product";
import { fromRoot } from "../../../scripts/lib/paths";
import { assetKeys, readAsset } from "../../../seed/demo-assets";
import { caller, signIn } from "../../support/api/caller";
import { demoIds, demoPath } from "../../support/app/demo";

const readScript = (path: string) => readFileSync(fromRoot("build", "client", path), "utf8");
/** Size of scripts after gzip, in kilobytes. */
const measureKilobytes = (paths: Iterable<string>) =>
  [...paths].reduce((sum, path) => sum + gzipSync(readScript(path), { level: 9 }).length, 0) / 1000;

/** Built scripts that a script imports, statically or dynamically. */
function readImports(path: string): { staticImports: string[]; dynamicImports: string[] } {
  const text = readScript(path);
  const toPath = (specifier: string) => posix.join(posix.dirname(path), specifier);
  const dynamicImports = [...text.matchAll(/\bimport\(\s*["'`](\.[^"'`]+\.js)["'`]\s*\)/g)].map((match) =>
    toPath(match[1] ?? ""),
  );
  const staticImports = [...text.matchAll(/\b(?:from|import)\s*["'](\.[^"']+\.js)["']/g)].map((match) =>
    toPath(match[1] ?? ""),
  );
  return { staticImports, dynamicImports };
}

/** The given scripts and all scripts that they import statically, at any depth. */
function collectImports(roots: Iterable<string>): Set<string> {
  const chunks = new Set<string>();
  const queue = [...roots];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (chunks.has(path) || !existsSync(fromRoot("build", "client", path))) continue;
    chunks.add(path);
    queue.push(...readImports(path).staticImports);
  }
  return chunks;
}

/** The scripts that a page runs. The page also lists scripts of routes to which it may navigate. */
const listScripts = (html: string) =>
  new Set(
    [
      ...html.matchAll(/<link fetchpriority="low" rel="modulepreload" href="\/(assets\/[^"]+\.js)"/g),
      ...html.matchAll(/\bimport\b[^"';]*"\/(assets\/[^"]+\.js)"/g),
    ].map((match) => match[1] ?? ""),
  );

/** Patterns that find this code, also when it is minified. */
const MARKS: Readonly<Record<string, RegExp>> = {
  three: /WebGLRenderer|isBufferGeometry/,
  zod: /_zod\b|ZodError|invalid_union/,
  drizzle: /drizzle:/,
  webauthn: /navigator\.credentials/,
  headless: /headlessui/,
};

test("the static files of a deployment contain no demo files", () => {
  const computeHash = (content: Buffer) => createHash("sha256").update(content).digest("hex");
  const demoHashes = new Set(assetKeys.map((key) => computeHash(readAsset(key))));
  const deployed = readdirSync(fromRoot("build", "client"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath, entry.name));
  expect(deployed.length).toBeGreaterThan(100);
  expect(deployed.filter((path) => demoHashes.has(computeHash(readFileSync(path))))).toEqual([]);
});

describe("the worker", () => {
  const folder = fromRoot("build", "worker");
  const names = moduleNames(folder);
  const readModule = (name: string) => readFileSync(join(folder, name), "utf8");
  const readText = (modules: readonly string[]) => modules.map(readModule).join("\n");
  const measureBytes = (modules: readonly string[]) =>
    modules.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  /** Source files of packages and of the project that are bundled in these modules. Data modules have no source map. */
  const listSources = (modules: readonly string[]) =>
    modules
      .filter((name) => name.endsWith(".js"))
      .flatMap((name) => (JSON.parse(readModule(`${name}.map`)) as { sources: string[] }).sources);
  const startNames = startModules(folder);

  test("never contains three.js", () => {
    const workerText = readText(names);
    expect(workerText).not.toMatch(MARKS.three as RegExp);
    expect(listSources(names).filter((path) => path.includes("node_modules/three/"))).toEqual([]);
    expect(listSources(names).filter((path) => path.includes("node_modules/zod/"))).not.toEqual([]);
    // The patterns are valid: they find the code that must be included.
    expect(workerText).toMatch(MARKS.zod as RegExp);
    expect(workerText).toMatch(MARKS.drizzle as RegExp);
  });

  test("has at most 3.0 MB, and at most 1.55 MB of it run at the start", () => {
    expect(measureBytes(names)).toBeLessThanOrEqual(3e6);
    expect(measureBytes(startNames)).toBeLessThanOrEqual(1.55e6);
  });

  test("is below the platform's limit of 3 MiB when it is compressed", () => {
    expect(
      gzipSync(Buffer.concat(names.map((name) => readFileSync(join(folder, name))))).length,
    ).toBeLessThan(3 * 1024 * 1024);
  });

  test("starts without code that few requests need", () => {
    const findSources = (modules: readonly string[], file: RegExp) =>
      listSources(modules).filter((path) => file.test(path));
    for (const file of [
      /node_modules\/mediabunny\//,
      /node_modules\/@zip\.js\//,
      /node_modules\/papaparse\//,
      /node_modules\/htmlparser2\//,
      /node_modules\/zod-openapi\//,
      /functions\/api\/index\.ts$/,
      /functions\/api\/reference\/reference-page\.ts$/,
      /functions\/security\/passkey-verifier\.ts$/,
      /functions\/services\/\w+\/(package-import|package-export|tag-csv|user-csv|report-export|visit-csv)\.ts$/,
    ]) {
      expect(findSources(startNames, file), `${file} at the start`).toEqual([]);
      expect(findSources(names, file), `${file} in no module`).not.toEqual([]);
    }
  });

  test("handles other requests when a module cannot be loaded, and logs the error", async () => {
    const logLines: string[] = [];
    const options = localOptions({ port: 0, state: null, onLog: (line) => logLines.push(line) });
    const [product] = (options as unknown as { workers: { modules: { path: string }[] }[] }).workers;
    if (!product) throw new Error("There is no worker");
    const apiModule = names.find((name) =>
      listSources([name]).some((path) => path.endsWith("functions/api/index.ts")),
    );
    product.modules = product.modules.filter(({ path }) => basename(path) !== apiModule);
    const mf = new Miniflare(options);
    try {
      await mf.ready;
      const worker = await mf.unsafeGetDirectURL("hiroba");
      const readStatus = async (path: string) => (await fetch(new URL(path, worker))).status;
      expect(await readStatus("/api/openapi.json")).toBe(500);
      const logEntries = logLines.map((line) => JSON.parse(line) as { error?: string; detail?: string });
      expect(logEntries).toEqual([
        expect.objectContaining({
          error: "ModuleError",
          detail: expect.stringMatching(/^The worker's module api could not be loaded: No such module "/),
        }),
      ]);
      expect(await readStatus("/login")).toBe(200);
      expect(await readStatus("/version.txt")).toBe(200);
    } finally {
      await mf.dispose();
    }
  });

  test("is deployed with the modules with which it runs here", { timeout: 60_000 }, () => {
    const outdir = mkdtempSync(join(tmpdir(), "hiroba-deploy-"));
    try {
      const wrangler = fromRoot("node_modules", "wrangler", "bin", "wrangler.js");
      execFileSync(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", outdir], {
        cwd: fromRoot(),
        env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
        stdio: "pipe",
      });
      const deployed = readdirSync(outdir).filter((name) => /\.(?:js|br)$/.test(name));
      expect(deployed.sort()).toEqual([...names].sort());
    } finally {
      rmSync(outdir, { recursive: true, force: true });
    }
  });
});

describe("a visitor's page", () => {
  for (const [spaceName, id] of [
    ["a model", demoIds.mainEvent],
    ["panoramas", demoIds.panoramaEvent],
    ["a showcase", demoIds.showcaseEvent],
  ] as const)
    test(`of ${spaceName} is usable after at most 127 KB of compressed script, without zod, three.js or the messages of other languages`, async () => {
      for (const lang of ["ja", "en"]) {
        const { text } = await caller().get(`${demoPath(id)}&lang=${lang}`);
        const scripts = collectImports(listScripts(text));
        // The messages of the page's language load through import() before hydration.
        const dynamicImports = [...scripts].flatMap((path) => readImports(path).dynamicImports);
        const messages = new Set(
          dynamicImports.filter(
            (path) =>
              /^(shared|visitors)-[\w-]{8}\.js$/.test(posix.basename(path).slice(3)) &&
              posix.basename(path).startsWith(`${lang}-`),
          ),
        );
        expect(messages.size, "the visitor's messages").toBe(2);
        const loadedScripts = collectImports([...scripts, ...messages]);
        const otherLang = lang === "ja" ? "en" : "ja";
        expect([...loadedScripts].filter((path) => posix.basename(path).startsWith(`${otherLang}-`))).toEqual(
          [],
        );
        for (const path of loadedScripts)
          for (const [name, mark] of Object.entries(MARKS))
            expect(mark.test(readScript(path)), `${name} in ${path}`).toBe(false);
        expect(measureKilobytes(loadedScripts)).toBeLessThan(127);
      }
    });

  test("of the demo's main event has at most 110 KB of HTML and 900 elements", async () => {
    for (const lang of ["ja", "en"]) {
      const { text } = await caller().get(`${demoPath(demoIds.mainEvent)}&lang=${lang}`);
      expect(Buffer.byteLength(text) / 1000).toBeLessThanOrEqual(110);
      // A browser with scripts reads the content of noscript as text.
      const markup = text.replaceAll(/<(script|noscript)\b.*?<\/\1>/gs, "<$1>");
      expect(markup.match(/<[a-z]/g)?.length).toBeLessThanOrEqual(900);
    }
  });

  test("fetches at most 220 KB of additional compressed script for each part that loads later, except for splats", async () => {
    const { text } = await caller().get(demoPath(demoIds.mainEvent));
    const pageScripts = collectImports(listScripts(text));
    const laterParts = [...pageScripts]
      .flatMap((path) => readImports(path).dynamicImports)
      .filter((path) => path.includes(".client-"));
    expect(new Set(laterParts.map((path) => posix.basename(path).split(".")[0]))).toEqual(
      new Set([
        "ViewerChrome",
        "model-viewer",
        "panorama-viewer",
        "reader",
        "showcase-viewer",
        "splat-viewer",
      ]),
    );
    for (const part of new Set(laterParts)) {
      const additionalPaths = [...collectImports([part])].filter((path) => !pageScripts.has(path));
      // The splat viewer contains its decoders, and loads only when there are splats.
      expect(measureKilobytes(additionalPaths), part).toBeLessThan(
        part.includes("splat-viewer.client") ? 1100 : 220,
      );
    }
    const laterScripts = collectImports(laterParts);
    expect([...laterScripts].some((path) => (MARKS.three as RegExp).test(readScript(path)))).toBe(true);
  });
});

describe("a page is usable", () => {
  /** The scripts of a page, with those in the response's Link header: the messages of the page's language, and parts of the page. */
  const listPageScripts = async (path: string, lang: string) => {
    const client = path === "/login" ? caller() : await signIn("owner");
    const { text, headers } = await client.get(`${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
    const files = [...(headers.get("link") ?? "").matchAll(/<\/([^>]+\.js)>/g)].map(([, name = ""]) => name);
    expect(files.filter((name) => name.startsWith(`assets/${lang}-`)).length).toBeGreaterThan(0);
    return collectImports([...listScripts(text), ...files]);
  };

  test.each([
    ["the log-in page", "/login", 120],
    ["the list of spaces", "/space-list", 160],
    ["a space", `/space/${demoIds.showroom}`, 160],
    ["the event editor", `/event/${demoIds.mainEvent}`, 230],
  ])("%s (%s) after at most %i KB of compressed script, without zod", async (_name, path, limit) => {
    for (const lang of ["ja", "en"]) {
      const scripts = await listPageScripts(path, lang);
      for (const script of scripts)
        expect((MARKS.zod as RegExp).test(readScript(script)), `zod in ${script}`).toBe(false);
      expect(measureKilobytes(scripts), lang).toBeLessThanOrEqual(limit);
    }
  });

  test.each(["tags", "media", "start", "tour", "plan", "store", "links", "history"])(
    "the panel %s of the editor after at most 300 KB of compressed script, among it that of the panel",
    async (panel) => {
      const editorScripts = await listPageScripts(`/event/${demoIds.mainEvent}?panel=event`, "ja");
      const scripts = await listPageScripts(`/event/${demoIds.mainEvent}?panel=${panel}`, "ja");
      expect(
        [...scripts].filter((name) => /-panel-[\w-]{8}\.js$/.test(name) && !editorScripts.has(name)),
      ).not.toEqual([]);
      expect(measureKilobytes(scripts)).toBeLessThanOrEqual(300);
    },
  );
});

describe("no script of the log-in page or of an owner's main pages", () => {
  test("contains server code", async () => {
    const owner = await signIn("owner");
    for (const path of [
      "/login",
      "/space-list",
      `/space/${demoIds.showroom}`,
      `/event/${demoIds.mainEvent}`,
      "/library",
      "/account",
    ]) {
      const scripts = collectImports(
        listScripts((await (path === "/login" ? caller() : owner).get(path)).text),
      );
      for (const script of scripts) {
        const text = readScript(script);
        for (const mark of [
          /drizzle:/,
          /scrypt/,
          /node:crypto/,
          /SESSION_SECRET/,
          /CREATE TABLE|INSERT INTO/,
        ])
          expect(mark.test(text), `${mark} in ${script}`).toBe(false);
      }
    }
  });
});
