import { beforeEach, describe, expect, it } from "vitest";
import type { VisitRecord } from "~/domain/analytics/visit";
import { localHour } from "~/domain/shared/time-zone";
import { type Person, useTestApp } from "../../tests/support/app/test-app";
import { archiveKey } from "./visit-archive";

const testApp = useTestApp();
const DAY_MS = 86_400_000;
let owner: Person;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
});

const recordOf = (visit: string, fields: Partial<VisitRecord> = {}): VisitRecord => ({
  eventId,
  visit,
  part: 0,
  at: testApp.time.now,
  hour: localHour(testApp.time.now, "Asia/Tokyo"),
  visitor: `visitor of ${visit}`,
  traits: { lang: "ja", device: "phone", country: "JP", from: "news.example" },
  things: [{ act: "tag", id: "t" }],
  stays: [{ place: "c0,0,0", seconds: 12 }],
  ...fields,
});
const archive = () => testApp.rooms.archive(eventId, testApp.files);
const archivedKeys = async () =>
  (await testApp.files.list({ prefix: `visits/${eventId}/` })).objects.map(({ key }) => key);
const dayOfNow = (back = 0) => new Date(testApp.time.now - back * DAY_MS).toISOString().slice(0, 10);

/** The visit and part of each line of the export. */
async function exported(): Promise<string[]> {
  const { file } = await testApp.services.reports.visitCsv({ actor: owner.actor, eventId, period: "all" });
  const [header = "", ...lines] = (await new Response(file).text()).trim().split("\r\n");
  const columns = header.replace("\ufeff", "").split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return ["visit", "part", "act"].map((name) => cells[columns.indexOf(name)]).join(" ");
  });
}

describe("parts of visits", () => {
  it("move to R2 two days after their day, and the export stays the same", async () => {
    await testApp.rooms.recordAll([recordOf("a"), recordOf("b")]);
    // The second report of a part does not count.
    await testApp.rooms.recordAll([recordOf("b"), recordOf("b", { part: 1, things: [], stays: [] })]);
    const first = dayOfNow();
    testApp.time.now += DAY_MS;
    await testApp.rooms.recordAll([recordOf("c")]);
    const all = ["a 0 tag", "a 0 stay", "b 0 tag", "b 0 stay", "b 1 ", "c 0 tag", "c 0 stay"];
    expect(await exported()).toEqual(all);
    await archive();
    expect(await archivedKeys()).toEqual([]);
    testApp.time.now += 2 * DAY_MS;
    await archive();
    expect(await archivedKeys()).toEqual([archiveKey(eventId, first)]);
    expect(await exported()).toEqual(all);
    // The log deletes its calls after a week; R2 has them for 90 days.
    testApp.time.now += 30 * DAY_MS;
    await archive();
    await archive();
    expect(testApp.rooms.rowsOf(eventId)).toEqual([]);
    expect(await exported()).toEqual(all);
  });

  it("are exported for the days of a period in the event's time zone", async () => {
    await testApp.rooms.recordAll([
      recordOf("a", { hour: "2026-03-31T23" }),
      recordOf("b", { hour: "2026-04-01T00" }),
    ]);
    testApp.time.now += 4 * DAY_MS;
    await archive();
    const { file } = await testApp.services.reports.visitCsv({
      actor: owner.actor,
      eventId,
      period: "daily",
      at: "2026-04-01",
    });
    const text = await new Response(file).text();
    expect([text.includes("2026-04-01T00"), text.includes("2026-03-31T23")]).toEqual([true, false]);
  });

  it("stay in the log while R2 does not respond", async () => {
    await testApp.rooms.recordAll([recordOf("a")]);
    testApp.time.now += 20 * DAY_MS;
    const broken = { ...testApp.files, put: async () => Promise.reject(new Error("R2 does not respond")) };
    await expect(testApp.rooms.archive(eventId, broken as unknown as R2Bucket)).rejects.toThrow();
    testApp.rooms.room(eventId).log.prune(testApp.time.now);
    expect(await exported()).toHaveLength(2);
    await archive();
    expect(await archivedKeys()).toHaveLength(1);
    expect(await exported()).toHaveLength(2);
  });

  it("are deleted from R2 after 90 days, and when the owner deletes all visits", async () => {
    await testApp.rooms.recordAll([recordOf("a")]);
    testApp.time.now += 80 * DAY_MS;
    await testApp.rooms.recordAll([recordOf("b")]);
    testApp.time.now += 5 * DAY_MS;
    await archive();
    expect(await archivedKeys()).toHaveLength(2);
    testApp.time.now += 7 * DAY_MS;
    await archive();
    expect(await archivedKeys()).toEqual([archiveKey(eventId, dayOfNow(12))]);
    await testApp.services.visits.deleteVisits({ actor: owner.actor, eventId });
    await archive();
    expect(await archivedKeys()).toEqual([]);
    expect(await exported()).toEqual([]);
  });

  it("are exported to people who may read the event's report only", async () => {
    const stranger = await testApp.addUser();
    await expect(
      testApp.services.reports.visitCsv({ actor: stranger.actor, eventId, period: "all" }),
    ).rejects.toMatchObject({ kind: "not_found" });
  });
});
