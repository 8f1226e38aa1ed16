/**
 * Tests that no acknowledged visit is lost or counted twice when the product is killed, when a room cannot write to D1, or when a room (the Durable Object that stores and
 * counts the visits of an event) receives invalid calls. Also tests the object that counts against limits.
 */
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import type { LimitCounter } from "#functions/rooms/limit-counter";
import { demoLink } from "../../../scripts/lib/local/demo-links";
import { type LocalProduct, startLocal } from "../../../scripts/lib/local/local-product";
import { demoIds } from "../../../seed/demo";
import { startKillable } from "../../support/app/killable-product";
import { flushRoom, getRoom } from "../../support/app/rooms";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import { createVisitCall } from "../../support/app/test-rooms";

/** User agent of a browser. Visits of other programs are not counted. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** Number of times that the product is killed. HIROBA_KILLS=10 takes a minute. */
const KILLS = Number(process.env.HIROBA_KILLS ?? 2);
/** Number of visitors who report at once. */
const GROUP_SIZE = 40;

/** Visitors of the demo's main event, each with one visit. */
class Visitors {
  sentCount = 0;
  /** Visitors whose report was acknowledged. */
  readonly acknowledged = new Set<number>();
  readonly #visits = new Map<number, string>();

  /** Reports a visitor's visit. Repeated calls report the same visit. @returns the status; 0 without a response */
  async report(origin: string, visitor: number): Promise<number> {
    const visit = this.#visits.get(visitor) ?? randomBytes(16).toString("hex");
    this.#visits.set(visitor, visit);
    const { search } = new URL(demoLink(origin, "published"));
    const status = await fetch(`${origin}/v/${demoIds.mainEvent}${search}`, {
      method: "POST",
      headers: { "user-agent": USER_AGENT, "cf-connecting-ip": `10.1.${visitor >> 8}.${visitor & 255}` },
      body: JSON.stringify({ visit, part: 0, from: "", things: [], stays: [{ place: "", seconds: 3 }] }),
    }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 204) this.acknowledged.add(visitor);
    return status;
  }

  /** Reports the visits of new visitors. */
  async reportNew(origin: string, count = GROUP_SIZE): Promise<readonly number[]> {
    const first = this.sentCount;
    this.sentCount += count;
    return Promise.all(Array.from({ length: count }, (_, index) => this.report(origin, first + index)));
  }
}

async function countVisits({ mf }: Pick<LocalProduct, "mf">): Promise<number> {
  const db = await mf.getD1Database("DB", "hiroba");
  const sum =
    "SELECT coalesce(sum(visits), 0) AS visits FROM visit_totals WHERE event_id = ? AND grain = 'year'";
  return (await db.prepare(sum).bind(demoIds.mainEvent).first<number>("visits")) ?? 0;
}

test("every acknowledged visit is counted once after the product was killed", async () => {
  const state = mkdtempSync(join(tmpdir(), "hiroba-kill-"));
  try {
    cpSync(inject("snapshotFolder"), state, { recursive: true });
    const firstProduct = await startLocal({ port: 0, state });
    const visitsBefore = await countVisits(firstProduct);
    await firstProduct.stop();
    const visitors = new Visitors();
    for (let kill = 0; kill < KILLS; kill++) {
      const product = await startKillable(state);
      await visitors.reportNew(product.origin);
      const streams = Array.from({ length: 3 }, (_, index) =>
        sleep(index * 300).then(() => visitors.reportNew(product.origin)),
      );
      // Kills the product at a random time during or after the reports.
      await sleep(300 + Math.random() * 1500);
      await product.kill();
      await Promise.all(streams);
    }
    const local = await startLocal({ port: 0, state });
    try {
      const acknowledged = visitors.acknowledged.size;
      await flushRoom(local, demoIds.mainEvent);
      const newVisits = (await countVisits(local)) - visitsBefore;
      expect(acknowledged).toBeGreaterThan(0);
      expect(newVisits).toBeGreaterThanOrEqual(acknowledged);
      // Pages report again what was not acknowledged. Then each visit is counted exactly once.
      const repeatedRequests = Array.from({ length: visitors.sentCount }, (_, visitor) =>
        visitors.report(local.origin, visitor),
      );
      expect(new Set(await Promise.all(repeatedRequests))).toEqual(new Set([204]));
      await flushRoom(local, demoIds.mainEvent);
      expect((await countVisits(local)) - visitsBefore).toBe(visitors.sentCount);
    } finally {
      await local.stop();
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});

test("while a room cannot write to D1, visitors see the event, and their visits are counted later", async () => {
  const lines: string[] = [];
  const local = await startFromSnapshot(inject("snapshotFolder"), { onLog: (line) => lines.push(line) });
  try {
    const db = await local.mf.getD1Database("DB", "hiroba");
    const visitsBefore = await countVisits(local);
    const visitors = new Visitors();
    await visitors.reportNew(local.origin);
    await db.prepare("ALTER TABLE visit_rooms RENAME TO visit_rooms_gone").run();
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
      expect(new Set(await visitors.reportNew(local.origin))).toEqual(new Set([204]));
      expect((await fetch(demoLink(local.origin, "published"))).status).toBe(200);
    }
    await expect(flushRoom(local, demoIds.mainEvent)).rejects.toThrow();
    expect(await countVisits(local)).toBe(visitsBefore);
    await db.prepare("ALTER TABLE visit_rooms_gone RENAME TO visit_rooms").run();
    // The room tries again by itself.
    await expect.poll(() => countVisits(local), { timeout: 90_000 }).toBe(visitsBefore + visitors.sentCount);
    expect(lines.some((line) => line.includes("visits not flushed"))).toBe(true);
  } finally {
    await local.stop();
  }
});

test("calls that no current web worker sends are rejected, repaired or stored, logged once, and disturb nothing", async () => {
  const lines: string[] = [];
  const local = await startFromSnapshot(inject("snapshotFolder"), { onLog: (line) => lines.push(line) });
  try {
    const eventId = demoIds.mainEvent;
    const room = await getRoom(local, eventId);
    const record = {
      eventId,
      visit: "a",
      part: 0,
      at: Date.now(),
      hour: "2026-04-01T09",
      visitor: "v",
      things: [],
      stays: [],
      traits: { lang: "ja", device: "phone", country: "", from: "" },
    };
    // The property `signs` of a call is the JSON of its records.
    const call = createVisitCall([record]);
    const visitsBefore = await countVisits(local);
    for (let times = 0; times < 2; times++) {
      expect(await (await getRoom(local, "forged")).record(call)).toBe("rejected");
      expect(await room.record({ ...call, shard: 1 })).toBe("rejected");
      expect(await (await getRoom(local, `${eventId}/2`)).record({ ...call, shard: 3 })).toBe("rejected");
      expect(await room.record({ ...call, version: 99 })).toBe("rejected");
      expect(await room.record({ ...call, signs: "x".repeat(1_000_000) })).toBe("rejected");
      expect(await room.record({ ...call, sequence: -1 })).toBe("rejected");
    }
    expect(await room.record({ ...call, isolate: "other", signs: "[1, null" })).toBe("stored");
    expect([await room.record(call), await room.record(call)]).toEqual(["stored", "stored"]);
    // A web worker of version 1 knows no shards and reads only the revision.
    for (let times = 0; times < 2; times++) expect(await room.record({ ...call, version: 1 })).toBe("stored");
    expect(await room.revision(eventId)).toBe((await room.state(eventId, 0)).revision);
    await flushRoom(local, eventId);
    expect(await countVisits(local)).toBe(visitsBefore + 1);
    const logged = lines
      .filter((line) => line.includes("visits rejected"))
      .map((line) => JSON.parse(line).problem);
    // Each of the three rooms logs a wrong name once.
    expect(logged.sort()).toEqual(["length", "room", "room", "room", "sequence", "version"]);
    for (const message of ["visits repaired", "call of an older version"])
      expect(lines.filter((line) => line.includes(message))).toHaveLength(1);
  } finally {
    await local.stop();
  }
});

test("the counts of limits survive a restart of their object", async () => {
  const state = mkdtempSync(join(tmpdir(), "hiroba-limits-"));
  try {
    const totals: number[] = [];
    const startedAt = Math.floor(Date.now() / 60_000);
    for (let start = 0; start < 2; start++) {
      const local = await startLocal({ port: 0, state });
      const counters = await local.mf.getDurableObjectNamespace("LIMIT_COUNTERS", "hiroba");
      const counter = (counters as unknown as DurableObjectNamespace).getByName(
        "test 1",
      ) as unknown as LimitCounter;
      totals.push(await counter.add("a", 3), await counter.add("b", 1));
      await local.stop();
    }
    if (Math.floor(Date.now() / 60_000) === startedAt) expect(totals).toEqual([3, 1, 6, 2]);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});
