/** A real D1 and R2 with the real migrations, for tests of everything behind the pages. */
import { getTableName } from "drizzle-orm";
import { Miniflare, type SharedOptions, type WorkerOptions } from "miniflare";
import { tables } from "#functions/data/schema";
import { migrate } from "../../../scripts/lib/local-product";
import { postTo } from "./post-to-worker";
import { R2_SCRIPT, remoteR2 } from "./r2";

export interface TestBindings {
  readonly db: D1Database;
  readonly files: R2Bucket;
  /** Empties every table. */
  reset(): Promise<void>;
}

interface Call {
  readonly method: "all" | "run" | "raw" | "first" | "batch";
  readonly statements: readonly { readonly sql: string; readonly params: readonly unknown[] }[];
  readonly options?: unknown;
}

/**
 * The worker at the other end: one request a D1 call, on connections that stay open. Miniflare's own proxy makes a synchronous
 * request of every prepare and bind as well, and its `dispatchFetch` a connection of every request: both take most of a test's time.
 */
const SCRIPT = `${R2_SCRIPT}
export default {
  async fetch(request, bindings) {
    const binding = bindings[new URL(request.url).pathname.slice(1)];
    if ("head" in binding) return answerR2(request, binding);
    const { method, statements, options } = await request.json();
    const prepared = statements.map(({ sql, params }) => binding.prepare(sql).bind(...params));
    try {
      const value = method === "batch" ? await binding.batch(prepared) : await prepared[0][method](options);
      return Response.json({ value });
    } catch (error) {
      return Response.json({ error: error.message });
    }
  },
};`;

/** A database of a worker at an address that answers with SCRIPT. */
function remoteD1(worker: URL): D1Database {
  async function send(call: Call): Promise<unknown> {
    const { value, error } = JSON.parse(String(await postTo(worker, JSON.stringify(call)))) as {
      value?: unknown;
      error?: string;
    };
    if (error !== undefined) throw new Error(error);
    return value;
  }
  type Statement = Call["statements"][number];
  const toStatement = new WeakMap<object, Statement>();
  function prepare(sql: string, params: unknown[] = []): D1PreparedStatement {
    const statement = { sql, params };
    const one = (method: Call["method"]) => (options?: unknown) =>
      send({ method, statements: [statement], options });
    const prepared = {
      bind: (...values: unknown[]) => prepare(sql, values),
      all: one("all"),
      run: one("run"),
      raw: one("raw"),
      first: one("first"),
    };
    toStatement.set(prepared, statement);
    return prepared as unknown as D1PreparedStatement;
  }
  const batch = (statements: D1PreparedStatement[]) =>
    send({
      method: "batch",
      statements: statements.map((statement) => toStatement.get(statement) as Statement),
    });
  return { prepare: (sql: string) => prepare(sql), batch } as unknown as D1Database;
}

let startedBindings: Promise<TestBindings> | undefined;

/** D1 and R2, both empty: one workerd in memory for all files that a process tries one after the other. */
export async function startBindings(): Promise<TestBindings> {
  startedBindings ??= start();
  const bindings = await startedBindings;
  await bindings.reset();
  const { objects } = await bindings.files.list();
  if (objects.length > 0) await bindings.files.delete(objects.map(({ key }) => key));
  return bindings;
}

/** Where a product keeps a database and a bucket, and what it calls them. */
export type StoreOptions = Pick<SharedOptions, "d1Persist" | "r2Persist"> &
  Pick<WorkerOptions, "d1Databases" | "r2Buckets">;

/** Databases by these names and a bucket: all of them empty, of a workerd in memory, or those that a product keeps. */
export async function startStores<Name extends string>(names: readonly Name[], storeOptions?: StoreOptions) {
  const { d1Persist, r2Persist, d1Databases = [...names], r2Buckets = ["FILES"] } = storeOptions ?? {};
  const mf = new Miniflare({
    cf: false,
    ...(storeOptions && { d1Persist, r2Persist }),
    workers: [
      {
        name: "stores",
        modules: true,
        script: SCRIPT,
        compatibilityDate: "2026-07-01",
        d1Databases,
        r2Buckets,
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      },
    ],
  });
  await mf.ready;
  const worker = await mf.unsafeGetDirectURL("stores");
  return {
    database: (name: Name): D1Database => remoteD1(new URL(name, worker)),
    files: remoteR2(new URL("FILES", worker)),
    dispose: () => mf.dispose(),
  };
}

async function start(): Promise<TestBindings> {
  const { database, files } = await startStores(["DB"]);
  const db = database("DB");
  await migrate(db);
  // One statement to D1: fifty of them take four times as long, a thousand times.
  const deletions = Object.values(tables).map((table) => `DELETE FROM ${getTableName(table)}`);
  const reset = db.prepare(["PRAGMA defer_foreign_keys = ON", ...deletions].join(";"));
  return {
    db,
    files,
    async reset() {
      await reset.run();
    },
  };
}
