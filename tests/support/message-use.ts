/** Finds messages that the code does not use, namespaces that a route must declare, and namespaces that lazily imported modules lack. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { MessageTree, Namespace } from "~/i18n/messages";
import { findMessageKeys, messagePaths } from "../../scripts/lib/build/message-keys";
import { fromRoot } from "../../scripts/lib/paths";

const PLURAL = /_(zero|one|other)$/;

function* sourcesIn(folder: string): Generator<string> {
  for (const name of readdirSync(fromRoot(folder), { recursive: true, encoding: "utf8" }))
    if (/\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)) yield join(folder, name).replaceAll("\\", "/");
}

/** Messages that the product's code does not use. */
export function unusedMessages(resources: Readonly<Record<Namespace, MessageTree>>): readonly string[] {
  const wholeKeys = new Set<string>();
  const keyPrefixes = new Set<string>();
  for (const folder of ["app", "functions"])
    for (const path of sourcesIn(folder)) {
      if (/^app\/i18n\/(en|ja)\//.test(path)) continue;
      for (const use of findMessageKeys(readFileSync(fromRoot(path), "utf8")))
        (use.isWhole ? wholeKeys : keyPrefixes).add(`${use.namespace}:${use.path}`);
    }
  return Object.entries(resources).flatMap(([namespace, tree]) =>
    messagePaths(tree)
      .map((path) => `${namespace}:${path}`)
      .filter((key) => !wholeKeys.has(key) && !wholeKeys.has(key.replace(PLURAL, "")))
      .filter((key) => ![...keyPrefixes].some((prefix) => key.startsWith(prefix))),
  );
}

const RESOLVED = {};

/** Excludes packages, style sheets, imports with a query, messages and modules that load later from the bundle. */
const externalImports = (dynamicImports: Set<string>): Plugin => ({
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
        dynamicImports.add(target);
        return { path, external: true };
      }
      // Remix also removes imports that only the server needs.
      const resolvedImport = await resolve(path, { kind, importer, resolveDir, pluginData: RESOLVED });
      return { ...resolvedImport, sideEffects: false };
    });
  },
});

/** The code of a bundle as one text, and the modules that it loads later. */
interface Bundle {
  readonly code: string;
  readonly laterModules: readonly string[];
}

/** Bundles the code that the named exports of a module need, or with an empty list the whole module. */
export async function bundleExports(
  module: string,
  names: readonly string[],
  isServer: boolean,
): Promise<Bundle> {
  const dynamicImports = new Set<string>();
  const specifier = JSON.stringify(module);
  const { outputFiles } = await build({
    stdin: {
      contents:
        names.length > 0
          ? `export { ${names.join(", ")} } from ${specifier};`
          : `import * as all from ${specifier}; export { all };`,
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
      externalImports(dynamicImports),
    ],
  });
  return { code: outputFiles[0]?.text ?? "", laterModules: [...dynamicImports] };
}

const CLIENT_EXPORTS =
  /^export (?:const|function|async function) (ErrorBoundary|handle|HydrateFallback|Layout|links|meta|shouldRevalidate|clientLoader|clientAction)\b|^export (default)\b|^export \{ \w+ as (ErrorBoundary) \}/gm;
const SERVER_EXPORTS = /^export (?:const|function|async function) (loader|action)\b/gm;
const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, ...names]) => names.find(Boolean) ?? "");
const pageExports = (text: string) => namesIn(text, CLIENT_EXPORTS);

/** Keys from schemas and rules. Forms receive these keys and translate them. */
const ERRORS = /^(\w+\.)?errors\./;
/** Routes of visitors, whose loaders and actions translate these keys. Their forms receive texts. */
const VISITOR_PAGES = /^app\/routes\/(visitors\/viewer\.tsx|store\/(storefront|product|cart|visit)\/)/;

/** Matches the namespaces of a part that the page loads when its URL shows it: `pagePart("x", withMessages(["a"], …))`. */
const PAGE_PART = /pagePart\d*\(\s*"[^"]+",\s*withMessages\d*\(\s*\[([^\]]*)\]/g;

/**
 * Namespaces that a route's page reads, and those of the error keys of its loader and action that no `pagePart` loads. Empty for a
 * route without a page. Modules that load later bring their own namespaces.
 */
export async function namespacesOfRoute(path: string): Promise<readonly Namespace[]> {
  const text = readFileSync(fromRoot(path), "utf8");
  const namespaces = new Set<Namespace>();
  const clientExports = pageExports(text);
  const isPage = clientExports.includes("default") || clientExports.includes("ErrorBoundary");
  if (!isPage) return [];
  const page = await bundleExports(fromRoot(path), clientExports, false);
  for (const { namespace } of findMessageKeys(page.code)) namespaces.add(namespace);
  const partNamespaces = [...page.code.matchAll(PAGE_PART)].flatMap(
    ([, list = ""]) => list.match(/[\w-]+/g) ?? [],
  );
  const serverExports = namesIn(text, SERVER_EXPORTS);
  if (serverExports.length > 0 && !VISITOR_PAGES.test(path)) {
    const { code } = await bundleExports(fromRoot(path), serverExports, true);
    // The server itself translates all messages except errors of forms.
    for (const { namespace, path: key } of findMessageKeys(code))
      if (ERRORS.test(key) && !partNamespaces.includes(namespace)) namespaces.add(namespace);
  }
  return [...namespaces].sort();
}

/** Bundles of modules that load later, by path, because many routes load the same modules. */
const laterBundles = new Map<string, Promise<Bundle>>();

function bundleLaterModule(path: string): Promise<Bundle> {
  const bundle = laterBundles.get(path) ?? bundleExports(path, [], false);
  laterBundles.set(path, bundle);
  return bundle;
}

/** A module that loads later and reads a namespace that neither it nor the page has loaded. */
export interface MissingNamespace {
  readonly module: string;
  readonly namespace: Namespace;
}

/** Matches modules that are loaded together with namespaces: `withMessages(["a"], () => import("./x"))`. */
const WITH_MESSAGES = /withMessages\d*\(\s*\[([^\]]*)\],[^;]*?import\("([^"]+)"\)/g;

/** Matches the namespaces that a module loads itself. */
const LOAD_NAMESPACES = /loadNamespaces\d*\(\[([^\]]*)\]\)/g;

/**
 * Finds the missing namespaces of all modules that a route loads later.
 * @param loadedNamespaces namespaces that the page has loaded
 */
export async function findMissingNamespaces(
  path: string,
  loadedNamespaces: readonly Namespace[],
): Promise<readonly MissingNamespace[]> {
  const missingNamespaces: MissingNamespace[] = [];
  const visited = new Set<string>();
  const walk = async ({ code, laterModules }: Bundle, loaded: readonly Namespace[]): Promise<void> => {
    const lazyImports = [...code.matchAll(WITH_MESSAGES)].map(
      ([, list = "", specifier = ""]) =>
        [specifier.split("/").at(-1), list.match(/[\w-]+/g) ?? []] as unknown as [string, Namespace[]],
    );
    for (const laterModule of laterModules) {
      if (visited.has(laterModule)) continue;
      visited.add(laterModule);
      const wrappedNamespaces = lazyImports
        .filter(([name]) => name === laterModule.split(/[\\/]/).at(-1))
        .flatMap(([, list]) => list);
      const allNamespaces = [...loaded, ...wrappedNamespaces];
      const relativePath = laterModule.slice(fromRoot().length + 1).replaceAll("\\", "/");
      const laterBundle = await bundleLaterModule(laterModule);
      const ownNamespaces = [...laterBundle.code.matchAll(LOAD_NAMESPACES)].flatMap(
        ([, list = ""]) => list.match(/[\w-]+/g) ?? [],
      );
      const uses = findMessageKeys(laterBundle.code).filter(
        (use) => !VISITOR_PAGES.test(relativePath) || !ERRORS.test(use.path),
      );
      for (const namespace of new Set(uses.map((use) => use.namespace)))
        if (![...allNamespaces, ...ownNamespaces].includes(namespace))
          missingNamespaces.push({ module: relativePath, namespace });
      await walk(laterBundle, allNamespaces);
    }
  };
  const page = await bundleExports(fromRoot(path), pageExports(readFileSync(fromRoot(path), "utf8")), false);
  await walk(page, loadedNamespaces);
  return missingNamespaces;
}
