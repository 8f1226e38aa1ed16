import type { Lang, SourceKind, Uuid, Vec3, Viewpoint } from "../shared/model";

/** Pause after which a visitor's next signal starts another visit, in milliseconds. */
export const VISIT_GAP_MS = 30 * 60_000;
/** Number of minutes after a signal for which a visitor counts as present. */
export const LIVE_MINUTES = 5;
/** Maximum size of a page's report, in bytes. */
export const VISIT_BODY_MAX = 8192;
/** Maximum number of items, and of places, in one report. */
export const VISIT_LIST_MAX = 50;
/** Interval of a page's reports, in seconds. */
export const REPORT_INTERVAL_SECONDS = 30;
/** Maximum seconds at one place in one report. Timers may fire late, and a report that was not delivered is repeated later. */
export const DWELL_SECONDS_MAX = 120;
/** Maximum seconds of a visit before its first report arrives. A page sends one after two seconds; slow networks and busy machines take longer. */
export const FIRST_SECONDS_MAX = 10;
/** Maximum number of parts in which one page may report its visit: more than three days of reports every 30 seconds. */
export const VISIT_PARTS_MAX = 10_000;
/** Maximum number of different items that are counted for one visit. */
export const VISIT_ITEMS_MAX = 500;
/** Time for which the salt of a day's visitor hashes is kept after the day, in milliseconds, so that reports from its last moment are still counted. */
export const SALT_GRACE_MS = 60_000;
/** Days for which the parts of visits are kept, in R2 objects that the event's room (its Durable Object, decision 095) writes. */
export const VISIT_DAYS = 90;

/** Lengths of the periods for which numbers are stored. */
export const GRAINS = ["hour", "day", "month", "year"] as const;
/** One of these lengths. */
export type Grain = (typeof GRAINS)[number];

/** Actions of a visitor. `cart`: adds a product to the cart. */
export const VISIT_ACTIONS = ["tag", "media", "product", "cart", "checkout"] as const;
/** An action of a visitor. */
export type VisitAction = (typeof VISIT_ACTIONS)[number];

/** An action and its item: the id of a tag or media item, or a product's id in its store; empty for a checkout. */
export interface VisitedItem {
  readonly act: VisitAction;
  readonly id: string;
  /** The store's title of a product, if the store has just returned it. */
  readonly title?: { readonly lang: Lang; readonly text: string };
}

/** Time that a visitor spent at a place, with the page in view. */
export interface VisitDuration {
  /** See toVisitPlace; empty if unknown. */
  readonly place: string;
  readonly seconds: number;
}

/** One part of a visit, as its page reports it. */
export interface VisitReport {
  /** The page's own random name for this visit: 32 hexadecimal digits. */
  readonly visit: string;
  /** Number of the part, from 0. A part that is reported twice counts once. */
  readonly part: number;
  /** The host of the referring site; empty for none. */
  readonly from: string;
  /** The visitor's actions since the previous part. */
  readonly things: readonly VisitedItem[];
  readonly stays: readonly VisitDuration[];
}

/** Known traits of a visitor, as codes: an ISO 639 language, a DeviceKind, an ISO 3166 country, a host. Empty where unknown. */
export interface VisitorTraits {
  readonly lang: string;
  readonly device: string;
  readonly country: string;
  /** Null for an action that the server counted itself, without a referring site. The first report of the action's page states that site. */
  readonly from: string | null;
}

/** A validated part of a visit. */
export interface VisitRecord extends Omit<VisitReport, "from"> {
  readonly eventId: Uuid;
  /** Time of arrival by the server's clock, in milliseconds since 1970. */
  readonly at: number;
  /** The hour of `at` in the event's time zone: 2026-04-01T09. */
  readonly hour: string;
  /** Hash of the visitor, which is valid for one day of that zone. */
  readonly visitor: string;
  readonly traits: VisitorTraits;
}

/** Returns the key of a part of a visit. */
export const partKey = ({ eventId, visit, part }: Pick<VisitRecord, "eventId" | "visit" | "part">): string =>
  `${eventId} ${visit} ${part}`;

/** A visitor of an event on one of its days. */
export interface VisitorOfDay {
  readonly day: string;
  readonly eventId: Uuid;
  readonly visitor: string;
}

/** Returns the key of a visitor of a day. */
export const visitorKey = ({ day, eventId, visitor }: VisitorOfDay): string => `${day} ${eventId} ${visitor}`;

/** Returns the day of an hour. */
export const dayOfHour = (hour: string): string => hour.slice(0, 10);

/** Size of the coarse cells in which visitors' positions are counted, in metres: horizontal and vertical. */
export const CELL = { across: 1, up: 3 } as const;
/** Largest absolute coordinate of a counted cell, in cells. */
const CELLS_MAX = 2000;
const CELL_PLACE = /^c(-?\d{1,4}),(-?\d{1,4}),(-?\d{1,4})$/;

/** Returns the place at which a viewpoint is counted: the node of a panorama, or a coarse cell of any other space; empty if unknown or too far away. */
export function toVisitPlace(
  kind: SourceKind,
  viewpoint: Pick<Viewpoint, "position" | "nodeId"> | null,
): string {
  if (viewpoint === null) return "";
  if (kind === "panorama") return viewpoint.nodeId === undefined ? "" : `n${viewpoint.nodeId}`;
  const [x, y, z] = viewpoint.position;
  const cell = [x / CELL.across, y / CELL.up, z / CELL.across].map(Math.floor);
  return cell.every((coordinate) => Math.abs(coordinate) <= CELLS_MAX) ? `c${cell.join(",")}` : "";
}

/** Returns the node of a place; null if the place is not a node. */
export const readPlaceNode = (place: string): string | null =>
  place.startsWith("n") && place.length > 1 ? place.slice(1) : null;

/** Returns the centre of a place's cell, in metres; null if the place is not a cell. */
export function cellCentre(place: string): readonly [x: number, y: number, z: number] | null {
  const cell = CELL_PLACE.exec(place)?.slice(1).map(Number);
  if (!cell || cell.some((coordinate) => Math.abs(coordinate) > CELLS_MAX)) return null;
  const [x = 0, y = 0, z = 0] = cell;
  return [(x + 0.5) * CELL.across, (y + 0.5) * CELL.up, (z + 0.5) * CELL.across];
}

/** Maximum distance between a counted position and the nearest tag or start view of the event, in metres, because pages can report any position. */
const DISTANCE_MAX = 200;

/** Whether a cell, given by its centre in metres, is near one of the positions; true if there are none. */
export function isWithinReach(cell: Vec3, positions: readonly Vec3[]): boolean {
  const isNear = ([x, y, z]: Vec3) => Math.hypot(x - cell[0], y - cell[1], z - cell[2]) <= DISTANCE_MAX;
  return positions.length === 0 || positions.some(isNear);
}

/** Maximum length of a host name, in characters (RFC 1035 §2.3.4). */
const HOST_MAX = 253;

/** Whether a text is a host name as browsers write it. Standards forbid underscores, but such websites exist. */
export const isHost = (text: string): boolean =>
  text.length <= HOST_MAX && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(text);

/** Returns the host of a referring URL, without www; empty if the URL is not a website's, or its host is `ownHost` or fails isHost. */
export function referringHost(href: string, ownHost: string): string {
  // Most requests have no referrer. An exception of `new URL` takes a quarter of the time that a cached page takes.
  if (href === "") return "";
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return "";
  }
  const host = url.hostname.replace(/^www\./, "");
  const isOtherSite = /^https?:$/.test(url.protocol) && host !== ownHost.replace(/^www\./, "");
  return isOtherSite && isHost(host) ? host : "";
}

/**
 * Returns the first language of an Accept-Language header (RFC 9110 §12.5.4) as an ISO 639 code; empty if it names none. Browsers list the preferred
 * language first, so weights are ignored.
 */
export function firstLanguage(acceptLanguage: string): string {
  return /^\s*([a-z]{2,3})\b/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? "";
}

/** Returns the first and the last minute (since 1970) whose visitors count as present at `now` (milliseconds since 1970). */
export const liveMinutes = (now: number): { readonly first: number; readonly last: number } => {
  const lastMinute = Math.floor(now / 60_000);
  return { first: lastMinute - LIVE_MINUTES + 1, last: lastMinute };
};
