/**
 * Validates a store's responses and converts them to Hiroba's types. A response that lacks a required field is
 * rejected; where cards or variants are read by id, an invalid one becomes null instead.
 */
import * as z from "zod";
import { PRODUCT_PAGE_SIZE } from "~/domain/shared/limits";
import type {
  Cart,
  CartLine,
  StoreCard,
  StoreCollection,
  StoreImageData,
  StoreOption,
  StorePage,
  StoreProduct,
  StoreVariant,
  StoreWarning,
} from "~/domain/store/store";
import { hasNoOptions, stockState } from "~/domain/store/store-options";
import type { readDescription } from "./description";

/** Converts URLs of a store's images and of its checkout to URLs that pages may contain; null for forbidden ones. */
export interface StoreUrls {
  readonly image: (url: string) => string | null;
  readonly checkout: (url: string) => string | null;
}

/** Only currencies that Intl accepts: ISO 4217, three letters. */
const money = z.object({
  amount: z.string().regex(/^-?\d{1,18}(\.\d{1,10})?$/),
  currencyCode: z.string().regex(/^[A-Z]{3}$/),
});
const imageFile = z.object({
  small: z.string(),
  large: z.string(),
  altText: z.string().nullish(),
  width: z.number().nullish(),
  height: z.number().nullish(),
});
const nodes = <T extends z.ZodType>(node: T) => z.object({ nodes: z.array(node) });
const card = z.object({
  id: z.string(),
  title: z.string(),
  availableForSale: z.boolean(),
  requiresSellingPlan: z.boolean(),
  variants: nodes(
    z.object({
      // Present only in responses to the document `cardsWithStock` (documents.ts).
      title: z.string().optional(),
      availableForSale: z.boolean(),
      currentlyNotInStock: z.boolean(),
    }),
  ),
  featuredImage: imageFile.pick({ small: true }).nullish(),
  priceRange: z.object({ minVariantPrice: money, maxVariantPrice: money }),
});
const variant = z.object({
  id: z.string(),
  title: z.string(),
  image: imageFile.nullish(),
  price: money,
  selectedOptions: z.array(z.object({ name: z.string(), value: z.string() })),
  availableForSale: z.boolean(),
  currentlyNotInStock: z.boolean(),
});
/** Schema of a number of items; null if the store does not return it. */
const itemCount = z.object({ count: z.number().int() }).nullish();
/** Whether a product has more variants than one response contains. */
const isLarge = (variants: z.output<typeof itemCount>) => (variants?.count ?? 0) > PRODUCT_PAGE_SIZE;
const options = z.array(
  z.object({ name: z.string(), optionValues: z.array(z.object({ name: z.string() })) }),
);
const page = nodes(card).extend({
  pageInfo: z.object({
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
    startCursor: z.string().nullish(),
    endCursor: z.string().nullish(),
  }),
});
const collection = z.object({
  id: z.string(),
  title: z.string(),
  products: nodes(card),
});
const cart = z.object({
  id: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  totalQuantity: z.number().int(),
  checkoutUrl: z.string(),
  cost: z.object({ totalAmount: money, subtotalAmount: money }),
  lines: nodes(
    z.object({
      id: z.string(),
      quantity: z.number().int(),
      cost: z.object({ amountPerQuantity: money, totalAmount: money }),
      merchandise: variant.extend({
        product: z.object({
          id: z.string(),
          title: z.string(),
          variantsCount: itemCount,
          featuredImage: imageFile.nullish(),
        }),
      }),
    }),
  ),
});
const changedCart = z.object({
  cart: cart.nullish(),
  userErrors: z
    .array(
      z.object({ code: z.string().nullish(), field: z.array(z.string()).nullish(), message: z.string() }),
    )
    .default([]),
  warnings: z.array(z.object({ code: z.string(), message: z.string(), target: z.string() })).default([]),
});

/** The part of each operation's response that is read. */
export const RESPONSES = {
  shop: z.object({ shop: z.object({ name: z.string() }) }),
  products: z.object({ products: page }),
  collection: z.object({ collection: z.object({ title: z.string(), products: page }).nullable() }),
  collections: z.object({ collections: nodes(collection) }),
  cards: z.object({
    // The store returns null for a missing node and an empty object for a node of another type; both become null, like an invalid card.
    nodes: z.array(card.nullable().catch(null)),
  }),
  variantTitles: z.object({
    nodes: z.array(
      z
        .object({ id: z.string(), title: z.string(), product: z.object({ title: z.string() }) })
        .nullable()
        .catch(null),
    ),
  }),
  product: z.object({
    product: z
      .object({
        id: z.string(),
        title: z.string(),
        descriptionHtml: z.string(),
        requiresSellingPlan: z.boolean(),
        variantsCount: itemCount,
        featuredImage: imageFile.nullish(),
        images: nodes(imageFile),
        options,
        selectedOrFirstAvailableVariant: variant.nullable(),
        // Only from the document `product`: variants that differ in one option from the requested selection.
        adjacentVariants: z.array(variant).default([]),
        // Only from the document `productWhole`: all variants, up to one page.
        variants: nodes(variant)
          .extend({ pageInfo: z.object({ hasNextPage: z.boolean() }) })
          .optional(),
      })
      .nullable(),
  }),
  variant: z.object({
    node: z
      .object({
        selectedOptions: z.array(z.object({ name: z.string(), value: z.string() })),
        product: z.object({ id: z.string() }),
      })
      .nullable()
      .catch(null),
  }),
  related: z.object({ product: z.object({ collections: nodes(collection) }) }),
  cart: z.object({ cart: cart.nullable() }),
  cartCreate: z.object({ cartCreate: changedCart }),
  cartLinesAdd: z.object({ cartLinesAdd: changedCart }),
  cartLinesRemove: z.object({ cartLinesRemove: changedCart }),
  cartLinesUpdate: z.object({ cartLinesUpdate: changedCart }),
} as const;

/** The API's response to a change of a cart. */
export type ChangedResponse = z.output<typeof changedCart>;

/** Maximum characters of a message from the store. */
export const MESSAGE_MAX = 300;

/** The options of a product. Empty for a product with only Shopify's default option. */
function optionsOf(raw: z.output<typeof options>): StoreOption[] {
  const converted = raw.map(({ name, optionValues }) => ({
    name,
    values: optionValues.map((value) => value.name),
  }));
  return hasNoOptions(converted) ? [] : converted;
}

/** Converts responses to Hiroba's types. @param now epoch milliseconds */
export function createResponseConverter(urls: StoreUrls, now: () => number) {
  const imageOf = (raw: z.output<typeof imageFile> | null | undefined): StoreImageData | null => {
    if (!raw) return null;
    const [small, large] = [urls.image(raw.small), urls.image(raw.large)];
    if (small === null || large === null) return null;
    return {
      small,
      large,
      alt: raw.altText ?? "",
      width: raw.width ?? null,
      height: raw.height ?? null,
    };
  };

  const cardOf = (raw: z.output<typeof card>): StoreCard => ({
    id: raw.id,
    title: raw.title,
    image: raw.featuredImage ? urls.image(raw.featuredImage.small) : null,
    price: { from: raw.priceRange.minVariantPrice, to: raw.priceRange.maxVariantPrice },
    state: stockState({
      availableForSale: raw.availableForSale,
      subscriptionOnly: raw.requiresSellingPlan,
      variants: raw.variants.nodes,
    }),
    respondedAt: now(),
  });

  const variantOf = (raw: z.output<typeof variant>, fallbackImage: StoreImageData | null): StoreVariant => ({
    id: raw.id,
    title: raw.title,
    image: imageOf(raw.image) ?? fallbackImage,
    price: raw.price,
    selectedOptions: raw.selectedOptions,
    availableForSale: raw.availableForSale,
    currentlyNotInStock: raw.currentlyNotInStock,
  });

  const pageOf = ({ nodes: products, pageInfo }: z.output<typeof page>): StorePage => ({
    products: products.map(cardOf),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
    previous: pageInfo.hasPreviousPage ? (pageInfo.startCursor ?? null) : null,
  });

  const collectionOf = ({ id, title, products }: z.output<typeof collection>): StoreCollection => ({
    id,
    title,
    products: products.nodes.map(cardOf),
  });

  /** Converts a product. @param describe converts the HTML description; its module is loaded lazily */
  function productOf(
    raw: NonNullable<z.output<typeof RESPONSES.product>["product"]>,
    describe: typeof readDescription,
  ): StoreProduct {
    const mainImage = imageOf(raw.featuredImage);
    const rawVariant = raw.selectedOrFirstAvailableVariant;
    const variant = rawVariant && variantOf(rawVariant, mainImage);
    const rawVariants = raw.variants?.nodes ?? raw.adjacentVariants;
    const otherVariants = rawVariants.filter(({ id }) => id !== rawVariant?.id);
    const images = raw.images.nodes.flatMap((image) => imageOf(image) ?? []);
    return {
      id: raw.id,
      title: raw.title,
      description: describe(raw.descriptionHtml, (url, alt) => {
        const path = urls.image(url);
        return path === null ? null : { small: path, large: path, alt, width: null, height: null };
      }),
      images: mainImage ? [mainImage, ...images.filter(({ large }) => large !== mainImage.large)] : images,
      options: optionsOf(raw.options),
      variant,
      variants: [
        ...(variant ? [variant] : []),
        ...otherVariants.map((otherVariant) => variantOf(otherVariant, mainImage)),
      ],
      subscriptionOnly: raw.requiresSellingPlan,
      isLarge: isLarge(raw.variantsCount),
      respondedAt: now(),
    };
  }

  const lineOf = (raw: z.output<typeof cart>["lines"]["nodes"][number]): CartLine => {
    const { product } = raw.merchandise;
    return {
      id: raw.id,
      quantity: raw.quantity,
      variant: variantOf(raw.merchandise, imageOf(product.featuredImage)),
      product: { id: product.id, title: product.title, isLarge: isLarge(product.variantsCount) },
      each: raw.cost.amountPerQuantity,
      total: raw.cost.totalAmount,
    };
  };

  const cartOf = (raw: z.output<typeof cart>): Cart => ({
    id: raw.id,
    createdAt: raw.createdAt,
    updatedAt: raw.updatedAt,
    totalQuantity: raw.totalQuantity,
    checkoutUrl: raw.totalQuantity > 0 ? urls.checkout(raw.checkoutUrl) : null,
    subtotal: raw.cost.subtotalAmount,
    total: raw.cost.totalAmount,
    lines: raw.lines.nodes.map(lineOf),
  });

  const warningsOf = (raw: ChangedResponse): readonly StoreWarning[] =>
    raw.warnings.map((warning) => ({ ...warning, message: warning.message.slice(0, MESSAGE_MAX) }));

  return { cardOf, pageOf, collectionOf, productOf, cartOf, warningsOf };
}
