/** Layout of charts, which the browser only renders. All coordinates and sizes are per cent of the chart's width or height. */
import { nice, ticks } from "d3-array";

export interface ChartPoint {
  /** Label in the table. */
  readonly label: string;
  /** Label below the bar, where there is little room. */
  readonly shortLabel: string;
  readonly visits: number;
  readonly visitors: number;
}

export interface Bar {
  readonly x: number;
  readonly width: number;
  /** Distances of the tops of the two bars, visits and visitors, from the top of the chart. */
  readonly visits: number;
  readonly visitors: number;
}

export interface Chart {
  readonly bars: readonly Bar[];
  /** Path of the comparison line; null without a comparison, or if all its values are zero. */
  readonly line: string | null;
  /** Values at the side of the chart, each with its distance from the top. */
  readonly ticks: readonly { readonly y: number; readonly value: number }[];
  /** Labels of some points; narrow screens show only those with `isOnNarrowScreens`. */
  readonly labels: readonly {
    readonly x: number;
    readonly text: string;
    readonly isOnNarrowScreens: boolean;
  }[];
}

/** Lowest value at the top of a chart, so that a single visit does not fill it. */
const TOP_VALUE_MIN = 4;
/** Maximum number of labels below a chart. */
const LABELS_MAX = 12;
/** Maximum number on narrow screens, which omit every second label of a chart with more points. */
const NARROW_LABELS_MAX = 6;

/** Maximum width of a bar in per cent, for charts with few bars. */
const BAR_WIDTH_MAX = 10;

/** Approximate number of values at the side of a chart. */
const TICK_COUNT = 4;
/** Width of a bar relative to the width that each point has. */
const BAR_SHARE = 0.7;

const round = (value: number) => Math.round(value * 100) / 100;

/**
 * Lays out a chart.
 * @param comparedVisits visits of the comparison, point by point; null for unknown points, for example in the future
 */
export function drawChart(points: readonly ChartPoint[], comparedVisits: readonly (number | null)[]): Chart {
  const highest = Math.max(
    TOP_VALUE_MIN,
    ...points.map(({ visits }) => visits),
    ...comparedVisits.map((value) => value ?? 0),
  );
  const [, top] = nice(0, highest, TICK_COUNT);
  const y = (value: number) => round(100 * (1 - value / top));
  const pointWidth = 100 / points.length;
  const middle = (index: number) => pointWidth * (index + 0.5);
  const width = Math.min(BAR_SHARE * pointWidth, BAR_WIDTH_MAX);
  const bars = points.map(({ visits, visitors }, index) => ({
    x: round(middle(index) - width / 2),
    width: round(width),
    visits: y(visits),
    visitors: y(visitors),
  }));
  const values = comparedVisits.slice(0, points.length);
  const isKnown = (index: number) => typeof values[index] === "number";
  const path = values.map((value, index) => {
    if (value === null) return "";
    const [isLineStart, isLineEnd] = [!isKnown(index - 1), !isKnown(index + 1)];
    // A value without neighbours is drawn as a short line, because browsers do not draw a line of no length.
    if (isLineStart && isLineEnd) return `M${round(middle(index) - 0.5)},${y(value)}h1`;
    return `${isLineStart ? "M" : "L"}${round(middle(index))},${y(value)}`;
  });
  const labelInterval = Math.ceil(points.length / LABELS_MAX);
  const narrowInterval = points.length > NARROW_LABELS_MAX ? 2 * labelInterval : labelInterval;
  return {
    bars,
    // The report says "no earlier data" when all values are zero.
    line: comparedVisits.some((value) => value !== null && value > 0) ? path.join("") || null : null,
    ticks: ticks(0, top, TICK_COUNT)
      .filter(Number.isInteger)
      .map((value) => ({ value, y: y(value) })),
    labels: points.flatMap(({ shortLabel }, index) =>
      index % labelInterval === 0
        ? [
            {
              x: round(middle(index)),
              text: shortLabel,
              isOnNarrowScreens: index % narrowInterval === 0,
            },
          ]
        : [],
    ),
  };
}
