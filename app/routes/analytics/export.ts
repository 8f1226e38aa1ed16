import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { parseReportQuery, readFormat, reportQuery } from "./address";
import { noSuchFile } from "./no-such-file.server";
import { enterReport } from "./scope.server";

/** A report as a file: CSV, or what the address asks for. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const asked = await enterReport(context, params);
  const { searchParams } = new URL(request.url);
  const { period, at } = parseReportQuery(searchParams);
  const format = readFormat(searchParams);
  if (format === null) return noSuchFile(context, searchParams, `../report?${reportQuery({ period, at })}`);
  const input = { ...asked, period, at };
  const isJson = format === "json";
  const { reports } = context.services;
  const { report, text } = await (isJson ? reports.reportFile(input) : reports.reportCsv(input));
  const { days } = report.period;
  const name = `report-${asked.scope.kind}-${period}${days ? `-${days.from}` : ""}`;
  return new Response(text, {
    headers: {
      "content-type": isJson ? "application/json; charset=utf-8" : "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.${format}"`,
      "cache-control": "no-store",
    },
  });
}
