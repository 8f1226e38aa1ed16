/** `npm run deploy`: checks the configuration, builds, applies migrations, and deploys. Stops at the first error, and if a migration remains. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { buildProduct, exitOnBuildError } from "./lib/build/build";
import { exitWithError } from "./lib/exit-with-error";
import { ROOMS_CONFIG } from "./lib/local/worker-options";
import { fromRoot, ROOT } from "./lib/paths";

/** Runs wrangler. With `capture`, its standard output is in the result instead of the terminal. */
const wrangler = (args: string[], capture = false) =>
  spawnSync(fromRoot("node_modules", ".bin", "wrangler"), args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: capture ? ["ignore", "pipe", "inherit"] : "inherit",
    shell: process.platform === "win32",
  });

const config = readFileSync(fromRoot("wrangler.toml"), "utf8");
if (/database_id = "00000000-/.test(config))
  exitWithError(
    "wrangler.toml does not name a database yet. See docs/operations.md, “On Cloudflare”, step 1.",
  );

const roomsConfig = readFileSync(fromRoot(ROOMS_CONFIG), "utf8");
const databaseOf = (text: string) => /^database_id = "(.*)"/m.exec(text)?.[1];
if (databaseOf(config) !== databaseOf(roomsConfig))
  exitWithError(
    `${ROOMS_CONFIG} must name the same database as wrangler.toml. See docs/operations.md, “On Cloudflare”, step 1.`,
  );

if (/^(APP_ORIGIN|MAIL_FROM) = .*hiroba\.example/m.test(config))
  exitWithError(
    "wrangler.toml does not state an address or a sender yet. See docs/operations.md, “On Cloudflare”, step 3.",
  );

const secrets = wrangler(["secret", "list", "--format", "json"], true);
if (secrets.status !== 0)
  exitWithError(
    "The worker's secrets could not be listed. See the output above, and log in with `npx wrangler login` if you are not.",
  );
if (!secrets.stdout.includes('"SESSION_SECRET"'))
  exitWithError("SESSION_SECRET is not set. See docs/operations.md, “On Cloudflare”, step 2.");

await buildProduct().catch(exitOnBuildError);
if (wrangler(["d1", "migrations", "apply", "hiroba", "--remote"]).status !== 0)
  exitWithError(
    "The migrations were not applied, or not all of them. See the output above. Nothing was deployed.",
  );
// If the operator declines wrangler's question, wrangler applies nothing and still succeeds.
const remaining = wrangler(["d1", "migrations", "list", "hiroba", "--remote"], true);
if (remaining.status !== 0)
  exitWithError("The remaining migrations could not be listed. See the output above. Nothing was deployed.");
if (!remaining.stdout.includes("No migrations to apply"))
  exitWithError(
    "Not all migrations were applied; `npx wrangler d1 migrations list hiroba --remote` lists the others. Nothing was deployed.",
  );
// First the worker of the event rooms (Durable Objects that count an event's visits): the web worker binds it, and it accepts the calls of every older web worker.
if (wrangler(["deploy", "--config", ROOMS_CONFIG]).status !== 0)
  exitWithError("The worker of the event rooms was not deployed; the web worker is unchanged.");
process.exit(wrangler(["deploy"]).status ?? 1);
