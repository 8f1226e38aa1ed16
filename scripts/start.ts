import { rmSync } from "node:fs";
import { buildProduct } from "./lib/build";
import { describeState } from "./lib/demo";
import { everyMinute, exitOnDataLayout, ownVars, startLocal } from "./lib/local";
import { localNetwork } from "./lib/network";
import { fromRoot } from "./lib/paths";
import { choosePort } from "./lib/port";
import { seedDemo } from "./lib/seed";
import { lockStateOrExit } from "./lib/state-lock";

/** `npm start`: builds what has changed, migrates, seeds the demo into an empty database, serves. `--fresh` begins again. */
const fresh = process.argv.includes("--fresh");
const port = await choosePort();

const state = fromRoot(".wrangler", "state");
const release = await lockStateOrExit(state);
if (fresh) rmSync(state, { recursive: true, force: true });

console.log("Building …");
const built = await buildProduct({ quiet: true });
console.log(built ? "Built." : "Nothing has changed since the last build.");

const network = await localNetwork();
const local = await startLocal({
  port,
  state,
  vars: { ...ownVars(), ...network.vars },
  outbound: { proxy: network.proxy },
}).catch(exitOnDataLayout);
const seeded = await seedDemo(local.mf);
console.log(seeded ? "The demo is ready." : "Your data is as you left it.");
console.log(
  `\n${await describeState(await local.mf.getD1Database("DB", "hiroba"), local.origin)}\n\nReady on ${local.origin}`,
);

const endJob = everyMinute(local);
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    endJob();
    void Promise.all([local.stop(), network.stop()]).finally(() => {
      release();
      process.exit(0);
    });
  });
