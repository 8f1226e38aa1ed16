/** What the use cases of an event's store ask of the outside: functions/storefront. */
import type {
  Cart,
  CartItem,
  ProductChoice,
  Selection,
  StoreCard,
  StoreCollection,
  StoreId,
  StorePage,
  StoreProduct,
  StoreWarning,
} from "~/domain/store";
import type { ProductQuery } from "~/domain/store.schema";
import type { StoreLocale } from "~/domain/store-locale";

/** Where a store answers, and with which public token. Both stay on the server. */
export interface StoreAccess {
  /** https://host, checked (readStoreUrl). */
  readonly origin: string;
  readonly token: string;
}

/** What became of a change of a cart. `refused`: the store's user errors, and nothing was changed. */
export type CartChange =
  | { readonly status: "done"; readonly cart: Cart; readonly warnings: readonly StoreWarning[] }
  | {
      readonly status: "refused";
      readonly reason: "no_cart" | "no_variant" | "no_line" | "other";
      /** The store's own words. */
      readonly message: string;
    };

/** A product's page: itself at once, its collections when they arrive; null for those when they do not. Never rejects. */
export interface ProductAnswer {
  readonly product: StoreProduct;
  readonly collections: Promise<readonly StoreCollection[] | null>;
  /** What stands at the places that were asked for, where the store tells it by its names alone, which take another question; null otherwise. */
  readonly named: Selection | null;
}

/** A product by its id, with the titles of its variants that are sold out where they were asked for. */
export interface CardAnswer {
  readonly card: StoreCard;
  readonly soldOut: readonly string[];
}

/**
 * A store's products and carts (§7). One call to the store a method, none where the edge still knows; carts are never kept. Everything
 * rejects with StoreFailure. Null is what the store does not have.
 */
export interface Storefront {
  /** The shop's name: always asked anew. */
  shopName(store: StoreAccess): Promise<string>;
  products(store: StoreAccess, query: ProductQuery, locale: StoreLocale): Promise<StorePage>;
  /** Of more than PRODUCT_PAGE_SIZE variants a choice by places alone is not found: `named` says what to ask for. */
  product(
    store: StoreAccess,
    id: StoreId,
    choice: ProductChoice,
    locale: StoreLocale,
  ): Promise<ProductAnswer | null>;
  /** At most PRODUCT_PAGE_SIZE ids; in the order of the ids, null for each that is gone. `withStock`: which variants are sold out, as it is now. */
  cards(
    store: StoreAccess,
    ids: readonly StoreId[],
    locale: StoreLocale,
    withStock?: boolean,
  ): Promise<readonly (CardAnswer | null)[]>;
  /** What is kept of the same cards, without waiting for the store; null for nothing. What is not fresh is asked for behind the caller's back. */
  knownCards(
    store: StoreAccess,
    ids: readonly StoreId[],
    locale: StoreLocale,
  ): Promise<readonly (CardAnswer | null)[] | null>;
  /** At most STORE_COLLECTIONS, each with COLLECTION_PRODUCTS of its products. */
  collections(store: StoreAccess, locale: StoreLocale): Promise<readonly StoreCollection[]>;
  collection(
    store: StoreAccess,
    id: StoreId,
    page: Pick<ProductQuery, "after" | "before">,
    locale: StoreLocale,
  ): Promise<{ readonly title: string; readonly page: StorePage } | null>;
  /** An empty cart (§7: empty input). */
  createCart(store: StoreAccess, locale: StoreLocale): Promise<Cart>;
  cart(store: StoreAccess, id: StoreId, locale: StoreLocale): Promise<Cart | null>;
  addLines(
    store: StoreAccess,
    cartId: StoreId,
    items: readonly CartItem[],
    locale: StoreLocale,
  ): Promise<CartChange>;
  updateLine(
    store: StoreAccess,
    cartId: StoreId,
    line: { readonly id: StoreId; readonly quantity: number },
    locale: StoreLocale,
  ): Promise<CartChange>;
  removeLine(store: StoreAccess, cartId: StoreId, lineId: StoreId, locale: StoreLocale): Promise<CartChange>;
}
