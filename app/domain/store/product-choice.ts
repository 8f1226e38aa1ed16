/** Reads product choices in URLs: by option names, by a variant's id, or, in older links, by positions. Writes them by option names (decision 049). */
import type { Lang } from "../shared/model";
import type { ProductChoice, Selection, StoreId, StoreOption, StoreProduct } from "./store";
import { isVariantId, variantIdOf } from "./store-ids";
import { readPositions, selectionAt, selectionPositions } from "./store-options";

/** Names of the query parameters of the app and its router. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...["token", "link", "at", "lang", "cart", "told", "gone", "entered", "q", "k", "after", "before"],
  ...["dialog", "poster", "tag", "event", "index", "_routes", "choice", "variant", "named"],
]);
/** Reserved names that are part of a choice. */
const CHOICE_NAMES: ReadonlySet<string> = new Set(["choice", "variant", "named"]);
/** Query parameters that campaigns and advertisers append. Only scripts in the browser read them. */
export const CAMPAIGN = /^(?:utm_.*|ref|referrer|[a-z]{0,3}clid|gad_.*|mc_[a-z]+|_g[al]|_hs.*|igsh(?:id)?)$/i;
const isReserved = (parameter: string) => RESERVED_NAMES.has(parameter) || CAMPAIGN.test(parameter);
/** The prefix of options whose name is reserved; older URLs have it before every name. */
const OPTION_PREFIX = "opt.";
/** Other query parameters that other sites add to links. They choose nothing, unless the product has an option with that name. */
const TRACKING = /^(mc_.*|pr_.*|_.*|.*clid|source|srsltid|si)$/i;
/** Maximum number of options that are read. Shopify allows three for each product. */
const OPTIONS_MAX = 10;
/** Maximum length of an option's name or value, in characters. */
const TEXT_MAX = 255;

const optionName = (parameter: string): string | null => {
  if (parameter.startsWith(OPTION_PREFIX)) return parameter.slice(OPTION_PREFIX.length) || null;
  return parameter === "" || isReserved(parameter) ? null : parameter;
};

/** Reads the product choice in a URL. Never throws; leaves out names and values that are too long and options beyond OPTIONS_MAX. */
export function readChoice(searchParams: URLSearchParams, lang: Lang): ProductChoice {
  const names = new Map<string, string>();
  for (const [parameter, value] of searchParams) {
    if (names.size === OPTIONS_MAX) break;
    const name = optionName(parameter);
    if (name !== null && name.length <= TEXT_MAX && value !== "" && value.length <= TEXT_MAX)
      names.set(name, value);
  }
  const variant = searchParams.get("variant");
  return {
    names: [...names].map(([name, value]) => ({ name, value })),
    isExact: searchParams.get("named") === lang,
    variant: variant === null || variant === "" ? null : variant.slice(0, TEXT_MAX),
    positions: readPositions(searchParams.get("choice")),
  };
}

/** Whether a URL chooses a variant of a product. */
export const hasChoice = ({ names, variant, positions }: ProductChoice): boolean =>
  names.some(({ name }) => !TRACKING.test(name)) || variant !== null || positions !== null;

/**
 * Writes a choice as a query string, by the names of its options.
 * @param exactIn language of the names, written as `named`. It is set for a product with more variants than one response contains: the page of the URL
 * then passes these names to the store as they are
 */
export const writeChoice = (selection: Selection, exactIn: Lang | null = null): string =>
  new URLSearchParams([
    ...selection.map(({ name, value }) => [
      isReserved(name) || name.startsWith(OPTION_PREFIX) ? OPTION_PREFIX + name : name,
      value,
    ]),
    ...(exactIn === null ? [] : [["named", exactIn]]),
  ]).toString();

/** Returns the query parameters that may belong to a product choice. */
export function choiceParameters(searchParams: URLSearchParams): URLSearchParams {
  const chosenParams = [...searchParams].filter(
    ([name]) => CHOICE_NAMES.has(name) || optionName(name) !== null,
  );
  return new URLSearchParams(chosenParams);
}

/** Returns the query parameters of the app that do not belong to a product choice. */
export function withoutChoice(searchParams: URLSearchParams): URLSearchParams {
  const otherParams = [...searchParams].filter(
    ([name]) => !CHOICE_NAMES.has(name) && !CAMPAIGN.test(name) && optionName(name) === null,
  );
  return new URLSearchParams(otherParams);
}

/** Normalizes a name or value so that letter case and character width make no difference. */
const fold = (text: string) => text.normalize("NFKC").trim().toLowerCase();
const findFolded = (texts: readonly string[], searchedText: string): string | undefined =>
  texts.find((text) => text === searchedText) ?? texts.find((text) => fold(text) === fold(searchedText));

/** Returns the id of a variant that a URL gives by its number or by its whole id; null for anything else. */
export const chosenVariantId = (variant: string): StoreId | null =>
  isVariantId(variant) ? variant : variantIdOf(variant);

/** A URL's choice, in the product's own names. */
export interface ResolvedChoice {
  /** Options in the product's order; not necessarily all of them. */
  readonly selection: Selection;
  /** Parts of the choice that the product does not have, as the URL writes them. */
  readonly wrong: Selection;
}

/** Matches a URL's choice against a product's options and variants. */
export function resolveChoice(
  product: Pick<StoreProduct, "options" | "variant" | "variants">,
  { names, variant, positions }: ProductChoice,
): ResolvedChoice {
  const { options } = product;
  if (positions !== null) return resolvePositions(options, positions);
  const chosenValues = new Map<string, string>();
  const wrong: { name: string; value: string }[] = [];
  for (const { name, value } of names) {
    const option = findOption(options, name);
    const match = option && findFolded(option.values, value);
    if (option && match !== undefined) chosenValues.set(option.name, match);
    else if (option || !TRACKING.test(name)) wrong.push({ name, value });
  }
  if (variant !== null) {
    const id = chosenVariantId(variant);
    const match = [product.variant, ...product.variants].find((candidate) => candidate?.id === id);
    if (!match) wrong.push({ name: "variant", value: variant });
    for (const { name, value } of match?.selectedOptions ?? []) chosenValues.set(name, value);
  }
  const selection = options.flatMap(({ name }) => {
    const value = chosenValues.get(name);
    return value === undefined ? [] : [{ name, value }];
  });
  return { selection, wrong };
}

const findOption = (options: readonly StoreOption[], name: string): StoreOption | undefined => {
  const match = findFolded(
    options.map((option) => option.name),
    name,
  );
  return options.find((option) => option.name === match);
};

function resolvePositions(options: readonly StoreOption[], positions: readonly number[]): ResolvedChoice {
  const isWrong = positions.some((position, index) => position >= (options[index]?.values.length ?? 0));
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
