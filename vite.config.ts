import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { CHUNK_GROUPS } from "./scripts/lib/build/chunk-groups";
import { commonPasswordShards } from "./scripts/lib/build/common-passwords";
import { lazyRoutes } from "./scripts/lib/build/lazy-routes";
import { pageComponents } from "./scripts/lib/build/page-components";
import { rendererChunks } from "./scripts/lib/build/renderer-chunks";
import { routePreloads } from "./scripts/lib/build/route-preloads";
import { serverHandlers } from "./scripts/lib/build/server-handlers";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * Importing a module of these folders has no side effects. Remix removes the loader and the action of a route from the browser's module; modules that
 * only these import are then left out too.
 */
const hasSideEffects = (id: string): boolean => !/\/app\/(components|domain|forms|i18n)\//.test(id);

/** File name of a chunk. The messages of a namespace have their language in the name (scripts/lib/build/build.ts). */
function chunkFileName({ facadeModuleId }: { readonly facadeModuleId?: string | null }): string {
  const [, lang, namespace] = /\/app\/i18n\/(en|ja)\/([\w-]+)\.ts$/.exec(facadeModuleId ?? "") ?? [];
  return lang ? `assets/${lang}-${namespace}-[hash].js` : "assets/[name]-[hash].js";
}

/**
 * Modules that the API uses too, and packages that the worker's entry uses too. They remain imports in the pages' server build, so that the worker's
 * bundle (scripts/lib/build/build.ts) contains one copy of each. Modules that use React or Vite's syntax are excluded.
 */
const isSharedWithApi = (id: string): boolean =>
  /^zod(\/|$)|^(@remix-run\/(cloudflare|router)|turbo-stream|lru-cache|entities\/decode)$/.test(id) ||
  (/^~\/(domain|i18n)\/|\/app\/(domain|i18n)\//.test(id) &&
    !/(late-part|load|page-part|translation)(\.tsx?)?$/.test(id));

/**
 * Files that pdf.js may load for a document, at the URL that app/features/library/reader/pdf.client.ts requests: character maps of Japanese and
 * other scripts, the standard fonts, image decoders and colour profiles.
 */
function documentFiles(): Plugin {
  const root = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return {
    name: "document-files",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle() {
      // Scripts in documents are not run, so their interpreter is left out.
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

/** Files of Swagger UI, which only the page of the API reference loads, at the URL in functions/api/reference/reference-page.ts. */
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
          // Removes the reference to a source map, because the map is not published.
          source: readFileSync(join(root, name), "utf8").replace(/\n?(\/\/|\/\*)# sourceMappingURL=.*$/s, ""),
        });
    },
  };
}

/** The list of common passwords in shards. The worker reads one shard when a password is set (functions/security/common-passwords.ts). */
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
 * Aliases of the server build: the renderer for workers, a replacement for the browser renderer, React without effects, JSX functions with short
 * calls, and one shared table of HTML's named characters.
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
    routePreloads(),
    lazyRoutes(),
    rendererChunks(),
    pageComponents(),
    serverHandlers(),
    tailwindcss(),
    documentFiles(),
    apiViewerFiles(),
    commonPasswordFiles(),
  ],
  resolve: {
    tsconfigPaths: true,
    alias: [
      ...(isSsrBuild ? SERVER_ALIASES : []),
      // The ndarray packages evaluate strings, which the content security policy of worker scripts forbids.
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
    // Does not preload files that every page (`menu`: every owner's page) has already loaded, nor dependencies of messages, which their page imports too.
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
          output: { codeSplitting: { groups: CHUNK_GROUPS }, chunkFileNames: chunkFileName },
        },
  },
  ssr: {
    target: "webworker",
    noExternal: true,
    resolve: { conditions: ["workerd", "worker", "browser", "module", "import"] },
  },
}));
