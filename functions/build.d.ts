/** The built pages: scripts/lib/build.ts puts build/server/index.js in this place. */
declare module "#build" {
  import type { ServerBuild } from "@remix-run/cloudflare";

  const build: ServerBuild;
  export = build;
}
