/** Applies actions to the products of an event, both for the editor's script and for pages without scripts. */
import type { TagProduct } from "~/domain/shared/model";
import type { StoreId } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";

/** Actions on one of the event's products: move it up or down, or remove it ("out"). */
export const PRODUCT_ACTIONS = ["up", "down", "out"] as const;
/** Name of an action. */
export type ProductAction = (typeof PRODUCT_ACTIONS)[number];

type Products = readonly TagProduct[];

/** Appends a product; returns the same list if it already contains the product. */
export const attachProduct = (products: Products, product: TagProduct): Products =>
  products.some(({ id }) => id === product.id) ? products : [...products, product];

/** The products after an action; the same list if the product is unknown or cannot move further. */
export function applyProductAction(products: Products, action: ProductAction, id: string): Products {
  const index = products.findIndex((product) => product.id === id);
  const product = products[index];
  const targetIndex = action === "up" ? index - 1 : index + 1;
  if (!product || (action !== "out" && !products[targetIndex])) return products;
  const otherProducts = products.filter((tagProduct) => tagProduct !== product);
  return action === "out"
    ? otherProducts
    : [...otherProducts.slice(0, targetIndex), product, ...otherProducts.slice(targetIndex)];
}

/** Parses the value of a button: an action, and the number in the id of its product. Null for an unknown action. */
export function parseProductAction(
  value: string,
): { readonly action: ProductAction; readonly number: string } | null {
  const [name, number = ""] = value.split("~");
  const productAction = PRODUCT_ACTIONS.find((action) => action === name);
  return productAction ? { action: productAction, number } : null;
}

/** Value of a button that parseProductAction parses. */
export const productActionValue = (action: ProductAction, id: string): string =>
  `${action}~${toIdNumber(id)}`;

/** Element id of the product field in a tag's form. The picker returns to it. */
export const TAG_PRODUCT_FIELD_ID = "tag-product";

/** Element id of a product on the picker's page. */
export const productElementId = (id: StoreId): string => `product-${toIdNumber(id)}`;
