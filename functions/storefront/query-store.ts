import type * as z from "zod";
import type { StoreAccess } from "#functions/services/store/shop-ports";
import type { StoreOperation } from "~/domain/store/store";
import { StoreFailure } from "~/domain/store/store-failure";
import type { StoreLocale } from "~/domain/store/store-locale";
import type { StoreClient, StoreClients } from "./client";
import { DOCUMENTS, type DocumentName } from "./documents";
import { UNREADABLE_MESSAGE } from "./parser-errors";
import type { createResponseConverter, StoreUrls } from "./response-converter";
import { runStoreCall, type StoreCall, type StoreCallDeps } from "./store-calls";
import { responseKey, type StorefrontCache } from "./storefront-cache";

/** Dependencies of calls about the products and carts of stores. */
export interface StorefrontDeps extends StoreCallDeps {
  readonly clients: StoreClients;
  readonly cache: StorefrontCache;
  readonly urls: StoreUrls;
  /** Throws for a forbidden URL. A saved URL may be older than the rule that forbids it. */
  readonly checkOrigin: (origin: string) => void;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Dependencies with the converter of responses, which createStorefront adds. */
export interface StoreQueryDeps extends StorefrontDeps {
  readonly convert: ReturnType<typeof createResponseConverter>;
}

/** Variables of a query. */
export type Variables = Readonly<Record<string, unknown>>;

/** Validates a response. @throws StoreFailure bad_answer when it does not match the schema */
export function parseResponse<T extends z.ZodType>(schema: T, data: unknown): z.output<T> {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new StoreFailure("bad_answer", UNREADABLE_MESSAGE);
  return parsed.data;
}

/** Number of retries for a busy or unreachable store. A cart change is retried only after a response that permits it (specification §9). */
export const RETRIES = 2;

interface QueryOptions {
  readonly retries?: number;
  /** True for a mutation, which must not be sent again after a lost response. */
  readonly isMutation?: boolean;
  /** A shorter time limit than the client's, in milliseconds. */
  readonly limitMs?: number;
  /** The visitor's IP address, for calls about a cart. */
  readonly buyerIp?: string | null;
  /** Sends the call even if the circuit is open. */
  readonly ignoresCircuit?: boolean;
}

/**
 * Returns the purpose of a GraphQL document, for the log and the owner's panel. A document that is not listed counts as "attached": the products
 * that an event shows.
 */
export function getOperation(name: DocumentName, variables: Variables): StoreOperation {
  if (name.startsWith("products")) return variables.query ? "search" : "products";
  const operations: Partial<Record<DocumentName, StoreOperation>> = {
    shop: "shop",
    product: "product",
    productWhole: "product",
    collections: "collections",
    collection: "collection",
    collectionAfter: "collection",
    collectionBefore: "collection",
    cartCreate: "cartCreate",
    cart: "cart",
    cartLinesAdd: "cartAdd",
    cartLinesUpdate: "cartUpdate",
    cartLinesRemove: "cartRemove",
  };
  return operations[name] ?? "attached";
}

/** Returns the client of a store. @throws StoreFailure for a forbidden URL */
export function getStoreClient(deps: StorefrontDeps, store: StoreAccess): StoreClient {
  deps.checkOrigin(store.origin);
  return deps.clients.get(store);
}

/** Returns the variables with which a document selects the store's language and country. */
export const localeVariables = ({ language, country }: StoreLocale): Variables => ({ country, language });

/** Returns the cache key of a response. */
export const createResponseKey = (store: StoreAccess, name: DocumentName, variables: Variables) =>
  responseKey({ ...store, document: DOCUMENTS[name], variables });

/** Queries the store. @throws StoreFailure */
export function queryStore<T extends z.ZodType>(
  deps: StorefrontDeps,
  store: StoreAccess,
  name: DocumentName,
  schema: T,
  variables: Variables,
  { retries = RETRIES, isMutation = false, ignoresCircuit = false, ...rest }: QueryOptions = {},
): Promise<z.output<T>> {
  const send = async (options: StoreCall["options"]) => {
    const operation = { variables, retries, isMutation, ...rest, ...options };
    return parseResponse(schema, await getStoreClient(deps, store).request(DOCUMENTS[name], operation));
  };
  return runStoreCall(deps, store, getOperation(name, variables), send, { ignoresCircuit });
}

/** Returns the converted response from the cache, or queries the store. @throws StoreFailure */
export const queryCached = <T extends z.ZodType, R>(
  deps: StorefrontDeps,
  store: StoreAccess,
  name: DocumentName,
  schema: T,
  variables: Variables,
  convert: (response: z.output<T>) => R,
): Promise<R> =>
  deps.cache.get(
    createResponseKey(store, name, variables),
    async () => convert(await queryStore(deps, store, name, schema, variables)),
    deps.defer,
  );
