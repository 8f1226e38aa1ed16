import type { AppLoadContext } from "@remix-run/cloudflare";
import { expect, it } from "vitest";
import type { Report, ReportScope } from "#functions/services/analytics/reports";
import { NO_VISITS } from "~/domain/analytics/visit-tally";
import type { Actor } from "~/domain/auth/actor";
import { readReport } from "./read-report.server";
import { parseReportQuery } from "./report-url";

const EVENT = "00000000-0000-4000-8000-0000000000e0";
const EARLIER_EVENT = "00000000-0000-4000-8000-0000000000e1";

/** A report of all time, whose chart has the given months or years, with ten visits in each. */
function reportOf(id: string, periods: readonly string[]): Report {
  const none = { value: 0, before: null, change: null };
  return {
    scope: { kind: "event", id, name: { ja: id, en: id } },
    timeZone: "Asia/Tokyo",
    period: { kind: "all", days: null, previous: null, next: null, isRunning: true, now: "2026-04-01T09" },
    numbers: Object.fromEntries(Object.keys(NO_VISITS).map((name) => [name, none])) as Report["numbers"],
    series: {
      grain: periods[0]?.length === 4 ? "year" : "month",
      points: periods.map((period) => ({ period, numbers: { ...NO_VISITS, visits: 10 } })),
      before: [],
    },
    tags: [],
    media: [],
    products: [],
    carts: [],
    funnel: [],
    events: [],
    places: null,
    sourceKind: null,
    languages: [],
    devices: [],
    countries: [],
    referrers: [],
    live: 0,
    missing: null,
    lost: null,
    marks: id === EVENT ? [{ period: "2026-03", kind: "published", eventId: EVENT, count: 1 }] : [],
  };
}

/** Reads the report of EVENT, compared with EARLIER_EVENT. */
function readComparison(periods: readonly string[], comparedPeriods: readonly string[]) {
  const context = {
    lang: "en",
    services: {
      reports: {
        report: async ({ scope }: { readonly scope: ReportScope }) =>
          scope.id === EVENT ? reportOf(EVENT, periods) : reportOf(EARLIER_EVENT, comparedPeriods),
      },
    },
    attempt: async (work: Promise<unknown>) => ({ ok: true, value: await work }),
  } as unknown as AppLoadContext;
  return readReport({
    context,
    actor: {} as Actor,
    scope: { kind: "event", id: EVENT },
    query: parseReportQuery(new URLSearchParams({ period: "all", with: EARLIER_EVENT })),
  });
}

it("marks the month of a change although the compared event began earlier", async () => {
  const { series, marks } = await readComparison(["2026-03", "2026-04"], ["2026-01", "2026-02", "2026-03"]);
  expect(series.points.map(({ label }) => label)).toEqual(["Jan 2026", "Feb 2026", "Mar 2026", "Apr 2026"]);
  expect(marks.map(({ index, label }) => [index, label])).toEqual([[2, "Mar 2026"]]);
});

it.each([
  ["years with the months of another event", ["2025", "2026"], ["2025-11", "2025-12", "2026-01"], [20, 10]],
  [
    "months with the years of another event, without values",
    ["2026-03", "2026-04"],
    ["2025", "2026"],
    [null, null],
  ],
])("compares %s", async (_, periods, comparedPeriods, visits) => {
  const { series } = await readComparison(periods, comparedPeriods);
  expect(series.points.map(({ comparedVisits }) => comparedVisits)).toEqual(visits);
});
