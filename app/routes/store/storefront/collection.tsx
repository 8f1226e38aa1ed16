import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { createProductQuerySchema } from "~/domain/store/store.schema";
import { collectionIdOf } from "~/domain/store/store-ids";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import {
  invalidUrl,
  pageWithStoreResult,
  storeWaitMs,
  toStoreResult,
} from "../shared/page-with-store-result.server";
import { shopMeta } from "./meta";
import { enterShop } from "./shop.server";

const CollectionPage = createLatePart(withMessages(["store-visitors"], () => import("./collection-page")));

/** Reads one page of a collection of an event's shop. */
export async function loader(args: LoaderFunctionArgs) {
  const shop = await enterShop(args, "collection");
  const { t, count, input, searchParams } = shop;
  const commonProps = { title: t("store-visitors:collection"), count };
  const collectionId = collectionIdOf(args.params.collection);
  const query = createProductQuerySchema().safeParse({
    after: searchParams.get("after"),
    before: searchParams.get("before"),
  });
  if (!collectionId) return invalidUrl(commonProps, 404, t("store:errors.store.collectionGone"));
  if (!query.success) return invalidUrl(commonProps, 400, t("store:errors.store.noPage"));
  const { after, before } = query.data;
  const collectionRead = args.context.services.shop.readCollection({ ...input, collectionId, after, before });
  return pageWithStoreResult(
    shop,
    toStoreResult(args.context, t, collectionRead, "collection"),
    commonProps,
    {
      waitMs: storeWaitMs(shop),
      titleOf: ({ title }) => title,
    },
  );
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "./error-boundary";

export default function ShopCollectionRoute() {
  return <CollectionPage {...useLoaderData<typeof loader>()} />;
}
