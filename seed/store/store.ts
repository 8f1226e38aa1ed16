/**
 * A store that responds as Shopify does: the Storefront API 2025-01 on its real schema, files, and a checkout page. The demo uses
 * it, and so do the tests, which enable its faults one by one. It is not part of the deployed worker.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  buildClientSchema,
  type DocumentNode,
  execute,
  type GraphQLSchema,
  type IntrospectionQuery,
  parse,
  validate,
} from "graphql";
import { DemoCarts, type UserError } from "./carts";
import { type Catalog, createCatalog, type DemoProduct } from "./catalog";
import { checkoutPage } from "./checkout";
import { DEMO_STORE_HOST, DEMO_STORE_PRIVATE_TOKEN, DEMO_STORE_TOKEN } from "./hosts-and-tokens";
import { type Deferred, readInContext, takeDeferred } from "./operation-directives";
import { drawProductImage } from "./product-images";
import { createRootValue } from "./resolvers";

/** All faults, by the name that enables them. */
export const FAULTS = [
  ...["401", "402", "403", "404", "429", "430", "500", "503"],
  /** Bodies: an HTML page; an empty body; truncated JSON; a response without the requested field; a response without data. */
  ...["html", "empty", "broken", "missing", "no-data"],
  /** GraphQL errors; user errors and warnings of a cart; neither a cart nor an error; an expired cart; a variant that no longer exists. */
  ...["graphql", "user-errors", "warnings", "no-cart", "expired", "vanished"],
  /** Errors in a response with status 200, by their code. */
  ...["throttled", "access-denied", "internal", "too-costly", "inactive"],
  /** Another version of the API; 429 with Retry-After. */
  ...["version", "retry-after"],
  /**
   * Changes of a cart: only the first line is added; the change succeeds with an error beside it; it succeeds, but the connection
   * breaks; it succeeds, but no response arrives.
   */
  ...["partial", "errors-beside", "lost", "late"],
  /**
   * Connections: reset, no response, truncated, delayed by 3 s; delayed or broken before the deferred part; a response in
   * parts one byte at a time, or with the boundary inside a text; a redirect; a response that is too large.
   */
  ...["reset", "hang", "cut", "slow", "slow-part", "cut-part", "bytes", "boundary", "redirect", "huge"],
] as const;
export type Fault = (typeof FAULTS)[number];

/** Faults that affect only changes of a cart's lines. Other requests get a normal response. */
const CART_CHANGE_FAULTS: ReadonlySet<Fault> = new Set<Fault>(["partial", "errors-beside", "lost", "late"]);

/** Host of the demo store with a permanent fault. */
export const faultHost = (fault: Fault) => `fault-${fault}.${DEMO_STORE_HOST}`;

export interface StoreOptions {
  /** Origin at which browsers reach this store's checkout, without a trailing slash. */
  readonly checkout?: string;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** An API request that the store received. */
export interface ReceivedRequest {
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

interface Payload {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const require = createRequire(import.meta.url);
let schema: GraphQLSchema | undefined;

/** The Storefront API's own schema, 2025-01. */
export function storefrontSchema(): GraphQLSchema {
  schema ??= buildClientSchema(
    JSON.parse(
      readFileSync(require.resolve("@shopify/hydrogen-react/storefront.schema.json"), "utf8"),
    ) as IntrospectionQuery,
  );
  return schema;
}

const jsonResponse = (value: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(value), {
    ...init,
    headers: { "content-type": "application/json; charset=utf-8", ...init.headers },
  });
const statusResponse = (code: number, statusText: string, body: unknown = { errors: statusText }) =>
  jsonResponse(body, { status: code, statusText });

/** An API error in a response with status 200. */
const apiError = (message: string, code: string, extensions: object = {}) =>
  jsonResponse({ errors: [{ message, extensions: { code, ...extensions } }] });

/** Gives the bytes that were sent time to arrive before the connection breaks. */
const waitForDelivery = () => new Promise<void>((resolve) => setTimeout(resolve, 50));

/** A body that breaks off after some bytes. */
const breakingStream = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  let isSent = false;
  return new ReadableStream({
    async pull(controller) {
      if (isSent) {
        await waitForDelivery();
        controller.error(new Error("Connection reset"));
      } else controller.enqueue(bytes);
      isSent = true;
    },
  });
};

/** The catalogue and the carts of one host, so that a fault that changes them affects no other host. */
interface Shop {
  readonly catalog: Catalog;
  readonly carts: DemoCarts;
  /** Variants that carts cannot contain any more. The catalogue still has them. */
  readonly removedVariants: Set<string>;
}

function createShop(catalog: Catalog): Shop {
  const removedVariants = new Set<string>();
  const findVariant = (id: string) => {
    if (removedVariants.has(id)) return null;
    for (const product of catalog.products) {
      const variant = product.variants.find((candidate) => candidate.id === id);
      if (variant) return { product, variant };
    }
    return null;
  };
  return { catalog, carts: new DemoCarts(findVariant), removedVariants };
}

/** True when a request carries either the public token or the private one, each in its own header, but not both. */
function hasToken(headers: Headers): boolean {
  const [publicToken, privateToken] = [
    "x-shopify-storefront-access-token",
    "shopify-storefront-private-token",
  ].map((name) => headers.get(name));
  if (publicToken !== null && privateToken !== null) return false;
  return publicToken === DEMO_STORE_TOKEN || privateToken === DEMO_STORE_PRIVATE_TOKEN;
}

export class DemoStore {
  /** API requests that the store received, in order. Tests empty it. */
  readonly requests: ReceivedRequest[] = [];
  readonly catalog: Catalog = createCatalog();
  readonly #shops = new Map<string, Shop>();
  readonly #options: StoreOptions;
  #faults: { fault: Fault; times: number }[] = [];

  constructor(options: StoreOptions = {}) {
    this.#options = options;
  }

  /** Finds a product by its handle. @throws when there is none */
  product(handle: string): DemoProduct {
    const product = this.catalog.products.find((candidate) => candidate.handle === handle);
    if (!product) throw new Error(`The demo store has no ${handle}`);
    return product;
  }

  /**
   * Applies a fault to the next `times` API requests, by default to all. A fault of CART_CHANGE_FAULTS waits for changes of a cart's
   * lines. Several faults apply one after the other.
   */
  fail(fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.#faults.push({ fault, times });
  }

  /** Removes all faults, restores all variants and clears the list of requests. */
  reset(): void {
    this.#faults = [];
    for (const { removedVariants } of this.#shops.values()) removedVariants.clear();
    this.requests.length = 0;
  }

  /** Removes a variant from the carts of DEMO_STORE_HOST, which reject it from now on. The catalogue keeps it. */
  removeVariant(variantId: string): void {
    this.#shop(DEMO_STORE_HOST).removedVariants.add(variantId);
  }

  /** Deletes all carts. */
  expireCarts(): void {
    for (const { carts } of this.#shops.values()) carts.expire();
  }

  /** True for a host of this store. */
  static isHost(host: string): boolean {
    return host === DEMO_STORE_HOST || host.endsWith(`.${DEMO_STORE_HOST}`);
  }

  #takeFault(host: string, isChange: boolean): Fault | null {
    const hostFault = /^fault-([a-z\d-]+)\./.exec(host)?.[1];
    const isUnaffected = (fault: Fault) => !isChange && CART_CHANGE_FAULTS.has(fault);
    if (hostFault) return FAULTS.find((fault) => fault === hostFault && !isUnaffected(fault)) ?? null;
    const [next] = this.#faults;
    if (!next || isUnaffected(next.fault)) return null;
    next.times--;
    if (next.times <= 0) this.#faults.shift();
    return next.fault;
  }

  #shop(host: string): Shop {
    const existingShop = this.#shops.get(host);
    if (existingShop) return existingShop;
    const shop = createShop(host.startsWith("many.") ? createCatalog({ isLarge: true }) : this.catalog);
    this.#shops.set(host, shop);
    return shop;
  }

  /** Handles a request. A rejection stands for a connection that is reset. */
  async handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname.startsWith("/cdn/files/")) return this.#productImage(url);
    if (url.pathname.startsWith("/cart/c/")) return this.#checkoutPage(url);
    if (url.pathname !== "/api/2025-01/graphql.json") return new Response("Not Found", { status: 404 });
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const payload = (await request.json()) as Payload;
    this.requests.push({
      operation: /\b(?:query|mutation)\s+(\w+)/.exec(payload.query)?.[1] ?? "",
      variables: payload.variables ?? {},
      headers: Object.fromEntries(request.headers),
    });
    const isChange = /\bmutation CartLines/.test(payload.query);
    const fault = this.#takeFault(url.host, isChange);
    if (fault === "slow") await this.#sleep(3000);
    if (!hasToken(request.headers))
      return statusResponse(401, "Unauthorized", {
        errors: [{ message: "", extensions: { code: "UNAUTHORIZED" } }],
      });
    return (await this.#faultResponse(fault)) ?? this.#respond(url, payload, fault);
  }

  #sleep(ms: number): Promise<void> {
    return (this.#options.sleep ?? ((time) => new Promise((resolve) => setTimeout(resolve, time))))(ms);
  }

  /** Response of faults that do not depend on the query; null for other faults. */
  async #faultResponse(fault: Fault | null): Promise<Response | null> {
    switch (fault) {
      case "401":
        return statusResponse(401, "Unauthorized", {
          errors: [{ message: "", extensions: { code: "UNAUTHORIZED" } }],
        });
      case "402":
        return statusResponse(402, "Payment Required");
      case "403":
        return statusResponse(403, "Forbidden");
      case "404":
        return statusResponse(404, "Not Found");
      case "429":
        return statusResponse(429, "Too Many Requests");
      case "430":
        return statusResponse(430, "Shopify Security Rejection");
      case "retry-after":
        return jsonResponse(
          { errors: "Too Many Requests" },
          { status: 429, statusText: "Too Many Requests", headers: { "retry-after": "30" } },
        );
      case "throttled":
        return apiError("Throttled", "THROTTLED");
      case "internal":
        return apiError(
          "Internal error. Looks like something went wrong on our end.",
          "INTERNAL_SERVER_ERROR",
        );
      case "too-costly":
        return apiError(
          "Query cost is 20001, which exceeds the single query max cost limit (1000).",
          "MAX_COST_EXCEEDED",
        );
      case "inactive":
        return apiError("The shop is inactive.", "SHOP_INACTIVE");
      case "500":
        return statusResponse(500, "Internal Server Error");
      case "503":
        return statusResponse(503, "Service Unavailable");
      case "html":
        return new Response("<!doctype html><title>Opening soon</title><h1>Opening soon</h1>", {
          headers: { "content-type": "text/html; charset=utf-8" },
        });
      case "empty":
        return new Response("", { headers: { "content-type": "application/json" } });
      case "broken":
        return new Response('{"data":{"shop":{"name":"藍', {
          headers: { "content-type": "application/json" },
        });
      case "missing":
        return jsonResponse({ data: { unrelated: true } });
      case "no-data":
        return jsonResponse({ extensions: {} });
      case "graphql":
        return jsonResponse({
          errors: [
            {
              message: "Field 'nowhere' doesn't exist on type 'QueryRoot'",
              locations: [{ line: 1, column: 1 }],
              extensions: { code: "undefinedField" },
            },
          ],
        });
      case "redirect":
        return new Response(null, { status: 302, headers: { location: "https://evil.example/api" } });
      case "reset":
        throw new TypeError("Network connection lost.");
      case "hang":
        return new Promise<never>(() => {});
      case "cut":
        return new Response(breakingStream(new TextEncoder().encode('{"data":{"products":{"nodes":[')), {
          headers: { "content-type": "application/json" },
        });
      case "huge":
        return jsonResponse({ data: { shop: { name: "x".repeat(9 * 1024 * 1024) } } });
      default:
        return null;
    }
  }

  async #respond(url: URL, { query, variables }: Payload, fault: Fault | null): Promise<Response> {
    const { catalog, carts, removedVariants } = this.#shop(url.host);
    carts.rejection = fault === "user-errors" ? LIMIT_OF_TWO : null;
    // Simulates a token that may only read the shop's name.
    if (fault === "access-denied" && !/\bquery Shop\b/.test(query))
      return apiError(
        "Access denied for products field. Required access: `unauthenticated_read_product_listings` access scope.",
        "ACCESS_DENIED",
        { requiredAccess: "`unauthenticated_read_product_listings` access scope." },
      );
    const lines = variables?.lines;
    const isPartial = fault === "partial" && Array.isArray(lines) && lines.length > 1;
    const effectiveVariables = isPartial ? { ...variables, lines: lines.slice(0, 1) } : variables;
    if (fault === "expired") carts.expire();
    if (fault === "vanished")
      for (const line of (variables?.lines ?? []) as { merchandiseId?: string }[])
        if (line.merchandiseId) removedVariants.add(line.merchandiseId);
    let document: DocumentNode;
    try {
      document = parse(query);
    } catch (error) {
      return jsonResponse({ errors: [{ message: (error as Error).message }] });
    }
    const errors = validate(storefrontSchema(), document);
    if (errors.length > 0) return jsonResponse({ errors });
    const { language, country } = readInContext(document, variables ?? {});
    const result = await execute({
      schema: storefrontSchema(),
      document,
      variableValues: effectiveVariables ?? {},
      rootValue: createRootValue({
        lang: language === "EN" ? "en" : "ja",
        currency: country === "US" ? "USD" : "JPY",
        catalog,
        carts,
        files: url.origin,
        checkout: this.#options.checkout ?? url.origin,
      }),
    });
    const data = result.data as Record<string, unknown> | null | undefined;
    if (data && (fault === "warnings" || fault === "no-cart")) applyCartFault(data, fault);
    if (fault === "lost") throw new TypeError("Network connection lost.");
    if (fault === "late") return new Promise<never>(() => {});
    if (fault === "partial" || fault === "errors-beside") {
      const extensions = { code: "INTERNAL_SERVER_ERROR" };
      return jsonResponse({ ...result, errors: [{ message: "Internal error.", extensions }] });
    }
    if (fault === "version") return jsonResponse(result, { headers: { "x-shopify-api-version": "2026-01" } });
    const deferred = data ? takeDeferred(document, data) : [];
    if (deferred.length === 0) return jsonResponse(result);
    return this.#multipart(result, deferred, fault);
  }

  /** Incremental delivery, in the version of the draft that Shopify implements. */
  #multipart(result: unknown, deferred: readonly Deferred[], fault: Fault | null): Response {
    const formatPart = (value: unknown) => {
      const text = JSON.stringify(value);
      return `\r\n--graphql\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    };
    const encode = (value: string) => new TextEncoder().encode(value);
    const initialPayload = { ...(result as object), hasNext: true };
    const deferredPayload = { incremental: deferred, hasNext: false };
    const sentInitialPayload =
      fault === "boundary"
        ? (JSON.parse(
            JSON.stringify(initialPayload).replaceAll('"descriptionHtml":"', '"descriptionHtml":"--graphql '),
          ) as object)
        : initialPayload;
    const parts = [
      encode(formatPart(sentInitialPayload)),
      encode(`${formatPart(deferredPayload)}\r\n--graphql--\r\n`),
    ];
    const chunks =
      fault === "bytes"
        ? parts.flatMap((chunk) => Array.from(chunk, (byte) => new Uint8Array([byte])))
        : parts;
    const wait = async (index: number) => {
      if (index > 0 && fault === "slow-part") await this.#sleep(3000);
      if (index > 0 && fault === "cut-part") {
        await waitForDelivery();
        throw new Error("Connection reset");
      }
    };
    let index = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          await wait(index);
          const chunk = chunks[index++];
          if (chunk) controller.enqueue(chunk);
          else controller.close();
        } catch (error) {
          controller.error(error);
        }
      },
    });
    return new Response(body, { headers: { "content-type": "multipart/mixed; boundary=graphql" } });
  }

  async #productImage(url: URL): Promise<Response> {
    const match = /^\/cdn\/files\/([a-z]+)-([a-z]+)-(\d)\.webp$/.exec(url.pathname);
    const product = this.catalog.products.find(
      ({ kind, motif }) => kind === match?.[1] && motif === match?.[2],
    );
    if (!match || !product) return new Response("Not Found", { status: 404 });
    const bytes = await drawProductImage(
      product.kind,
      product.motif,
      Number(match[3]),
      Number(url.searchParams.get("width") ?? 1600),
    );
    return new Response(new Uint8Array(bytes), { headers: { "content-type": "image/webp" } });
  }

  #checkoutPage(url: URL): Response {
    const token = url.pathname.split("/").at(-1) ?? "";
    const key = url.searchParams.get("key") ?? "";
    const shop = [...this.#shops.values()].find(
      ({ carts }) => carts.read(`gid://shopify/Cart/${token}`)?.key === key,
    );
    return checkoutPage(
      shop && { catalog: shop.catalog, cart: shop.carts.read(`gid://shopify/Cart/${token}`) },
    );
  }
}

/** The error of a store that sells at most two items to a visitor. */
const LIMIT_OF_TWO: UserError = {
  code: "VALIDATION_CUSTOM",
  field: ["lines", "0"],
  message: "お一人さま二点までです。",
};

/** Replaces the warnings in the result of a cart change by one with an unknown code, or removes the cart from the result. */
function applyCartFault(data: Record<string, unknown>, fault: "warnings" | "no-cart"): void {
  for (const value of Object.values(data)) {
    const result = value as {
      cart?: { id?: string } | null;
      userErrors?: unknown[];
      warnings?: unknown[];
    } | null;
    if (!result?.userErrors) continue;
    if (fault === "no-cart") result.cart = null;
    else {
      result.warnings = [
        {
          code: "A_CODE_OF_LATER_VERSIONS",
          message: "配送に三日ほどかかります。",
          target: result.cart?.id ?? "",
        },
      ];
    }
  }
}
