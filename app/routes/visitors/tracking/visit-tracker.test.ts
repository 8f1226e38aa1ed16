import { expect, it } from "vitest";
import type { VisitReport } from "~/domain/analytics/visit";
import { readVisitReport } from "~/domain/analytics/visit.schema";
import { SAMPLE_MS, VisitTracker } from "./visit-tracker";

const VISIT = { visit: "0123456789abcdef0123456789abcdef", from: "" };

/** Fakes a page with a controlled clock, and records the reports that arrived. */
function openPage() {
  const network = { isOnline: true };
  const reports: VisitReport[] = [];
  let now = 0;
  const receive = (body: string) => {
    const report = readVisitReport(body);
    if (!report) throw new Error(`Invalid report: ${body}`);
    if (network.isOnline) reports.push(report);
    return network.isOnline;
  };
  const tracker = new VisitTracker(VISIT, {
    now: () => now,
    send: async (body) => receive(body),
    sendLast: receive,
  });
  return {
    network,
    reports,
    tracker,
    /** Stays at a place for some seconds: a cell of the space as c{x},{y},{z}, or an unknown place. */
    async dwell(place: string, seconds: number) {
      for (let ms = 0; ms < seconds * 1000; ms += SAMPLE_MS) {
        now += SAMPLE_MS;
        tracker.sample(place);
        await new Promise((done) => setTimeout(done));
      }
    },
    sleep: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

const secondsAt = (reports: readonly VisitReport[], place: string) =>
  reports
    .flatMap(({ stays }) => stays.filter((dwell) => dwell.place === place))
    .reduce((sum, { seconds }) => sum + seconds, 0);

it("reports the visit soon, then regularly, and at the end", async () => {
  const { tracker, reports, dwell } = openPage();
  tracker.sample("");
  expect(reports).toEqual([]);
  await dwell("", 2);
  expect(reports).toHaveLength(1);
  tracker.recordOpened({ act: "tag", id: "11111111-1111-4111-8111-111111111111" });
  tracker.recordOpened({ act: "tag", id: "11111111-1111-4111-8111-111111111111" });
  await dwell("c0,0,0", 40);
  expect(reports).toHaveLength(2);
  expect(reports[1]?.things).toHaveLength(1);
  tracker.leave("c0,0,0");
  expect(reports.map(({ part }) => part)).toEqual([0, 1, 2]);
  expect([secondsAt(reports, ""), secondsAt(reports, "c0,0,0")]).toEqual([2, 40]);
});

it("counts no time in which the page was hidden or the machine was asleep", async () => {
  const { tracker, reports, dwell, sleep } = openPage();
  tracker.sample("");
  await dwell("", 10);
  tracker.leave("");
  sleep(3600);
  tracker.sample("");
  await dwell("", 4);
  sleep(3600);
  tracker.sample("");
  await dwell("", 6);
  tracker.leave("");
  tracker.leave("");
  expect(secondsAt(reports, "")).toBe(20);
});

it("reports a lost part again under the same number", async () => {
  const { tracker, reports, dwell, network } = openPage();
  network.isOnline = false;
  tracker.sample("");
  await dwell("", 64);
  tracker.leave("");
  expect(reports).toEqual([]);
  network.isOnline = true;
  tracker.sample("");
  await dwell("", 30);
  expect(reports.map(({ part }) => part)).toEqual([0, 1, 2, 3, 4]);
  expect(secondsAt(reports, "")).toBe(94);
});

it("reports nothing of a page that was never visible", () => {
  const { tracker, reports } = openPage();
  tracker.recordOpened({ act: "tag", id: "11111111-1111-4111-8111-111111111111" });
  tracker.leave("");
  expect(reports).toEqual([]);
});
