import type { Plugin } from "vite";

/** Remix's module of the server's build, and ours of the routes that it leaves out. */
const SERVER_BUILD = "virtual:remix/server-build";
const LATER_ROUTES = "virtual:later-routes";

/** Files of the routes that visitors open, whose code is there at the start. */
const VISITOR_ROUTES = /\/app\/(root|routes\/(viewer|shop\/\w+))\.tsx?$/;

/**
 * Divides the server's build into two files: what visitors' pages need, and all other routes, which functions/pages.ts loads with the
 * first request for one. In the build, `module` of these routes is null, and `loadLaterRoutes` resolves to their modules by id.
 */
export function laterRoutes(): Plugin {
  let later = "";
  let visitors: ReadonlySet<string> | undefined;
  return {
    name: "later-routes",
    applyToEnvironment: ({ name }) => name === "ssr",
    config: (_config, { isSsrBuild }) =>
      isSsrBuild
        ? {
            build: {
              rollupOptions: {
                output: {
                  inlineDynamicImports: false,
                  // Otherwise each file imports what its imports need as well.
                  hoistTransitiveImports: false,
                  chunkFileNames: "[name].js",
                  manualChunks(id, { getModuleInfo }) {
                    visitors ??= reachedFrom(SERVER_BUILD, getModuleInfo);
                    return visitors.has(id) ? "visitors" : "later";
                  },
                },
              },
            },
          }
        : {},
    resolveId: (id) => (id === LATER_ROUTES ? `\0${LATER_ROUTES}` : null),
    load: (id) => (id === `\0${LATER_ROUTES}` ? later : null),
    transform(code, id) {
      if (id !== `\0${SERVER_BUILD}`) return null;
      const imports: string[] = [];
      const left = code.replace(
        /import \* as (route\d+) from ("[^"]+");\n?/g,
        (line, _name, from: string) => {
          if (VISITOR_ROUTES.test(JSON.parse(from))) return line;
          imports.push(line);
          return "";
        },
      );
      if (imports.length === 0) throw new Error("The server's build names its routes in another way");
      const names = new Set(imports.flatMap((line) => /route\d+/.exec(line) ?? []));
      const modules: string[] = [];
      const divided = left.replace(
        /id: ("[^"]+"),([^}]*?)module: (route\d+)/g,
        (entry, routeId: string, fields: string, name: string) => {
          if (!names.has(name)) return entry;
          modules.push(`${routeId}: ${name}`);
          return `id: ${routeId},${fields}module: null`;
        },
      );
      later = `${imports.join("")}\nexport const modules = { ${modules.join(", ")} };`;
      return {
        code: `${divided}\nexport const loadLaterRoutes = async () => (await import("${LATER_ROUTES}")).modules;`,
        map: null,
      };
    },
  };
}

type ModuleInfo = {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
};

/** The modules that run, or may run later, when this one does, but for the later routes. */
function reachedFrom(start: string, infoOf: (id: string) => ModuleInfo | null): ReadonlySet<string> {
  const reached = new Set([`\0${start}`]);
  for (const id of reached) {
    const { importedIds, dynamicallyImportedIds } = infoOf(id) ?? {
      importedIds: [],
      dynamicallyImportedIds: [],
    };
    for (const next of [...importedIds, ...dynamicallyImportedIds])
      if (next !== `\0${LATER_ROUTES}`) reached.add(next);
  }
  return reached;
}
