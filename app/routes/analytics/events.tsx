import { Anchor } from "~/components/anchor";
import { formatNumber } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import { DataTable } from "./charts/data-table";
import { ShareBar } from "./charts/lists";
import type { ReportData } from "./read-report.server";
import { reportQuery } from "./report-url";

/** Events of a space or an account, the most visited first, each with a link to its own report. */
export function Events({ report }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  const { events, query } = report;
  if (events.length === 0) return null;
  const mostVisits = Math.max(1, ...events.map(({ visits }) => visits));
  const isAccount = report.scope.kind === "account";
  const periodQuery = reportQuery({ period: query.period, at: query.at });
  return (
    <section aria-labelledby="events-title" className="grid break-inside-avoid gap-2 print:block">
      <h2 id="events-title" className="text-base font-semibold">
        {t("analytics:events")}
      </h2>
      <DataTable
        isList
        caption={t("analytics:events")}
        columns={[
          { key: "event", header: t("analytics:event") },
          { key: "visits", header: t("analytics:number.visits") },
          { key: "visitors", header: t("analytics:number.visitors") },
        ]}
        rows={events.map(({ id, name, spaceName, visits, visitors }) => ({
          key: id,
          cells: [
            <span key="event" className="block">
              <Anchor
                href={`/event/${id}/report?${periodQuery}`}
                className="inline-flex min-h-10 items-center hover:underline"
              >
                {name}
              </Anchor>
              {isAccount && <span className="block text-xs text-muted">{spaceName}</span>}
              <ShareBar share={visits / mostVisits} />
            </span>,
            formatNumber(visits),
            formatNumber(visitors),
          ],
        }))}
      />
    </section>
  );
}
