import type { StockState } from "~/domain/store/store";
import type { Translate } from "~/i18n/messages";

/** Formats the stock of a product: it is in stock while any variant is. */
export function formatStock(t: Translate, state: StockState): string {
  const texts: Readonly<Record<StockState, () => string>> = {
    in_stock: () => t("store-visitors:available"),
    some_sold_out: () => t("store-visitors:available"),
    back_order: () => t("store-visitors:backOrder"),
    sold_out: () => t("store-visitors:states.outOfStock"),
    not_for_sale: () => t("store-visitors:states.notForSale"),
  };
  return texts[state]();
}

/** Whether any variant of a product is in stock, so that lists need not show the stock. */
export const isInStock = (state: StockState): boolean => state === "in_stock" || state === "some_sold_out";
