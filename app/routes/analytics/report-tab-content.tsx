import { LinkButton } from "~/components/button";
import { EmptyState } from "~/components/status/states";
import { useTranslation } from "~/i18n/translation";
import { HeatMap } from "./charts/heat-map";
import { Funnel, Lists } from "./charts/lists";
import { Numbers } from "./charts/numbers";
import { TimeChart } from "./charts/time-chart";
import { Events } from "./events";
import type { ReportData } from "./read-report.server";
import { reportQuery } from "./report-url";

/** Content of a tab. */
export function ReportTabContent({ report }: { readonly report: ReportData }) {
  switch (report.query.part) {
    case "opened":
      return (
        <>
          <Numbers report={report} names={["tags", "media"]} />
          <Lists report={report} names={["tags", "media"]} />
        </>
      );
    case "bought":
      return (
        <>
          <Numbers report={report} names={["products", "carts", "checkouts"]} />
          <Funnel report={report} />
          <Lists report={report} names={["products", "carts"]} />
        </>
      );
    case "audience":
      return <Lists report={report} names={["referrers", "countries", "languages", "devices"]} />;
    case "events":
      return <Events report={report} />;
    default:
      return <Overview report={report} />;
  }
}

/** Number of rows of a list in the overview. */
const OVERVIEW_ROWS = 5;

/** The main numbers, their chart with the events' changes, the map of visitors' positions, and the most opened items and products. */
function Overview({ report }: { readonly report: ReportData }) {
  const { numbers, products } = report;
  const hasProducts = products.length > 0 || Boolean(numbers.products.before);
  return (
    <>
      <Numbers report={report} names={["visits", "visitors", "time", hasProducts ? "carts" : "tags"]} />
      <TimeChart report={report} />
      <HeatMap report={report} />
      <Lists
        report={report}
        names={hasProducts ? ["tags", "products"] : ["tags", "media"]}
        limit={OVERVIEW_ROWS}
      />
    </>
  );
}

/** Message of a report without visits. */
export function EmptyReport({ report }: { readonly report: ReportData }) {
  const { t } = useTranslation();
  const { query, scope, scopePath } = report;
  const openHref = { account: "/space-list", space: scopePath, event: `${scopePath}?panel=links` }[
    scope.kind
  ];
  const openButton = (
    <LinkButton href={openHref} variant="primary">
      {t(`analytics:open.${scope.kind}`)}
    </LinkButton>
  );
  if (query.period !== "all")
    return (
      <EmptyState
        icon="chart"
        title={t("analytics:emptyIn")}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {openButton}
            <LinkButton href={`?${reportQuery({ ...query, period: "all" })}`} variant="quiet">
              {t("analytics:showAll")}
            </LinkButton>
          </div>
        }
      >
        {t("analytics:emptyText")}
      </EmptyState>
    );
  return (
    <EmptyState icon="chart" title={t("analytics:empty")} action={openButton}>
      {t("analytics:emptyText")}
    </EmptyState>
  );
}
