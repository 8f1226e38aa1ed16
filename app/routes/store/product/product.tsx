import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Lang } from "~/domain/shared/model";
import {
  choiceParameters,
  hasChoice,
  readChoice,
  withoutChoice,
  writeChoice,
} from "~/domain/store/product-choice";
import type { ProductView, Selection } from "~/domain/store/store";
import { productIdOf, toIdNumber } from "~/domain/store/store-ids";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import { withTimeLimit } from "../../shared/with-time-limit";
import {
  invalidUrl,
  pageWithStoreResult,
  storeWaitMs,
  toStoreResult,
} from "../shared/page-with-store-result.server";
import { shopMeta } from "../storefront/meta";
import { enterShop } from "../storefront/shop.server";
import { ADD_VARIANTS_INTENT, addVariant, addVariants } from "./add-to-cart.server";

const ProductPage = createLatePart(withMessages(["store-visitors"], () => import("./product-page")));

/** Time that a page waits for cached collections, in milliseconds. */
const CACHE_WAIT_MS = 10;
/** Time that a request for a document waits for the store's check of the selected variant before it uses cached data, in milliseconds. */
const CHECK_WAIT_MS = 1_400;

/** Reads a product of an event's shop with the selection in the URL. */
export async function loader(args: LoaderFunctionArgs) {
  const startedAt = Date.now();
  const shopVisit = await enterShop(args);
  const { t, count, input, searchParams, isCacheable, isDocument, notes } = shopVisit;
  const commonProps = { title: t("store-visitors:product"), count, notes };
  const productId = productIdOf(args.params.product);
  if (!productId) return invalidUrl(commonProps, 404, t("store:errors.store.productGone"));
  const { shop } = args.context.services;
  const choice = readChoice(searchParams, input.lang);
  const isChosen = hasChoice(choice) && !isCacheable;
  // The store is asked again for the price and stock of a selected variant. A request for a document waits for this check. After a navigation by the
  // router, the page shows cached data first, and replaces them with the result of the check.
  const freshness = isChosen && isDocument ? { renewWithinMs: CHECK_WAIT_MS } : "cached";
  const productRead = shop.readProduct({ ...input, productId, choice, freshness });
  const waitMs = storeWaitMs(shopVisit);
  // Collections from the cache are part of the page; others are streamed, unless the page may be cached.
  const completeRead = productRead.then(async ({ view, related, unknownParts, renamed }) => {
    const localizedHref = renamed && createLocalizedHref(args.request, view.product, renamed, input.lang);
    const page = { view, unknownParts, localizedHref };
    const isCheckedLater = isChosen && !isDocument;
    const freshResult = isCheckedLater ? toStoreResult(args.context, t, readCheckedView(), "product") : null;
    if (isCacheable) return { ...page, freshResult, related: await related };
    const cachedRelated = await withTimeLimit(
      related.then((collections) => ({ collections })),
      CACHE_WAIT_MS,
      null,
    );
    const remainingMs = startedAt + waitMs - Date.now();
    return {
      ...page,
      freshResult,
      related: cachedRelated ? cachedRelated.collections : withTimeLimit(related, remainingMs, null),
    };
  });
  const readCheckedView = async () =>
    (await shop.readProduct({ ...input, productId, choice, freshness: "renewed" })).view;
  const result = toStoreResult(args.context, t, completeRead, "product");
  // A product that could not be read does not count as viewed. The promise never rejects.
  void result.then((settledResult) => {
    if (!settledResult.ok) return;
    const { id, title } = settledResult.value.view.product;
    shopVisit.trackEvent({ act: "product", id: toIdNumber(id), title: { lang: input.lang, text: title } });
  });
  return pageWithStoreResult(shopVisit, result, commonProps, {
    waitMs,
    titleOf: ({ view }) => view.product.title,
    isComplete: ({ related }) => related !== null,
    redirectTo: ({ localizedHref }) => localizedHref,
  });
}

/** URL of the page with the option names of its language. */
function createLocalizedHref(
  request: Request,
  { isLarge }: ProductView["product"],
  selection: Selection,
  lang: Lang,
): string {
  const { pathname, searchParams } = new URL(request.url);
  const otherParams = withoutChoice(searchParams);
  const query = [
    otherParams.toString(),
    writeChoice(selection, isLarge && selection.length > 0 ? lang : null),
  ];
  return `${pathname}?${query.filter((part) => part !== "").join("&")}`;
}

/** Adds one or several variants to the cart. Redirects to the cart, or back to this page if the store adjusted what was added. */
export async function action(args: ActionFunctionArgs) {
  const shop = await enterShop(args, "cartAdd");
  const form = await args.context.form.read();
  const addResult =
    form.get("intent") === ADD_VARIANTS_INTENT
      ? await addVariants(args.context, shop, form)
      : await addVariant(args.context, shop, form);
  if (!addResult.ok) return addResult.rejection;
  // The product id comes from the store's result, because the submitted variant may belong to another product than the URL.
  const ids = addResult.items.map(({ variantId }) => variantId);
  const line = addResult.value.cart?.lines.find(({ variant }) => ids.includes(variant.id));
  if (line)
    shop.trackEvent({
      act: "cart",
      id: toIdNumber(line.product.id),
      title: { lang: shop.input.lang, text: line.product.title },
    });
  const id = productIdOf(args.params.product) ?? "";
  const choiceQuery = choiceParameters(shop.searchParams).toString();
  throw shop.redirectAfterChange(
    addResult.value,
    (links) => `${links.product(id)}${choiceQuery && `&${choiceQuery}`}`,
  );
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "../storefront/error-boundary";

export default function ShopProductRoute() {
  return (
    <ProductPage {...useLoaderData<typeof loader>()} rejected={useActionData<typeof action>() ?? null} />
  );
}
