/**
 * Passes adjustments (changes that the store itself made to a cart, for example because of low stock) and the removed line to the page that a form
 * redirects to. The URL of that page contains them as a sealed (encrypted) notice, because cookies may be blocked. A notice is valid for a few minutes,
 * and only with the same cart and number of items as after the change, so that a shared link does not show it.
 */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { CartAdjustment, RemovedItem, StoredCart } from "~/domain/store/store";
import { EXPIRED_CART } from "~/domain/store/store-cart";

/** Content of a notice. */
export interface CartNotice {
  readonly adjustments: readonly CartAdjustment[];
  /** Line that the visitor removed; `removedItem` elsewhere. The property keeps its name, because notices in the URLs of open pages contain it. */
  readonly taken: RemovedItem | null;
}

const EMPTY_NOTICE: CartNotice = { adjustments: [], taken: null };
const EXPIRED_NOTICE: CartNotice = { adjustments: [EXPIRED_CART], taken: null };

/** Maximum number of adjustments in a notice. */
const ADJUSTMENTS_MAX = 8;
/** Size of a notice in bytes above which its texts are shortened. Servers and browsers accept URLs of at least 8 KB, and sealing makes the text longer. */
const SHORTENED_ABOVE_BYTES = 3_000;
/** Maximum number of characters of a title, and of the store's own message, in a shortened notice. */
const TITLE_LENGTH_MAX = 80;
const MESSAGE_LENGTH_MAX = 100;
/** Validity of a notice, in milliseconds. */
const NOTICE_VALID_MS = 300_000;
/** Validity of a sealed item count (see sealCount), in milliseconds. It is short because the page uses the count immediately. */
const COUNT_VALID_MS = 60_000;

type SealerContext = Pick<AppLoadContext, "textSealer">;

const noticePurpose = (eventId: string, { id, quantity }: StoredCart) => `told ${eventId} ${id} ${quantity}`;
const countPurpose = (eventId: string, { id, quantity }: StoredCart) => `count ${eventId} ${id} ${quantity}`;

const shortenText = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}…` : text);

/** Shortens the texts of a notice, because the store's texts may have any length. */
const shortenNotice = ({ adjustments, taken }: CartNotice): CartNotice => ({
  adjustments: adjustments.map((adjustment) => ({
    ...adjustment,
    title: shortenText(adjustment.title, TITLE_LENGTH_MAX),
    message: shortenText(adjustment.message, MESSAGE_LENGTH_MAX),
  })),
  taken: taken && { ...taken, title: shortenText(taken.title, TITLE_LENGTH_MAX) },
});

/** Seals a notice for a URL. @param cart the browser's cart after the change */
export const sealNotice = (
  context: SealerContext,
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
  const json = JSON.stringify(notice);
  const isLong = new TextEncoder().encode(json).length > SHORTENED_ABOVE_BYTES;
  return context.textSealer.seal(
    noticePurpose(eventId, cart),
    isLong ? JSON.stringify(shortenNotice(notice)) : json,
    NOTICE_VALID_MS,
  );
};

/**
 * Opens the notice of a URL, if it belongs to the browser's cart in its current state. The notice that a cart has expired is the unsealed parameter
 * `gone`, because it contains no secret.
 */
export function openNotice(
  context: SealerContext,
  eventId: string,
  cart: StoredCart | null,
  searchParams: URLSearchParams,
): CartNotice {
  if (!cart) return searchParams.has("gone") ? EXPIRED_NOTICE : EMPTY_NOTICE;
  const text = context.textSealer.open(noticePurpose(eventId, cart), searchParams.get("told") ?? "");
  return text === null ? EMPTY_NOTICE : (JSON.parse(text) as CartNotice);
}

/**
 * Seals a cart with a new item count. It is used when the store returns the count after the response has begun, so that the response can set no cookie. The
 * page sends the sealed text in a further request, which sets the cookie if the browser's cart has not changed.
 * @param cart the cart in the browser's cookie
 * @param countedCart the same cart with the store's count; null if it has expired
 */
export const sealCount = (
  context: SealerContext,
  eventId: string,
  cart: StoredCart,
  countedCart: StoredCart | null,
): string =>
  context.textSealer.seal(countPurpose(eventId, cart), JSON.stringify(countedCart), COUNT_VALID_MS);

/** Opens a sealed count for the browser's cart: the cart with its count, null for an expired cart, or undefined if the text does not apply. */
export function openCount(
  context: SealerContext,
  eventId: string,
  cart: StoredCart,
  value: string | null,
): StoredCart | null | undefined {
  const text = context.textSealer.open(countPurpose(eventId, cart), value ?? "");
  return text === null ? undefined : (JSON.parse(text) as StoredCart | null);
}
