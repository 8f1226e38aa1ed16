import { join } from "node:path";
import { parseArgs } from "node:util";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { emailField } from "../app/domain/auth/login.schema";
import { NO_PASSWORD } from "../app/domain/auth/no-password";
import { LANGS } from "../app/domain/shared/lang";
import { repositories } from "../functions/data/shared/repositories";
import { idSource } from "../functions/security/random";
import { resetSecondFactorByCommand } from "../functions/services/auth/second-factor-settings";
import { inviteFirstAdministrator } from "../functions/services/users/administrators";
import { exitOnDataLayout, migrate } from "./lib/local";
import { openLocalDatabase, openRemoteDatabase } from "./lib/open-database";
import { fromRoot } from "./lib/paths";
import { lockStateOrExit } from "./lib/state-lock";

/**
 * `npm run admin -- admin@example.com` invites the first administrator of a deployment, who sets the password. `--reset-second-factor` instead
 * removes the authenticator app, the recovery codes and the passkeys of the account with that address, after its owner has lost them. `--local`
 * works on this machine's data. `--lang en` sends the mail in English. `--force` invites although there is an administrator already.
 */
const USAGE =
  "Usage: npm run admin -- admin@example.com [--local] [--lang ja|en] [--force | --reset-second-factor]";

function stop(message: string): never {
  console.error(message);
  throw process.exit(1);
}

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
    const lang = LANGS.find((each) => each === values.lang);
    if (positionals.length !== 1 || !email.success || !lang) return stop(USAGE);
    return { ...values, email: email.data, lang };
  } catch {
    return stop(USAGE);
  }
}

const asked = readArguments();
const { workerOptions } = unstable_getMiniflareWorkerOptions(fromRoot("wrangler.toml"));

/** The database of this machine, brought up to date. */
async function openLocal() {
  const state = fromRoot(".wrangler", "state");
  const release = await lockStateOrExit(state);
  const { db, close } = await openLocalDatabase(join(state, "v3", "d1"));
  await migrate(db).catch(exitOnDataLayout);
  return {
    db,
    close: async () => {
      await close();
      release();
    },
  };
}

/** The deployed database, through wrangler, which is logged in to the account. */
const openRemote = () =>
  openRemoteDatabase().catch((error: unknown) =>
    stop(
      `The database could not be asked: log in with \`npx wrangler login\`, and deploy first.\n${error instanceof Error ? error.message : error}`,
    ),
  );

const originOf = (): string =>
  asked.local
    ? `http://localhost:${process.env.PORT?.trim() || "8787"}`
    : String((workerOptions.bindings as Record<string, unknown> | undefined)?.APP_ORIGIN ?? "");

const origin = originOf();
if (!asked.local && origin.endsWith("hiroba.example"))
  stop(
    "wrangler.toml does not say where this deployment answers. See docs/operations.md, “On Cloudflare”, step 3.",
  );
const database = await (asked.local ? openLocal() : openRemote());
const data = repositories(database.db);
let refusal: string | null = null;

/** Resets the second factor of the account with the address; the deployed product mails its owner. */
async function resetFactor(): Promise<void> {
  const found = await data.sessions.findCredentials(asked.email);
  const deps = { ...data, clock: { now: () => Date.now() }, ids: idSource };
  const isDone = found !== null && (await resetSecondFactorByCommand(deps, { userId: found.user.id }));
  if (isDone)
    console.log(
      `The second factor of ${asked.email} was removed, and its sessions have ended. The owner is told by mail within a minute.`,
    );
  else refusal = `No account with the address ${asked.email} has a second factor.`;
}

async function invite(): Promise<void> {
  const { url, expiresAt } = await inviteFirstAdministrator(
    {
      ...data,
      clock: { now: () => Date.now() },
      ids: idSource,
      hasher: { dummyHash: NO_PASSWORD },
      origin,
    },
    { email: asked.email, language: asked.lang, force: asked.force },
  );
  console.log(
    `${asked.email} is invited as an administrator. The link works once, until ${expiresAt}:\n\n${url}\n`,
  );
}

try {
  await (asked["reset-second-factor"] ? resetFactor() : invite());
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "forbidden")
    refusal =
      "There is an administrator already, who invites others on the user list. --force makes one all the same.";
  else if (code === "email_taken") refusal = `There is another account with the address ${asked.email}.`;
  else if (code === "rate_limited") refusal = "Too many links within an hour. Use the last one, or wait.";
  else throw error;
} finally {
  await database.close();
}
if (refusal !== null) stop(refusal);
