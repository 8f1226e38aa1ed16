/** Reports of visits (specification §9, decision 030). */
import {
  addDays,
  type BoundPeriod,
  comparisonRanges,
  type DayRange,
  type GrainRange,
  getStoredRange,
  type LocalDate,
  listPeriodPoints,
  POINT_GRAINS,
  periodAround,
  periodBefore,
  type ReportPeriod,
} from "~/domain/analytics/report-period";
import { CELL, cellCentre, type Grain, liveMinutes, readPlaceNode } from "~/domain/analytics/visit";
import {
  NO_VISITS,
  OTHERS,
  type PartKind,
  readPartName,
  VISIT_NUMBERS,
  type VisitNumber,
  type VisitNumbers,
} from "~/domain/analytics/visit-tally";
import type { Actor } from "~/domain/auth/actor";
import type { Lang, Localized, SourceKind, SpaceSource, Uuid, Vec3 } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { nameKey } from "~/domain/shared/text";
import { localHour } from "~/domain/shared/time-zone";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import type { Clock } from "../shared/ports";
import { type FlushDeps, flushRooms, type LostVisits, type MissingVisits } from "./flush-rooms";
import { changesQuery, groupMarks, type ReportMark } from "./report-marks";
import type {
  ChangesQuery,
  ExplainingChange,
  ManyEvents,
  ReportRows,
  ReportScope,
  ScopeEvent,
  ScopePart,
  ScopeRecord,
  ScopeTotal,
} from "./report-ports";

export type { ReportScope, ScopeEvent } from "./report-ports";

/** Maximum number of items in a ranking, and of listed events. Rankings of tags and media in an event's report have EVENT_RANKING_MAX. */
const RANKING_MAX = 20;
/** Maximum number of named tags and media in the report of one event. Most events have fewer. */
const EVENT_RANKING_MAX = 100;
/** Maximum number of results of a search for an event to compare with. */
const COMPARABLE_MAX = 50;
/** Maximum number of months in a chart of all time. A longer period is shown by years. */
const MONTHS_MAX = 36;

/** Dependencies of reports. */
export interface ReportDeps extends FlushDeps {
  readonly clock: Clock;
}

/** The requested report. */
export interface ReportInput {
  readonly actor: Actor;
  readonly scope: ReportScope;
  readonly period: ReportPeriod;
  /** A day of the period, in the owner's time zone; today when left out. */
  readonly at?: LocalDate | undefined;
}

/** A number and its value in the previous period. */
export interface ReportNumber {
  readonly value: number;
  /** Value in the previous period, of a running period only up to the point that it has reached (comparisonRanges); null for all time. */
  readonly before: number | null;
  /** Relative change from `before`: 0.5 means 50 % more. Null if `before` is 0 or null. */
  readonly change: number | null;
}

/** A point of a chart. */
export interface ReportPoint {
  /** 2026-04-01T09, 2026-04-01, 2026-04 or 2026, in the report's time zone. */
  readonly period: string;
  readonly numbers: VisitNumbers;
}

/** A name in both languages; null in a language without a name, or in which the store was not queried. */
export type KnownName = Readonly<Record<Lang, string | null>>;

/** An item, with the number of visits in which it was opened (for `carts`: put into a cart). */
export interface RankedItem {
  /** Id of a tag or media item, or a product's id in its store; OTHERS for all items that were not counted by name. */
  readonly id: string;
  /** Null for permanently deleted items, for products without a stored name, and for OTHERS; a text for a product with one name for both languages. */
  readonly name: KnownName | string | null;
  /** One of the events in which it was counted. */
  readonly eventId: Uuid;
  readonly count: number;
}

/** A trait of visitors: a code (VisitorTraits), empty for unknown, OTHERS for all that were not counted by name. */
export interface RankedTrait {
  readonly code: string;
  /** Number of visits. */
  readonly count: number;
}

/** Positions of visitors, for a map of the space from above. Positions are coordinates of the space, in metres. */
export interface ReportPlaces {
  /** Nodes of a panorama, from the current space. */
  readonly nodes: readonly {
    readonly id: string;
    readonly title: Localized;
    readonly position: Vec3;
    readonly seconds: number;
  }[];
  /** Centres of cells of any other space. */
  readonly cells: readonly { readonly position: Vec3; readonly seconds: number }[];
  /** Width and depth of a cell, in metres. */
  readonly cellSize: number;
  /** Seconds at no known place of the space, for example of views without 3D or at deleted nodes. */
  readonly elsewhere: number;
}

/** A step towards a purchase, with the sum of the daily visitors who reached it. */
export interface FunnelStep {
  readonly step: "visitor" | "tag" | "product" | "cart" | "checkout";
  readonly visitors: number;
}

/** A report. "Visitors" are daily visitors: a person who comes on two days counts twice, because no visitor is recognised for longer than a day. */
export interface Report {
  readonly scope: ReportScope & { readonly name: string | Localized };
  /** IANA time zone of the report's days and hours. */
  readonly timeZone: string;
  readonly period: {
    readonly kind: ReportPeriod;
    /** Null for all time. */
    readonly days: DayRange | null;
    /** A day of the previous and of the next period; null if that period has not begun, and for all time. */
    readonly previous: LocalDate | null;
    readonly next: LocalDate | null;
    /** Whether the period contains today; true for all time. */
    readonly isRunning: boolean;
    /** Current hour in the report's time zone: 2026-04-01T09. Points after it have no data yet. */
    readonly now: string;
  };
  readonly numbers: Readonly<Record<VisitNumber, ReportNumber>>;
  /** A chart with every point of the period, including those without visits; a chart of all time begins with the first visit. */
  readonly series: {
    readonly grain: Grain;
    readonly points: readonly ReportPoint[];
    /** Points of the whole previous period; empty for all time. */
    readonly before: readonly ReportPoint[];
  };
  readonly tags: readonly RankedItem[];
  readonly media: readonly RankedItem[];
  readonly products: readonly RankedItem[];
  /** Products that were put into carts. */
  readonly carts: readonly RankedItem[];
  readonly funnel: readonly FunnelStep[];
  readonly languages: readonly RankedTrait[];
  readonly devices: readonly RankedTrait[];
  readonly countries: readonly RankedTrait[];
  readonly referrers: readonly RankedTrait[];
  /** Null for an account, whose spaces have no common map. */
  readonly places: ReportPlaces | null;
  /** Kind of the space's source, which decides whether visitors' positions are known. */
  readonly sourceKind: SourceKind | null;
  /** Events of a space or account, the most visited first; empty for an event. */
  readonly events: readonly ScopeEvent[];
  /** Changes of the report's event, or of `events`, that can explain their visits; additions of tags and media only in the report of one event. */
  readonly marks: readonly ReportMark[];
  /** Visitors of the last minutes (LIVE_MINUTES). */
  readonly live: number;
  /** Visits that are not in the report yet, because the Durable Objects of their events do not respond; null when none are missing. */
  readonly missing: MissingVisits | null;
  /** Single visits of an event that its export does not have; null when none are missing. */
  readonly lost: LostVisits | null;
}

/**
 * Returns the report of an event, a space or an account. It takes three D1 round trips for an event and five for several events, independent of the
 * number of visits, and another one if a room did not write its visits.
 * @throws NotFoundError if the actor may not read it: events and spaces by their own rules, an account for its owner and administrators only
 */
export async function report(deps: ReportDeps, input: ReportInput): Promise<Report> {
  const { scope, period } = input;
  const openedScope = await openScope(deps, input);
  const now = deps.clock.now();
  const hour = localHour(now, openedScope.timeZone);
  const today = hour.slice(0, 10);
  const days = period === "all" ? null : periodAround(period, input.at ?? today);
  const { missing, lost } = await flushRooms(deps, scope, today);
  const rows = await deps.reports.read({
    scope,
    ...(period === "all" || !days ? allTime : storedRanges(period, days, hour)),
    events: scope.kind === "event" ? 0 : RANKING_MAX,
    live: liveMinutes(now),
  });
  const numbers = numbersOf(period, days, hour, rows);
  const { changes, ...rankings } = await readRankings(deps, {
    parts: rows.parts,
    limit: scope.kind === "event" ? EVENT_RANKING_MAX : RANKING_MAX,
    changes: changesQuery(scope, rows.events, { days, timeZone: openedScope.timeZone }),
  });
  const isRunning = days === null || (days.from <= today && today <= days.to);
  const next = days && days.to < today ? addDays(days.to, 1) : null;
  return {
    scope: { ...scope, name: openedScope.name },
    timeZone: openedScope.timeZone,
    period: {
      kind: period,
      days,
      isRunning,
      now: hour,
      next,
      previous: period === "all" || !days ? null : periodBefore(period, days).from,
    },
    ...numbers,
    ...rankings,
    marks: groupMarks(changes, numbers.series.grain, openedScope.timeZone),
    ...traitsOf(rows.parts),
    places: openedScope.source && reportPlaces(openedScope.source, rows.parts),
    sourceKind: openedScope.source?.kind ?? null,
    events: rows.events,
    live: rows.live,
    missing,
    lost,
  };
}

/** Returns the number of current visitors: those who sent a signal in the last minutes (LIVE_MINUTES). @throws NotFoundError as report */
export async function liveVisitors(
  deps: ReportDeps,
  input: Pick<ReportInput, "actor" | "scope">,
): Promise<number> {
  const { timeZone } = await openScope(deps, input);
  await flushRooms(deps, input.scope, localHour(deps.clock.now(), timeZone).slice(0, 10));
  return deps.reports.live(input.scope, liveMinutes(deps.clock.now()));
}

/** An event with which another one can be compared. */
export type ComparableEvent = Pick<ScopeEvent, "id" | "name" | "spaceName">;

/**
 * Finds events to compare an event with, by a part of their name or of their space's name. Searches the spaces that the actor owns or shares and, for
 * administrators, also those of the event's owner. Events of the same space come first, then the newest.
 * @throws NotFoundError as `report` does
 */
export async function findComparable(
  deps: ReportDeps,
  { actor, eventId, query }: { readonly actor: Actor; readonly eventId: Uuid; readonly query: string },
): Promise<readonly ComparableEvent[]> {
  const openedScope = await openScope(deps, { actor, scope: { kind: "event", id: eventId } });
  const { ownerId } = openedScope;
  const ownerIds = [actor.userId];
  if (can(actor, "read", { type: "space", ownerId, groupId: null })) ownerIds.push(ownerId);
  return deps.reports.find({
    ownerIds,
    groupIds: actor.groupIds,
    exceptEventId: eventId,
    query: nameKey(query),
    limit: COMPARABLE_MAX,
  });
}

/** Returns the most visited events of all time. This costs less than reading their report. @throws NotFoundError as report */
export async function mostVisited(
  deps: ReportDeps,
  input: Pick<ReportInput, "actor"> & { readonly scope: ManyEvents },
): Promise<readonly ComparableEvent[]> {
  await openScope(deps, input);
  return deps.reports.visited(input.scope, allTime.parts, RANKING_MAX);
}

async function openScope(
  { reports }: ReportDeps,
  { actor, scope }: Pick<ReportInput, "actor" | "scope">,
): Promise<ScopeRecord> {
  const record = await reports.scope(scope);
  if (!record) throw new NotFoundError(scope.kind);
  const { ownerId, groupId } = record;
  // An account's report shows its events' data and nothing of its profile.
  const type = scope.kind === "space" ? "space" : "event";
  if (!can(actor, "read", { type, ownerId, groupId })) throw new NotFoundError(scope.kind);
  return record;
}

/** The ranges of all time. Periods are compared as text: "0" is before and "9" after all of them. */
const allTime = {
  totals: [{ grain: "month", from: "0", to: "9" }],
  parts: { grain: "year", from: "0", to: "9" },
} as const satisfies { totals: readonly GrainRange[]; parts: GrainRange };

/**
 * Returns the ranges of stored numbers that a report needs: the points of its period, those of the previous period, and those of the comparison that
 * have another grain than the points.
 */
function storedRanges(period: BoundPeriod, days: DayRange, hour: string) {
  const grain = POINT_GRAINS[period];
  const toRange = (points: readonly string[]): GrainRange => ({
    grain,
    from: points[0] ?? "",
    to: points.at(-1) ?? "",
  });
  const otherGrainRanges = comparisonRanges(period, days, hour).filter((range) => range.grain !== grain);
  const previousPoints = listPeriodPoints(period, periodBefore(period, days));
  return {
    totals: [toRange(listPeriodPoints(period, days)), toRange(previousPoints), ...otherGrainRanges],
    parts: getStoredRange(period, days),
  };
}

const sumNumbers = (totals: readonly Pick<ScopeTotal, "numbers">[]): VisitNumbers =>
  Object.fromEntries(
    VISIT_NUMBERS.map((name) => [name, totals.reduce((all, { numbers }) => all + numbers[name], 0)]),
  ) as VisitNumbers;

function numbersOf(
  period: ReportPeriod,
  days: DayRange | null,
  hour: string,
  { totals }: ReportRows,
): Pick<Report, "numbers" | "series" | "funnel"> {
  const comparedRanges = period === "all" || !days ? null : comparisonRanges(period, days, hour);
  const previousNumbers =
    comparedRanges &&
    sumNumbers(
      totals.filter(({ grain, period: at }) =>
        comparedRanges.some((range) => range.grain === grain && range.from <= at && at <= range.to),
      ),
    );
  const series = period === "all" || !days ? allTimeSeries(totals) : seriesOf(period, days, totals);
  const value = sumNumbers(series.points);
  const funnel: readonly (readonly [FunnelStep["step"], VisitNumber])[] = [
    ["visitor", "visitors"],
    ["tag", "tagVisitors"],
    ["product", "productVisitors"],
    ["cart", "cartVisitors"],
    ["checkout", "checkoutVisitors"],
  ];
  return {
    numbers: Object.fromEntries(
      VISIT_NUMBERS.map((name): [VisitNumber, ReportNumber] => {
        const previous = previousNumbers?.[name] ?? null;
        return [
          name,
          {
            value: value[name],
            before: previous,
            change: previous ? (value[name] - previous) / previous : null,
          },
        ];
      }),
    ) as Report["numbers"],
    series,
    funnel: funnel.map(([step, name]) => ({ step, visitors: value[name] })),
  };
}

function seriesOf(period: BoundPeriod, days: DayRange, totals: readonly ScopeTotal[]): Report["series"] {
  const grain = POINT_GRAINS[period];
  const totalsByPeriod = new Map(
    totals.filter((total) => total.grain === grain).map((total) => [total.period, total]),
  );
  const points = (range: DayRange) =>
    listPeriodPoints(period, range).map((at) => ({
      period: at,
      numbers: totalsByPeriod.get(at)?.numbers ?? NO_VISITS,
    }));
  return { grain, points: points(days), before: points(periodBefore(period, days)) };
}

function allTimeSeries(totals: readonly ScopeTotal[]): Report["series"] {
  const months = new Map(totals.map((total) => [total.period, total.numbers]));
  const labels = [...months.keys()].sort();
  const [firstMonth, lastMonth] = [labels[0], labels.at(-1)];
  if (!firstMonth || !lastMonth) return { grain: "month", points: [], before: [] };
  const monthIndex = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
  const monthCount = monthIndex(lastMonth) - monthIndex(firstMonth) + 1;
  if (monthCount <= MONTHS_MAX) {
    const points = Array.from({ length: monthCount }, (_, offset) => {
      const index = monthIndex(firstMonth) + offset;
      const period = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
      return { period, numbers: months.get(period) ?? NO_VISITS };
    });
    return { grain: "month", points, before: [] };
  }
  const points: ReportPoint[] = [];
  for (let year = Number(firstMonth.slice(0, 4)); year <= Number(lastMonth.slice(0, 4)); year++) {
    const yearTotals = totals.filter(({ period }) => period.startsWith(`${year}-`));
    points.push({ period: String(year), numbers: sumNumbers(yearTotals) });
  }
  return { grain: "year", points, before: [] };
}

const itemsOf = (parts: readonly ScopePart[], kind: PartKind) =>
  parts.flatMap(({ name, count, eventId }) => {
    const part = readPartName(name);
    return part?.kind === kind ? [{ id: part.id, count, eventId }] : [];
  });

/** Returns the rankings of items with their names, and the changes of the events. @param options `limit`: maximum number of tags, and of media */
async function readRankings(
  { reports }: ReportDeps,
  {
    parts,
    limit,
    changes,
  }: Pick<ReportRows, "parts"> & { readonly limit: number; readonly changes: ChangesQuery },
): Promise<
  Pick<Report, "tags" | "media" | "products" | "carts"> & { readonly changes: readonly ExplainingChange[] }
> {
  const topItems = (kind: PartKind, max = RANKING_MAX) => itemsOf(parts, kind).slice(0, max);
  const [tags, media, products, carts] = [
    topItems("tag", limit),
    topItems("media", limit),
    topItems("product"),
    topItems("cart"),
  ];
  const ids = (items: readonly { readonly id: string }[]) =>
    items.map(({ id }) => id).filter((id) => id !== OTHERS);
  const eventOfProduct = new Map([...products, ...carts].map(({ id, eventId }) => [id, eventId]));
  eventOfProduct.delete(OTHERS);
  const details = await reports.details({
    tags: ids(tags),
    media: ids(media),
    products: [...eventOfProduct].map(([number, eventId]) => ({ number, eventId })),
    changes,
  });
  const withNames = (
    items: readonly Omit<RankedItem, "name">[],
    names: Readonly<Record<string, Localized | string>>,
  ): RankedItem[] => items.map((item) => ({ ...item, name: knownName(names[item.id] ?? null) }));
  return {
    tags: withNames(tags, details.tags),
    media: withNames(media, details.media),
    products: withNames(products, details.products),
    carts: withNames(carts, details.products),
    changes: details.changes,
  };
}

const knownName = (name: Localized | string | null): RankedItem["name"] =>
  name === null || typeof name === "string" ? name : { ja: name.ja || null, en: name.en || null };

function traitsOf(
  parts: readonly ScopePart[],
): Pick<Report, "languages" | "devices" | "countries" | "referrers"> {
  const traitsOfKind = (kind: PartKind) => itemsOf(parts, kind).map(({ id, count }) => ({ code: id, count }));
  return {
    languages: traitsOfKind("lang"),
    devices: traitsOfKind("device"),
    countries: traitsOfKind("country"),
    referrers: traitsOfKind("from"),
  };
}

function reportPlaces(source: SpaceSource, parts: readonly ScopePart[]): ReportPlaces {
  // The parts of the kind "at" count the seconds at each place.
  const seconds = new Map(itemsOf(parts, "at").map(({ id, count }) => [id, count]));
  const takeSeconds = (place: string) => {
    const count = seconds.get(place) ?? 0;
    seconds.delete(place);
    return count;
  };
  const nodes =
    source.kind === "panorama"
      ? source.nodes.flatMap(({ id, title, position }) => {
          const seconds = takeSeconds(`n${id}`);
          return seconds > 0 ? [{ id, title, position, seconds }] : [];
        })
      : [];
  const cells =
    source.kind === "panorama"
      ? []
      : [...seconds].flatMap(([place]) => {
          const position = readPlaceNode(place) === null ? cellCentre(place) : null;
          return position ? [{ position, seconds: takeSeconds(place) }] : [];
        });
  const elsewhere = [...seconds.values()].reduce((all, count) => all + count, 0);
  return { nodes, cells, cellSize: CELL.across, elsewhere };
}

/** `context.services.reports`. */
export const reportServices = (deps: ReportDeps) =>
  bindUseCases(deps, { report, findComparable, mostVisited, liveVisitors });
