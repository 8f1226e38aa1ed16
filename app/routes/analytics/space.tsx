import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import type { Report } from "#functions/services/analytics/reports";
import type { Translate } from "~/i18n/messages";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { readSpaceMapBackground } from "./charts/map-background.server";
import { readReport } from "./read-report.server";
import { readReportContext } from "./report-context.server";
import { ReportPage } from "./report-page";
import { parseReportQuery } from "./report-url";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const reportContext = await readReportContext(context, params);
  const query = { ...parseReportQuery(new URL(request.url).searchParams), comparedEventId: null };
  const readBackground = ({ events }: Report) => readSpaceMapBackground(context, reportContext.actor, events);
  const report = await readReport({ context, ...reportContext, query, readBackground });
  return { title: pageTitle(context, "analytics:titleOf", { name: report.scope.name }), report };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["analytics", "shared-owners"],
  topBar: (_data, t: Translate) => ({ title: t("shared-owners:reportTitle") }),
};

export default function SpaceReport() {
  const { report } = useLoaderData<typeof loader>();
  return (
    <ReportPage
      report={report}
      breadcrumbs={[{ label: report.scope.name, href: `/space/${report.scope.id}` }]}
    />
  );
}
