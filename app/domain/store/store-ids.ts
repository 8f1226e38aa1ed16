/** Conversions between the store's ids and their form in URLs and forms of this app. */
import type { StoreId } from "./store";

const NUMBER = /^\d{1,20}$/;
const gidFromNumber = (type: string) => (number: unknown) =>
  typeof number === "string" && NUMBER.test(number) ? `gid://shopify/${type}/${number}` : null;

/** Returns the id of a product by its number, written as digits; null for any other value. */
export const productIdOf = gidFromNumber("Product");
/** Returns the id of a variant by its number, written as digits; null for any other value. */
export const variantIdOf = gidFromNumber("ProductVariant");
/** Returns the id of a collection by its number, written as digits; null for any other value. */
export const collectionIdOf = gidFromNumber("Collection");
/** Returns the number of a product, variant or collection, for URLs. */
export const toIdNumber = (id: StoreId): string => id.slice(id.lastIndexOf("/") + 1);

const gidPattern = (type: string) => new RegExp(`^gid://shopify/${type}/\\d{1,20}$`);
const PRODUCT = gidPattern("Product");
const VARIANT = gidPattern("ProductVariant");
const COLLECTION = gidPattern("Collection");

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

/** Whether a value has the form of a cart's id, with or without its key. */
export const isCartId = (value: unknown): value is StoreId => typeof value === "string" && CART.test(value);
/** Whether a value has the form of the id of a cart's line. */
export const isLineId = (value: unknown): value is StoreId => typeof value === "string" && LINE.test(value);

const CART_PREFIX = "gid://shopify/Cart/";

const CART_COUNT = /:(\d{1,9})$/;

/**
 * Returns the form of a cart's id that URLs and cookies use. URLs carry it for frames on other sites, in which no cookie is returned. It
 * is as secret as the id.
 * @param count number of items in the cart; null if unknown
 */
export const cartHandle = (id: StoreId, count: number | null = null): string =>
  `${id.slice(CART_PREFIX.length).replace("?key=", ".")}${count === null ? "" : `:${count}`}`;

/** Returns the id of the cart that a handle stands for; null for an invalid handle. */
export function readCartId(handle: unknown): StoreId | null {
  if (typeof handle !== "string") return null;
  const id = CART_PREFIX + handle.replace(CART_COUNT, "").replace(".", "?key=");
  return isCartId(id) ? id : null;
}

/** Returns the number of items that a handle states, which may be out of date; null if it states none. */
export function readCartCount(handle: string | null): number | null {
  const [, count] = CART_COUNT.exec(handle ?? "") ?? [];
  return count === undefined ? null : Number(count);
}
