import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { readReport } from "./read-report.server";
import { readReportContext } from "./report-context.server";
import { ReportPage } from "./report-page";
import { parseReportQuery } from "./report-url";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const reportContext = await readReportContext(context, params);
  const query = { ...parseReportQuery(new URL(request.url).searchParams), comparedEventId: null };
  const report = await readReport({ context, ...reportContext, query });
  return { title: pageTitle(context, "analytics:ofAccount"), report };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["analytics", "shared-owners", "spaces"],
  topBar: (_data, t: Translate) => ({ title: t("shared-owners:reportTitle") }),
};

export default function AccountReport() {
  const { t } = useTranslation();
  const { report } = useLoaderData<typeof loader>();
  return <ReportPage report={report} breadcrumbs={[{ label: t("spaces:title"), href: "/space-list" }]} />;
}
