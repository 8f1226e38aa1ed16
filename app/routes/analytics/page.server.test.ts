import type { AppLoadContext } from "@remix-run/cloudflare";
import { expect, it } from "vitest";
import type { Report, ReportScope } from "#functions/services/analytics/reports";
import { NO_VISITS } from "~/domain/analytics/visit-tally";
import type { Actor } from "~/domain/auth/actor";
import { readReport } from "./page.server";
import { parseReportQuery } from "./report-url";

const EVENT = "00000000-0000-4000-8000-0000000000e0";
const EARLIER_EVENT = "00000000-0000-4000-8000-0000000000e1";

/** A report of all time, whose chart begins in a month. */
function reportOf(id: string, months: readonly string[]): Report {
  const none = { value: 0, before: null, change: null };
  return {
    scope: { kind: "event", id, name: { ja: id, en: id } },
    timeZone: "Asia/Tokyo",
    period: { kind: "all", days: null, previous: null, next: null, isRunning: true, now: "2026-04-01T09" },
    numbers: Object.fromEntries(Object.keys(NO_VISITS).map((name) => [name, none])) as Report["numbers"],
    series: {
      grain: "month",
      points: months.map((period) => ({ period, numbers: NO_VISITS })),
      before: [],
    },
    ...{
      tags: [],
      media: [],
      products: [],
      carts: [],
      funnel: [],
      events: [],
      places: null,
      sourceKind: null,
    },
    ...{ languages: [], devices: [], countries: [], referrers: [], live: 0, missing: null, lost: null },
    marks: id === EVENT ? [{ period: "2026-03", kind: "published", eventId: EVENT, count: 1 }] : [],
  };
}

it("marks the month of a change although the compared event began earlier", async () => {
  const context = {
    lang: "en",
    services: {
      reports: {
        report: async ({ scope }: { readonly scope: ReportScope }) =>
          scope.id === EVENT
            ? reportOf(EVENT, ["2026-03", "2026-04"])
            : reportOf(EARLIER_EVENT, ["2026-01", "2026-02", "2026-03"]),
      },
    },
    attempt: async (work: Promise<unknown>) => ({ ok: true, value: await work }),
  } as unknown as AppLoadContext;
  const { series, marks } = await readReport({
    context,
    actor: {} as Actor,
    scope: { kind: "event", id: EVENT },
    query: parseReportQuery(new URLSearchParams({ period: "all", with: EARLIER_EVENT })),
  });
  expect(series.points.map(({ label }) => label)).toEqual(["Jan 2026", "Feb 2026", "Mar 2026", "Apr 2026"]);
  expect(marks.map(({ index, label }) => [index, label])).toEqual([[2, "Mar 2026"]]);
});
