import { lazyModule } from "#functions/load-module";
import type { Freshness, ProductResponse, StoreAccess } from "#functions/services/store/shop-ports";
import { chosenVariantId, resolveChoice } from "~/domain/store/product-choice";
import type { ProductChoice, Selection, StoreCollection, StoreId, StoreProduct } from "~/domain/store/store";
import { StoreFailure } from "~/domain/store/store-failure";
import type { StoreLocale } from "~/domain/store/store-locale";
import { isSameSelection } from "~/domain/store/store-options";
import { toStoreFailure } from "./circuit-breaker";
import { DOCUMENTS, type DocumentName } from "./documents";
import { UNREADABLE_MESSAGE } from "./parser-errors";
import {
  createResponseKey,
  getStoreClient,
  localeVariables,
  parseResponse,
  queryCached,
  RETRIES,
  type StoreQueryDeps,
  type Variables,
} from "./query-store";
import { resolveWithin } from "./resolve-within";
import { RESPONSES } from "./response-converter";
import { beginStoreCall } from "./store-calls";

const description = lazyModule("description", () => import("./description"));

/** A product with its collections, as it is cached. */
interface WholeProduct {
  readonly product: StoreProduct;
  /** Whether `product` contains all of its variants. */
  readonly hasAll: boolean;
  /** Null if they did not arrive. The product is then cached in this isolate only, and fresh for a second (StorefrontCache.share). */
  readonly collections: readonly StoreCollection[] | null;
}

/** Maximum age of a response that counts as current, in milliseconds, so that visitors who select at the same moment share one request. */
const CURRENT_MS = 1_000;

/** Fetches a product: its first part, and a promise of the whole product. Returns null for an unknown product. */
async function fetchProduct(
  deps: StoreQueryDeps,
  store: StoreAccess,
  name: DocumentName,
  variables: Variables,
): Promise<(Omit<WholeProduct, "collections"> & { wholeProduct: Promise<WholeProduct> }) | null> {
  const { readDescription } = await description();
  const call = beginStoreCall(deps, store, "product");
  const reportFailure = (error: unknown) => {
    const failure = toStoreFailure(error);
    if (failure) call.fail(failure);
    throw error;
  };
  const startStream = async () => {
    const options = { variables, retries: RETRIES, ...call.options };
    const parts = getStoreClient(deps, store).requestStream(DOCUMENTS[name], options);
    const iterator = parts[Symbol.asyncIterator]();
    const firstPart = await iterator.next();
    if (firstPart.done) throw new StoreFailure("bad_answer", UNREADABLE_MESSAGE);
    return {
      iterator,
      firstPart,
      response: parseResponse(RESPONSES.product, firstPart.value.data).product,
    };
  };
  const { iterator, firstPart, response } = await startStream().catch(reportFailure);
  // The first part proves that the store works, so the call counts as successful before the other parts arrive.
  call.succeed();
  if (!response) {
    await iterator.return?.();
    return null;
  }
  const product = deps.convert.productOf(response, readDescription);
  const hasAll = response.variants?.pageInfo.hasNextPage === false;
  const readRest = async (): Promise<WholeProduct> => {
    let lastPart = firstPart.value;
    while (lastPart.hasNext) {
      const next = await iterator.next();
      if (next.done) break;
      lastPart = next.value;
    }
    const { collections } = parseResponse(RESPONSES.related, lastPart.data).product;
    return { product, hasAll, collections: collections.nodes.map(deps.convert.collectionOf) };
  };
  return { product, hasAll, wholeProduct: readRest().catch(reportFailure) };
}

type LoadedProduct = Omit<ProductResponse, "choice"> & Pick<WholeProduct, "hasAll">;
const toLoadedProduct = ({ collections, ...product }: WholeProduct): LoadedProduct => ({
  ...product,
  collections: Promise.resolve(collections),
});

/**
 * Loads a product and caches it. Of several concurrent callers, one calls the store and continues with the first part; the others wait for the whole
 * product.
 */
function fetchOnce(
  deps: StoreQueryDeps,
  store: StoreAccess,
  name: "product" | "productWhole",
  variables: Variables,
  once: (work: () => Promise<WholeProduct | null>) => Promise<WholeProduct | null>,
): Promise<LoadedProduct | null> {
  const key = createResponseKey(store, name, variables);
  const cacheWhole = async (pendingProduct: Promise<WholeProduct>) => {
    const wholeProduct = await pendingProduct;
    deps.cache.put(key, wholeProduct, deps.defer);
    return wholeProduct;
  };
  return new Promise((resolve, reject) => {
    const load = async (): Promise<WholeProduct | null> => {
      const fetched = await fetchProduct(deps, store, name, variables);
      if (!fetched) return null;
      const { wholeProduct: pendingProduct, ...firstPart } = fetched;
      // The product is usable without its collections.
      const collections = pendingProduct.then(
        (product) => product.collections,
        () => null,
      );
      resolve({ ...firstPart, collections });
      try {
        return await cacheWhole(pendingProduct);
      } catch (error) {
        if (!toStoreFailure(error)) throw error;
        // Waiting callers get the part that has arrived.
        const partialProduct: WholeProduct = {
          product: fetched.product,
          hasAll: fetched.hasAll,
          collections: null,
        };
        deps.cache.share(key, partialProduct);
        return partialProduct;
      }
    };
    deps.defer(once(load).then((product) => resolve(product && toLoadedProduct(product)), reject));
  });
}

/** Returns a product from the cache or from the store: see Storefront.product. */
async function readProduct(
  deps: StoreQueryDeps,
  store: StoreAccess,
  name: "product" | "productWhole",
  variables: Variables,
  freshness: Freshness,
): Promise<LoadedProduct | null> {
  const key = createResponseKey(store, name, variables);
  const cachedProduct = await deps.cache.peek<WholeProduct>(key);
  if (freshness === "cached") {
    // A product without its collections is used only while it is fresh (StorefrontCache.share).
    const isUsable = cachedProduct && (cachedProduct.isFresh || cachedProduct.value.collections !== null);
    if (!isUsable) return fetchOnce(deps, store, name, variables, (load) => deps.cache.once(key, load));
    const renew = async () => {
      const fetched = await fetchProduct(deps, store, name, variables);
      if (fetched) deps.cache.put(key, await fetched.wholeProduct, deps.defer);
    };
    if (!cachedProduct.isFresh) deps.cache.renewOnce(key, renew, deps.defer);
    return toLoadedProduct(cachedProduct.value);
  }
  const currentSince = deps.cache.now() - CURRENT_MS;
  if (cachedProduct && cachedProduct.at >= currentSince) return toLoadedProduct(cachedProduct.value);
  const fetched = fetchOnce(deps, store, name, variables, (load) =>
    deps.cache.onceSince(key, currentSince, load),
  );
  if (freshness === "renewed" || !cachedProduct) return fetched;
  return resolveWithin(fetched, freshness.renewWithinMs, () => toLoadedProduct(cachedProduct.value));
}

/**
 * Loads a product with the selection in a URL. One response has up to 250 variants, which contain every selection of most products. For a product
 * with more variants, a selection that is not among them is queried by its option names. Names that the URL marks as exact are queried at once.
 */
export async function loadProduct(
  deps: StoreQueryDeps,
  store: StoreAccess,
  id: StoreId,
  choice: ProductChoice,
  locale: StoreLocale,
  freshness: Freshness,
): Promise<ProductResponse | null> {
  const readWithOptions = (selectedOptions: Selection) =>
    readProduct(deps, store, "product", { id, selectedOptions, ...localeVariables(locale) }, freshness);
  const { names, isExact, variant, positions } = choice;
  if (isExact && names.length > 0 && variant === null && positions === null) {
    const product = await readWithOptions(names);
    return product && { ...product, choice: resolveChoice(product.product, choice) };
  }
  const wholeProduct = await readProduct(
    deps,
    store,
    "productWhole",
    { id, ...localeVariables(locale) },
    freshness,
  );
  if (!wholeProduct) return null;
  const resolved = resolveChoice(wholeProduct.product, choice);
  // A selection by positions redirects to a URL with option names, by which the store is queried.
  if (wholeProduct.hasAll || positions !== null) return { ...wholeProduct, choice: resolved };
  const variantId = variant !== null && resolved.wrong.length > 0 ? chosenVariantId(variant) : null;
  const variantOptions = variantId ? await optionsOfVariant(deps, store, id, variantId, locale) : null;
  const finalChoice = variantOptions ? { selection: variantOptions, wrong: [] } : resolved;
  const hasSelection = wholeProduct.product.variants.some(({ selectedOptions }) =>
    isSameSelection(selectedOptions, finalChoice.selection),
  );
  const product =
    finalChoice.selection.length === 0 || hasSelection
      ? wholeProduct
      : await readWithOptions(finalChoice.selection);
  return product && { ...product, choice: finalChoice };
}

/** The options of a variant of a product; null when the product has no such variant. */
async function optionsOfVariant(
  deps: StoreQueryDeps,
  store: StoreAccess,
  productId: StoreId,
  variantId: StoreId,
  locale: StoreLocale,
): Promise<Selection | null> {
  const variables = { id: variantId, ...localeVariables(locale) };
  return queryCached(deps, store, "variant", RESPONSES.variant, variables, ({ node }) =>
    node && node.product.id === productId ? node.selectedOptions : null,
  );
}
