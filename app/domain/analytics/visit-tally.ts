/** Computes how new parts of visits change the stored counts. The exported functions are pure. */
import type { Uuid } from "../shared/model";
import {
  dayOfHour,
  FIRST_SECONDS_MAX,
  LIVE_MINUTES,
  partKey,
  VISIT_GAP_MS,
  VISIT_ITEMS_MAX,
  type VisitAction,
  type VisitorOfDay,
  type VisitRecord,
  visitorKey,
} from "./visit";

/** State of a visitor on one day. */
export interface VisitorState {
  /** Time of the visitor's last part, in milliseconds since 1970. */
  readonly lastAt: number;
  /** Start of the visit that contains the last part, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Seconds that were counted for that visit. */
  readonly seconds: number;
  /** The visitor's actions on that day. */
  readonly did: readonly VisitAction[];
  /** Names of the items that were counted for the visit. */
  readonly seen: readonly string[];
  /** Number of writes; 0 before the first. */
  readonly version: number;
}

/** The numbers that are stored for every period. */
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
/** One of the stored numbers. */
export type VisitNumber = (typeof VISIT_NUMBERS)[number];
/** All stored numbers. */
export type VisitNumbers = Readonly<Record<VisitNumber, number>>;
/** Counts by item, place or trait. partName returns the keys. These are not the parts in which a page reports its visit. */
export type VisitParts = Readonly<Record<string, number>>;

/** Kinds of parts. `at` counts seconds at a place; the others count visits. `from` is the referring site. */
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
/** One of the kinds of parts. */
export type PartKind = (typeof PART_KINDS)[number];

/** Id of the collective part for items of a kind that were not counted by name, because the period had too many. */
export const OTHERS = "*";

/**
 * Maximum total length of the names of one kind's parts in a period, in characters, each with its number. Beyond it, new parts are counted under
 * OTHERS. Each kind has its own limit, so that no kind uses up another's limit: clients can invent places, sites and languages.
 */
export const PART_CHARACTERS_MAX: Readonly<Record<PartKind, number>> = {
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
/** Characters that a part takes in addition to its name: a number of eight digits, quotes, a colon and a comma. */
export const PART_EXTRA_CHARACTERS = 12;

/**
 * Returns the name of a part. An empty id means unknown or none: a trait that the browser does not send, or a visit without a referring
 * site.
 */
export const partName = (kind: PartKind, id: string): string => `${kind}:${id}`;

/** Parses the name of a part; returns null for an unknown kind. */
export function readPartName(name: string): { readonly kind: PartKind; readonly id: string } | null {
  const end = name.indexOf(":");
  const kind = PART_KINDS.find((partKind) => partKind === name.slice(0, end));
  return kind ? { kind, id: name.slice(end + 1) } : null;
}

/** The counts that are added to one hour of an event. */
export interface HourTotal {
  readonly eventId: Uuid;
  readonly hour: string;
  readonly numbers: VisitNumbers;
  readonly parts: VisitParts;
}

/** The changes that result from a batch of parts of visits. */
export interface Tally {
  /** Parts that are new and count. */
  readonly newParts: readonly VisitRecord[];
  /** New states of their visitors. */
  readonly visitors: readonly (VisitorOfDay & { readonly state: VisitorState })[];
  readonly totals: readonly HourTotal[];
  /** Changes of the number of visitors whose last part was in a given minute since 1970; they may be negative. */
  readonly live: readonly { readonly minute: number; readonly eventId: Uuid; readonly visitors: number }[];
}

/** The stored state before a batch is counted. */
export interface StoredVisitState {
  /** Keys (partKey) of the batch's parts that were already counted. */
  readonly parts: ReadonlySet<string>;
  /** States by visitorKey. */
  readonly visitors: ReadonlyMap<string, VisitorState>;
  /** Time of the last erasure by event, in milliseconds since 1970. Earlier parts no longer count. */
  readonly erased: ReadonlyMap<Uuid, number>;
}

/** All numbers 0. */
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

/** The number that counts the items of each action. */
const ITEM_NUMBERS = {
  tag: "tags",
  media: "media",
  product: "products",
  cart: "carts",
  checkout: "checkouts",
} as const satisfies Record<VisitAction, VisitNumber>;
/** The number that counts the visitors of a day by action. */
const VISITOR_NUMBERS: Partial<Record<VisitAction, VisitNumber>> = {
  tag: "tagVisitors",
  product: "productVisitors",
  cart: "cartVisitors",
  checkout: "checkoutVisitors",
};
const TRAITS = ["lang", "device", "country"] as const;
/** Entry of VisitorState.seen: the referring site of the visit is still unknown. */
const UNKNOWN_SITE = "from?";

/** Adds to a number of a map; a missing number counts as 0. */
const add = <K extends string | number>(sums: Map<K, number>, key: K, amount: number) =>
  sums.set(key, (sums.get(key) ?? 0) + amount);

/**
 * Counts parts of visits in the order of their arrival.
 *
 * A visit is the activity of a visitor on one day without a pause of VISIT_GAP_MS. A visitor who loads a page a thousand times counts once. Each
 * opened item counts once per visit. A visit's counted duration is limited by the server's clock, whatever its page reports.
 */
export function tally(records: readonly VisitRecord[], storedState: StoredVisitState): Tally {
  const reportedParts = new Set(storedState.parts);
  const newParts: VisitRecord[] = [];
  const visitors = new Map<string, { readonly visitorOfDay: VisitorOfDay; state: VisitorState }>();
  const hours = new Map<string, HourSums>();
  const live = new Map<string, { minute: number; eventId: Uuid; visitors: number }>();

  for (const record of [...records].sort((a, b) => a.at - b.at)) {
    const key = partKey(record);
    if (reportedParts.has(key) || record.at < (storedState.erased.get(record.eventId) ?? 0)) continue;
    reportedParts.add(key);
    newParts.push(record);

    const { eventId, visitor, hour } = record;
    const visitorOfDay = { day: dayOfHour(hour), eventId, visitor };
    const keyOfVisitor = visitorKey(visitorOfDay);
    const stored = storedState.visitors.get(keyOfVisitor) ?? null;
    const previous = visitors.get(keyOfVisitor)?.state ?? stored;
    const hourSums = hours.get(`${eventId} ${hour}`) ?? new HourSums(eventId, hour);
    hours.set(`${eventId} ${hour}`, hourSums);
    const state = hourSums.count(record, previous);
    // Each visitor is written once, however many parts the batch has.
    visitors.set(keyOfVisitor, {
      visitorOfDay,
      state: { ...state, version: (stored?.version ?? 0) + 1 },
    });

    const addToLiveCount = (time: number, amount: number) => {
      const minute = Math.floor(time / 60_000);
      const minuteCount = live.get(`${minute} ${eventId}`) ?? { minute, eventId, visitors: 0 };
      minuteCount.visitors += amount;
      live.set(`${minute} ${eventId}`, minuteCount);
    };
    // Old minutes may already be deleted from the live count.
    if (previous && state.lastAt - previous.lastAt < LIVE_MINUTES * 60_000)
      addToLiveCount(previous.lastAt, -1);
    addToLiveCount(state.lastAt, 1);
  }
  return {
    newParts,
    visitors: [...visitors.values()].map(({ visitorOfDay, state }) => ({ ...visitorOfDay, state })),
    totals: [...hours.values()].map((sums) => sums.total()),
    live: [...live.values()].filter(({ visitors: count }) => count !== 0),
  };
}

/** Sums of the parts of one hour. */
class HourSums {
  readonly #numbers = new Map<VisitNumber, number>();
  readonly #parts = new Map<string, number>();
  readonly #characters = new Map<PartKind, number>();
  readonly #eventHour: Pick<HourTotal, "eventId" | "hour">;

  constructor(eventId: Uuid, hour: string) {
    this.#eventHour = { eventId, hour };
  }

  /** Counts one part. @returns the new state of its visitor */
  count(record: VisitRecord, previous: VisitorState | null): VisitorState {
    const { at, traits } = record;
    if (!previous) this.#addToNumber("visitors");
    const continuesVisit = previous !== null && at - previous.lastAt < VISIT_GAP_MS;
    if (!continuesVisit) {
      this.#addToNumber("visits");
      for (const trait of TRAITS) this.#addToPart(trait, traits[trait]);
      this.#addToPart("from", traits.from ?? "");
    }
    const startedAt = continuesVisit ? previous.startedAt : at;
    const actions = new Set(previous?.did);
    const countedItems = new Set(continuesVisit ? previous.seen : []);
    if (traits.from === null) {
      if (!continuesVisit) countedItems.add(UNKNOWN_SITE);
    } else if (countedItems.delete(UNKNOWN_SITE) && traits.from !== "") {
      // The server may count an action before it receives the page's first part, which states the referring site.
      this.#addToPart("from", "", -1);
      this.#addToPart("from", traits.from);
    }
    for (const { act, id } of record.things) {
      const visitorNumber = VISITOR_NUMBERS[act];
      if (visitorNumber && !actions.has(act)) this.#addToNumber(visitorNumber);
      actions.add(act);
      const name = act === "checkout" ? act : partName(act, id);
      if (countedItems.has(name) || countedItems.size >= VISIT_ITEMS_MAX) continue;
      countedItems.add(name);
      this.#addToNumber(ITEM_NUMBERS[act]);
      if (act !== "checkout") this.#addToPart(act, id);
    }
    // The clocks of isolates differ slightly. A visitor's time must not decrease.
    const lastAt = continuesVisit ? Math.max(previous.lastAt, at) : at;
    let seconds = continuesVisit ? previous.seconds : 0;
    const elapsedSeconds = Math.floor((lastAt - startedAt) / 1000) + FIRST_SECONDS_MAX;
    for (const dwellTime of record.stays) {
      const countedSeconds = Math.min(dwellTime.seconds, elapsedSeconds - seconds);
      if (countedSeconds <= 0) break;
      seconds += countedSeconds;
      this.#addToNumber("seconds", countedSeconds);
      this.#addToPart("at", dwellTime.place, countedSeconds);
    }
    return {
      lastAt,
      startedAt,
      seconds,
      did: [...actions],
      seen: [...countedItems],
      version: previous?.version ?? 0,
    };
  }

  total(): HourTotal {
    return {
      ...this.#eventHour,
      numbers: { ...NO_VISITS, ...Object.fromEntries(this.#numbers) },
      parts: Object.fromEntries([...this.#parts].filter(([, count]) => count !== 0)),
    };
  }

  #addToNumber(name: VisitNumber, amount = 1) {
    add(this.#numbers, name, amount);
  }

  #addToPart(kind: PartKind, id: string, amount = 1) {
    const name = partName(kind, id);
    const characters = (this.#characters.get(kind) ?? 0) + name.length + PART_EXTRA_CHARACTERS;
    if (this.#parts.has(name)) return add(this.#parts, name, amount);
    if (characters > PART_CHARACTERS_MAX[kind]) return add(this.#parts, partName(kind, OTHERS), amount);
    this.#characters.set(kind, characters);
    add(this.#parts, name, amount);
  }
}
