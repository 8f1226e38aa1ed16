/**
 * An event's store, as visitors and owners see it (specification §3): plain data, as the store's service returns it. It contains neither the store's
 * token nor the URLs of its images; this app's server sends the images.
 */
import type { RichBlock, RichInline } from "../content/rich-text";

/** A global id of the Storefront API, such as gid://shopify/Product/1. */
export type StoreId = string;

/** An amount as the store writes it ("1200.0"), and an ISO 4217 code. Only formatMoney shows it; it is never used in arithmetic. */
export interface Money {
  readonly amount: string;
  readonly currencyCode: string;
}

/** An image of the store, sent by this app's server. */
export interface StoreImageData {
  /** A path on this server: at most STORE_IMAGE_WIDTHS.small pixels wide. */
  readonly small: string;
  /** A path on this server: at most STORE_IMAGE_WIDTHS.large pixels wide. */
  readonly large: string;
  /** The store's own text; empty if it has none. */
  readonly alt: string;
  /** Size of the original image, in pixels; null if the store does not state it. */
  readonly width: number | null;
  readonly height: number | null;
}

/** Maximum widths to which the store resizes images, in pixels. */
export const STORE_IMAGE_WIDTHS = { small: 400, large: 1200 } as const;

/** One option of a variant, such as a colour or a size. */
export interface SelectedOption {
  readonly name: string;
  readonly value: string;
}

/** A visitor's choice of options; possibly not all of them, and possibly a combination that does not exist. */
export type Selection = readonly SelectedOption[];

/** A product choice from a URL (product-choice.ts). */
export interface ProductChoice {
  /** Options by name, as the URL writes them. */
  readonly names: Selection;
  /** Whether the names are the store's own in the language of the page, so that the store can be queried by them. */
  readonly isExact: boolean;
  /** A variant's number or id, as the URL writes it; null for none. */
  readonly variant: string | null;
  /** Positions of the values, from older links; null for none. */
  readonly positions: readonly number[] | null;
}

/** An option of a product with its values in the store's order. */
export interface StoreOption {
  readonly name: string;
  readonly values: readonly string[];
}

/** A variant of a product, which is the unit of sale (specification §3). */
export interface StoreVariant {
  readonly id: StoreId;
  readonly title: string;
  /** The variant's own image or the product's. */
  readonly image: StoreImageData | null;
  readonly price: Money;
  readonly selectedOptions: Selection;
  readonly availableForSale: boolean;
  /** The store has none in stock. With availableForSale, it is sold on back-order. */
  readonly currentlyNotInStock: boolean;
}

/**
 * Availability of a product (see stockState). "back_order": every variant that can be bought is on back-order; "some_sold_out": some
 * variants are sold out, others can be bought.
 */
export type StockState = VariantState | "some_sold_out";

/** A product in a list. */
export interface StoreCard {
  readonly id: StoreId;
  readonly title: string;
  /** A path on this server to the image, at most STORE_IMAGE_WIDTHS.small pixels wide; null for none. */
  readonly image: string | null;
  /** The lowest and the highest price of the variants. */
  readonly price: { readonly from: Money; readonly to: Money };
  readonly state: StockState;
  /** Time of the store's response, in epoch milliseconds. */
  readonly respondedAt: number;
}

/** A collection with some of its products. */
export interface StoreCollection {
  readonly id: StoreId;
  readonly title: string;
  /** At most COLLECTION_PRODUCTS (specification §9). */
  readonly products: readonly StoreCard[];
}

/** A cell of a table. */
export interface StoreCell {
  readonly text: readonly RichInline[];
  /** Whether the cell is the header of its column or row. */
  readonly isHead?: true;
  /** Number of columns and rows that the cell spans, if more than one. */
  readonly columns?: number;
  readonly rows?: number;
}

/**
 * A description, reduced to the parts that are rendered: no HTML of the store reaches a page. A table is a list of rows of cells; `head`
 * states whether the first row contains the column headers.
 */
export type StoreText = readonly (
  | RichBlock
  | {
      readonly table: readonly (readonly StoreCell[])[];
      readonly head: boolean;
      readonly caption: readonly RichInline[];
    }
  | { readonly quote: StoreText }
  | { readonly image: StoreImageData }
)[];

/** A product's page (specification §3). */
export interface StoreProduct {
  readonly id: StoreId;
  readonly title: string;
  readonly description: StoreText;
  /** The main image first. At most PRODUCT_PAGE_SIZE (specification §9). */
  readonly images: readonly StoreImageData[];
  /** Empty for a product without options. */
  readonly options: readonly StoreOption[];
  /**
   * The variant that the store shows for the selection: the selected one, or the first that can be bought, or the first. Null for a
   * product without variants.
   */
  readonly variant: StoreVariant | null;
  /**
   * The variants, starting with `variant`. For a product with more variants than one response has: at least those that differ from the
   * selection in one option.
   */
  readonly variants: readonly StoreVariant[];
  /** The product is sold by subscription only, which visitors cannot buy here. */
  readonly subscriptionOnly: boolean;
  /** The product has more variants than one response has, so URLs also state the language of a choice's names (`named`). */
  readonly isLarge: boolean;
  /** Time of the store's response, in epoch milliseconds. */
  readonly respondedAt: number;
}

/** Cursors of the store's next and previous page; null at the end and the start. */
export interface StorePageInfo {
  readonly next: string | null;
  readonly previous: string | null;
}

/** A page of a list of products. */
export interface StorePage extends StorePageInfo {
  readonly products: readonly StoreCard[];
}

/** A line of a cart (specification §3). */
export interface CartLine {
  readonly id: StoreId;
  readonly quantity: number;
  readonly variant: StoreVariant;
  readonly product: Pick<StoreProduct, "id" | "title" | "isLarge">;
  /** Price of one item in this cart. The variant's own price is that of the country for which it was queried. */
  readonly each: Money;
  /** Price of the whole line. */
  readonly total: Money;
}

/** A cart (specification §3). */
export interface Cart {
  /** The id with its key. A caller that has it can change the cart. */
  readonly id: StoreId;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly totalQuantity: number;
  /** URL of the store's own checkout page, https; null for an empty cart, or if the URL is not safe to link to. */
  readonly checkoutUrl: string | null;
  readonly subtotal: Money;
  readonly total: Money;
  /** Newest first. At most CART_LINES_MAX (specification §9). */
  readonly lines: readonly CartLine[];
}

/** A quantity of one variant. */
export interface CartItem {
  readonly variantId: StoreId;
  readonly quantity: number;
}

/** An item that a visitor removed from a cart, so that it can be put back. */
export interface RemovedItem extends CartItem {
  /** The title that the cart showed. */
  readonly title: string;
}

/** The part of a cart that a visitor's browser stores, so that the item count needs no call to the store. */
export interface StoredCart {
  readonly id: StoreId;
  /** Number of items when the cart was last seen; null if unknown. */
  readonly quantity: number | null;
}

/**
 * The kind of change that a store made to a cart by itself.
 * - not_enough_stock: the cart has fewer items than requested
 * - out_of_stock: the item is sold out
 * - removed: items are gone that the visitor did not remove
 * - expired: the cart no longer existed
 * - not_added: some or all of an item was not added to the cart, while others of the same request were
 * - other: any other change, explained only by the store's own message, if there is one
 */
export type AdjustmentKind =
  | "not_enough_stock"
  | "out_of_stock"
  | "removed"
  | "expired"
  | "not_added"
  | "other";

/** One adjustment, so that a page can report how the result differs from the request. */
export interface CartAdjustment {
  readonly kind: AdjustmentKind;
  /** The affected line, if it still exists. */
  readonly lineId: StoreId | null;
  /** Title of the line; empty if unknown. */
  readonly title: string;
  /** Requested quantity, for "removed" the earlier quantity; null if not relevant or unknown. */
  readonly asked: number | null;
  /** Quantity in the cart, for "not_added" the quantity that was added; null if not relevant or unknown. */
  readonly quantity: number | null;
  /** The store's own message, in its language; empty if it has none. */
  readonly message: string;
}

/** A warning from the store, unchanged. `target` is the id of a cart line or of the cart. */
export interface StoreWarning {
  /** A CartWarningCode of the API version that responded. */
  readonly code: string;
  readonly message: string;
  readonly target: string;
}

/**
 * Causes of a store's failure. Each cause has one code, so that owners learn the cause; visitors learn only which operation failed.
 * - network: the store is unreachable; cut: the connection was reset or interrupted; elsewhere: a redirect, which is not followed;
 * timeout: no response in time; too_large: the response exceeds the size limit
 * - retries: 429, 503 or no connection on every attempt
 * - unauthorized 401, payment 402, forbidden 403, not_found 404, throttled 429, security 430, server 5xx of the store itself, status: any other
 * - content_type: not JSON; bad_answer: invalid JSON, or JSON without the requested field
 * - access_denied: the token lacks an access scope; too_costly: the query costs more than the store allows; inactive: the shop is closed
 * or locked (423)
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
/** One of the causes in STORE_FAILURES. */
export type StoreFailureCode = (typeof STORE_FAILURES)[number];

/** Availability of a variant (see variantState). */
export type VariantState = "in_stock" | "back_order" | "sold_out" | "not_for_sale";

/** One value of an option, as offered while the other options stay unchanged. */
export interface OptionChoice {
  readonly value: string;
  readonly isSelected: boolean;
  /** "none": the combination does not exist. */
  readonly state: VariantState | "none";
  /** The selection that results from choosing this value. */
  readonly selection: Selection;
}

/** An option with the values that a visitor can choose now. */
export interface OptionRow {
  readonly name: string;
  readonly choices: readonly OptionChoice[];
}

/** A product with a visitor's choice. */
export interface ProductView {
  readonly product: StoreProduct;
  /** The visitor's choice, completed with values for the other options (see productView). */
  readonly selection: Selection;
  readonly rows: readonly OptionRow[];
  /** The variant of that selection; null: 'The selected product variation does not exist' (specification §8). */
  readonly variant: StoreVariant | null;
  readonly state: VariantState | "none";
}

/**
 * State of an attached product in its store: its availability, "gone" if the store no longer has it, "unknown" if the store could not be
 * queried.
 */
export type AttachedState = StockState | "gone" | "unknown";

/** A product that an event or one of its tags shows. */
export interface AttachedProduct {
  readonly id: StoreId;
  /** The store's current title; the saved title if the store returned none. */
  readonly title: string;
  readonly state: AttachedState;
  /** Titles of the variants that are sold out. */
  readonly soldOut: readonly string[];
  /** Null if the state is "gone" or "unknown". */
  readonly card: StoreCard | null;
}

/** Result of a connection test (specification §4: idle, success, failure; the page shows verifying during the test). */
export type ConnectionTest =
  /** The URL or the token is missing, so no test was made (specification §5). */
  | { readonly state: "idle" }
  | {
      readonly state: "success";
      readonly shopName: string;
      /** The API version that responded, if it differs from the requested one. */
      readonly answeredVersion?: string;
    }
  | {
      readonly state: "failure";
      readonly code: StoreFailureCode | "address" | "token";
      /** Message key of the error of the URL or token; null for the store's failures. */
      readonly key: string | null;
      /** Message of the StoreFailure; empty for an error of the URL or token. */
      readonly message: string;
      /** The access scope that the token lacks, if it lacks one. */
      readonly scope?: string;
    };

/** The purposes of calls to a store. `attached`: the cards of the products that an event and its tags show; `shop`: the shop's name. */
export const STORE_OPERATIONS = [
  ...(["shop", "products", "search", "collections", "collection", "product", "attached"] as const),
  ...(["cartCreate", "cart", "cartAdd", "cartUpdate", "cartRemove"] as const),
] as const;
/** One of the purposes in STORE_OPERATIONS. */
export type StoreOperation = (typeof STORE_OPERATIONS)[number];

/** A store's response, or its absence, as shown to the event's owner. */
export interface StoreResponse {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly operation: StoreOperation;
  /** Null for a success. */
  readonly code: StoreFailureCode | null;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Message of the StoreFailure; empty for a success. */
  readonly message: string;
  readonly scope: string | null;
  /** The API version that responded; null if the store does not state it. */
  readonly version: string | null;
  /** Duration of the call with all its attempts, in milliseconds. */
  readonly ms: number;
  /** Number of attempts. */
  readonly attempts: number;
}

/** The last usable response of an event's store, and the last failure; null if there was none. */
export interface StoreStatus {
  readonly response: StoreResponse | null;
  readonly failure: StoreResponse | null;
}
