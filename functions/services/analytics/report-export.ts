/** Reports as files for spreadsheets and programs: decision 032. */

import { VISIT_NUMBERS } from "~/domain/analytics/visit-tally";
import type { Localized } from "~/domain/shared/model";
import type { CsvCodec } from "../users/user-ports";
import { jsonName, reportJson } from "./report-json";
import {
  type KnownName,
  type RankedItem,
  type Report,
  type ReportDeps,
  type ReportInput,
  report,
} from "./reports";

/** Further dependencies of an export. */
export interface ReportExportDeps extends ReportDeps {
  /** Loads the code of CSV files. */
  readonly csv: () => Promise<CsvCodec>;
}

type Cell = string | number | null;

/**
 * Columns of the CSV file. Each line has one number, so that a spreadsheet can sort, filter and pivot the file. `before` is the total of the previous
 * period (ReportNumber.before) in lines of totals, and empty in all others.
 */
const COLUMNS = ["part", "id", "name", "number", "value", "before"] as const;

/** Returns a name in both languages as one text, Japanese first; empty for null. */
export const nameInBothLanguages = (name: Localized | KnownName | string | null): string => {
  if (name === null || typeof name === "string") return name ?? "";
  return [name.ja, name.en].filter(Boolean).join(" / ");
};

function* linesOf(report: Report): Generator<readonly Cell[]> {
  yield COLUMNS;
  for (const number of VISIT_NUMBERS) {
    const { value, before } = report.numbers[number];
    yield ["total", "", nameInBothLanguages(report.scope.name), jsonName(number), value, before];
  }
  const { grain, points, before } = report.series;
  for (const [part, series] of [
    [grain, points],
    [`${grain}_before`, before],
  ] as const)
    for (const { period, numbers } of series)
      for (const number of VISIT_NUMBERS) {
        // Future points have no value: a mean over them would be wrong.
        const isKnown = period <= report.period.now.slice(0, period.length) || numbers[number] > 0;
        yield [part, period, "", jsonName(number), isKnown ? numbers[number] : null, null];
      }
  const rankings: readonly (readonly [string, readonly RankedItem[]])[] = [
    ["tag", report.tags],
    ["medium", report.media],
    ["product", report.products],
    ["cart", report.carts],
  ];
  for (const [part, list] of rankings)
    for (const { id, name, count } of list)
      yield [part, id, nameInBothLanguages(name), "visits", count, null];
  for (const [part, traits] of [
    ["language", report.languages],
    ["device", report.devices],
    ["country", report.countries],
    ["referrer", report.referrers],
  ] as const)
    for (const { code, count } of traits) yield [part, code, "", "visits", count, null];
  for (const { step, visitors } of report.funnel) yield ["funnel", step, "", "visitors", visitors, null];
  for (const { id, title, seconds } of report.places?.nodes ?? [])
    yield ["place", id, nameInBothLanguages(title), "seconds", seconds, null];
  for (const { position, seconds } of report.places?.cells ?? [])
    yield ["place", `x=${position[0]} y=${position[1]} z=${position[2]}`, "", "seconds", seconds, null];
  if (report.places) yield ["place", "", "", "seconds", report.places.elsewhere, null];
  for (const { id, name, visits, visitors } of report.events) {
    yield ["event", id, nameInBothLanguages(name), "visits", visits, null];
    yield ["event", id, nameInBothLanguages(name), "visitors", visitors, null];
  }
}

/**
 * Returns a report, and its CSV file with one number per line and the names in both languages. Spreadsheets evaluate no cell of it as a formula.
 * @throws NotFoundError as `report` does
 */
export async function reportCsv(
  deps: ReportExportDeps,
  input: ReportInput,
): Promise<{ readonly report: Report; readonly text: string }> {
  const result = await report(deps, input);
  // Without this byte order mark, spreadsheets read a file in the encoding of the machine.
  let text = "\ufeff";
  const csv = await deps.csv();
  for (const line of linesOf(result)) text += csv.line(line);
  return { report: result, text };
}

/** A report as a JSON file in the API's format, and the report itself. @throws NotFoundError as `report` does */
export async function reportFile(
  deps: ReportDeps,
  input: ReportInput,
): Promise<{ readonly report: Report; readonly text: string }> {
  const result = await report(deps, input);
  return { report: result, text: JSON.stringify(reportJson(result), null, 2) };
}
