/** Tests that a closed event is closed in every isolate within one second. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { expect, inject, test } from "vitest";
import { type Worker, workerWithoutFileRouter } from "../../../bench/bench-environment";
import { demoLink } from "../../../scripts/lib/local/demo-links";
import { localOptions } from "../../../scripts/lib/local/local-product";
import { demoIds } from "../../../seed/demo";

/** Time within which every isolate must serve the change, in milliseconds. */
const LIMIT_MS = 1000;
const ISOLATES = ["second", "third", "fourth"];

test("closing and reopening an event takes effect in four isolates within one second", async () => {
  const state = mkdtempSync(join(tmpdir(), "hiroba-closing-"));
  cpSync(inject("snapshotFolder"), state, { recursive: true });
  const options = localOptions({ port: 0, state }) as unknown as { workers: [Worker, Worker] };
  const workers = [
    ...options.workers,
    ...ISOLATES.map((name) => workerWithoutFileRouter(options.workers[0], name)),
  ];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  try {
    const db = await mf.getD1Database("DB", "hiroba");
    const origins = await Promise.all(
      ["hiroba", ...ISOLATES].map(async (name) => (await mf.unsafeGetDirectURL(name)).origin),
    );
    const readStatus = async (origin: string) =>
      (await fetch(demoLink(origin, "published"), { redirect: "manual" })).status;
    const readStatuses = () => Promise.all(origins.map(readStatus));
    for (let round = 0; round < 2; round++) {
      // Every isolate and the room (the event's Durable Object) have the event's record in memory when it changes.
      for (let reads = 0; reads < 5; reads++) {
        expect(await readStatuses()).toEqual(origins.map(() => 200));
        await sleep(70);
      }
      const setStatus = (status: number) =>
        db
          .prepare("UPDATE events SET status_id = ?, enable_auto_change_status = 0 WHERE id = ?")
          .bind(status, demoIds.mainEvent)
          .run();
      for (const [status, expectedStatus] of [
        [4, 302],
        [3, 200],
      ] as const) {
        await setStatus(status);
        const changedAt = performance.now();
        // Visitors continue to load the page, so that every isolate revalidates its copy all the time.
        while (performance.now() - changedAt < LIMIT_MS) await readStatuses();
        expect(await readStatuses()).toEqual(origins.map(() => expectedStatus));
      }
    }
  } finally {
    await mf.dispose();
    rmSync(state, { recursive: true, force: true });
  }
});

test("visitors' pages are revalidated against D1 when the Durable Objects of events (rooms) fail", async () => {
  const state = mkdtempSync(join(tmpdir(), "hiroba-closing-"));
  cpSync(inject("snapshotFolder"), state, { recursive: true });
  const options = localOptions({ port: 0, state }) as unknown as { workers: [Worker, Worker] };
  const [web, rooms] = options.workers;
  const brokenRooms = {
    ...rooms,
    modulesRoot: undefined,
    modules: [
      {
        type: "ESModule",
        path: "worker.js",
        contents: `import { DurableObject } from "cloudflare:workers";
          export class EventRoom extends DurableObject {}
          export default { fetch: () => new Response() };`,
      },
    ],
  };
  const mf = new Miniflare({ ...options, workers: [web, brokenRooms] } as unknown as MiniflareOptions);
  try {
    const origin = (await mf.unsafeGetDirectURL("hiroba")).origin;
    const link = demoLink(origin, "published");
    const { search } = new URL(link);
    expect((await fetch(link)).status).toBe(200);
    const report = await fetch(`${origin}/v/${demoIds.mainEvent}${search}`, {
      method: "POST",
      headers: {
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
      },
      body: JSON.stringify({ visit: "0".repeat(32), part: 0, from: "", things: [], stays: [] }),
    });
    expect(report.status).toBe(503);
    const db = await mf.getD1Database("DB", "hiroba");
    await db
      .prepare("UPDATE events SET status_id = 4, enable_auto_change_status = 0 WHERE id = ?")
      .bind(demoIds.mainEvent)
      .run();
    await sleep(LIMIT_MS);
    expect((await fetch(link, { redirect: "manual" })).status).toBe(302);
  } finally {
    await mf.dispose();
    rmSync(state, { recursive: true, force: true });
  }
});
