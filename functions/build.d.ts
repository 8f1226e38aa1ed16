/** The built pages: scripts/lib/build/build.ts puts build/server/index.js in this place. */
declare module "#build" {
  import type { ServerBuild } from "@remix-run/cloudflare";

  type Route = ServerBuild["routes"][string];

  /** The server build. `module` is null for routes that are loaded later (scripts/lib/build/lazy-routes.ts). */
  const build: Omit<ServerBuild, "routes"> & {
    readonly routes: Readonly<
      Record<string, Omit<Route, "module"> & { readonly module: Route["module"] | null }>
    >;
    /** Loads the modules of these routes, by id. */
    readonly loadLazyRoutes: () => Promise<Readonly<Record<string, Route["module"]>>>;
  };
  export = build;
}
