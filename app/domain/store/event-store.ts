import type { TagProduct } from "../shared/model";
import type { StoreCard } from "./store";

/**
 * Returns the store of an event that has both a URL and a token (specification §5); null otherwise.
 * @param token the token itself, or whether there is one, for callers that may not know it
 */
export const getEventStore = <Token>(
  storeUrl: string | null,
  token: Token | null,
): { readonly origin: string; readonly token: NonNullable<Token> } | null =>
  storeUrl && token ? { origin: storeUrl, token } : null;

/** Returns all products that an event's scene and tags show, those of the scene first, without duplicates. */
export function attachedProducts(content: {
  readonly tags: readonly { readonly product: TagProduct | null }[];
  readonly scene: { readonly products: readonly TagProduct[] };
}): readonly TagProduct[] {
  const productsById = new Map<string, TagProduct>();
  for (const product of [...content.scene.products, ...content.tags.map((tag) => tag.product)])
    if (product && !productsById.has(product.id)) productsById.set(product.id, product);
  return [...productsById.values()];
}

/** Whether an event's scene or tags show any products. */
export const showsProducts = ({ tags, scene }: Parameters<typeof attachedProducts>[0]): boolean =>
  scene.products.length > 0 || tags.some(({ product }) => product !== null);

/** Whether all variants of a product have the same price: "1200.0" and "1200.00" are equal. */
export const isOnePrice = ({ from, to }: StoreCard["price"]): boolean =>
  Number(from.amount) === Number(to.amount) && from.currencyCode === to.currencyCode;
