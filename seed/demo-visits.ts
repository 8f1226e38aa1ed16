/**
 * Generates some weeks of visits to published events of the demo, so that reports have content. They depend only on the time of
 * seeding.
 */
import { createHash } from "node:crypto";
import {
  toVisitPlace,
  type VisitDuration,
  type VisitedItem,
  type VisitorTraits,
  type VisitRecord,
} from "~/domain/analytics/visit";
import { type HourTotal, tally } from "~/domain/analytics/visit-tally";
import { DAY_MS } from "~/domain/shared/day";
import type { Lang, Uuid } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { toIdNumber } from "~/domain/store/store-ids";
import { type DemoData, demoIds } from "./demo";
import { createCatalog } from "./store/catalog";

/** Maximum number of past weeks with visits. */
const WEEKS = 6;
const HOUR_MS = 3_600_000;
const ZONE = "Asia/Tokyo";

/** Visits per day by event, before all factors below. */
const VISITS_PER_DAY: Readonly<Record<Uuid, number>> = {
  [demoIds.mainEvent]: 64,
  [demoIds.panoramaEvent]: 21,
  [demoIds.splatEvent]: 12,
  [demoIds.showcaseEvent]: 7,
};
/** Relative number of visits per hour of the day, from midnight on. */
const HOUR_WEIGHTS = [2, 1, 1, 0, 0, 1, 2, 4, 6, 7, 9, 10, 14, 11, 9, 9, 10, 11, 13, 16, 20, 22, 15, 7];
/** Factor for the visits of an event's first days. */
const OPENING_FACTOR = 1.9;
const OPENING_DAYS = 4;
/** Factors for weekdays, from Sunday on, and for the past weeks. In one of the weeks a magazine wrote about the gallery. */
const WEEKDAY_FACTORS = [1.7, 0.7, 0.8, 0.8, 0.9, 1.1, 1.6];
const WEEK_FACTORS = [0.9, 1, 0.8, 1.7, 1.2, 1.3];
const REFERRER_HOSTS = [
  ["", 46],
  ["google.com", 18],
  ["instagram.com", 14],
  ["x.com", 8],
  ["note.com", 6],
  ["line.me", 5],
  ["museum-guide.example", 3],
] as const;
const LANGUAGES_AND_COUNTRIES = [
  ["ja JP", 74],
  ["en US", 8],
  ["en GB", 3],
  ["zh TW", 5],
  ["fr FR", 4],
  ["ko KR", 3],
  ["de DE", 2],
  ["en JP", 1],
] as const;
const DEVICES = [
  ["phone", 56],
  ["computer", 37],
  ["tablet", 7],
] as const;

/** A pseudo-random generator of numbers from 0 to below 1, with a name as its seed. */
function createRandom(name: string): () => number {
  let state = createHash("sha256").update(`hiroba demo visits ${name}`).digest().readUInt32LE();
  // Mulberry32 (Tommy Ettinger, public domain).
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function choose<T>(random: () => number, weighted: readonly (readonly [T, number])[]): T {
  let remaining = random() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of weighted) {
    remaining -= weight;
    if (remaining < 0) return value;
  }
  return (weighted.at(-1) as readonly [T, number])[0];
}

type DemoEvents = Pick<DemoData, "events" | "spaces" | "tags">;

/**
 * Hourly totals of the visits up to now to the events of VISITS_PER_DAY.
 * @param now milliseconds since 1970
 */
export function demoVisits(data: DemoEvents, now: number): readonly HourTotal[] {
  const visitRecords = data.events.flatMap(({ id, startDate, endDate }) => {
    const daily = VISITS_PER_DAY[id];
    if (!daily || startDate === null) return [];
    const [from, until] = [
      Date.parse(startDate),
      Math.min(now, endDate === null ? now : Date.parse(endDate)),
    ];
    return Array.from({ length: WEEKS * 7 }, (_, day) => {
      const daysAgo = WEEKS * 7 - 1 - day;
      const date = toLocalInput(new Date(now - daysAgo * DAY_MS).toISOString(), ZONE).slice(0, 10);
      const isOpening = now - daysAgo * DAY_MS < from + OPENING_DAYS * DAY_MS;
      return createVisitRecords(data, id, {
        date,
        index: day,
        visits: isOpening ? daily * OPENING_FACTOR : daily,
      });
    })
      .flat()
      .filter(({ at }) => from <= at && at <= until);
  });
  return tally(visitRecords, { parts: new Set(), visitors: new Map(), erased: new Map() }).totals;
}

/** Names of the products of all tags that the generated visitors may open, as Hiroba stores them (visit_products). */
export function demoProductNames({
  tags,
}: Pick<DemoData, "tags">): readonly { eventId: Uuid; number: string; lang: Lang; title: string }[] {
  const titles = new Map(createCatalog().products.map(({ id, title }) => [id, title]));
  const taggedProducts = new Map(
    tags.flatMap(({ eventId, product }) =>
      product && VISITS_PER_DAY[eventId]
        ? [[`${eventId} ${product.id}`, { eventId, id: product.id }] as const]
        : [],
    ),
  );
  return [...taggedProducts.values()].flatMap(({ eventId, id }) =>
    (["ja", "en"] as const).flatMap((lang) => {
      const title = titles.get(id)?.[lang];
      return title ? [{ eventId, number: toIdNumber(id), lang, title }] : [];
    }),
  );
}

interface DayPlan {
  /** Date in Tokyo. */
  readonly date: string;
  /** Days since the first week began. */
  readonly index: number;
  /** Number of visits before the factors for week and weekday are applied. */
  readonly visits: number;
}

/** Generates the visit records of one day. */
function createVisitRecords(
  data: DemoEvents,
  eventId: Uuid,
  { date, index, visits: baseVisits }: DayPlan,
): VisitRecord[] {
  const random = createRandom(`${eventId} ${index}`);
  const weekday = new Date(`${date}T00:00Z`).getUTCDay();
  const factor = (WEEKDAY_FACTORS[weekday] ?? 1) * (WEEK_FACTORS[Math.floor(index / 7)] ?? 1);
  const visits = Math.round(baseVisits * factor * (0.85 + 0.3 * random()));
  return Array.from({ length: visits }, (_, visit) => {
    const hour = choose(
      random,
      HOUR_WEIGHTS.map((weight, hour) => [hour, weight] as const),
    );
    const label = `${date}T${String(hour).padStart(2, "0")}`;
    const time = Date.parse(`${label}:00:00.000+09:00`) + Math.floor(random() * (HOUR_MS - 1));
    const [lang = "", country = ""] = choose(random, LANGUAGES_AND_COUNTRIES).split(" ");
    const traits: VisitorTraits = {
      lang,
      country,
      device: choose(random, DEVICES),
      from: choose(random, REFERRER_HOSTS),
    };
    // About one visit in eight is another visit of a visitor of that day.
    const visitor = `${index} ${random() < 0.125 ? Math.floor(random() * (visit + 1)) : visit}`;
    const { things: visitedItems, stays: durations } = createVisit(data, eventId, random);
    const durationMs = durations.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
    // Each generated visit has two parts: its start and its content. Visits of different days have the same names, so their parts have different
    // numbers.
    const record = { eventId, visit: String(visit), hour: label, visitor, traits };
    // The tally limits the seconds of a visit by the time since its first part.
    const firstPartAt = Math.max(Date.parse(`${label}:00:00.000+09:00`), time - durationMs);
    return [
      { ...record, part: 2 * index, at: firstPartAt, things: [], stays: [] },
      { ...record, part: 2 * index + 1, at: time, things: visitedItems, stays: durations },
    ];
  }).flat();
}

/** Generates the stays at places, the opened items and the steps towards a purchase of one visit. */
function createVisit(
  { events, spaces, tags }: DemoEvents,
  eventId: Uuid,
  random: () => number,
): Pick<VisitRecord, "things" | "stays"> {
  const event = events.find(({ id }) => id === eventId);
  const source = spaces.find(({ id }) => id === event?.spaceId)?.source;
  const visitedItems: VisitedItem[] = [];
  const durations: VisitDuration[] = [];
  const addDwellTime = (place: string, maxSeconds: number) =>
    durations.push({ place, seconds: 2 + Math.floor(maxSeconds * random() ** 2) });
  const start = source && "start" in source ? source.start : null;
  addDwellTime(source && start ? toVisitPlace(source.kind, start) : "", 25);
  // The first tags of the list are opened more often than the last ones.
  const eventTags = tags.filter((tag) => tag.eventId === eventId);
  const tagCount = random() < 0.22 ? 0 : 1 + Math.floor(7 * random() ** 1.6);
  for (let count = 0; count < tagCount && eventTags.length > 0; count++) {
    const tag = eventTags[Math.floor(eventTags.length * random() ** 1.7)];
    if (!tag) continue;
    const { viewpoint, product } = tag;
    addDwellTime(source && viewpoint ? toVisitPlace(source.kind, viewpoint) : "", 40);
    visitedItems.push({ act: "tag", id: tag.id });
    for (const id of tag.mediaIds) if (random() < 0.35) visitedItems.push({ act: "media", id });
    if (!product || random() > 0.45) continue;
    const id = toIdNumber(product.id);
    visitedItems.push({ act: "product", id });
    if (random() > 0.24) continue;
    visitedItems.push({ act: "cart", id });
    if (random() < 0.5) visitedItems.push({ act: "checkout", id: "" });
  }
  return { things: visitedItems, stays: durations };
}
