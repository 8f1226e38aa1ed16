import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { Translate } from "~/i18n/messages";
import { toStoreResult } from "../shared/page-with-store-result.server";
import { type EnteredShop, enterShop } from "../storefront/shop.server";
import { formatLiveProducts } from "./live-products";
import type { LivePart, LiveProducts } from "./visit-context";

/**
 * Loads the data of an event's page that differs between visitors, after the page is usable: the number of items in the cart, and the prices and
 * stock of the products. It makes at most one call to the store, and sends the count without waiting for it. Each part of the response is a line of
 * JSON.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { t, count, input } = await enterShop(args);
  const { context } = args;
  const encoder = new TextEncoder();
  const toLine = (part: LivePart) => encoder.encode(`${JSON.stringify(part)}\n`);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(toLine({ count }));
      controller.enqueue(toLine(await readLiveProducts(context, t, input)));
      controller.close();
    },
  });
  return new Response(body, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  });
}

async function readLiveProducts(
  context: AppLoadContext,
  t: Translate,
  input: EnteredShop["input"],
): Promise<LiveProducts> {
  const cards = await toStoreResult(context, t, context.services.shop.listAttached(input), "attached");
  return cards.ok
    ? { products: formatLiveProducts(t, context.lang, cards.value), readAt: cards.readAt }
    : { products: null };
}
