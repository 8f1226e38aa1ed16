/** Choices of a product in addresses (decision 049): by the names of its options, by a variant's id, or, in older links, by positions. */
import type { Lang } from "../shared/model";
import type { ProductChoice, Selection, StoreId, StoreOption, StoreProduct } from "./store";
import { isVariantId, variantIdOf } from "./store-ids";
import { readPositions, selectionAt, selectionPositions } from "./store-options";

/** Names of parameters that our addresses use for something else. An option of such a name is written with the prefix. */
const RESERVED: ReadonlySet<string> = new Set([
  ...["token", "link", "at", "lang", "cart", "told", "gone", "entered", "q", "k", "after", "before"],
  ...["dialog", "poster", "tag", "event", "index", "_routes", "choice", "variant", "named"],
]);
/** Reserved names that choose something. */
const CHOOSING: ReadonlySet<string> = new Set(["choice", "variant", "named"]);
/** The prefix of options whose name is reserved; older addresses have it before every name. */
const PREFIX = "opt.";
/** Parameters that other sites add to links: they choose nothing, unless an option has that name. */
const TRACKING = /^(utm_.*|mc_.*|pr_.*|_.*|.*clid|ref|source|igshid|srsltid|si)$/i;
/** Shopify has three options a product. */
const OPTIONS_READ = 10;
/** Characters of a name or a value. */
const TEXT_MAX = 255;

/** The choice of an address that names none. */
export const NO_CHOICE: ProductChoice = { names: [], isExact: false, variant: null, positions: null };

const optionName = (parameter: string): string | null => {
  if (parameter.startsWith(PREFIX)) return parameter.slice(PREFIX.length) || null;
  return parameter === "" || RESERVED.has(parameter) ? null : parameter;
};

/** Reads what an address chooses of a product. Never throws; what is too long or too many is left out. */
export function readChoice(search: URLSearchParams, lang: Lang): ProductChoice {
  const names = new Map<string, string>();
  for (const [parameter, value] of search) {
    if (names.size === OPTIONS_READ) break;
    const name = optionName(parameter);
    if (name !== null && name.length <= TEXT_MAX && value !== "" && value.length <= TEXT_MAX)
      names.set(name, value);
  }
  const variant = search.get("variant");
  return {
    names: [...names].map(([name, value]) => ({ name, value })),
    isExact: search.get("named") === lang,
    variant: variant === null || variant === "" ? null : variant.slice(0, TEXT_MAX),
    positions: readPositions(search.get("choice")),
  };
}

/** Whether an address chooses a variant of a product. */
export const hasChoice = ({ names, variant, positions }: ProductChoice): boolean =>
  names.some(({ name }) => !TRACKING.test(name)) || variant !== null || positions !== null;

/**
 * Writes a choice for an address, by the names of its options.
 * @param exactIn the language of the names, for a product with more variants than one response has: the store is then queried by these names
 */
export const writeChoice = (selection: Selection, exactIn: Lang | null = null): string =>
  new URLSearchParams([
    ...selection.map(({ name, value }) => [
      RESERVED.has(name) || name.startsWith(PREFIX) ? PREFIX + name : name,
      value,
    ]),
    ...(exactIn === null ? [] : [["named", exactIn]]),
  ]).toString();

/** The part of an address that chooses something. */
export function choiceParameters(search: URLSearchParams): URLSearchParams {
  const chosen = [...search].filter(([name]) => CHOOSING.has(name) || optionName(name) !== null);
  return new URLSearchParams(chosen);
}

/** An address without what it chooses. */
export function withoutChoice(search: URLSearchParams): URLSearchParams {
  const rest = [...search].filter(([name]) => !CHOOSING.has(name) && optionName(name) === null);
  return new URLSearchParams(rest);
}

/** Names and values are the same for people in any case and width. */
const fold = (text: string) => text.normalize("NFKC").trim().toLowerCase();
const findFolded = (texts: readonly string[], wanted: string): string | undefined =>
  texts.find((text) => text === wanted) ?? texts.find((text) => fold(text) === fold(wanted));

/** A variant's id as an address names it: its number, or the whole id. Null for what is neither. */
export const chosenVariantId = (variant: string): StoreId | null =>
  isVariantId(variant) ? variant : variantIdOf(variant);

/** The choice of an address, in the product's own names. */
export interface ResolvedChoice {
  /** In the order of the product's options; not necessarily all of them. */
  readonly selection: Selection;
  /** Parts of the address that the product does not have, as the address writes them. */
  readonly wrong: Selection;
}

/** Finds what an address chooses among a product's options and variants. */
export function resolveChoice(
  product: Pick<StoreProduct, "options" | "variant" | "variants">,
  { names, variant, positions }: ProductChoice,
): ResolvedChoice {
  const { options } = product;
  if (positions !== null) return resolvePositions(options, positions);
  const chosen = new Map<string, string>();
  const wrong: { name: string; value: string }[] = [];
  for (const { name, value } of names) {
    const option = findOption(options, name);
    const found = option && findFolded(option.values, value);
    if (option && found !== undefined) chosen.set(option.name, found);
    else if (option || !TRACKING.test(name)) wrong.push({ name, value });
  }
  if (variant !== null) {
    const id = chosenVariantId(variant);
    const found = [product.variant, ...product.variants].find((one) => one?.id === id);
    if (!found) wrong.push({ name: "variant", value: variant });
    for (const { name, value } of found?.selectedOptions ?? []) chosen.set(name, value);
  }
  const selection = options.flatMap(({ name }) => {
    const value = chosen.get(name);
    return value === undefined ? [] : [{ name, value }];
  });
  return { selection, wrong };
}

const findOption = (options: readonly StoreOption[], name: string): StoreOption | undefined => {
  const found = findFolded(
    options.map((option) => option.name),
    name,
  );
  return options.find((option) => option.name === found);
};

function resolvePositions(options: readonly StoreOption[], positions: readonly number[]): ResolvedChoice {
  const isWrong = positions.some((at, index) => at >= (options[index]?.values.length ?? 0));
  const wrong = isWrong ? [{ name: "choice", value: positions.join(".") }] : [];
  return { selection: selectionAt(options, positions), wrong };
}

/**
 * Translates a choice into another language of a store. Options and values have the same positions in all languages.
 * @param from options in the language of the selection
 */
export const translateSelection = (
  selection: Selection,
  from: readonly StoreOption[],
  to: readonly StoreOption[],
): Selection => selectionAt(to, selectionPositions(from, selection).split(".").map(Number));
