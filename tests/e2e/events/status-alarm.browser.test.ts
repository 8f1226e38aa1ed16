/** Tests that a thousand events that open or close together are recorded and announced within seconds. */
import { expect, inject, test } from "vitest";
import { copyEventRows } from "../../../bench/load/event-copies";
import { demoIds, demoPassword } from "../../../seed/demo";
import { caller } from "../../support/api/caller";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";

const EVENTS = 1000;
/** Time from the events' start or end until all are recorded and announced, in milliseconds. */
const LIMIT_MS = 10_000;

test("a thousand events of which half open and half close together are recorded, with their mails and webhook messages, within ten seconds", async () => {
  const local = await startFromSnapshot(inject("snapshotFolder"));
  try {
    const db = await local.mf.getD1Database("DB", "hiroba");
    const { ticket } = await caller(null, local.origin).api<{ ticket: string }>("POST", "/api/cas/tickets", {
      email: "owner@demo.example",
      password: demoPassword,
    });
    await caller(ticket, local.origin).api("POST", "/api/v1/webhooks", {
      url: "https://receiver.example.com/hook",
      types: ["event.published", "event.closed"],
    });
    // An event of the demo may open or close by itself meanwhile.
    await db.prepare("UPDATE events SET enable_auto_change_status = 0").run();
    await copyEventRows(db, demoIds.mainEvent, EVENTS);
    const ids = "id IN (SELECT printf('%08x', value) || substr(?1, 9) FROM json_each(?2))";
    const numbers = JSON.stringify(Array.from({ length: EVENTS }, (_, index) => index + 1));
    const closes = "instr('02468ace', substr(id, 8, 1)) > 0";
    const changesAt = Date.now() + 8_000;
    await db.batch([
      db.prepare("UPDATE users SET status_mails = 1"),
      db
        .prepare(
          `UPDATE events SET status_id = iif(${closes}, 3, 2), announced_status = iif(${closes}, 3, 2), enable_auto_change_status = 1,
            start_date = iif(${closes}, start_date, ?3), end_date = iif(${closes}, ?3, NULL) WHERE ${ids}`,
        )
        .bind(demoIds.mainEvent, numbers, new Date(changesAt).toISOString()),
      // The copies were announced when they were made.
      db.prepare("DELETE FROM webhook_messages"),
    ]);
    const alarms = await local.mf.getDurableObjectNamespace("STATUS_ALARM", "hiroba");
    await (alarms as unknown as { getByName(name: string): { start(): Promise<void> } })
      .getByName("status")
      .start();
    const count = async () =>
      db
        .prepare(
          `SELECT (SELECT count(*) FROM events WHERE status_id = 3 AND NOT ${closes} AND ${ids}) AS opened,
            (SELECT count(*) FROM events WHERE status_id = 4 AND ${closes} AND ${ids}) AS closed,
            (SELECT count(*) FROM audit WHERE action = 'event_status_settled') AS entries,
            (SELECT count(*) FROM status_mails) AS mails, (SELECT count(*) FROM webhook_messages) AS messages`,
        )
        .bind(demoIds.mainEvent, numbers)
        .first();
    const all = { opened: EVENTS / 2, closed: EVENTS / 2, entries: EVENTS, mails: EVENTS, messages: EVENTS };
    await expect.poll(count, { timeout: 60_000, interval: 250 }).toEqual(all);
    const took = Date.now() - changesAt;
    expect(took).toBeLessThan(LIMIT_MS);
  } finally {
    await local.stop();
  }
});
