import type { Lang } from "~/domain/shared/model";
import type { StoreCard, StoreId } from "~/domain/store/store";
import type { Translate } from "~/i18n/messages";
import { formatPrice } from "../shared/format-price";
import { formatStock, isInStock } from "../shared/format-stock";
import type { LiveProduct } from "./visit-context";

/** Formats products as the store has them now; null for a product that the store no longer has. */
export const formatLiveProducts = (
  t: Translate,
  lang: Lang,
  cards: Readonly<Record<StoreId, StoreCard | null>>,
): Readonly<Record<StoreId, LiveProduct | null>> =>
  Object.fromEntries(
    Object.entries(cards).map(([id, card]): [string, LiveProduct | null] => {
      if (!card) return [id, null];
      const { title, price, state, respondedAt } = card;
      return [
        id,
        {
          title,
          price: formatPrice(t, lang, price),
          state: formatStock(t, state),
          isInStock: isInStock(state),
          respondedAt,
        },
      ];
    }),
  );
