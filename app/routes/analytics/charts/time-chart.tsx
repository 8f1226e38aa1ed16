import { cx } from "~/components/cx";
import { formatNumber } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import type { ReportData } from "../read-report.server";
import { DataTable } from "./data-table";
import { Disclosure } from "./disclosure";
import { MarkedPoints, MarkList, markText } from "./marks";

const percent = (value: number) => `${value}%`;

/** Chart of visits and visitors over time, with the comparison and a table of the same data. */
export function TimeChart({ report }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  const { points, chart, grain } = report.series;
  const { marks } = report;
  // Each visitor is counted once a day, in the hour of the first visit.
  const visitorsLabel = t(grain === "hour" ? "analytics:firstSeen" : "analytics:number.visitors");
  const comparedLabel =
    chart.line === null
      ? null
      : report.comparedEvent
        ? t("analytics:visitsOf", { name: report.comparedEvent.name })
        : t("analytics:before");
  const busiestPoint = points.reduce<(typeof points)[number] | null>(
    (busiest, point) => (point.visits > (busiest?.visits ?? 0) ? point : busiest),
    null,
  );
  const summary = busiestPoint
    ? t("analytics:chart", {
        count: report.numbers.visits.value,
        most: busiestPoint.visits,
        when: busiestPoint.label,
      })
    : t("analytics:chartEmpty");
  return (
    <section aria-labelledby="time-title" className="grid break-inside-avoid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="time-title" className="text-base font-semibold">
          {t("analytics:overTime")}
        </h2>
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted">
          <LegendItem className="bg-accent/35">{t("analytics:number.visits")}</LegendItem>
          <LegendItem className="bg-accent">{visitorsLabel}</LegendItem>
          {comparedLabel && (
            <LegendItem className="h-0! border-t-2 border-dashed border-ink">{comparedLabel}</LegendItem>
          )}
        </ul>
      </div>
      <div role="img" aria-label={summary} className="relative mt-1 ml-10 h-56 sm:h-64">
        {chart.ticks.map(({ y, value }) => (
          <div
            key={value}
            style={{ top: percent(y) }}
            className={cx("absolute inset-x-0 border-t", value === 0 ? "border-edge" : "border-line")}
          >
            <span className="absolute right-full mr-2 -translate-y-1/2 text-xs whitespace-nowrap text-muted tabular-nums">
              {formatNumber(value)}
            </span>
          </div>
        ))}
        <svg
          aria-hidden="true"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
        >
          {chart.bars.map(({ x, width, visits, visitors }, index) => {
            const point = points[index];
            return (
              <g key={point?.label}>
                <title>
                  {point &&
                    t("analytics:point", {
                      label: point.label,
                      visits: point.visits,
                      visitors: point.visitors,
                    })}
                </title>
                <rect x={x} y="0" width={width} height="100" fill="transparent" />
                <rect
                  x={x}
                  width={width}
                  y={visits}
                  height={100 - visits}
                  className="fill-accent opacity-35"
                />
                <rect x={x} width={width} y={visitors} height={100 - visitors} className="fill-accent" />
              </g>
            );
          })}
          {/* The outline keeps the line visible on bars and beside them. */}
          {chart.line &&
            ["stroke-paper stroke-4", "stroke-ink stroke-2 [stroke-dasharray:5_4]"].map((strokeClasses) => (
              <path
                key={strokeClasses}
                d={chart.line ?? ""}
                vectorEffect="non-scaling-stroke"
                className={cx("pointer-events-none fill-none", strokeClasses)}
              />
            ))}
        </svg>
        <MarkedPoints report={report} />
      </div>
      <div
        aria-hidden="true"
        className={cx(
          "relative -mt-2 ml-10 text-xs text-muted tabular-nums",
          chart.labels.some(({ text }) => text.includes("\n")) ? "h-10" : "h-5",
        )}
      >
        {chart.labels.map(({ x, text, isOnNarrowScreens }) => (
          <span
            key={x}
            style={{ left: percent(x) }}
            className={cx(
              "absolute -translate-x-1/2 text-center whitespace-pre",
              !isOnNarrowScreens && "max-sm:hidden",
            )}
          >
            {text}
          </span>
        ))}
      </div>
      <MarkList report={report} />
      <Disclosure label={t("analytics:asTable")}>
        <DataTable
          caption={t("analytics:overTime")}
          columns={[
            { key: "when", header: t("analytics:when") },
            { key: "visits", header: t("analytics:number.visits") },
            { key: "visitors", header: visitorsLabel },
            ...(comparedLabel ? [{ key: "against", header: comparedLabel }] : []),
            ...(marks.length > 0 ? [{ key: "done", header: t("analytics:done"), isText: true }] : []),
          ]}
          rows={points
            .map((point, index) => ({ ...point, changes: marks.filter((mark) => mark.index === index) }))
            .filter((point) => !point.isFuture || point.comparedVisits !== null)
            .map((point) => ({
              key: point.label,
              cells: [
                point.label,
                point.isFuture ? "–" : formatNumber(point.visits),
                point.isFuture ? "–" : formatNumber(point.visitors),
                ...(comparedLabel
                  ? [point.comparedVisits === null ? "–" : formatNumber(point.comparedVisits)]
                  : []),
                ...(marks.length > 0
                  ? [point.changes.map((mark) => markText(mark, t)).join(t("shared-owners:listSeparator"))]
                  : []),
              ],
            }))}
        />
      </Disclosure>
    </section>
  );
}

function LegendItem({ className, children }: { readonly className: string; readonly children: string }) {
  return (
    <li className="inline-flex items-center gap-2">
      <span aria-hidden="true" className={cx("drawn inline-block h-3 w-4 shrink-0", className)} />
      {children}
    </li>
  );
}
