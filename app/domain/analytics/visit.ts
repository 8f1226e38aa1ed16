/** What visits of Published events are counted by (§4, §9): decision 030. */

import { DAY_MS } from "../shared/day";
import type { Instant, Lang, SourceKind, Uuid, Vec3, Viewpoint } from "../shared/model";

/** A visitor of whom nothing was heard for so long comes anew: another visit. */
export const VISIT_GAP_MS = 30 * 60_000;
/** Whoever gave a sign within so many minutes is there now. */
export const LIVE_MINUTES = 5;
/** Bytes of what a page tells at once. */
export const VISIT_BODY_MAX = 8192;
/** Things that a page tells at once, and places. */
export const VISIT_LIST_MAX = 50;
/** How often a page tells what has happened, in seconds. */
export const TELL_SECONDS = 30;
/** How many seconds it may say that somebody was at one place since: its timers are late, and what did not arrive is told later. */
export const STAY_SECONDS_MAX = 120;
/** How many seconds a visit may have lasted before its first sign came: a page gives one after two, and a slow network and a busy machine take their time. */
export const FIRST_SECONDS_MAX = 10;
/** Parts in which one page may tell its visit: a day of them. */
export const VISIT_PARTS_MAX = 10_000;
/** Different things that are counted of one visit. */
export const SEEN_MAX = 500;
/** How long a day's salt outlives it: what came in its last moment is counted with it still. */
export const SALT_GRACE_MS = 60_000;
/** Days for which what pages told is kept as it came. */
export const VISIT_DAYS = 90;

/** How long the periods are for which numbers are kept. */
export const GRAINS = ["hour", "day", "month", "year"] as const;
/** One of these lengths. */
export type Grain = (typeof GRAINS)[number];

/** What a visitor does beside being there. `cart`: put into the cart. */
export const VISIT_ACTS = ["tag", "media", "product", "cart", "checkout"] as const;
/** One of these acts. */
export type VisitAct = (typeof VISIT_ACTS)[number];

/** An act, and what it was done to: the id of a tag or medium, a product's number in its store; empty for a checkout. */
export interface VisitThing {
  readonly act: VisitAct;
  readonly id: string;
  /** What the store calls a product, where it has just said so. */
  readonly title?: { readonly lang: Lang; readonly text: string };
}

/** How long a visitor was somewhere, with the page in view. */
export interface VisitStay {
  /** See placeOf; empty where nobody knows. */
  readonly place: string;
  readonly seconds: number;
}

/** One part of a visit, as its page tells it. */
export interface VisitReport {
  /** The page's own random name for this visit: 32 hexadecimal digits. */
  readonly visit: string;
  /** Counts the parts from 0. A part that is told twice is one. */
  readonly part: number;
  /** The host of the site that led here; empty for none. */
  readonly from: string;
  readonly things: readonly VisitThing[];
  readonly stays: readonly VisitStay[];
}

/** What is known of whoever comes, in codes: an ISO 639 language, a DeviceKind, an ISO 3166 country, a host. Empty where unknown. */
export interface VisitorTraits {
  readonly lang: string;
  readonly device: string;
  readonly country: string;
  /** Null where the server has seen an act that no other site led to: the page on which it was done tells where its visitor came from. */
  readonly from: string | null;
}

/** A part of a visit that was checked and may be counted. */
export interface VisitSign extends Omit<VisitReport, "from"> {
  readonly eventId: Uuid;
  /** When it came in, by the server's clock: milliseconds since 1970. */
  readonly at: number;
  /** The same on the clocks of the event's time zone: 2026-04-01T09. */
  readonly hour: string;
  /** Who: a hash that is good for one day of that zone. */
  readonly visitor: string;
  readonly traits: VisitorTraits;
}

/** What identifies a part of a visit. */
export const partKey = ({ eventId, visit, part }: Pick<VisitSign, "eventId" | "visit" | "part">): string =>
  `${eventId} ${visit} ${part}`;

/** A visitor of an event on one of its days. */
export interface VisitorOfDay {
  readonly day: string;
  readonly eventId: Uuid;
  readonly visitor: string;
}

/** What identifies one. */
export const visitorKey = ({ day, eventId, visitor }: VisitorOfDay): string => `${day} ${eventId} ${visitor}`;

/** The day of an hour. */
export const dayOf = (hour: string): string => hour.slice(0, 10);

/** Metres of the coarse cells in which it is counted where visitors stood: across, and from floor to floor. */
export const CELL = { across: 1, up: 3 } as const;
const CELLS_MAX = 2000;
const CELL_PLACE = /^c(-?\d{1,4}),(-?\d{1,4}),(-?\d{1,4})$/;

/**
 * Where a viewpoint is, as it is counted: the node of a panorama, a coarse cell of any other space; empty where that is not known.
 */
export function placeOf(kind: SourceKind, viewpoint: Pick<Viewpoint, "position" | "nodeId"> | null): string {
  if (viewpoint === null) return "";
  if (kind === "panorama") return viewpoint.nodeId === undefined ? "" : `n${viewpoint.nodeId}`;
  const [x, y, z] = viewpoint.position;
  const cell = [x / CELL.across, y / CELL.up, z / CELL.across].map(Math.floor);
  return cell.every((at) => Math.abs(at) <= CELLS_MAX) ? `c${cell.join(",")}` : "";
}

/** The node that a place is; null for what is none. */
export const nodeOf = (place: string): string | null =>
  place.startsWith("n") && place.length > 1 ? place.slice(1) : null;

/** The middle of the cell that a place is, in metres; null for what is none. */
export function cellMiddle(place: string): readonly [x: number, y: number, z: number] | null {
  const cell = CELL_PLACE.exec(place)?.slice(1).map(Number);
  if (!cell || cell.some((at) => Math.abs(at) > CELLS_MAX)) return null;
  const [x = 0, y = 0, z = 0] = cell;
  return [(x + 0.5) * CELL.across, (y + 0.5) * CELL.up, (z + 0.5) * CELL.across];
}

/** Metres from something of an event beyond which nobody is believed to stand: pages say where they like. */
const REACH = 200;

/** Whether a cell lies within reach of something that an event shows; of an event that shows nothing at any place, anywhere. */
export function isWithinReach(cell: Vec3, shown: readonly Vec3[]): boolean {
  const near = ([x, y, z]: Vec3) => Math.hypot(x - cell[0], y - cell[1], z - cell[2]) <= REACH;
  return shown.length === 0 || shown.some(near);
}

/** Letters of the longest host name (RFC 1035 §2.3.4). */
const HOST_MAX = 253;

/** Whether a text is a host's name, as browsers write it. Names with underscores are none by the book, and there are such websites. */
export const isHost = (text: string): boolean =>
  text.length <= HOST_MAX && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(text);

/** The host of an address that led here, without www; empty for what is no website's, and for `own`. */
export function referringHost(address: string, own: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return "";
  }
  const host = url.hostname.replace(/^www\./, "");
  const isOther = /^https?:$/.test(url.protocol) && host !== own.replace(/^www\./, "");
  return isOther && isHost(host) ? host : "";
}

/** The language that a browser asks for first (RFC 9110 §12.5.4), as an ISO 639 code; empty where it asks for none. */
export function firstLanguage(acceptLanguage: string): string {
  return /^\s*([a-z]{2,3})\b/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? "";
}

/** Instants between which a sign counts as of now. */
export const liveMinutes = (now: number): { readonly first: number; readonly last: number } => {
  const last = Math.floor(now / 60_000);
  return { first: last - LIVE_MINUTES + 1, last };
};

/** Before then what pages told is no longer kept. */
export const keptSince = (now: number): Instant => new Date(now - VISIT_DAYS * DAY_MS).toISOString();
