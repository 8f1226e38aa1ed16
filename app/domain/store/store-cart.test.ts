import { describe, expect, it } from "vitest";
import type { Cart, CartLine } from "./store";
import { addedItems, cartAdjustments, findLostItems, lineTitle } from "./store-cart";

const money = { amount: "1.0", currencyCode: "JPY" };
const line = (id: string, variantId: string, quantity: number, title = "藍"): CartLine => ({
  id,
  quantity,
  each: money,
  total: money,
  product: { id: "p", title: "手ぬぐい", isLarge: false },
  variant: {
    id: variantId,
    title,
    image: null,
    price: money,
    selectedOptions: [],
    availableForSale: true,
    currentlyNotInStock: false,
  },
});
const cart = (...lines: CartLine[]): Cart => ({
  id: "c",
  createdAt: "",
  updatedAt: "",
  totalQuantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
  checkoutUrl: null,
  subtotal: money,
  total: money,
  lines,
});

describe("adjustments of a cart", () => {
  const add = (variantId: string, quantity: number) => ({ variantId, quantity });

  it("are empty if the store did what was requested, also for a cart with earlier items", () => {
    expect(cartAdjustments(cart(line("l", "v", 2)), [], { add: [add("v", 2)], before: 0 })).toEqual([]);
    expect(cartAdjustments(cart(line("l", "v", 5)), [], { add: [add("v", 2)], before: 3 })).toEqual([]);
    expect(cartAdjustments(cart(), [], { line: "l", quantity: 0 })).toEqual([]);
  });

  it("are reported once, by the store's warning if there is one", () => {
    const warning = { code: "MERCHANDISE_NOT_ENOUGH_STOCK", message: "Only 1", target: "l" };
    expect(cartAdjustments(cart(line("l", "v", 1)), [warning], { add: [add("v", 3)], before: 0 })).toEqual([
      {
        kind: "not_enough_stock",
        lineId: "l",
        title: "手ぬぐい – 藍",
        asked: 3,
        quantity: 1,
        message: "Only 1",
      },
    ]);
  });

  it("are computed from the quantities without a warning", () => {
    const adjustments = cartAdjustments(cart(line("l", "v", 1)), [], {
      add: [add("v", 1), add("v", 2), add("w", 1)],
      before: 0,
    });
    expect(adjustments).toMatchObject([
      { kind: "not_enough_stock", lineId: "l", asked: 3, quantity: 1, message: "" },
      { kind: "out_of_stock", lineId: null, asked: 1, quantity: 0 },
    ]);
    expect(cartAdjustments(cart(), [], { line: "l", quantity: 4, title: "湯呑" })).toMatchObject([
      { kind: "out_of_stock", lineId: null, title: "湯呑", asked: 4, quantity: 0 },
    ]);
  });

  it("include unrequested changes of lines, and unknown codes with the store's message", () => {
    const warnings = [
      { code: "MERCHANDISE_OUT_OF_STOCK", message: "sold out", target: "other" },
      { code: "SOMETHING_OF_2027", message: "それは明日", target: "c" },
    ];
    const adjustments = cartAdjustments(
      cart(line("l", "v", 1), line("other", "w", 0, "Default Title")),
      warnings,
      {
        add: [add("v", 1)],
        before: 1,
      },
    );
    expect(adjustments).toEqual([
      {
        kind: "out_of_stock",
        lineId: "other",
        title: "手ぬぐい",
        asked: null,
        quantity: 0,
        message: "sold out",
      },
      { kind: "other", lineId: null, title: "", asked: null, quantity: null, message: "それは明日" },
    ]);
  });

  it("state no requested quantity if the cart may have had items before", () => {
    const warning = { code: "MERCHANDISE_NOT_ENOUGH_STOCK", message: "Only 4", target: "l" };
    const request = { add: [add("v", 5)], before: 2 };
    const expected = { kind: "not_enough_stock", title: "手ぬぐい – 藍", asked: null, quantity: 4 };
    expect(cartAdjustments(cart(line("l", "v", 4)), [warning], request)).toMatchObject([expected]);
    expect(cartAdjustments(cart(line("l", "v", 4)), [], request)).toMatchObject([expected]);
    expect(cartAdjustments(cart(line("l", "v", 4)), [], { ...request, before: null })).toMatchObject([
      expected,
    ]);
  });

  it("are detected by the cart's total if earlier items hide them in the lines", () => {
    const request = { add: [add("v", 2)], before: 3 };
    expect(cartAdjustments(cart(line("l", "v", 4)), [], request)).toMatchObject([
      { kind: "other", message: "" },
    ]);
    expect(cartAdjustments(cart(line("l", "v", 4)), [], { ...request, before: null })).toEqual([]);
  });

  it("report a loss if there are fewer items than were last seen", () => {
    expect(findLostItems(cart(line("l", "v", 2)), 2)).toBeNull();
    expect(findLostItems(cart(line("l", "v", 2)), 0)).toBeNull();
    expect(findLostItems(cart(line("l", "v", 2)), null)).toBeNull();
    expect(findLostItems(cart(line("l", "v", 2)), 3)).toMatchObject({
      kind: "removed",
      asked: 3,
      quantity: 2,
    });
  });
});

it("the titles of lines use the product's title, and the variant's if it has one", () => {
  expect(lineTitle(line("l", "v", 1))).toBe("手ぬぐい – 藍");
  expect(lineTitle(line("l", "v", 1, "Default Title"))).toBe("手ぬぐい");
  expect(lineTitle(line("l", "v", 1, ""))).toBe("手ぬぐい");
});

describe("items that were added to a cart despite errors", () => {
  const cartWith = (...quantities: [variantId: string, quantity: number][]) => ({
    totalQuantity: quantities.reduce((sum, [, quantity]) => sum + quantity, 0),
    lines: quantities.map(([variantId, quantity]) => ({ quantity, variant: { id: variantId } })) as never,
  });
  const items = [
    { variantId: "a", quantity: 2 },
    { variantId: "b", quantity: 1 },
  ];
  const addedQuantities = (
    cart: ReturnType<typeof cartWith>,
    before: number | null,
    requestedItems = items,
  ) => addedItems(cart, requestedItems, before).map((item) => item.added);

  it("are computed from the lines of the cart", () => {
    expect(addedQuantities(cartWith(["a", 2], ["b", 1]), 0)).toEqual([2, 1]);
    expect(addedQuantities(cartWith(["a", 2]), 0)).toEqual([2, 0]);
    expect(addedQuantities(cartWith(["b", 1]), 0)).toEqual([0, 1]);
    expect(addedQuantities(cartWith(["a", 1]), 0)).toEqual([1, 0]);
    expect(addedQuantities(cartWith(), 0)).toEqual([0, 0]);
  });

  it("are not more than the growth of the cart", () => {
    expect(addedQuantities(cartWith(["a", 5]), 5, [{ variantId: "a", quantity: 2 }])).toEqual([0]);
    expect(addedQuantities(cartWith(["a", 7]), 5, [{ variantId: "a", quantity: 2 }])).toEqual([2]);
    expect(addedQuantities(cartWith(["a", 6]), 5, [{ variantId: "a", quantity: 2 }])).toEqual([1]);
    expect(addedQuantities(cartWith(["a", 3], ["b", 1]), 3)).toEqual([1, 0]);
  });

  it("of the same variant are added up", () => {
    const doubledItems = [...items, { variantId: "a", quantity: 1 }];
    expect(addedItems(cartWith(["a", 3], ["b", 1]), doubledItems, null)).toEqual([
      { variantId: "a", quantity: 3, added: 3 },
      { variantId: "b", quantity: 1, added: 1 },
    ]);
  });
});
