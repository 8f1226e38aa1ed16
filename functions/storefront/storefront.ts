/** Products and carts of stores, over their client (§7). */
import type * as z from "zod";
import { lazyModule } from "#functions/load-module";
import type {
  CardResponse,
  CartAccess,
  CartChange,
  ChangeProblem,
  Freshness,
  ProductResponse,
  StoreAccess,
  Storefront,
} from "#functions/services/store/shop-ports";
import { chosenVariantId, resolveChoice } from "~/domain/store/product-choice";
import type {
  ProductChoice,
  Selection,
  StoreCollection,
  StoreId,
  StoreOperation,
  StoreProduct,
} from "~/domain/store/store";
import { lineTitle } from "~/domain/store/store-cart";
import { StoreFailure } from "~/domain/store/store-failure";
import type { StoreLocale } from "~/domain/store/store-locale";
import { hasVariantTitle, isSameSelection } from "~/domain/store/store-options";
import { failureOf } from "./circuit-breaker";
import type { StoreClients } from "./client";
import { DOCUMENTS, type DocumentName, titleQuery, variantsLookedAt } from "./documents";
import {
  type Addresses,
  type ChangedResponse,
  createResponseConverter,
  MESSAGE_MAX,
  RESPONSES,
} from "./response-converter";
import { beginStoreCall, runStoreCall, type StoreCall, type StoreCallDeps } from "./store-calls";
import { responseKey, type StorefrontCache } from "./storefront-cache";

/** Dependencies of the products and carts of stores. */
export interface StorefrontDeps extends StoreCallDeps {
  readonly clients: StoreClients;
  readonly kept: StorefrontCache;
  readonly addresses: Addresses;
  /** Throws for an address that may not be called: a saved address may be older than the rule. */
  readonly checkOrigin: (origin: string) => void;
  /** Lets work finish after the answer was sent (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

const description = lazyModule("description", () => import("./description"));

type Variables = Readonly<Record<string, unknown>>;

/** A product with its collections, as it is cached. */
interface WholeProduct {
  readonly product: StoreProduct;
  /** The product's variants are all that there are. */
  readonly hasAll: boolean;
  /** Null where they did not arrive: then the product is shared with waiting callers, and not cached. */
  readonly collections: readonly StoreCollection[] | null;
}

const NO_FIELD =
  "GraphQL Client: An unknown error has occurred. The API did not return a data object or any errors in its response.";

/** An answer as its operation's shape says. @throws StoreFailure bad_answer without the fields that were asked for */
function read<T extends z.ZodType>(shape: T, data: unknown): z.output<T> {
  const parsed = shape.safeParse(data);
  if (!parsed.success) throw new StoreFailure("bad_answer", NO_FIELD);
  return parsed.data;
}

/** Age up to which a response counts as checked, in milliseconds: visitors who choose at the same moment share one request. */
const CHECKED_MS = 1_000;

/** The result of `work` within `ms` milliseconds; `late()` when it takes longer or fails. */
async function firstOf<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([work.catch(late), waited]);
  } finally {
    clearTimeout(timer);
  }
}

/** Number of retries of a busy store. A change of a cart is sent again only after a response that says so (§9). */
const RETRIES = 2;
/** Time limit for reading a cart again after a lost response, in milliseconds. It is short because the visitor has waited already. */
const AGAIN_MS = 4_000;

interface AskOptions {
  readonly retries?: number;
  readonly once?: boolean;
  readonly limitMs?: number;
  /** The visitor's address, for calls about a cart. */
  readonly buyerIp?: string | null;
  /** The call goes out although the circuit is open. */
  readonly isAlways?: boolean;
}

/** The products and carts of all stores, for one request. */
export function createStorefront(deps: StorefrontDeps): Storefront {
  const { clients, kept, defer } = deps;
  const convert = createResponseConverter(deps.addresses, () => kept.now());

  const clientOf = (store: StoreAccess) => {
    deps.checkOrigin(store.origin);
    return clients.get(store);
  };
  const contextOf = ({ language, country }: StoreLocale): Variables => ({ country, language });
  const keyOf = (store: StoreAccess, name: DocumentName, variables: Variables) =>
    responseKey({ ...store, document: DOCUMENTS[name], variables });

  function ask<T extends z.ZodType>(
    store: StoreAccess,
    name: DocumentName,
    shape: T,
    variables: Variables,
    { retries = RETRIES, once = false, isAlways = false, ...rest }: AskOptions = {},
  ): Promise<z.output<T>> {
    const work = async (options: StoreCall["options"]) => {
      const operation = { variables, retries, once, ...rest, ...options };
      return read(shape, await clientOf(store).request(DOCUMENTS[name], operation));
    };
    return runStoreCall(deps, store, operationOf(name, variables), work, { isAlways });
  }

  /** Sends a change of a cart's lines. A cart that came beside errors is returned, because its lines show what was changed. @throws StoreFailure without a cart */
  async function change<Name extends ChangeName>(
    store: CartAccess,
    name: Name,
    variables: Variables,
  ): Promise<CartChange> {
    const call = beginStoreCall(deps, store, operationOf(name, variables));
    try {
      const { data, failure } = await clientOf(store).requestPartial<Readonly<Record<string, unknown>>>(
        DOCUMENTS[name],
        { variables, retries: RETRIES, once: true, buyerIp: store.buyerIp, ...call.options },
      );
      if (!failure) {
        const changed = changeOf((read(RESPONSES[name], data) as Record<ChangeName, ChangedResponse>)[name]);
        call.succeed();
        return changed;
      }
      const parsed = RESPONSES[name].safeParse(data);
      const answer = parsed.success ? (parsed.data as Record<ChangeName, ChangedResponse>)[name] : undefined;
      if (!answer?.cart) throw failure;
      call.fail(failure);
      const cart = convert.cartOf(answer.cart);
      return {
        status: "done",
        cart,
        warnings: convert.warningsOf(answer),
        problem: { kind: "failure", failure },
      };
    } catch (error) {
      const failure = failureOf(error);
      if (failure) call.fail(failure);
      throw error;
    }
  }

  /** Queries the store and caches the result. */
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

  const cardsOf = (answer: z.output<typeof RESPONSES.cards>) =>
    answer.nodes.map(
      (found): CardResponse | null =>
        found && {
          card: convert.cardOf(found),
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
    const { readDescription } = await description();
    const call = beginStoreCall(deps, store, "product");
    const tellFailure = (error: unknown) => {
      const failure = failureOf(error);
      if (failure) call.fail(failure);
      throw error;
    };
    const begun = async () => {
      const options = { variables, retries: RETRIES, ...call.options };
      const parts = clientOf(store).requestStream(DOCUMENTS[name], options);
      const iterator = parts[Symbol.asyncIterator]();
      const first = await iterator.next();
      if (first.done) throw new StoreFailure("bad_answer", NO_FIELD);
      return { iterator, first, found: read(RESPONSES.product, first.value.data).product };
    };
    const { iterator, first, found } = await begun().catch(tellFailure);
    // The first part shows that the store works; the circuit need not wait for the others.
    call.succeed();
    if (!found) {
      await iterator.return?.();
      return null;
    }
    const product = convert.productOf(found, readDescription);
    const hasAll = found.variants?.pageInfo.hasNextPage === false;
    const finish = async (): Promise<WholeProduct> => {
      let last = first.value;
      while (last.hasNext) {
        const next = await iterator.next();
        if (next.done) break;
        last = next.value;
      }
      const { collections } = read(RESPONSES.related, last.data).product;
      return { product, hasAll, collections: collections.nodes.map(convert.collectionOf) };
    };
    return { product, hasAll, whole: finish().catch(tellFailure) };
  }

  type FoundProduct = Omit<ProductResponse, "choice"> & Pick<WholeProduct, "hasAll">;
  const foundOf = ({ collections, ...found }: WholeProduct): FoundProduct => ({
    ...found,
    collections: Promise.resolve(collections),
  });

  /** Loads a product and caches it. Of several callers at the same time one calls the store, and continues with the first part; the others get the whole product. */
  function askOnce(
    store: StoreAccess,
    name: "product" | "productWhole",
    variables: Variables,
    once: (work: () => Promise<WholeProduct | null>) => Promise<WholeProduct | null>,
  ): Promise<FoundProduct | null> {
    const key = keyOf(store, name, variables);
    const keep = async (whole: Promise<WholeProduct>) => {
      const found = await whole;
      kept.put(key, found, defer);
      return found;
    };
    return new Promise((resolve, reject) => {
      const ask = async (): Promise<WholeProduct | null> => {
        const fresh = await askProduct(store, name, variables);
        if (!fresh) return null;
        const { whole, ...first } = fresh;
        // The product is usable without its collections.
        const collections = whole.then(
          (found) => found.collections,
          () => null,
        );
        resolve({ ...first, collections });
        try {
          return await keep(whole);
        } catch (error) {
          if (!failureOf(error)) throw error;
          // Waiting callers get the part that has arrived.
          const part: WholeProduct = { product: fresh.product, hasAll: fresh.hasAll, collections: null };
          kept.share(key, part);
          return part;
        }
      };
      defer(once(ask).then((found) => resolve(found && foundOf(found)), reject));
    });
  }

  /** A product from the cache or from the store: see Storefront.product. */
  async function product(
    store: StoreAccess,
    name: "product" | "productWhole",
    variables: Variables,
    freshness: Freshness,
  ): Promise<FoundProduct | null> {
    const key = keyOf(store, name, variables);
    const known = await kept.peek<WholeProduct>(key);
    if (freshness === "kept") {
      // A product that was shared without its collections serves only the callers who waited for it.
      const isUsable = known && (known.isFresh || known.value.collections !== null);
      if (!isUsable) return askOnce(store, name, variables, (ask) => kept.once(key, ask));
      const renew = async () => {
        const fresh = await askProduct(store, name, variables);
        if (fresh) kept.put(key, await fresh.whole, defer);
      };
      if (!known.isFresh) kept.renewOnce(key, renew, defer);
      return foundOf(known.value);
    }
    const since = kept.now() - CHECKED_MS;
    if (known && known.at >= since) return foundOf(known.value);
    const fresh = askOnce(store, name, variables, (ask) => kept.onceSince(key, since, ask));
    if (freshness === "renewed" || !known) return fresh;
    return firstOf(fresh, freshness.renewWithinMs, () => foundOf(known.value));
  }

  /**
   * A product with the choice of an address. One response has up to 250 variants, which contain every choice of most products. Of a product with
   * more variants, a choice that is not among them is queried by its names.
   */
  async function chosenProduct(
    store: StoreAccess,
    id: StoreId,
    choice: ProductChoice,
    locale: StoreLocale,
    freshness: Freshness,
  ): Promise<ProductResponse | null> {
    const byNames = (selectedOptions: Selection) =>
      product(store, "product", { id, selectedOptions, ...contextOf(locale) }, freshness);
    const { names, isExact, variant, positions } = choice;
    if (isExact && names.length > 0 && variant === null && positions === null) {
      const found = await byNames(names);
      return found && { ...found, choice: resolveChoice(found.product, choice) };
    }
    const all = await product(store, "productWhole", { id, ...contextOf(locale) }, freshness);
    if (!all) return null;
    const resolved = resolveChoice(all.product, choice);
    // A choice by positions redirects to an address with names, by which the store is queried.
    if (all.hasAll || positions !== null) return { ...all, choice: resolved };
    const variantId = variant !== null && resolved.wrong.length > 0 ? chosenVariantId(variant) : null;
    const named = variantId ? await optionsOfVariant(store, id, variantId, locale) : null;
    const settled = named ? { selection: named, wrong: [] } : resolved;
    const isThere = all.product.variants.some(({ selectedOptions }) =>
      isSameSelection(selectedOptions, settled.selection),
    );
    const found = settled.selection.length === 0 || isThere ? all : await byNames(settled.selection);
    return found && { ...found, choice: settled };
  }

  /** The options of a variant of a product; null when the product has no such variant. */
  async function optionsOfVariant(
    store: StoreAccess,
    productId: StoreId,
    variantId: StoreId,
    locale: StoreLocale,
  ): Promise<Selection | null> {
    const variables = { id: variantId, ...contextOf(locale) };
    return askKept(store, "variant", RESPONSES.variant, variables, ({ node }) =>
      node && node.product.id === productId ? node.selectedOptions : null,
    );
  }

  /** The outcome of a change. User errors count even beside a cart. */
  function changeOf(answer: ChangedResponse): CartChange {
    const [error] = answer.userErrors;
    const reason = error && reasonOf(error);
    const message = error?.message.slice(0, MESSAGE_MAX) ?? "";
    if (reason && (reason === "no_cart" || !answer.cart)) return { status: "refused", reason, message };
    // A response without cart and without errors means that the cart does not exist any more.
    if (!answer.cart) return { status: "refused", reason: "no_cart", message: "" };
    const problem: ChangeProblem | null = reason ? { kind: "refused", reason, message } : null;
    return {
      status: "done",
      cart: convert.cartOf(answer.cart),
      warnings: convert.warningsOf(answer),
      problem,
    };
  }

  return {
    shopName: (store) =>
      runStoreCall(deps, store, "shop", async (options) => {
        // A typed store is tested once, so that the result comes soon; the saved store with retries, as for visitors.
        const retries = store.isTyped ? 0 : RETRIES;
        const answer = await clientOf(store).request(DOCUMENTS.shop, { retries, ...options });
        return { name: read(RESPONSES.shop, answer).shop.name, version: options.trace?.version ?? null };
      }),
    products(store, { q, after, before }, locale) {
      const { name, cursor } = pageOf("products", { after, before });
      const variables = { query: titleQuery(q), ...cursor, ...contextOf(locale) };
      return askKept(store, name, RESPONSES.products, variables, (answer) => convert.pageOf(answer.products));
    },
    product: (store, id, choice, locale, freshness = "kept") =>
      chosenProduct(store, id, choice, locale, freshness),
    async cards(store, ids, locale, withStock = false) {
      const variables = cardVariables(ids, locale);
      if (withStock) return cardsOf(await ask(store, "cardsWithStock", RESPONSES.cards, variables));
      return askKept(store, "cards", RESPONSES.cards, variables, cardsOf);
    },
    async knownCards(store, ids, locale, withinMs) {
      const variables = cardVariables(ids, locale);
      const key = keyOf(store, "cards", variables);
      const known = await kept.peek<readonly (CardResponse | null)[]>(key);
      const renew = async () => {
        const cards = cardsOf(await ask(store, "cards", RESPONSES.cards, variables));
        kept.put(key, cards, defer);
        return cards;
      };
      if (known) {
        if (!known.isFresh) kept.renewOnce(key, renew, defer);
        return known.value;
      }
      // Callers who ask in the meantime wait for the same response.
      const asked = kept.once(key, renew);
      defer(asked.catch(() => {}));
      return firstOf(asked, withinMs, () => null);
    },
    collections: (store, locale) =>
      askKept(store, "collections", RESPONSES.collections, contextOf(locale), (answer) =>
        answer.collections.nodes.map(convert.collectionOf),
      ),
    collection(store, id, page, locale) {
      const { name, cursor } = pageOf("collection", page);
      const variables = { id, ...cursor, ...contextOf(locale) };
      return askKept(
        store,
        name,
        RESPONSES.collection,
        variables,
        ({ collection: found }) => found && { title: found.title, page: convert.pageOf(found.products) },
      );
    },
    async createCart(store, locale) {
      const variables = contextOf(locale);
      const { cartCreate } = await ask(store, "cartCreate", RESPONSES.cartCreate, variables, {
        once: true,
        buyerIp: store.buyerIp,
      });
      if (!cartCreate.cart)
        throw new StoreFailure("bad_answer", cartCreate.userErrors[0]?.message || NO_FIELD);
      return convert.cartOf(cartCreate.cart);
    },
    async cart(store, cartId, locale) {
      const { cart } = await ask(
        store,
        "cart",
        RESPONSES.cart,
        { cartId, ...contextOf(locale) },
        { buyerIp: store.buyerIp },
      );
      return cart && convert.cartOf(cart);
    },
    async cartAgain(store, cartId, locale) {
      const variables = { cartId, ...contextOf(locale) };
      const options = { retries: 0, limitMs: AGAIN_MS, buyerIp: store.buyerIp };
      // The change was sent, so its result is read although the circuit may be open.
      const answer = await ask(store, "cart", RESPONSES.cart, variables, { ...options, isAlways: true });
      return answer.cart && convert.cartOf(answer.cart);
    },
    async variantTitles(store, ids, locale) {
      const variables = { ids, ...contextOf(locale) };
      const options = { retries: 0, limitMs: AGAIN_MS };
      const { nodes } = await ask(store, "variantTitles", RESPONSES.variantTitles, variables, options);
      return new Map(
        nodes.flatMap((found) =>
          found ? [[found.id, lineTitle({ product: found.product, variant: found })] as const] : [],
        ),
      );
    },
    async addLines(store, cartId, items, locale) {
      const lines = items.map(({ variantId, quantity }) => ({ merchandiseId: variantId, quantity }));
      return change(store, "cartLinesAdd", { cartId, lines, ...contextOf(locale) });
    },
    async updateLine(store, cartId, line, locale) {
      const variables = { cartId, lineId: line.id, quantity: line.quantity, ...contextOf(locale) };
      return change(store, "cartLinesUpdate", variables);
    },
    async removeLine(store, cartId, lineId, locale) {
      return change(store, "cartLinesRemove", { cartId, lineId, ...contextOf(locale) });
    },
  };
}

type ChangeName = "cartLinesAdd" | "cartLinesUpdate" | "cartLinesRemove";

/** The purpose of an operation, as the log and the owner's panel name it. */
function operationOf(name: DocumentName, variables: Variables): StoreOperation {
  if (name.startsWith("products")) return variables.query ? "search" : "products";
  const operations: Partial<Record<DocumentName, StoreOperation>> = {
    ...({ shop: "shop", product: "product", productWhole: "product" } as const),
    ...({ collections: "collections", collection: "collection" } as const),
    ...({ collectionAfter: "collection", collectionBefore: "collection" } as const),
    ...({ cartCreate: "cartCreate", cart: "cart", cartLinesAdd: "cartAdd" } as const),
    ...({ cartLinesUpdate: "cartUpdate", cartLinesRemove: "cartRemove" } as const),
  };
  return operations[name] ?? "attached";
}

type UserError = ChangedResponse["userErrors"][number];
type Reason = Extract<CartChange, { status: "refused" }>["reason"];

/** The reason of a user error. The store tells it by the field, not by the code (reference: recorded answers). */
function reasonOf({ code, field }: UserError): Reason {
  if (code === "INVALID_MERCHANDISE_LINE") return "no_line";
  const [first, , last] = field ?? [];
  if (code !== "INVALID" && code !== null && code !== undefined) return "other";
  if (first === "cartId") return "no_cart";
  if (first === "lineIds") return "no_line";
  if (first !== "lines") return "other";
  return last === "id" ? "no_line" : last === "merchandiseId" ? "no_variant" : "other";
}
