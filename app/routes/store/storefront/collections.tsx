import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { later } from "~/i18n/later";
import { withMessages } from "~/i18n/load";
import { answerOf, arriving, patienceOf } from "../shared/store-answer.server";
import { shopMeta } from "./meta";
import { enterShop } from "./shop.server";

const CollectionsPage = later(withMessages(["store-visitors"], () => import("./collections-page")));

/** Reads the collections of an event's shop. */
export async function loader(args: LoaderFunctionArgs) {
  const inside = await enterShop(args, "collections");
  const { t, count, input } = inside;
  const work = args.context.services.shop.listCollections(input);
  return arriving(
    inside,
    answerOf(args.context, t, work, "collections"),
    { title: t("store-visitors:collections"), count },
    {
      patienceMs: patienceOf(inside),
    },
  );
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "./error-boundary";

export default function ShopCollectionsRoute() {
  return <CollectionsPage {...useLoaderData<typeof loader>()} />;
}
