/** What a visitor can choose of a product's options, and what can be bought of it. */
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

/** What a store calls the only option of a product that has none, and its only value. */
const NO_OPTION = { name: "Title", value: "Default Title" } as const;

/** Whether the options of a product are the one that stands for none. */
export const hasNoOptions = (options: readonly StoreOption[]): boolean =>
  options.length === 1 &&
  options[0]?.name === NO_OPTION.name &&
  options[0].values.length === 1 &&
  options[0].values[0] === NO_OPTION.value;

/** Whether a variant has only the placeholder option of products without options. */
export const isNoOption = (selection: Selection): boolean =>
  selection.length === 1 && selection[0]?.name === NO_OPTION.name && selection[0].value === NO_OPTION.value;

/** Whether a variant has a name besides its product's. */
export const hasVariantTitle = (title: string): boolean => title !== "" && title !== NO_OPTION.value;

/**
 * What can be bought of a variant. In the store's own terms (Storefront API, ProductVariant): availableForSale is false for what is
 * tracked, has run out and is not sold beyond that; currentlyNotInStock beside it is what is sold beyond that.
 */
export function variantState(
  variant: Pick<StoreVariant, "availableForSale" | "currentlyNotInStock">,
  subscriptionOnly = false,
): VariantState {
  if (subscriptionOnly) return "not_for_sale";
  if (!variant.availableForSale) return "sold_out";
  return variant.currentlyNotInStock ? "back_order" : "in_stock";
}

/** Whether it can be put into a cart. */
export const canBuy = (state: VariantState | "none"): boolean =>
  state === "in_stock" || state === "back_order";

/**
 * What can be had of a product, as lists, tags and whoever attaches it say it in a word: on back-order when that holds for every variant
 * that can be bought.
 * @param variants as many as were looked at: of those after them nobody knows
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
  const offered = states.filter(canBuy);
  if (offered.length > 0 && offered.every((state) => state === "back_order")) return "back_order";
  return states.includes("sold_out") ? "some_sold_out" : "in_stock";
}

const chosenOf = (selection: Selection, name: string) => selection.find((one) => one.name === name)?.value;

/** A variant whose options are exactly these. */
function variantOf(variants: readonly StoreVariant[], selection: Selection): StoreVariant | undefined {
  return variants.find(({ selectedOptions }) => isSameSelection(selectedOptions, selection));
}

/**
 * The variant that completes a partial choice: the shown one where it fits, or the first that fits and can be bought, or the first that
 * fits; null where none fits.
 */
function completion({ variant: shown, variants }: StoreProduct, wanted: Selection): StoreVariant | null {
  const fits = ({ selectedOptions }: StoreVariant) =>
    wanted.every(({ name, value }) => chosenOf(selectedOptions, name) === value);
  if (shown && fits(shown)) return shown;
  const fitting = variants.filter(fits);
  return fitting.find(({ availableForSale }) => availableForSale) ?? fitting[0] ?? null;
}

/**
 * A product with what was chosen of it. Options that were not chosen, or not among the product's values, are those of the variant
 * that completes the choice; other requested options are ignored. The product has the selected variant and all that differ from it in one
 * option, so a variant that is not found here does not exist.
 */
export function productView(product: StoreProduct, asked: Selection): ProductView {
  const { options, variant: shown, variants, subscriptionOnly } = product;
  const known = asked.filter(({ name, value }) =>
    options.some((option) => option.name === name && option.values.includes(value)),
  );
  const completed = completion(product, known) ?? shown;
  const selection = options.flatMap(({ name, values }): SelectedOption[] => {
    const value =
      chosenOf(known, name) ?? ((completed && chosenOf(completed.selectedOptions, name)) || values[0]);
    return value === undefined ? [] : [{ name, value }];
  });
  const stateOf = (variant: StoreVariant | undefined | null) =>
    variant ? variantState(variant, subscriptionOnly) : "none";
  const rows = options.map(
    ({ name, values }): OptionRow => ({
      name,
      choices: values.map((value) => {
        const chosen = selection.map((one) => (one.name === name ? { name, value } : one));
        return {
          value,
          isSelected: chosenOf(selection, name) === value,
          state: stateOf(variantOf(variants, chosen)),
          selection: chosen,
        };
      }),
    }),
  );
  // Of a product without options there is one variant, whatever it calls its only option.
  const variant = options.length === 0 ? shown : (variantOf(variants, selection) ?? null);
  return { product, selection, rows, variant, state: stateOf(variant) };
}

/** Whether two selections are of the same values, in whatever order. */
export const isSameSelection = (one: Selection, other: Selection): boolean =>
  one.length === other.length && one.every(({ name, value }) => chosenOf(other, name) === value);

/**
 * A selection by the places of its values among those of their options ("0.2"), which are the same in every language of a store: names are
 * not. Values that are not among them are left to the store.
 */
export const selectionPositions = (options: readonly StoreOption[], selection: Selection): string =>
  options.map(({ name, values }) => values.indexOf(chosenOf(selection, name) ?? "")).join(".");

/** The places of an address (`choice=0.2`); null for what are none. */
export function readPositions(value: string | null): readonly number[] | null {
  if (value === null || !/^-?\d{1,3}(\.-?\d{1,3}){0,9}$/.test(value)) return null;
  return value.split(".").map(Number);
}

/** What stands at these places of a product's options. */
export const selectionAt = (options: readonly StoreOption[], positions: readonly number[]): Selection =>
  options.flatMap(({ name, values }, index) => {
    const value = values[positions[index] ?? -1];
    return value === undefined ? [] : [{ name, value }];
  });
