import { beforeEach, describe, expect, it } from "vitest";
import { createCatalog, type DemoProduct } from "../../seed/store/catalog";
import { DEMO_STORE_PRIVATE_TOKEN, MANY_STORE_HOST } from "../../seed/store/hosts-and-tokens";
import { DemoStore } from "../../seed/store/store";
import {
  DEMO_STORE_TOKEN,
  NO_CHOICE,
  STORE_ORIGIN,
  storeDeps,
} from "../../tests/support/external/demo-store";

const store = new DemoStore();
const JA = { language: "JA", country: null } as const;
const access = { origin: STORE_ORIGIN, token: DEMO_STORE_TOKEN };
let deferred: Promise<unknown>[] = [];
const createStorefront = () =>
  storeDeps({ store, now: () => 1_000_000, secret: "s", defer: (work) => deferred.push(work) }).storefront;
const visitor = { ...access, buyerIp: null };
const operations = () => store.requests.map(({ operation }) => operation);

beforeEach(() => {
  store.reset();
  deferred = [];
});

describe("a product that many visitors request at once", () => {
  const { id } = store.product("seigaiha-tenugui");

  it("is requested once, with its collections for all callers", async () => {
    const { product } = createStorefront();
    const products = await Promise.all([1, 2, 3, 4].map(() => product(access, id, NO_CHOICE, JA)));
    expect(operations()).toEqual(["ProductWhole"]);
    expect(products.map((product) => product?.product.title)).toEqual(Array(4).fill("手ぬぐい 青海波"));
    expect(await Promise.all(products.map(async (product) => (await product?.collections)?.length))).toEqual([
      2, 2, 2, 2,
    ]);
  });

  it("is shown to all callers without its collections if those do not arrive", async () => {
    // The connection breaks in the second part of the response, which has the collections.
    store.fail("cut-part", 1);
    const { product } = createStorefront();
    const [first, second] = await Promise.all([1, 2].map(() => product(access, id, NO_CHOICE, JA)));
    expect(await first?.collections).toBeNull();
    expect(second?.product.title).toBe("手ぬぐい 青海波");
    expect(await second?.collections).toBeNull();
    expect(operations()).toHaveLength(1);
    await Promise.all(deferred);
  });

  it("fails for all of them with one call, and no caller keeps waiting", async () => {
    store.fail("500", 1);
    const { product } = createStorefront();
    const [first, second] = await Promise.allSettled([1, 2].map(() => product(access, id, NO_CHOICE, JA)));
    expect([first?.status, second?.status]).toEqual(["rejected", "rejected"]);
    expect(operations()).toHaveLength(1);
    await Promise.all(deferred);
  });
});

describe("a store that fails for fifty visitors", () => {
  const productIds = store.catalog.products.map(({ id }) => id).slice(0, 50);
  const visitors = Array.from({ length: 50 }, (_, index) => index);
  const settleAll = (work: readonly Promise<unknown>[]) =>
    Promise.allSettled(work).then((results) => results.filter(({ status }) => status === "rejected").length);

  it.each([
    ["503", 3],
    ["429", 3],
    ["500", 1],
    ["throttled", 1],
    ["html", 1],
    ["graphql", 1],
  ] as const)("(%s) is called %i times for simultaneous requests of the same page", async (fault, calls) => {
    store.fail(fault);
    const { product } = createStorefront();
    expect(await settleAll(visitors.map(() => product(access, productIds[0] ?? "", NO_CHOICE, JA)))).toBe(50);
    expect(operations()).toHaveLength(calls);
    await Promise.allSettled(deferred);
  });

  it("is called at most nine times for three kinds of pages, one visitor after the other", async () => {
    store.fail("503");
    const { product, products, cards } = createStorefront();
    const firstPage = { q: "", after: null, before: null };
    for (const index of visitors) {
      const id = productIds[index % productIds.length] ?? "";
      expect(
        await settleAll([
          product(access, id, NO_CHOICE, JA),
          products(access, firstPage, JA),
          cards(access, [id], JA),
        ]),
      ).toBe(3);
    }
    // The first three calls went out together, with three attempts each.
    expect(operations().length).toBeLessThanOrEqual(9);
    await Promise.allSettled(deferred);
  });

  it("is not called again by all of them if they request different pages at once", async () => {
    store.fail("503");
    const { product } = createStorefront();
    await settleAll(productIds.map((id) => product(access, id, NO_CHOICE, JA)));
    // Each caller made one attempt before any failure was known, and three of them made two more.
    expect(operations().length).toBeLessThanOrEqual(productIds.length + 6);
    await Promise.allSettled(deferred);
  });

  it("does not block carts after failures of products, nor products after failures of carts", async () => {
    store.fail("503");
    const { product, createCart } = createStorefront();
    await settleAll([product(access, productIds[0] ?? "", NO_CHOICE, JA)]);
    store.reset();
    expect((await createCart(visitor, JA)).totalQuantity).toBe(0);
    store.fail("401", 1);
    await settleAll([createCart(visitor, JA)]);
    await expect(createCart(visitor, JA)).rejects.toMatchObject({
      code: "unauthorized",
      isRepeatedWithoutCall: true,
    });
    await expect(product(access, productIds[0] ?? "", NO_CHOICE, JA)).rejects.toMatchObject({
      code: "retries",
    });
    expect(operations()).toEqual(["CartCreate", "CartCreate"]);
    store.fail("401", 1);
    const otherIsolate = createStorefront();
    await settleAll([otherIsolate.createCart(visitor, JA)]);
    expect(await otherIsolate.product(access, productIds[0] ?? "", NO_CHOICE, JA)).not.toBeNull();
    await Promise.allSettled(deferred);
  });

  it("is called again after the wait, by one caller only", async () => {
    store.fail("retry-after");
    let now = 1_000_000;
    const { product } = storeDeps({
      store,
      now: () => now,
      secret: "s",
      defer: (work: Promise<unknown>) => deferred.push(work),
    }).storefront;
    const visit = (index: number) => settleAll([product(access, productIds[index] ?? "", NO_CHOICE, JA)]);
    await visit(0);
    expect(operations()).toHaveLength(1);
    now += 29_000;
    await visit(1);
    expect(operations()).toHaveLength(1);
    now += 1_000;
    store.reset();
    expect(await Promise.all([visit(2), visit(3)])).toEqual([0, 1]);
    expect(operations()).toHaveLength(1);
    expect(await visit(4)).toBe(0);
    await Promise.allSettled(deferred);
  });
});

describe("a selection of a product", () => {
  it("is found with one call, and further selections of the product without a call", async () => {
    const { product } = createStorefront();
    const { id, variants } = store.product("seigaiha-shirt");
    for (const choice of [
      { ...NO_CHOICE, names: [{ name: "サイズ", value: "m" }] },
      { ...NO_CHOICE, variant: variants[4]?.id ?? "" },
      { ...NO_CHOICE, positions: [3, 0] },
      { ...NO_CHOICE, names: [{ name: "nothing", value: "x" }] },
    ]) {
      const response = await product(access, id, choice, JA);
      expect(response?.product.variants).toHaveLength(variants.length);
      expect(response?.choice.wrong).toHaveLength(choice.names[0]?.name === "nothing" ? 1 : 0);
      await response?.collections;
      await Promise.all(deferred);
    }
    expect(operations()).toEqual(["ProductWhole"]);
  });

  describe("of a product with more variants than one response contains", () => {
    // The last product of this store has 20 widths and 20 heights.
    const largeStore = { ...access, origin: `https://${MANY_STORE_HOST}` };
    const { id, variants } = createCatalog({ isLarge: true }).products.at(-1) as DemoProduct;
    const names = [
      { name: "幅", value: "250センチ" },
      { name: "丈", value: "270センチ" },
    ];

    it("is found with one call by the exact names of a URL", async () => {
      const response = await createStorefront().product(
        largeStore,
        id,
        { ...NO_CHOICE, names, isExact: true },
        JA,
      );
      expect(operations()).toEqual(["ProductDetail"]);
      expect(response?.product.isLarge).toBe(true);
      expect(response?.choice).toEqual({ selection: names, wrong: [] });
      expect(response?.product.variant?.selectedOptions).toEqual(names);
      // The chosen variant, and those that differ from it in one option.
      expect(response?.product.variants).toHaveLength(39);
    });

    it("is found by names with another character width, and by a variant's number, but not by an unknown number", async () => {
      const wideNames = names.map(({ name, value }) => ({ name, value: value.replace("2", "２") }));
      const choice = { ...NO_CHOICE, names: wideNames };
      const typedNames = await createStorefront().product(largeStore, id, choice, JA);
      expect(operations()).toEqual(["ProductWhole", "ProductDetail"]);
      expect(typedNames?.product.variant?.selectedOptions).toEqual(names);
      store.requests.length = 0;
      const lastVariantId = variants[19 * 20 + 18]?.id.split("/").at(-1) ?? "";
      const byNumber = await createStorefront().product(
        largeStore,
        id,
        { ...NO_CHOICE, variant: lastVariantId },
        JA,
      );
      expect(operations()).toEqual(["ProductWhole", "VariantOptions", "ProductDetail"]);
      expect(byNumber?.choice).toEqual({ selection: names, wrong: [] });
      store.requests.length = 0;
      const unknownNumber = await createStorefront().product(
        largeStore,
        id,
        { ...NO_CHOICE, variant: "100100" },
        JA,
      );
      expect(unknownNumber?.choice.wrong).toEqual([{ name: "variant", value: "100100" }]);
    });

    it("by positions is returned with the names for its URL", async () => {
      const response = await createStorefront().product(
        largeStore,
        id,
        { ...NO_CHOICE, positions: [19, 18] },
        JA,
      );
      expect(response?.choice).toEqual({ selection: names, wrong: [] });
      expect(operations()).toEqual(["ProductWhole"]);
    });
  });
});

/** "renewed" requests a product again if it is older than a second; `renewWithinMs` waits for it at most that long. */
describe("the stock of a selection", () => {
  const { id } = store.product("asanoha-tenugui");
  const setUp = () => {
    const time = { now: 1_000_000 };
    const deps = storeDeps({ store, now: () => time.now, secret: "s", defer: (work) => deferred.push(work) });
    const { product } = deps.storefront;
    return { time, product };
  };
  const settleAll = async () => {
    while (deferred.length > 0) await Promise.allSettled(deferred.splice(0));
  };

  it("is requested again, once for all visitors who choose within a second", async () => {
    const { time, product } = setUp();
    await product(access, id, NO_CHOICE, JA);
    await settleAll();
    time.now += 5_000;
    const products = await Promise.all([1, 2, 3].map(() => product(access, id, NO_CHOICE, JA, "renewed")));
    await settleAll();
    expect(operations()).toHaveLength(2);
    expect(products[2]?.product.respondedAt).toBe(time.now);
    time.now += 500;
    await product(access, id, NO_CHOICE, JA, "renewed");
    expect(operations()).toHaveLength(2);
    // A visitor who opens the page afterwards gets the newer response.
    expect((await product(access, id, NO_CHOICE, JA))?.product.respondedAt).toBe(1_005_000);
  });

  it('is the cached one, with its age, if the store fails or does not respond in time, unless "renewed" is requested', async () => {
    for (const fault of ["hang", "500"] as const) {
      const { time, product } = setUp();
      await product(access, id, NO_CHOICE, JA);
      await settleAll();
      time.now += 120_000;
      store.fail(fault, 1);
      const response = await product(access, id, NO_CHOICE, JA, { renewWithinMs: 20 });
      expect(response?.product.respondedAt).toBe(1_000_000);
      deferred = [];
    }
    const { time, product } = setUp();
    await product(access, id, NO_CHOICE, JA);
    await settleAll();
    time.now += 120_000;
    store.fail("500", 1);
    await expect(product(access, id, NO_CHOICE, JA, "renewed")).rejects.toMatchObject({ code: "server" });
  });
});

describe("an access token", () => {
  const privateAccess = { origin: STORE_ORIGIN, token: DEMO_STORE_PRIVATE_TOKEN };
  const findHeaders = (operation: string) =>
    store.requests.find((request) => request.operation === operation)?.headers ?? {};
  const BUYER_IP_HEADER = "shopify-storefront-buyer-ip";

  it("that is private is sent in its own header, with the buyer's address only for carts", async () => {
    const { products, product, createCart, cart, addLines, updateLine, removeLine } = createStorefront();
    const asBuyer = { ...privateAccess, buyerIp: "192.0.2.7" };
    await products(privateAccess, { q: "", after: null, before: null }, JA);
    await product(privateAccess, store.product("seigaiha-tenugui").id, NO_CHOICE, JA);
    const { id } = await createCart(asBuyer, JA);
    const variantId = store.product("seigaiha-tenugui").variants[0]?.id ?? "";
    const added = await addLines(asBuyer, id, [{ variantId, quantity: 1 }], JA);
    const line = added.status === "done" ? (added.cart.lines[0]?.id ?? "") : "";
    await cart(asBuyer, id, JA);
    await updateLine(asBuyer, id, { id: line, quantity: 2 }, JA);
    await removeLine(asBuyer, id, line, JA);
    for (const { headers, operation } of store.requests) {
      expect(headers["shopify-storefront-private-token"], operation).toBe(DEMO_STORE_PRIVATE_TOKEN);
      expect(headers["x-shopify-storefront-access-token"], operation).toBeUndefined();
      expect(headers[BUYER_IP_HEADER], operation).toBe(
        operation.startsWith("Cart") ? "192.0.2.7" : undefined,
      );
    }
    expect(operations()).toEqual([
      "Products",
      "ProductWhole",
      "CartCreate",
      "CartLinesAdd",
      "Cart",
      "CartLinesUpdate",
      "CartLinesRemove",
    ]);
  });

  it("that is public is sent without the buyer's address", async () => {
    await createStorefront().createCart({ ...access, buyerIp: "192.0.2.7" }, JA);
    expect(findHeaders("CartCreate")[BUYER_IP_HEADER]).toBeUndefined();
    expect(findHeaders("CartCreate")["x-shopify-storefront-access-token"]).toBe(DEMO_STORE_TOKEN);
  });
});
