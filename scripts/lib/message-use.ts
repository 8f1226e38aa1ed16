/** Which messages the code uses: for the check of unused messages, and for the namespaces that each route must name. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { type MessageTree, NAMESPACES, type Namespace } from "../../app/i18n/messages";
import { fromRoot } from "./paths";

const KEY = new RegExp(`(["'\`])((${NAMESPACES.join("|")}):[\\w.]*)(\\1|\\$\\{)`, "g");

/** A key as code names it, or the beginning of one that is put together. */
export interface Use {
  readonly namespace: Namespace;
  readonly path: string;
  readonly isWhole: boolean;
  /** Position in the text. */
  readonly at: number;
}

/** The keys in a piece of code. */
export const usesIn = (code: string): readonly Use[] =>
  [...code.matchAll(KEY)].map(({ 2: key = "", 3: namespace, 4: end, index }) => ({
    namespace: namespace as Namespace,
    path: key.slice(key.indexOf(":") + 1),
    isWhole: end !== "${",
    at: index,
  }));

const PLURAL = /_(one|other)$/;

/** The paths of a tree's messages. */
export const pathsOf = (tree: MessageTree, prefix = ""): readonly string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [prefix + key] : pathsOf(value, `${prefix}${key}.`),
  );

function* sourcesIn(folder: string): Generator<string> {
  for (const name of readdirSync(fromRoot(folder), { recursive: true, encoding: "utf8" }))
    if (/\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)) yield join(folder, name).replaceAll("\\", "/");
}

/** Messages that no code of the product names. */
export function unusedMessages(resources: Readonly<Record<Namespace, MessageTree>>): readonly string[] {
  const whole = new Set<string>();
  const beginnings = new Set<string>();
  for (const folder of ["app", "functions"])
    for (const path of sourcesIn(folder)) {
      if (/^app\/i18n\/(en|ja)\//.test(path)) continue;
      for (const use of usesIn(readFileSync(fromRoot(path), "utf8")))
        (use.isWhole ? whole : beginnings).add(`${use.namespace}:${use.path}`);
    }
  return Object.entries(resources).flatMap(([namespace, tree]) =>
    pathsOf(tree)
      .map((path) => `${namespace}:${path}`)
      .filter((key) => !whole.has(key) && !whole.has(key.replace(PLURAL, "")))
      .filter((key) => ![...beginnings].some((beginning) => key.startsWith(beginning))),
  );
}

const RESOLVED = {};

/** Imports that a bundle does not follow: packages, the server, messages and parts that load later. */
const outside = (dynamic: Set<string>): Plugin => ({
  name: "outside",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /.*/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (pluginData === RESOLVED || kind === "entry-point" || importer === "<stdin>") return undefined;
      const target = path.startsWith("~/")
        ? fromRoot("app", path.slice(2))
        : path.startsWith(".")
          ? join(dirname(importer), path)
          : null;
      if (target === null || /\?|\.css$|\/app\/i18n\//.test(target.replaceAll("\\", "/")))
        return { path, external: true };
      if (kind === "dynamic-import") {
        dynamic.add(target);
        return { path, external: true };
      }
      // Remix removes imports that only the server needs in the same way.
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: RESOLVED });
      return { ...found, sideEffects: false };
    });
  },
});

/** The code that some exports of a module need, as one text, and the modules that it loads later. */
export async function codeOf(
  module: string,
  names: readonly string[],
  isServer: boolean,
): Promise<{ readonly code: string; readonly later: readonly string[] }> {
  const dynamic = new Set<string>();
  const from = JSON.stringify(module);
  const { outputFiles } = await build({
    stdin: {
      contents:
        names.length > 0
          ? `export { ${names.join(", ")} } from ${from};`
          : `import * as all from ${from}; export { all };`,
      resolveDir: fromRoot(),
    },
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    logLevel: "silent",
    tsconfig: fromRoot("tsconfig.json"),
    plugins: [
      ...(isServer
        ? []
        : [
            {
              name: "server",
              setup({ onResolve }) {
                onResolve({ filter: /\.server$/ }, ({ path }) => ({
                  path,
                  external: true,
                  sideEffects: false,
                }));
              },
            } satisfies Plugin,
          ]),
      outside(dynamic),
    ],
  });
  return { code: outputFiles[0]?.text ?? "", later: [...dynamic] };
}

const CLIENT_EXPORTS =
  /^export (?:const|function|async function) (ErrorBoundary|handle|HydrateFallback|Layout|links|meta|shouldRevalidate|clientLoader|clientAction)\b|^export (default)\b|^export \{ \w+ as (ErrorBoundary) \}/gm;
const SERVER_EXPORTS = /^export (?:const|function|async function) (loader|action)\b/gm;
const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, ...names]) => names.find(Boolean) ?? "");
const pageExports = (text: string) => namesIn(text, CLIENT_EXPORTS);

/** Keys of schemas and rules, which forms receive and turn into messages themselves. */
const ERRORS = /^(\w+\.)?errors\./;
/** Pages of visitors receive messages as texts. */
const WRITTEN = /^app\/routes\/(visitors\/viewer\.tsx|store\/(storefront|product|cart|visit)\/)/;

/**
 * The namespaces that a module's page part reads, and those of messages that its loader and action send by key. Messages of
 * modules that load later come with those.
 */
export async function namespacesOfRoute(path: string): Promise<readonly Namespace[]> {
  const text = readFileSync(fromRoot(path), "utf8");
  const found = new Set<Namespace>();
  const client = pageExports(text);
  const isPage = client.includes("default") || client.includes("ErrorBoundary");
  if (!isPage) return [];
  const page = await codeOf(fromRoot(path), client, false);
  for (const { namespace } of usesIn(page.code)) found.add(namespace);
  const server = namesIn(text, SERVER_EXPORTS);
  if (server.length > 0 && !WRITTEN.test(path)) {
    const { code } = await codeOf(fromRoot(path), server, true);
    // Other texts of the server are written there.
    for (const { namespace, path: key } of usesIn(code)) if (ERRORS.test(key)) found.add(namespace);
  }
  return [...found].sort();
}

/** A late part that reads messages of a namespace that loads neither with it nor with the page. */
export interface Shortage {
  readonly module: string;
  readonly namespace: Namespace;
}

/** Modules that are loaded together with namespaces: `withMessages(["a"], () => import("./x"))`. */
const WITH_MESSAGES = /withMessages\d*\(\s*\[([^\]]*)\],[^;]*?import\("([^"]+)"\)/g;

/** Namespaces that a module loads itself. */
const LOADS = /loadNamespaces\d*\(\[([^\]]*)\]\)/g;

/** What is missing of the messages of all modules that a route loads later, when these namespaces are there. */
export async function shortagesOf(path: string, there: readonly Namespace[]): Promise<readonly Shortage[]> {
  const missing: Shortage[] = [];
  const seen = new Set<string>();
  const walk = async (
    module: string,
    names: readonly string[],
    loaded: readonly Namespace[],
  ): Promise<void> => {
    const { code, later } = await codeOf(module, names, false);
    const along = [...code.matchAll(WITH_MESSAGES)].map(
      ([, list = "", specifier = ""]) =>
        [specifier.split("/").at(-1), list.match(/[\w-]+/g) ?? []] as unknown as [string, Namespace[]],
    );
    for (const each of later) {
      // Workers and what draws in 3D say nothing.
      if (seen.has(each) || /\.client$|node_modules/.test(each)) continue;
      seen.add(each);
      const more = along.filter(([name]) => name === each.split(/[\\/]/).at(-1)).flatMap(([, list]) => list);
      const all = [...loaded, ...more];
      const relative = each.slice(fromRoot().length + 1).replaceAll("\\", "/");
      const part = await codeOf(each, [], false);
      const own = [...part.code.matchAll(LOADS)].flatMap(([, list = ""]) => list.match(/[\w-]+/g) ?? []);
      const uses = usesIn(part.code).filter((use) => !WRITTEN.test(relative) || !ERRORS.test(use.path));
      for (const namespace of new Set(uses.map((use) => use.namespace)))
        if (![...all, ...own].includes(namespace)) missing.push({ module: relative, namespace });
      await walk(each, [], all);
    }
  };
  await walk(fromRoot(path), pageExports(readFileSync(fromRoot(path), "utf8")), there);
  return missing;
}
