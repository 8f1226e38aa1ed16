/** Gives the store services of tests a demo store in this process: a fake Shopify store on the real Storefront API schema. Every other
 * host is unreachable. */
import { SingleFlight } from "#functions/cache/single-flight";
import type { StoreStatusRepository } from "#functions/services/store/shop-ports";
import { CircuitBreaker } from "#functions/storefront/circuit-breaker";
import { createStoreClient, StoreClients } from "#functions/storefront/client";
import { isStoreUrl, storeImagePath } from "#functions/storefront/store-images";
import { StoreReports } from "#functions/storefront/store-reports";
import { createStorefront } from "#functions/storefront/storefront";
import {
  type ResponseStore,
  STORE_QUERY_WAIT_MS,
  StorefrontCache,
} from "#functions/storefront/storefront-cache";
import { readChoice } from "~/domain/store/product-choice";
import { StoreFailure } from "~/domain/store/store-failure";
import { storeTokens } from "~/domain/store/store-token";
import { readStoreUrl } from "~/domain/store/store-url";
import { DEMO_STORE_HOST } from "../../../seed/store/hosts-and-tokens";
import { DemoStore } from "../../../seed/store/store";

export {
  DEMO_STORE_PRIVATE_TOKEN,
  DEMO_STORE_TOKEN,
  MANY_STORE_HOST,
} from "../../../seed/store/hosts-and-tokens";
export { type Fault, faultHost } from "../../../seed/store/store";

/** The selected options of a product page whose URL names none. */
export const NO_CHOICE = readChoice(new URLSearchParams(), "ja");

/** URL of the demo store. */
export const STORE_ORIGIN = `https://${DEMO_STORE_HOST}`;

/** Sends outgoing requests to the store. A connection that is reset, or a host that does not exist, rejects. */
export const fetchFrom =
  (store: DemoStore) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    if (!DemoStore.isHost(new URL(url).host)) throw new TypeError("unreachable host");
    return store.handle(new Request(url, init));
  };

/** In-memory implementation of the edge's response cache, for one test. */
export function memoryResponseStore(): ResponseStore & { readonly size: number } {
  const stored = new Map<string, string>();
  return {
    get size() {
      return stored.size;
    },
    get: async (key) => stored.get(key) ?? null,
    put: async (key, text) => {
      stored.set(key, text);
    },
  };
}

/** Dependencies of the store services, with the test's clock. Retries do not wait. */
export function storeDeps(options: {
  readonly store: DemoStore;
  readonly now: () => number;
  readonly secret: string;
  readonly defer: (work: Promise<unknown>) => void;
  readonly waits?: number[];
  readonly logged?: unknown[];
  /** Timeout of an operation in milliseconds; the product's own by default. */
  readonly limitMs?: number;
  /** Repository of the latest responses; none by default. */
  readonly repository?: StoreStatusRepository;
}) {
  const { store, now, secret, defer, waits, logged } = options;
  // Waiting for another caller's request uses real time, because the test's clock may stand still.
  const flights = new SingleFlight({
    now: () => Date.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    waitMs: STORE_QUERY_WAIT_MS,
  });
  const isAllowedLocalHost = (host: string) => host === "localhost:9443";
  const clients = new StoreClients(({ origin, token }) =>
    createStoreClient({
      storeDomain: origin,
      ...storeTokens(token),
      fetch: fetchFrom(store),
      now,
      sleep: async (ms) => {
        waits?.push(ms);
      },
      log: (entry) => logged?.push(entry),
      ...(options.limitMs !== undefined && { limitMs: options.limitMs }),
    }),
  );
  const emptyRepository: StoreStatusRepository = {
    record: async () => {},
    read: async () => ({ response: null, failure: null }),
  };
  const reports = new StoreReports({
    repository: options.repository ?? emptyRepository,
    log: (message, fields) => logged?.push({ message, ...fields }),
  });
  return {
    isAllowedLocalHost,
    storeStatusOf: (eventId: string, origin: string) => reports.statusOf(eventId, origin),
    storefront: createStorefront({
      breaker: new CircuitBreaker({ now, random: () => 0 }),
      now,
      report: (report) => reports.record(report, defer),
      clients,
      cache: new StorefrontCache({
        store: memoryResponseStore(),
        now,
        once: (key, reportEvent, work) => flights.run(key, reportEvent, work),
      }),
      urls: {
        image: (url) => storeImagePath(secret, url, isAllowedLocalHost),
        checkout: (url) => (isStoreUrl(url, isAllowedLocalHost) ? url : null),
      },
      checkOrigin(origin) {
        if ("error" in readStoreUrl(origin, isAllowedLocalHost))
          throw new StoreFailure("network", "The store's address may not be called");
      },
      defer,
    }),
  };
}
