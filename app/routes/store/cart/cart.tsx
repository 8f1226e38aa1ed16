import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import {
  createAddSchema,
  createLineSchema,
  createRemovedItemSchema,
  createRemoveSchema,
} from "~/domain/store/store.schema";
import { later } from "~/i18n/later";
import { withMessages } from "~/i18n/load";
import type { MessageKey } from "~/i18n/messages";
import { answerOf, arriving } from "../shared/store-answer.server";
import { shopMeta } from "../storefront/meta";
import { enterShop } from "../storefront/shop.server";
import { noteOf } from "./adjustments.server";

const CartPage = later(withMessages(["store-visitors"], () => import("./cart-page")));

/** Reads the visitor's cart from the store. */
export async function loader(args: LoaderFunctionArgs) {
  const shop = await enterShop(args, "cart");
  const { t, cartInput, storedCart, count, notes, taken } = shop;
  const work = args.context.services.shop.readCart(cartInput).then((result) => {
    const handle = storedCart ? shop.keep(result) : null;
    const lineNotes = result.adjustments.map((adjustment) => noteOf(t, adjustment));
    // The notice in the address may contain the same messages.
    const unsaid = lineNotes.filter(({ text }) => !notes.some((note) => note.text === text));
    const correction = shop.correction(result);
    return { cart: result.cart, notes: unsaid, count: result.cartToStore?.quantity ?? 0, handle, correction };
  });
  return arriving(shop, answerOf(args.context, t, work, "cart"), {
    title: t("store-visitors:cart"),
    count,
    notes,
    taken,
  });
}

/** Changes the quantity of a line, removes it, or restores a removed line. */
export async function action(args: ActionFunctionArgs) {
  const shop = await enterShop(args, "cart");
  const { t, cartInput } = shop;
  const form = await args.context.form.read();
  const typed = { line: String(form.get("line") ?? ""), quantity: String(form.get("quantity") ?? "") };
  const refuse = (status: number, errors: { readonly quantity?: string; readonly form?: string }) =>
    data({ state: "refused" as const, ...typed, errors }, { status });
  const { shop: carts } = args.context.services;
  // Data of the line, which the store no longer has after its removal.
  const fields = { variant: form.get("variant"), had: form.get("had"), title: form.get("title") };
  const itself = createRemovedItemSchema().safeParse(fields).data ?? null;

  const change = () => {
    if (form.get("intent") === "back") {
      const read = createAddSchema().safeParse({ variant: form.get("variant"), quantity: typed.quantity });
      if (!read.success) return null;
      const { variant: variantId, quantity } = read.data;
      return carts.addToCart({ ...cartInput, items: [{ variantId, quantity }] });
    }
    if (form.get("intent") === "remove") {
      const read = createRemoveSchema().safeParse(typed);
      return read.success ? carts.removeCartLine({ ...cartInput, lineId: read.data.line }) : null;
    }
    const read = createLineSchema().safeParse(typed);
    if (!read.success) return null;
    const { line: id, quantity } = read.data;
    return carts.updateCartLine({
      ...cartInput,
      line: { id, quantity, ...(itself && { title: itself.title }) },
    });
  };
  const work = change();
  if (!work) {
    const line = createRemoveSchema().safeParse(typed);
    if (!line.success) return refuse(400, { form: t(line.error.issues[0]?.message as MessageKey) });
    return refuse(400, { quantity: t("store:errors.store.lineQuantity") });
  }
  const intents = { back: "cartAdd", remove: "cartRemove" } as const;
  const operation = intents[form.get("intent") as keyof typeof intents] ?? "cartUpdate";
  const changed = await answerOf(args.context, t, work, operation);
  if (!changed.ok) return refuse(changed.status, { form: changed.message });
  const isGone =
    form.get("intent") !== "back" && (form.get("intent") === "remove" || Number(typed.quantity) === 0);
  const taken = isGone && changed.value.cart ? itself : null;
  throw shop.after(changed.value, (links) => links.cart, taken);
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "../storefront/error-boundary";

export default function ShopCartRoute() {
  return <CartPage {...useLoaderData<typeof loader>()} refused={useActionData<typeof action>() ?? null} />;
}
