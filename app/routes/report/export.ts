import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readAsked } from "./address";
import { enterReport } from "./scope.server";

/** A report as a file: JSON when the address asks for it, otherwise CSV. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const asked = await enterReport(context, params);
  const { searchParams } = new URL(request.url);
  const { period, at } = readAsked(searchParams);
  const input = { ...asked, period, at };
  const isJson = searchParams.get("format") === "json";
  const text = isJson
    ? JSON.stringify(await context.services.reports.report(input), null, 2)
    : await context.services.reports.reportCsv(input);
  const day = at ?? new Date(context.now).toISOString().slice(0, 10);
  const name = `report-${asked.scope.kind}-${period}${period === "all" ? "" : `-${day}`}`;
  return new Response(text, {
    headers: {
      "content-type": isJson ? "application/json; charset=utf-8" : "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.${isJson ? "json" : "csv"}"`,
      "cache-control": "no-store",
    },
  });
}
