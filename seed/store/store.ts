/**
 * A store that answers as Shopify does: the Storefront API 2025-01 on its real schema, files, and a checkout page of its own. For the demo and the
 * tests, which switch its faults on one by one; no part of the deployed worker.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  buildClientSchema,
  type DocumentNode,
  execute,
  type GraphQLSchema,
  getOperationAST,
  type IntrospectionQuery,
  parse,
  type SelectionSetNode,
  validate,
} from "graphql";
import { DemoCarts, type UserError } from "./carts";
import { type Catalog, type DemoProduct, makeCatalog } from "./catalog";
import { checkoutPage } from "./checkout";
import { DEMO_STORE_HOST, DEMO_STORE_PRIVATE_TOKEN, DEMO_STORE_TOKEN } from "./names";
import { drawPicture } from "./pictures";
import { rootOf } from "./resolvers";

/** Everything that may go wrong, by the name with which it is switched on. */
export const FAULTS = [
  ...["401", "402", "403", "404", "429", "430", "500", "503"],
  /** A page instead of an answer; nothing; half an answer; an answer without what was asked; an answer that is none. */
  ...["html", "empty", "broken", "missing", "no-data"],
  /** GraphQL errors; user errors and warnings of a cart; no cart and no reason; a cart that has expired; a variant that has vanished. */
  ...["graphql", "user-errors", "warnings", "no-cart", "expired", "vanished"],
  /** Errors in a 200, by their code. */
  ...["throttled", "access-denied", "internal", "too-costly", "inactive"],
  /** Another version of the API; 429 with Retry-After. */
  ...["version", "retry-after"],
  /** Changes of a cart: the first line is added and the others fail; the change is made beside an error; it is made, and the connection breaks, or there is no answer. */
  ...["partial", "errors-beside", "lost", "late"],
  /** The connection: reset, silent, cut in the middle, slow by 3 s; the deferred part slow, cut, one byte at a time, or with the boundary in a text; redirects; far too much. */
  ...["reset", "hang", "cut", "slow", "slow-part", "cut-part", "bytes", "boundary", "redirect", "huge"],
] as const;
export type Fault = (typeof FAULTS)[number];

/** Faults of changes of a cart's lines alone: everything else is answered as always. */
const OF_CHANGES: ReadonlySet<Fault> = new Set<Fault>(["partial", "errors-beside", "lost", "late"]);

/** The address of the demo store with a fault that is always on: for looking at it. */
export const faultHost = (fault: Fault) => `fault-${fault}.${DEMO_STORE_HOST}`;

export interface StoreOptions {
  /** Where browsers reach this store's checkout, without a slash at the end. */
  readonly checkout?: string;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** A request as the store was asked. */
export interface AskedFor {
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

const json = (value: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(value), {
    ...init,
    headers: { "content-type": "application/json; charset=utf-8", ...init.headers },
  });
const status = (code: number, statusText: string, body: unknown = { errors: statusText }) =>
  json(body, { status: code, statusText });

/** An error of the API in a 200. */
const apiError = (message: string, code: string, more: object = {}) =>
  json({ errors: [{ message, extensions: { code, ...more } }] });

/** What was sent has reached the other end before the connection breaks. */
const arrived = () => new Promise<void>((resolve) => setTimeout(resolve, 50));

/** A body that breaks off after some bytes. */
const broken = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  let isSent = false;
  return new ReadableStream({
    async pull(controller) {
      if (isSent) {
        await arrived();
        controller.error(new Error("Connection reset"));
      } else controller.enqueue(bytes);
      isSent = true;
    },
  });
};

/** What is sold under a name, with the carts of those who buy there: what goes wrong under one leaves the others alone. */
interface Shop {
  readonly catalog: Catalog;
  readonly carts: DemoCarts;
  /** Variants that the shop no longer has. */
  readonly vanished: Set<string>;
}

function shopOf(catalog: Catalog): Shop {
  const vanished = new Set<string>();
  const find = (id: string) => {
    if (vanished.has(id)) return null;
    for (const product of catalog.products) {
      const variant = product.variants.find((one) => one.id === id);
      if (variant) return { product, variant };
    }
    return null;
  };
  return { catalog, carts: new DemoCarts(find), vanished };
}

/** Whether a request carries the public token or the private one, each in its own header, and not both. */
function hasToken(headers: Headers): boolean {
  const [open, secret] = ["x-shopify-storefront-access-token", "shopify-storefront-private-token"].map(
    (name) => headers.get(name),
  );
  if (open !== null && secret !== null) return false;
  return open === DEMO_STORE_TOKEN || secret === DEMO_STORE_PRIVATE_TOKEN;
}

export class DemoStore {
  /** What is asked of the store, in order; empty it between tests. */
  readonly asked: AskedFor[] = [];
  readonly catalog: Catalog = makeCatalog();
  readonly #shops = new Map<string, Shop>();
  readonly #options: StoreOptions;
  #faults: { fault: Fault; times: number }[] = [];

  constructor(options: StoreOptions = {}) {
    this.#options = options;
  }

  /** A product by its handle. */
  product(handle: string): DemoProduct {
    const found = this.catalog.products.find((one) => one.handle === handle);
    if (!found) throw new Error(`The demo store has no ${handle}`);
    return found;
  }

  /** The next requests fail so; all that follow when no number is given. Faults wait for each other. */
  fail(fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.#faults.push({ fault, times });
  }

  /** Nothing fails any more, everything is back, and nothing was asked. */
  heal(): void {
    this.#faults = [];
    for (const { vanished } of this.#shops.values()) vanished.clear();
    this.asked.length = 0;
  }

  /** A variant is no longer in the store. */
  vanish(variantId: string): void {
    this.#shop(DEMO_STORE_HOST).vanished.add(variantId);
  }

  /** All carts are gone. */
  expireCarts(): void {
    for (const { carts } of this.#shops.values()) carts.expire();
  }

  /** Whether a host is one of this store's. */
  static isHost(host: string): boolean {
    return host === DEMO_STORE_HOST || host.endsWith(`.${DEMO_STORE_HOST}`);
  }

  #takeFault(host: string, isChange: boolean): Fault | null {
    const named = /^fault-([a-z\d-]+)\./.exec(host)?.[1];
    const isOther = (fault: Fault) => !isChange && OF_CHANGES.has(fault);
    if (named) return FAULTS.find((fault) => fault === named && !isOther(fault)) ?? null;
    const [next] = this.#faults;
    if (!next || isOther(next.fault)) return null;
    next.times--;
    if (next.times <= 0) this.#faults.shift();
    return next.fault;
  }

  #shop(host: string): Shop {
    const known = this.#shops.get(host);
    if (known) return known;
    const made = shopOf(host.startsWith("many.") ? makeCatalog(true) : this.catalog);
    this.#shops.set(host, made);
    return made;
  }

  /** Answers a request. Rejects where a connection would be reset. */
  async handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname.startsWith("/cdn/files/")) return this.#file(url);
    if (url.pathname.startsWith("/cart/c/")) return this.#checkoutPage(url);
    if (url.pathname !== "/api/2025-01/graphql.json") return new Response("Not Found", { status: 404 });
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const payload = (await request.json()) as Payload;
    this.asked.push({
      operation: /\b(?:query|mutation)\s+(\w+)/.exec(payload.query)?.[1] ?? "",
      variables: payload.variables ?? {},
      headers: Object.fromEntries(request.headers),
    });
    // Faults of a cart's changes wait for one.
    const isChange = /\bmutation CartLines/.test(payload.query);
    const fault = this.#takeFault(url.host, isChange);
    if (fault === "slow") await this.#sleep(3000);
    if (!hasToken(request.headers))
      return status(401, "Unauthorized", { errors: [{ message: "", extensions: { code: "UNAUTHORIZED" } }] });
    return (await this.#refused(fault)) ?? this.#answer(url, payload, fault);
  }

  #sleep(ms: number): Promise<void> {
    return (this.#options.sleep ?? ((time) => new Promise((resolve) => setTimeout(resolve, time))))(ms);
  }

  /** What goes wrong before the question is looked at. */
  async #refused(fault: Fault | null): Promise<Response | null> {
    switch (fault) {
      case "401":
        return status(401, "Unauthorized", {
          errors: [{ message: "", extensions: { code: "UNAUTHORIZED" } }],
        });
      case "402":
        return status(402, "Payment Required");
      case "403":
        return status(403, "Forbidden");
      case "404":
        return status(404, "Not Found");
      case "429":
        return status(429, "Too Many Requests");
      case "430":
        return status(430, "Shopify Security Rejection");
      case "retry-after":
        return json(
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
        return status(500, "Internal Server Error");
      case "503":
        return status(503, "Service Unavailable");
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
        return json({ data: { unrelated: true } });
      case "no-data":
        return json({ extensions: {} });
      case "graphql":
        return json({
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
        return new Response(broken(new TextEncoder().encode('{"data":{"products":{"nodes":[')), {
          headers: { "content-type": "application/json" },
        });
      case "huge":
        return json({ data: { shop: { name: "x".repeat(9 * 1024 * 1024) } } });
      default:
        return null;
    }
  }

  async #answer(url: URL, { query, variables }: Payload, fault: Fault | null): Promise<Response> {
    const { catalog, carts, vanished } = this.#shop(url.host);
    carts.refusal = fault === "user-errors" ? LIMIT_OF_TWO : null;
    // A shop whose token may only read the shop's name.
    if (fault === "access-denied" && !/\bquery Shop\b/.test(query))
      return apiError(
        "Access denied for products field. Required access: `unauthenticated_read_product_listings` access scope.",
        "ACCESS_DENIED",
        { requiredAccess: "`unauthenticated_read_product_listings` access scope." },
      );
    const lines = variables?.lines;
    const isPartial = fault === "partial" && Array.isArray(lines) && lines.length > 1;
    const given = isPartial ? { ...variables, lines: lines.slice(0, 1) } : variables;
    if (fault === "expired") carts.expire();
    if (fault === "vanished")
      for (const line of (variables?.lines ?? []) as { merchandiseId?: string }[])
        if (line.merchandiseId) vanished.add(line.merchandiseId);
    let document: DocumentNode;
    try {
      document = parse(query);
    } catch (error) {
      return json({ errors: [{ message: (error as Error).message }] });
    }
    const errors = validate(storefrontSchema(), document);
    if (errors.length > 0) return json({ errors });
    const { language, country } = contextOf(document, variables ?? {});
    const result = await execute({
      schema: storefrontSchema(),
      document,
      variableValues: given ?? {},
      rootValue: rootOf({
        lang: language === "EN" ? "en" : "ja",
        currency: country === "US" ? "USD" : "JPY",
        catalog,
        carts,
        files: url.origin,
        checkout: this.#options.checkout ?? url.origin,
      }),
    });
    const data = result.data as Record<string, unknown> | null | undefined;
    if (data && (fault === "warnings" || fault === "no-cart")) spoil(data, fault);
    if (fault === "lost") throw new TypeError("Network connection lost.");
    if (fault === "late") return new Promise<never>(() => {});
    if (fault === "partial" || fault === "errors-beside") {
      const extensions = { code: "INTERNAL_SERVER_ERROR" };
      return json({ ...result, errors: [{ message: "Internal error.", extensions }] });
    }
    if (fault === "version") return json(result, { headers: { "x-shopify-api-version": "2026-01" } });
    const deferred = data ? takeDeferred(document, data) : [];
    if (deferred.length === 0) return json(result);
    return this.#multipart(result, deferred, fault);
  }

  /** Incremental delivery, as of the draft that Shopify follows. */
  #multipart(result: unknown, deferred: readonly Deferred[], fault: Fault | null): Response {
    const part = (value: unknown) => {
      const text = JSON.stringify(value);
      return `\r\n--graphql\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    };
    const text = (value: string) => new TextEncoder().encode(value);
    const first = { ...(result as object), hasNext: true };
    const second = { incremental: deferred, hasNext: false };
    const spoiled =
      fault === "boundary"
        ? (JSON.parse(
            JSON.stringify(first).replaceAll('"descriptionHtml":"', '"descriptionHtml":"--graphql '),
          ) as object)
        : first;
    const whole = [text(part(spoiled)), text(`${part(second)}\r\n--graphql--\r\n`)];
    const chunks =
      fault === "bytes"
        ? whole.flatMap((chunk) => Array.from(chunk, (byte) => new Uint8Array([byte])))
        : whole;
    const wait = async (index: number) => {
      if (index > 0 && fault === "slow-part") await this.#sleep(3000);
      if (index > 0 && fault === "cut-part") {
        await arrived();
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

  async #file(url: URL): Promise<Response> {
    const match = /^\/cdn\/files\/([a-z]+)-([a-z]+)-(\d)\.webp$/.exec(url.pathname);
    const product = this.catalog.products.find(
      ({ kind, motif }) => kind === match?.[1] && motif === match?.[2],
    );
    if (!match || !product) return new Response("Not Found", { status: 404 });
    const bytes = await drawPicture(
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
    const found = [...this.#shops.values()].find(
      ({ carts }) => carts.read(`gid://shopify/Cart/${token}`)?.key === key,
    );
    return checkoutPage(
      found && { catalog: found.catalog, cart: found.carts.read(`gid://shopify/Cart/${token}`) },
    );
  }
}

/** The arguments of @inContext. */
function contextOf(document: DocumentNode, variables: Readonly<Record<string, unknown>>) {
  const directive = getOperationAST(document)?.directives?.find(({ name }) => name.value === "inContext");
  const argumentOf = (argument: string) => {
    const value = directive?.arguments?.find(({ name }) => name.value === argument)?.value;
    if (value?.kind === "Variable") return variables[value.name.value];
    return value?.kind === "EnumValue" ? value.value : undefined;
  };
  return { language: argumentOf("language"), country: argumentOf("country") };
}

interface Deferred {
  readonly path: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** Takes what fragments with @defer have brought out of an answer; only below single objects, which is all that is asked here. */
function takeDeferred(document: DocumentNode, data: Record<string, unknown>): Deferred[] {
  const found: Deferred[] = [];
  const fragmentOf = (name: string) =>
    document.definitions.find(
      (definition) => definition.kind === "FragmentDefinition" && definition.name.value === name,
    );
  const keysOf = (set: SelectionSetNode) =>
    set.selections.flatMap((one) => (one.kind === "Field" ? [(one.alias ?? one.name).value] : []));
  const walk = (set: SelectionSetNode | undefined, value: unknown, path: readonly string[]): void => {
    if (!set || typeof value !== "object" || value === null || Array.isArray(value)) return;
    const object = value as Record<string, unknown>;
    for (const one of set.selections) {
      if (one.kind === "Field") {
        const key = (one.alias ?? one.name).value;
        walk(one.selectionSet, object[key], [...path, key]);
        continue;
      }
      const definition = one.kind === "FragmentSpread" ? fragmentOf(one.name.value) : one;
      const inner = definition && "selectionSet" in definition ? definition.selectionSet : undefined;
      if (!one.directives?.some(({ name }) => name.value === "defer")) walk(inner, value, path);
      else if (inner) {
        const part: Record<string, unknown> = {};
        for (const key of keysOf(inner)) {
          part[key] = object[key];
          delete object[key];
        }
        found.push({ path, data: part });
      }
    }
  };
  walk(getOperationAST(document)?.selectionSet, data, []);
  return found;
}

/** A store that sells at most two of each item to a visitor. */
const LIMIT_OF_TWO: UserError = {
  code: "VALIDATION_CUSTOM",
  field: ["lines", "0"],
  message: "お一人さま二点までです。",
};

/** A change of a cart with something that the store has to say. */
function spoil(data: Record<string, unknown>, fault: "warnings" | "no-cart"): void {
  for (const value of Object.values(data)) {
    const answer = value as {
      cart?: { id?: string } | null;
      userErrors?: unknown[];
      warnings?: unknown[];
    } | null;
    if (!answer?.userErrors) continue;
    if (fault === "no-cart") answer.cart = null;
    else {
      answer.warnings = [
        {
          code: "A_CODE_OF_LATER_VERSIONS",
          message: "配送に三日ほどかかります。",
          target: answer.cart?.id ?? "",
        },
      ];
    }
  }
}
