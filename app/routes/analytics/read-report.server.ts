/** Prepares the data of a report's page for rendering. */

import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Report, ReportPoint, ReportScope } from "#functions/services/analytics/reports";
import { addDays } from "~/domain/analytics/report-period";
import type { Actor } from "~/domain/auth/actor";
import { textIn } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import { alignVisits, mergePoints } from "./align-visits.server";
import { drawChart } from "./charts/chart.server";
import { drawHeat } from "./charts/heat.server";
import type { MapBackground } from "./charts/map-background.server";
import { createNameFormatters } from "./names.server";
import { type ReportTab, type ReportUrlQuery, reportQuery } from "./report-url";

interface ReportRequest {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly scope: ReportScope;
  readonly query: ReportUrlQuery;
  /** Returns the background of the map of visitors' positions. It is called only if positions are known. */
  readonly readBackground?: (report: Report) => Promise<MapBackground>;
}

/** Tabs of every report. */
const TABS = ["overview", "opened", "bought", "audience"] as const;

/** Maximum number of entries in each list of languages, countries or referrers. */
const LIST_MAX = 20;

/**
 * Reads a report and converts it for the page.
 * @throws a 404 response for a record that the actor may not see
 */
export async function readReport({ context, actor, scope, query, readBackground }: ReportRequest) {
  const { lang } = context;
  const { t } = languages[lang];
  const requestReport = (reportScope: ReportScope, date = query.at) =>
    context.services.reports.report({ actor, scope: reportScope, period: query.period, at: date });
  const report = await requestReport(scope);
  // The same days are compared, even if the other event's time zone currently has another date.
  const comparedResult =
    query.comparedEventId && query.comparedEventId !== scope.id
      ? await context.attempt(
          requestReport({ kind: "event", id: query.comparedEventId }, report.period.days?.from),
        )
      : null;
  const comparedReport = comparedResult?.ok ? comparedResult.value : null;
  const hasPositions = report.places && report.places.nodes.length + report.places.cells.length > 0;
  const background = hasPositions ? await readBackground?.(report) : undefined;
  const names = createNameFormatters(lang, t);
  const { kind, days, isRunning, now, previous, next } = report.period;
  const { grain, before } = report.series;
  const points = comparedReport ? mergePoints(report.series, comparedReport.series) : report.series.points;
  const alignedVisits = comparedReport
    ? alignVisits(points, comparedReport)
    : points.map((_, index) => before[index]?.numbers.visits ?? null);
  const series = points.map(({ period, numbers: { visits, visitors } }) => ({
    ...names.point(period, kind),
    visits,
    visitors,
    isFuture: period > now.slice(0, period.length),
  }));
  const scopePath = report.scope.kind === "account" ? "/account" : `/${scope.kind}/${scope.id}`;
  const tabs = [...TABS, scope.kind === "event" ? "compare" : "events"] satisfies ReportTab[];
  const tab = tabs.find((candidate) => candidate === query.part) ?? "overview";
  const hrefOf = (change: Partial<ReportUrlQuery>) => `?${reportQuery({ ...query, ...change })}`;
  const yesterday = addDays(now.slice(0, 10), -1);
  return {
    scope: { ...report.scope, name: textIn(report.scope.name, lang) },
    timeZone: report.timeZone,
    /** Path of the page of the event, space or account. */
    scopePath,
    query: { ...query, part: tab },
    tabs: tabs.map((part) => ({ part, href: hrefOf({ part }) })),
    period: {
      kind,
      /** Whether the period is not over. */
      isRunning,
      name: days && names.days(days),
      previousHref: previous && hrefOf({ at: previous }),
      nextHref: next && hrefOf({ at: next }),
      yesterdayHref: hrefOf({ period: "daily", at: yesterday }),
      isYesterday: kind === "daily" && days?.from === yesterday,
    },
    exportQuery: reportQuery({ period: query.period, at: query.at }),
    isEmpty: report.numbers.visits.value === 0 && !report.numbers.visits.before,
    numbers: numbersOf(report),
    marks: marksOf(report, points, names.point, lang),
    series: {
      grain,
      points: series.map((point, index) => ({ ...point, comparedVisits: alignedVisits[index] ?? null })),
      chart: drawChart(series, alignedVisits),
    },
    tags: names.items(report.tags),
    media: names.items(report.media),
    products: names.items(report.products),
    carts: names.items(report.carts),
    funnel: report.funnel,
    languages: names.traits("languages", report.languages).slice(0, LIST_MAX),
    devices: names.traits("devices", report.devices),
    countries: names.traits("countries", report.countries).slice(0, LIST_MAX),
    referrers: names.traits("referrers", report.referrers).slice(0, LIST_MAX),
    heat:
      report.places &&
      drawHeat(report.places, background?.plan ?? null, lang, {
        landmarks: background?.landmarks,
        openedTags: report.tags,
      }),
    /** Time that visitors spent at unknown positions. */
    unlocatedSeconds: report.places?.elsewhere ?? 0,
    sourceKind: report.sourceKind,
    events: report.events.map((event) => ({ ...event, name: textIn(event.name, lang) })),
    live: report.live,
    missing: report.missing,
    lost: report.lost,
    /** The other event does not exist, or the reader may not see it. */
    isComparedUnavailable: comparedResult !== null && !comparedResult.ok,
    comparedEvent: comparedReport && {
      id: comparedReport.scope.id,
      name: textIn(comparedReport.scope.name, lang),
      numbers: numbersOf(comparedReport),
      /** Null if it is the time zone of this report. */
      timeZone: comparedReport.timeZone === report.timeZone ? null : comparedReport.timeZone,
    },
  };
}

export type ReportData = Awaited<ReturnType<typeof readReport>>;

/** The events' changes that the chart marks, with the index of their point and, in a report of several events, the name of their event. */
function marksOf(
  { marks, events, period }: Report,
  points: readonly ReportPoint[],
  nameOfPoint: ReturnType<typeof createNameFormatters>["point"],
  lang: Lang,
) {
  const indexes = new Map(points.map((point, index) => [point.period, index]));
  return marks.flatMap((mark) => {
    const index = indexes.get(mark.period);
    if (index === undefined) return [];
    const event = events.find(({ id }) => id === mark.eventId);
    return [
      {
        index,
        label: nameOfPoint(mark.period, period.kind).label,
        kind: mark.kind,
        count: mark.count,
        event: event ? textIn(event.name, lang) : null,
      },
    ];
  });
}

export interface ReportNumberData {
  readonly value: number;
  /** Value in the previous period; null if it is not compared. */
  readonly before: number | null;
  /** Change relative to `before`; null if `before` is null or 0. */
  readonly change: number | null;
}

/** The numbers of a report: the counted ones, and the mean duration of a visit. */
function numbersOf({ numbers }: Report) {
  const { visits, visitors, seconds, tags, media, products, carts, checkouts } = numbers;
  const meanOf = (time: number, count: number) => (count > 0 ? Math.round(time / count) : 0);
  const value = meanOf(seconds.value, visits.value);
  const before = visits.before === null ? null : meanOf(seconds.before ?? 0, visits.before);
  const time: ReportNumberData = { value, before, change: before ? (value - before) / before : null };
  return { visits, visitors, time, tags, media, products, carts, checkouts } satisfies Record<
    string,
    ReportNumberData
  >;
}
