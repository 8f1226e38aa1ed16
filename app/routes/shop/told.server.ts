/**
 * What the store made of a change, told to the page that a form leads to: in its address, with our seal, as a browser may keep no cookie.
 * It is about one cart of one event, so a link that is handed on says it to nobody else.
 */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { CartAdjustment, KeptCart, TakenOut } from "~/domain/store";

/** What is told. */
export interface Told {
  /** How many things are in the cart then. */
  readonly count: number;
  readonly adjustments: readonly CartAdjustment[];
  /** What the visitor took out. */
  readonly taken: TakenOut | null;
}

/** More of them are none that somebody reads. */
const ADJUSTMENTS_MAX = 8;

type Sealing = Pick<AppLoadContext, "seal" | "unseal">;

const aboutChange = (eventId: string, cart: KeptCart | null) => `told ${eventId} ${cart?.id ?? ""}`;
const aboutCount = (eventId: string, cart: KeptCart) => `count ${eventId} ${cart.id}`;

/** @param cart what the browser has of it from now on */
export const tellChange = (
  context: Sealing,
  eventId: string,
  cart: KeptCart | null,
  adjustments: readonly CartAdjustment[],
  taken: TakenOut | null,
): string => {
  const told: Told = {
    count: cart?.quantity ?? 0,
    adjustments: adjustments.slice(0, ADJUSTMENTS_MAX),
    taken,
  };
  return context.seal(aboutChange(eventId, cart), JSON.stringify(told));
};

/** What an address tells of the cart that the browser has; null for nothing. */
export function readChange(
  context: Sealing,
  eventId: string,
  cart: KeptCart | null,
  value: string | null,
): Told | null {
  const text = value && context.unseal(aboutChange(eventId, cart), value);
  return text ? (JSON.parse(text) as Told) : null;
}

/** What a cart was found to be after the page had begun, so that its cookie can be corrected by another request. */
export const tellCount = (
  context: Sealing,
  eventId: string,
  cart: KeptCart,
  found: KeptCart | null,
): string => context.seal(aboutCount(eventId, cart), JSON.stringify(found));

/** What is told of the cart that the browser has: another count, or null for one that is gone; undefined for nothing. */
export function readCount(
  context: Sealing,
  eventId: string,
  cart: KeptCart,
  value: string | null,
): KeptCart | null | undefined {
  const text = value && context.unseal(aboutCount(eventId, cart), value);
  return text ? (JSON.parse(text) as KeptCart | null) : undefined;
}
