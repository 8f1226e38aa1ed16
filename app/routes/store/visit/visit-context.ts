import type { Context } from "react";
import type { TagProduct } from "~/domain/shared/model";
import type { StoreId } from "~/domain/store/store";
import { RouteDataContext } from "~/i18n/late-part";
import type { ReadAt } from "../shared/store-result";

/** Formatted data of a product of the event or a tag, as the store has it now. */
export interface LiveProduct {
  readonly title: string;
  readonly price: string;
  readonly state: string;
  readonly isInStock: boolean;
  /** Time of the store's response in epoch milliseconds. */
  readonly respondedAt: number;
}

/** Prices and stock of an event's products: cached ones that come with the page, or those that it requests later. */
export interface LiveProducts {
  /** Products of the event and its tags by id; null for a product that the store no longer has. Null if the store never responded. */
  readonly products: Readonly<Record<StoreId, LiveProduct | null>> | null;
  /** Time at which they were read; absent if there are none. */
  readonly readAt?: ReadAt | undefined;
  /** Whether the last request to the store failed. */
  readonly hasFailed?: boolean;
}

/** Shop data of an event's page when it is rendered. */
export interface PageShop {
  readonly products: readonly TagProduct[];
  /** Prices and stock of the displayed products, if they are cached. */
  readonly live?: LiveProducts | null;
}

/** Whether the store has deleted a product. The owner sees a message; visitors do not see the product. */
export const isDeletedInStore = (live: LiveProducts | null | undefined, id: StoreId): boolean =>
  live?.products?.[id] === null;

/** Parts of the response of `shop/live`, one per line: the number of items in the cart (null if unknown), and then the products. */
export type LivePart = LiveProducts | { readonly count: number | null };

/** Shared state of the pages of an event and its shop during a visit. */
export interface ShopVisit {
  /** Null until the data has arrived. */
  readonly live: LiveProducts | null;
  /** Number of items in the cart. */
  readonly count: number;
  /** Number of items in the cart after a change by another tab; null while this tab made the last change. */
  readonly otherTabCount: number | null;
  /** Cart for the page's links (its id in a short form, with its item count), if cookies are blocked; otherwise null. */
  readonly handle: string | null;
  /** URL for visit reports; null if visits are not counted. */
  readonly reportUrl: string | null;
  /** Number of retries of the request to the store; a new value repeats the request. */
  readonly attempt: number;
  updateProducts(live: LiveProducts): void;
  updateCart(count: number, handle: string | null): void;
  retry(): void;
}

/** Null if there is no shop. */
export const ShopContext = RouteDataContext as Context<ShopVisit | null>;
