import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SelectedOption, Selection, StoreOption, StoreProduct, StoreVariant } from "./store";
import {
  canBuy,
  productView,
  readPositions,
  selectionAt,
  selectionPositions,
  stockState,
  variantState,
} from "./store-options";

const NAMES = ["Size", "Color", "Frame"];

/** Products with up to three options. Only some combinations exist, in any stock state. */
const productArb = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }).chain((counts) => {
  const options: StoreOption[] = counts.map((count, index) => ({
    name: NAMES[index] ?? "",
    values: [...Array(count).keys()].map((value) => `${NAMES[index]} ${value}`),
  }));
  const allCombinations = options.reduce<SelectedOption[][]>(
    (combinations, { name, values }) =>
      combinations.flatMap((combination) => values.map((value) => [...combination, { name, value }])),
    [[]],
  );
  return fc.tuple(
    fc.constant(options),
    fc
      .array(
        fc.record({
          exists: fc.boolean(),
          availableForSale: fc.boolean(),
          currentlyNotInStock: fc.boolean(),
        }),
        {
          minLength: allCombinations.length,
          maxLength: allCombinations.length,
        },
      )
      .map((states) =>
        allCombinations.flatMap((selectedOptions, index): StoreVariant[] => {
          const { exists, ...state } = states[index] ?? { exists: false };
          const defaults = { availableForSale: false, currentlyNotInStock: false, ...state };
          return exists
            ? [
                {
                  id: `gid://shopify/ProductVariant/${index}`,
                  title: "",
                  image: null,
                  price: { amount: "1.0", currencyCode: "JPY" },
                  selectedOptions,
                  ...defaults,
                },
              ]
            : [];
        }),
      ),
    fc.constant(allCombinations),
    fc.nat(),
  );
});

const differences = (a: Selection, b: Selection) =>
  a.filter(({ name, value }) => b.find((option) => option.name === name)?.value !== value).length;

/**
 * Returns a store's response for a selection: the exact variant, or otherwise the first available or first one, and those that
 * differ from the selection in one option.
 */
function productFor(options: StoreOption[], variants: StoreVariant[], selection: Selection): StoreProduct {
  const exactVariant = variants.find(({ selectedOptions }) => differences(selectedOptions, selection) === 0);
  const variant =
    exactVariant ?? variants.find(({ availableForSale }) => availableForSale) ?? variants[0] ?? null;
  const adjacent = variants.filter(({ selectedOptions }) => differences(selectedOptions, selection) === 1);
  return {
    id: "gid://shopify/Product/1",
    title: "",
    description: [],
    images: [],
    options,
    variant,
    variants: [...(variant ? [variant] : []), ...adjacent.filter(({ id }) => id !== variant?.id)],
    subscriptionOnly: false,
    isLarge: false,
    respondedAt: 0,
  };
}

const inStock = { availableForSale: true, currentlyNotInStock: false };
const backOrdered = { availableForSale: true, currentlyNotInStock: true };
const soldOut = { availableForSale: false, currentlyNotInStock: false };

describe("the stock of a product", () => {
  it.each([
    ["in_stock", [inStock, inStock]],
    ["in_stock", [inStock, backOrdered]],
    ["back_order", [backOrdered, backOrdered]],
    ["back_order", [backOrdered, soldOut]],
    ["some_sold_out", [inStock, soldOut, backOrdered]],
    ["sold_out", [soldOut, soldOut]],
    // The product has more variants than were examined.
    ["some_sold_out", [soldOut], true],
    ["in_stock", [], true],
  ] as const)("is %s with %j", (state, variants, hasMoreVariants: boolean = false) => {
    const availableForSale = hasMoreVariants || variants.some((variant) => variant.availableForSale);
    expect(stockState({ availableForSale, subscriptionOnly: false, variants })).toBe(state);
    expect(stockState({ availableForSale, subscriptionOnly: true, variants })).toBe("not_for_sale");
  });
});

describe("the availability of a variant", () => {
  it.each([
    [true, false, "in_stock"],
    [true, true, "back_order"],
    [false, false, "sold_out"],
    [false, true, "sold_out"],
  ] as const)("for sale %s, not in stock %s: %s", (availableForSale, currentlyNotInStock, state) => {
    expect(variantState({ availableForSale, currentlyNotInStock })).toBe(state);
    expect(variantState({ availableForSale, currentlyNotInStock }, true)).toBe("not_for_sale");
    expect(canBuy(state)).toBe(availableForSale);
  });
  it("does not allow buying one that does not exist, or is sold by subscription only", () => {
    expect([canBuy("none"), canBuy("not_for_sale")]).toEqual([false, false]);
  });
});

describe("a product's options", () => {
  it("have the exact state of every choice, for any product and any complete selection", () => {
    fc.assert(
      fc.property(productArb, ([options, variants, allCombinations, pick]) => {
        const selection = allCombinations[pick % allCombinations.length] ?? [];
        const { rows, variant, state } = productView(productFor(options, variants, selection), selection);
        expect(rows.map(({ name, choices }) => [name, choices.length])).toEqual(
          options.map(({ name, values }) => [name, values.length]),
        );
        const find = (requested: Selection) =>
          variants.find(({ selectedOptions }) => differences(selectedOptions, requested) === 0);
        for (const { choices } of rows) {
          expect(choices.filter(({ isSelected }) => isSelected)).toHaveLength(1);
          for (const choice of choices) {
            const variant = find(choice.selection);
            expect(choice.state).toBe(variant ? variantState(variant) : "none");
          }
        }
        const chosen = options.length === 0 ? variants[0] : find(selection);
        expect(variant?.id).toBe(chosen?.id);
        expect(state).toBe(chosen ? variantState(chosen) : "none");
      }),
    );
  });

  it("lead, for any choice, to a page on which it is selected", () => {
    fc.assert(
      fc.property(productArb, ([options, variants, allCombinations, pick]) => {
        const selection = allCombinations[pick % allCombinations.length] ?? [];
        const { rows } = productView(productFor(options, variants, selection), selection);
        for (const { name, choices } of rows)
          for (const { value, selection: nextSelection, state } of choices) {
            const view = productView(productFor(options, variants, nextSelection), nextSelection);
            expect(view.selection.find((option) => option.name === name)?.value).toBe(value);
            if (state !== "none") expect(view.state).toBe(state);
          }
      }),
      { numRuns: 30 },
    );
  });

  it("always have one existing value selected each, for any URL", () => {
    fc.assert(
      fc.property(
        productArb,
        fc.array(fc.record({ name: fc.string(), value: fc.string() })),
        ([options, variants], requested) => {
          const { selection } = productView(productFor(options, variants, requested), requested);
          expect(selection.map(({ name }) => name)).toEqual(options.map(({ name }) => name));
          for (const { name, value } of selection)
            expect(options.find((option) => option.name === name)?.values).toContain(value);
        },
      ),
    );
  });
});

describe("the positions of a selection", () => {
  const ja: readonly StoreOption[] = [
    { name: "サイズ", values: ["S", "M"] },
    { name: "色", values: ["藍", "生成り"] },
  ];
  const en: readonly StoreOption[] = [
    { name: "Size", values: ["S", "M"] },
    { name: "Color", values: ["Indigo", "Natural"] },
  ];

  it("mean the same choice in another language", () => {
    const positions = selectionPositions(ja, [
      { name: "サイズ", value: "M" },
      { name: "色", value: "藍" },
    ]);
    expect(selectionAt(en, readPositions(positions) ?? [])).toEqual([
      { name: "Size", value: "M" },
      { name: "Color", value: "Indigo" },
    ]);
  });

  it("of unknown values are ignored", () => {
    expect(selectionAt(en, [7, -1])).toEqual([]);
    expect(selectionAt(en, [1])).toEqual([{ name: "Size", value: "M" }]);
    expect(readPositions(selectionPositions(en, []))).toEqual([-1, -1]);
  });

  it("in a malformed text are null", () => {
    for (const invalidText of [null, "", "a", "1.", "1..2", "9999", "0.".repeat(20)])
      expect(readPositions(invalidText)).toBeNull();
  });
});
