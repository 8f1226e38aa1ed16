/** Visits of the demo's published events: some weeks of them, the same every time but for their dates, so that reports have something to show. */
import { createHash } from "node:crypto";
import {
  placeOf,
  type VisitorTraits,
  type VisitSign,
  type VisitStay,
  type VisitThing,
} from "~/domain/analytics/visit";
import { type HourTotal, tally } from "~/domain/analytics/visit-tally";
import { DAY_MS } from "~/domain/shared/day";
import type { Lang, Uuid } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { numberOf } from "~/domain/store/store-ids";
import { type DemoData, demoIds } from "./demo";
import { makeCatalog } from "./store/catalog";

/** Weeks for which visitors have come. */
const WEEKS = 6;
const HOUR = 3_600_000;
const ZONE = "Asia/Tokyo";

/** Visits of a day of a quiet week, by event. */
const DAILY: Readonly<Record<Uuid, number>> = {
  [demoIds.mainEvent]: 64,
  [demoIds.panoramaEvent]: 21,
  [demoIds.splatEvent]: 12,
  [demoIds.showcaseEvent]: 7,
};
/** How many come in an hour of the day, from midnight on, beside each other. */
const HOURS = [2, 1, 1, 0, 0, 1, 2, 4, 6, 7, 9, 10, 14, 11, 9, 9, 10, 11, 13, 16, 20, 22, 15, 7];
/** How many more come in an event's first days. */
const OPENING = 1.9;
const OPENING_DAYS = 4;
/** The same for days, from Sunday on, and for the weeks that have passed: in one of them a magazine wrote of it. */
const WEEKDAYS = [1.7, 0.7, 0.8, 0.8, 0.9, 1.1, 1.6];
const BY_WEEK = [0.9, 1, 0.8, 1.7, 1.2, 1.3];
const HOSTS = [
  ["", 46],
  ["google.com", 18],
  ["instagram.com", 14],
  ["x.com", 8],
  ["note.com", 6],
  ["line.me", 5],
  ["museum-guide.example", 3],
] as const;
const PEOPLE = [
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

/** Numbers from 0 to 1 that follow from a name, as a die would throw them. */
function dice(name: string): () => number {
  let state = createHash("sha256").update(`hiroba demo visits ${name}`).digest().readUInt32LE();
  // Mulberry32 (Tommy Ettinger, public domain).
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function choose<T>(throwDice: () => number, weighted: readonly (readonly [T, number])[]): T {
  let at = throwDice() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of weighted) {
    at -= weight;
    if (at < 0) return value;
  }
  return (weighted.at(-1) as readonly [T, number])[0];
}

type DemoEvents = Pick<DemoData, "events" | "spaces" | "tags">;

/**
 * What was counted of the demo's events until now.
 * @param now milliseconds since 1970
 */
export function demoVisits(data: DemoEvents, now: number): readonly HourTotal[] {
  const signs = data.events.flatMap(({ id, startDate, endDate }) => {
    const daily = DAILY[id];
    if (!daily || startDate === null) return [];
    const [from, until] = [
      Date.parse(startDate),
      Math.min(now, endDate === null ? now : Date.parse(endDate)),
    ];
    return Array.from({ length: WEEKS * 7 }, (_, day) => {
      const ago = WEEKS * 7 - 1 - day;
      const date = toLocalInput(new Date(now - ago * DAY_MS).toISOString(), ZONE).slice(0, 10);
      const isOpening = now - ago * DAY_MS < from + OPENING_DAYS * DAY_MS;
      return signsOf(data, id, { date, index: day, visits: isOpening ? daily * OPENING : daily });
    })
      .flat()
      .filter(({ at }) => from <= at && at <= until);
  });
  return tally(signs, { parts: new Set(), visitors: new Map(), erased: new Map() }).totals;
}

/** What the demo's store called the products that these visitors looked at, as the product would have noted it (visit_products). */
export function demoProductNames({
  tags,
}: Pick<DemoData, "tags">): readonly { eventId: Uuid; number: string; lang: Lang; title: string }[] {
  const titles = new Map(makeCatalog().products.map(({ id, title }) => [id, title]));
  const looked = new Map(
    tags.flatMap(({ eventId, product }) =>
      product && DAILY[eventId] ? [[`${eventId} ${product.id}`, { eventId, id: product.id }] as const] : [],
    ),
  );
  return [...looked.values()].flatMap(({ eventId, id }) =>
    (["ja", "en"] as const).flatMap((lang) => {
      const title = titles.get(id)?.[lang];
      return title ? [{ eventId, number: numberOf(id), lang, title }] : [];
    }),
  );
}

interface DayPlan {
  /** In Tokyo. */
  readonly date: string;
  /** Days since the first week began. */
  readonly index: number;
  /** Visits of such a day, before week and weekday have their say. */
  readonly visits: number;
}

/** What the visitors of one day told. */
function signsOf(data: DemoEvents, eventId: Uuid, { date, index, visits: usual }: DayPlan): VisitSign[] {
  const throwDice = dice(`${eventId} ${index}`);
  const weekday = new Date(`${date}T00:00Z`).getUTCDay();
  const share = (WEEKDAYS[weekday] ?? 1) * (BY_WEEK[Math.floor(index / 7)] ?? 1);
  const visits = Math.round(usual * share * (0.85 + 0.3 * throwDice()));
  return Array.from({ length: visits }, (_, visit) => {
    const hour = choose(
      throwDice,
      HOURS.map((weight, each) => [each, weight] as const),
    );
    const label = `${date}T${String(hour).padStart(2, "0")}`;
    const at = Date.parse(`${label}:00:00.000+09:00`) + Math.floor(throwDice() * (HOUR - 1));
    const [lang = "", country = ""] = choose(throwDice, PEOPLE).split(" ");
    const traits: VisitorTraits = {
      lang,
      country,
      device: choose(throwDice, DEVICES),
      from: choose(throwDice, HOSTS),
    };
    // One in eight has been there before on that day.
    const visitor = `${index} ${throwDice() < 0.125 ? Math.floor(throwDice() * (visit + 1)) : visit}`;
    const { things, stays } = stroll(data, eventId, throwDice);
    const lasted = stays.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
    const sign = { eventId, visit: String(visit), hour: label, visitor, traits };
    // No visit lasts longer than from its first sign.
    const first = Math.max(Date.parse(`${label}:00:00.000+09:00`), at - lasted);
    return [
      { ...sign, part: 2 * index, at: first, things: [], stays: [] },
      { ...sign, part: 2 * index + 1, at, things, stays },
    ];
  }).flat();
}

/** Where somebody went, what he opened, and what he bought. */
function stroll(
  { events, spaces, tags }: DemoEvents,
  eventId: Uuid,
  throwDice: () => number,
): Pick<VisitSign, "things" | "stays"> {
  const event = events.find(({ id }) => id === eventId);
  const source = spaces.find(({ id }) => id === event?.spaceId)?.source;
  const things: VisitThing[] = [];
  const stays: VisitStay[] = [];
  const stay = (place: string, longest: number) =>
    stays.push({ place, seconds: 2 + Math.floor(longest * throwDice() ** 2) });
  const start = source && "start" in source ? source.start : null;
  stay(source && start ? placeOf(source.kind, start) : "", 25);
  // The first tags of the list are opened more than the last ones.
  const own = tags.filter((tag) => tag.eventId === eventId);
  const wanted = throwDice() < 0.22 ? 0 : 1 + Math.floor(7 * throwDice() ** 1.6);
  for (let count = 0; count < wanted && own.length > 0; count++) {
    const tag = own[Math.floor(own.length * throwDice() ** 1.7)];
    if (!tag) continue;
    const { viewpoint, product } = tag;
    stay(source && viewpoint ? placeOf(source.kind, viewpoint) : "", 40);
    things.push({ act: "tag", id: tag.id });
    for (const id of tag.mediaIds) if (throwDice() < 0.35) things.push({ act: "media", id });
    if (!product || throwDice() > 0.45) continue;
    const id = numberOf(product.id);
    things.push({ act: "product", id });
    if (throwDice() > 0.24) continue;
    things.push({ act: "cart", id });
    if (throwDice() < 0.5) things.push({ act: "checkout", id: "" });
  }
  return { things, stays };
}
