/** The store's ids, as addresses and forms of ours name them. */
import type { StoreId } from "./store";

const NUMBER = /^\d{1,20}$/;
const gid = (type: string) => (number: unknown) =>
  typeof number === "string" && NUMBER.test(number) ? `gid://shopify/${type}/${number}` : null;

/** The id of a product by its number; null for what is no number. */
export const productIdOf = gid("Product");
/** The id of a variant by its number; null for what is no number. */
export const variantIdOf = gid("ProductVariant");
/** The id of a collection by its number; null for what is no number. */
export const collectionIdOf = gid("Collection");
/** The number of a product, variant or collection, for addresses. */
export const numberOf = (id: StoreId): string => id.slice(id.lastIndexOf("/") + 1);

const OF = (type: string) => new RegExp(`^gid://shopify/${type}/\\d{1,20}$`);
const PRODUCT = OF("Product");
const VARIANT = OF("ProductVariant");
const COLLECTION = OF("Collection");

/** Whether a value is a product's id. */
export const isProductId = (value: unknown): value is StoreId =>
  typeof value === "string" && PRODUCT.test(value);
/** Whether a value is a variant's id. */
export const isVariantId = (value: unknown): value is StoreId =>
  typeof value === "string" && VARIANT.test(value);
/** Whether a value is a collection's id. */
export const isCollectionId = (value: unknown): value is StoreId =>
  typeof value === "string" && COLLECTION.test(value);

const CART = /^gid:\/\/shopify\/Cart\/[\w%=-]{1,128}(?:\?key=[\w%=-]{1,128})?$/;
const LINE = /^gid:\/\/shopify\/CartLine\/[\w%=-]{1,128}(?:\?cart=[\w%=-]{1,128})?$/;

/** Whether a value has the form of a cart's id, key included. */
export const isCartId = (value: unknown): value is StoreId => typeof value === "string" && CART.test(value);
/** Whether a value has the form of the id of a cart's line. */
export const isLineId = (value: unknown): value is StoreId => typeof value === "string" && LINE.test(value);

const CART_PREFIX = "gid://shopify/Cart/";

const CART_COUNT = /:(\d{1,9})$/;

/**
 * A cart as an address of ours or a cookie names it: for frames of other sites in which no cookie comes back. A secret, as the id is.
 * @param count how many things are in it; null where nobody knows
 */
export const cartHandle = (id: StoreId, count: number | null = null): string =>
  `${id.slice(CART_PREFIX.length).replace("?key=", ".")}${count === null ? "" : `:${count}`}`;

/** The cart's id of a handle; null for what is none. */
export function cartIdOf(handle: unknown): StoreId | null {
  if (typeof handle !== "string") return null;
  const id = CART_PREFIX + handle.replace(CART_COUNT, "").replace(".", "?key=");
  return isCartId(id) ? id : null;
}

/** How many things were in the cart of a handle when its address was made: for looking at alone. Null where it does not say. */
export function cartCountOf(handle: string | null): number | null {
  const [, count] = CART_COUNT.exec(handle ?? "") ?? [];
  return count === undefined ? null : Number(count);
}
