import { type FSWatcher, watch } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { Miniflare } from "miniflare";
import { buildProduct, exitOnBuildError } from "./lib/build/build";
import { openDataOrExit } from "./lib/local/data-layout";
import { describeState } from "./lib/local/demo-links";
import { developerVars, localOptions, migrate, startMinuteJob } from "./lib/local/local-product";
import { startLocalNetwork } from "./lib/local/network";
import { choosePort } from "./lib/local/port";
import { seedDemo } from "./lib/local/seed-demo";
import { lockStateOrExit } from "./lib/local/state-lock";
import { fromRoot } from "./lib/paths";

/**
 * `npm run dev`: builds, migrates, seeds and serves like `npm start`, but without compression. When a file in app,
 * functions, migrations or public changes, it also rebuilds, restarts the worker and reloads open pages.
 */

const port = await choosePort();
const listeners = new Set<ServerResponse>();

// Open pages subscribe here to builds. The worker has the URL as DEV_RELOAD_URL and writes it into the pages.
const reloads = createServer((_request, response) => {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "access-control-allow-origin": `http://localhost:${port}`,
  });
  response.write(": connected\n\n");
  listeners.add(response);
  response.on("close", () => listeners.delete(response));
});
await new Promise<void>((resolve) => reloads.listen(0, "127.0.0.1", resolve));
const address = reloads.address();
// The worker's outgoing requests go to a proxy, which also responds as the demo store.
const network = await startLocalNetwork();
const vars = {
  ...developerVars(),
  ...network.vars,
  DEV_RELOAD_URL: `http://localhost:${typeof address === "object" && address ? address.port : 0}`,
};
const state = fromRoot(".wrangler", "state");
const release = await lockStateOrExit(state);
/** Port at which a debugger attaches to the worker (CONTRIBUTING.md); none by default. */
const { INSPECTOR_PORT } = process.env;
const options = () => ({
  ...localOptions({ port, state, vars, outbound: { proxy: network.proxy } }),
  ...(INSPECTOR_PORT && { inspectorPort: Number(INSPECTOR_PORT) }),
});

await buildProduct().catch(exitOnBuildError);
const { mf, db } = await openDataOrExit(state, async () => {
  const mf = new Miniflare(options());
  try {
    await mf.ready;
    const db = await mf.getD1Database("DB", "hiroba");
    await migrate(db);
    return { mf, db };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
});
await seedDemo(mf);
console.log(`\n${await describeState(db, `http://localhost:${port}`)}\n\nReady on http://localhost:${port}`);
startMinuteJob({ mf });

let building = false;
let rebuildQueued = false;
async function rebuild() {
  if (building) {
    rebuildQueued = true;
    return;
  }
  building = true;
  try {
    const wasBuilt = await buildProduct();
    if (wasBuilt) await mf.setOptions(options());
    // Migrations are not among the sources of the build.
    const applied = await migrate(await mf.getD1Database("DB", "hiroba"));
    if (wasBuilt || applied.length > 0) {
      for (const listener of listeners) listener.write("data: reload\n\n");
      console.log("Reloaded.");
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  } finally {
    building = false;
    if (rebuildQueued) {
      rebuildQueued = false;
      void rebuild();
    }
  }
}

let timer: NodeJS.Timeout | undefined;
const watchers: FSWatcher[] = ["app", "functions", "migrations", "public"].map((folder) =>
  watch(fromRoot(folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void rebuild(), 150);
  }),
);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    for (const watcher of watchers) watcher.close();
    for (const listener of listeners) listener.end();
    reloads.close();
    void Promise.all([mf.dispose(), network.stop()]).finally(() => {
      release();
      process.exit(0);
    });
  });
