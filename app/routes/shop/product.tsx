import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Lang } from "~/domain/model";
import type { Selection } from "~/domain/store";
import { createAddSchema } from "~/domain/store.schema";
import { numberOf, productIdOf } from "~/domain/store-ids";
import { readChoice, withoutNames, writeSelection } from "~/domain/store-options";
import type { WordKey } from "~/i18n/i18n";
import { later } from "~/i18n/later";
import { within } from "../shared/within";
import { choiceLink } from "./choice-link";
import { shopMeta } from "./meta";
import { answerOf, arriving, enterShop, PATIENCE_MS, refused } from "./shop.server";
import { SHOP_WORDS } from "./words";

const ProductPage = later(() => import("./product-page"), SHOP_WORDS);

/** What is kept takes no longer, in milliseconds. */
const AT_HAND_MS = 10;

/** A product of an event's shop, with what the address chooses of it. */
export async function loader(asked: LoaderFunctionArgs) {
  const begun = Date.now();
  const inside = await enterShop(asked);
  const { t, count, input, search, isKept, notes } = inside;
  const rest = { title: t("shop.product"), count, notes };
  const productId = productIdOf(asked.params.product);
  if (!productId) return refused(rest, 404, t("errors.store.productGone"));
  const { shop } = asked.context.services;
  const work = shop.readProduct({ ...input, productId, choice: readChoice(search, input.lang) });
  // Collections that are at hand are part of the page at once; those that come later come in behind it.
  const whole = work.then(async ({ view, related, named }) => {
    const choice = named && chosenAddress(asked.request, input.lang, named);
    if (isKept) return { view, choice, related: await related };
    const known = await within(
      related.then((collections) => ({ collections })),
      AT_HAND_MS,
      null,
    );
    const patience = begun + PATIENCE_MS - Date.now();
    return { view, choice, related: known ? known.collections : within(related, patience, null) };
  });
  const answer = answerOf(asked.context, t, whole);
  // What the store does not have nobody has looked at. It never fails.
  void answer.then((found) => {
    if (!found.ok) return;
    const { id, title } = found.value.view.product;
    inside.countAct({ act: "product", id: numberOf(id), title: { lang: input.lang, text: title } });
  });
  return arriving(
    inside,
    answer,
    rest,
    ({ view }) => view.product.title,
    ({ related }) => related !== null,
    ({ choice }) => choice,
  );
}

/**
 * The page's address with the names of what it chooses by places. Names that the store has other words for by now do not lead here again: then
 * they alone choose.
 */
function chosenAddress(request: Request, lang: Lang, named: Selection): string {
  const { pathname, searchParams } = new URL(request.url);
  const rest = withoutNames(searchParams);
  if (searchParams.get("named") === lang) rest.delete("choice");
  rest.delete("_routes");
  return `${pathname.replace(/\.data$/, "")}?${rest}&${writeSelection(named, lang)}`;
}

/** Puts so many of a variant into the cart, and leads to the cart, or back here where the store made something else of it. */
export async function action(asked: ActionFunctionArgs) {
  const shop = await enterShop(asked);
  const { t, input, kept } = shop;
  const form = await asked.context.readForm();
  const typed = { variant: String(form.get("variant") ?? ""), quantity: String(form.get("quantity") ?? "") };
  const refuse = (status: number, errors: { readonly quantity?: string; readonly form?: string }) =>
    data({ state: "refused" as const, quantity: typed.quantity, errors }, { status });
  // A field that was emptied says nothing; only a form without one means one.
  if (form.has("quantity") && typed.quantity.trim() === "")
    return refuse(400, { quantity: t("errors.store.quantity") });
  const read = createAddSchema().safeParse(typed);
  if (!read.success) {
    const of = (name: string) => {
      const issue = read.error.issues.find(({ path }) => path[0] === name);
      return issue && t(issue.message as WordKey);
    };
    return refuse(400, { quantity: of("quantity"), form: of("variant") });
  }
  const { variant: variantId, quantity } = read.data;
  const work = asked.context.services.shop.addToCart({ ...input, kept, items: [{ variantId, quantity }] });
  const added = await answerOf(asked.context, t, work);
  if (!added.ok) return refuse(added.status, { form: added.message });
  // Of which product it is, the store knows, and not the address.
  const line = added.value.cart?.lines.find(({ variant }) => variant.id === variantId);
  if (line)
    shop.countAct({
      act: "cart",
      id: numberOf(line.product.id),
      title: { lang: input.lang, text: line.product.title },
    });
  const { search } = shop;
  const id = productIdOf(asked.params.product) ?? "";
  const choice = readChoice(search, input.lang);
  const selection = "places" in choice ? choice.names : [];
  const chosen = { id, places: search.get("choice") ?? "", selection, isLarge: selection.length > 0 };
  throw shop.after(added.value, (links) => choiceLink(links, chosen, input.lang));
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "./error-boundary";

export default function ShopProductRoute() {
  return <ProductPage {...useLoaderData<typeof loader>()} refused={useActionData<typeof action>() ?? null} />;
}
