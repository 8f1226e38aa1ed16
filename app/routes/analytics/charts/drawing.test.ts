import { describe, expect, test } from "vitest";
import type { Vec3 } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import { createNameFormatters } from "../names.server";
import { computeChange, formatPercent } from "./amounts";
import { drawChart } from "./chart.server";
import { drawHeat } from "./heat.server";

describe("a change", () => {
  const format = (value: number, before: number | null) =>
    computeChange({ value, before, change: before ? (value - before) / before : null });

  test("is more or less by a share, the same, or from zero, and null without a comparison or for two zeros", () => {
    expect(format(15, 10)).toEqual({ kind: "more", share: "50" });
    expect(format(9, 12)).toEqual({ kind: "less", share: "25" });
    expect(format(7, 7)).toEqual({ kind: "same" });
    expect(format(7, 0)).toEqual({ kind: "wasNone" });
    expect(format(0, 0)).toBeNull();
    expect(format(7, null)).toBeNull();
  });

  test("is rounded, but never to zero", () => {
    expect([0.1234, 12.345, 0.0001, 0].map(formatPercent)).toEqual(["12.3", "1,235", "<0.1", "0"]);
  });
});

describe("a chart", () => {
  const point = (visits: number, visitors = visits) => ({ label: "x", shortLabel: "x", visits, visitors });

  test("has bars in order within its frame, with heights proportional to their numbers", () => {
    const { bars, ticks } = drawChart([point(10, 5), point(0), point(20, 20)], []);
    expect(bars.map(({ visits }) => visits)).toEqual([50, 100, 0]);
    expect(Math.max(...bars.map(({ width }) => width))).toBe(10);
    expect(bars.map(({ visitors }) => visitors)).toEqual([75, 100, 0]);
    expect(bars.map(({ x }) => x)).toEqual([11.67, 45, 78.33]);
    for (const { x, width } of bars) expect(x >= 0 && x + width <= 100.01).toBe(true);
    expect(ticks.map(({ value, y }) => [value, y])).toContainEqual([20, 0]);
    expect(ticks.map(({ value, y }) => [value, y])).toContainEqual([0, 100]);
  });

  test("has integer ticks, even for few visits, and room for the comparison", () => {
    expect(drawChart([point(1)], []).ticks.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4]);
    expect(drawChart([point(1)], [40]).bars[0]?.visits).toBe(97.5);
  });

  test("has a line of the known comparison values, at most one per bar, and none if all are zero", () => {
    expect(drawChart([point(3), point(4)], [0, 0]).line).toBeNull();
    expect(drawChart([point(3), point(4)], [null, null]).line).toBeNull();
    expect(drawChart([point(3), point(4)], []).line).toBeNull();
    expect(drawChart([point(3), point(4)], [2, 4, 4]).line).toBe("M25,50L75,0");
    // Points in the future are not zero.
    expect(drawChart([point(3), point(4)], [2, null]).line).toBe("M24.5,50h1");
  });

  test("has at most 12 labels, and 6 on narrow screens", () => {
    const { labels } = drawChart(
      Array.from({ length: 31 }, () => point(1)),
      [],
    );
    expect(labels.length).toBeLessThanOrEqual(12);
    expect(labels.filter(({ isOnNarrowScreens }) => isOnNarrowScreens).length).toBeLessThanOrEqual(6);
  });

  test("labels each point on narrow screens if there are at most 6", () => {
    const countNarrowLabels = (count: number) =>
      drawChart(
        Array.from({ length: count }, () => point(1)),
        [],
      ).labels.filter(({ isOnNarrowScreens }) => isOnNarrowScreens).length;
    expect([1, 2, 6, 7, 12].map(countNarrowLabels)).toEqual([1, 2, 6, 4, 6]);
  });
});

describe("a map of visitors' positions", () => {
  const cell = (x: number, y: number, z: number, seconds: number) => ({
    position: [x, y, z] as Vec3,
    seconds,
  });
  const places = (cells: readonly ReturnType<typeof cell>[]) => ({
    nodes: [],
    cells,
    cellSize: 1,
    elsewhere: 7,
  });

  test("adds up storeys, ranks the longest stays, and reports time off the plan", () => {
    const plan = {
      image: "/media/x",
      frame: { center: [0, 0] as const, width: 10, height: 10, rotation: 0 },
    };
    const heat = drawHeat(
      places([cell(0.5, 1, 0.5, 50), cell(0.5, 4, 0.5, 50), cell(-2.5, 1, 0.5, 25), cell(90, 1, 0, 5)]),
      plan,
      "ja",
    );
    expect(heat?.spots.map(({ seconds, strength, rank }) => [seconds, strength, rank])).toEqual([
      [100, 1, 1],
      [25, 0.5, 2],
    ]);
    expect(heat?.spots[0]).toMatchObject({ x: 5.5, y: 5.5, corners: "5,5 6,5 6,6 5,6" });
    expect(heat?.unmappedSeconds).toBe(12);
  });

  test("names a cell by the nearest tag, if one is near, and contains the opened tags that still exist", () => {
    const tags = [
      { id: "j", name: "jar", position: [2, 1, 0] as Vec3 },
      { id: "d", name: "desk", position: [0, 0, 0] as Vec3 },
    ];
    const heat = drawHeat(places([cell(0.5, 1, 0.5, 2), cell(9.5, 1, 0.5, 1)]), null, "en", {
      landmarks: tags,
      openedTags: [
        { id: "d", count: 4 },
        { id: "gone", count: 3 },
      ],
    });
    expect(heat?.spots.map(({ nearestLandmark }) => nearestLandmark)).toEqual(["desk", null]);
    expect(heat?.pins).toEqual([{ id: "d", name: "desk", count: 4, strength: 1, x: 1.5, y: 2.75 }]);
  });

  test("covers 99 % of the time at known positions if there is no plan, and is null if there are none", () => {
    expect(drawHeat(places([cell(0.5, 1, 0.5, 9)]), null, "en")).toMatchObject({ width: 4, height: 4 });
    const withFarStay = drawHeat(places([cell(0.5, 1, 0.5, 990), cell(190.5, 1, 0.5, 10)]), null, "en");
    expect(withFarStay).toMatchObject({
      width: 4,
      height: 4,
      spots: [{ seconds: 990 }],
      unmappedSeconds: 17,
    });
    expect(drawHeat(places([]), null, "en")).toBeNull();
  });
});

describe("labels", () => {
  const names = (lang: "ja" | "en") => createNameFormatters(lang, languages[lang].t);
  const trait = (
    lang: "ja" | "en",
    kind: "countries" | "languages" | "devices" | "referrers",
    code: string,
  ) => names(lang).traits(kind, [{ code, count: 1 }])[0]?.name;

  test("of countries, languages and devices are in the reader's language", () => {
    expect([trait("ja", "countries", "JP"), trait("en", "countries", "JP")]).toEqual(["日本", "Japan"]);
    expect([trait("ja", "languages", "fr"), trait("en", "languages", "fr")]).toEqual([
      "フランス語",
      "French",
    ]);
    for (const lang of ["ja", "en"] as const)
      expect(trait(lang, "devices", "phone")).toBe(languages[lang].t("analytics:device.phone"));
  });

  test("of the codes for unknown, direct and other visits are texts, and an invalid code is unchanged", () => {
    expect(trait("ja", "countries", "")).toBe(languages.ja.t("analytics:unknown"));
    expect(trait("en", "referrers", "")).toBe(languages.en.t("analytics:direct"));
    expect(trait("en", "referrers", "*")).toBe(languages.en.t("analytics:others"));
    expect(trait("en", "countries", "??")).toBe("??");
  });

  test("of months below a bar contain the year in a report of all time", () => {
    const shorts = (["yearly", "all"] as const).map((kind) =>
      (["ja", "en"] as const).map((lang) => names(lang).point("2026-04", kind).shortLabel),
    );
    expect(shorts).toEqual([
      ["4月", "Apr"],
      ["4月\n2026年", "Apr\n2026"],
    ]);
  });

  test("of periods name a month, a year, a day or a range of days, and those of hours are times", () => {
    const formatRange = (from: string, to: string) => [
      names("ja").days({ from, to }),
      names("en").days({ from, to }),
    ];
    expect(formatRange("2026-04-01", "2026-04-30")).toEqual(["2026年4月", "Apr 2026"]);
    expect(formatRange("2026-01-01", "2026-12-31")).toEqual(["2026年", "2026"]);
    expect(formatRange("2026-04-01", "2026-04-01")).toEqual(["2026年4月1日(水)", "Wed 1 Apr 2026"]);
    expect(formatRange("2026-03-30", "2026-04-05")[0]).toBe("2026年3月30日 〜 2026年4月5日");
    expect(names("en").point("2026-04-01T09", "daily")).toEqual({ label: "09:00", shortLabel: "9" });
  });
});
