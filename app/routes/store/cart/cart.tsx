import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import {
  createAddSchema,
  createLineSchema,
  createRemovedItemSchema,
  createRemoveSchema,
} from "~/domain/store/store.schema";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import type { MessageKey } from "~/i18n/messages";
import { pageWithStoreResult, toStoreResult } from "../shared/page-with-store-result.server";
import { shopMeta } from "../storefront/meta";
import { enterShop } from "../storefront/shop.server";
import { createAdjustmentNote } from "./adjustments.server";

const CartPage = createLatePart(withMessages(["store-visitors"], () => import("./cart-page")));

/** Reads the visitor's cart from the store. */
export async function loader(args: LoaderFunctionArgs) {
  const shop = await enterShop(args, "cart");
  const { t, cartInput, storedCart, count, notes, removedItem } = shop;
  const cartRead = args.context.services.shop.readCart(cartInput).then((result) => {
    const handle = storedCart ? shop.saveCart(result) : null;
    const cartNotes = result.adjustments.map((adjustment) => createAdjustmentNote(t, adjustment));
    // The notice in the URL may already contain the same messages.
    const newCartNotes = cartNotes.filter(({ text }) => !notes.some((note) => note.text === text));
    const correction = shop.correctionHref(result);
    return {
      cart: result.cart,
      notes: newCartNotes,
      count: result.cartForCookie?.quantity ?? 0,
      handle,
      correction,
    };
  });
  return pageWithStoreResult(shop, toStoreResult(args.context, t, cartRead, "cart"), {
    title: t("store-visitors:cart"),
    count,
    notes,
    removedItem,
  });
}

/** Changes the quantity of a line, removes it, or restores a removed line (intent `back`). */
export async function action(args: ActionFunctionArgs) {
  const shop = await enterShop(args, "cart");
  const { t, cartInput } = shop;
  const form = await args.context.form.read();
  const input = { line: String(form.get("line") ?? ""), quantity: String(form.get("quantity") ?? "") };
  const reject = (status: number, errors: { readonly quantity?: string; readonly form?: string }) =>
    data({ state: "rejected" as const, ...input, errors }, { status });
  const { shop: shopService } = args.context.services;
  // The line's data before the change (`had` is its quantity), which the store no longer has after the line's removal.
  const lineFields = { variant: form.get("variant"), had: form.get("had"), title: form.get("title") };
  const removedLine = createRemovedItemSchema().safeParse(lineFields).data ?? null;

  const startChange = () => {
    if (form.get("intent") === "back") {
      const parsed = createAddSchema().safeParse({ variant: form.get("variant"), quantity: input.quantity });
      if (!parsed.success) return null;
      const { variant: variantId, quantity } = parsed.data;
      return shopService.addToCart({ ...cartInput, items: [{ variantId, quantity }] });
    }
    if (form.get("intent") === "remove") {
      const parsed = createRemoveSchema().safeParse(input);
      return parsed.success ? shopService.removeCartLine({ ...cartInput, lineId: parsed.data.line }) : null;
    }
    const parsed = createLineSchema().safeParse(input);
    if (!parsed.success) return null;
    const { line: id, quantity } = parsed.data;
    return shopService.updateCartLine({
      ...cartInput,
      line: { id, quantity, ...(removedLine && { title: removedLine.title }) },
    });
  };
  const cartChange = startChange();
  if (!cartChange) {
    const line = createRemoveSchema().safeParse(input);
    if (!line.success) return reject(400, { form: t(line.error.issues[0]?.message as MessageKey) });
    return reject(400, { quantity: t("store:errors.store.lineQuantity") });
  }
  const operations = { back: "cartAdd", remove: "cartRemove" } as const;
  const operation = operations[form.get("intent") as keyof typeof operations] ?? "cartUpdate";
  const changeResult = await toStoreResult(args.context, t, cartChange, operation);
  if (!changeResult.ok) return reject(changeResult.status, { form: changeResult.message });
  const isRemoved =
    form.get("intent") !== "back" && (form.get("intent") === "remove" || Number(input.quantity) === 0);
  const removedItem = isRemoved && changeResult.value.cart ? removedLine : null;
  throw shop.redirectAfterChange(changeResult.value, (links) => links.cart, removedItem);
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "../storefront/error-boundary";

export default function ShopCartRoute() {
  return <CartPage {...useLoaderData<typeof loader>()} rejected={useActionData<typeof action>() ?? null} />;
}
