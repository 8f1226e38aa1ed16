import type { Plugin } from "vite";
import { replaceCode } from "./replace-code";

/** Modules of @remix-run/react 2.17 and react-router-dom 6.30, and pieces of their code with the code that replaces them. */
const MODULES: readonly {
  readonly file: RegExp;
  readonly replacements: readonly (readonly [string, string])[];
}[] = [
  {
    // The routes depend only on the manifest. Each area of pages has one (functions/pages.ts).
    file: /\/@remix-run\/react\/dist\/esm\/server\.js$/,
    replacements: [
      ["function RemixServer({", "const routesByManifest = new WeakMap();\nfunction RemixServer({"],
      [
        "  let routes = createServerRoutes(manifest.routes, routeModules, context.future, context.isSpaMode);\n",
        `  let routes = routesByManifest.get(manifest);
  if (!routes) {
    routes = createServerRoutes(manifest.routes, routeModules, context.future, context.isSpaMode);
    routesByManifest.set(manifest, routes);
  }
`,
      ],
    ],
  },
  {
    // Routes are converted once, because router-cache.ts finds ranked branches by the array of converted routes.
    file: /\/react-router-dom\/server\.mjs$/,
    replacements: [
      [
        `function createStaticRouter(routes, context, opts = {}) {
  let manifest = {};
  let dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, manifest);
`,
        `const preparedRoutes = new WeakMap();
function createStaticRouter(routes, context, opts = {}) {
  let prepared = preparedRoutes.get(routes);
  if (!prepared) {
    prepared = { manifest: {} };
    prepared.dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, prepared.manifest);
    preparedRoutes.set(routes, prepared);
  }
  let { dataRoutes, manifest } = prepared;
`,
      ],
    ],
  },
  {
    // Scripts have a low priority: a slow network transfers the style sheet and the poster first, because the page is readable before it is hydrated.
    file: /\/@remix-run\/react\/dist\/esm\/components\.js$/,
    replacements: [
      ...["manifest.entry.module", "path"].map(
        (href) =>
          [
            `rel: "modulepreload",\n    href: ${href},\n    crossOrigin`,
            `fetchpriority: "low",\n    rel: "modulepreload",\n    href: ${href},\n    crossOrigin`,
          ] as const,
      ),
      // The assignments of displayName would keep Remix's link components in the worker, although no page renders them on the server.
      ...["Link", "NavLink"].map((name) => [`\n${name}.displayName = "${name}";`, ""] as const),
    ],
  },
];

/**
 * Changes the code of a module of Remix or its router: pages share the routes that they have in common, and request their scripts with a low priority.
 * @param id path of the module
 * @returns null for a module that is not changed
 * @throws when the code differs from the version for which the replacements were written
 */
export function changePageComponents(code: string, id: string): string | null {
  const changed = MODULES.find(({ file }) => file.test(id));
  return changed ? replaceCode(id, code, changed.replacements) : null;
}

/** Replaces these modules in the server build: see changePageComponents. */
export const pageComponents = (): Plugin => ({
  name: "page-components",
  enforce: "pre",
  applyToEnvironment: ({ name }) => name === "ssr",
  transform(code, id) {
    const changed = changePageComponents(code, id);
    return changed === null ? null : { code: changed, map: null };
  },
});
