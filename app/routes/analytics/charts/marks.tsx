import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { ReportData } from "../read-report.server";

/** A change of an event at a point of the chart, such as its publication. */
type Mark = ReportData["marks"][number];

/** Maximum number of points in the list of changes; the table of the chart has all of them. */
const LISTED_MAX = 4;

/** The text of a change, such as the number of new tags. */
export function markText({ kind, count, event }: Mark, t: Translate): string {
  const changeText =
    kind === "published" || kind === "closed" || kind === "mailed"
      ? t(`analytics:mark.${kind}`)
      : t(`analytics:mark.${kind}`, { count });
  return event === null ? changeText : t("analytics:markOf", { name: event, done: changeText });
}

/** Triangles above the chart's points with changes. */
export function MarkedPoints({ report: { marks, series } }: { readonly report: ReportData }) {
  const bars = [...new Set(marks.map(({ index }) => index))].flatMap(
    (index) => series.chart.bars[index] ?? [],
  );
  return bars.map(({ x, width }) => (
    <span
      key={x}
      aria-hidden="true"
      style={{ left: `${x + width / 2}%` }}
      className="drawn absolute -top-2 size-2.5 -translate-x-1/2 bg-warning [clip-path:polygon(0_0,100%_0,50%_100%)]"
    />
  ));
}

/** The latest points with changes, in the order of time. */
export function MarkList({ report: { marks } }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  if (marks.length === 0) return null;
  const labels = [...new Set(marks.map(({ label }) => label))].slice(-LISTED_MAX);
  return (
    <ul aria-label={t("analytics:done")} className="flex flex-wrap gap-x-6 gap-y-1 text-xs text-muted">
      {labels.map((label) => (
        <li key={label} className="inline-flex items-baseline gap-1.5">
          <span
            aria-hidden="true"
            className="drawn size-2.5 shrink-0 bg-warning [clip-path:polygon(0_0,100%_0,50%_100%)]"
          />
          <span>
            <span className="tabular-nums">{label}</span>{" "}
            <span className="text-ink">
              {marks
                .filter((mark) => mark.label === label)
                .map((mark) => markText(mark, t))
                .join(t("shared-owners:listSeparator"))}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
