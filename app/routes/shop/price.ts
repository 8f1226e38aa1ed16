import type { Lang } from "~/domain/model";
import type { StoreCard } from "~/domain/store";
import { formatMoney } from "~/i18n/format";
import type { Translate } from "~/i18n/i18n";

/** What a product costs, in words: one price, or from the lowest on. */
export function priceWords(t: Translate, lang: Lang, { from, to }: StoreCard["price"]): string {
  const price = formatMoney(from, lang);
  const isOne = Number(from.amount) === Number(to.amount) && from.currencyCode === to.currencyCode;
  return isOne ? price : t("shop.from", { price });
}
