/** Starts a real D1 and R2 with the real migrations, for tests of the code behind the pages. */
import { getTableName } from "drizzle-orm";
import { Miniflare, type SharedOptions, type WorkerOptions } from "miniflare";
import { tables } from "#functions/data/schema";
import { migrate } from "../../../scripts/lib/local/local-product";
import { postTo } from "./post-to-worker";
import { R2_SCRIPT, remoteR2 } from "./remote-r2";

export interface TestBindings {
  readonly db: D1Database;
  readonly files: R2Bucket;
  /** Deletes all rows of every table. */
  reset(): Promise<void>;
}

interface Call {
  readonly method: "all" | "run" | "raw" | "first" | "batch";
  readonly statements: readonly { readonly sql: string; readonly params: readonly unknown[] }[];
  readonly options?: unknown;
}

/**
 * Script of the worker that executes D1 and R2 calls: one request per call, on persistent connections. Miniflare's own proxy also makes a
 * synchronous request for every prepare and bind, and its `dispatchFetch` opens a connection for every request. Both would take
 * most of a test's time.
 */
const SCRIPT = `${R2_SCRIPT}
export default {
  async fetch(request, bindings) {
    const binding = bindings[new URL(request.url).pathname.slice(1)];
    if ("head" in binding) return respondR2(request, binding);
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

/** A D1 database behind a worker that runs SCRIPT. */
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
  const statementOf = new WeakMap<object, Statement>();
  function prepare(sql: string, params: unknown[] = []): D1PreparedStatement {
    const statement = { sql, params };
    const executeWith = (method: Call["method"]) => (options?: unknown) =>
      send({ method, statements: [statement], options });
    const preparedStatement = {
      bind: (...values: unknown[]) => prepare(sql, values),
      all: executeWith("all"),
      run: executeWith("run"),
      raw: executeWith("raw"),
      first: executeWith("first"),
    };
    statementOf.set(preparedStatement, statement);
    return preparedStatement as unknown as D1PreparedStatement;
  }
  const batch = (statements: D1PreparedStatement[]) =>
    send({
      method: "batch",
      statements: statements.map((statement) => statementOf.get(statement) as Statement),
    });
  return { prepare: (sql: string) => prepare(sql), batch } as unknown as D1Database;
}

let startedBindings: Promise<TestBindings> | undefined;

/** Starts an empty D1 and R2: one workerd in memory for all test files of a process, one after the other. */
export async function startBindings(): Promise<TestBindings> {
  startedBindings ??= startEmptyBindings();
  const bindings = await startedBindings;
  await bindings.reset();
  const { objects } = await bindings.files.list();
  if (objects.length > 0) await bindings.files.delete(objects.map(({ key }) => key));
  return bindings;
}

/** Persistence folders and bindings of a product's database and bucket. */
export type StorageOptions = Pick<SharedOptions, "d1Persist" | "r2Persist"> &
  Pick<WorkerOptions, "d1Databases" | "r2Buckets">;

/** Starts databases with these names and a bucket: empty ones in memory by default, or those of a product. */
export async function startStores<Name extends string>(
  names: readonly Name[],
  storeOptions?: StorageOptions,
) {
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

async function startEmptyBindings(): Promise<TestBindings> {
  const { database, files } = await startStores(["DB"]);
  const db = database("DB");
  await migrate(db);
  // One D1 statement for all tables. Fifty statements take four times as long, and this runs a thousand times.
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
