/** Detects from a store's responses how it adjusted a cart. */
import type {
  AdjustmentKind,
  Cart,
  CartAdjustment,
  CartItem,
  CartLine,
  StoreId,
  StoreWarning,
} from "./store";
import { hasVariantTitle } from "./store-options";

/** Kinds of adjustments for two of the CartWarningCode values (4 in API 2025-01, 17 in 2026-01). Other warnings are shown in the store's own words. */
const ADJUSTMENT_KINDS: Readonly<Record<string, AdjustmentKind>> = {
  MERCHANDISE_NOT_ENOUGH_STOCK: "not_enough_stock",
  MERCHANDISE_OUT_OF_STOCK: "out_of_stock",
};

/** Returns the title of a line: product and variant. The variant of a product without options has no title of its own. */
export const lineTitle = ({
  product,
  variant,
}: {
  readonly product: Pick<CartLine["product"], "title">;
  readonly variant: Pick<CartLine["variant"], "title">;
}): string => (hasVariantTitle(variant.title) ? `${product.title} – ${variant.title}` : product.title);

/** The requested change of a cart: quantities of variants to add, or the new quantity of one line. */
export type CartRequest =
  | {
      readonly add: readonly CartItem[];
      /** Number of items in the cart before the change; null if unknown. */
      readonly before: number | null;
    }
  | {
      readonly line: StoreId;
      readonly quantity: number;
      /** Title of the line, which is reported if the line is gone. */
      readonly title?: string;
    };

/** Returns the expected quantity of a line; null if the request does not concern it, or if its earlier quantity is unknown. */
function getRequestedQuantity(request: CartRequest, line: CartLine): number | null {
  if ("line" in request) return request.line === line.id ? request.quantity : null;
  if (request.before !== 0) return null;
  const items = request.add.filter(({ variantId }) => variantId === line.variant.id);
  return items.length === 0 ? null : items.reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * Returns the adjustments that the store made when it changed a cart: those that it warns about, and those that only the quantities
 * reveal. Insufficient stock never results in an error: the store adds the quantity that it has, with or without a warning.
 */
export function cartAdjustments(
  cart: Cart,
  warnings: readonly StoreWarning[],
  request: CartRequest,
): CartAdjustment[] {
  const warnedLines = new Set<StoreId>();
  const reported = warnings.map(({ code, message, target }): CartAdjustment => {
    const line = cart.lines.find(({ id }) => id === target);
    if (line) warnedLines.add(line.id);
    return {
      kind: ADJUSTMENT_KINDS[code] ?? "other",
      lineId: line?.id ?? null,
      title: line ? lineTitle(line) : "",
      asked: line ? getRequestedQuantity(request, line) : null,
      quantity: line?.quantity ?? null,
      message,
    };
  });
  return [...reported, ...findUnreportedAdjustments(cart, request, warnedLines, reported)];
}

function findUnreportedAdjustments(
  cart: Cart,
  request: CartRequest,
  warnedLines: ReadonlySet<StoreId>,
  reported: readonly CartAdjustment[],
): CartAdjustment[] {
  const isQuantityKnown = !("add" in request) || request.before === 0;
  const shortfall = (
    requestedQuantity: number,
    line: CartLine | undefined,
    title: string,
  ): CartAdjustment[] => {
    const quantity = line?.quantity ?? 0;
    if (quantity >= requestedQuantity || (line && warnedLines.has(line.id))) return [];
    // A missing line cannot be a warning's target, so the store's warnings may already describe it.
    if (!line && reported.length > 0) return [];
    const kind = quantity === 0 ? "out_of_stock" : "not_enough_stock";
    const asked = isQuantityKnown ? requestedQuantity : null;
    return [{ kind, lineId: line?.id ?? null, title, asked, quantity, message: "" }];
  };
  if ("line" in request) {
    const line = cart.lines.find(({ id }) => id === request.line);
    return shortfall(request.quantity, line, line ? lineTitle(line) : (request.title ?? ""));
  }
  const requestedQuantities = new Map<StoreId, number>();
  for (const { variantId, quantity } of request.add)
    requestedQuantities.set(variantId, (requestedQuantities.get(variantId) ?? 0) + quantity);
  const adjustments = [...requestedQuantities].flatMap(([variantId, requested]) => {
    const lines = cart.lines.filter(({ variant }) => variant.id === variantId);
    // The same variant may be in several lines that differ in other properties.
    const largestLine = lines.reduce<CartLine | undefined>(
      (largest, line) => (largest && largest.quantity >= line.quantity ? largest : line),
      undefined,
    );
    return shortfall(requested, largestLine, largestLine ? lineTitle(largestLine) : "");
  });
  // Lines that existed before can hide that less was added; the cart's total quantity reveals it.
  const expectedTotal =
    (request.before ?? 0) + request.add.reduce((total, { quantity }) => total + quantity, 0);
  const hasFewerItems = request.before !== null && cart.totalQuantity < expectedTotal;
  return adjustments.length === 0 && reported.length === 0 && hasFewerItems
    ? [UNEXPLAINED_CHANGE]
    : adjustments;
}

/** The adjustment for a cart that differs from the request without a known reason. */
const UNEXPLAINED_CHANGE: CartAdjustment = {
  kind: "other",
  lineId: null,
  title: "",
  asked: null,
  quantity: null,
  message: "",
};

/** Returns the loss of items since the cart was last seen, for which the store sends no warning; null if none were lost or `quantity` is unknown. */
export function findLostItems(cart: Cart, quantity: number | null): CartAdjustment | null {
  if (quantity === null || cart.totalQuantity >= quantity) return null;
  return {
    kind: "removed",
    lineId: null,
    title: "",
    asked: quantity,
    quantity: cart.totalQuantity,
    message: "",
  };
}

/** The adjustment for a cart that no longer existed. */
export const EXPIRED_CART: CartAdjustment = {
  kind: "expired",
  lineId: null,
  title: "",
  asked: null,
  quantity: null,
  message: "",
};

/** An item of a request with the quantity that was added to the cart. */
export interface AddedItem extends CartItem {
  readonly added: number;
}

/**
 * Returns the quantities that were added to a cart, computed from the cart after the change. Used when a store sent errors beside the
 * cart, or when its response was lost. Items of the same variant are added up.
 * @param before number of items in the cart before; null if unknown: then only the lines count
 */
export function addedItems(
  cart: Pick<Cart, "lines" | "totalQuantity">,
  items: readonly CartItem[],
  before: number | null,
): AddedItem[] {
  const requestedQuantities = new Map<StoreId, number>();
  for (const { variantId, quantity } of items)
    requestedQuantities.set(variantId, (requestedQuantities.get(variantId) ?? 0) + quantity);
  // Items that were in the cart before look like added ones. The growth of the cart limits the number of added items.
  let growth = before === null ? Number.POSITIVE_INFINITY : Math.max(0, cart.totalQuantity - before);
  return [...requestedQuantities].map(([variantId, quantity]) => {
    const quantityInCart = cart.lines
      .filter(({ variant }) => variant.id === variantId)
      .reduce((sum, line) => sum + line.quantity, 0);
    const added = Math.min(quantity, quantityInCart, growth);
    growth -= added;
    return { variantId, quantity, added };
  });
}

/** Returns the quantity of a line of a cart; 0 for a line that is not in the cart. */
export const lineQuantity = (cart: Pick<Cart, "lines">, lineId: StoreId): number =>
  cart.lines.find(({ id }) => id === lineId)?.quantity ?? 0;
