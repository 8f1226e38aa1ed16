/** What is done with the products of an event: the editor's script and the page without scripts do the same. */
import type { TagProduct } from "~/domain/shared/model";
import type { StoreId } from "~/domain/store/store";
import { numberOf } from "~/domain/store/store-ids";

/** What can be done with one of the event's products. */
export const PRODUCT_ACTIONS = ["up", "down", "out"] as const;
/** One of them. */
export type ProductAction = (typeof PRODUCT_ACTIONS)[number];

type Products = readonly TagProduct[];

/** The products with one more at the end; the same ones where it is among them. */
export const attachProduct = (products: Products, product: TagProduct): Products =>
  products.some(({ id }) => id === product.id) ? products : [...products, product];

/** The products after an act. Of one that is not there nothing comes. */
export function applyProductAction(products: Products, act: ProductAction, id: string): Products {
  const at = products.findIndex((product) => product.id === id);
  const product = products[at];
  const to = act === "up" ? at - 1 : at + 1;
  if (!product || (act !== "out" && !products[to])) return products;
  const others = products.filter((each) => each !== product);
  return act === "out" ? others : [...others.slice(0, to), product, ...others.slice(to)];
}

/** What a button says with its value: an act, and the number of the product that it means. */
export function parseProductAction(
  value: string,
): { readonly act: ProductAction; readonly number: string } | null {
  const [name, number = ""] = value.split("~");
  const act = PRODUCT_ACTIONS.find((each) => each === name);
  return act ? { act, number } : null;
}

/** The value of a button, as parseProductAction reads it. */
export const productActionValue = (act: ProductAction, id: string): string => `${act}~${numberOf(id)}`;

/** Where a product stands on the page that offers it. */
export const productPlace = (id: StoreId): string => `product-${numberOf(id)}`;
