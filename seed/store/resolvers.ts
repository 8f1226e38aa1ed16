/** What the demo store's schema resolves to: plain objects whose functions take a field's arguments. */
import { GraphQLError } from "graphql";
import type { Lang } from "~/domain/shared/model";
import { type Changed, cartId, type DemoCart, type DemoCarts } from "./carts";
import type { Catalog, DemoCollection, DemoProduct, DemoVariant } from "./catalog";

/** One operation's surroundings. */
export interface Asked {
  readonly lang: Lang;
  readonly currency: string;
  readonly catalog: Catalog;
  readonly carts: DemoCarts;
  /** Where the store's files and its checkout are, without a slash at the end. */
  readonly files: string;
  readonly checkout: string;
}

type Window = {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
};

const YEN_PER_DOLLAR = 150;

/** Yen in the currency of the visitor's country, as the API writes amounts. */
export function money(yen: number, currency: string) {
  const amount = currency === "USD" ? Math.round((yen / YEN_PER_DOLLAR) * 100) / 100 : yen;
  return { amount: Number.isInteger(amount) ? `${amount}.0` : String(amount), currencyCode: currency };
}

const cursorOf = (id: string) => Buffer.from(JSON.stringify({ last_id: id })).toString("base64");

/** A connection, as GraphQL Ruby cuts it: the cursors first, then the counts. */
function connection<T extends { readonly id: string }, R>(
  items: readonly T[],
  window: Window,
  resolve: (item: T) => R,
) {
  const { first, last, after, before } = window;
  const refuse = (message: string) => {
    throw new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } });
  };
  if (first == null && last == null) refuse("you must provide one of first or last");
  if (first != null && last != null) refuse("providing both first and last is not supported");
  for (const [name, count] of Object.entries({ first, last }))
    if (count != null && count > 250) refuse(`${name} cannot exceed 250`);
  const at = (cursor: string) => {
    const index = items.findIndex(({ id }) => cursorOf(id) === cursor);
    return index < 0 ? refuse("Invalid cursor for current pagination sort.") : index;
  };
  const from = after == null ? 0 : Number(at(after)) + 1;
  const until = before == null ? items.length : Number(at(before));
  const cut = items.slice(from, until);
  const page = first != null ? cut.slice(0, first) : cut.slice(-(last ?? 0) || cut.length);
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

type Selected = readonly { readonly name: string; readonly value: string }[] | null | undefined;

/** Everything that can be asked for, for one operation. */
export function rootOf(asked: Asked) {
  const { lang, currency, catalog, carts } = asked;

  const image = (product: DemoProduct, number: number) => {
    const path = `${asked.files}/cdn/files/${product.kind}-${product.motif}-${number}.webp`;
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
    image: () => image(product, (variant.choice[0] ?? 0) % product.pictures),
    price: money(variant.price, currency),
    selectedOptions: selectedOptions(product, variant),
    availableForSale: isForSale(variant),
    // Out of stock, and sold all the same.
    currentlyNotInStock: variant.stock.count === 0 && variant.stock.continues,
    product: () => productOf(product),
  });

  const differences = (product: DemoProduct, variant: DemoVariant, selected: NonNullable<Selected>) =>
    selectedOptions(product, variant).filter(({ name, value }) =>
      selected.some((one) => one.name === name && one.value !== value),
    ).length;
  /** Options that the product does not have are ignored (ignoreUnknownOptions). */
  const known = (product: DemoProduct, selected: Selected) =>
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
    images: (window: Window) =>
      connection(
        [...Array(product.pictures).keys()].map((number) => ({ id: String(number), number })),
        window,
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
    variants: (window: Window) =>
      connection(product.variants, window, (variant) => variantOf(product, variant)),
    selectedOrFirstAvailableVariant: ({ selectedOptions: selected }: { selectedOptions?: Selected }) => {
      const wanted = known(product, selected);
      const exact =
        wanted.length > 0 && wanted.length === product.options.length
          ? product.variants.find((variant) => differences(product, variant, wanted) === 0)
          : undefined;
      const found = exact ?? firstAvailable(product);
      return found ? variantOf(product, found) : null;
    },
    adjacentVariants: ({ selectedOptions: selected }: { selectedOptions?: Selected }) => {
      const wanted = known(product, selected);
      const first = firstAvailable(product);
      const around = wanted.length > 0 || !first ? wanted : selectedOptions(product, first);
      return product.variants
        .filter((variant) => differences(product, variant, around) === 1)
        .map((variant) => variantOf(product, variant));
    },
    collections: (window: Window) =>
      connection(
        catalog.collections.filter(({ productIds }) => productIds.includes(product.id)),
        window,
        collectionOf,
      ),
  });

  const byId = (id: string) => catalog.products.find((product) => product.id === id);
  const collectionOf = (collection: DemoCollection): object => ({
    __typename: "Collection",
    id: collection.id,
    handle: collection.title.en.toLowerCase().replace(/\W+/g, "-"),
    title: collection.title[lang],
    image: () => {
      const first = byId(collection.productIds[0] ?? "");
      return first ? image(first, 0) : null;
    },
    products: (window: Window) =>
      connection(
        collection.productIds.flatMap((id) => byId(id) ?? []),
        window,
        productOf,
      ),
  });

  const variantById = (id: string) => {
    for (const product of catalog.products) {
      const variant = product.variants.find((one) => one.id === id);
      if (variant) return { product, variant };
    }
    return null;
  };

  const cartOf = (cart: DemoCart | null): object | null => {
    if (!cart) return null;
    const lines = cart.lines.flatMap((line) => {
      const found = variantById(line.variantId);
      return found ? [{ ...line, ...found }] : [];
    });
    const total = lines.reduce((sum, { quantity, variant }) => sum + quantity * variant.price, 0);
    const amount = money(total, cart.currency);
    return {
      id: cartId(cart),
      createdAt: cart.createdAt,
      updatedAt: cart.updatedAt,
      totalQuantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      checkoutUrl: `${asked.checkout}/cart/c/${cart.token}?key=${cart.key}`,
      cost: { totalAmount: amount, subtotalAmount: amount, checkoutChargeAmount: amount },
      lines: (window: Window) =>
        connection(lines, window, (line) => ({
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
  const changed = ({ cart, userErrors, warnings }: Changed) => ({ cart: cartOf(cart), userErrors, warnings });
  const checkId = (id: string) => {
    if (!id.startsWith("gid://shopify/"))
      throw new GraphQLError(`Invalid global id '${id}'`, { extensions: { code: "INVALID_VARIABLE" } });
    return id;
  };

  const nodeOf = (id: string) => {
    const product = byId(checkId(id));
    if (product) return productOf(product);
    const variant = variantById(id);
    return variant ? variantOf(variant.product, variant.variant) : null;
  };

  return {
    shop: () => ({ id: "gid://shopify/Shop/1", name: catalog.name }),
    product: ({ id, handle }: { id?: string | null; handle?: string | null }) => {
      const found = id == null ? catalog.products.find((one) => one.handle === handle) : byId(checkId(id));
      return found ? productOf(found) : null;
    },
    products: ({ query, ...window }: Window & { query?: string | null }) =>
      connection(catalog.products.filter(matcher(query ?? "", lang)), window, productOf),
    collections: (window: Window) => connection(catalog.collections, window, collectionOf),
    collection: ({ id }: { id?: string | null }) => {
      const found = catalog.collections.find((one) => one.id === id);
      return found ? collectionOf(found) : null;
    },
    node: ({ id }: { id: string }) => nodeOf(id),
    nodes: ({ ids }: { ids: readonly string[] }) => ids.map(nodeOf),
    cart: ({ id }: { id: string }) => cartOf(carts.read(checkId(id))),
    cartCreate: () => changed({ cart: carts.create(currency), userErrors: [], warnings: [] }),
    cartLinesAdd: ({ cartId: id, lines }: { cartId: string; lines: Parameters<DemoCarts["add"]>[1] }) =>
      changed(carts.add(checkId(id), lines)),
    cartLinesUpdate: ({ cartId: id, lines }: { cartId: string; lines: Parameters<DemoCarts["update"]>[1] }) =>
      changed(carts.update(checkId(id), lines)),
    cartLinesRemove: ({ cartId: id, lineIds }: { cartId: string; lineIds: readonly string[] }) =>
      changed(carts.remove(checkId(id), lineIds)),
  };
}

/** The part of Shopify's search syntax that is used: title:*word* AND title:*word*, with backslashes before what would be syntax. */
function matcher(query: string, lang: Lang): (product: DemoProduct) => boolean {
  const terms = query.split(" AND ").flatMap((term) => {
    const match = /^title:\*((?:\\.|[^\\*:()"'])*)\*$/s.exec(term.trim());
    return match ? [(match[1] ?? "").replace(/\\(.)/gs, "$1").toLowerCase()] : [];
  });
  // What is no query that it knows finds nothing: a mistake in ours is seen.
  if (query !== "" && terms.length !== query.split(" AND ").length) return () => false;
  return ({ title }) => terms.every((term) => title[lang].toLowerCase().includes(term));
}
