import { beforeEach, describe, expect, it } from "vitest";
import { FAILURE_KEPT_MS } from "#functions/storefront/storefront-cache";
import type { Selection, StoreFailureCode, StoreId } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";
import {
  DEMO_STORE_PRIVATE_TOKEN,
  DEMO_STORE_TOKEN,
  type Fault,
  faultHost,
  MANY_STORE_HOST,
  NO_CHOICE,
  STORE_ORIGIN,
} from "../../../tests/support/external/demo-store";
import type { AppError } from "../shared/errors";
import type { ShopReader } from "./shop-access";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;
let token: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
  await testApp.setEvent(eventId, {
    statusId: 3,
    enableAutoChangeStatus: false,
    spStoreUrl: STORE_ORIGIN,
    spAccessToken: DEMO_STORE_TOKEN,
  });
  const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
  token = event.accessToken;
});

const shop = () => testApp.services.shop;
const visitor = (): ShopReader => ({ link: { eventId, mode: "published", token } });
const asOwner = (): ShopReader => ({ actor: owner.actor, eventId });
const japaneseInput = () => ({ reader: visitor(), lang: "ja" as const, country: null });
const ALL = { q: "", after: null, before: null };
const storeAt = (host: string) => testApp.setEvent(eventId, { spStoreUrl: `https://${host}` });
const operations = () => testApp.store.requests.map(({ operation }) => operation);
const awaitDeferred = async () => {
  while (testApp.deferred.length > 0) await Promise.allSettled(testApp.deferred.splice(0));
};
const readProduct = (handle: string, selection: Selection = []) =>
  shop().readProduct({
    ...japaneseInput(),
    productId: testApp.store.product(handle).id,
    choice: { ...NO_CHOICE, names: selection },
  });

describe("access to a store", () => {
  const list = (reader: ShopReader) =>
    catchErrorCode(shop().listProducts({ ...japaneseInput(), reader, query: ALL }));

  it("is permitted to visitors whose link shows the event, and to no other link", async () => {
    expect(await list(visitor())).toBeNull();
    for (const link of [
      { eventId, mode: "published" as const, token: "x" },
      { eventId, mode: "published" as const, token: null },
      { eventId, mode: "preview" as const, token },
      { eventId, mode: "published" as const, token, sid: "wrong" },
      { eventId: owner.user.id, mode: "published" as const, token },
    ])
      expect(await list({ link }), JSON.stringify(link)).toBe("not_found");
    await testApp.setStatus(eventId, 4);
    expect(await list(visitor())).toBe("not_found");
  });

  it("requires the event's password, if it has one", async () => {
    await testApp.setEvent(eventId, { publishPasswordHash: `${HASH_PREFIX}secret` });
    expect(await list(visitor())).toBe("not_found");
    const eventAccessCookie = testApp.eventAccessSigner.sign(
      eventId,
      `${HASH_PREFIX}secret`,
      testApp.time.now + 1000,
    );
    expect(await list({ link: { eventId, mode: "published", token, eventAccessCookie } })).toBeNull();
  });

  it("is permitted to users who may edit the event, also after it is archived, and to no other users", async () => {
    await testApp.setStatus(eventId, 4);
    expect(await list(asOwner())).toBeNull();
    const other = await testApp.addUser();
    expect(await list({ actor: other.actor, eventId })).toBe("not_found");
    expect(await list({ actor: testApp.admin, eventId })).toBeNull();
  });

  it("is rejected while the URL or the token is missing, without a call to the store", async () => {
    for (const fields of [
      { spStoreUrl: null, spAccessToken: null },
      { spStoreUrl: STORE_ORIGIN, spAccessToken: null },
      { spStoreUrl: null, spAccessToken: DEMO_STORE_TOKEN },
    ]) {
      await testApp.setEvent(eventId, fields);
      const cart = { id: "gid://shopify/Cart/a?key=b", quantity: 1 };
      const items = [{ variantId: "gid://shopify/ProductVariant/1", quantity: 1 }];
      const calls = [
        shop().listProducts({ ...japaneseInput(), query: ALL }),
        shop().readProduct({ ...japaneseInput(), productId: "gid://shopify/Product/1", choice: NO_CHOICE }),
        shop().listCollections(japaneseInput()),
        shop().readCollection({
          ...japaneseInput(),
          collectionId: "gid://shopify/Collection/1",
          after: null,
          before: null,
        }),
        shop().listAttached(japaneseInput()),
        shop().checkAttached({ ...japaneseInput(), products: [] }),
        shop().createCart(japaneseInput()),
        shop().readCart({ ...japaneseInput(), storedCart: cart }),
        shop().addToCart({ ...japaneseInput(), storedCart: cart, items }),
        shop().updateCartLine({ ...japaneseInput(), storedCart: cart, line: { id: "l", quantity: 1 } }),
        shop().removeCartLine({ ...japaneseInput(), storedCart: cart, lineId: "l" }),
      ];
      for (const called of await Promise.allSettled<unknown>(calls))
        expect(called).toMatchObject({
          reason: { code: "shop_not_ready", message: "client is not ready" } satisfies Partial<AppError>,
        });
    }
    expect(testApp.store.requests).toEqual([]);
  });
});

describe("products", () => {
  it("are listed with images from Hiroba's own host, prices and availability", async () => {
    const page = await shop().listProducts({ ...japaneseInput(), query: ALL });
    expect(page.products.length).toBeGreaterThanOrEqual(60);
    expect([page.next, page.previous]).toEqual([null, null]);
    expect(page.products[0]).toEqual({
      id: testApp.store.product("seigaiha-tenugui").id,
      title: "手ぬぐい 青海波",
      image: expect.stringMatching(/^\/shop-picture\//) as string,
      price: {
        from: { amount: "1650.0", currencyCode: "JPY" },
        to: { amount: "1650.0", currencyCode: "JPY" },
      },
      state: "in_stock",
      respondedAt: testApp.time.now,
    });
    const soldOut = page.products.find(({ id }) => id === testApp.store.product("ichimatsu-tenugui").id);
    expect(soldOut?.state).toBe("sold_out");
    expect(JSON.stringify(page)).not.toMatch(/store\.hiroba\.example|demo0storefront/);
  });

  it("have the visitor's language and the currency of the visitor's country, or else the store's defaults", async () => {
    const titleAt = async (lang: "ja" | "en", country: string | null) => {
      const { products } = await shop().listProducts({ ...japaneseInput(), lang, country, query: ALL });
      return [products[0]?.title, products[0]?.price.from];
    };
    expect(await titleAt("en", "US")).toEqual([
      "Seigaiha Tenugui towel",
      { amount: "11.0", currencyCode: "USD" },
    ]);
    expect(await titleAt("ja", "T1")).toEqual(["手ぬぐい 青海波", { amount: "1650.0", currencyCode: "JPY" }]);
    // For a country to which the store does not sell, it responds as without a country.
    expect(await titleAt("ja", "KP")).toEqual(["手ぬぐい 青海波", { amount: "1650.0", currencyCode: "JPY" }]);
    expect(testApp.store.requests.map(({ variables }) => [variables.language, variables.country])).toEqual([
      ["EN", "US"],
      ["JA", null],
      ["JA", "KP"],
    ]);
  });

  it("are found by words of their titles, and by no search syntax", async () => {
    const find = async (q: string) =>
      (await shop().listProducts({ ...japaneseInput(), query: { ...ALL, q } })).products.map(
        ({ title }) => title,
      );
    expect(await find("図録")).toEqual(["図録「藍と紙」"]);
    expect(await find("青海波 湯呑")).toEqual(["湯呑 青海波"]);
    for (const q of ['"', "\\", "title:*", "a OR b", "(", "%", "' OR 1=1", "nothing at all"])
      expect(await find(q), q).toEqual([]);
  });

  it("are listed 250 per page, forwards and backwards through the same pages", async () => {
    await storeAt(MANY_STORE_HOST);
    const page = (after: string | null, before: string | null) =>
      shop().listProducts({ ...japaneseInput(), query: { q: "", after, before } });
    const first = await page(null, null);
    const second = await page(first.next, null);
    const third = await page(second.next, null);
    expect([first, second, third].map(({ products }) => products.length)).toEqual([250, 250, 250]);
    const previousPage = await page(null, third.previous);
    expect(previousPage.products.map(({ id }) => id)).toEqual(second.products.map(({ id }) => id));
    expect([first.previous, previousPage.previous !== null, previousPage.next !== null]).toEqual([
      null,
      true,
      true,
    ]);
  });

  it("are read with their description as plain data", async () => {
    const { view } = await readProduct("take-tenugui");
    expect(view.product.description).toEqual([
      { h: ["注染で染めた木綿の手ぬぐいです。"], level: 2 },
      { p: ["会場の作品「", { b: ["竹"] }, "」をもとにしています。"] },
      {
        li: [[{ p: ["日本製"] }], [{ p: ["一点ごとに", { i: ["わずかな違い"] }, "があります"] }]],
        start: null,
      },
      { p: ["店長のおすすめ !"] },
    ]);
    const { view: shirt } = await readProduct("asanoha-shirt");
    const table = shirt.product.description.find((block) => "table" in block);
    expect(table).toMatchObject({ head: true, caption: ["平置きの寸法"], table: { length: 5 } });
  });

  it("are read with their collections, which arrive separately", async () => {
    const { view, related } = await readProduct("seigaiha-tenugui");
    expect(view.product.title).toBe("手ぬぐい 青海波");
    const collections = await related;
    expect(collections?.map(({ title, products }) => [title, products.length])).toEqual([
      ["布のもの", 5],
      ["青海波の品", 5],
    ]);
    expect(operations()).toEqual(["ProductWhole"]);
  });

  it("are returned without their collections if these do not arrive", async () => {
    testApp.store.fail("cut-part");
    const { view, related } = await readProduct("seigaiha-tenugui");
    expect(view.product.title).toBe("手ぬぐい 青海波");
    expect(await related).toBeNull();
    await awaitDeferred();
    // An incomplete response is cached for a second only.
    testApp.store.reset();
    expect(await (await readProduct("seigaiha-tenugui")).related).toBeNull();
    testApp.time.now += FAILURE_KEPT_MS;
    expect(await (await readProduct("seigaiha-tenugui")).related).toHaveLength(2);
  });

  it("that do not exist are reported as missing, and invalid ids are not requested", async () => {
    for (const productId of ["gid://shopify/Product/999999", "gid://shopify/Order/1", "x", ""])
      expect(
        await catchErrorCode(shop().readProduct({ ...japaneseInput(), productId, choice: NO_CHOICE })),
      ).toBe("shop_no_product");
    expect(testApp.store.requests).toHaveLength(1);
  });
});

describe("a product's variants", () => {
  const choose = (...pairs: [string, string][]): Selection => pairs.map(([name, value]) => ({ name, value }));
  const states = async (handle: string, selection: Selection = []) => {
    const { view } = await readProduct(handle, selection);
    return {
      state: view.state,
      rows: Object.fromEntries(
        view.rows.map(({ name, choices }) => [name, choices.map(({ value, state }) => `${value} ${state}`)]),
      ),
    };
  };

  it("state whether they are sold out, on back-order, or do not exist", async () => {
    expect(await states("asanoha-tenugui", choose(["色", "浅葱"]))).toEqual({
      state: "sold_out",
      rows: { 色: ["藍 in_stock", "浅葱 sold_out", "生成り in_stock"] },
    });
    expect((await states("namima-tenugui")).state).toBe("back_order");
    const missingVariant = await states("seigaiha-shirt", choose(["サイズ", "XL"], ["色", "生成り"]));
    expect(missingVariant.state).toBe("none");
    expect(missingVariant.rows.色?.[2]).toBe("生成り none");
    expect(missingVariant.rows.サイズ?.[3]).toBe("XL none");
    expect(missingVariant.rows.サイズ?.slice(0, 3).every((text) => !text.endsWith(" none"))).toBe(true);
    expect((await states("letter-subscription")).state).toBe("not_for_sale");
    expect((await states("seigaiha-postcard")).rows).toEqual({});
  });

  it("equal the store's variant for every choice of three products", async () => {
    for (const product of testApp.store.catalog.products
      .filter(({ kind }) => kind === "print" || kind === "shirt")
      .slice(0, 3)) {
      for (const variant of product.variants) {
        const selection = product.options.map(({ name, values }, index) => ({
          name: name.ja,
          value: values[variant.choice[index] ?? 0]?.ja ?? "",
        }));
        const { view } = await readProduct(product.handle, selection);
        expect(view.variant?.id).toBe(variant.id);
        for (const row of view.rows)
          for (const choice of row.choices) {
            const exists = product.variants.some((demoVariant) =>
              product.options.every(({ name, values }, index) =>
                choice.selection.some(
                  (chosen) =>
                    chosen.name === name.ja && chosen.value === values[demoVariant.choice[index] ?? 0]?.ja,
                ),
              ),
            );
            expect(choice.state !== "none", `${product.handle} ${JSON.stringify(choice.selection)}`).toBe(
              exists,
            );
          }
      }
    }
  });

  it("ignore chosen options and values that the product does not have", async () => {
    const { view } = await readProduct("seigaiha-tenugui", choose(["色", "虹"], ["香り", "薔薇"]));
    expect(view.selection).toEqual([{ name: "色", value: "藍" }]);
    expect(view.state).toBe("in_stock");
  });
});

describe("collections", () => {
  it("are listed with some of their products, and read with all of them; unknown collections and invalid cursors are rejected", async () => {
    const collections = await shop().listCollections(japaneseInput());
    expect(collections.map(({ title, products }) => [title, products.length])).toEqual([
      ["布のもの", 5],
      ["紙のもの", 5],
      ["青海波の品", 5],
      ["身につける", 5],
      ["千円まで", 5],
      ["準備中", 0],
    ]);
    const [first] = collections;
    const collection = await shop().readCollection({
      ...japaneseInput(),
      collectionId: first?.id ?? "",
      after: null,
      before: null,
    });
    expect([collection.title, collection.page.products.length]).toEqual(["布のもの", 24]);
    for (const cursor of [
      { after: "zzz", before: null },
      { after: null, before: "zzz" },
    ]) {
      expect(
        await catchErrorCode(shop().listProducts({ ...japaneseInput(), query: { q: "", ...cursor } })),
      ).toBe("invalid");
      const collectionQuery = { ...japaneseInput(), collectionId: first?.id ?? "" };
      expect(await catchErrorCode(shop().readCollection({ ...collectionQuery, ...cursor }))).toBe("invalid");
    }
    for (const collectionId of ["gid://shopify/Collection/1", "x"])
      expect(
        await catchErrorCode(
          shop().readCollection({ ...japaneseInput(), collectionId, after: null, before: null }),
        ),
      ).toBe("shop_no_collection");
  });
});

describe("a cached response of a store", () => {
  it("is not requested again within a minute in the same language and country", async () => {
    for (let round = 0; round < 3; round++) {
      await shop().listProducts({ ...japaneseInput(), query: ALL });
      await (await readProduct("seigaiha-tenugui")).related;
      await shop().listCollections(japaneseInput());
      await awaitDeferred();
    }
    expect(operations()).toEqual(["Products", "ProductWhole", "Collections"]);
    await shop().listProducts({ ...japaneseInput(), lang: "en", query: ALL });
    await shop().listProducts({ ...japaneseInput(), country: "US", query: ALL });
    await shop().listProducts({ ...japaneseInput(), query: { ...ALL, q: "藍" } });
    expect(operations().slice(3)).toEqual(["Products", "Products", "Products"]);
  });

  it("is used for another hour while it is renewed, also when the store fails", async () => {
    const list = () => shop().listProducts({ ...japaneseInput(), query: ALL });
    const respondedAt = async () => (await list()).products[0]?.respondedAt;
    const startedAt = testApp.time.now;
    expect(await respondedAt()).toBe(startedAt);
    testApp.time.now += 61_000;
    expect(await respondedAt()).toBe(startedAt);
    await awaitDeferred();
    expect(operations()).toEqual(["Products", "Products"]);
    await list();
    expect(operations()).toHaveLength(2);
    testApp.store.fail("500");
    testApp.time.now += 3_000_000;
    expect(await respondedAt()).toBe(startedAt + 61_000);
    await awaitDeferred();
    testApp.time.now += 700_000;
    expect(await catchErrorCode(list())).toBe("store_server");
  });

  it("is not used with another token", async () => {
    await shop().listProducts({ ...japaneseInput(), query: ALL });
    await testApp.setEvent(eventId, { spAccessToken: "another" });
    expect(await catchErrorCode(shop().listProducts({ ...japaneseInput(), query: ALL }))).toBe(
      "store_unauthorized",
    );
  });

  it("never contains a cart, and contains a failure for one second only", async () => {
    testApp.store.fail("500", 1);
    for (let round = 0; round < 2; round++)
      expect(await catchErrorCode(shop().listProducts({ ...japaneseInput(), query: ALL }))).toBe(
        "store_server",
      );
    expect(operations()).toEqual(["Products"]);
    testApp.time.now += FAILURE_KEPT_MS;
    expect(await catchErrorCode(shop().listProducts({ ...japaneseInput(), query: ALL }))).toBeNull();
    const { cartForCookie } = await shop().createCart(japaneseInput());
    for (let round = 0; round < 2; round++)
      await shop().readCart({ ...japaneseInput(), storedCart: cartForCookie });
    expect(operations().slice(-3)).toEqual(["CartCreate", "Cart", "Cart"]);
  });
});

/** Faults that are not retried, with the code that owners see. */
const FAILURES: readonly (readonly [Fault, StoreFailureCode])[] = [
  ["401", "unauthorized"],
  ["402", "payment"],
  ["403", "forbidden"],
  ["404", "not_found"],
  ["430", "security"],
  ["500", "server"],
  ["html", "content_type"],
  ["empty", "bad_answer"],
  ["broken", "bad_answer"],
  ["missing", "bad_answer"],
  ["no-data", "bad_answer"],
  ["graphql", "graphql"],
  ["cut", "cut"],
  ["redirect", "elsewhere"],
];

describe("a failing store", () => {
  it.each([...FAILURES, ["429", "retries"], ["503", "retries"], ["reset", "retries"]] as const)(
    "(%s) has the code store_%s and a message for the operation, without the store's token",
    async (fault, code) => {
      testApp.store.fail(fault);
      const errorOf = async (work: Promise<unknown>) => {
        const error = await work.then(
          () => null,
          (reason: AppError) => reason,
        );
        expect(JSON.stringify([error?.message, error?.userMessage])).not.toContain(DEMO_STORE_TOKEN);
        return [error?.kind, error?.code, error?.userMessage.key];
      };
      const expectedError = (text: string) => [
        "unavailable",
        `store_${code}`,
        text === "productFailed" ? "store-visitors:states.productFailed" : `store:errors.store.${text}`,
      ];
      const query = { ...ALL, q: "藍" };
      const cart = { id: "gid://shopify/Cart/a?key=b", quantity: 1 };
      const items = [{ variantId: "gid://shopify/ProductVariant/100100", quantity: 1 }];
      const [line, collectionId] = ["gid://shopify/CartLine/a?cart=a", "gid://shopify/Collection/1"];
      const page = { after: null, before: null };
      const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
        ["productsFailed", () => shop().listProducts({ ...japaneseInput(), query: ALL })],
        ["searchFailed", () => shop().listProducts({ ...japaneseInput(), query })],
        ["productFailed", () => readProduct("seigaiha-tenugui")],
        ["collectionsFailed", () => shop().listCollections(japaneseInput())],
        ["collectionFailed", () => shop().readCollection({ ...japaneseInput(), collectionId, ...page })],
        ["cartFailed", () => shop().readCart({ ...japaneseInput(), storedCart: cart })],
        ["cartCreateFailed", () => shop().createCart(japaneseInput())],
        ["addToCartFailed", () => shop().addToCart({ ...japaneseInput(), storedCart: null, items })],
        [
          "updateFailed",
          () =>
            shop().updateCartLine({ ...japaneseInput(), storedCart: cart, line: { id: line, quantity: 2 } }),
        ],
        ["removeFailed", () => shop().removeCartLine({ ...japaneseInput(), storedCart: cart, lineId: line })],
      ];
      for (const [text, call] of calls) {
        const failure = await errorOf(call());
        // Where the cart cannot be read again, it is not known whether a change was made.
        const isChange = text === "updateFailed" || text === "removeFailed";
        if (!isChange || failure[1] !== "shop_uncertain") expect(failure, text).toEqual(expectedError(text));
      }
      expect(JSON.stringify(testApp.logged)).not.toContain(DEMO_STORE_TOKEN);
    },
  );

  it("is not called at a forbidden URL, even if the event has one saved", async () => {
    for (const host of [
      "localhost",
      "127.0.0.1",
      "[::1]",
      "10.0.0.1",
      "metadata.google.internal",
      "shop.local",
    ]) {
      await storeAt(host);
      expect(await catchErrorCode(shop().listProducts({ ...japaneseInput(), query: ALL })), host).toBe(
        "store_network",
      );
    }
    expect(testApp.store.requests).toEqual([]);
  });

  it("leaves the state of attached products unknown, and causes no error in the editor", async () => {
    testApp.store.fail("500");
    const products = [{ id: "gid://shopify/Product/1001", title: "手ぬぐい" }];
    expect(await shop().checkAttached({ ...japaneseInput(), reader: asOwner(), products })).toEqual([
      { id: "gid://shopify/Product/1001", title: "手ぬぐい", state: "unknown", soldOut: [], card: null },
    ]);
  });
});

describe("attached products", () => {
  it("are read for all visible tags of the event in one call; a deleted product has no card", async () => {
    const [plain, soldOut] = ["seigaiha-tenugui", "ichimatsu-tenugui"].map((handle) =>
      testApp.store.product(handle),
    );
    const withProduct = (id: StoreId, sortOrder: number) => ({ product: { id, title: "x" }, sortOrder });
    const deletedProduct = "gid://shopify/Product/999999";
    for (const [index, id] of [plain?.id ?? "", soldOut?.id ?? "", plain?.id ?? "", deletedProduct].entries())
      await testApp.addTag(eventId, [], withProduct(id, index));
    await testApp.addTag(eventId, [], { ...withProduct("gid://shopify/Product/1004", 4), hidden: true });
    const cards = await shop().listAttached(japaneseInput());
    expect(Object.entries(cards).map(([id, card]) => [id, card?.id])).toEqual([
      [plain?.id, plain?.id],
      [soldOut?.id, soldOut?.id],
      ["gid://shopify/Product/999999", undefined],
    ]);
    expect(testApp.store.requests.map(({ variables }) => variables.ids)).toEqual([
      [plain?.id, soldOut?.id, "gid://shopify/Product/999999"],
    ]);
  });

  it("cause no call to the store if there are none", async () => {
    expect(await shop().listAttached(japaneseInput())).toEqual({});
    expect(testApp.store.requests).toEqual([]);
  });

  it("are reported as in stock, partly or fully sold out, on back-order, or deleted, as in lists", async () => {
    const ids = ["seigaiha-tenugui", "asanoha-tenugui", "ichimatsu-tenugui", "namima-tenugui"].map(
      (handle) => testApp.store.product(handle).id,
    );
    const products = [...ids, "gid://shopify/Product/999999", "nonsense"].map((id) => ({
      id,
      title: "kept",
    }));
    const attachedProducts = await shop().checkAttached({ ...japaneseInput(), reader: asOwner(), products });
    expect(attachedProducts.map(({ title, state, soldOut }) => [title, state, soldOut])).toEqual([
      ["手ぬぐい 青海波", "in_stock", []],
      ["手ぬぐい 麻の葉", "some_sold_out", ["浅葱"]],
      ["手ぬぐい 市松", "sold_out", ["藍", "浅葱", "生成り"]],
      ["手ぬぐい 波間", "back_order", []],
      ["kept", "gone", []],
    ]);
    // Warnings are current, because they are not cached.
    await shop().checkAttached({ ...japaneseInput(), reader: asOwner(), products });
    expect(operations()).toEqual(["CardsWithStock", "CardsWithStock"]);
    const { products: listedProducts } = await shop().listProducts({ ...japaneseInput(), query: ALL });
    for (const { id, state } of attachedProducts.filter((product) => product.state !== "gone"))
      expect(listedProducts.find((product) => product.id === id)?.state).toBe(state);
    expect(toIdNumber(ids[0] ?? "")).toBe("1001");
  });
});

describe("a test of the connection", () => {
  const test = (storeUrl: string, typedToken: string, event: string | null = eventId) =>
    shop().testConnection({ actor: owner.actor, eventId: event, storeUrl, token: typedToken });

  it("returns the shop's name", async () => {
    const success = { state: "success", shopName: "藍と紙 ミュージアムショップ" };
    expect(await test(STORE_ORIGIN, DEMO_STORE_TOKEN)).toEqual(success);
    expect(await test("http://Store.Hiroba.Example/products ", ` ${DEMO_STORE_TOKEN} `, null)).toEqual(
      success,
    );
    expect(operations()).toEqual(["Shop", "Shop"]);
  });

  it("does nothing unless both values are given", async () => {
    for (const [url, typedToken] of [
      ["", ""],
      ["", DEMO_STORE_TOKEN],
      ["  ", " "],
    ] as const)
      expect(await test(url, typedToken)).toEqual({ state: "idle" });
    expect(await test(STORE_ORIGIN, "", null)).toEqual({ state: "idle" });
    expect(testApp.store.requests).toEqual([]);
  });

  it("uses the saved token for the saved URL, and for no other", async () => {
    expect(await test(STORE_ORIGIN, "")).toMatchObject({ state: "success" });
    expect(await test(`https://${MANY_STORE_HOST}`, "")).toEqual({ state: "idle" });
    expect(testApp.store.requests).toHaveLength(1);
  });

  it("reports an invalid URL or token without a call to the store", async () => {
    const cases = [
      ["not a host", "store:errors.spStoreUrl.invalid"],
      ["ftp://shop.example.com", "store:errors.spStoreUrl.invalid"],
      ["https://127.0.0.1", "store:errors.spStoreUrl.host"],
      ["https://localhost", "store:errors.spStoreUrl.host"],
      ["https://shop.local", "store:errors.spStoreUrl.host"],
      ["https://user:password@shop.example.com", "store:errors.spStoreUrl.credentials"],
    ] as const;
    for (const [url, key] of cases)
      expect(await test(url, DEMO_STORE_TOKEN), url).toEqual({
        state: "failure",
        code: "address",
        key,
        message: "",
      });
    expect(await test(STORE_ORIGIN, "shpss_0123")).toMatchObject({
      code: "token",
      key: "store:errors.spAccessToken.notStorefront",
    });
    expect(await test(STORE_ORIGIN, "two words")).toMatchObject({
      code: "token",
      key: "store:errors.spAccessToken.invalid",
    });
    expect(testApp.store.requests).toEqual([]);
  });

  it.each([...FAILURES, ["429", "throttled"], ["503", "server"], ["reset", "cut"]] as const)(
    "reports the reason of a failure: %s is %s",
    async (fault, code) => {
      const result = await test(`https://${faultHost(fault)}`, DEMO_STORE_TOKEN);
      expect(result).toMatchObject({ state: "failure", code, key: null });
      expect(JSON.stringify([result, testApp.logged])).not.toContain(DEMO_STORE_TOKEN);
    },
  );

  it("accepts the private token of the store, and no other private token", async () => {
    expect(await test(STORE_ORIGIN, "shpat_0123")).toMatchObject({ code: "unauthorized" });
    expect(await test(STORE_ORIGIN, DEMO_STORE_PRIVATE_TOKEN)).toMatchObject({ state: "success" });
  });

  it("fails with a wrong token, and does not repeat the token", async () => {
    const result = await test(STORE_ORIGIN, "wrong-token-of-somebody");
    expect(result).toMatchObject({
      state: "failure",
      code: "unauthorized",
      message: "GraphQL Client: Unauthorized",
    });
    expect(JSON.stringify(result)).not.toContain("wrong-token-of-somebody");
  });

  it("is not permitted to users who may not edit the event", async () => {
    const other = await testApp.addUser();
    const work = shop().testConnection({ actor: other.actor, eventId, storeUrl: STORE_ORIGIN, token: "t" });
    expect(await catchErrorCode(work)).toBe("not_found");
  });
});
