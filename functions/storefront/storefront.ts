/** Products and carts of stores, over their client (§7). */
import type { z } from "zod";
import type {
  CardAnswer,
  CartChange,
  ProductAnswer,
  StoreAccess,
  Storefront,
} from "#functions/services/shop-ports";
import type { PlacedChoice, StoreCollection, StoreId, StoreProduct } from "~/domain/store";
import { StoreFailure } from "~/domain/store-failure";
import type { StoreLocale } from "~/domain/store-locale";
import { hasVariantTitle, isSameSelection, selectionAt } from "~/domain/store-options";
import type { StoreClients } from "./client";
import { DOCUMENTS, type DocumentName, titleQuery, variantsLookedAt } from "./documents";
import { answerKey, type KeptAnswers } from "./kept";
import { type Addresses, ANSWERS, type ChangedAnswer, MESSAGE_MAX, teller } from "./shapes";

/** What the products and carts of stores need. */
export interface StorefrontDeps {
  readonly clients: StoreClients;
  readonly kept: KeptAnswers;
  readonly addresses: Addresses;
  /** Throws for an address that may not be called: it may be older than the rule. */
  readonly checkOrigin: (origin: string) => void;
  /** Work that an answer does not wait for. */
  readonly defer: (work: Promise<unknown>) => void;
}

type Variables = Readonly<Record<string, unknown>>;

/** A product with its collections, as it is kept. */
interface WholeProduct {
  readonly product: StoreProduct;
  /** The product's variants are all that there are. */
  readonly hasAll: boolean;
  readonly collections: readonly StoreCollection[];
}

const NO_FIELD =
  "GraphQL Client: An unknown error has occurred. The API did not return a data object or any errors in its response.";

/** An answer as its operation's shape says. @throws StoreFailure bad_answer without the fields that were asked for */
function read<T extends z.ZodType>(shape: T, data: unknown): z.output<T> {
  const parsed = shape.safeParse(data);
  if (!parsed.success) throw new StoreFailure("bad_answer", NO_FIELD);
  return parsed.data;
}

/** How often a busy store is asked again; with what changes a cart only when it has answered that it is (§9). */
const RETRIES = 2;

/** The products and carts of all stores, for one request. */
export function createStorefront(deps: StorefrontDeps): Storefront {
  const { clients, kept, defer } = deps;
  const tell = teller(deps.addresses);

  const clientOf = (store: StoreAccess) => {
    deps.checkOrigin(store.origin);
    return clients.get(store);
  };
  const contextOf = ({ language, country }: StoreLocale): Variables => ({ country, language });
  const keyOf = (store: StoreAccess, name: DocumentName, variables: Variables) =>
    answerKey({ ...store, document: DOCUMENTS[name], variables });

  async function ask<T extends z.ZodType>(
    store: StoreAccess,
    name: DocumentName,
    shape: T,
    variables: Variables,
    { retries = RETRIES, once = false } = {},
  ): Promise<z.output<T>> {
    return read(shape, await clientOf(store).request(DOCUMENTS[name], { variables, retries, once }));
  }

  /** Asks, and keeps what comes of it. */
  const askKept = <T extends z.ZodType, R>(
    store: StoreAccess,
    name: DocumentName,
    shape: T,
    variables: Variables,
    told: (answer: z.output<T>) => R,
  ): Promise<R> =>
    kept.get(
      keyOf(store, name, variables),
      async () => told(await ask(store, name, shape, variables)),
      defer,
    );

  const cardVariables = (ids: readonly StoreId[], locale: StoreLocale): Variables => ({
    ids,
    looked: variantsLookedAt(ids.length),
    ...contextOf(locale),
  });

  const cardsOf = (answer: z.output<typeof ANSWERS.cards>) =>
    answer.nodes.map(
      (found): CardAnswer | null =>
        found && {
          card: tell.cardOf(found),
          soldOut: found.variants.nodes.flatMap(({ title = "", availableForSale }) =>
            !availableForSale && hasVariantTitle(title) ? [title] : [],
          ),
        },
    );

  /** A page of one of the lists: the first one, the next, or the previous. */
  const pageOf = <Base extends "products" | "collection">(
    base: Base,
    { after, before }: { readonly after: string | null; readonly before: string | null },
  ) => {
    if (after !== null) return { name: `${base}After` as const, cursor: { cursor: after } };
    if (before !== null) return { name: `${base}Before` as const, cursor: { cursor: before } };
    return { name: base, cursor: {} };
  };

  /** A product's first part and, when it arrives, the whole of it. */
  async function askProduct(
    store: StoreAccess,
    name: DocumentName,
    variables: Variables,
  ): Promise<(Omit<WholeProduct, "collections"> & { whole: Promise<WholeProduct> }) | null> {
    const parts = clientOf(store).requestStream(DOCUMENTS[name], { variables, retries: RETRIES });
    const iterator = parts[Symbol.asyncIterator]();
    const first = await iterator.next();
    if (first.done) throw new StoreFailure("bad_answer", NO_FIELD);
    const { product: found } = read(ANSWERS.product, first.value.data);
    if (!found) {
      await iterator.return?.();
      return null;
    }
    const product = tell.productOf(found);
    const hasAll = found.variants?.pageInfo.hasNextPage === false;
    const finish = async (): Promise<WholeProduct> => {
      let last = first.value;
      while (last.hasNext) {
        const next = await iterator.next();
        if (next.done) break;
        last = next.value;
      }
      const { collections } = read(ANSWERS.related, last.data).product;
      return { product, hasAll, collections: collections.nodes.map(tell.collectionOf) };
    };
    return { product, hasAll, whole: finish() };
  }

  type FoundProduct = ProductAnswer & Pick<WholeProduct, "hasAll">;

  /** Of those who ask for the same at once, one asks the store, and goes on with the first part; the others with the whole. */
  async function product(
    store: StoreAccess,
    name: "product" | "productWhole",
    variables: Variables,
  ): Promise<FoundProduct | null> {
    const key = keyOf(store, name, variables);
    const foundOf = ({ collections, ...found }: WholeProduct): FoundProduct => ({
      ...found,
      named: null,
      collections: Promise.resolve(collections),
    });
    const keep = async (whole: Promise<WholeProduct>) => {
      const found = await whole;
      kept.put(key, found, defer);
      return found;
    };
    const known = await kept.peek<WholeProduct>(key);
    if (known) {
      const renew = async () => {
        const fresh = await askProduct(store, name, variables);
        if (fresh) await keep(fresh.whole);
      };
      if (!known.isFresh) kept.renewOnce(key, renew, defer);
      return foundOf(known.value);
    }
    return new Promise((resolve, reject) => {
      const ask = async (): Promise<WholeProduct | null> => {
        const fresh = await askProduct(store, name, variables);
        if (!fresh) return null;
        const { whole, ...first } = fresh;
        // The product stands without its collections.
        const collections = whole.then(
          (found) => found.collections,
          () => null,
        );
        resolve({ ...first, collections, named: null });
        return keep(whole);
      };
      defer(kept.once(key, ask).then((found) => resolve(found && foundOf(found)), reject));
    });
  }

  /**
   * What is chosen by its places is found among all variants, of which the store tells 250 at once; of more it has to be asked by the names that
   * stand there. Where they are missing, or the store has other words by now, whoever asked is told them.
   */
  async function productAt(
    store: StoreAccess,
    id: StoreId,
    { places, names }: PlacedChoice,
    locale: StoreLocale,
  ): Promise<ProductAnswer | null> {
    if (names.length > 0) {
      const found = await product(store, "product", { id, selectedOptions: names, ...contextOf(locale) });
      const there = found ? selectionAt(found.product.options, places) : names;
      return found && { ...found, named: isSameSelection(there, names) ? null : there };
    }
    const all = await product(store, "productWhole", { id, ...contextOf(locale) });
    if (!all || all.hasAll) return all;
    const there = selectionAt(all.product.options, places);
    return { ...all, named: there.length > 0 ? there : null };
  }

  /** What the store made of a change: its user errors count even beside a cart. */
  function changeOf(answer: ChangedAnswer): CartChange {
    const [error] = answer.userErrors;
    if (error)
      return { status: "refused", reason: reasonOf(error), message: error.message.slice(0, MESSAGE_MAX) };
    // No cart, and not a word about why: it is not there any more.
    if (!answer.cart) return { status: "refused", reason: "no_cart", message: "" };
    return { status: "done", cart: tell.cartOf(answer.cart), warnings: tell.warningsOf(answer) };
  }

  return {
    async shopName(store) {
      return (await ask(store, "shop", ANSWERS.shop, {}, { retries: 0 })).shop.name;
    },
    products(store, { q, after, before }, locale) {
      const { name, cursor } = pageOf("products", { after, before });
      const variables = { query: titleQuery(q), ...cursor, ...contextOf(locale) };
      return askKept(store, name, ANSWERS.products, variables, (answer) => tell.pageOf(answer.products));
    },
    product: (store, id, choice, locale) =>
      "places" in choice
        ? productAt(store, id, choice, locale)
        : product(store, "product", { id, selectedOptions: choice, ...contextOf(locale) }),
    async cards(store, ids, locale, withStock = false) {
      const variables = cardVariables(ids, locale);
      if (withStock) return cardsOf(await ask(store, "cardsWithStock", ANSWERS.cards, variables));
      return askKept(store, "cards", ANSWERS.cards, variables, cardsOf);
    },
    async knownCards(store, ids, locale) {
      const variables = cardVariables(ids, locale);
      const key = keyOf(store, "cards", variables);
      const known = await kept.peek<readonly (CardAnswer | null)[]>(key);
      const renew = async () => {
        const cards = cardsOf(await ask(store, "cards", ANSWERS.cards, variables));
        kept.put(key, cards, defer);
        return cards;
      };
      // Where nothing is at hand, whoever asks for it in the meantime waits for the same answer.
      if (!known) kept.renewOnce(key, () => kept.once(key, renew), defer);
      else if (!known.isFresh) kept.renewOnce(key, renew, defer);
      return known?.value ?? null;
    },
    collections: (store, locale) =>
      askKept(store, "collections", ANSWERS.collections, contextOf(locale), (answer) =>
        answer.collections.nodes.map(tell.collectionOf),
      ),
    collection(store, id, page, locale) {
      const { name, cursor } = pageOf("collection", page);
      const variables = { id, ...cursor, ...contextOf(locale) };
      return askKept(
        store,
        name,
        ANSWERS.collection,
        variables,
        ({ collection: found }) => found && { title: found.title, page: tell.pageOf(found.products) },
      );
    },
    async createCart(store, locale) {
      const variables = contextOf(locale);
      const { cartCreate } = await ask(store, "cartCreate", ANSWERS.cartCreate, variables, { once: true });
      if (!cartCreate.cart)
        throw new StoreFailure("bad_answer", cartCreate.userErrors[0]?.message || NO_FIELD);
      return tell.cartOf(cartCreate.cart);
    },
    async cart(store, cartId, locale) {
      const { cart } = await ask(store, "cart", ANSWERS.cart, { cartId, ...contextOf(locale) });
      return cart && tell.cartOf(cart);
    },
    async addLines(store, cartId, items, locale) {
      const lines = items.map(({ variantId, quantity }) => ({ merchandiseId: variantId, quantity }));
      const variables = { cartId, lines, ...contextOf(locale) };
      const answer = await ask(store, "cartLinesAdd", ANSWERS.cartLinesAdd, variables, { once: true });
      return changeOf(answer.cartLinesAdd);
    },
    async updateLine(store, cartId, line, locale) {
      const variables = { cartId, lineId: line.id, quantity: line.quantity, ...contextOf(locale) };
      const answer = await ask(store, "cartLinesUpdate", ANSWERS.cartLinesUpdate, variables, { once: true });
      return changeOf(answer.cartLinesUpdate);
    },
    async removeLine(store, cartId, lineId, locale) {
      const variables = { cartId, lineId, ...contextOf(locale) };
      const answer = await ask(store, "cartLinesRemove", ANSWERS.cartLinesRemove, variables, { once: true });
      return changeOf(answer.cartLinesRemove);
    },
  };
}

type UserError = ChangedAnswer["userErrors"][number];
type Reason = Extract<CartChange, { status: "refused" }>["reason"];

/** What a user error is about: the store says it by the field, not by the code (reference: recorded answers). */
function reasonOf({ code, field }: UserError): Reason {
  if (code === "INVALID_MERCHANDISE_LINE") return "no_line";
  const [first, , last] = field ?? [];
  if (code !== "INVALID" && code !== null && code !== undefined) return "other";
  if (first === "cartId") return "no_cart";
  if (first === "lineIds") return "no_line";
  if (first !== "lines") return "other";
  return last === "id" ? "no_line" : last === "merchandiseId" ? "no_variant" : "other";
}
