/**
 * Modules of the workers that `--scale` measures: several web processes share the D1 database of one process, which counts their statements and
 * the written rows. A room is the Durable Object of an event that stores and counts the parts in which pages report visits; shards are further
 * objects that store parts for the room of a busy event.
 */
import { ENTRY } from "../../scripts/lib/build/worker-modules";

/** Entrypoint of the host with which web processes use its database. */
export const DATABASE_ENTRYPOINT = "BenchDatabase";

const COUNTED_DATABASE = `
import { WorkerEntrypoint } from "cloudflare:workers";

let counts = { statements: 0, rowsWritten: 0 };
const count = (results) => {
  counts.statements += results.length;
  for (const { meta } of results) counts.rowsWritten += meta?.rows_written ?? 0;
};
const originals = new WeakMap();
function countStatement(original) {
  const run = (method) => async (...args) => {
    const result = await original[method](...args);
    count([result ?? {}]);
    return result;
  };
  const statement = { bind: (...values) => countStatement(original.bind(...values)) };
  for (const method of ["all", "raw", "run", "first"]) statement[method] = run(method);
  originals.set(statement, original);
  return statement;
}
const countDatabase = (db) => ({
  prepare: (sql) => countStatement(db.prepare(sql)),
  async batch(statements) {
    const results = await db.batch(statements.map((statement) => originals.get(statement)));
    count(results);
    return results;
  },
});

export class ${DATABASE_ENTRYPOINT} extends WorkerEntrypoint {
  batch(statements) {
    const db = countDatabase(this.env.DB);
    return db.batch(statements.map(({ sql, params }) => db.prepare(sql).bind(...params)));
  }
  each(calls) {
    return Promise.all(calls.map(({ method, sql, params, args }) => countDatabase(this.env.DB).prepare(sql).bind(...params)[method](...args)));
  }
}

let isStoringOnly = false;

/** Sends each text as one call with this number of parts, to the event's room or to one of its shards. */
async function store(env, { eventId, shard, texts, parts }) {
  const stub = env.EVENT_ROOMS.getByName(shard ? eventId + "/" + shard : eventId);
  const isolate = crypto.randomUUID();
  for (let sequence = 0; sequence < texts.length; sequence++)
    await stub.record({ version: 2, eventId, shard, isolate, sequence, timeZone: "Asia/Tokyo", count: parts, signs: texts[sequence] });
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const body = request.method === "POST" ? await request.json() : null;
    if (pathname === "/counts") {
      const response = Response.json(counts);
      counts = { statements: 0, rowsWritten: 0 };
      return response;
    }
    if (pathname === "/flush")
      for (let start = 0; start < body.length; start += 20)
        await Promise.all(body.slice(start, start + 20).map((id) => env.EVENT_ROOMS.getByName(id).flush()));
    isStoringOnly = pathname === "/store" && body.shard > 0;
    if (pathname === "/store") await store(env, body);
    if (pathname === "/merge") await env.EVENT_ROOMS.getByName(body.eventId).merge(body.eventId, body.shard);
    return new Response(null, { status: 204 });
  },
};
`;

/** The process with the database alone, for an implementation without rooms. */
export const databaseHost = COUNTED_DATABASE;

/** The process with the database and the built worker of the rooms, whose statements count too. */
export const roomsHost = `${COUNTED_DATABASE}
import * as rooms from "./${ENTRY}";
const counted = (Base) => class extends Base {
  constructor(ctx, env) { super(ctx, { ...env, DB: countDatabase(env.DB) }); }
};
export class EventRoom extends counted(rooms.EventRoom) {
  // Flushes once. Reading a report would instead make the room flush every five seconds while the report is open.
  flush() { return this.alarm(); }
  merge(eventId, shard) {
    if (isStoringOnly) throw new Error("The measurement only stores");
    return super.merge(eventId, shard);
  }
}
export class StatusAlarm extends counted(rooms.StatusAlarm) {}
export { LimitCounter } from "./${ENTRY}";
`;

/** The built web worker with the host's database. */
export const webWithHostDatabase = `
import product from "./${ENTRY}";
export * from "./${ENTRY}";
let nextMessage = null;
/** Statements that one request sends at the same time go to the host in one message, because messages between processes take much longer than D1's. */
async function send(host, call) {
  if (!nextMessage) {
    const calls = [];
    nextMessage = { calls, results: Promise.resolve().then(() => { nextMessage = null; return host.each(calls); }) };
  }
  const { calls, results } = nextMessage;
  const index = calls.push(call) - 1;
  return (await results)[index];
}
const statement = (host, sql, params) => ({
  sql,
  params,
  bind: (...values) => statement(host, sql, values),
  ...Object.fromEntries(
    ["all", "raw", "run", "first"].map((method) => [method, (...args) => send(host, { method, sql, params, args })]),
  ),
});
const database = (host) => ({
  prepare: (sql) => statement(host, sql, []),
  batch: (statements) => host.batch(statements.map(({ sql, params }) => ({ sql, params }))),
});
let environment;
export default {
  fetch(request, env, ctx) {
    environment ??= { ...env, DB: database(env.BENCH_DATABASE) };
    return product.fetch(request, environment, ctx);
  },
};
`;
