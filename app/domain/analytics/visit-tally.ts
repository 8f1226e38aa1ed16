/** The arithmetic of visits: what some signs add to what is known. Pure, so that counting can be tried with any order of anything. */
import type { Uuid } from "../shared/model";
import {
  dayOf,
  FIRST_SECONDS_MAX,
  LIVE_MINUTES,
  partKey,
  SEEN_MAX,
  VISIT_GAP_MS,
  type VisitAct,
  type VisitorOfDay,
  type VisitSign,
  visitorKey,
} from "./visit";

/** What is known of a visitor of a day. */
export interface VisitorState {
  /** Milliseconds since 1970: of the last sign, and of the first of the visit that it belongs to. */
  readonly lastAt: number;
  readonly startedAt: number;
  /** Counted of that visit. */
  readonly seconds: number;
  /** What the visitor has done on that day. */
  readonly did: readonly VisitAct[];
  /** What was counted of the visit. */
  readonly seen: readonly string[];
  /** Counts writes; 0 before the first. */
  readonly version: number;
}

/** The numbers that are kept for every period. */
export const VISIT_NUMBERS = [
  "visits",
  "visitors",
  "seconds",
  "tags",
  "media",
  "products",
  "carts",
  "checkouts",
  "tagVisitors",
  "productVisitors",
  "cartVisitors",
  "checkoutVisitors",
] as const;
/** One of them. */
export type VisitNumber = (typeof VISIT_NUMBERS)[number];
/** All of them. */
export type VisitNumbers = Readonly<Record<VisitNumber, number>>;
/** Numbers by what they are about: see partName. */
export type VisitParts = Readonly<Record<string, number>>;

/** What numbers can be about. `at`: seconds at a place; the others count visits. */
export const PART_KINDS = [
  "tag",
  "media",
  "product",
  "cart",
  "at",
  "lang",
  "device",
  "country",
  "from",
] as const;
/** One of them. */
export type PartKind = (typeof PART_KINDS)[number];

/** All those of a kind that came when a period had too many to count each by its name. */
export const OTHERS = "*";

/**
 * Letters that the parts of a kind may take in the list of a period, each with its number: when there are so many, new ones are counted as others of
 * their kind. Each kind has its own, so that none uses up another one's: anybody can invent places, sites and languages.
 */
export const PART_LETTERS_MAX: Readonly<Record<PartKind, number>> = {
  tag: 60_000,
  media: 60_000,
  product: 20_000,
  cart: 20_000,
  at: 40_000,
  lang: 3000,
  device: 500,
  country: 5000,
  from: 20_000,
};
/** Letters that a part takes beside its name: a number of eight digits, quotes, a colon and a comma. */
export const PART_LETTERS_MORE = 12;

/** The name of a part. An empty id is what nobody knows, or none: the traits of browsers that do not tell, a visit that no site led to. */
export const partName = (kind: PartKind, id: string): string => `${kind}:${id}`;

/** What a part is about; null for what is no part. */
export function readPartName(name: string): { readonly kind: PartKind; readonly id: string } | null {
  const end = name.indexOf(":");
  const kind = PART_KINDS.find((each) => each === name.slice(0, end));
  return kind ? { kind, id: name.slice(end + 1) } : null;
}

/** What comes to an hour of an event. */
export interface HourTotal {
  readonly eventId: Uuid;
  readonly hour: string;
  readonly numbers: VisitNumbers;
  readonly parts: VisitParts;
}

/** What some signs add. */
export interface Tally {
  /** Those that had not come before, and count. */
  readonly fresh: readonly VisitSign[];
  /** How their visitors are known now. */
  readonly visitors: readonly (VisitorOfDay & { readonly state: VisitorState })[];
  readonly totals: readonly HourTotal[];
  /** Visitors more, or less, whose last sign was in a minute since 1970. */
  readonly live: readonly { readonly minute: number; readonly eventId: Uuid; readonly visitors: number }[];
}

/** What is known before some signs are counted. */
export interface Known {
  /** By partKey: of the signs, those that have come before. */
  readonly parts: ReadonlySet<string>;
  /** By visitorKey. */
  readonly visitors: ReadonlyMap<string, VisitorState>;
  /** By event: what came before then, in milliseconds since 1970, counts no more. */
  readonly erased: ReadonlyMap<Uuid, number>;
}

/** No visits at all. */
export const NO_VISITS: VisitNumbers = {
  visits: 0,
  visitors: 0,
  seconds: 0,
  tags: 0,
  media: 0,
  products: 0,
  carts: 0,
  checkouts: 0,
  tagVisitors: 0,
  productVisitors: 0,
  cartVisitors: 0,
  checkoutVisitors: 0,
};

const COUNTS = {
  tag: "tags",
  media: "media",
  product: "products",
  cart: "carts",
  checkout: "checkouts",
} as const satisfies Record<VisitAct, VisitNumber>;
const DOERS: Partial<Record<VisitAct, VisitNumber>> = {
  tag: "tagVisitors",
  product: "productVisitors",
  cart: "cartVisitors",
  checkout: "checkoutVisitors",
};
const TRAITS = ["lang", "device", "country"] as const;
/** Among what was counted of a visit: that nobody has told yet which site led to it. */
const UNTOLD = "from?";

/** Adds to a number that may not be there yet. */
const add = <K extends string | number>(sums: Map<K, number>, key: K, by: number) =>
  sums.set(key, (sums.get(key) ?? 0) + by);

/**
 * Counts signs, in the order in which they came.
 *
 * A visit is what a visitor does without a pause of VISIT_GAP_MS on one day; whoever loads a page a thousand times is there once. What is
 * opened counts once a visit, and no visit lasts longer than it can have lasted by the server's clock, whatever its page says.
 */
export function tally(signs: readonly VisitSign[], known: Known): Tally {
  const told = new Set(known.parts);
  const fresh: VisitSign[] = [];
  const visitors = new Map<string, { readonly of: VisitorOfDay; state: VisitorState }>();
  const hours = new Map<string, HourSums>();
  const live = new Map<string, { minute: number; eventId: Uuid; visitors: number }>();

  for (const sign of [...signs].sort((a, b) => a.at - b.at)) {
    const key = partKey(sign);
    if (told.has(key) || sign.at < (known.erased.get(sign.eventId) ?? 0)) continue;
    told.add(key);
    fresh.push(sign);

    const { eventId, visitor, hour } = sign;
    const of = { day: dayOf(hour), eventId, visitor };
    const who = visitorKey(of);
    const stored = known.visitors.get(who) ?? null;
    const before = visitors.get(who)?.state ?? stored;
    const sums = hours.get(`${eventId} ${hour}`) ?? new HourSums(eventId, hour);
    hours.set(`${eventId} ${hour}`, sums);
    const state = sums.count(sign, before);
    // One write, however many signs of the visitor are in it.
    visitors.set(who, { of, state: { ...state, version: (stored?.version ?? 0) + 1 } });

    const move = (at: number, by: number) => {
      const minute = Math.floor(at / 60_000);
      const found = live.get(`${minute} ${eventId}`) ?? { minute, eventId, visitors: 0 };
      found.visitors += by;
      live.set(`${minute} ${eventId}`, found);
    };
    // Minutes that nobody asks for any more may have been forgotten.
    if (before && state.lastAt - before.lastAt < LIVE_MINUTES * 60_000) move(before.lastAt, -1);
    move(state.lastAt, 1);
  }
  return {
    fresh,
    visitors: [...visitors.values()].map(({ of, state }) => ({ ...of, state })),
    totals: [...hours.values()].map((sums) => sums.total()),
    live: [...live.values()].filter(({ visitors: count }) => count !== 0),
  };
}

/** What signs add to one hour. */
class HourSums {
  readonly #numbers = new Map<VisitNumber, number>();
  readonly #parts = new Map<string, number>();
  readonly #letters = new Map<PartKind, number>();
  readonly #of: Pick<HourTotal, "eventId" | "hour">;

  constructor(eventId: Uuid, hour: string) {
    this.#of = { eventId, hour };
  }

  /** Counts one sign. @returns how its visitor is known afterwards */
  count(sign: VisitSign, before: VisitorState | null): VisitorState {
    const { at, traits } = sign;
    if (!before) this.#number("visitors");
    const goesOn = before !== null && at - before.lastAt < VISIT_GAP_MS;
    if (!goesOn) {
      this.#number("visits");
      for (const trait of TRAITS) this.#part(trait, traits[trait]);
      this.#part("from", traits.from ?? "");
    }
    const startedAt = goesOn ? before.startedAt : at;
    const did = new Set(before?.did);
    const seen = new Set(goesOn ? before.seen : []);
    if (traits.from === null) {
      if (!goesOn) seen.add(UNTOLD);
    } else if (seen.delete(UNTOLD) && traits.from !== "") {
      // What was opened at once came in before the page's first sign, which is the first to know.
      this.#part("from", "", -1);
      this.#part("from", traits.from);
    }
    for (const { act, id } of sign.things) {
      const doer = DOERS[act];
      if (doer && !did.has(act)) this.#number(doer);
      did.add(act);
      const name = act === "checkout" ? act : partName(act, id);
      if (seen.has(name) || seen.size >= SEEN_MAX) continue;
      seen.add(name);
      this.#number(COUNTS[act]);
      if (act !== "checkout") this.#part(act, id);
    }
    // Isolates' clocks differ a little: time does not run backwards for a visitor.
    const lastAt = goesOn ? Math.max(before.lastAt, at) : at;
    let seconds = goesOn ? before.seconds : 0;
    const lasted = Math.floor((lastAt - startedAt) / 1000) + FIRST_SECONDS_MAX;
    for (const stay of sign.stays) {
      const counted = Math.min(stay.seconds, lasted - seconds);
      if (counted <= 0) break;
      seconds += counted;
      this.#number("seconds", counted);
      this.#part("at", stay.place, counted);
    }
    return { lastAt, startedAt, seconds, did: [...did], seen: [...seen], version: before?.version ?? 0 };
  }

  total(): HourTotal {
    return {
      ...this.#of,
      numbers: { ...NO_VISITS, ...Object.fromEntries(this.#numbers) },
      parts: Object.fromEntries([...this.#parts].filter(([, count]) => count !== 0)),
    };
  }

  #number(name: VisitNumber, by = 1) {
    add(this.#numbers, name, by);
  }

  #part(kind: PartKind, id: string, by = 1) {
    const name = partName(kind, id);
    const letters = (this.#letters.get(kind) ?? 0) + name.length + PART_LETTERS_MORE;
    if (this.#parts.has(name)) return add(this.#parts, name, by);
    if (letters > PART_LETTERS_MAX[kind]) return add(this.#parts, partName(kind, OTHERS), by);
    this.#letters.set(kind, letters);
    add(this.#parts, name, by);
  }
}
