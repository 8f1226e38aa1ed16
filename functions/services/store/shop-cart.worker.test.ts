import { beforeEach, describe, expect, it } from "vitest";
import type { StoredCart } from "~/domain/store/store";
import { catchErrorCode, useTestApp } from "../../../tests/support/app/test-app";
import { DEMO_STORE_TOKEN, STORE_ORIGIN } from "../../../tests/support/external/demo-store";

const testApp = useTestApp();
let input: {
  reader: { link: { eventId: string; mode: "published"; token: string } };
  lang: "ja" | "en";
  country: string | null;
};

beforeEach(async () => {
  const owner = await testApp.addUser();
  const { eventId } = await testApp.addSpace(owner);
  const store = { spStoreUrl: STORE_ORIGIN, spAccessToken: DEMO_STORE_TOKEN };
  await testApp.setEvent(eventId, { statusId: 3, enableAutoChangeStatus: false, ...store });
  const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
  input = {
    reader: { link: { eventId, mode: "published", token: event.accessToken } },
    lang: "ja",
    country: null,
  };
});

const shop = () => testApp.services.shop;
const variantOf = (handle: string, index = 0) => testApp.store.product(handle).variants[index]?.id ?? "";
const add = (storedCart: StoredCart | null, handle: string, quantity = 1) =>
  shop().addToCart({ ...input, storedCart: storedCart, items: [{ variantId: variantOf(handle), quantity }] });
const operations = () => testApp.store.requests.map(({ operation }) => operation);

describe("a cart", () => {
  it("starts empty, without a checkout", async () => {
    const { cart, adjustments, cartForCookie } = await shop().createCart(input);
    expect(cart).toMatchObject({
      totalQuantity: 0,
      checkoutUrl: null,
      lines: [],
      subtotal: { amount: "0.0", currencyCode: "JPY" },
    });
    expect(adjustments).toEqual([]);
    expect(cartForCookie).toEqual({ id: cart?.id, quantity: 0 });
  });

  it("does not exist without a cookie, and causes no request", async () => {
    expect(await shop().readCart({ ...input, storedCart: null })).toEqual({
      cart: null,
      adjustments: [],
      cartForCookie: null,
    });
    expect(testApp.store.requests).toEqual([]);
  });

  it("is created with the first item, and has its newest lines first, totals and the store's checkout", async () => {
    const firstResult = await add(null, "seigaiha-tenugui", 2);
    const { cart, cartForCookie } = await add(firstResult.cartForCookie, "seigaiha-postcard");
    expect(operations()).toEqual(["CartCreate", "CartLinesAdd", "CartLinesAdd"]);
    expect(
      cart?.lines.map(({ product, quantity, total }) => [product.title, quantity, total.amount]),
    ).toEqual([
      ["ポストカード 青海波", 1, "220.0"],
      ["手ぬぐい 青海波", 2, "3300.0"],
    ]);
    expect(cart).toMatchObject({
      totalQuantity: 3,
      total: { amount: "3520.0" },
      subtotal: { amount: "3520.0" },
    });
    expect(cart?.checkoutUrl).toMatch(/^https:\/\/store\.hiroba\.example\/cart\/c\//);
    expect(cartForCookie?.quantity).toBe(3);
    const secondResult = await shop().readCart({ ...input, storedCart: cartForCookie });
    expect(secondResult.cart).toEqual(cart);
  });

  it("accepts several variants at once, and adds a repeated variant to one line", async () => {
    const [a, b] = [variantOf("seigaiha-tenugui"), variantOf("seigaiha-postcard")];
    const items = [a, b, a].map((variantId) => ({ variantId, quantity: 1 }));
    const { cart, adjustments } = await shop().addToCart({ ...input, storedCart: null, items });
    expect(cart?.lines.map(({ quantity }) => quantity)).toEqual([1, 2]);
    expect(adjustments).toEqual([]);
  });

  it("is changed and emptied line by line; a change of a removed line is rejected", async () => {
    const { cart, cartForCookie } = await add(null, "seigaiha-tenugui");
    const id = cart?.lines[0]?.id ?? "";
    const updated = await shop().updateCartLine({
      ...input,
      storedCart: cartForCookie,
      line: { id, quantity: 5 },
    });
    expect([updated.cart?.totalQuantity, updated.adjustments]).toEqual([5, []]);
    const removed = await shop().removeCartLine({ ...input, storedCart: cartForCookie, lineId: id });
    expect([removed.cart?.lines, removed.adjustments, removed.cartForCookie?.quantity]).toEqual([[], [], 0]);
    const unknownLine = { ...input, storedCart: cartForCookie, lineId: id };
    expect(await catchErrorCode(shop().removeCartLine(unknownLine))).toBe("shop_no_line");
    expect(await catchErrorCode(shop().updateCartLine({ ...unknownLine, line: { id, quantity: 1 } }))).toBe(
      "shop_no_line",
    );
  });

  it("removes a line whose quantity is set to 0", async () => {
    const { cart, cartForCookie } = await add(null, "seigaiha-tenugui");
    const line = { id: cart?.lines[0]?.id ?? "", quantity: 0 };
    const { cart: empty, adjustments } = await shop().updateCartLine({
      ...input,
      storedCart: cartForCookie,
      line,
    });
    expect([empty?.lines, adjustments]).toEqual([[], []]);
  });

  it("has the currency of the visitor's country", async () => {
    const { cart } = await shop().addToCart({
      ...input,
      country: "US",
      storedCart: null,
      items: [{ variantId: variantOf("seigaiha-postcard"), quantity: 1 }],
    });
    expect(cart?.total).toEqual({ amount: "1.47", currencyCode: "USD" });
  });

  it("keeps its first currency when its visitor continues in another country", async () => {
    const items = [{ variantId: variantOf("seigaiha-postcard"), quantity: 2 }];
    const { cartForCookie } = await shop().addToCart({
      ...input,
      country: "US",
      storedCart: null,
      items,
    });
    const { cart } = await shop().readCart({ ...input, country: "JP", storedCart: cartForCookie });
    expect([cart?.total, ...(cart?.lines.map(({ each, total }) => [each, total]) ?? [])]).toEqual([
      { amount: "2.93", currencyCode: "USD" },
      [
        { amount: "1.47", currencyCode: "USD" },
        { amount: "2.93", currencyCode: "USD" },
      ],
    ]);
  });

  it("cannot be changed with another key than its own", async () => {
    const { cartForCookie } = await add(null, "seigaiha-tenugui");
    const forged = { id: `${cartForCookie?.id.split("?")[0]}?key=0`, quantity: 1 };
    const { cart } = await add(forged, "seigaiha-postcard");
    expect(cart?.id.split("?")[0]).not.toBe(cartForCookie?.id.split("?")[0]);
    expect((await shop().readCart({ ...input, storedCart: cartForCookie })).cart?.totalQuantity).toBe(1);
  });
});

describe("adjustments of a cart by the store", () => {
  it("are reported when fewer items are available than requested", async () => {
    const { cart, adjustments } = await add(null, "enso-postcard", 5);
    expect(adjustments).toEqual([
      {
        kind: "not_enough_stock",
        lineId: cart?.lines[0]?.id,
        title: "ポストカード 円相",
        asked: 5,
        quantity: 2,
        message: "Only 2 items were added to your cart due to availability.",
      },
    ]);
  });

  it("of an existing line do not state a requested quantity", async () => {
    const firstResult = await add(null, "enso-postcard");
    const { adjustments } = await add(firstResult.cartForCookie, "enso-postcard", 5);
    expect(adjustments).toMatchObject([{ kind: "not_enough_stock", asked: null, quantity: 2 }]);
  });

  it("are reported when no items are available, and the line stays", async () => {
    const { cart, adjustments, cartForCookie } = await add(null, "ichimatsu-tenugui");
    expect(adjustments).toMatchObject([
      { kind: "out_of_stock", title: "手ぬぐい 市松 – 藍", asked: 1, quantity: 0 },
    ]);
    expect([cart?.lines.length, cartForCookie?.quantity]).toEqual([1, 0]);
  });

  it("are reported when a line was changed to more than the stock", async () => {
    const { cart, cartForCookie } = await add(null, "enso-postcard");
    const line = { id: cart?.lines[0]?.id ?? "", quantity: 1_000_000 };
    const { adjustments } = await shop().updateCartLine({ ...input, storedCart: cartForCookie, line });
    expect(adjustments).toMatchObject([{ kind: "not_enough_stock", asked: 1_000_000, quantity: 2 }]);
  });

  it("do not occur for a back-order of a large quantity", async () => {
    const { cart, adjustments } = await add(null, "namima-tenugui", 500);
    expect([cart?.totalQuantity, adjustments]).toEqual([500, []]);
  });

  it("are reported in the store's own words when Hiroba has no message for them", async () => {
    testApp.store.fail("warnings");
    const { adjustments } = await add((await shop().createCart(input)).cartForCookie, "seigaiha-tenugui");
    expect(adjustments).toEqual([
      {
        kind: "other",
        lineId: null,
        title: "",
        asked: null,
        quantity: null,
        message: "配送に三日ほどかかります。",
      },
    ]);
  });

  it("are reported when a line disappeared meanwhile", async () => {
    const firstResult = await add(null, "seigaiha-tenugui", 2);
    const { cartForCookie } = await add(firstResult.cartForCookie, "seigaiha-postcard");
    testApp.store.removeVariant(variantOf("seigaiha-tenugui"));
    const { cart, adjustments } = await shop().readCart({ ...input, storedCart: cartForCookie });
    expect(cart?.totalQuantity).toBe(1);
    expect(adjustments).toMatchObject([{ kind: "removed", asked: 3, quantity: 1 }]);
  });
});

describe("a cart that has expired", () => {
  it("is removed and reported when it is read, changed or emptied", async () => {
    const { cart, cartForCookie } = await add(null, "seigaiha-tenugui");
    testApp.store.expireCarts();
    const lineId = cart?.lines[0]?.id ?? "";
    const expired = { cart: null, adjustments: [{ kind: "expired" }], cartForCookie: null };
    expect(await shop().readCart({ ...input, storedCart: cartForCookie })).toMatchObject(expired);
    expect(await shop().removeCartLine({ ...input, storedCart: cartForCookie, lineId })).toMatchObject(
      expired,
    );
    const line = { id: lineId, quantity: 2 };
    expect(await shop().updateCartLine({ ...input, storedCart: cartForCookie, line })).toMatchObject(expired);
    expect(await shop().updateCartLine({ ...input, storedCart: null, line })).toMatchObject(expired);
  });

  it("is replaced and reported when an item is added", async () => {
    const { cartForCookie } = await add(null, "seigaiha-tenugui");
    testApp.store.expireCarts();
    const { cart, adjustments, cartForCookie: newCart } = await add(cartForCookie, "seigaiha-postcard");
    expect(cart?.lines.map(({ product }) => product.title)).toEqual(["ポストカード 青海波"]);
    expect(adjustments).toMatchObject([{ kind: "expired" }]);
    expect(newCart?.id).not.toBe(cartForCookie?.id);
  });
});

describe("an item that cannot be added", () => {
  it("is a variant that no longer exists, and the cart stays unchanged", async () => {
    const { cartForCookie } = await add(null, "seigaiha-postcard");
    const missing = {
      ...input,
      storedCart: cartForCookie,
      items: [{ variantId: "gid://shopify/ProductVariant/1", quantity: 1 }],
    };
    expect(await catchErrorCode(shop().addToCart(missing))).toBe("shop_no_variant");
    testApp.store.fail("vanished");
    expect(await catchErrorCode(add(cartForCookie, "seigaiha-tenugui"))).toBe("shop_no_variant");
    testApp.store.reset();
    expect((await shop().readCart({ ...input, storedCart: cartForCookie })).cart?.totalQuantity).toBe(1);
  });

  it("may be rejected by the store with its own reason, and so may the change of a line", async () => {
    const { cartForCookie, cart } = await add(null, "seigaiha-postcard");
    testApp.store.fail("user-errors");
    const rejected = add(cartForCookie, "seigaiha-tenugui");
    const values = { message: "お一人さま二点までです。" };
    expect(await catchErrorCode(rejected)).toBe("shop_refused");
    await expect(rejected).rejects.toMatchObject({
      userMessage: { key: "store:errors.store.addRejected", values },
    });
    const line = { id: cart?.lines[0]?.id ?? "", quantity: 3 };
    const changes = [
      () => shop().updateCartLine({ ...input, storedCart: cartForCookie, line }),
      () => shop().removeCartLine({ ...input, storedCart: cartForCookie, lineId: line.id }),
    ];
    for (const change of changes)
      await expect(change()).rejects.toMatchObject({
        code: "shop_refused",
        userMessage: { key: "store:errors.store.changeRejected", values },
      });
  });

  it("is sent again, like other changes of carts, only after 429 and 503, because a change without a response may have been executed", async () => {
    const { cart, cartForCookie } = await add(null, "seigaiha-postcard");
    const id = cart?.lines[0]?.id ?? "";
    for (const change of [
      () => add(cartForCookie, "seigaiha-tenugui"),
      () => shop().updateCartLine({ ...input, storedCart: cartForCookie, line: { id, quantity: 2 } }),
      () => shop().removeCartLine({ ...input, storedCart: cartForCookie, lineId: id }),
      () => shop().createCart(input),
    ]) {
      for (const [fault, code, tries] of [
        ["reset", "store_cut", 1],
        ["500", "store_server", 1],
        ["503", "store_retries", 3],
        ["429", "store_retries", 3],
      ] as const) {
        testApp.store.reset();
        // Only the requests of the change itself are counted. The cart is read afterwards.
        testApp.store.fail(fault, tries);
        expect(await catchErrorCode(change())).toBe(code);
        const sentOperations = operations();
        expect(sentOperations.filter((operation) => operation === sentOperations[0])).toHaveLength(tries);
        // The cached failure has expired.
        testApp.time.now += 60_000;
      }
    }
  });

  it("is added to a new cart when the store no longer has the cart, and fails if that fails, too", async () => {
    const { cartForCookie } = await add(null, "seigaiha-postcard");
    testApp.store.fail("no-cart", 1);
    const { adjustments, cartForCookie: newCart } = await add(cartForCookie, "seigaiha-tenugui");
    expect(adjustments).toMatchObject([{ kind: "expired" }]);
    expect(newCart?.id).not.toBe(cartForCookie?.id);
    testApp.store.reset();
    testApp.store.fail("no-cart");
    expect(await catchErrorCode(add(newCart, "seigaiha-tenugui"))).toBe("store_bad_answer");
    expect(operations()).toEqual(["CartLinesAdd", "CartCreate"]);
  });
});
