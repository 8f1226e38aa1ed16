import { expect, inject, test } from "vitest";
import { copyEventRows } from "../../../bench/load/event-copies";
import { demoIds, demoPassword } from "../../../seed/demo";
import { caller } from "../../support/api/caller";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";

const EVENT_COUNT = 1000;
/** Maximum time from the events' start or end until all records, mails and webhook messages are stored, in milliseconds. */
const LIMIT_MS = 10_000;

test("five hundred events that open and five hundred that close together are recorded, with their mails and webhook messages, within ten seconds", async () => {
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
    await copyEventRows(db, demoIds.mainEvent, EVENT_COUNT);
    const isCopy = "id IN (SELECT printf('%08x', value) || substr(?1, 9) FROM json_each(?2))";
    const numbers = JSON.stringify(Array.from({ length: EVENT_COUNT }, (_, index) => index + 1));
    const isClosing = "instr('02468ace', substr(id, 8, 1)) > 0";
    const changesAt = Date.now() + 8_000;
    await db.batch([
      db.prepare("UPDATE users SET status_mails = 1"),
      db
        .prepare(
          `UPDATE events SET status_id = iif(${isClosing}, 3, 2), announced_status = iif(${isClosing}, 3, 2), enable_auto_change_status = 1,
            start_date = iif(${isClosing}, start_date, ?3), end_date = iif(${isClosing}, ?3, NULL) WHERE ${isCopy}`,
        )
        .bind(demoIds.mainEvent, numbers, new Date(changesAt).toISOString()),
      // The copies were announced when they were made.
      db.prepare("DELETE FROM webhook_messages"),
    ]);
    const alarms = await local.mf.getDurableObjectNamespace("STATUS_ALARM", "hiroba");
    await (alarms as unknown as { getByName(name: string): { start(): Promise<void> } })
      .getByName("status")
      .start();
    const countChanges = async () =>
      db
        .prepare(
          `SELECT (SELECT count(*) FROM events WHERE status_id = 3 AND NOT ${isClosing} AND ${isCopy}) AS opened,
            (SELECT count(*) FROM events WHERE status_id = 4 AND ${isClosing} AND ${isCopy}) AS closed,
            (SELECT count(*) FROM audit WHERE action = 'event_status_settled') AS entries,
            (SELECT count(*) FROM status_mails) AS mails, (SELECT count(*) FROM webhook_messages) AS messages`,
        )
        .bind(demoIds.mainEvent, numbers)
        .first();
    const expectedCounts = {
      opened: EVENT_COUNT / 2,
      closed: EVENT_COUNT / 2,
      entries: EVENT_COUNT,
      mails: EVENT_COUNT,
      messages: EVENT_COUNT,
    };
    await expect.poll(countChanges, { timeout: 60_000, interval: 250 }).toEqual(expectedCounts);
    const duration = Date.now() - changesAt;
    expect(duration).toBeLessThan(LIMIT_MS);
  } finally {
    await local.stop();
  }
});
