/**
 * The operations of specification §7, one per document, because the API receives no operation name. The fields are those of specification §3 and
 * further ones that lists and carts show. A test validates each document against Shopify's schema. Without variables for language and country, or with
 * null, @inContext uses the store's defaults.
 */
import {
  CART_LINES_MAX,
  COLLECTION_PRODUCTS,
  PRODUCT_COLLECTIONS,
  PRODUCT_PAGE_SIZE,
  STORE_COLLECTIONS,
} from "~/domain/shared/limits";
import { STORE_IMAGE_WIDTHS } from "~/domain/store/store";

/**
 * Number of variants that a list reads per product, which may have 2,000. With 50 variants for each of 250 products, a list requests 12,500 objects, half of
 * Shopify's limit per query.
 */
const LIST_VARIANTS = 50;

/** Maximum number of variants in a query for products by ID. The rest of Shopify's limit of 25,000 objects is for the query's other objects. */
const QUERY_VARIANTS_MAX = 20_000;

/** Number of variants that a query for several products by ID reads of each product. For a few products, it is as many as one page contains. */
export const variantsPerProduct = (products: number): number =>
  Math.max(
    LIST_VARIANTS,
    Math.min(PRODUCT_PAGE_SIZE, Math.floor(QUERY_VARIANTS_MAX / Math.max(products, 1))),
  );

const CONTEXT = "@inContext(country: $country, language: $language)";
const CONTEXT_VARIABLES = "$country: CountryCode, $language: LanguageCode";

const SMALL_IMAGE = `small: url(transform: { maxWidth: ${STORE_IMAGE_WIDTHS.small} })`;

const IMAGE = /* GraphQL */ `
fragment StoreImage on Image {
  ${SMALL_IMAGE}
  large: url(transform: { maxWidth: ${STORE_IMAGE_WIDTHS.large} })
  altText
  width
  height
}`;

/** @param variantCount number of variants, or the name of the variable that contains it */
const card = (variantCount: number | "$variantCount") => /* GraphQL */ `
fragment Card on Product {
  id
  title
  availableForSale
  requiresSellingPlan
  variants(first: ${variantCount}) { nodes { availableForSale currentlyNotInStock } }
  featuredImage { ${SMALL_IMAGE} }
  priceRange {
    minVariantPrice { amount currencyCode }
    maxVariantPrice { amount currencyCode }
  }
}`;

const CARD = card(LIST_VARIANTS);

const VARIANT = /* GraphQL */ `
fragment Variant on ProductVariant {
  id
  title
  image { ...StoreImage }
  price { amount currencyCode }
  selectedOptions { name value }
  availableForSale
  currentlyNotInStock
}`;

const PAGE = /* GraphQL */ `
fragment Page on ProductConnection {
  nodes { ...Card }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
}`;

const CART = /* GraphQL */ `
fragment CartData on Cart {
  id
  createdAt
  updatedAt
  totalQuantity
  checkoutUrl
  cost {
    totalAmount { amount currencyCode }
    subtotalAmount { amount currencyCode }
  }
  lines(first: ${CART_LINES_MAX}) {
    nodes {
      id
      quantity
      cost {
        amountPerQuantity { amount currencyCode }
        totalAmount { amount currencyCode }
      }
      merchandise {
        ... on ProductVariant {
          ...Variant
          product {
            id
            title
            featuredImage { ...StoreImage }
            variantsCount { count }
          }
        }
      }
    }
  }
}`;

const CART_CHANGE = /* GraphQL */ `
    cart { ...CartData }
    userErrors { code field message }
    warnings { code message target }`;

const LIST_FRAGMENTS = [PAGE, CARD].join("");
const CART_FRAGMENTS = [CART, VARIANT, IMAGE].join("");

const productsQuery = (name: string, variables: string, pageArguments: string) => /* GraphQL */ `
query ${name}(${variables}, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  products(${pageArguments}) { ...Page }
}${LIST_FRAGMENTS}`;

const collectionQuery = (name: string, variables: string, pageArguments: string) => /* GraphQL */ `
query ${name}($id: ID!${variables}, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  collection(id: $id) {
    title
    products(${pageArguments}) { ...Page }
  }
}${LIST_FRAGMENTS}`;

/** The collections are deferred, so that they do not delay the product. */
const productQuery = (name: string, variables: string, variants: string) => /* GraphQL */ `
query ${name}($id: ID!${variables}, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  product(id: $id) {
    id
    title
    descriptionHtml
    requiresSellingPlan
    variantsCount { count }
    featuredImage { ...StoreImage }
    images(first: ${PRODUCT_PAGE_SIZE}) { nodes { ...StoreImage } }
    options(first: ${PRODUCT_PAGE_SIZE}) { name optionValues { name } }
    ${variants}
    ...Related @defer
  }
}
fragment Related on Product {
  collections(first: ${PRODUCT_COLLECTIONS}) {
    nodes {
      id
      title
      products(first: ${COLLECTION_PRODUCTS}) { nodes { ...Card } }
    }
  }
}${CARD}${VARIANT}${IMAGE}`;

const FIRST = `first: ${PRODUCT_PAGE_SIZE}`;
const NEXT = `first: ${PRODUCT_PAGE_SIZE}, after: $cursor`;
/**
 * The previous page is queried with `last`, because `first` would return the start of the list (specification §7 names `first`; GraphQL
 * connections apply the cursor before the limit).
 */
const PREVIOUS = `last: ${PRODUCT_PAGE_SIZE}, before: $cursor`;

/** All operations that are sent to stores. */
export const DOCUMENTS = {
  shop: /* GraphQL */ `
query Shop {
  shop { name }
}`,

  products: productsQuery("Products", "$query: String", `${FIRST}, query: $query`),
  productsAfter: productsQuery("ProductsAfter", "$query: String, $cursor: String!", `${NEXT}, query: $query`),
  productsBefore: productsQuery(
    "ProductsBefore",
    "$query: String, $cursor: String!",
    `${PREVIOUS}, query: $query`,
  ),

  collection: collectionQuery("Collection", "", FIRST),
  collectionAfter: collectionQuery("CollectionAfter", ", $cursor: String!", NEXT),
  collectionBefore: collectionQuery("CollectionBefore", ", $cursor: String!", PREVIOUS),

  collections: /* GraphQL */ `
query Collections(${CONTEXT_VARIABLES}) ${CONTEXT} {
  collections(first: ${STORE_COLLECTIONS}) {
    nodes {
      id
      title
      products(first: ${COLLECTION_PRODUCTS}) { nodes { ...Card } }
    }
  }
}${CARD}`,

  cards: /* GraphQL */ `
query Cards($ids: [ID!]!, $variantCount: Int!, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  nodes(ids: $ids) { ...Card }
}${card("$variantCount")}`,

  /** Cards with the titles of their variants, so that owners who attach products see which variants are sold out. */
  cardsWithStock: /* GraphQL */ `
query CardsWithStock($ids: [ID!]!, $variantCount: Int!, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  nodes(ids: $ids) {
    ... on Product {
      ...Card
      variants(first: $variantCount) { nodes { title } }
    }
  }
}${card("$variantCount")}`,

  /** Titles of variants, for naming items that were not added to a cart. */
  variantTitles: /* GraphQL */ `
query VariantTitles($ids: [ID!]!, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  nodes(ids: $ids) {
    ... on ProductVariant { id title product { title } }
  }
}`,

  product: productQuery(
    "ProductDetail",
    ", $selectedOptions: [SelectedOptionInput!]",
    `selectedOrFirstAvailableVariant(selectedOptions: $selectedOptions) { ...Variant }
    adjacentVariants(selectedOptions: $selectedOptions) { ...Variant }`,
  ),
  /** A product with as many variants as one response can have, which are all variants of most products. */
  productWhole: productQuery(
    "ProductWhole",
    "",
    `selectedOrFirstAvailableVariant { ...Variant }
    variants(first: ${PRODUCT_PAGE_SIZE}) { nodes { ...Variant } pageInfo { hasNextPage } }`,
  ),

  /** The options of a variant that is not in the product's response. */
  variant: /* GraphQL */ `
query VariantOptions($id: ID!, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  node(id: $id) {
    ... on ProductVariant {
      selectedOptions { name value }
      product { id }
    }
  }
}`,

  cartCreate: /* GraphQL */ `
mutation CartCreate(${CONTEXT_VARIABLES}) ${CONTEXT} {
  cartCreate(input: {}) {${CART_CHANGE}
  }
}${CART_FRAGMENTS}`,

  cart: /* GraphQL */ `
query Cart($cartId: ID!, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  cart(id: $cartId) { ...CartData }
}${CART_FRAGMENTS}`,

  cartLinesAdd: /* GraphQL */ `
mutation CartLinesAdd($cartId: ID!, $lines: [CartLineInput!]!, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  cartLinesAdd(cartId: $cartId, lines: $lines) {${CART_CHANGE}
  }
}${CART_FRAGMENTS}`,

  cartLinesRemove: /* GraphQL */ `
mutation CartLinesRemove($cartId: ID!, $lineId: ID!, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  cartLinesRemove(cartId: $cartId, lineIds: [$lineId]) {${CART_CHANGE}
  }
}${CART_FRAGMENTS}`,

  cartLinesUpdate: /* GraphQL */ `
mutation CartLinesUpdate($cartId: ID!, $lineId: ID!, $quantity: Int!, ${CONTEXT_VARIABLES}) ${CONTEXT} {
  cartLinesUpdate(cartId: $cartId, lines: [{ id: $lineId, quantity: $quantity }]) {${CART_CHANGE}
  }
}${CART_FRAGMENTS}`,
} as const;

/** The name of an operation in DOCUMENTS. */
export type DocumentName = keyof typeof DOCUMENTS;

/**
 * Query for products whose titles contain all words, also as parts of longer words (specification §5). Asterisks separate words; the
 * other characters with a meaning are escaped (Shopify, search syntax: backslash before : \ ( ) and quotes). Returns null for a text without words.
 */
export function titleQuery(text: string): string | null {
  const words = text
    .replaceAll("*", " ")
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (words.length === 0) return null;
  return words.map((word) => `title:*${word.replace(/[\\:()"']/g, "\\$&")}*`).join(" AND ");
}
