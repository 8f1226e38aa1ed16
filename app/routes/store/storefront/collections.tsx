import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import { pageWithStoreResult, storeWaitMs, toStoreResult } from "../shared/page-with-store-result.server";
import { shopMeta } from "./meta";
import { enterShop } from "./shop.server";

const CollectionsPage = createLatePart(withMessages(["store-visitors"], () => import("./collections-page")));

/** Reads the collections of an event's shop. */
export async function loader(args: LoaderFunctionArgs) {
  const shop = await enterShop(args, "collections");
  const { t, count, input } = shop;
  const collectionsRead = args.context.services.shop.listCollections(input);
  return pageWithStoreResult(
    shop,
    toStoreResult(args.context, t, collectionsRead, "collections"),
    { title: t("store-visitors:collections"), count },
    {
      waitMs: storeWaitMs(shop),
    },
  );
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "./error-boundary";

export default function ShopCollectionsRoute() {
  return <CollectionsPage {...useLoaderData<typeof loader>()} />;
}
