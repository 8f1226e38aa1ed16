import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { priceWords } from "./price";
import { answerOf, enterShop } from "./shop.server";
import type { Live, LiveProduct } from "./visit-context";

/**
 * What an event's page, which is the same for everybody, asks for after it can be used: how much is in this visitor's cart, and how the products of
 * its tags stand. At most one call to the store.
 */
export async function loader(asked: LoaderFunctionArgs) {
  const { t, count, input } = await enterShop(asked);
  const { context } = asked;
  const cards = await answerOf(context, t, context.services.shop.listAttached(input));
  const live: Live = {
    count,
    products: cards.ok
      ? Object.fromEntries(
          Object.entries(cards.value).map(
            ([id, { title, price, availableForSale }]): [string, LiveProduct] => [
              id,
              {
                title,
                price: priceWords(t, context.lang, price),
                state: t(availableForSale ? "shop.available" : "errors.store.outOfStock"),
                canBuy: availableForSale,
              },
            ],
          ),
        )
      : null,
  };
  return Response.json(live, { headers: { "cache-control": "no-store" } });
}
