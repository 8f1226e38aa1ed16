import { describe, expect, it } from "vitest";
import { StoreFailure } from "~/domain/store/store-failure";
import { DEMO_STORE_TOKEN } from "../../seed/store/hosts-and-tokens";
import { DemoStore, type Fault } from "../../seed/store/store";
import { fetchFrom } from "../../tests/support/external/demo-store";
import { type ClientOptions, createStoreClient, StoreClients } from "./client";
import { DOCUMENTS } from "./documents";
import { retryWait } from "./send-to-store";

const store = new DemoStore();
const NOW = Date.parse("2026-04-01T00:00:00Z");

function clientFor(options: Partial<ClientOptions> = {}, fetch = fetchFrom(store)) {
  const waits: number[] = [];
  const logged: unknown[] = [];
  const requests: { url: string; init: RequestInit }[] = [];
  store.reset();
  const client = createStoreClient({
    storeDomain: "store.hiroba.example",
    publicAccessToken: DEMO_STORE_TOKEN,
    now: () => NOW,
    sleep: async (ms) => {
      waits.push(ms);
    },
    log: (entry) => logged.push(entry),
    ...options,
    fetch: (url, init) => {
      requests.push({ url, init });
      return fetch(url, init);
    },
  });
  return { client, waits, logged, requests };
}

const failureOf = async (work: Promise<unknown>): Promise<StoreFailure> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreFailure);
  return error as StoreFailure;
};

const PRODUCT_VARIABLES = { id: "gid://shopify/Product/1001", selectedOptions: [] };

describe("a client", () => {
  const creating = (options: Record<string, unknown>) => () => clientFor(options as Partial<ClientOptions>);

  it.each([[-1], [4], [1.5], [Number.NaN], ["2"], [null]])("rejects %j retries", (retries) => {
    expect(creating({ retries })).toThrow(
      `GraphQL Client: The provided "retries" value (${String(retries)}) is invalid - it cannot be less than 0 or greater than 3`,
    );
  });
  it.each([[""], ["   "], [null], [undefined], [42]])("rejects %j as a URL", (storeDomain) => {
    expect(creating({ storeDomain })).toThrow(
      `Storefront API Client: a valid store domain ("${String(storeDomain)}") must be provided`,
    );
  });
  it.each([[""], ["  "], [7]])("rejects %j as a version", (apiVersion) => {
    expect(creating({ apiVersion })).toThrow(
      /^Storefront API Client: the provided apiVersion \(".*"\) is invalid\./,
    );
  });
  it("accepts an unsupported version, and logs it", () => {
    const { logged } = clientFor({ apiVersion: "2019-04" });
    expect(logged).toEqual([
      { type: "Unsupported_Api_Version", host: "store.hiroba.example", detail: "2019-04" },
    ]);
  });
  it("requires exactly one token", () => {
    const bothTokens = { publicAccessToken: "a", privateAccessToken: "b" };
    expect(creating(bothTokens)).toThrow(
      "Storefront API Client: only provide either a public or private access token",
    );
    for (const publicAccessToken of ["", undefined])
      expect(creating({ publicAccessToken })).toThrow(
        "Storefront API Client: a public or private access token must be provided",
      );
  });
  it("rejects a private token in a browser", () => {
    const browserGlobals = { window: {} };
    Object.assign(globalThis, browserGlobals);
    try {
      expect(creating({ publicAccessToken: undefined, privateAccessToken: "b" })).toThrow(
        "private access tokens and headers should only be used in a server-to-server implementation",
      );
    } finally {
      Reflect.deleteProperty(globalThis, "window");
    }
  });
  it.each([
    ["store.hiroba.example"],
    ["http://store.hiroba.example"],
    ["HTTP://store.hiroba.example/collections/all?x=1"],
    ["ftp://store.hiroba.example"],
    [" https://store.hiroba.example "],
  ])("forces %j to https", async (storeDomain) => {
    const { client, requests } = clientFor({ storeDomain });
    await client.request(DOCUMENTS.shop);
    expect(requests[0]?.url).toBe("https://store.hiroba.example/api/2025-01/graphql.json");
  });
});

describe("a request", () => {
  it("contains the document with its variables as JSON, the token and the client's name; redirects are not followed", async () => {
    const { client, requests } = clientFor();
    await client.request(DOCUMENTS.shop, { variables: { a: 1 } });
    const init: RequestInit = requests[0]?.init ?? {};
    expect(init).toMatchObject({ method: "POST", redirect: "manual" });
    expect(JSON.parse(String(init.body))).toEqual({ query: DOCUMENTS.shop, variables: { a: 1 } });
    expect(init.headers).toMatchObject({
      "Content-Type": "application/json",
      Accept: "application/json",
      "X-SDK-Variant": "storefront-api-client",
      "X-SDK-Version": expect.any(String) as string,
      "X-Shopify-Storefront-Access-Token": DEMO_STORE_TOKEN,
    });
  });

  it("is rejected for a document with @defer, and a stream for one without", async () => {
    const { client, requests } = clientFor();
    await expect(client.request(DOCUMENTS.product)).rejects.toThrow(
      "This operation will result in a streamable response - use requestStream() instead.",
    );
    await expect(client.requestStream(DOCUMENTS.shop)[Symbol.asyncIterator]().next()).rejects.toThrow(
      "This operation does not result in a streamable response - use request() instead.",
    );
    expect(requests).toEqual([]);
  });
});

const UNREADABLE =
  "GraphQL Client: An unknown error has occurred. The API did not return a data object or any errors in its response.";

describe("a failed request", () => {
  const cases: readonly (readonly [Fault, string, string])[] = [
    ["401", "unauthorized", "GraphQL Client: Unauthorized"],
    ["402", "payment", "GraphQL Client: Payment Required"],
    ["403", "forbidden", "GraphQL Client: Forbidden"],
    ["404", "not_found", "GraphQL Client: Not Found"],
    ["429", "throttled", "GraphQL Client: Too Many Requests"],
    ["430", "security", "GraphQL Client: Shopify Security Rejection"],
    ["500", "server", "GraphQL Client: Internal Server Error"],
    ["503", "server", "GraphQL Client: Service Unavailable"],
    [
      "html",
      "content_type",
      "GraphQL Client: Response returned unexpected Content-Type: text/html; charset=utf-8",
    ],
    ["empty", "bad_answer", UNREADABLE],
    ["broken", "bad_answer", UNREADABLE],
    ["no-data", "bad_answer", UNREADABLE],
    [
      "graphql",
      "graphql",
      "GraphQL Client: An error occurred while fetching from the API. Review 'graphQLErrors' for details. Field 'nowhere' doesn't exist on type 'QueryRoot'",
    ],
    ["reset", "cut", "GraphQL Client: Network connection lost."],
    ["cut", "cut", "GraphQL Client: Connection reset"],
    ["redirect", "elsewhere", "GraphQL Client: The store's address leads elsewhere (302)"],
    ["huge", "too_large", "GraphQL Client: The store's response is too large"],
  ];
  it.each(cases)("for %s has the code %s: %s", async (fault, code, message) => {
    const { client, logged } = clientFor();
    store.fail(fault);
    const failure = await failureOf(client.request(DOCUMENTS.shop));
    expect(failure.code).toBe(code);
    expect(failure.message.startsWith(message), failure.message).toBe(true);
    expect(JSON.stringify([logged, failure.message])).not.toContain(DEMO_STORE_TOKEN);
  });

  it("has the same code for a stream", async () => {
    for (const [fault, code] of cases) {
      const { client } = clientFor();
      store.fail(fault);
      const parts = client.requestStream(DOCUMENTS.product, { variables: PRODUCT_VARIABLES });
      expect((await failureOf(parts[Symbol.asyncIterator]().next())).code, fault).toBe(code);
    }
  });

  it.each([
    [530, "network"],
    [521, "network"],
    [520, "cut"],
    [522, "timeout"],
  ] as const)("with Cloudflare's own status %d has the code %s", async (status, code) => {
    const { client } = clientFor({}, async () => new Response("error code: 1016", { status }));
    expect((await failureOf(client.request(DOCUMENTS.shop))).code).toBe(code);
  });

  it('has the code "network" if the store cannot be reached', async () => {
    const { client } = clientFor({}, async () => {
      throw new TypeError("DNS lookup failed.");
    });
    expect((await failureOf(client.request(DOCUMENTS.shop))).code).toBe("network");
  });

  it("ends after the time limit if the store does not respond", async () => {
    const { client } = clientFor({ limitMs: 50 });
    store.fail("hang");
    expect((await failureOf(client.request(DOCUMENTS.shop))).code).toBe("timeout");
  });

  it("removes a token that a store repeats", async () => {
    const { client } = clientFor({ storeDomain: "store.hiroba.example" }, async () =>
      Response.json({ errors: [{ message: `bad ${DEMO_STORE_TOKEN}` }] }),
    );
    expect((await failureOf(client.request(DOCUMENTS.shop))).message).toMatch(/bad …$/);
  });

  it("has a general message for errors without a message", async () => {
    const { client } = clientFor({}, async () => Response.json({ errors: [{}] }));
    const { code, message } = await failureOf(client.request(DOCUMENTS.shop));
    expect([code, message]).toEqual([
      "graphql",
      "GraphQL Client: An error occurred while fetching from the API. Review 'graphQLErrors' for details.",
    ]);
  });
});

describe("a retry", () => {
  it("waits a second each time, and returns the first successful response", async () => {
    const { client, waits } = clientFor({ retries: 3 });
    store.fail("429", 1);
    store.fail("503", 1);
    store.fail("reset", 1);
    expect(await client.request(DOCUMENTS.shop)).toEqual({ shop: { name: expect.any(String) as string } });
    expect(waits).toEqual([1000, 1000, 1000]);
  });

  it.each([
    ["429", "Too Many Requests"],
    ["503", "Service Unavailable"],
    ["reset", "Network connection lost."],
  ] as const)(
    "is made as often as allowed, and the error then contains the last reason, for %s",
    async (fault, lastMessage) => {
      const { client, waits } = clientFor({ retries: 2 });
      store.fail(fault);
      const failure = await failureOf(client.request(DOCUMENTS.shop));
      expect([failure.code, failure.message]).toEqual([
        "retries",
        `GraphQL Client: Attempted maximum number of 2 network retries. Last message - ${lastMessage}`,
      ]);
      expect(waits).toHaveLength(2);
      expect(store.requests).toHaveLength(3);
    },
  );

  it("can be switched off for one call", async () => {
    const { client } = clientFor({ retries: 3 });
    store.fail("503");
    expect((await failureOf(client.request(DOCUMENTS.shop, { retries: 0 }))).code).toBe("server");
    expect(store.requests).toHaveLength(1);
  });

  it("is not made after other responses", async () => {
    const { client } = clientFor({ retries: 3 });
    for (const fault of ["401", "500", "html", "redirect"] as const) {
      store.reset();
      store.fail(fault);
      await failureOf(client.request(DOCUMENTS.shop));
      expect(store.requests, fault).toHaveLength(1);
    }
  });

  it("is not made after an abort", async () => {
    const { client, waits } = clientFor({ retries: 3 });
    store.fail("hang");
    const abortController = new AbortController();
    const response = client.request(DOCUMENTS.shop, { signal: abortController.signal });
    abortController.abort();
    expect((await failureOf(response)).code).toBe("timeout");
    expect([waits, store.requests.length <= 1]).toEqual([[], true]);
  });

  it("is not made if the store asks for a longer wait than an operation may take", async () => {
    const { client, waits } = clientFor(
      { retries: 3 },
      async () => new Response(null, { status: 429, headers: { "retry-after": "3600" } }),
    );
    expect((await failureOf(client.request(DOCUMENTS.shop))).code).toBe("throttled");
    expect(waits).toEqual([]);
  });

  it.each([
    [null, 1000],
    ["", 1000],
    ["2", 2000],
    ["0", 0],
    [" 5 ", 5000],
    ["-1", 1000],
    ["1.5", 1000],
    ["soon", 1000],
    ["Wed, 01 Apr 2026 00:00:07 GMT", 7000],
    ["Wed, 01 Apr 2020 00:00:00 GMT", 0],
  ])("reads Retry-After %j as %i ms", (header, ms) => {
    expect(retryWait(header, NOW)).toBe(ms);
  });
});

describe("a streamed response", () => {
  type Data = { product: { title: string; collections?: { nodes: { title: string }[] } } };
  async function partsOf(fault?: Fault) {
    const { client } = clientFor();
    if (fault) store.fail(fault);
    const parts: { data: Data; hasNext: boolean }[] = [];
    const variables = { id: store.product("seigaiha-tenugui").id, selectedOptions: [], language: "JA" };
    for await (const part of client.requestStream<Data>(DOCUMENTS.product, { variables }))
      parts.push(structuredClone(part));
    return parts;
  }

  it("yields the product first, then all of it", async () => {
    const [first, second, ...more] = await partsOf();
    expect(first).toMatchObject({ data: { product: { title: "手ぬぐい 青海波" } }, hasNext: true });
    expect(first?.data.product).not.toHaveProperty("collections");
    expect(second).toMatchObject({ hasNext: false });
    expect(second?.data.product.collections?.nodes.map(({ title }) => title)).toEqual([
      "布のもの",
      "青海波の品",
    ]);
    expect(more).toEqual([]);
  });

  // "bytes" sends one byte at a time. "boundary" puts the separator of the parts into the product's description.
  it.each(["bytes", "boundary"] as const)("keeps every character (%s)", async (fault) => {
    type Text = Data["product"] & { readonly descriptionHtml: string };
    const lastProduct = (parts: { data: Data }[]) => parts.at(-1)?.data.product as Text;
    const unchanged = lastProduct(await partsOf());
    const response = lastProduct(await partsOf(fault));
    const html = fault === "boundary" ? `--graphql ${unchanged.descriptionHtml}` : unchanged.descriptionHtml;
    expect(response).toEqual({ ...unchanged, descriptionHtml: html });
  });

  it("reports that it ended early, after the parts that arrived", async () => {
    const { client } = clientFor();
    store.fail("cut-part");
    const parts = client
      .requestStream<Data>(DOCUMENTS.product, { variables: PRODUCT_VARIABLES })
      [Symbol.asyncIterator]();
    expect((await parts.next()).value).toMatchObject({ hasNext: true });
    const { code, message } = await failureOf(parts.next());
    expect([code, message]).toEqual([
      "cut",
      "GraphQL Client: Error occured while processing stream payload - Connection reset",
    ]);
  });

  it("may consist of one part", async () => {
    const { client } = clientFor({}, async () => Response.json({ data: { product: null } }));
    const parts: unknown[] = [];
    for await (const part of client.requestStream(DOCUMENTS.product)) parts.push(part);
    expect(parts).toEqual([{ data: { product: null }, hasNext: false }]);
  });
});

describe("the clients of stores", () => {
  it("are created once both URL and token are present, and again when either changes", () => {
    const createdFor: string[] = [];
    const clients = new StoreClients(({ origin, token }) => {
      createdFor.push(`${origin} ${token}`);
      return clientFor().client;
    });
    for (const access of [
      { origin: null, token: null },
      { origin: "https://a.example", token: null },
      { origin: null, token: "t" },
      { origin: "", token: "" },
    ])
      expect(() => clients.get(access)).toThrow("client is not ready");
    const first = clients.get({ origin: "https://a.example", token: "t" });
    expect(clients.get({ origin: "https://a.example", token: "t" })).toBe(first);
    expect(clients.get({ origin: "https://a.example", token: "u" })).not.toBe(first);
    expect(clients.get({ origin: "https://b.example", token: "t" })).not.toBe(first);
    expect(createdFor).toHaveLength(3);
    // The number of cached clients is limited.
    for (let number = 0; number < 50; number++)
      clients.get({ origin: `https://${number}.example`, token: "t" });
    clients.get({ origin: "https://a.example", token: "t" });
    expect(createdFor).toHaveLength(54);
  });
});
