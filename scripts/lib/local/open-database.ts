import { Miniflare } from "miniflare";
import {
  maybeStartOrUpdateRemoteProxySession,
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
} from "wrangler";
import { fromRoot } from "../paths";

/** An open connection of a command to the product's database. */
export interface OpenDatabase {
  readonly db: D1Database;
  close(): Promise<void>;
}

type Databases = NonNullable<ConstructorParameters<typeof Miniflare>[0]["d1Databases"]>;

/** Opens a D1 binding by means of an empty worker. */
async function openBinding(options: { d1Databases: Databases; d1Persist?: string }): Promise<OpenDatabase> {
  const mf = new Miniflare({
    modules: true,
    script: "export default {};",
    compatibilityDate: "2026-07-01",
    ...options,
  });
  try {
    return { db: (await mf.getD1Database("DB")) as unknown as D1Database, close: () => mf.dispose() };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
}

/**
 * Opens the database of this machine.
 * @param folder Miniflare's folder of D1 databases
 */
export function openLocalDatabase(folder: string): Promise<OpenDatabase> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(fromRoot("wrangler.toml"));
  return openBinding({ d1Databases: workerOptions.d1Databases as Databases, d1Persist: folder });
}

/**
 * Opens the deployed database through a remote binding of wrangler. Parameters are bound, not written into the SQL.
 * @throws Error without a connection, a log-in to the account (`wrangler login`) or such a database
 */
export async function openRemoteDatabase(): Promise<OpenDatabase> {
  const config = unstable_readConfig({ config: fromRoot("wrangler.toml") });
  const [database] = config.d1_databases;
  if (!database?.database_id) throw new Error("wrangler.toml does not name a database");
  const started = await maybeStartOrUpdateRemoteProxySession({
    name: config.name,
    account_id: config.account_id,
    bindings: { DB: { ...database, type: "d1", remote: true } },
  });
  if (!started) throw new Error("wrangler did not start a remote connection");
  const { session } = started;
  try {
    const { db, close } = await openBinding({
      d1Databases: {
        DB: { id: database.database_id, remoteProxyConnectionString: session.remoteProxyConnectionString },
      },
    });
    return {
      db,
      close: () => close().finally(() => session.dispose()),
    };
  } catch (error) {
    await session.dispose();
    throw error;
  }
}
