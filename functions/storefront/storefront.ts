/** Products and carts of stores, based on the store client (specification §7). */
import type * as z from "zod";
import type { CardResponse, Storefront } from "#functions/services/store/shop-ports";
import type { StoreId } from "~/domain/store/store";
import { lineTitle } from "~/domain/store/store-cart";
import { StoreFailure } from "~/domain/store/store-failure";
import type { StoreLocale } from "~/domain/store/store-locale";
import { hasVariantTitle } from "~/domain/store/store-options";
import { changeCartLines } from "./change-cart-lines";
import { DOCUMENTS, titleQuery, variantsPerProduct } from "./documents";
import { loadProduct } from "./load-product";
import { UNREADABLE_MESSAGE } from "./parser-errors";
import {
  createResponseKey,
  getStoreClient,
  localeVariables,
  parseResponse,
  queryCached,
  queryStore,
  RETRIES,
  type StorefrontDeps,
  type StoreQueryDeps,
  type Variables,
} from "./query-store";
import { resolveWithin } from "./resolve-within";
import { createResponseConverter, RESPONSES } from "./response-converter";
import { runStoreCall } from "./store-calls";

/** Time limit of a query that follows a change of a cart, in milliseconds. It is short, because the visitor has waited already. */
const AFTER_CHANGE_MS = 4_000;

/** The products and carts of all stores, for one request. */
export function createStorefront(input: StorefrontDeps): Storefront {
  const convert = createResponseConverter(input.urls, () => input.cache.now());
  const deps: StoreQueryDeps = { ...input, convert };

  const cardVariables = (ids: readonly StoreId[], locale: StoreLocale): Variables => ({
    ids,
    variantCount: variantsPerProduct(ids.length),
    ...localeVariables(locale),
  });

  const cardsOf = (response: z.output<typeof RESPONSES.cards>) =>
    response.nodes.map(
      (raw): CardResponse | null =>
        raw && {
          card: deps.convert.cardOf(raw),
          soldOut: raw.variants.nodes.flatMap(({ title = "", availableForSale }) =>
            !availableForSale && hasVariantTitle(title) ? [title] : [],
          ),
        },
    );

  /** Returns the operation and the cursor of a list's page: the first one, the next, or the previous. */
  const pageQuery = <Base extends "products" | "collection">(
    base: Base,
    { after, before }: { readonly after: string | null; readonly before: string | null },
  ) => {
    if (after !== null) return { name: `${base}After` as const, cursor: { cursor: after } };
    if (before !== null) return { name: `${base}Before` as const, cursor: { cursor: before } };
    return { name: base, cursor: {} };
  };

  return {
    shopName: (store) =>
      runStoreCall(deps, store, "shop", async (options) => {
        // A typed store is tested with one attempt, so that the owner gets the result soon. A saved store gets retries, as for visitors.
        const retries = store.isTyped ? 0 : RETRIES;
        const response = await getStoreClient(deps, store).request(DOCUMENTS.shop, { retries, ...options });
        return {
          name: parseResponse(RESPONSES.shop, response).shop.name,
          version: options.trace?.version ?? null,
        };
      }),
    products(store, { q, after, before }, locale) {
      const { name, cursor } = pageQuery("products", { after, before });
      const variables = { query: titleQuery(q), ...cursor, ...localeVariables(locale) };
      return queryCached(deps, store, name, RESPONSES.products, variables, (response) =>
        deps.convert.pageOf(response.products),
      );
    },
    product: (store, id, choice, locale, freshness = "cached") =>
      loadProduct(deps, store, id, choice, locale, freshness),
    async cards(store, ids, locale, withStock = false) {
      const variables = cardVariables(ids, locale);
      if (withStock)
        return cardsOf(await queryStore(deps, store, "cardsWithStock", RESPONSES.cards, variables));
      return queryCached(deps, store, "cards", RESPONSES.cards, variables, cardsOf);
    },
    async cachedCards(store, ids, locale, withinMs) {
      const variables = cardVariables(ids, locale);
      const key = createResponseKey(store, "cards", variables);
      const cachedCards = await deps.cache.peek<readonly (CardResponse | null)[]>(key);
      const renew = async () => {
        const cards = cardsOf(await queryStore(deps, store, "cards", RESPONSES.cards, variables));
        deps.cache.put(key, cards, deps.defer);
        return cards;
      };
      if (cachedCards) {
        if (!cachedCards.isFresh) deps.cache.renewOnce(key, renew, deps.defer);
        return cachedCards.value;
      }
      // Concurrent callers wait for the same response.
      const cardRequest = deps.cache.once(key, renew);
      deps.defer(cardRequest.catch(() => {}));
      return resolveWithin(cardRequest, withinMs, () => null);
    },
    collections: (store, locale) =>
      queryCached(deps, store, "collections", RESPONSES.collections, localeVariables(locale), (response) =>
        response.collections.nodes.map(deps.convert.collectionOf),
      ),
    collection(store, id, page, locale) {
      const { name, cursor } = pageQuery("collection", page);
      const variables = { id, ...cursor, ...localeVariables(locale) };
      return queryCached(
        deps,
        store,
        name,
        RESPONSES.collection,
        variables,
        ({ collection: raw }) => raw && { title: raw.title, page: deps.convert.pageOf(raw.products) },
      );
    },
    async createCart(store, locale) {
      const variables = localeVariables(locale);
      const { cartCreate } = await queryStore(deps, store, "cartCreate", RESPONSES.cartCreate, variables, {
        isMutation: true,
        buyerIp: store.buyerIp,
      });
      if (!cartCreate.cart)
        throw new StoreFailure("bad_answer", cartCreate.userErrors[0]?.message || UNREADABLE_MESSAGE);
      return deps.convert.cartOf(cartCreate.cart);
    },
    async cart(store, cartId, locale) {
      const { cart } = await queryStore(
        deps,
        store,
        "cart",
        RESPONSES.cart,
        { cartId, ...localeVariables(locale) },
        { buyerIp: store.buyerIp },
      );
      return cart && deps.convert.cartOf(cart);
    },
    async cartAgain(store, cartId, locale) {
      const variables = { cartId, ...localeVariables(locale) };
      const options = { retries: 0, limitMs: AFTER_CHANGE_MS, buyerIp: store.buyerIp };
      // The change was sent, so its result is read even if the circuit is open.
      const response = await queryStore(deps, store, "cart", RESPONSES.cart, variables, {
        ...options,
        ignoresCircuit: true,
      });
      return response.cart && deps.convert.cartOf(response.cart);
    },
    async variantTitles(store, ids, locale) {
      const variables = { ids, ...localeVariables(locale) };
      const options = { retries: 0, limitMs: AFTER_CHANGE_MS };
      const { nodes } = await queryStore(
        deps,
        store,
        "variantTitles",
        RESPONSES.variantTitles,
        variables,
        options,
      );
      return new Map(
        nodes.flatMap((variant) =>
          variant ? [[variant.id, lineTitle({ product: variant.product, variant })] as const] : [],
        ),
      );
    },
    async addLines(store, cartId, items, locale) {
      const lines = items.map(({ variantId, quantity }) => ({ merchandiseId: variantId, quantity }));
      return changeCartLines(deps, store, "cartLinesAdd", { cartId, lines, ...localeVariables(locale) });
    },
    async updateLine(store, cartId, line, locale) {
      const variables = { cartId, lineId: line.id, quantity: line.quantity, ...localeVariables(locale) };
      return changeCartLines(deps, store, "cartLinesUpdate", variables);
    },
    async removeLine(store, cartId, lineId, locale) {
      return changeCartLines(deps, store, "cartLinesRemove", { cartId, lineId, ...localeVariables(locale) });
    },
  };
}
