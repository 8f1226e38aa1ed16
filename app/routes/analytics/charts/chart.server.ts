/** Layout of charts, which the browser only renders: shares of height and width in per cent. */
import { scaleBand, scaleLinear } from "d3-scale";
import { line } from "d3-shape";

export interface ChartPoint {
  /** Label in the table, and in the limited room below a bar. */
  readonly label: string;
  readonly short: string;
  readonly visits: number;
  readonly visitors: number;
}

export interface Bar {
  readonly x: number;
  readonly width: number;
  /** Distance from the top, of visits and of visitors. */
  readonly visits: number;
  readonly visitors: number;
}

export interface Chart {
  readonly bars: readonly Bar[];
  /** Path of the comparison line; null if there is none. */
  readonly line: string | null;
  /** Distance from the top. */
  readonly ticks: readonly { readonly y: number; readonly value: number }[];
  /** Labels of some points; `always` marks those that narrow screens show as well. */
  readonly labels: readonly { readonly x: number; readonly text: string; readonly always: boolean }[];
}

/** Lowest value at the top of a chart, so that a single visit does not fill it. */
const TOP_MIN = 4;
/** Maximal number of labels below a chart on wide screens; phones show every second one. */
const LABELS_MAX = 12;

/** Maximal width of a bar, for charts with few bars. */
const WIDTH_MAX = 10;

const round = (value: number) => Math.round(value * 100) / 100;

/** Lays out a chart. @param against visits of the comparison, point by point; null for unknown points, for example in the future */
export function drawChart(points: readonly ChartPoint[], against: readonly (number | null)[]): Chart {
  const top = Math.max(TOP_MIN, ...points.map(({ visits }) => visits), ...against.map((value) => value ?? 0));
  const y = scaleLinear([0, top], [100, 0]).nice(4);
  const x = scaleBand(
    points.map((_, index) => index),
    [0, 100],
  )
    .paddingInner(0.3)
    .paddingOuter(0.15);
  const middle = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2;
  const width = Math.min(x.bandwidth(), WIDTH_MAX);
  const bars = points.map(({ visits, visitors }, index) => ({
    x: round(middle(index) - width / 2),
    width: round(width),
    visits: round(y(visits)),
    visitors: round(y(visitors)),
  }));
  const path = line<number | null>(
    (_, index) => middle(index),
    (value) => y(value ?? 0),
  )
    .defined((value) => value !== null)
    .digits(2);
  const every = Math.ceil(points.length / LABELS_MAX);
  return {
    bars,
    line: against.some((value) => value !== null && value > 0) ? path(against.slice(0, points.length)) : null,
    ticks: y
      .ticks(4)
      .filter(Number.isInteger)
      .map((value) => ({ value, y: round(y(value)) })),
    labels: points.flatMap(({ short }, index) =>
      index % every === 0
        ? [{ x: round(middle(index)), text: short, always: (index / every) % 2 === 0 }]
        : [],
    ),
  };
}
