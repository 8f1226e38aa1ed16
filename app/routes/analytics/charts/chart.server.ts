/** Charts as numbers that a browser only has to draw: shares of their height and width in per cent. */
import { scaleBand, scaleLinear } from "d3-scale";
import { line } from "d3-shape";

export interface ChartPoint {
  /** As its table calls it, and as there is room for below a bar. */
  readonly label: string;
  readonly short: string;
  readonly visits: number;
  readonly visitors: number;
}

export interface Bar {
  readonly x: number;
  readonly width: number;
  /** From the top, of visits and of visitors. */
  readonly visits: number;
  readonly visitors: number;
}

export interface Chart {
  readonly bars: readonly Bar[];
  /** The path of what it is measured against; null where there is nothing. */
  readonly line: string | null;
  /** From the top. */
  readonly ticks: readonly { readonly y: number; readonly value: number }[];
  /** Some of the points' names: `always` also where there is little room. */
  readonly labels: readonly { readonly x: number; readonly text: string; readonly always: boolean }[];
}

/** The least that the top of a chart stands for: one visit is no mountain. */
const TOP_MIN = 4;
/** Names below a chart: on a wide page, of which phones show every second. */
const LABELS_MAX = 12;

/** A lonely bar is no wall. */
const WIDTH_MAX = 10;

const round = (value: number) => Math.round(value * 100) / 100;

/** @param against visits of what the points are measured against, point by point; null where nothing is known, as of what is still to come */
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
