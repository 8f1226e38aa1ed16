import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { Report } from "#functions/services/analytics/reports";
import { languages } from "~/i18n/languages.server";
import { exportMessage } from "./export-message.server";
import { readReportContext } from "./report-context.server";
import { parseReportQuery, readFormat, reportQuery } from "./report-url";

/** Maximum length of the unknown format in the message. */
const SHOWN_FORMAT_MAX = 20;

/** Exports a report as CSV or JSON, or the single visits of an event in the period as CSV (`?format=`). */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const reportContext = await readReportContext(context, params);
  const { actor, scope } = reportContext;
  const { searchParams } = new URL(request.url);
  const { period, at } = parseReportQuery(searchParams);
  const format = readFormat(searchParams, scope.kind);
  const { t } = languages[context.lang];
  const backHref = `../report?${reportQuery({ period, at })}`;
  if (format === null)
    return exportMessage(context, {
      status: 400,
      title: t("analytics:noFile.title"),
      text: t("analytics:noFile.text", {
        format: (searchParams.get("format") ?? "").slice(0, SHOWN_FORMAT_MAX),
      }),
      backHref,
    });
  const input = { ...reportContext, period, at };
  const { reports } = context.services;
  if (format === "visits") {
    const visits = await context.attempt(reports.visitCsv({ actor, eventId: scope.id, period, at }));
    if (visits.ok) return fileResponse(visits.value.file, { report: visits.value.report, kind: "visits" });
    const { status, userMessage } = visits.failure;
    return exportMessage(context, {
      status,
      title: t("analytics:notExported"),
      text: userMessage.text,
      backHref,
    });
  }
  const { report, text } = await (format === "json" ? reports.reportFile(input) : reports.reportCsv(input));
  return fileResponse(text, { report, kind: format });
}

/** A file for download. Its name is for example report-event-weekly-2026-03-02.csv: the date is the first day of the period, if it has one. */
function fileResponse(
  body: BodyInit,
  { report: { scope, period }, kind }: { readonly report: Report; readonly kind: "csv" | "json" | "visits" },
): Response {
  const isJson = kind === "json";
  const name = `${kind === "visits" ? "visits" : "report"}-${scope.kind}-${period.kind}${period.days ? `-${period.days.from}` : ""}`;
  return new Response(body, {
    headers: {
      "content-type": isJson ? "application/json; charset=utf-8" : "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.${isJson ? "json" : "csv"}"`,
      "cache-control": "no-store",
    },
  });
}
