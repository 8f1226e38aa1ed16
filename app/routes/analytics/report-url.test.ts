import { describe, expect, test } from "vitest";
import { parseReportQuery, reportQuery } from "./report-url";

const parseQuery = (query: string) => parseReportQuery(new URLSearchParams(query));

describe("the URL of a report", () => {
  test("contains the period, and is parsed back to the same query", () => {
    const comparedEventId = "01920000-0000-7000-8000-000000000001";
    const query = `period=weekly&at=2026-04-01&with=${comparedEventId}&find=night`;
    expect(parseQuery(query)).toEqual({
      part: "compare",
      period: "weekly",
      at: "2026-04-01",
      comparedEventId,
      find: "night",
    });
    expect(reportQuery(parseQuery(query))).toBe(query);
    // A tab that the rest of the URL does not imply is named.
    for (const tabQuery of [
      "part=opened&period=monthly",
      `part=overview&period=monthly&with=${comparedEventId}`,
    ])
      expect(reportQuery(parseQuery(tabQuery))).toBe(tabQuery);
  });

  test("has the current month as the default for invalid values", () => {
    for (const query of ["", "part=none&period=hourly&at=2026-02-30&with=x", "at=%00&period[]=daily"])
      expect(parseQuery(query)).toEqual({
        part: "overview",
        period: "monthly",
        at: undefined,
        comparedEventId: null,
        find: "",
      });
    expect(parseQuery("period=all&at=2026-04-01").at).toBeUndefined();
  });
});
