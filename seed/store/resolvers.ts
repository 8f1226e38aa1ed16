/** Resolvers of the demo store's schema: plain objects whose functions take a field's arguments. */
import { GraphQLError } from "graphql";
import type { Lang } from "~/domain/shared/model";
import { type CartChangeResult, cartId, type DemoCart, type DemoCarts } from "./carts";
import type { Catalog, DemoCollection, DemoProduct, DemoVariant } from "./catalog";

/** Context of one operation. */
export interface OperationContext {
  readonly lang: Lang;
  readonly currency: string;
  readonly catalog: Catalog;
  readonly carts: DemoCarts;
  /** Origins of the store's files and its checkout, without a trailing slash. */
  readonly files: string;
  readonly checkout: string;
}

type PageArguments = {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
};

const YEN_PER_DOLLAR = 150;

/** Converts yen to a currency (JPY or USD), in the API's number format. */
export function money(yen: number, currency: string) {
  const amount = currency === "USD" ? Math.round((yen / YEN_PER_DOLLAR) * 100) / 100 : yen;
  return { amount: Number.isInteger(amount) ? `${amount}.0` : String(amount), currencyCode: currency };
}

const cursorOf = (id: string) => Buffer.from(JSON.stringify({ last_id: id })).toString("base64");

/** A page of items as a connection: `after` and `before` limit the items first, then `first` or `last`. */
function connection<T extends { readonly id: string }, R>(
  items: readonly T[],
  pageArguments: PageArguments,
  resolve: (item: T) => R,
) {
  const { first, last, after, before } = pageArguments;
  const reject = (message: string) => {
    throw new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } });
  };
  if (first == null && last == null) reject("you must provide one of first or last");
  if (first != null && last != null) reject("providing both first and last is not supported");
  for (const [name, count] of Object.entries({ first, last }))
    if (count != null && count > 250) reject(`${name} cannot exceed 250`);
  const indexOfCursor = (cursor: string) => {
    const index = items.findIndex(({ id }) => cursorOf(id) === cursor);
    return index < 0 ? reject("Invalid cursor for current pagination sort.") : index;
  };
  const from = after == null ? 0 : Number(indexOfCursor(after)) + 1;
  const until = before == null ? items.length : Number(indexOfCursor(before));
  const range = items.slice(from, until);
  const page = first != null ? range.slice(0, first) : range.slice(-(last ?? 0) || range.length);
  const start = page[0] ? items.indexOf(page[0]) : from;
  const nodes = page.map(resolve);
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursorOf(page[index]?.id ?? "") })),
    pageInfo: {
      hasPreviousPage: start > 0,
      hasNextPage: start + page.length < items.length,
      startCursor: page[0] ? cursorOf(page[0].id) : null,
      endCursor: page.length > 0 ? cursorOf(page.at(-1)?.id ?? "") : null,
    },
  };
}

type SelectedOptions = readonly { readonly name: string; readonly value: string }[] | null | undefined;

/** Root value of one operation. */
export function createRootValue(operation: OperationContext) {
  const { lang, currency, catalog, carts } = operation;

  const image = (product: DemoProduct, number: number) => {
    const path = `${operation.files}/cdn/files/${product.kind}-${product.motif}-${number}.webp`;
    return {
      id: `gid://shopify/ProductImage/${product.id.replace(/\D/g, "")}${number}`,
      altText: number === 0 ? product.title[lang] : null,
      width: 1600,
      height: 1600,
      url: ({ transform }: { transform?: { maxWidth?: number | null } | null }) =>
        `${path}?v=1${transform?.maxWidth ? `&width=${transform.maxWidth}` : ""}`,
    };
  };

  const selectedOptions = (product: DemoProduct, variant: DemoVariant) =>
    product.options.length === 0
      ? [{ name: "Title", value: "Default Title" }]
      : product.options.map(({ name, values }, index) => ({
          name: name[lang],
          value: values[variant.choice[index] ?? 0]?.[lang] ?? "",
        }));

  const isForSale = ({ stock }: DemoVariant) => stock.count === null || stock.count > 0 || stock.continues;

  const variantOf = (product: DemoProduct, variant: DemoVariant): object => ({
    __typename: "ProductVariant",
    id: variant.id,
    title: selectedOptions(product, variant)
      .map(({ value }) => value)
      .join(" / "),
    image: () => image(product, (variant.choice[0] ?? 0) % product.imageCount),
    price: money(variant.price, currency),
    selectedOptions: selectedOptions(product, variant),
    availableForSale: isForSale(variant),
    // Out of stock, but still for sale.
    currentlyNotInStock: variant.stock.count === 0 && variant.stock.continues,
    product: () => productOf(product),
  });

  const countDifferences = (
    product: DemoProduct,
    variant: DemoVariant,
    selected: NonNullable<SelectedOptions>,
  ) =>
    selectedOptions(product, variant).filter(({ name, value }) =>
      selected.some((option) => option.name === name && option.value !== value),
    ).length;
  /** Options that the product does not have are ignored (ignoreUnknownOptions). */
  const existingOptions = (product: DemoProduct, selected: SelectedOptions) =>
    (selected ?? []).filter(({ name }) => product.options.some((option) => option.name[lang] === name));
  const firstAvailable = ({ variants }: DemoProduct) => variants.find(isForSale) ?? variants[0];

  const productOf = (product: DemoProduct): object => ({
    __typename: "Product",
    id: product.id,
    handle: product.handle,
    title: product.title[lang],
    description: product.html[lang].replace(/<[^>]*>/g, " ").trim(),
    descriptionHtml: product.html[lang],
    availableForSale: product.variants.some(isForSale),
    requiresSellingPlan: product.subscriptionOnly,
    featuredImage: () => image(product, 0),
    images: (pageArguments: PageArguments) =>
      connection(
        [...Array(product.imageCount).keys()].map((number) => ({ id: String(number), number })),
        pageArguments,
        ({ number }) => image(product, number),
      ),
    priceRange: () => {
      const prices = product.variants.map(({ price }) => price);
      return {
        minVariantPrice: money(Math.min(...prices), currency),
        maxVariantPrice: money(Math.max(...prices), currency),
      };
    },
    options: ({ first }: { first?: number | null }) =>
      (product.options.length > 0
        ? product.options.map(({ name, values }) => ({ name: name[lang], names: values.map((v) => v[lang]) }))
        : [{ name: "Title", names: ["Default Title"] }]
      )
        .slice(0, first ?? undefined)
        .map(({ name, names }, index) => ({
          id: `gid://shopify/ProductOption/${product.id.replace(/\D/g, "")}${index}`,
          name,
          values: names,
          optionValues: names.map((value) => ({
            id: `gid://shopify/ProductOptionValue/${value}`,
            name: value,
          })),
        })),
    variantsCount: { count: product.variants.length, precision: "EXACT" },
    variants: (pageArguments: PageArguments) =>
      connection(product.variants, pageArguments, (variant) => variantOf(product, variant)),
    selectedOrFirstAvailableVariant: ({
      selectedOptions: selected,
    }: {
      selectedOptions?: SelectedOptions;
    }) => {
      const selection = existingOptions(product, selected);
      const exactMatch =
        selection.length > 0 && selection.length === product.options.length
          ? product.variants.find((variant) => countDifferences(product, variant, selection) === 0)
          : undefined;
      const match = exactMatch ?? firstAvailable(product);
      return match ? variantOf(product, match) : null;
    },
    adjacentVariants: ({ selectedOptions: selected }: { selectedOptions?: SelectedOptions }) => {
      const selection = existingOptions(product, selected);
      const defaultVariant = firstAvailable(product);
      const adjacentTo =
        selection.length > 0 || !defaultVariant ? selection : selectedOptions(product, defaultVariant);
      return product.variants
        .filter((variant) => countDifferences(product, variant, adjacentTo) === 1)
        .map((variant) => variantOf(product, variant));
    },
    collections: (pageArguments: PageArguments) =>
      connection(
        catalog.collections.filter(({ productIds }) => productIds.includes(product.id)),
        pageArguments,
        collectionOf,
      ),
  });

  const productById = (id: string) => catalog.products.find((product) => product.id === id);
  const collectionOf = (collection: DemoCollection): object => ({
    __typename: "Collection",
    id: collection.id,
    handle: collection.title.en.toLowerCase().replace(/\W+/g, "-"),
    title: collection.title[lang],
    image: () => {
      const firstProduct = productById(collection.productIds[0] ?? "");
      return firstProduct ? image(firstProduct, 0) : null;
    },
    products: (pageArguments: PageArguments) =>
      connection(
        collection.productIds.flatMap((id) => productById(id) ?? []),
        pageArguments,
        productOf,
      ),
  });

  const variantById = (id: string) => {
    for (const product of catalog.products) {
      const variant = product.variants.find((candidate) => candidate.id === id);
      if (variant) return { product, variant };
    }
    return null;
  };

  const cartOf = (cart: DemoCart | null): object | null => {
    if (!cart) return null;
    const lines = cart.lines.flatMap((line) => {
      const match = variantById(line.variantId);
      return match ? [{ ...line, ...match }] : [];
    });
    const total = lines.reduce((sum, { quantity, variant }) => sum + quantity * variant.price, 0);
    const amount = money(total, cart.currency);
    return {
      id: cartId(cart),
      createdAt: cart.createdAt,
      updatedAt: cart.updatedAt,
      totalQuantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      checkoutUrl: `${operation.checkout}/cart/c/${cart.token}?key=${cart.key}`,
      cost: { totalAmount: amount, subtotalAmount: amount, checkoutChargeAmount: amount },
      lines: (pageArguments: PageArguments) =>
        connection(lines, pageArguments, (line) => ({
          __typename: "CartLine",
          id: line.id,
          quantity: line.quantity,
          cost: {
            totalAmount: money(line.quantity * line.variant.price, cart.currency),
            subtotalAmount: money(line.quantity * line.variant.price, cart.currency),
            amountPerQuantity: money(line.variant.price, cart.currency),
          },
          merchandise: () => variantOf(line.product, line.variant),
        })),
    };
  };
  const cartChange = ({ cart, userErrors, warnings }: CartChangeResult) => ({
    cart: cartOf(cart),
    userErrors,
    warnings,
  });
  const checkId = (id: string) => {
    if (!id.startsWith("gid://shopify/"))
      throw new GraphQLError(`Invalid global id '${id}'`, { extensions: { code: "INVALID_VARIABLE" } });
    return id;
  };

  const nodeOf = (id: string) => {
    const product = productById(checkId(id));
    if (product) return productOf(product);
    const match = variantById(id);
    return match ? variantOf(match.product, match.variant) : null;
  };

  return {
    shop: () => ({ id: "gid://shopify/Shop/1", name: catalog.name }),
    product: ({ id, handle }: { id?: string | null; handle?: string | null }) => {
      const match =
        id == null ? catalog.products.find((product) => product.handle === handle) : productById(checkId(id));
      return match ? productOf(match) : null;
    },
    products: ({ query, ...pageArguments }: PageArguments & { query?: string | null }) =>
      connection(catalog.products.filter(createMatcher(query ?? "", lang)), pageArguments, productOf),
    collections: (pageArguments: PageArguments) =>
      connection(catalog.collections, pageArguments, collectionOf),
    collection: ({ id }: { id?: string | null }) => {
      const match = catalog.collections.find((candidate) => candidate.id === id);
      return match ? collectionOf(match) : null;
    },
    node: ({ id }: { id: string }) => nodeOf(id),
    nodes: ({ ids }: { ids: readonly string[] }) => ids.map(nodeOf),
    cart: ({ id }: { id: string }) => cartOf(carts.read(checkId(id))),
    cartCreate: () => cartChange({ cart: carts.create(currency), userErrors: [], warnings: [] }),
    cartLinesAdd: ({ cartId: id, lines }: { cartId: string; lines: Parameters<DemoCarts["add"]>[1] }) =>
      cartChange(carts.add(checkId(id), lines)),
    cartLinesUpdate: ({ cartId: id, lines }: { cartId: string; lines: Parameters<DemoCarts["update"]>[1] }) =>
      cartChange(carts.update(checkId(id), lines)),
    cartLinesRemove: ({ cartId: id, lineIds }: { cartId: string; lineIds: readonly string[] }) =>
      cartChange(carts.remove(checkId(id), lineIds)),
  };
}

/**
 * Matches the part of Shopify's search syntax that Hiroba uses: title:*word* AND title:*word*, with backslashes before syntax
 * characters.
 */
function createMatcher(query: string, lang: Lang): (product: DemoProduct) => boolean {
  const terms = query.split(" AND ").flatMap((term) => {
    const match = /^title:\*((?:\\.|[^\\*:()"'])*)\*$/s.exec(term.trim());
    return match ? [(match[1] ?? "").replace(/\\(.)/gs, "$1").toLowerCase()] : [];
  });
  // An unknown query matches no product, so that an error in our queries becomes visible.
  if (query !== "" && terms.length !== query.split(" AND ").length) return () => false;
  return ({ title }) => terms.every((term) => title[lang].toLowerCase().includes(term));
}
