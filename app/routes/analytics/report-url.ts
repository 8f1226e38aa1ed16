/** The query in the URL of a report. Invalid parameters are ignored; the default is the current month. */

import {
  isLocalDate,
  type LocalDate,
  REPORT_PERIODS,
  type ReportPeriod,
} from "~/domain/analytics/report-period";
import { toUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";

/** Period of a URL that contains none. */
const DEFAULT_PERIOD: ReportPeriod = "monthly";

/** Tabs of a report. Reports of several events have "events" instead of "compare". */
export const REPORT_TABS = ["overview", "opened", "bought", "audience", "events", "compare"] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

/** Tab of a URL that names none. */
const defaultTab = ({
  comparedEventId,
  find: searchText,
}: Pick<Partial<ReportUrlQuery>, "comparedEventId" | "find">): ReportTab =>
  comparedEventId || searchText ? "compare" : "overview";

export interface ReportUrlQuery {
  readonly part: ReportTab;
  readonly period: ReportPeriod;
  /** A day of the period; undefined for today. */
  readonly at: LocalDate | undefined;
  /** Event that the report is compared with. */
  readonly comparedEventId: Uuid | null;
  /** Search text for that event; empty for no search. */
  readonly find: string;
}

/** Maximum length of a search text. */
const SEARCH_TEXT_MAX = 100;

export function parseReportQuery(searchParams: URLSearchParams): ReportUrlQuery {
  const period =
    REPORT_PERIODS.find((reportPeriod) => reportPeriod === searchParams.get("period")) ?? DEFAULT_PERIOD;
  const day = searchParams.get("at") ?? "";
  const comparedEventId = toUuid(searchParams.get("with") ?? undefined);
  const searchText = (searchParams.get("find") ?? "").trim().slice(0, SEARCH_TEXT_MAX);
  return {
    part:
      REPORT_TABS.find((part) => part === searchParams.get("part")) ??
      defaultTab({ comparedEventId, find: searchText }),
    period,
    at: period !== "all" && isLocalDate(day) ? day : undefined,
    comparedEventId,
    find: searchText,
  };
}

/** Formats in which a report can be exported; `visits` is a CSV file of the single visits of an event. */
const FORMATS = ["csv", "json", "visits"] as const;

/** Parses the format of a URL: CSV by default; null for a format in which the report cannot be exported. */
export const readFormat = (
  searchParams: URLSearchParams,
  scope: "event" | "space" | "account",
): (typeof FORMATS)[number] | null => {
  const format = searchParams.get("format") ?? "csv";
  if (format === "visits" && scope !== "event") return null;
  return FORMATS.find((candidate) => candidate === format) ?? null;
};

/** Converts the query back to the query of a URL, without its question mark. */
export function reportQuery({
  part,
  period,
  at,
  comparedEventId,
  find: searchText,
}: Partial<ReportUrlQuery>): string {
  const query = new URLSearchParams();
  if (part && part !== defaultTab({ comparedEventId, find: searchText })) query.set("part", part);
  if (period) query.set("period", period);
  if (at && period !== "all") query.set("at", at);
  if (comparedEventId) query.set("with", comparedEventId);
  if (searchText) query.set("find", searchText);
  return query.toString();
}
