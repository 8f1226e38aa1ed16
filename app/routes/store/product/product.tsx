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
import { numberOf, productIdOf } from "~/domain/store/store-ids";
import { later } from "~/i18n/later";
import { withMessages } from "~/i18n/load";
import { within } from "../../shared/with-time-limit";
import { answerOf, arriving, invalidAddress, patienceOf } from "../shared/store-answer.server";
import { shopMeta } from "../storefront/meta";
import { enterShop } from "../storefront/shop.server";
import { addOne, addSeveral, SEVERAL } from "./add-to-cart.server";

const ProductPage = later(withMessages(["store-visitors"], () => import("./product-page")));

/** Time that a page waits for cached data, in milliseconds. */
const AT_HAND_MS = 10;
/** Time that a loaded document waits for the check of a choice before it shows cached data, in milliseconds. */
const CHECK_MS = 1_400;

/** Reads a product of an event's shop with the selection in the address. */
export async function loader(args: LoaderFunctionArgs) {
  const begun = Date.now();
  const inside = await enterShop(args);
  const { t, count, input, search, isKept, isDocument, notes } = inside;
  const rest = { title: t("store-visitors:product"), count, notes };
  const productId = productIdOf(args.params.product);
  if (!productId) return invalidAddress(rest, 404, t("store:errors.store.productGone"));
  const { shop } = args.context.services;
  const choice = readChoice(search, input.lang);
  const isChosen = hasChoice(choice) && !isKept;
  // A loaded document waits for the check. With scripts the page shows cached data first, and the result of the check when it arrives.
  const freshness = isChosen && isDocument ? { renewWithinMs: CHECK_MS } : "kept";
  const work = shop.readProduct({ ...input, productId, choice, freshness });
  const patienceMs = patienceOf(inside);
  // Collections from the cache are part of the page; others are streamed.
  const whole = work.then(async ({ view, related, unknownParts, renamed }) => {
    const elsewhere = renamed && renamedAddress(args.request, view.product, renamed, input.lang);
    const page = { view, wrong: unknownParts, elsewhere };
    const isChecked = !isChosen || isDocument;
    const checked = isChecked ? null : answerOf(args.context, t, checkedView(), "product");
    if (isKept) return { ...page, checked, related: await related };
    const known = await within(
      related.then((collections) => ({ collections })),
      AT_HAND_MS,
      null,
    );
    const patience = begun + patienceMs - Date.now();
    return { ...page, checked, related: known ? known.collections : within(related, patience, null) };
  });
  const checkedView = async () =>
    (await shop.readProduct({ ...input, productId, choice, freshness: "renewed" })).view;
  const answer = answerOf(args.context, t, whole, "product");
  // Products that the store does not have do not count as viewed. The promise never rejects.
  void answer.then((result) => {
    if (!result.ok) return;
    const { id, title } = result.value.view.product;
    inside.countAct({ act: "product", id: numberOf(id), title: { lang: input.lang, text: title } });
  });
  return arriving(inside, answer, rest, {
    patienceMs,
    titleOf: ({ view }) => view.product.title,
    isWhole: ({ related }) => related !== null,
    leadsTo: ({ elsewhere }) => elsewhere,
  });
}

/** Address of the page with the option names of its language. */
function renamedAddress(
  request: Request,
  { isLarge }: ProductView["product"],
  selection: Selection,
  lang: Lang,
): string {
  const { pathname, searchParams } = new URL(request.url);
  const rest = withoutChoice(searchParams);
  rest.delete("_routes");
  const query = [rest.toString(), writeChoice(selection, isLarge && selection.length > 0 ? lang : null)];
  return `${pathname.replace(/\.data$/, "")}?${query.filter((part) => part !== "").join("&")}`;
}

/** Adds one or several variants to the cart. Redirects to the cart, or back to this page where the store changed the request. */
export async function action(args: ActionFunctionArgs) {
  const shop = await enterShop(args, "cartAdd");
  const form = await args.context.form.read();
  const added =
    form.get("intent") === SEVERAL
      ? await addSeveral(args.context, shop, form)
      : await addOne(args.context, shop, form);
  if (!added.ok) return added.refused;
  // The product is taken from the store, because a submitted variant may belong to another product than the address.
  const ids = added.items.map(({ variantId }) => variantId);
  const line = added.value.cart?.lines.find(({ variant }) => ids.includes(variant.id));
  if (line)
    shop.countAct({
      act: "cart",
      id: numberOf(line.product.id),
      title: { lang: shop.input.lang, text: line.product.title },
    });
  const id = productIdOf(args.params.product) ?? "";
  const chosen = choiceParameters(shop.search).toString();
  throw shop.after(added.value, (links) => `${links.product(id)}${chosen && `&${chosen}`}`);
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "../storefront/error-boundary";

export default function ShopProductRoute() {
  return <ProductPage {...useLoaderData<typeof loader>()} refused={useActionData<typeof action>() ?? null} />;
}
