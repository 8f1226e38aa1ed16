import { join } from "node:path";
import { parseArgs } from "node:util";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { emailField } from "../app/domain/auth/login.schema";
import { LANGS } from "../app/domain/shared/lang";
import { repositories } from "../functions/data/shared/repositories";
import { idSource } from "../functions/security/random";
import { resetSecondFactorByCommand } from "../functions/services/auth/second-factor-settings";
import { inviteFirstAdministrator } from "../functions/services/users/administrators";
import { exitWithError } from "./lib/exit-with-error";
import { openDataOrExit } from "./lib/local/data-layout";
import { migrate } from "./lib/local/local-product";
import { openLocalDatabase, openRemoteDatabase } from "./lib/local/open-database";
import { lockStateOrExit } from "./lib/local/state-lock";
import { fromRoot } from "./lib/paths";

/**
 * `npm run admin -- admin@example.com` creates the first administrator of a deployment and prints a link with which that person sets the password.
 * `--reset-second-factor` instead removes the authenticator app, the recovery codes and the passkeys of the account with that address, after its owner
 * has lost them. `--local` works on this machine's data. `--lang en` sets the new account's language to English. `--force` invites although there is an
 * administrator already.
 */

const USAGE =
  "Usage: npm run admin -- admin@example.com [--local] [--lang ja|en] [--force | --reset-second-factor]";

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        local: { type: "boolean", default: false },
        force: { type: "boolean", default: false },
        "reset-second-factor": { type: "boolean", default: false },
        lang: { type: "string", default: "ja" },
      },
    });
    const email = emailField.safeParse(positionals[0]);
    const lang = LANGS.find((candidate) => candidate === values.lang);
    if (positionals.length !== 1 || !email.success || !lang) return exitWithError(USAGE);
    return { ...values, email: email.data, lang };
  } catch {
    return exitWithError(USAGE);
  }
}

const args = readArguments();
const { workerOptions } = unstable_getMiniflareWorkerOptions(fromRoot("wrangler.toml"));

/** Opens the database of this machine and applies pending migrations. */
async function openLocal() {
  const state = fromRoot(".wrangler", "state");
  const release = await lockStateOrExit(state);
  const { db, close } = await openDataOrExit(state, async () => {
    const database = await openLocalDatabase(join(state, "v3", "d1"));
    try {
      await migrate(database.db);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  });
  return {
    db,
    close: async () => {
      await close();
      release();
    },
  };
}

/** Opens the deployed database through wrangler, which must be logged in to the account. */
const openRemote = () =>
  openRemoteDatabase().catch((error: unknown) =>
    exitWithError(
      `The database could not be reached: log in with \`npx wrangler login\`, and deploy first.\n${error instanceof Error ? error.message : error}`,
    ),
  );

const deploymentOrigin = (): string =>
  args.local
    ? `http://localhost:${process.env.PORT?.trim() || "8787"}`
    : String((workerOptions.bindings as Record<string, unknown> | undefined)?.APP_ORIGIN ?? "");

const origin = deploymentOrigin();
if (!args.local && origin.endsWith("hiroba.example"))
  exitWithError(
    "wrangler.toml does not state this deployment's address. See docs/operations.md, “On Cloudflare”, step 3.",
  );
const database = await (args.local ? openLocal() : openRemote());
const data = repositories(database.db);
let rejection: string | null = null;

/** Resets the second factor of the account with the address. The product then mails the account's owner. */
async function resetFactor(): Promise<void> {
  const credentials = await data.sessions.findCredentials(args.email);
  const deps = { ...data, clock: { now: () => Date.now() }, ids: idSource };
  const isDone =
    credentials !== null && (await resetSecondFactorByCommand(deps, { userId: credentials.user.id }));
  if (isDone)
    console.log(
      `The second factor of ${args.email} was removed, and its sessions have ended. The owner receives a mail about it within a minute.`,
    );
  else rejection = `No account with the address ${args.email} has a second factor.`;
}

async function invite(): Promise<void> {
  const { url, expiresAt } = await inviteFirstAdministrator(
    {
      ...data,
      clock: { now: () => Date.now() },
      ids: idSource,
      origin,
    },
    { email: args.email, language: args.lang, force: args.force },
  );
  console.log(
    `${args.email} is invited as an administrator. The link works once, until ${expiresAt}:\n\n${url}\n`,
  );
}

try {
  await (args["reset-second-factor"] ? resetFactor() : invite());
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "forbidden")
    rejection =
      "There is already an administrator, who can invite others on the page of users. --force invites another one anyway.";
  else if (code === "email_taken") rejection = `There is another account with the address ${args.email}.`;
  else if (code === "rate_limited") rejection = "Too many links within an hour. Use the last one, or wait.";
  else throw error;
} finally {
  await database.close();
}
if (rejection !== null) exitWithError(rejection);
