/**
 * The store's client of specification §5, §7 and §8, based on @shopify/storefront-api-client. The library's retries are off: those of
 * `sendToStore` wait as long as the store requests, never repeat an aborted call, and report when no retries are left.
 */
import { createStorefrontApiClient } from "@shopify/storefront-api-client";
import { LRUCache } from "lru-cache";
import { STOREFRONT_API_VERSION, STOREFRONT_RETRIES_MAX } from "~/domain/shared/limits";
import { StoreFailure } from "~/domain/store/store-failure";
import { readApiErrors } from "./api-errors";
import { replaceParserMessage } from "./parser-errors";
import {
  type CallState,
  type CallTrace,
  newTrace,
  OPERATION_TIMEOUT_MS,
  type SendDeps,
  sendToStore,
} from "./send-to-store";

/** A log line of the client. It contains no data of the request, because the request's headers contain the token. */
export interface ClientLog {
  readonly type: string;
  readonly host: string;
  readonly status?: number;
  readonly detail?: string;
}

/** Options of a client. Exactly one of the tokens is given. */
export interface ClientOptions extends SendDeps {
  /** A non-empty string; forced to https. */
  readonly storeDomain: string;
  /** Default: STOREFRONT_API_VERSION. Blank versions are rejected, unsupported ones are logged. */
  readonly apiVersion?: string;
  readonly publicAccessToken?: string;
  /** The private token. It is rejected in a browser. */
  readonly privateAccessToken?: string;
  /** A whole number from 0 to 3; default 0. */
  readonly retries?: number;
  readonly log?: (entry: ClientLog) => void;
  /** Time limit of an operation, in milliseconds; default OPERATION_TIMEOUT_MS. */
  readonly limitMs?: number;
}

/** Options of an operation. */
export interface OperationOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Aborts the operation. */
  readonly signal?: AbortSignal;
  /** Number of retries; default: the client's. */
  readonly retries?: number;
  /** True for a mutation: without a response it is unknown whether it was executed, so it is not sent again. */
  readonly isMutation?: boolean;
  /** A shorter time limit than the client's, in milliseconds. */
  readonly limitMs?: number;
  /** Filled while the call runs. */
  readonly trace?: CallTrace;
  /** Called before the first retry. False forbids retries; after true, `endRetry` is called once at the end. */
  readonly beginRetry?: () => boolean;
  readonly endRetry?: () => void;
  /** IP address of the visitor for whom the operation is sent. It is sent only with a private token. */
  readonly buyerIp?: string | null;
}

/** Data and failure of one response. A store may send both; at least one is not null. */
export interface PartialResponse<T> {
  readonly data: T | null;
  readonly failure: StoreFailure | null;
}

/** A part of a streamed response: all data so far, and whether more follows. */
export interface StreamPart<T> {
  readonly data: T;
  readonly hasNext: boolean;
}

/** A client of one store. `request` and `requestStream` reject with StoreFailure. */
export interface StoreClient {
  /** Sends an operation. @throws Error if the document contains @defer */
  request<T>(document: string, options?: OperationOptions): Promise<T>;
  /** Sends a mutation: data that arrived together with errors is returned with them. Never rejects with StoreFailure. */
  requestPartial<T>(document: string, options?: OperationOptions): Promise<PartialResponse<T>>;
  /** Sends an operation with @defer. Yields all data so far whenever a part arrives. @throws Error if the document does not contain @defer */
  requestStream<T>(document: string, options?: OperationOptions): AsyncIterable<StreamPart<T>>;
}

/** Header with the buyer's IP address (Shopify, "Making server-side requests"). */
const BUYER_IP_HEADER = "Shopify-Storefront-Buyer-IP";

const retriesMessage = (value: unknown) =>
  `GraphQL Client: The provided "retries" value (${String(value)}) is invalid - it cannot be less than 0 or greater than ${STOREFRONT_RETRIES_MAX}`;

function checkRetries(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > STOREFRONT_RETRIES_MAX)
    throw new Error(retriesMessage(value));
  return value;
}

/** Returns the store's domain in the form that the library expects, always with https. @throws Error with the library's message for an empty domain */
function domainOf(storeDomain: unknown): string {
  if (typeof storeDomain !== "string" || storeDomain.trim() === "")
    throw new Error(
      `Storefront API Client: a valid store domain ("${String(storeDomain)}") must be provided`,
    );
  return `https://${storeDomain.trim().replace(/^[a-z][a-z\d+.-]*:\/\//i, "")}`;
}

/** The parts of the library's errors that are used. */
interface LibraryErrors {
  readonly networkStatusCode?: number;
  readonly message?: string;
  readonly graphQLErrors?: unknown;
  readonly response?: Response;
}

/**
 * Creates the client of a store.
 * @throws Error with the messages of specification §5 and §8 for an invalid URL, version, token or number of retries
 */
export function createStoreClient(options: ClientOptions): StoreClient {
  const retries = checkRetries(options.retries === undefined ? 0 : options.retries);
  const { limitMs = OPERATION_TIMEOUT_MS } = options;
  const storeDomain = domainOf(options.storeDomain);
  const apiVersion = options.apiVersion ?? STOREFRONT_API_VERSION;
  const { publicAccessToken, privateAccessToken } = options;
  const token = publicAccessToken ?? privateAccessToken ?? "";
  const redact = (text: string) => (token === "" ? text : text.replaceAll(token, "…"));
  // The library passes the signal of an operation on to customFetchApi, but no other object of ours.
  const callsBySignal = new WeakMap<AbortSignal, CallState>();
  const host = URL.canParse(storeDomain) ? new URL(storeDomain).host : "";
  const client = createStorefrontApiClient({
    storeDomain,
    // Trimmed, so that the library rejects a blank version instead of building a URL with an empty path segment.
    apiVersion: typeof apiVersion === "string" ? apiVersion.trim() : apiVersion,
    ...({ publicAccessToken, privateAccessToken } as { publicAccessToken: string }),
    retries: 0,
    customFetchApi: (url, init = {}) => {
      const call = init.signal && callsBySignal.get(init.signal);
      return sendToStore(
        options,
        url as string,
        init as RequestInit,
        call ?? { retries, isMutation: false, limitMs, trace: newTrace(), failure: null },
      );
    },
    // The library logs whole requests, including the token.
    logger: ({ type, content }) => {
      const {
        apiVersion: version,
        deprecationNotice,
        response,
      } = content as {
        apiVersion?: string;
        deprecationNotice?: string;
        response?: Response;
      };
      const detail = version ?? deprecationNotice;
      // `beginStoreCall` (store-calls.ts) reports every call, with its operation and the id of the event to which the store belongs.
      if (type === "HTTP-Response") return;
      options.log?.({
        type,
        host,
        ...(response && { status: response.status }),
        ...(detail !== undefined && { detail: redact(detail) }),
      });
    },
  });

  function createFailure(errors: LibraryErrors, call: CallState): StoreFailure {
    const { code: apiCode, message: detail, scope } = readApiErrors(errors.graphQLErrors);
    const message = errors.message || "GraphQL Error";
    const hasGraphQlErrors = errors.graphQLErrors !== undefined;
    const type = errors.response?.headers.get("content-type") ?? "";
    const hasExpectedType = /^(application\/json|multipart\/mixed)\b/i.test(type);
    const code =
      call.failure ?? (hasGraphQlErrors ? apiCode : hasExpectedType ? "bad_answer" : "content_type");
    const text = redact(hasGraphQlErrors && detail ? `${message} ${String(detail)}` : message).slice(0, 500);
    const { retryAfterMs } = call.trace;
    return new StoreFailure(code, replaceParserMessage(text), errors.networkStatusCode ?? call.trace.status, {
      scope,
      retryAfterMs,
    });
  }

  /** Returns the state of a call and the library's options for it. The signal ends all attempts together at the time limit. */
  function beginOperation({
    signal,
    retries: operationRetries = retries,
    isMutation = false,
    variables = {},
    buyerIp,
    ...otherOptions
  }: OperationOptions) {
    const operationLimitMs = Math.min(limitMs, otherOptions.limitMs ?? limitMs);
    const { trace = newTrace(), beginRetry, endRetry } = otherOptions;
    const call: CallState = {
      retries: checkRetries(operationRetries),
      isMutation,
      limitMs: operationLimitMs,
      trace,
      failure: null,
      ...(beginRetry && { beginRetry }),
      ...(endRetry && { endRetry }),
    };
    const timeout = AbortSignal.timeout(operationLimitMs);
    const combinedSignal = signal ? AbortSignal.any([signal, timeout]) : timeout;
    callsBySignal.set(combinedSignal, call);
    const headers = buyerHeaders(privateAccessToken, buyerIp);
    return { call, options: { variables, signal: combinedSignal, ...(headers && { headers }) } };
  }

  return {
    async request<T>(document: string, operation: OperationOptions = {}) {
      const { call, options } = beginOperation(operation);
      const { data, errors } = await client.request(document, options as never);
      if (errors) throw createFailure(errors as LibraryErrors, call);
      return data as T;
    },
    async requestPartial<T>(document: string, operation: OperationOptions = {}) {
      const { call, options } = beginOperation(operation);
      const { data, errors } = await client.request(document, options as never);
      return {
        data: (data as T | undefined) ?? null,
        failure: errors ? createFailure(errors as LibraryErrors, call) : null,
      };
    },
    async *requestStream<T>(document: string, operation: OperationOptions = {}) {
      const { call, options } = beginOperation(operation);
      for await (const { data, errors, hasNext } of await client.requestStream(document, options as never)) {
        if (errors) throw createFailure(errors as LibraryErrors, call);
        yield { data: data as T, hasNext: hasNext === true };
      }
    },
  };
}

/** The header with the visitor's IP address, which calls with a private token need: otherwise the store's rate limit treats all visitors as one. */
function buyerHeaders(privateToken: string | undefined, buyerIp: string | null | undefined) {
  return privateToken && buyerIp ? { [BUYER_IP_HEADER]: buyerIp } : null;
}

/** Clients of stores. The least recently used ones are removed first. */
export class StoreClients {
  readonly #clients = new LRUCache<string, StoreClient>({ max: 50 });
  readonly #createClient: (store: { origin: string; token: string }) => StoreClient;

  constructor(createClient: (store: { origin: string; token: string }) => StoreClient) {
    this.#createClient = createClient;
  }

  /**
   * Returns the client of a store. It is created when both URL and token are present, and again when either changes (specification §4).
   * @throws Error 'client is not ready'
   */
  get(store: { readonly origin: string | null; readonly token: string | null }): StoreClient {
    const { origin, token } = store;
    if (!origin || !token) throw new Error("client is not ready");
    const key = `${origin} ${token}`;
    const client = this.#clients.get(key) ?? this.#createClient({ origin, token });
    this.#clients.set(key, client);
    return client;
  }
}
