/** Ports of the use cases of an event's store, implemented by functions/storefront. */

import type { Repositories } from "#functions/data/shared/repositories";
import type { Uuid } from "~/domain/shared/model";
import type { ResolvedChoice } from "~/domain/store/product-choice";
import type {
  Cart,
  CartItem,
  ProductChoice,
  StoreCard,
  StoreCollection,
  StoreId,
  StorePage,
  StoreProduct,
  StoreResponse,
  StoreWarning,
} from "~/domain/store/store";
import type { ProductQuery } from "~/domain/store/store.schema";
import type { StoreFailure } from "~/domain/store/store-failure";
import type { StoreLocale } from "~/domain/store/store-locale";

/** The URL of a store, and its token, public or private (storeTokens). Both stay on the server. */
export interface StoreAccess {
  /** https://host, validated by readStoreUrl. */
  readonly origin: string;
  readonly token: string;
  /** The event for which the store is called; null for a connection test without an event. */
  readonly eventId?: Uuid | null;
  /** Whether the URL or token was typed for a test, so that responses do not belong to the event's saved store. */
  readonly isTyped?: boolean;
}

/** Store access for calls about one visitor's cart. */
export interface CartAccess extends StoreAccess {
  /** The visitor's IP address, which calls with a private token send; null if unknown. */
  readonly buyerIp: string | null;
}

/** The outcome of a call to a store, for the log and for the event's owner. It contains no token and no visitor data. */
export interface StoreCallReport {
  readonly origin: string;
  readonly eventId: Uuid | null;
  readonly isTyped: boolean;
  readonly response: StoreResponse;
}

/** The last responses of events' stores. */
export type StoreStatusRepository = Repositories["storeResponses"];

/**
 * The outcome of a change of a cart. `done`: the cart as the store returned it; with a `problem`, the store sent errors together with it or its
 * response was lost, and only the cart's lines show what was changed. `rejected`: the store's user errors, without a cart or with an unchanged one.
 */
export type CartChange =
  | {
      readonly status: "done";
      readonly cart: Cart;
      readonly warnings: readonly StoreWarning[];
      readonly problem: ChangeProblem | null;
    }
  | {
      readonly status: "rejected";
      readonly reason: "no_cart" | "no_variant" | "no_line" | "other";
      /** The store's own message. */
      readonly message: string;
    };

/** Errors of a change whose resulting cart is known. */
export type ChangeProblem =
  /** Errors of the API, or a lost response. */
  | { readonly kind: "failure"; readonly failure: StoreFailure }
  /** User errors, with the store's own message. */
  | {
      readonly kind: "rejected";
      readonly reason: "no_variant" | "no_line" | "other";
      readonly message: string;
    };

/** A product, and a promise of its collections. The promise never rejects; it resolves to null when they do not arrive. */
export interface ProductResponse {
  readonly product: StoreProduct;
  readonly collections: Promise<readonly StoreCollection[] | null>;
  /** The selection in the page's URL, with the names that the store itself uses, and the parts of it that the product does not have. */
  readonly choice: ResolvedChoice;
}

/** Permitted age of a product's data: see Storefront.product. */
export type Freshness =
  | "cached"
  | "renewed"
  /** Maximum time to wait for the store, in milliseconds. */
  | { readonly renewWithinMs: number };

/** A product as lists show it (its card), with the titles of its sold-out variants if they were requested. */
export interface CardResponse {
  readonly card: StoreCard;
  readonly soldOut: readonly string[];
}

/**
 * A store's products and carts (specification §7). Each method makes one call to the store (`product` up to three), or none for cached data; carts are
 * never cached. All methods reject with StoreFailure. Except for cachedCards, null means that the store does not have the requested object.
 */
export interface Storefront {
  /** The shop's name, which is never cached. */
  shopName(store: StoreAccess): Promise<{
    readonly name: string;
    /** Version of the API; null if the response has none. */
    readonly version: string | null;
  }>;
  products(store: StoreAccess, query: ProductQuery, locale: StoreLocale): Promise<StorePage>;
  /**
   * Loads a product with the selection of the page's URL. `cached`: cached data may be used. `renewed` calls the store, unless its last response is
   * less than a second old. With `renewWithinMs` cached data is used when the store does not respond in that time.
   */
  product(
    store: StoreAccess,
    id: StoreId,
    choice: ProductChoice,
    locale: StoreLocale,
    freshness?: Freshness,
  ): Promise<ProductResponse | null>;
  /** Cards of at most PRODUCT_PAGE_SIZE products, in the order of the ids; null for each that does not exist. `withStock` loads the sold-out variants, without the cache. */
  cards(
    store: StoreAccess,
    ids: readonly StoreId[],
    locale: StoreLocale,
    withStock?: boolean,
  ): Promise<readonly (CardResponse | null)[]>;
  /**
   * The same cards from the cache, or from the store when it responds within `withinMs` milliseconds; otherwise null. Stale cards are renewed in
   * the background.
   */
  cachedCards(
    store: StoreAccess,
    ids: readonly StoreId[],
    locale: StoreLocale,
    withinMs: number,
  ): Promise<readonly (CardResponse | null)[] | null>;
  /** At most STORE_COLLECTIONS collections, each with at most COLLECTION_PRODUCTS of its products. */
  collections(store: StoreAccess, locale: StoreLocale): Promise<readonly StoreCollection[]>;
  collection(
    store: StoreAccess,
    id: StoreId,
    page: Pick<ProductQuery, "after" | "before">,
    locale: StoreLocale,
  ): Promise<{ readonly title: string; readonly page: StorePage } | null>;
  /** An empty cart (specification §7: empty input). */
  createCart(store: CartAccess, locale: StoreLocale): Promise<Cart>;
  cart(store: CartAccess, id: StoreId, locale: StoreLocale): Promise<Cart | null>;
  /** Reads the cart with a short time limit, after a change whose response was lost. */
  cartAgain(store: CartAccess, id: StoreId, locale: StoreLocale): Promise<Cart | null>;
  /** Titles of variants by their ids, in the form of a cart's lines. Unknown variants are missing. */
  variantTitles(
    store: StoreAccess,
    ids: readonly StoreId[],
    locale: StoreLocale,
  ): Promise<ReadonlyMap<StoreId, string>>;
  addLines(
    store: CartAccess,
    cartId: StoreId,
    items: readonly CartItem[],
    locale: StoreLocale,
  ): Promise<CartChange>;
  updateLine(
    store: CartAccess,
    cartId: StoreId,
    line: { readonly id: StoreId; readonly quantity: number },
    locale: StoreLocale,
  ): Promise<CartChange>;
  removeLine(store: CartAccess, cartId: StoreId, lineId: StoreId, locale: StoreLocale): Promise<CartChange>;
}
