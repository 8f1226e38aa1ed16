import type { Context } from "react";
import type { TagProduct } from "~/domain/shared/model";
import type { StoreId } from "~/domain/store/store";
import { ToldContext } from "~/i18n/later";
import type { ReadAt } from "../shared/answers";

/** A product that a tag shows, as the store has it now, in words. */
export interface LiveProduct {
  readonly title: string;
  readonly price: string;
  readonly state: string;
  readonly isInStock: boolean;
  /** When the store said so, in epoch milliseconds. */
  readonly saidAt: number;
}

/** What an event's page learns of its shop after it can be used: it is the same for everybody before. */
export interface Live {
  /** The products of the event's tags; null for one that the store no longer has. Null when it never answered. */
  readonly products: Readonly<Record<StoreId, LiveProduct | null>> | null;
  /** When they were read; missing where there are none. */
  readonly read?: ReadAt | undefined;
  /** It did not answer when it was asked last. */
  readonly hasFailed?: boolean;
}

/** What an event's page has of its shop when it is drawn. */
export interface PageShop {
  readonly products: readonly TagProduct[];
  /** How the products that are shown stand, where that was at hand. */
  readonly live?: Live | null;
}

/** Whether the store has said that it no longer has a product. Its owner is told; visitors see nothing of it. */
export const isGone = (live: Live | null | undefined, id: StoreId): boolean => live?.products?.[id] === null;

/** What `shop/live` says, a line each: how many things are in the cart (null: nobody knows yet), and then the products. */
export type LivePart = Live | { readonly count: number | null };

/** What the pages of an event and its shop tell each other during a visit. */
export interface ShopVisit {
  /** Null until it is known. */
  readonly live: Live | null;
  readonly count: number;
  /** Number of items in the cart after a change by another tab; null while this tab made the last change. */
  readonly countElsewhere: number | null;
  /** The cart's handle, where no cookie comes back and the address does not carry it yet. */
  readonly handle: string | null;
  /** Where the page tells of the visit; null where visits are not counted. */
  readonly tell: string | null;
  /** Counts how often the store was to be asked again. */
  readonly round: number;
  tellLive(live: Live): void;
  tellCart(count: number, handle: string | null): void;
  again(): void;
}

/** Null where there is no shop. */
export const ShopContext = ToldContext as Context<ShopVisit | null>;
