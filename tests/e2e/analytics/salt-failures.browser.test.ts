/** Tests visits while R2 fails for web isolates, which read the salt of the day from it. */
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { expect, inject, test } from "vitest";
import type { Worker } from "../../../bench/bench-environment";
import { demoLink } from "../../../scripts/lib/demo-links";
import { localOptions } from "../../../scripts/lib/local-product";
import { ENTRY, workerModules } from "../../../scripts/lib/worker-modules";
import { demoIds } from "../../../seed/demo";
import { flushRoom } from "../../support/app/rooms";

const eventId = demoIds.mainEvent;

/** The web worker, whose bucket fails for salts until the path /repair was requested, and again after /break. */
const FAULTY_WEB = `
import product from "./${ENTRY}";
export * from "./${ENTRY}";
let isBroken = true;
let environment;
const faulty = (bucket) => new Proxy(bucket, {
  get(target, method) {
    const value = target[method];
    if (typeof value !== "function") return value;
    return (key, ...rest) => isBroken && String(key?.prefix ?? key).startsWith("salts/")
      ? Promise.reject(new Error("R2 does not respond"))
      : value.call(target, key, ...rest);
  },
});
export default {
  fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === "/repair" || pathname === "/break") {
      isBroken = pathname === "/break";
      return new Response();
    }
    environment ??= { ...env, FILES: faulty(env.FILES) };
    return product.fetch(request, environment, ctx);
  },
};`;

test("visitors see the event while R2 fails, and their visits are counted once afterwards", async () => {
  const state = mkdtempSync(join(tmpdir(), "hiroba-salts-"));
  cpSync(inject("snapshotFolder"), state, { recursive: true });
  const lines: string[] = [];
  const options = localOptions({ port: 0, state, onLog: (line) => lines.push(line) }) as unknown as {
    workers: [Worker & { modulesRoot: string }, Worker];
  };
  const [web, rooms] = options.workers;
  const faultyWeb = {
    ...web,
    ...workerModules(web.modulesRoot, { name: "faulty.js", contents: FAULTY_WEB }),
  };
  const mf = new Miniflare({ ...options, workers: [faultyWeb, rooms] } as unknown as MiniflareOptions);
  try {
    const { origin } = await mf.unsafeGetDirectURL("hiroba");
    const db = await mf.getD1Database("DB", "hiroba");
    const visits = async () => {
      await flushRoom({ mf }, eventId);
      const sum =
        "SELECT coalesce(sum(visits), 0) AS n FROM visit_totals WHERE event_id = ? AND grain = 'year'";
      return (await db.prepare(sum).bind(eventId).first<number>("n")) ?? 0;
    };
    const { search } = new URL(demoLink(origin, "published"));
    const report = async (visit: string, ipAddress: string) =>
      (
        await fetch(`${origin}/v/${eventId}${search}`, {
          method: "POST",
          headers: {
            "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
            "cf-connecting-ip": ipAddress,
          },
          body: JSON.stringify({ visit, part: 0, from: "", things: [], stays: [{ place: "", seconds: 3 }] }),
        })
      ).status;
    const before = await visits();
    const names = Array.from({ length: 3 }, () => randomBytes(16).toString("hex"));
    const reportAll = () => Promise.all(names.map((name, index) => report(name, `10.4.0.${index}`)));

    // The isolate has no salt yet: a page repeats its report, and shows the event as usual.
    expect(new Set(await reportAll())).toEqual(new Set([503]));
    expect((await fetch(demoLink(origin, "published"))).status).toBe(200);
    expect(await visits()).toBe(before);
    const messages = () =>
      lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line).message as string] : []));
    expect(messages().filter((message) => message === "visit not counted")).toHaveLength(1);
    expect(messages()).not.toContain("deferred work failed");
    await fetch(`${origin}/repair`);
    expect(new Set(await reportAll())).toEqual(new Set([204]));
    expect((await visits()) - before).toBe(3);

    // An isolate that has the salt of the day does not need R2.
    await fetch(`${origin}/break`);
    expect(await report(randomBytes(16).toString("hex"), "10.4.0.9")).toBe(204);
    expect((await visits()) - before).toBe(4);
  } finally {
    await mf.dispose();
    rmSync(state, { recursive: true, force: true });
  }
});
