import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readReportContext } from "./report-context.server";

/** Returns the number of visitors of the last minutes (LIVE_MINUTES), for a page that stays open. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const reportContext = await readReportContext(context, params);
  const live = await context.services.reports.liveVisitors(reportContext);
  return Response.json({ live }, { headers: { "cache-control": "no-store" } });
}
