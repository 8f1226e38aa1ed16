import type { ReactNode } from "react";
import { IconLink, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { timeZoneName } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { Menu, MenuDivider, MenuLink } from "~/components/menus/menu";
import { SubNav } from "~/components/menus/sub-nav";
import { type Crumb, PageHeader } from "~/components/page-header";
import { REPORT_PERIODS } from "~/domain/analytics/report-period";
import { useTranslation } from "~/i18n/translation";
import { LiveNow } from "./charts/live-now";
import { TimeChart } from "./charts/time-chart";
import { MissingVisitNotices } from "./missing-visit-notices";
import type { ReportData } from "./read-report.server";
import { EmptyReport, ReportTabContent } from "./report-tab-content";
import { reportQuery } from "./report-url";

interface ReportPageProps {
  readonly report: ReportData;
  readonly breadcrumbs: readonly Crumb[];
  /** URL of the dialog that deletes all visits; null or undefined if deleting is not possible. */
  readonly deleteHref?: string | null;
  readonly compare?: ReactNode;
  /** Dialog over the page, if one is open. */
  readonly children?: ReactNode;
}

/** Page of a report: its period, and tabs. */
export function ReportPage({ report, breadcrumbs, deleteHref = null, compare, children }: ReportPageProps) {
  const { t } = useTranslation();
  const { scope, query, scopePath } = report;
  const title =
    scope.kind === "account" ? t("analytics:ofAccount") : t("analytics:titleOf", { name: scope.name });
  return (
    <Container as="main" id="main" className="grid grid-cols-1 gap-6 print:block print:space-y-8 print:py-0">
      <PageHeader
        title={title}
        breadcrumbs={breadcrumbs}
        menu={<MoreActions report={report} deleteHref={deleteHref} />}
      />

      <SubNav
        label={t("analytics:parts")}
        items={report.tabs.map(({ part, href }) => ({
          href,
          label: t(`analytics:part.${part}`),
          current: part === query.part,
        }))}
      />
      <div id="panel" tabIndex={-1} className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <nav aria-label={t("analytics:periods")} className="flex gap-2 print:hidden">
          <Menu
            align="start"
            label={t("analytics:periodIs", { period: t(`analytics:period.${query.period}`) })}
            triggerClassName="border border-line px-3"
            trigger={
              <>
                {t(`analytics:period.${query.period}`)}
                <Icon name="chevron-down" size={16} className="text-muted" />
              </>
            }
          >
            {REPORT_PERIODS.map((period) => (
              <MenuLink
                key={period}
                href={`?${reportQuery({ ...query, period })}`}
                current={period === query.period}
                keepScroll
              >
                {t(`analytics:period.${period}`)}
              </MenuLink>
            ))}
          </Menu>
          {query.part !== "compare" && (
            <LinkButton
              variant="quiet"
              href={report.period.yesterdayHref}
              keepScroll
              aria-current={report.period.isYesterday || undefined}
              className="aria-[current]:bg-accent/12"
            >
              {t("analytics:yesterday")}
            </LinkButton>
          )}
        </nav>
        <PeriodSteps report={report} />
        <div className="sm:ml-auto">
          <LiveNow scopePath={scopePath} live={report.live} pageHref={`?${reportQuery(query)}`} />
        </div>
      </div>
      <MissingVisitNotices report={report} />
      <div className="grid grid-cols-1 gap-8 print:block print:space-y-8">
        {query.part === "compare" ? (
          <>
            {!report.isEmpty && report.comparedEvent && <TimeChart report={report} />}
            {compare}
          </>
        ) : report.isEmpty ? (
          <EmptyReport report={report} />
        ) : (
          <ReportTabContent report={report} />
        )}
      </div>
      <footer className="border-t border-line pt-4">
        <p className="text-xs text-muted">
          {t("analytics:zone", { zone: timeZoneName(report.timeZone, t) })}
        </p>
      </footer>
      {children}
    </Container>
  );
}

/** Links to the downloads, and to the dialog that deletes the visits. */
function MoreActions({
  report: { scopePath, exportQuery },
  deleteHref,
}: Pick<ReportPageProps, "report" | "deleteHref">) {
  const { t } = useTranslation();
  return (
    <div className="print:hidden">
      <Menu trigger={<Icon name="more" />} label={t("analytics:moreActions")}>
        <MenuLink icon="download" href={`${scopePath}/report/export?${exportQuery}`} download>
          {t("analytics:csv")}
        </MenuLink>
        <MenuLink icon="download" href={`${scopePath}/report/export?${exportQuery}&format=json`} download>
          {t("analytics:json")}
        </MenuLink>
        {scopePath.startsWith("/event/") && (
          <MenuLink icon="download" href={`${scopePath}/report/export?${exportQuery}&format=visits`} download>
            {t("analytics:visitsCsv")}
          </MenuLink>
        )}
        {deleteHref && (
          <>
            <MenuDivider />
            <MenuLink icon="trash" href={deleteHref} keepScroll>
              {t("analytics:delete.link")}
            </MenuLink>
          </>
        )}
      </Menu>
    </div>
  );
}

/** The days of the period, with links to the previous and the next period. */
function PeriodSteps({ report }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  const { kind, name, isRunning, previousHref, nextHref } = report.period;
  if (kind === "all") return null;
  return (
    <div className="flex items-center gap-x-1">
      {previousHref && (
        <IconLink
          icon="chevron-left"
          label={t("analytics:previous")}
          href={previousHref}
          className="print:hidden"
        />
      )}
      <p className="font-semibold tabular-nums">
        {name}{" "}
        {isRunning && <span className="ml-2 text-sm font-normal text-muted">{t("analytics:running")}</span>}
      </p>
      {nextHref && (
        <IconLink icon="chevron-right" label={t("analytics:next")} href={nextHref} className="print:hidden" />
      )}
    </div>
  );
}
