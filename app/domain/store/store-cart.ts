/** What a store made of a cart, told from its answers. */
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

/** CartWarningCode: 4 in 2025-01, 17 in 2026-01. What is not known here is told in the store's own words. */
const KINDS: Readonly<Record<string, AdjustmentKind>> = {
  MERCHANDISE_NOT_ENOUGH_STOCK: "not_enough_stock",
  MERCHANDISE_OUT_OF_STOCK: "out_of_stock",
};

/** A line's product and variant, as people know it. Of a product without options the variant has no name of its own. */
export const lineTitle = ({
  product,
  variant,
}: {
  readonly product: Pick<CartLine["product"], "title">;
  readonly variant: Pick<CartLine["variant"], "title">;
}): string => (hasVariantTitle(variant.title) ? `${product.title} – ${variant.title}` : product.title);

/** What was asked of a cart: so many more of some variants, or so many in one line. */
export type CartAsk =
  | {
      readonly add: readonly CartItem[];
      /** How many things were in the cart before; null where nobody knows. */
      readonly before: number | null;
    }
  | { readonly line: StoreId; readonly quantity: number; readonly title?: string };

/** How many a line was to hold; null where nothing was asked of it, or where nobody knows what it held before. */
function askedOf(ask: CartAsk, line: CartLine): number | null {
  if ("line" in ask) return ask.line === line.id ? ask.quantity : null;
  if (ask.before !== 0) return null;
  const items = ask.add.filter(({ variantId }) => variantId === line.variant.id);
  return items.length === 0 ? null : items.reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * Every adjustment that a store made when a cart was changed: those that it warns of, and those that only the numbers tell. Stock never
 * gives errors: the store takes what it has and says so, or not.
 */
export function cartAdjustments(
  cart: Cart,
  warnings: readonly StoreWarning[],
  ask: CartAsk,
): CartAdjustment[] {
  const warned = new Set<StoreId>();
  const told = warnings.map(({ code, message, target }): CartAdjustment => {
    const line = cart.lines.find(({ id }) => id === target);
    if (line) warned.add(line.id);
    return {
      kind: KINDS[code] ?? "other",
      lineId: line?.id ?? null,
      title: line ? lineTitle(line) : "",
      asked: line ? askedOf(ask, line) : null,
      quantity: line?.quantity ?? null,
      message,
    };
  });
  return [...told, ...untold(cart, ask, warned, told)];
}

function untold(
  cart: Cart,
  ask: CartAsk,
  warned: ReadonlySet<StoreId>,
  told: readonly CartAdjustment[],
): CartAdjustment[] {
  const isKnown = !("add" in ask) || ask.before === 0;
  const short = (wanted: number, line: CartLine | undefined, title: string): CartAdjustment[] => {
    const quantity = line?.quantity ?? 0;
    if (quantity >= wanted || (line && warned.has(line.id))) return [];
    // A line that is not there cannot be a warning's target: whatever the store says is about it.
    if (!line && told.length > 0) return [];
    const kind = quantity === 0 ? "out_of_stock" : "not_enough_stock";
    const asked = isKnown ? wanted : null;
    return [{ kind, lineId: line?.id ?? null, title, asked, quantity, message: "" }];
  };
  if ("line" in ask) {
    const line = cart.lines.find(({ id }) => id === ask.line);
    return short(ask.quantity, line, line ? lineTitle(line) : (ask.title ?? ""));
  }
  const sums = new Map<StoreId, number>();
  for (const { variantId, quantity } of ask.add) sums.set(variantId, (sums.get(variantId) ?? 0) + quantity);
  const found = [...sums].flatMap(([variantId, asked]) => {
    const lines = cart.lines.filter(({ variant }) => variant.id === variantId);
    // The same variant may lie in several lines when they differ in something else.
    const most = lines.reduce<CartLine | undefined>(
      (found, line) => (found && found.quantity >= line.quantity ? found : line),
      undefined,
    );
    return short(asked, most, most ? lineTitle(most) : "");
  });
  // Lines that were there before may hide that less was added: the sum of all of them does not.
  const sum = (ask.before ?? 0) + ask.add.reduce((all, { quantity }) => all + quantity, 0);
  const isLess = ask.before !== null && cart.totalQuantity < sum;
  return found.length === 0 && told.length === 0 && isLess ? [CHANGED] : found;
}

/** Something is otherwise than it was asked for, and nobody says what. */
const CHANGED: CartAdjustment = {
  kind: "other",
  lineId: null,
  title: "",
  asked: null,
  quantity: null,
  message: "",
};

/** What a cart has lost since it was seen last, which the store tells nobody; null when nothing. */
export function lossSince(cart: Cart, quantity: number | null): CartAdjustment | null {
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

/** A cart that was not there any more. */
export const EXPIRED: CartAdjustment = {
  kind: "expired",
  lineId: null,
  title: "",
  asked: null,
  quantity: null,
  message: "",
};

/** An item of a request, and its quantity that came into the cart. */
export interface AddedItem extends CartItem {
  readonly added: number;
}

/**
 * The quantities that came into a cart, computed from the cart afterwards: for a store that sent errors beside it, or whose response was lost.
 * Items of the same variant are added up.
 * @param before number of items in the cart before; null where it is not known: then the lines alone count
 */
export function addedItems(
  cart: Pick<Cart, "lines" | "totalQuantity">,
  items: readonly CartItem[],
  before: number | null,
): AddedItem[] {
  const asked = new Map<StoreId, number>();
  for (const { variantId, quantity } of items) asked.set(variantId, (asked.get(variantId) ?? 0) + quantity);
  // Items that were in the cart before look as if they were added: no more were added than the cart has grown by.
  let growth = before === null ? Number.POSITIVE_INFINITY : Math.max(0, cart.totalQuantity - before);
  return [...asked].map(([variantId, quantity]) => {
    const held = cart.lines
      .filter(({ variant }) => variant.id === variantId)
      .reduce((sum, line) => sum + line.quantity, 0);
    const added = Math.min(quantity, held, growth);
    growth -= added;
    return { variantId, quantity, added };
  });
}

/** Quantity of a line of a cart; 0 for a line that is not in it. */
export const lineQuantity = (cart: Pick<Cart, "lines">, lineId: StoreId): number =>
  cart.lines.find(({ id }) => id === lineId)?.quantity ?? 0;
