import type { Lang } from "~/domain/shared/model";
import { isOnePrice } from "~/domain/store/event-store";
import type { StoreCard } from "~/domain/store/store";
import { formatMoney } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";

/** Formats the price of a product: one price, or the lowest one with "from". */
export function formatPrice(t: Translate, lang: Lang, range: StoreCard["price"]): string {
  const price = formatMoney(range.from, lang);
  return isOnePrice(range) ? price : t("store-visitors:from", { price });
}
