import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { createProductQuerySchema } from "~/domain/store/store.schema";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import type { MessageKey } from "~/i18n/messages";
import {
  invalidUrl,
  pageWithStoreResult,
  storeWaitMs,
  toStoreResult,
} from "../shared/page-with-store-result.server";
import { shopMeta } from "./meta";
import { enterShop } from "./shop.server";

const ListPage = createLatePart(withMessages(["store-visitors"], () => import("./list-page")));

/** Reads one page of the products of an event's shop: all of them, or those whose titles contain the words of the search text. */
export async function loader(args: LoaderFunctionArgs) {
  const operation = new URL(args.request.url).searchParams.get("q") ? "search" : "products";
  const shop = await enterShop(args, operation);
  const { t, searchParams, count, input } = shop;
  const typed = {
    q: searchParams.get("q") ?? "",
    after: searchParams.get("after"),
    before: searchParams.get("before"),
  };
  const commonProps = { title: t("store-visitors:title"), count, q: typed.q, error: null };
  const query = createProductQuerySchema().safeParse(typed);
  if (!query.success) {
    const { path, message } = query.error.issues[0] ?? { path: [], message: "store:errors.store.noPage" };
    const errorText = t(message as MessageKey);
    return invalidUrl({ ...commonProps, error: path[0] === "q" ? errorText : null }, 400, errorText);
  }
  const productsRead = args.context.services.shop.listProducts({ ...input, query: query.data });
  return pageWithStoreResult(
    shop,
    toStoreResult(args.context, t, productsRead, operation),
    { ...commonProps, q: query.data.q },
    {
      waitMs: storeWaitMs(shop),
    },
  );
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "./error-boundary";

export default function ShopListRoute() {
  return <ListPage {...useLoaderData<typeof loader>()} />;
}
