/** Visitors' carts in an event's store. The store has the carts, and the visitor's browser has the cart's id; nothing is stored here. */
import type { Cart, CartAdjustment, CartItem, StoredCart, StoreId } from "~/domain/store/store";
import {
  addedItems,
  cartAdjustments,
  EXPIRED_CART,
  findLostItems,
  lineQuantity,
  lineTitle,
} from "~/domain/store/store-cart";
import { mayHaveSucceeded, StoreFailure } from "~/domain/store/store-failure";
import { bindUseCases } from "../shared/bind";
import {
  type CartChangeOperation,
  type CartInput,
  ChangeRejectedError,
  ChangeUncertainError,
  callStore,
  type OpenCart,
  openCart,
  type ShopDeps,
  ShopRejection,
  ShopUnavailableError,
} from "./shop-access";
import type { CartChange, ChangeProblem } from "./shop-ports";

/** A cart, the automatic changes of the store, and the cart that the browser must remember (null: forget it). */
export interface CartResult {
  readonly cart: Cart | null;
  readonly adjustments: readonly CartAdjustment[];
  readonly cartForCookie: StoredCart | null;
}

const toStoredCart = (cart: Cart): StoredCart => ({ id: cart.id, quantity: cart.totalQuantity });
const toCartResult = (cart: Cart, adjustments: readonly CartAdjustment[] = []): CartResult => ({
  cart,
  adjustments,
  cartForCookie: toStoredCart(cart),
});
const expiredResult: CartResult = { cart: null, adjustments: [EXPIRED_CART], cartForCookie: null };

/**
 * Returns the cart of a visitor; null, without a call, for a visitor without one. A cart that the store no longer has is reported as expired.
 * @throws ShopUnavailableError; the browser then keeps its cart
 */
export async function readCart(
  deps: ShopDeps,
  input: CartInput & { readonly storedCart: StoredCart | null },
): Promise<CartResult> {
  const { store, locale } = await openCart(deps, input);
  if (!input.storedCart) return { cart: null, adjustments: [], cartForCookie: null };
  const cart = await callStore("cart", deps.storefront.cart(store, input.storedCart.id, locale));
  if (!cart) return expiredResult;
  const loss = findLostItems(cart, input.storedCart.quantity);
  return toCartResult(cart, loss ? [loss] : []);
}

/** Creates an empty cart (specification §4). @throws ShopUnavailableError */
export async function createCart(deps: ShopDeps, input: CartInput): Promise<CartResult> {
  const { store, locale } = await openCart(deps, input);
  return toCartResult(await callStore("cartCreate", deps.storefront.createCart(store, locale)));
}

/**
 * Adds one or several variants to the visitor's cart. Creates a cart for a visitor without one, or after the old one has expired, which the
 * adjustments report. If the store sends errors together with a cart, the adjustments contain the items that it did not add. After a lost response
 * the cart is read again, and the add is not repeated.
 * @throws ShopRejection shop_no_variant, ChangeRejectedError; nothing was added
 * @throws ShopUnavailableError 'Failed to add to cart. Please wait a moment and try again.'; nothing was added
 * @throws ChangeUncertainError when it is not known whether anything was added
 */
export async function addToCart(
  deps: ShopDeps,
  input: CartInput & {
    readonly storedCart: StoredCart | null;
    /** Checked by createAddSchema or cartItemsField. */
    readonly items: readonly CartItem[];
  },
): Promise<CartResult> {
  const shop = await openCart(deps, input);
  const { store, locale } = shop;
  const { storedCart, items } = input;
  const add = (id: StoreId) =>
    sendChange(deps, shop, "cartAdd", id, deps.storefront.addLines(store, id, items, locale));
  const addToNewCart = async () =>
    add((await callStore("cartAdd", deps.storefront.createCart(store, locale))).id);

  const firstChange = storedCart ? await add(storedCart.id) : await addToNewCart();
  const isExpired =
    storedCart !== null && firstChange.status === "rejected" && firstChange.reason === "no_cart";
  const change = isExpired ? await addToNewCart() : firstChange;
  if (change.status === "rejected") {
    // The cart was just created, so another attempt would have the same result.
    if (change.reason === "no_cart") throw new ShopUnavailableError("cartAdd", NO_CART);
    throw createRejection("cartAdd", change);
  }
  const quantityBefore = storedCart && !isExpired ? storedCart.quantity : 0;
  const adjustments = change.problem
    ? await partialAdjustments(
        deps,
        shop,
        { items, before: quantityBefore },
        { ...change, problem: change.problem },
      )
    : cartAdjustments(change.cart, change.warnings, { add: items, before: quantityBefore });
  return toCartResult(change.cart, isExpired ? [EXPIRED_CART, ...adjustments] : adjustments);
}

/**
 * Changes the quantity of a line; 0 removes the line. A visitor without a cart gets the result of an expired one.
 * @throws ShopRejection shop_no_line when the line no longer exists, ChangeRejectedError
 * @throws ShopUnavailableError, ChangeUncertainError
 */
export async function updateCartLine(
  deps: ShopDeps,
  input: CartInput & {
    readonly storedCart: StoredCart | null;
    /** Checked by createLineSchema. `title` is the line's name in the adjustments when the store has sold out its variant. */
    readonly line: { readonly id: StoreId; readonly quantity: number; readonly title?: string };
  },
): Promise<CartResult> {
  const shop = await openCart(deps, input);
  const { storedCart, line } = input;
  if (!storedCart) return expiredResult;
  const cartChange = deps.storefront.updateLine(shop.store, storedCart.id, line, shop.locale);
  const change = await sendChange(deps, shop, "cartUpdate", storedCart.id, cartChange);
  return lineResult("cartUpdate", change, line);
}

/**
 * Removes a line. A visitor without a cart gets the result of an expired one.
 * @throws ShopRejection shop_no_line when the line no longer exists, ChangeRejectedError
 * @throws ShopUnavailableError, ChangeUncertainError
 */
export async function removeCartLine(
  deps: ShopDeps,
  input: CartInput & { readonly storedCart: StoredCart | null; readonly lineId: StoreId },
): Promise<CartResult> {
  const shop = await openCart(deps, input);
  const { storedCart, lineId } = input;
  if (!storedCart) return expiredResult;
  const cartChange = deps.storefront.removeLine(shop.store, storedCart.id, lineId, shop.locale);
  const change = await sendChange(deps, shop, "cartRemove", storedCart.id, cartChange);
  return lineResult("cartRemove", change, { id: lineId, quantity: 0 });
}

type CompletedChange = Extract<CartChange, { status: "done" }>;

/**
 * Sends a change and returns its result. After a lost response the cart is read again: the result is then `done` with the failure as its problem, and
 * the cart's lines show what was changed.
 * @throws ShopUnavailableError when the store has certainly not made the change, ChangeUncertainError when this is not known
 */
async function sendChange(
  deps: ShopDeps,
  { store, locale }: OpenCart,
  operation: CartChangeOperation,
  cartId: StoreId,
  response: Promise<CartChange>,
): Promise<CartChange> {
  try {
    return await response;
  } catch (failure) {
    if (!(failure instanceof StoreFailure)) throw failure;
    if (!mayHaveSucceeded(failure)) throw new ShopUnavailableError(operation, failure);
    let cart: Cart | null;
    try {
      cart = await deps.storefront.cartAgain(store, cartId, locale);
    } catch (error) {
      if (error instanceof StoreFailure) throw new ChangeUncertainError(operation, failure);
      throw error;
    }
    if (!cart) throw new ShopUnavailableError(operation, failure);
    return { status: "done", cart, warnings: [], problem: { kind: "failure", failure } };
  }
}

/** Returns the adjustments of an add with a problem. @throws as addToCart, when nothing was added or this is not known */
async function partialAdjustments(
  deps: ShopDeps,
  { store, locale }: OpenCart,
  { items, before }: { readonly items: readonly CartItem[]; readonly before: number | null },
  { cart, warnings, problem }: CompletedChange & { readonly problem: ChangeProblem },
): Promise<CartAdjustment[]> {
  const outcomes = addedItems(cart, items, before);
  if (outcomes.every(({ added }) => added === 0)) throw problemError("cartAdd", problem);
  // Without the earlier quantity, existing items cannot be distinguished from added ones.
  if (before === null && problem.kind === "failure")
    throw new ChangeUncertainError("cartAdd", problem.failure);
  const warningAdjustments = cartAdjustments(cart, warnings, { add: [], before: null });
  const isWarned = (variantId: StoreId) =>
    warningAdjustments.some(({ lineId }) =>
      cart.lines.some(({ id, variant }) => id === lineId && variant.id === variantId),
    );
  const missingItems = outcomes.filter(
    ({ variantId, quantity, added }) => added < quantity && !isWarned(variantId),
  );
  if (missingItems.length === 0) return [...warningAdjustments, ...storeMessage(problem)];
  const titles = new Map(cart.lines.map((line) => [line.variant.id, lineTitle(line)]));
  const untitledIds = missingItems.map(({ variantId }) => variantId).filter((id) => !titles.has(id));
  const titlesById =
    untitledIds.length === 0
      ? null
      : await deps.storefront.variantTitles(store, untitledIds, locale).catch(ignoreFailure);
  const notAdded = missingItems.map(
    ({ variantId, quantity, added }): CartAdjustment => ({
      kind: "not_added",
      lineId: null,
      asked: quantity,
      quantity: added,
      message: "",
      title: titles.get(variantId) ?? titlesById?.get(variantId) ?? "",
    }),
  );
  return [...notAdded, ...warningAdjustments, ...storeMessage(problem)];
}

/** Ignores a failure. Without titles, the message states only the number of items that were not added. */
function ignoreFailure(error: unknown): null {
  if (error instanceof StoreFailure) return null;
  throw error;
}

/** Returns the store's own message about a change, as an adjustment. */
const storeMessage = (problem: ChangeProblem): CartAdjustment[] =>
  problem.kind === "rejected" && problem.message !== ""
    ? [
        {
          kind: "other",
          lineId: null,
          title: "",
          asked: null,
          quantity: null,
          message: problem.message,
        },
      ]
    : [];

/**
 * Returns the result of a change of one line. If the change has a problem other than a missing line, it counts as made when the line has the
 * requested quantity, or when the store sent a warning about the line.
 */
function lineResult(
  operation: "cartUpdate" | "cartRemove",
  change: CartChange,
  line: { readonly id: StoreId; readonly quantity: number; readonly title?: string },
): CartResult {
  if (change.status === "rejected") {
    if (change.reason === "no_cart") return expiredResult;
    throw createRejection(operation, change);
  }
  const { cart, warnings, problem } = change;
  const adjustments = cartAdjustments(cart, warnings, { ...line, line: line.id });
  if (!problem) return toCartResult(cart, adjustments);
  const isLineMissing = problem.kind === "rejected" && problem.reason === "no_line";
  const isLimited = warnings.some(({ target }) => target === line.id);
  const isChanged = lineQuantity(cart, line.id) === line.quantity || isLimited;
  if (isLineMissing || !isChanged) throw problemError(operation, problem);
  return toCartResult(cart, [...adjustments, ...storeMessage(problem)]);
}

type RejectedChange = Pick<Extract<CartChange, { status: "rejected" }>, "reason" | "message">;

const NO_CART = new StoreFailure("bad_answer", "The store has no cart that it has just made");

function createRejection(operation: CartChangeOperation, { reason, message }: RejectedChange) {
  if (reason === "no_variant") return new ShopRejection("shop_no_variant");
  return reason === "no_line"
    ? new ShopRejection("shop_no_line")
    : new ChangeRejectedError(operation, message);
}

const problemError = (operation: CartChangeOperation, problem: ChangeProblem) =>
  problem.kind === "rejected"
    ? createRejection(operation, problem)
    : new ShopUnavailableError(operation, problem.failure);

/** Use cases in `context.services.shop`. */
export const cartServices = (deps: ShopDeps) =>
  bindUseCases(deps, { createCart, readCart, addToCart, updateCartLine, removeCartLine });
