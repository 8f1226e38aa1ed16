import type { StockState } from "~/domain/store";
import type { Translate } from "~/i18n/i18n";

/** What a visitor is told of a product's stock, in a word: while anything of it is in stock, it is. */
export function stockWords(t: Translate, state: StockState): string {
  const words: Readonly<Record<StockState, () => string>> = {
    in_stock: () => t("shop.available"),
    some_sold_out: () => t("shop.available"),
    back_order: () => t("shop.backOrder"),
    sold_out: () => t("errors.store.outOfStock"),
    not_for_sale: () => t("errors.store.notForSale"),
  };
  return words[state]();
}

/** Whether something of a product is in stock, so that lists need not say so. */
export const isInStock = (state: StockState): boolean => state === "in_stock" || state === "some_sold_out";
