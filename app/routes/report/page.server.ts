/** What the page of a report shows, ready to be drawn. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Report, ReportPoint, ReportScope } from "#functions/services/reports";
import type { Actor } from "~/domain/model";
import { NO_VISITS } from "~/domain/visit-tally";
import { languages } from "~/i18n/languages.server";
import { type Asked, reportQuery } from "./address";
import { drawChart } from "./chart.server";
import { drawHeat, type HeatPlan, type Landmark } from "./heat.server";
import { namesOf } from "./names.server";

interface Wanted {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly scope: ReportScope;
  readonly asked: Asked;
  /** Where the event has one. */
  readonly plan?: HeatPlan | null;
  /** The event's tags. */
  readonly landmarks?: readonly Landmark[];
}

/** Entries of a list before the rest of it is unfolded. */
const LIST_MAX = 20;

/** @throws NotFoundError for what the actor may not see */
export async function readReport({ context, actor, scope, asked, plan = null, landmarks = [] }: Wanted) {
  const { lang } = context;
  const { t } = languages[lang];
  const read = (of: ReportScope) =>
    context.services.reports.report({ actor, scope: of, period: asked.period, at: asked.at });
  const [found, other] = await Promise.all([
    read(scope),
    asked.beside && asked.beside !== scope.id ? read({ kind: "event", id: asked.beside }) : null,
  ]);
  const names = namesOf(lang, t);
  const { kind, days, isRunning, previous, next } = found.period;
  const { grain, points, before } = found.series;
  const against = other ? alignedTo(points, other.series.points) : before;
  const series = points.map(({ period, numbers: { visits, visitors } }) => ({
    ...names.point(period),
    ...{ visits, visitors },
  }));
  const here = found.scope.kind === "account" ? "/account" : `/${scope.kind}/${scope.id}`;
  const hrefOf = (change: Partial<Asked>) => `?${reportQuery({ ...asked, ...change })}`;
  return {
    scope: found.scope,
    timeZone: found.timeZone,
    here,
    asked,
    period: {
      ...{ kind, isRunning },
      name: days && names.days(days),
      previousHref: previous && hrefOf({ at: previous }),
      nextHref: next && hrefOf({ at: next }),
    },
    exportQuery: reportQuery({ period: asked.period, at: asked.at }),
    isEmpty: found.numbers.visits.value === 0 && !found.numbers.visits.before,
    numbers: numbersOf(found),
    series: {
      grain,
      points: series.map((point, index) => ({ ...point, against: against[index]?.numbers.visits ?? null })),
      chart: drawChart(
        series,
        against.map(({ numbers }) => numbers.visits),
      ),
    },
    tags: names.things(found.tags),
    media: names.things(found.media),
    products: names.things(found.products),
    carts: names.things(found.carts),
    funnel: found.funnel,
    languages: names.traits("languages", found.languages).slice(0, LIST_MAX),
    devices: names.traits("devices", found.devices),
    countries: names.traits("countries", found.countries).slice(0, LIST_MAX),
    referrers: names.traits("referrers", found.referrers).slice(0, LIST_MAX),
    heat: found.places && drawHeat(found.places, plan, lang, landmarks),
    elsewhere: found.places?.elsewhere ?? 0,
    events: found.events,
    live: found.live,
    other: other && { id: other.scope.id, name: other.scope.name, numbers: numbersOf(other) },
  };
}

export type ReportData = Awaited<ReturnType<typeof readReport>>;

/** The points of another series that are of the same hours, days or months. */
function alignedTo(points: readonly ReportPoint[], others: readonly ReportPoint[]): readonly ReportPoint[] {
  const known = new Map(others.map((point) => [point.period, point]));
  return points.map(({ period }) => known.get(period) ?? { period, numbers: NO_VISITS });
}

export interface ShownNumber {
  readonly value: number;
  readonly before: number | null;
  /** As a share of `before`; null where there was nothing. */
  readonly change: number | null;
}

/** The numbers in front: those that are counted, and the mean time of a visit. */
function numbersOf({ numbers }: Report) {
  const { visits, visitors, seconds, tags, media, products, carts, checkouts } = numbers;
  const mean = (time: number, of: number) => (of > 0 ? Math.round(time / of) : 0);
  const value = mean(seconds.value, visits.value);
  const before = visits.before === null ? null : mean(seconds.before ?? 0, visits.before);
  const time: ShownNumber = { value, before, change: before ? (value - before) / before : null };
  return { visits, visitors, time, tags, media, products, carts, checkouts } satisfies Record<
    string,
    ShownNumber
  >;
}
