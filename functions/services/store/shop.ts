/** The products of an event's store, for visitors and for users who edit the event. */

import type { Actor } from "~/domain/auth/actor";
import { readStoreToken } from "~/domain/events/event.schema";
import { PRODUCT_PAGE_SIZE, STOREFRONT_API_VERSION } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { attachedProducts } from "~/domain/store/event-store";
import { translateSelection } from "~/domain/store/product-choice";
import type {
  AttachedProduct,
  ConnectionTest,
  ProductChoice,
  ProductView,
  Selection,
  StoreCard,
  StoreCollection,
  StoreId,
  StoreOption,
  StorePage,
  StoreStatus,
} from "~/domain/store/store";
import type { ProductQuery } from "~/domain/store/store.schema";
import { missingForTest } from "~/domain/store/store-connection";
import { StoreFailure } from "~/domain/store/store-failure";
import { isCollectionId, isProductId } from "~/domain/store/store-ids";
import { storeLocale } from "~/domain/store/store-locale";
import { productView } from "~/domain/store/store-options";
import { readStoreUrl } from "~/domain/store/store-url";
import { eventResource } from "../events/events";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, InvalidError, NotFoundError } from "../shared/errors";
import type { EventRecord } from "../visitors/visitor-ports";
import { callStore, openShop, type ShopDeps, type ShopInput, ShopRejection } from "./shop-access";
import type { CardResponse, Freshness, StoreAccess } from "./shop-ports";

/** The requested products. */
export interface ListProductsInput extends ShopInput {
  /** Checked by createProductQuerySchema. */
  readonly query: ProductQuery;
}

/** Data of a product's page. */
export interface ProductResult {
  readonly view: ProductView;
  /** Collections of the product, with some products of each. Resolves later and never rejects; null if they could not be loaded. */
  readonly related: Promise<readonly StoreCollection[] | null>;
  /** Parts of the selection in the URL that the product does not have. */
  readonly unknownParts: Selection;
  /** The selection by option names of this language, if the URL has positions or the names of the other language; otherwise null. */
  readonly renamed: Selection | null;
}

/** The requested product. */
export interface ReadProductInput extends ShopInput {
  readonly productId: string;
  readonly choice: ProductChoice;
  /** Permitted age of its data: see Storefront.product. */
  readonly freshness?: Freshness;
}

/** Input of the connection test in the event form. */
export interface TestConnectionInput {
  readonly actor: Actor;
  /** Event whose saved token replaces an empty one if the URL is the saved one; null for a new event. */
  readonly eventId: Uuid | null;
  readonly storeUrl: string;
  /** The value in the form; empty for the saved one. */
  readonly token: string;
}

/** Further dependencies of the connection test and of readStoreStatus. */
export interface ConnectionDeps extends ShopDeps {
  /** Whether the store's client may call a host although it is not public, for local runs. */
  readonly isAllowedLocalHost: (host: string) => boolean;
  /** Reads the last responses of an event's store at an origin. */
  readonly storeStatusOf: (eventId: Uuid, origin: string) => Promise<StoreStatus>;
}

/**
 * Returns a page of the store's products: all, or those whose titles contain the words of `query.q`; at most 250 (specification §9).
 * @throws InvalidError when the store does not know the page
 * @throws ShopUnavailableError 'Failed to obtain product information'
 */
export async function listProducts(deps: ShopDeps, input: ListProductsInput): Promise<StorePage> {
  const { store, locale } = await openShop(deps, input);
  return callStore(
    input.query.q === "" ? "products" : "search",
    awaitPage(input.query, deps.storefront.products(store, input.query, locale)),
  );
}

/**
 * Waits for a page of one of the store's lists. The store's own cursors select the page.
 * @throws InvalidError when the store rejects the cursor
 */
async function awaitPage<T>({ after, before }: Pick<ProductQuery, "after" | "before">, page: Promise<T>) {
  try {
    return await page;
  } catch (error) {
    const field = after !== null ? "after" : before !== null ? "before" : null;
    const isCursorError =
      error instanceof StoreFailure && error.code === "graphql" && /\bcursor\b/i.test(error.message);
    if (!field || !isCursorError) throw error;
    throw new InvalidError({ [field]: [{ key: "store:errors.store.noPage" }] });
  }
}

/**
 * Returns a product with the selection of the URL, and a promise of its collections.
 * @throws ShopRejection shop_no_product when the store does not have the product
 * @throws ShopUnavailableError
 */
export async function readProduct(deps: ShopDeps, input: ReadProductInput): Promise<ProductResult> {
  const { store, locale } = await openShop(deps, input);
  const { productId, choice, freshness = "cached" } = input;
  if (!isProductId(productId)) throw new ShopRejection("shop_no_product");
  const response = await callStore(
    "product",
    deps.storefront.product(store, productId, choice, locale, freshness),
  );
  if (!response) throw new ShopRejection("shop_no_product");
  const { product, collections: related } = response;
  const { selection, wrong: unknownParts } = response.choice;
  const isComplete = unknownParts.length === 0;
  const renamed = isComplete
    ? choice.positions && selection
    : await selectionOfOtherLanguage(deps, input, store, product.options);
  const view = productView(product, selection);
  return { view, related, unknownParts: renamed ? [] : unknownParts, renamed };
}

/**
 * Returns the selection of a URL that uses option names of the other language, by the names of this language; null for any other URL, or if the store
 * does not respond.
 */
async function selectionOfOtherLanguage(
  deps: ShopDeps,
  { productId, choice, lang, country }: ReadProductInput,
  store: StoreAccess,
  options: readonly StoreOption[],
): Promise<Selection | null> {
  if (choice.names.length === 0) return null;
  const locale = storeLocale(lang === "ja" ? "en" : "ja", country);
  const inexactChoice = { ...choice, isExact: false };
  const response = await deps.storefront.product(store, productId, inexactChoice, locale).catch(() => null);
  if (!response || response.choice.wrong.length > 0) return null;
  const selection = translateSelection(response.choice.selection, response.product.options, options);
  return selection.length > 0 ? selection : null;
}

/** Returns the store's collections, each with some of its products. @throws ShopUnavailableError */
export async function listCollections(deps: ShopDeps, input: ShopInput): Promise<readonly StoreCollection[]> {
  const { store, locale } = await openShop(deps, input);
  return callStore("collections", deps.storefront.collections(store, locale));
}

/**
 * Returns a page of a collection's products.
 * @throws ShopRejection shop_no_collection, InvalidError when the store does not know the page
 * @throws ShopUnavailableError
 */
export async function readCollection(
  deps: ShopDeps,
  input: ShopInput & { readonly collectionId: string } & Pick<ProductQuery, "after" | "before">,
): Promise<{ readonly title: string; readonly page: StorePage }> {
  const { store, locale } = await openShop(deps, input);
  const { collectionId, after, before } = input;
  if (!isCollectionId(collectionId)) throw new ShopRejection("shop_no_collection");
  const result = await callStore(
    "collection",
    awaitPage(input, deps.storefront.collection(store, collectionId, { after, before }, locale)),
  );
  if (!result) throw new ShopRejection("shop_no_collection");
  return result;
}

/** Cards by the requested ids; null for products that the store no longer has. */
export type AttachedCards = Readonly<Record<StoreId, StoreCard | null>>;

/** Ids of the products that the event and its tags show, limited to the number that one query may request. */
const attachedIds = (record: EventRecord): readonly StoreId[] =>
  attachedProducts(record)
    .slice(0, PRODUCT_PAGE_SIZE)
    .map(({ id }) => id);

/**
 * Returns cards of the products that the event and its tags show, with at most one call to the store.
 * @throws ShopUnavailableError
 */
export async function listAttached(deps: ShopDeps, input: ShopInput): Promise<AttachedCards> {
  const { record, store, locale } = await openShop(deps, input);
  const ids = attachedIds(record);
  if (ids.length === 0) return {};
  return cardsById(ids, await callStore("attached", deps.storefront.cards(store, ids, locale)));
}

const cardsById = (ids: readonly StoreId[], cards: readonly (CardResponse | null)[]): AttachedCards =>
  Object.fromEntries(ids.map((id, index) => [id, cards[index]?.card ?? null]));

/**
 * Returns the cards of listAttached for the event's page: from the cache, or from the store when it responds within `withinMs` milliseconds;
 * otherwise null. The call to the store continues, so that the next visitor finds them in the cache.
 */
export async function cachedAttached(
  deps: ShopDeps,
  input: ShopInput & { readonly withinMs: number },
): Promise<AttachedCards | null> {
  const { record, store, locale } = await openShop(deps, input);
  const ids = attachedIds(record);
  if (ids.length === 0) return {};
  const cards = await deps.storefront.cachedCards(store, ids, locale, input.withinMs);
  return cards && cardsById(ids, cards);
}

/**
 * Returns the current state of attached products, for warnings in the editor. If the store does not respond, the state is unknown; that is not an
 * error here.
 * @param input.products the products in the editor, saved or not
 * @throws as openShop
 */
export async function checkAttached(
  deps: ShopDeps,
  input: ShopInput & { readonly products: readonly { readonly id: StoreId; readonly title: string }[] },
): Promise<readonly AttachedProduct[]> {
  const { store, locale } = await openShop(deps, input);
  const products = input.products.filter(({ id }) => isProductId(id)).slice(0, PRODUCT_PAGE_SIZE);
  if (products.length === 0) return [];
  let cards: readonly (CardResponse | null)[] | null = null;
  try {
    cards = await deps.storefront.cards(
      store,
      products.map(({ id }) => id),
      locale,
      true,
    );
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
  }
  return products.map(({ id, title }, index) => {
    const response = cards?.[index] ?? null;
    return {
      id,
      title: response?.card.title ?? title,
      state: cards ? (response?.card.state ?? "gone") : "unknown",
      soldOut: response?.soldOut ?? [],
      card: response?.card ?? null,
    };
  });
}

/**
 * Reads a store's name to test the connection (specification §4, §5). Does nothing unless both URL and token are given. An empty token means the saved one, but
 * only with the saved URL: it must not be sent to another store.
 * @throws NotFoundError when the event is not visible, ForbiddenError when it may not be edited
 */
export async function testConnection(
  deps: ConnectionDeps,
  input: TestConnectionInput,
): Promise<ConnectionTest> {
  const { actor, eventId } = input;
  const record = eventId === null ? null : await deps.readRecord(eventId);
  if (eventId !== null) {
    if (!record || !can(actor, "read", eventResource(record.space))) throw new NotFoundError("event");
    if (!can(actor, "update", eventResource(record.space))) throw new ForbiddenError("test store");
  }
  const { spStoreUrl = null, spAccessToken = null } = record?.event ?? {};
  if (missingForTest(input, { storeUrl: spStoreUrl, hasToken: spAccessToken !== null }))
    return { state: "idle" };
  const storeUrl = readStoreUrl(input.storeUrl.trim(), deps.isAllowedLocalHost);
  if ("error" in storeUrl) return { state: "failure", code: "address", key: storeUrl.error, message: "" };
  const tokenResult = readStoreToken(input.token.trim());
  if ("error" in tokenResult) return { state: "failure", code: "token", key: tokenResult.error, message: "" };
  try {
    const { name, version } = await deps.storefront.shopName({
      origin: storeUrl.origin,
      // An empty token is accepted only for the saved store (missingForTest).
      token: tokenResult.value ?? spAccessToken ?? "",
      eventId,
      isTyped: tokenResult.value !== null || storeUrl.origin !== spStoreUrl,
    });
    const isOtherVersion = version !== null && version !== STOREFRONT_API_VERSION;
    return { state: "success", shopName: name, ...(isOtherVersion && { answeredVersion: version }) };
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    const { code, message, scope } = error;
    return { state: "failure", code, key: null, message, ...(scope !== null && { scope }) };
  }
}

/** Returns the last responses of an event's store, for users who may edit the event. @throws as openShop */
export async function readStoreStatus(
  deps: ConnectionDeps,
  { actor, eventId }: { readonly actor: Actor; readonly eventId: Uuid },
): Promise<StoreStatus> {
  const { store } = await openShop(deps, { reader: { actor, eventId }, lang: "en", country: null });
  return deps.storeStatusOf(eventId, store.origin);
}

/** Use cases in `context.services.shop`. */
export const productServices = (deps: ConnectionDeps) =>
  bindUseCases(deps, {
    listProducts,
    readProduct,
    listCollections,
    readCollection,
    listAttached,
    cachedAttached,
    checkAttached,
    testConnection,
    readStoreStatus,
  });
