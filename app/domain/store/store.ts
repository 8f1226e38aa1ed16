/**
 * An event's store, as visitors and owners see it (§3): plain data, as the store's service hands it out. Neither the store's token nor
 * an address of its pictures is part of it; pictures come from our own server.
 */
import type { RichBlock, RichInline } from "../content/rich-text";

/** The Storefront API's global ids: gid://shopify/Product/1 and so on. */
export type StoreId = string;

/** An amount as the store writes it ("1200.0"), and an ISO 4217 code. Shown by formatMoney alone, never computed with. */
export interface Money {
  readonly amount: string;
  readonly currencyCode: string;
}

/** A picture of the store, sent by our own server. */
export interface StorePicture {
  /** A path of ours, for lists: at most STORE_PICTURE_WIDTHS.small wide. */
  readonly small: string;
  /** The same for product pages: at most STORE_PICTURE_WIDTHS.large wide. */
  readonly large: string;
  /** The store's own text; empty where it has none. */
  readonly alt: string;
  /** Pixels of the whole picture; null where the store does not say. */
  readonly width: number | null;
  readonly height: number | null;
}

/** Pixels to which the store is asked to bring pictures down. */
export const STORE_PICTURE_WIDTHS = { small: 400, large: 1200 } as const;

/** One option of a variant: a colour, a size. */
export interface SelectedOption {
  readonly name: string;
  readonly value: string;
}

/** What a visitor has chosen of a product's options; not necessarily all of them, and not necessarily something that exists. */
export type Selection = readonly SelectedOption[];

/** A choice that an address makes of a product (product-choice.ts). */
export interface ProductChoice {
  /** Options by name, as the address writes them. */
  readonly names: Selection;
  /** The names are the store's own in the language of the page: the store can be asked by them. */
  readonly isExact: boolean;
  /** A variant's number or id, as the address writes it; null for none. */
  readonly variant: string | null;
  /** Positions of the values, as older links have them; null for none. */
  readonly positions: readonly number[] | null;
}

/** An option of a product with its values in the store's order. */
export interface StoreOption {
  readonly name: string;
  readonly values: readonly string[];
}

/** What can be bought (§3). */
export interface StoreVariant {
  readonly id: StoreId;
  readonly title: string;
  /** Its own picture or the product's. */
  readonly picture: StorePicture | null;
  readonly price: Money;
  readonly selectedOptions: Selection;
  readonly availableForSale: boolean;
  /** The store has none at the moment. With availableForSale it is taken on back-order. */
  readonly currentlyNotInStock: boolean;
}

/**
 * What can be had of a product, over all of its variants (see stockState). "back_order": whatever can be bought is taken on back-order;
 * "some_sold_out": some variants are in stock, others sold out.
 */
export type StockState = VariantState | "some_sold_out";

/** A product in a list. */
export interface StoreCard {
  readonly id: StoreId;
  readonly title: string;
  readonly picture: StorePicture | null;
  /** The lowest price of its variants, and the highest. */
  readonly price: { readonly from: Money; readonly to: Money };
  readonly state: StockState;
  /** When the store said so, in epoch milliseconds. */
  readonly saidAt: number;
}

/** A collection with some of its products. */
export interface StoreCollection {
  readonly id: StoreId;
  readonly title: string;
  readonly picture: StorePicture | null;
  /** At most COLLECTION_PRODUCTS (§9). */
  readonly products: readonly StoreCard[];
}

/** A cell of a table. */
export interface StoreCell {
  readonly text: readonly RichInline[];
  /** It names its column or its row. */
  readonly isHead?: true;
  /** How many columns and rows it spans, where that is more than one. */
  readonly columns?: number;
  readonly rows?: number;
}

/** A description, reduced to what is drawn: no HTML of the store's reaches a page. A table is its rows of cells; of the first row `head` says whether it names the columns. */
export type StoreText = readonly (
  | RichBlock
  | {
      readonly table: readonly (readonly StoreCell[])[];
      readonly head: boolean;
      readonly caption: readonly RichInline[];
    }
  | { readonly quote: StoreText }
  | { readonly picture: StorePicture }
)[];

/** A product's page (§3). */
export interface StoreProduct {
  readonly id: StoreId;
  readonly title: string;
  readonly description: StoreText;
  /** The main one first. At most PRODUCT_PAGE_SIZE (§9). */
  readonly pictures: readonly StorePicture[];
  /** Empty for a product that there is in one form alone. */
  readonly options: readonly StoreOption[];
  /** What the store shows for the selection: it, or the first that can be bought, or the first. Null for a product without any. */
  readonly variant: StoreVariant | null;
  /** The variants, the selected one first. Of a product with more variants than one response has, at least those that differ from the selection in one option. */
  readonly variants: readonly StoreVariant[];
  /** It is sold by subscription alone, which visitors cannot take here. */
  readonly subscriptionOnly: boolean;
  /** It has more variants than the store tells at once: addresses say a choice by its names as well. */
  readonly isLarge: boolean;
  /** When the store said so, in epoch milliseconds. */
  readonly saidAt: number;
}

/** Where the store's list goes on; null where it ends. */
export interface StorePageInfo {
  readonly next: string | null;
  readonly previous: string | null;
}

/** A page of a list of products. */
export interface StorePage extends StorePageInfo {
  readonly products: readonly StoreCard[];
}

/** A line of a cart (§3). */
export interface CartLine {
  readonly id: StoreId;
  readonly quantity: number;
  readonly variant: StoreVariant;
  readonly product: Pick<StoreProduct, "id" | "title" | "isLarge">;
  /** Of one, as this cart is paid: the variant's own price is that of the country in which it was asked for. */
  readonly each: Money;
  /** Of the whole line. */
  readonly total: Money;
}

/** A cart (§3). */
export interface Cart {
  /** With the key that opens it: whoever has it can change the cart. */
  readonly id: StoreId;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly totalQuantity: number;
  /** The store's own page, https; null while there is nothing to pay or where the address is none to lead people to. */
  readonly checkoutUrl: string | null;
  readonly subtotal: Money;
  readonly total: Money;
  /** Newest first. At most CART_LINES_MAX (§9). */
  readonly lines: readonly CartLine[];
}

/** So many of one variant. */
export interface CartItem {
  readonly variantId: StoreId;
  readonly quantity: number;
}

/** What a visitor took out of a cart, so that it can be put back. */
export interface TakenOut extends CartItem {
  /** As the cart called it. */
  readonly title: string;
}

/** What a visitor's browser remembers of a cart, so that its count needs no call to the store. */
export interface KeptCart {
  readonly id: StoreId;
  /** How many things were in it when it was seen last; null where nobody knows. */
  readonly quantity: number | null;
}

/**
 * What a store changed of a cart by itself.
 * - not_enough_stock: fewer than asked are in the cart
 * - out_of_stock: none is to be had
 * - removed: a line is gone that nobody took out
 * - expired: the cart was not there any more, and an empty one is in its place
 * - not_added: some or all of an item did not come into the cart, while others of the same request did
 * - other: something that only the store's own message says
 */
export type AdjustmentKind =
  | "not_enough_stock"
  | "out_of_stock"
  | "removed"
  | "expired"
  | "not_added"
  | "other";

/** One adjustment, so that a page can say what became of what was asked. */
export interface CartAdjustment {
  readonly kind: AdjustmentKind;
  /** The line it is about, if it is still there. */
  readonly lineId: StoreId | null;
  /** What the line holds; empty where nobody knows. */
  readonly title: string;
  /** How many were asked for, and how many are in the cart; null where that is not the point. */
  readonly asked: number | null;
  readonly quantity: number | null;
  /** The store's own words, in its language; empty where it has none. */
  readonly message: string;
}

/** A warning of the store, as it came. `target` is a cart line's id, or the cart's. */
export interface StoreWarning {
  /** One of CartWarningCode, of whatever version of the API answered. */
  readonly code: string;
  readonly message: string;
  readonly target: string;
}

/**
 * Why a store gave nothing. One code a cause, so that owners can be told; visitors are told what could not be done.
 * - network: nobody there; cut: the connection was reset or broke off; elsewhere: a redirect, which is not followed; timeout: no answer in
 *   time; too_large: more than is read
 * - retries: 429, 503 or no connection, however often it was tried
 * - unauthorized 401, payment 402, forbidden 403, not_found 404, throttled 429, security 430, server 5xx, status: any other
 * - content_type: not JSON; bad_answer: not JSON although it says so, or without the field that was asked for
 * - access_denied: the token lacks an access scope; too_costly: the question costs more than the store allows; inactive: the shop is closed or
 *   locked (423)
 * - graphql: the API's other errors
 */
export const STORE_FAILURES = [
  "network",
  "cut",
  "elsewhere",
  "timeout",
  "too_large",
  "retries",
  "unauthorized",
  "payment",
  "forbidden",
  "not_found",
  "throttled",
  "security",
  "server",
  "status",
  "content_type",
  "bad_answer",
  "access_denied",
  "too_costly",
  "inactive",
  "graphql",
] as const;
/** One of those. */
export type StoreFailureCode = (typeof STORE_FAILURES)[number];

/** What can be bought of a variant, or that it is none (see variantState). */
export type VariantState = "in_stock" | "back_order" | "sold_out" | "not_for_sale";

/** One value of an option, as it is offered while the others stay as they are. */
export interface OptionChoice {
  readonly value: string;
  readonly isSelected: boolean;
  /** "none": there is no such combination. */
  readonly state: VariantState | "none";
  /** What is selected when this value is chosen. */
  readonly selection: Selection;
}

/** An option with its values as a visitor may choose them now. */
export interface OptionRow {
  readonly name: string;
  readonly choices: readonly OptionChoice[];
}

/** A product with what a visitor has chosen of it. */
export interface ProductView {
  readonly product: StoreProduct;
  /** What is selected: the visitor's choice, completed by the variant that the store shows. */
  readonly selection: Selection;
  readonly rows: readonly OptionRow[];
  /** The variant of that selection; null: 'The selected product variation does not exist' (§8). */
  readonly variant: StoreVariant | null;
  readonly state: VariantState | "none";
}

/** How an attached product stands in its store: what can be had of it, that it has gone, or that nobody could be asked. */
export type AttachedState = StockState | "gone" | "unknown";

/** A product that an event or one of its tags shows. */
export interface AttachedProduct {
  readonly id: StoreId;
  /** The store's title now; the one that was kept when there is no other. */
  readonly title: string;
  readonly state: AttachedState;
  /** Titles of the variants that are sold out. */
  readonly soldOut: readonly string[];
  /** Null when it has gone. */
  readonly card: StoreCard | null;
}

/** What a test of the connection came to (§4: idle, success, failure; verifying is what the page shows meanwhile). */
export type ConnectionTest =
  /** Address or token is missing: nothing was done (§5). */
  | { readonly state: "idle" }
  | {
      readonly state: "success";
      readonly shopName: string;
      /** The API's version that answered, where it is not the one that was asked for. */
      readonly answeredVersion?: string;
    }
  | {
      readonly state: "failure";
      readonly code: StoreFailureCode | "address" | "token";
      /** Of address and token: the key of what is wrong with them. */
      readonly key: string | null;
      /** The client's own message (§8), without token and address; empty where there is none. */
      readonly message: string;
      /** The access scope that the token lacks, where it lacks one. */
      readonly scope?: string;
    };

/** The purpose of a call to a store. `attached`: the cards of an event's own products; `shop`: the shop's name. */
export const STORE_OPERATIONS = [
  ...(["shop", "products", "search", "collections", "collection", "product", "attached"] as const),
  ...(["cartCreate", "cart", "cartAdd", "cartUpdate", "cartRemove"] as const),
] as const;
/** One of those. */
export type StoreOperation = (typeof STORE_OPERATIONS)[number];

/** A response of a store, or its absence, in the form that the event's owner sees. */
export interface StoreResponse {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly operation: StoreOperation;
  /** Null where everything went well. */
  readonly code: StoreFailureCode | null;
  /** HTTP status; null where there was no response. */
  readonly status: number | null;
  /** The client's own message (§8), without token; empty where everything went well. */
  readonly message: string;
  readonly scope: string | null;
  /** The API's version that answered; null where the store does not say. */
  readonly version: string | null;
  /** How long the call took with all its attempts, in milliseconds. */
  readonly ms: number;
  /** How many times it was sent. */
  readonly attempts: number;
}

/** The last response of an event's store that could be used, and the last failure; null where there was none. */
export interface StoreStatus {
  readonly answer: StoreResponse | null;
  readonly failure: StoreResponse | null;
}
