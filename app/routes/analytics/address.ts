/** What the address of a report asks for. Whatever it says wrongly is left out: a report is of this month, as when it says nothing. */

import {
  isLocalDate,
  type LocalDate,
  REPORT_PERIODS,
  type ReportPeriod,
} from "~/domain/analytics/report-period";
import { toUuid } from "~/domain/shared/ids";
import type { Uuid } from "~/domain/shared/model";

/** The period of an address that names none. */
const USUAL: ReportPeriod = "monthly";

export interface Asked {
  readonly period: ReportPeriod;
  /** A day of the period; undefined for today. */
  readonly at: LocalDate | undefined;
  /** The event that another one is put beside. */
  readonly beside: Uuid | null;
  /** What the name of such an event is looked for by; empty for no search. */
  readonly find: string;
}

/** Letters of a search that are looked at: the longest name of an event or space. */
const FIND_MAX = 100;

export function parseReportQuery(search: URLSearchParams): Asked {
  const period = REPORT_PERIODS.find((each) => each === search.get("period")) ?? USUAL;
  const at = search.get("at") ?? "";
  return {
    period,
    at: period !== "all" && isLocalDate(at) ? at : undefined,
    beside: toUuid(search.get("with") ?? undefined),
    find: (search.get("find") ?? "").trim().slice(0, FIND_MAX),
  };
}

/** What a report can be kept as. */
const FORMATS = ["csv", "json"] as const;
/** As what an address asks for a report: as CSV when it does not say; null for what a report never is. */
export const readFormat = (search: URLSearchParams): (typeof FORMATS)[number] | null => {
  const asked = search.get("format") ?? "csv";
  return FORMATS.find((each) => each === asked) ?? null;
};

/** The same as the query of an address, without its question mark. */
export function reportQuery({ period, at, beside, find }: Partial<Asked>): string {
  const query = new URLSearchParams();
  if (period) query.set("period", period);
  if (at && period !== "all") query.set("at", at);
  if (beside) query.set("with", beside);
  if (find) query.set("find", find);
  return query.toString();
}
