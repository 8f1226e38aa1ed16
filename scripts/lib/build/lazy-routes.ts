import type { Plugin } from "vite";

/** Virtual modules: Remix's server build, Remix's manifest, and this plugin's module of the lazy routes. */
const SERVER_BUILD = "virtual:remix/server-build";
const SERVER_MANIFEST = "virtual:remix/server-manifest";
const LAZY_ROUTES = "virtual:lazy-routes";

/** Files of visitors' routes, whose code runs at the worker's start. */
export const VISITOR_ROUTES =
  /\/app\/(root|routes\/(visitors\/viewer|store\/(storefront|product|cart|visit)\/[\w-]+))\.tsx?$/;

/**
 * Splits the server build into two files: the code of visitors' pages, and all other routes, which functions/pages.ts loads at the first
 * request for one. In the build, `module` of these routes is null, and `loadLazyRoutes` resolves to their modules by id.
 */
export function lazyRoutes(): Plugin {
  let lazyModuleCode = "";
  let visitorModules: ReadonlySet<string> | undefined;
  return {
    name: "lazy-routes",
    applyToEnvironment: ({ name }) => name === "ssr",
    config: (_config, { isSsrBuild }) =>
      isSsrBuild
        ? {
            build: {
              rolldownOptions: {
                // Remix's "exports-only" does not allow groups without the modules' dependencies.
                preserveEntrySignatures: "allow-extension",
                output: {
                  chunkFileNames: "[name].js",
                  codeSplitting: {
                    includeDependenciesRecursively: false,
                    groups: [
                      {
                        name(id, context) {
                          visitorModules ??= listReachableModules(SERVER_BUILD, (module) =>
                            context.getModuleInfo(module),
                          );
                          return visitorModules.has(id) ? "visitors" : "later";
                        },
                      },
                    ],
                  },
                },
              },
            },
          }
        : {},
    resolveId: (id) => (id === LAZY_ROUTES ? `\0${LAZY_ROUTES}` : null),
    load: (id) => (id === `\0${LAZY_ROUTES}` ? lazyModuleCode : null),
    transform(code, id) {
      if (id === `\0${SERVER_MANIFEST}`) return { code: shortenManifest(code), map: null };
      if (id !== `\0${SERVER_BUILD}`) return null;
      const imports: string[] = [];
      const withoutLazyRoutes = code.replace(
        /import \* as (route\d+) from ("[^"]+");\n?/g,
        (line, _name, from: string) => {
          if (VISITOR_ROUTES.test(JSON.parse(from))) return line;
          imports.push(line);
          return "";
        },
      );
      if (imports.length === 0)
        throw new Error("Remix's server build does not import its routes as expected");
      const names = new Set(imports.flatMap((line) => /route\d+/.exec(line) ?? []));
      const modules: string[] = [];
      const split = withoutLazyRoutes
        .replace(/\w+: undefined,\s*/g, "")
        .replace(
          /id: ("[^"]+"),([^}]*?)module: (route\d+)/g,
          (entry, routeId: string, fields: string, name: string) => {
            if (!names.has(name)) return entry;
            modules.push(`${routeId}: ${name}`);
            return `id: ${routeId},${fields}module: null`;
          },
        );
      lazyModuleCode = `${imports.join("")}\nexport const modules = { ${modules.join(", ")} };`;
      return {
        code: `${split}\nexport const loadLazyRoutes = async () => (await import("${LAZY_ROUTES}")).modules;`,
        map: null,
      };
    },
  };
}

/**
 * Shortens Remix's manifest: most of the browser's files are listed for many routes, so each name is written once. Properties that are
 * false or undefined, and empty lists, are left out, as Remix only tests whether they are true.
 */
function shortenManifest(manifest: string): string {
  const names: string[] = [];
  const code = manifest
    .replace(/'\w+':(undefined|false),/g, "")
    .replace(/,'\w+':\[\]/g, "")
    .replace(/'\/assets\/([^']+)'/g, (_path, name: string) => {
      if (!names.includes(name)) names.push(name);
      return `names[${names.indexOf(name)}]`;
    })
    .replace(/\[(names\[\d+\],?)+\]/g, (list) => `pick(${list.match(/\d+/g)})`);
  if (names.length === 0) throw new Error("Remix's manifest does not list the browser's files as expected");
  return `const names = "${names}".split(",").map((name) => "/assets/" + name);\nconst pick = (...indexes) => indexes.map((index) => names[index]);\n${code}`;
}

type ModuleInfo = {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
};

/** A module, and all modules that it imports, directly or not, except through the lazy routes. */
function listReachableModules(
  start: string,
  getInfo: (id: string) => ModuleInfo | null,
): ReadonlySet<string> {
  const reachable = new Set([`\0${start}`]);
  for (const id of reachable) {
    const { importedIds, dynamicallyImportedIds } = getInfo(id) ?? {
      importedIds: [],
      dynamicallyImportedIds: [],
    };
    for (const importedId of [...importedIds, ...dynamicallyImportedIds])
      if (importedId !== `\0${LAZY_ROUTES}`) reachable.add(importedId);
  }
  return reachable;
}
