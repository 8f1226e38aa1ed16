import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { commonPasswordShards } from "./scripts/lib/common-passwords";
import { lazyRoutes } from "./scripts/lib/lazy-routes";
import { rendererChunks } from "./scripts/lib/renderer-chunks";
import { routeNamespaces } from "./scripts/lib/route-namespaces";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
}

/** Changes only when a package does, so browsers keep it from one release to the next. */
const FRAMEWORK =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@remix-run\/(react|router)|turbo-stream|i18next|react-i18next)\//;

/** What nearly every page needs. Left alone it becomes a dozen files of a few hundred bytes, which browsers ask for one by one. */
const KIT = new RegExp(
  `/app/(${[
    "components/(anchor|brand|button|classes|empty-room|hidden|icon|menus/language-switch)",
    "components/(message-page|outside-link|media/player|use-hydrated|version-text)",
    "domain/(library/(media-address|media-kinds)|shared/(is-record|lang))",
    "i18n/(create-i18n|format|later|load|translation)",
    "routes/(shared/(dev-reload|failure-page|rendering)|visitors/media/media-icons)",
  ].join("|")})\\.tsx?$`,
);

/** Dates in words, and fields: pages of visitors begin without them. */
const DATES = /\/app\/(components\/date-time|domain\/shared\/time-zone)\.tsx?$/;
const FIELDS = /\/app\/components\/fields\/(field|form-error-summary|password-field|copy-field)\.tsx?$/;

/** The stage and what stands around it: pages with one need both, and two files of them weigh a kilobyte more than one. */
const STAGE =
  /\/app\/(viewer\/(Viewer|ViewerNotices|use-[\w-]+|when-readable)|features\/library\/reader\/Document|routes\/visitors\/(page\/(open|visit-header|split|use-shop)|share\/share|list\/(content-list|entries|tag-link)|media\/(media-item|rich))|routes\/store\/(storefront\/path|visit\/visit-context))\.tsx?$/;

/** The native account menu and other menus, which every page of an owner needs. */
const MENUS = /\/app\/components\/menus\/(enhanced|menu|user-menu)\.tsx?$/;

/** Small modules that the stage shares with uploads and screens. Separate chunks would each be named in the script before the stage. */
const SHARED_FILES =
  /\/app\/(viewer\/core\/device-room|domain\/library\/formats\/(inflate|sog|splat-limits|spz|zip-directory))\.ts$/;

/** Files of the browser that hold more than one route's code, the first with the first claim to a module and to what it imports. */
const GROUPS = [
  { name: "react", test: FRAMEWORK },
  { name: "kit", test: (id: string) => KIT.test(id) || id.includes("vite/preload-helper") },
  { name: "dates", test: DATES },
  { name: "fields", test: FIELDS },
  { name: "menu", test: MENUS },
  { name: "device-room", test: SHARED_FILES },
  { name: "stage", test: STAGE },
].map((group, index, all) => ({ ...group, priority: all.length - index }));

/**
 * Modules of the product have no effect by being imported. Remix removes the loader and the action of a route from the browser's module, and
 * what only these imported then stays out of the page.
 */
const hasSideEffects = (id: string): boolean => !/\/app\/(components|domain|forms|i18n)\//.test(id);

/** The messages of a namespace carry their language in the name. */
function nameOf({ facadeModuleId }: { readonly facadeModuleId?: string | null }): string {
  const [, lang, namespace] = /\/app\/i18n\/(en|ja)\/([\w-]+)\.ts$/.exec(facadeModuleId ?? "") ?? [];
  return lang ? `assets/${lang}-${namespace}-[hash].js` : "assets/[name]-[hash].js";
}

/**
 * Modules that the API uses too, and packages that the worker's entry uses too: they stay imports in the pages' server build, so that the worker's
 * bundle (scripts/lib/build.ts) holds one copy of each. Modules with React or with syntax of Vite are not among them.
 */
const isSharedWithApi = (id: string): boolean =>
  /^zod(\/|$)|^(@remix-run\/(cloudflare|router)|turbo-stream|lru-cache|entities\/decode)$/.test(id) ||
  (/^~\/(domain|i18n)\/|\/app\/(domain|i18n)\//.test(id) && !/(later|load|translation)(\.tsx?)?$/.test(id));

/**
 * What documents may need beside the program that draws them, at the address that app/features/library/reader/pdf.client.ts asks: the letters of
 * Japanese and other scripts, the fonts that every reader of documents has, and decoders of pictures.
 */
function documentFiles(): Plugin {
  const root = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return {
    name: "document-files",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle() {
      // Scripts in documents are not run: the machine for them stays away.
      for (const folder of ["cmaps", "standard_fonts", "wasm", "iccs"])
        for (const name of readdirSync(join(root, folder)))
          if (!name.startsWith("quickjs"))
            this.emitFile({
              type: "asset",
              fileName: `assets/pdf-${version}/${folder}/${name}`,
              source: readFileSync(join(root, folder, name)),
            });
    },
  };
}

/** The viewer of the API's document, at the address that functions/api/core/reference.ts names: for that page alone. */
function apiViewerFiles(): Plugin {
  const root = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return {
    name: "api-viewer-files",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle() {
      for (const name of ["swagger-ui-bundle.js", "swagger-ui.css"])
        this.emitFile({
          type: "asset",
          fileName: `assets/swagger-ui-${version}/${name}`,
          // What tells debuggers of a file that is not there.
          source: readFileSync(join(root, name), "utf8").replace(/\n?(\/\/|\/\*)# sourceMappingURL=.*$/s, ""),
        });
    },
  };
}

/** The list of common passwords in shards: the worker reads one when a password is set (functions/security/common-passwords.ts). */
function commonPasswordFiles(): Plugin {
  return {
    name: "common-password-files",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle() {
      for (const [shard, source] of commonPasswordShards())
        this.emitFile({ type: "asset", fileName: `common-passwords/${shard}.txt`, source });
    },
  };
}

/**
 * Aliases of the server build: the server renderer that it uses, a stand-in for the browser renderer, React without effects, JSX functions
 * with short calls, and one table of named characters.
 */
const SERVER_ALIASES = [
  {
    find: /^react-dom\/server$/,
    replacement: join(
      import.meta.dirname,
      "node_modules/react-dom/cjs/react-dom-server.browser.production.min.js",
    ),
  },
  { find: /^react$/, replacement: join(import.meta.dirname, "app/react.server.mjs") },
  { find: /^react-dom$/, replacement: join(import.meta.dirname, "app/react-dom.server.ts") },
  {
    find: /^react\/jsx-runtime$/,
    replacement: join(import.meta.dirname, "app/jsx-runtime.server.mjs"),
  },
  {
    find: /^decode-named-character-reference$/,
    replacement: join(import.meta.dirname, "app/named-characters.server.ts"),
  },
];

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    remix({
      serverModuleFormat: "esm",
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
      },
    }),
    routeNamespaces(),
    lazyRoutes(),
    rendererChunks(),
    tailwindcss(),
    documentFiles(),
    apiViewerFiles(),
    commonPasswordFiles(),
  ],
  // These packages evaluate strings, which the policy of worker scripts forbids.
  resolve: {
    tsconfigPaths: true,
    alias: [
      ...(isSsrBuild ? SERVER_ALIASES : []),
      {
        find: /^ndarray(-ops|-pixels)?$/,
        replacement: join(import.meta.dirname, "app/features/library/prepare/no-pixels.ts"),
      },
    ],
  },
  // Workers load their decoders when a file needs them.
  worker: { format: "es" },
  build: {
    assetsInlineLimit: 0,
    target: "es2022",
    chunkSizeWarningLimit: 800,
    // Leaves out the files that every page has loaded already, and all dependencies of messages, which their page imports as well.
    modulePreload: {
      resolveDependencies: (file, deps) =>
        /\/(en|ja)-[\w-]+\.js$/.test(file)
          ? []
          : deps.filter((dep) => !/\/(react|kit|menu)-[\w-]{8}\.js$/.test(dep)),
    },
    rolldownOptions: isSsrBuild
      ? { external: isSharedWithApi, makeAbsoluteExternalsRelative: false }
      : {
          treeshake: { moduleSideEffects: hasSideEffects },
          output: { codeSplitting: { groups: GROUPS }, chunkFileNames: nameOf },
        },
  },
  ssr: {
    target: "webworker",
    noExternal: true,
    resolve: { conditions: ["workerd", "worker", "browser", "module", "import"] },
  },
}));
