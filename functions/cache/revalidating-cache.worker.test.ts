import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Load, runLoad } from "../../bench/load/load";
import { startBundledWorker } from "../../tests/support/bundled-worker";

/**
 * A worker that responds from a RevalidatingCache as the product does. With shared promises, workerd would confuse requests, but only after seconds of load, when the code is optimised.
 */
const WORKER = `
import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { eventCache } from "#functions/cache/event-cache";

const body = new Uint8Array(100_000);
let cache;
export default {
  async fetch(request, env) {
    const db = drizzle(env.DB);
    const revision = async () => {
      await db.select({ name: sql\`name\` }).from(sql\`sqlite_master\`).limit(1);
      return 1;
    };
    cache ??= eventCache(
      { load: async () => ({ revision: await revision() }), revision },
      { now: () => Date.now(), maxEntries: 2 },
    );
    const record = await cache.get("a");
    const headers = new Headers([["content-type", "text/html"]]);
    headers.set("x-nonce", randomBytes(16).toString("base64"));
    return new Response(body.slice(), { status: record.revision === 1 ? 200 : 404, headers });
  },
};`;

const CALLERS = 16;
let mf: Miniflare;

beforeAll(async () => {
  mf = await startBundledWorker(WORKER, {
    d1Databases: ["DB"],
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  });
});
afterAll(() => mf.dispose());

it("responds to every request in workerd while its record is read and revalidated", async () => {
  const load = new Load(await mf.unsafeGetDirectURL(), [{ path: "/", status: 200 }]);
  // Each run fails at the first response with another status.
  for (const seconds of [3, 1, 1, 1, 1, 1]) {
    const { requests } = await runLoad(load, CALLERS, seconds);
    expect(requests).toBeGreaterThan(CALLERS);
  }
});
