/** The options that a visitor can choose for a product, and the availability of its variants. */
import type {
  OptionRow,
  ProductView,
  SelectedOption,
  Selection,
  StockState,
  StoreOption,
  StoreProduct,
  StoreVariant,
  VariantState,
} from "./store";

/** Name and only value of the placeholder option that a store gives to a product without options. */
const NO_OPTION = { name: "Title", value: "Default Title" } as const;

/** Whether the only option of a product is the placeholder. */
export const hasNoOptions = (options: readonly StoreOption[]): boolean =>
  options.length === 1 &&
  options[0]?.name === NO_OPTION.name &&
  options[0].values.length === 1 &&
  options[0].values[0] === NO_OPTION.value;

/** Whether a variant has only the placeholder option of products without options. */
export const isNoOption = (selection: Selection): boolean =>
  selection.length === 1 && selection[0]?.name === NO_OPTION.name && selection[0].value === NO_OPTION.value;

/** Whether a variant has a title in addition to its product's. */
export const hasVariantTitle = (title: string): boolean => title !== "" && title !== NO_OPTION.value;

/**
 * Returns a variant's availability. In the Storefront API (ProductVariant), availableForSale is false for a tracked variant that is out
 * of stock and is not sold on back-order; currentlyNotInStock together with availableForSale means that it is sold on back-order.
 */
export function variantState(
  variant: Pick<StoreVariant, "availableForSale" | "currentlyNotInStock">,
  subscriptionOnly = false,
): VariantState {
  if (subscriptionOnly) return "not_for_sale";
  if (!variant.availableForSale) return "sold_out";
  return variant.currentlyNotInStock ? "back_order" : "in_stock";
}

/** Whether a variant in this state can be added to a cart. */
export const canBuy = (state: VariantState | "none"): boolean =>
  state === "in_stock" || state === "back_order";

/**
 * Returns the availability of a product as lists, tags and the product picker show it. "back_order" means that every variant that can be
 * bought is on back-order.
 * @param product.variants the variants that were queried; the state of any others is unknown
 */
export function stockState(product: {
  /** Whether at least one variant can be bought. */
  readonly availableForSale: boolean;
  readonly subscriptionOnly: boolean;
  readonly variants: readonly Pick<StoreVariant, "availableForSale" | "currentlyNotInStock">[];
}): StockState {
  if (product.subscriptionOnly) return "not_for_sale";
  if (!product.availableForSale) return "sold_out";
  const states = product.variants.map((variant) => variantState(variant));
  const buyable = states.filter(canBuy);
  if (buyable.length > 0 && buyable.every((state) => state === "back_order")) return "back_order";
  return states.includes("sold_out") ? "some_sold_out" : "in_stock";
}

const findValue = (selection: Selection, name: string) =>
  selection.find((option) => option.name === name)?.value;

/** Returns the variant that has exactly these options. */
function findVariant(variants: readonly StoreVariant[], selection: Selection): StoreVariant | undefined {
  return variants.find(({ selectedOptions }) => isSameSelection(selectedOptions, selection));
}

/**
 * Returns the variant that completes a partial choice: the shown one if it matches, or the first match that can be bought, or the first
 * match; null without a match.
 */
function findCompletion(
  { variant: shownVariant, variants }: StoreProduct,
  requested: Selection,
): StoreVariant | null {
  const isMatch = ({ selectedOptions }: StoreVariant) =>
    requested.every(({ name, value }) => findValue(selectedOptions, name) === value);
  if (shownVariant && isMatch(shownVariant)) return shownVariant;
  const matches = variants.filter(isMatch);
  return matches.find(({ availableForSale }) => availableForSale) ?? matches[0] ?? null;
}

/**
 * Returns a product with a visitor's choice. Options that the visitor has not chosen, or chose with a value that the product does not
 * have, come from the variant that completes the choice; unknown options are ignored. The product has the selected variant and all that
 * differ from it in one option, so a variant that is not found here does not exist.
 */
export function productView(product: StoreProduct, requested: Selection): ProductView {
  const { options, variant: shownVariant, variants, subscriptionOnly } = product;
  const knownOptions = requested.filter(({ name, value }) =>
    options.some((option) => option.name === name && option.values.includes(value)),
  );
  const completingVariant = findCompletion(product, knownOptions) ?? shownVariant;
  const selection = options.flatMap(({ name, values }): SelectedOption[] => {
    const value =
      findValue(knownOptions, name) ??
      ((completingVariant && findValue(completingVariant.selectedOptions, name)) || values[0]);
    return value === undefined ? [] : [{ name, value }];
  });
  const stateOf = (variant: StoreVariant | undefined | null) =>
    variant ? variantState(variant, subscriptionOnly) : "none";
  const rows = options.map(
    ({ name, values }): OptionRow => ({
      name,
      choices: values.map((value) => {
        const nextSelection = selection.map((option) => (option.name === name ? { name, value } : option));
        return {
          value,
          isSelected: findValue(selection, name) === value,
          state: stateOf(findVariant(variants, nextSelection)),
          selection: nextSelection,
        };
      }),
    }),
  );
  // A product without options has one variant, whatever the name of its only option.
  const variant = options.length === 0 ? shownVariant : (findVariant(variants, selection) ?? null);
  return { product, selection, rows, variant, state: stateOf(variant) };
}

/** Whether two selections have the same values, in any order. */
export const isSameSelection = (a: Selection, b: Selection): boolean =>
  a.length === b.length && a.every(({ name, value }) => findValue(b, name) === value);

/**
 * Writes a selection as the positions of its values within their options ("0.2"). Positions are the same in every language of a store;
 * names are not. A value that the options do not have is written as -1.
 */
export const selectionPositions = (options: readonly StoreOption[], selection: Selection): string =>
  options.map(({ name, values }) => values.indexOf(findValue(selection, name) ?? "")).join(".");

/** Reads the positions of a URL (`choice=0.2`); returns null for invalid ones. */
export function readPositions(value: string | null): readonly number[] | null {
  if (value === null || !/^-?\d{1,3}(\.-?\d{1,3}){0,9}$/.test(value)) return null;
  return value.split(".").map(Number);
}

/** Returns the values at these positions of a product's options. */
export const selectionAt = (options: readonly StoreOption[], positions: readonly number[]): Selection =>
  options.flatMap(({ name, values }, index) => {
    const value = values[positions[index] ?? -1];
    return value === undefined ? [] : [{ name, value }];
  });
