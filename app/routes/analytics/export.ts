import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { parseReportQuery, readFormat, reportQuery } from "./address";
import { noSuchFile } from "./no-such-file.server";
import { enterReport } from "./scope.server";

/** Exports a report as CSV, or in the format of the address. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const scopeInput = await enterReport(context, params);
  const { searchParams } = new URL(request.url);
  const { period, at } = parseReportQuery(searchParams);
  const format = readFormat(searchParams);
  if (format === null) return noSuchFile(context, searchParams, `../report?${reportQuery({ period, at })}`);
  const input = { ...scopeInput, period, at };
  const isJson = format === "json";
  const { reports } = context.services;
  const { report, text } = await (isJson ? reports.reportFile(input) : reports.reportCsv(input));
  const { days } = report.period;
  const name = `report-${scopeInput.scope.kind}-${period}${days ? `-${days.from}` : ""}`;
  return new Response(text, {
    headers: {
      "content-type": isJson ? "application/json; charset=utf-8" : "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.${format}"`,
      "cache-control": "no-store",
    },
  });
}
