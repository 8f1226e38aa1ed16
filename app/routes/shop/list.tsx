import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { createProductQuerySchema } from "~/domain/store.schema";
import type { WordKey } from "~/i18n/i18n";
import { later } from "~/i18n/later";
import { shopMeta } from "./meta";
import { answerOf, arriving, enterShop, refused } from "./shop.server";
import { SHOP_WORDS } from "./words";

const ListPage = later(() => import("./list-page"), SHOP_WORDS);

/** The products of an event's shop: all of them, or those whose names contain what was searched for, a page at a time. */
export async function loader(asked: LoaderFunctionArgs) {
  const shop = await enterShop(asked);
  const { t, search, count, input } = shop;
  const typed = { q: search.get("q") ?? "", after: search.get("after"), before: search.get("before") };
  const rest = { title: t("shop.title"), count, q: typed.q, error: null };
  const query = createProductQuerySchema().safeParse(typed);
  if (!query.success) {
    const { path, message } = query.error.issues[0] ?? { path: [], message: "errors.store.noPage" };
    const words = t(message as WordKey);
    return refused({ ...rest, error: path[0] === "q" ? words : null }, 400, words);
  }
  const work = asked.context.services.shop.listProducts({ ...input, query: query.data });
  return arriving(shop, answerOf(asked.context, t, work), { ...rest, q: query.data.q });
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "./error-boundary";

export default function ShopListRoute() {
  return <ListPage {...useLoaderData<typeof loader>()} />;
}
