import type { Uuid } from "~/domain/shared/model";
import type { Scene } from "../../visitors/scene/scene-types";
import type { LiveProducts } from "./visit-context";

/**
 * Pins whose labels contain the price of their tag's product, and its state if it is not in stock. `labelEnd` is this added part, which is cut last when
 * the label is too long. The age of the prices is in the page's list.
 */
export function pricePins<P extends { readonly id: Uuid; readonly label: string }>(
  pins: readonly P[],
  tags: Scene["tags"],
  { products }: LiveProducts,
): readonly (P & { readonly labelEnd?: string })[] {
  const priceLabels = new Map(
    tags.flatMap(({ id, product }) => {
      const liveProduct = product && products?.[product.id];
      return liveProduct
        ? [
            [
              id,
              [liveProduct.price, ...(liveProduct.isInStock ? [] : [liveProduct.state])].join(" · "),
            ] as const,
          ]
        : [];
    }),
  );
  return pins.map((pin) => {
    const price = priceLabels.get(pin.id);
    if (!price) return pin;
    const labelEnd = ` · ${price}`;
    return { ...pin, label: pin.label + labelEnd, labelEnd };
  });
}
