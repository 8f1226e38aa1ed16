/**
 * Passes the store's changes of a cart to the page that a form redirects to, sealed in its address, because cookies may be blocked. A notice
 * applies to one cart of one event in the state after the change, and for a few minutes: a shared link does not show it to other visitors, and a page that
 * is opened again does not repeat outdated changes.
 */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { CartAdjustment, RemovedItem, StoredCart } from "~/domain/store/store";
import { EXPIRED } from "~/domain/store/store-cart";

/** Content of a notice. */
export interface CartNotice {
  readonly adjustments: readonly CartAdjustment[];
  /** Line that the visitor removed. */
  readonly taken: RemovedItem | null;
}

const NOTHING: CartNotice = { adjustments: [], taken: null };
const GONE: CartNotice = { adjustments: [EXPIRED], taken: null };

/** Maximal number of adjustments in a notice. */
const ADJUSTMENTS_MAX = 8;
/** Longer notices are shortened, in bytes: servers and browsers accept addresses of at least 8 KB, and sealing makes the text longer. */
const TOLD_BYTES = 3_000;
/** Maximal length of a title, and of the store's own message, in a shortened notice. */
const TITLE_CUT = 80;
const MESSAGE_CUT = 100;
/** Validity of a notice, in milliseconds. */
const CHANGE_MS = 300_000;
/** Validity of a count, in milliseconds: the page requests it immediately. */
const COUNT_MS = 60_000;

type Locking = Pick<AppLoadContext, "textSealer">;

const aboutChange = (eventId: string, { id, quantity }: StoredCart) => `told ${eventId} ${id} ${quantity}`;
const aboutCount = (eventId: string, { id, quantity }: StoredCart) => `count ${eventId} ${id} ${quantity}`;

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}…` : text);

/** Shortens the texts of a notice, because the store's texts may have any length. */
const shortened = ({ adjustments, taken }: CartNotice): CartNotice => ({
  adjustments: adjustments.map((adjustment) => ({
    ...adjustment,
    title: cut(adjustment.title, TITLE_CUT),
    message: cut(adjustment.message, MESSAGE_CUT),
  })),
  taken: taken && { ...taken, title: cut(taken.title, TITLE_CUT) },
});

/** Seals a notice for an address. @param cart the browser's cart after the change */
export const tellChange = (
  context: Locking,
  eventId: string,
  cart: StoredCart,
  adjustments: readonly CartAdjustment[],
  taken: RemovedItem | null,
): string => {
  const notice: CartNotice = {
    // Messages do not need the ids of lines.
    adjustments: adjustments.slice(0, ADJUSTMENTS_MAX).map((adjustment) => ({ ...adjustment, lineId: null })),
    taken,
  };
  const whole = JSON.stringify(notice);
  const isLong = new TextEncoder().encode(whole).length > TOLD_BYTES;
  return context.textSealer.seal(
    aboutChange(eventId, cart),
    isLong ? JSON.stringify(shortened(notice)) : whole,
    CHANGE_MS,
  );
};

/**
 * Opens the notice of an address, if it belongs to the browser's cart in its current state. The fact that a cart has expired is not sealed,
 * because it is no secret.
 */
export function readChange(
  context: Locking,
  eventId: string,
  cart: StoredCart | null,
  search: URLSearchParams,
): CartNotice {
  if (!cart) return search.has("gone") ? GONE : NOTHING;
  const text = context.textSealer.open(aboutChange(eventId, cart), search.get("told") ?? "");
  return text === null ? NOTHING : (JSON.parse(text) as CartNotice);
}

/**
 * Seals the cart's count that became known after the page had begun, so that a further request can correct the cookie while the cart is
 * unchanged.
 */
export const tellCount = (
  context: Locking,
  eventId: string,
  cart: StoredCart,
  countedCart: StoredCart | null,
): string => context.textSealer.seal(aboutCount(eventId, cart), JSON.stringify(countedCart), COUNT_MS);

/** Opens a count for the browser's cart: the count, null for an expired cart, or undefined if the text does not apply. */
export function readCount(
  context: Locking,
  eventId: string,
  cart: StoredCart,
  value: string | null,
): StoredCart | null | undefined {
  const text = context.textSealer.open(aboutCount(eventId, cart), value ?? "");
  return text === null ? undefined : (JSON.parse(text) as StoredCart | null);
}
