/** Visitors' carts in an event's store. Nothing of a cart is kept here: the store has it, and the visitor's browser its id. */
import type { Cart, CartAdjustment, CartItem, KeptCart, StoreId } from "~/domain/store";
import { cartAdjustments, EXPIRED, lossSince } from "~/domain/store-cart";
import { StoreFailure } from "~/domain/store-failure";
import {
  ask,
  ChangeRefusedError,
  openShop,
  type ShopDeps,
  type ShopInput,
  ShopRefusal,
  ShopUnavailableError,
} from "./shop-access";
import type { CartChange } from "./shop-ports";

/** A cart, what the store made of it by itself, and what the browser is to remember (null: nothing any more). */
export interface CartResult {
  readonly cart: Cart | null;
  readonly adjustments: readonly CartAdjustment[];
  readonly keep: KeptCart | null;
}

const keepOf = (cart: Cart): KeptCart => ({ id: cart.id, quantity: cart.totalQuantity });
const result = (cart: Cart, adjustments: readonly CartAdjustment[] = []): CartResult => ({
  cart,
  adjustments,
  keep: keepOf(cart),
});
const expired: CartResult = { cart: null, adjustments: [EXPIRED], keep: null };

/**
 * The cart of a visitor; null, without a call, for one who has none. A cart that the store does not know any more is told as expired.
 * @throws ShopUnavailableError; the browser keeps its cart then
 */
export async function readCart(
  deps: ShopDeps,
  input: ShopInput & { readonly kept: KeptCart | null },
): Promise<CartResult> {
  const { store, locale } = await openShop(deps, input);
  if (!input.kept) return { cart: null, adjustments: [], keep: null };
  const cart = await ask("cart", deps.storefront.cart(store, input.kept.id, locale));
  if (!cart) return expired;
  const loss = lossSince(cart, input.kept.quantity);
  return result(cart, loss ? [loss] : []);
}

/** An empty cart (§4). @throws ShopUnavailableError */
export async function createCart(deps: ShopDeps, input: ShopInput): Promise<CartResult> {
  const { store, locale } = await openShop(deps, input);
  return result(await ask("cart", deps.storefront.createCart(store, locale)));
}

/**
 * Adds variants to the visitor's cart, one or several at once; makes a cart where there is none or it has expired, which is told.
 * @throws ShopRefusal shop_no_variant, ChangeRefusedError; nothing was added then
 * @throws ShopUnavailableError 'Failed to add to cart. Please wait a moment and try again.'
 */
export async function addToCart(
  deps: ShopDeps,
  input: ShopInput & {
    readonly kept: KeptCart | null;
    /** Checked by createAddSchema or cartItemsField. */
    readonly items: readonly CartItem[];
  },
): Promise<CartResult> {
  const { store, locale } = await openShop(deps, input);
  const { kept, items } = input;
  const add = (id: StoreId) => ask("add", deps.storefront.addLines(store, id, items, locale));
  const fresh = async () => add((await ask("add", deps.storefront.createCart(store, locale))).id);

  const first = kept ? await add(kept.id) : await fresh();
  const isLost = kept !== null && first.status === "refused" && first.reason === "no_cart";
  const change = isLost ? await fresh() : first;
  if (change.status === "refused") {
    // Not even one that has just been made: it would be the same again.
    if (change.reason === "no_cart") throw new ShopUnavailableError("add", NO_CART);
    throw refusalOf("add", change);
  }
  const before = kept && !isLost ? kept.quantity : 0;
  const adjustments = cartAdjustments(change.cart, change.warnings, { add: items, before });
  return result(change.cart, isLost ? [EXPIRED, ...adjustments] : adjustments);
}

/**
 * Changes how many a line holds; 0 takes it out.
 * @throws ShopRefusal shop_no_line when it is not there any more, ChangeRefusedError
 * @throws ShopUnavailableError
 */
export async function updateCartLine(
  deps: ShopDeps,
  input: ShopInput & {
    readonly kept: KeptCart | null;
    /** Checked by createLineSchema. `title`: what the line is called, for when the store has none of it any more. */
    readonly line: { readonly id: StoreId; readonly quantity: number; readonly title?: string };
  },
): Promise<CartResult> {
  const { store, locale } = await openShop(deps, input);
  const { kept, line } = input;
  if (!kept) return expired;
  const change = await ask("cart", deps.storefront.updateLine(store, kept.id, line, locale));
  if (change.status === "refused") return refused(change);
  return result(change.cart, cartAdjustments(change.cart, change.warnings, { ...line, line: line.id }));
}

/**
 * Takes a line out.
 * @throws ShopRefusal shop_no_line when it is not there any more, ChangeRefusedError
 * @throws ShopUnavailableError
 */
export async function removeCartLine(
  deps: ShopDeps,
  input: ShopInput & { readonly kept: KeptCart | null; readonly lineId: StoreId },
): Promise<CartResult> {
  const { store, locale } = await openShop(deps, input);
  const { kept, lineId } = input;
  if (!kept) return expired;
  const change = await ask("cart", deps.storefront.removeLine(store, kept.id, lineId, locale));
  if (change.status === "refused") return refused(change);
  return result(change.cart, cartAdjustments(change.cart, change.warnings, { line: lineId, quantity: 0 }));
}

type Refused = Extract<CartChange, { status: "refused" }>;

const NO_CART = new StoreFailure("bad_answer", "The store has no cart that it has just made");

function refusalOf(purpose: "add" | "cart", { reason, message }: Refused) {
  if (reason === "no_variant") return new ShopRefusal("shop_no_variant");
  return reason === "no_line" ? new ShopRefusal("shop_no_line") : new ChangeRefusedError(purpose, message);
}

function refused(change: Refused): CartResult {
  if (change.reason === "no_cart") return expired;
  throw refusalOf("cart", change);
}

/** Its part of `context.services.shop`. */
export const cartServices = (deps: ShopDeps) => ({
  createCart: (input: ShopInput) => createCart(deps, input),
  readCart: (input: Parameters<typeof readCart>[1]) => readCart(deps, input),
  addToCart: (input: Parameters<typeof addToCart>[1]) => addToCart(deps, input),
  updateCartLine: (input: Parameters<typeof updateCartLine>[1]) => updateCartLine(deps, input),
  removeCartLine: (input: Parameters<typeof removeCartLine>[1]) => removeCartLine(deps, input),
});
