import type { ReactNode } from "react";
import { LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { SubNav } from "~/components/menus/sub-nav";
import { type Crumb, PageHeader } from "~/components/page-header";
import { EmptyState } from "~/components/status/states";
import { REPORT_PERIODS } from "~/domain/analytics/report-period";
import { useTranslation } from "~/i18n/translation";
import { reportQuery } from "./address";
import { HeatMap } from "./charts/heat-map";
import { Funnel, Lists } from "./charts/lists";
import { LiveNow } from "./charts/live-now";
import { Numbers } from "./charts/numbers";
import { TimeChart } from "./charts/time-chart";
import { Events } from "./events";
import type { ReportData } from "./page.server";

interface ReportPageProps {
  readonly report: ReportData;
  readonly breadcrumbs: readonly Crumb[];
  /** Tabs of the record to which the report belongs. */
  readonly tabs?: ReactNode;
  /** Address of the dialog that deletes all visits; null or undefined if deleting is not possible. */
  readonly deleteHref?: string | null;
  readonly compare?: ReactNode;
  /** A dialog. */
  readonly children?: ReactNode;
}

/** Page of a report: its period, its numbers, and their details. */
export function ReportPage({
  report,
  breadcrumbs,
  tabs,
  deleteHref = null,
  compare,
  children,
}: ReportPageProps) {
  const { t } = useTranslation();
  const { scope, query, here, exportQuery } = report;
  const title =
    scope.kind === "account" ? t("analytics:ofAccount") : t("analytics:titleOf", { name: scope.name });
  return (
    <Container
      as="main"
      id="main"
      className="grid grid-cols-[minmax(0,1fr)] gap-8 print:block print:space-y-8 print:py-0"
    >
      <PageHeader title={title} breadcrumbs={breadcrumbs} />
      {tabs}
      <div className="grid gap-4">
        <SubNav
          label={t("analytics:periods")}
          items={REPORT_PERIODS.map((period) => ({
            href: `?${reportQuery({ ...query, period })}`,
            label: t(`analytics:period.${period}`),
            current: period === query.period,
          }))}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <PeriodSteps report={report} />
          <LiveNow
            here={scope.kind === "account" ? "/account" : here}
            live={report.live}
            again={`?${reportQuery(query)}`}
          />
        </div>
      </div>
      {report.isEmpty ? (
        <Empty report={report} />
      ) : (
        <>
          <Numbers report={report} />
          <TimeChart report={report} />
          <Events report={report} />
        </>
      )}
      {compare}
      {!report.isEmpty && (
        <>
          <HeatMap report={report} />
          <Funnel report={report} />
          <Lists report={report} />
        </>
      )}
      <footer className="grid gap-4 border-t border-line pt-6">
        <div className="flex flex-wrap items-center gap-3 print:hidden">
          <LinkButton icon="download" href={`${here}/report/export?${exportQuery}`} download>
            {t("analytics:csv")}
          </LinkButton>
          <LinkButton icon="download" href={`${here}/report/export?${exportQuery}&format=json`} download>
            {t("analytics:json")}
          </LinkButton>
          {deleteHref && (
            <LinkButton variant="quiet" icon="trash" href={deleteHref} keepScroll className="ml-auto">
              {t("analytics:delete.link")}
            </LinkButton>
          )}
        </div>
        <p className="text-xs text-muted">{t("analytics:zone", { zone: report.timeZone })}</p>
      </footer>
      {children}
    </Container>
  );
}

/** The days of the period, with links to the previous and the next period. */
function PeriodSteps({ report }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  const { kind, name, isRunning, previousHref, nextHref } = report.period;
  if (kind === "all") return <p className="font-semibold">{t("analytics:period.all")}</p>;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {previousHref && (
        <LinkButton icon="chevron-left" variant="quiet" href={previousHref} className="-ml-3 print:hidden">
          {t("analytics:previous")}
        </LinkButton>
      )}
      <p className="font-semibold tabular-nums">
        {name}{" "}
        {isRunning && <span className="ml-2 text-sm font-normal text-muted">{t("analytics:running")}</span>}
      </p>
      {nextHref && (
        <LinkButton icon="chevron-right" variant="quiet" href={nextHref} className="print:hidden">
          {t("analytics:next")}
        </LinkButton>
      )}
    </div>
  );
}

function Empty({ report }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  const { query, scope, here } = report;
  if (query.period !== "all")
    return (
      <EmptyState
        icon="chart"
        title={t("analytics:emptyIn")}
        action={
          <LinkButton href={`?${reportQuery({ ...query, period: "all" })}`}>
            {t("analytics:showAll")}
          </LinkButton>
        }
      >
        {t("analytics:emptyInText")} {t("analytics:emptyText")}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="chart"
      title={t("analytics:empty")}
      action={
        <LinkButton href={scope.kind === "account" ? "/space-list" : here}>
          {t(`analytics:open.${scope.kind}`)}
        </LinkButton>
      }
    >
      {t("analytics:emptyText")}
    </EmptyState>
  );
}
