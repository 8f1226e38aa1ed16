/**
 * What the store made of a change, told to the page that a form leads to: in its address, as a browser may keep no cookie. It is about one cart
 * of one event as the change left it, and for minutes: a link that is handed on says it to nobody else, and a page that is come back to says no
 * more of what has changed again since.
 */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { CartAdjustment, KeptCart, TakenOut } from "~/domain/store/store";
import { EXPIRED } from "~/domain/store/store-cart";

/** What is told. */
export interface Told {
  readonly adjustments: readonly CartAdjustment[];
  /** What the visitor took out. */
  readonly taken: TakenOut | null;
}

const NOTHING: Told = { adjustments: [], taken: null };
const GONE: Told = { adjustments: [EXPIRED], taken: null };

/** More of them are none that somebody reads. */
const ADJUSTMENTS_MAX = 8;
/** More bytes than this are told in fewer words: servers and browsers take addresses of 8 KB at least, and these grow when they are locked. */
const TOLD_BYTES = 3_000;
/** Characters of a title, and of the store's own words, that are left then. */
const TITLE_CUT = 80;
const MESSAGE_CUT = 100;
/** For how long a change is one that has just been made, in milliseconds. */
const CHANGE_MS = 300_000;
/** For how long a count that was found is asked for: a page asks for it at once. */
const COUNT_MS = 60_000;

type Locking = Pick<AppLoadContext, "textSealer">;

const aboutChange = (eventId: string, { id, quantity }: KeptCart) => `told ${eventId} ${id} ${quantity}`;
const aboutCount = (eventId: string, { id, quantity }: KeptCart) => `count ${eventId} ${id} ${quantity}`;

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}…` : text);

/** The same in fewer words: a store's may be of any length. */
const shortened = ({ adjustments, taken }: Told): Told => ({
  adjustments: adjustments.map((adjustment) => ({
    ...adjustment,
    title: cut(adjustment.title, TITLE_CUT),
    message: cut(adjustment.message, MESSAGE_CUT),
  })),
  taken: taken && { ...taken, title: cut(taken.title, TITLE_CUT) },
});

/** @param cart what the browser has of it from now on */
export const tellChange = (
  context: Locking,
  eventId: string,
  cart: KeptCart,
  adjustments: readonly CartAdjustment[],
  taken: TakenOut | null,
): string => {
  const told: Told = {
    // No note speaks of a line by its id.
    adjustments: adjustments.slice(0, ADJUSTMENTS_MAX).map((adjustment) => ({ ...adjustment, lineId: null })),
    taken,
  };
  const whole = JSON.stringify(told);
  const isLong = new TextEncoder().encode(whole).length > TOLD_BYTES;
  return context.textSealer.seal(
    aboutChange(eventId, cart),
    isLong ? JSON.stringify(shortened(told)) : whole,
    CHANGE_MS,
  );
};

/** What an address tells of the cart that the browser has, with as much in it; and, which is nobody's secret, that there is none any more. */
export function readChange(
  context: Locking,
  eventId: string,
  cart: KeptCart | null,
  search: URLSearchParams,
): Told {
  if (!cart) return search.has("gone") ? GONE : NOTHING;
  const text = context.textSealer.open(aboutChange(eventId, cart), search.get("told") ?? "");
  return text === null ? NOTHING : (JSON.parse(text) as Told);
}

/** What a cart was found to be after the page had begun, so that its cookie can be corrected by another request while it is still the same. */
export const tellCount = (
  context: Locking,
  eventId: string,
  cart: KeptCart,
  found: KeptCart | null,
): string => context.textSealer.seal(aboutCount(eventId, cart), JSON.stringify(found), COUNT_MS);

/** What is told of the cart that the browser has: another count, or null for one that is gone; undefined for nothing. */
export function readCount(
  context: Locking,
  eventId: string,
  cart: KeptCart,
  value: string | null,
): KeptCart | null | undefined {
  const text = context.textSealer.open(aboutCount(eventId, cart), value ?? "");
  return text === null ? undefined : (JSON.parse(text) as KeptCart | null);
}
