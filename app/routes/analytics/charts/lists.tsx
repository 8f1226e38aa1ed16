import { cx } from "~/components/cx";
import { formatNumber } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import type { ReportData } from "../read-report.server";
import { formatPercent } from "./amounts";
import { DataTable } from "./data-table";
import { Disclosure } from "./disclosure";

/** Bar whose length is relative to the longest one of its table. */
export function ShareBar({ share }: { readonly share: number }) {
  return (
    <span aria-hidden="true" className="drawn mt-1 block h-1.5 rounded-full bg-ink/6">
      <span
        className="drawn block h-full rounded-full bg-accent"
        style={{ width: `${(share * 100).toFixed(2)}%` }}
      />
    </span>
  );
}

/** Number of visible rows; further ones are in a disclosure. */
const VISIBLE_ROWS = 10;

type ListName = "tags" | "media" | "products" | "carts" | "referrers" | "countries" | "languages" | "devices";

interface RankedListProps {
  readonly id: string;
  readonly title: string;
  readonly rows: ReportData["tags"];
  /** Total that each row is a share of. */
  readonly total: number;
}

/** Ranked list: a bar and a number for each row. */
function RankedList({ id, title, rows, total }: RankedListProps) {
  const { t } = useTranslation();
  const highestCount = Math.max(1, ...rows.map(({ count }) => count));
  const renderTable = (visibleRows: typeof rows) => (
    <DataTable
      isList
      caption={title}
      columns={[
        { key: "name", header: t("analytics:name") },
        { key: "visits", header: t("analytics:visitsWith") },
        { key: "share", header: t("analytics:share") },
      ]}
      rows={visibleRows.map(({ id: key, name, count }) => ({
        key,
        cells: [
          <span key="name" className="block">
            {name}
            <ShareBar share={count / highestCount} />
          </span>,
          formatNumber(count),
          `${formatPercent(total > 0 ? count / total : 0)}%`,
        ],
      }))}
    />
  );
  return (
    <section aria-labelledby={id} className="grid break-inside-avoid content-start gap-2 print:block">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">{t("analytics:nothing")}</p>
      ) : (
        <>
          {renderTable(rows.slice(0, VISIBLE_ROWS))}
          {rows.length > VISIBLE_ROWS && (
            <Disclosure label={t("analytics:rest", { count: rows.length - VISIBLE_ROWS })}>
              {renderTable(rows.slice(VISIBLE_ROWS))}
            </Disclosure>
          )}
        </>
      )}
    </section>
  );
}

interface ListsProps {
  readonly report: ReportData;
  readonly names: readonly ListName[];
  /** Number of rows of each list; the others are on another tab. All by default. */
  readonly limit?: number;
}

/** Ranked lists beside each other. */
export function Lists({ report, names, limit }: ListsProps) {
  const { t } = useTranslation();
  return (
    <div
      className={cx(
        "grid gap-x-12 gap-y-10 print:block print:space-y-8",
        names.length > 1 && "md:grid-cols-2 print:columns-2",
      )}
    >
      {names.map((name) => (
        <RankedList
          key={name}
          id={`${name}-title`}
          title={t(`analytics:${name}`)}
          rows={report[name].slice(0, limit)}
          total={report.numbers.visits.value}
        />
      ))}
    </div>
  );
}

/** Numbers of visitors who reached each step from the visit to the checkout. */
export function Funnel({ report }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  const startVisitors = report.funnel[0]?.visitors ?? 0;
  const share = (part: number, total: number) => (total > 0 ? `${formatPercent(part / total)}%` : "–");
  return (
    <section
      aria-labelledby="funnel-title"
      className="grid break-inside-avoid content-start gap-2 print:block"
    >
      <h2 id="funnel-title" className="text-base font-semibold">
        {t("analytics:funnel")}
      </h2>
      <p className="text-sm text-muted text-phrase">{t("analytics:funnelText")}</p>
      <DataTable
        isList
        caption={t("analytics:funnel")}
        columns={[
          { key: "step", header: t("analytics:step") },
          { key: "visitors", header: t("analytics:number.visitors") },
          { key: "all", header: t("analytics:ofAll") },
          { key: "before", header: t("analytics:ofBefore") },
        ]}
        rows={report.funnel.map(({ step, visitors }, index) => ({
          key: step,
          cells: [
            <span key="step" className="block">
              {t(`analytics:steps.${step}`)}
              <ShareBar share={startVisitors > 0 ? visitors / startVisitors : 0} />
            </span>,
            formatNumber(visitors),
            share(visitors, startVisitors),
            index === 0 ? "–" : share(visitors, report.funnel[index - 1]?.visitors ?? 0),
          ],
        }))}
      />
    </section>
  );
}
