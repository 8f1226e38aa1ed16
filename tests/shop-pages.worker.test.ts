/** Tests the loaders and actions of an event's page and its shop with the demo store. */
import { beforeEach, describe, expect, it } from "vitest";
import type { ProductView, Selection, StoredCart } from "~/domain/store/store";
import { severalField } from "~/domain/store/store.schema";
import { toIdNumber } from "~/domain/store/store-ids";
import { createCatalog, type Stock } from "../seed/store/catalog";
import { DemoStore, FAULTS } from "../seed/store/store";
import { type TestUser, useTestApp } from "./support/app/test-app";
import { DEMO_STORE_TOKEN, MANY_STORE_HOST, STORE_ORIGIN } from "./support/external/demo-store";
import { type BrowserPageRequest, resolveDeferredData, runPageLoaders } from "./support/run-page-loaders";

const testApp = useTestApp();
let owner: TestUser;
let eventId: string;
let token: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
  const store = { spStoreUrl: STORE_ORIGIN, spAccessToken: DEMO_STORE_TOKEN };
  await testApp.setEvent(eventId, { statusId: 3, enableAutoChangeStatus: false, ...store });
  const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
  token = event.accessToken;
  const { id } = testApp.store.product("seigaiha-tenugui");
  await testApp.addTag(eventId, [], { product: { id, title: "x" } });
});

const operations = () => testApp.store.requests.map(({ operation }) => operation);
const path = (subpath: string, query: Readonly<Record<string, string>> = {}) =>
  `/event/published/${eventId}${subpath}?${new URLSearchParams({ token, ...query })}`;
const settle = async () => {
  while (testApp.deferred.length > 0) await Promise.allSettled(testApp.deferred.splice(0));
};
/** Opens a page and waits until all of its streamed and background work is finished. */
async function open(
  subpath: string,
  query: Readonly<Record<string, string>> = {},
  request: BrowserPageRequest = {},
) {
  const page = await runPageLoaders(testApp, path(subpath, query), request);
  await resolveDeferredData(page.shop);
  await settle();
  return page;
}
const productPath = (handle: string) => `/shop/products/${toIdNumber(testApp.store.product(handle).id)}`;

const EN = { lang: "en" as const, country: null };
const reader = () => ({ link: { eventId, mode: "published" as const, token } });
const variantOf = (handle: string) => testApp.store.product(handle).variants[0]?.id ?? "";
/** Opens a path of the shop, for example that of a redirect. */
const follow = (location: string | null, request: BrowserPageRequest = {}) =>
  runPageLoaders(testApp, location ?? "/nowhere", request);
/** Creates a cart with one line, in the form that the browser stores. */
const cartWith = async (handle: string) => {
  const items = [{ variantId: variantOf(handle), quantity: 1 }];
  const { cartForCookie } = await testApp.services.shop.addToCart({
    ...EN,
    reader: reader(),
    storedCart: null,
    items,
  });
  return cartForCookie;
};

describe("a counted shop visit", () => {
  const title = (handle: string) => ({ lang: "en", text: testApp.store.product(handle).title.en });
  const enso = () => toIdNumber(testApp.store.product("enso-postcard").id);

  it("records a product that the store returned, with the store's own name, and no product that does not exist", async () => {
    const expectedItem = { act: "product", id: enso(), title: title("enso-postcard") };
    for (const isBuffered of [false, true])
      expect((await open(productPath("enso-postcard"), {}, { isBuffered })).counted).toEqual([expectedItem]);
    for (const number of ["999999999", "x"])
      expect((await open(`/shop/products/${number}`)).counted).toEqual([]);
    testApp.store.fail("500");
    expect((await open(productPath("seigaiha-tenugui"))).counted).toEqual([]);
  });

  it("records the product that was added to the cart, not the one in the URL", async () => {
    const { posted, counted } = await runPageLoaders(testApp, path("/shop/products/999999999"), {
      form: { variant: toIdNumber(variantOf("enso-postcard")), quantity: "1" },
    });
    expect(posted?.status).toBe(303);
    expect(counted).toEqual([{ act: "cart", id: enso(), title: title("enso-postcard") }]);
  });
});

describe("a change of the cart", () => {
  const enso = () => productPath("enso-postcard");
  const form = () => ({ variant: toIdNumber(variantOf("enso-postcard")), quantity: "5" });

  it("redirects to a page that reports what the store adjusted, and whose URL carries the cart when no cookie came back", async () => {
    const { posted, cookies } = await runPageLoaders(testApp, path(enso()), { form: form() });
    expect(posted?.status).toBe(303);
    expect(posted?.location).toMatch(/\/shop\/products\/\d+\?token=.*&cart=[^&]+&told=/);
    expect(cookies.at(-1)).toMatchObject({ quantity: 2 });
    const { shop } = await follow(posted?.location ?? null);
    expect(shop?.data.notes).toMatchObject([
      {
        text: expect.stringContaining("you asked for 5, but only 2 are available") as string,
        isChange: true,
      },
    ]);
    expect(shop?.data.count).toBe(2);
    // The cart's page shows the cart of its URL.
    const cart = await follow(
      path("/shop/cart", {
        cart: new URL(posted?.location ?? "", "http://x").searchParams.get("cart") ?? "",
      }),
    );
    expect(await resolveDeferredData(cart.shop)).toMatchObject({ value: { count: 2 } });
  });

  it("shows the cart's count on pages whose URL carries the cart, without requesting the cart", async () => {
    const { posted } = await runPageLoaders(testApp, path(productPath("seigaiha-tenugui")), {
      form: { variant: toIdNumber(variantOf("seigaiha-tenugui")), quantity: "3" },
    });
    const cart = new URL(posted?.location ?? "", "http://x").searchParams.get("cart") ?? "";
    for (const subpath of ["/shop", "/shop/collections", enso()])
      expect((await follow(path(subpath, { cart }))).shop?.data.count).toBe(3);
    expect(operations()).not.toContain("Cart");
    // If the cart in the URL states no count, none is shown.
    expect((await follow(path("/shop", { cart: cart.replace(/:.*/, "") }))).shop?.data.count).toBeNull();
  });

  it("adds no cart to the URL when the cookie came back, and shows the message to no other browser", async () => {
    const storedCart = await cartWith("seigaiha-tenugui");
    const { posted, cookies } = await runPageLoaders(testApp, path(enso()), { form: form(), storedCart });
    expect(posted?.location).not.toContain("cart=");
    const secondPage = await follow(posted?.location ?? null, { storedCart: cookies.at(-1) ?? null });
    expect(secondPage.shop?.data.notes).toHaveLength(1);
    expect((await follow(posted?.location ?? null)).shop?.data.notes).toEqual([]);
  });

  it("offers to restore a removed line for some minutes, and only to the cart after the removal", async () => {
    const storedCart = await cartWith("enso-postcard");
    const { cart } = await testApp.services.shop.readCart({ ...EN, reader: reader(), storedCart });
    const lineFields = { variant: toIdNumber(variantOf("enso-postcard")), had: "1", title: "Postcard" };
    const { posted, cookies } = await runPageLoaders(testApp, path("/shop/cart"), {
      form: { intent: "remove", line: cart?.lines[0]?.id ?? "", ...lineFields },
      storedCart,
    });
    const location = posted?.location ?? null;
    const openShop = async (cart: StoredCart | null) => {
      const { shop } = await follow(location, { storedCart: cart });
      return { count: shop?.data.count, isOffered: shop?.data.removedItem !== null, notes: shop?.data.notes };
    };
    const lastCookie = cookies.at(-1) ?? null;
    expect(await openShop(lastCookie)).toEqual({ count: 0, isOffered: true, notes: [] });
    expect(await openShop(storedCart)).toEqual({ count: 1, isOffered: false, notes: [] });
    testApp.time.now += 10 * 60_000;
    expect(await openShop(lastCookie)).toEqual({ count: 0, isOffered: false, notes: [] });
  });

  it("does not hide later changes of the cart", async () => {
    const storedCart = await cartWith("seigaiha-tenugui");
    const { posted, cookies } = await runPageLoaders(testApp, path(productPath("enso-postcard")), {
      form: form(),
      storedCart,
    });
    const change = new URL(posted?.location ?? "", "http://x").searchParams.get("told") ?? "";
    testApp.store.expireCarts();
    const { shop } = await follow(path("/shop/cart", { told: change }), {
      storedCart: cookies.at(-1) ?? null,
    });
    expect(shop?.data.notes).toHaveLength(1);
    expect(await resolveDeferredData(shop)).toMatchObject({ value: { notes: [expect.any(Object)] } });
  });

  it("reports an expired cart, but not to a browser with another cart", async () => {
    const storedCart = await cartWith("enso-postcard");
    const { cart } = await testApp.services.shop.readCart({ ...EN, reader: reader(), storedCart });
    testApp.store.expireCarts();
    const { posted, cookies } = await runPageLoaders(testApp, path("/shop/cart"), {
      form: { intent: "update", line: cart?.lines[0]?.id ?? "", quantity: "2" },
      storedCart,
    });
    expect(cookies).toEqual([null]);
    expect(posted?.location).toMatch(/\/shop\/cart\?.*&gone=1$/);
    expect(posted?.location).not.toContain("told=");
    const { shop } = await follow(posted?.location ?? null);
    expect(shop?.data.notes).toMatchObject([{ text: expect.stringContaining("expired") as string }]);
    const otherCart = await cartWith("seigaiha-tenugui");
    expect((await follow(posted?.location ?? null, { storedCart: otherCart })).shop?.data.notes).toEqual([]);
  });

  it("redirects a changed line to the cart, which reports it once", async () => {
    const storedCart = await cartWith("enso-postcard");
    const { cart } = await testApp.services.shop.readCart({ ...EN, reader: reader(), storedCart });
    const { posted, cookies } = await runPageLoaders(testApp, path("/shop/cart"), {
      form: { intent: "update", line: cart?.lines[0]?.id ?? "", quantity: "9" },
      storedCart,
    });
    expect([posted?.status, cookies.at(-1)?.quantity]).toEqual([303, 2]);
    const page = await follow(posted?.location ?? null, { storedCart: cookies.at(-1) ?? null });
    expect(page.shop?.data.notes).toMatchObject([
      { text: expect.stringContaining("you asked for 9, but only 2 are available") as string },
    ]);
    expect(await resolveDeferredData(page.shop)).toMatchObject({ value: { notes: [] } });
  });
});

describe("a line that is removed", () => {
  it.each([
    ["remove", ""],
    ["update", "0"],
  ])("is reported, and can be restored unchanged (%s)", async (intent, quantity) => {
    const items = [{ variantId: variantOf("seigaiha-tenugui"), quantity: 3 }];
    const { cartForCookie, cart } = await testApp.services.shop.addToCart({
      ...EN,
      reader: reader(),
      storedCart: null,
      items,
    });
    const line = cart?.lines[0];
    const lineFields = { variant: toIdNumber(variantOf("seigaiha-tenugui")), had: "3", title: "Tenugui" };
    const { posted, cookies } = await runPageLoaders(testApp, path("/shop/cart"), {
      form: { intent, quantity, line: line?.id ?? "", ...lineFields },
      storedCart: cartForCookie,
    });
    const storedCart = cookies.at(-1) ?? null;
    const { shop } = await follow(posted?.location ?? null, { storedCart });
    const removedItem = { variantId: variantOf("seigaiha-tenugui"), quantity: 3, title: "Tenugui" };
    expect(shop?.data).toMatchObject({ count: 0, notes: [], removedItem });
    const restored = await runPageLoaders(testApp, path("/shop/cart"), {
      form: { intent: "back", variant: lineFields.variant, quantity: "3" },
      storedCart,
    });
    expect([restored.posted?.status, restored.cookies.at(-1)]).toEqual([303, cartForCookie]);
    expect(restored.posted?.location).not.toContain("told=");
  });

  it("cannot be restored when its form lacks valid old values, and a forged restoration is rejected", async () => {
    const storedCart = await cartWith("seigaiha-tenugui");
    const { cart } = await testApp.services.shop.readCart({ ...EN, reader: reader(), storedCart });
    const line = cart?.lines[0]?.id ?? "";
    const invalidValues = { variant: "x", had: "-1", title: "" };
    const plain = await runPageLoaders(testApp, path("/shop/cart"), {
      form: { intent: "remove", line, ...invalidValues },
      storedCart,
    });
    expect([plain.posted?.status, plain.posted?.location]).toEqual([
      303,
      expect.not.stringContaining("told="),
    ]);
    const forged = await runPageLoaders(testApp, path("/shop/cart"), {
      form: { intent: "back", variant: "x", quantity: "1" },
      storedCart,
    });
    expect(forged.posted?.status).toBe(400);
  });
});

describe("an unknown store warning", () => {
  it("is shown in the store's own words, and not as a change of the cart", async () => {
    testApp.store.fail("warnings");
    const form = { variant: toIdNumber(variantOf("seigaiha-tenugui")), quantity: "1" };
    const { posted } = await runPageLoaders(testApp, path(productPath("seigaiha-tenugui")), { form });
    testApp.store.reset();
    const { shop } = await follow(posted?.location ?? null);
    expect(shop?.data.notes).toEqual([{ text: "配送に三日ほどかかります。", isChange: false }]);
  });
});

describe("a cart whose store is slow", () => {
  it("is corrected in the browser by an image request of the page, without a store request", async () => {
    const storedCart = await cartWith("seigaiha-tenugui");
    testApp.store.expireCarts();
    testApp.store.fail("slow");
    const { shop, cookies } = await runPageLoaders(testApp, path("/shop/cart"), { storedCart });
    const response = (await resolveDeferredData(shop)) as { value: { correction: string } };
    expect(cookies).toEqual([]);
    testApp.store.reset();
    const correctedPage = await follow(response.value.correction, { storedCart });
    expect(correctedPage.cookies).toEqual([null]);
    expect(operations()).toEqual([]);
    // The correction does not apply to a cart that was changed meanwhile, to another cart, or after a minute; a forged one never applies.
    const later = storedCart && { ...storedCart, quantity: 4 };
    expect((await follow(response.value.correction, { storedCart: later })).cookies).toEqual([]);
    const otherCart = await cartWith("seigaiha-postcard");
    expect((await follow(response.value.correction, { storedCart: otherCart })).cookies).toEqual([]);
    expect((await follow(path("/shop/seen", { told: "forged.bnVsbA" }), { storedCart })).cookies).toEqual([]);
    testApp.time.now += 61_000;
    expect((await follow(response.value.correction, { storedCart })).cookies).toEqual([]);
  });
});

describe("a page that is rendered for the cache", () => {
  it("is not cached without its collections", async () => {
    const subpath = productPath("seigaiha-tenugui");
    testApp.store.fail("cut-part");
    expect((await open(subpath, {}, { isBuffered: true })).shop?.status).toBe(503);
    expect((await open(subpath)).shop?.status).toBe(200);
    testApp.store.reset();
    // The shared response without collections has expired.
    testApp.time.now += 1_000;
    expect((await open(subpath, {}, { isBuffered: true })).shop?.status).toBe(200);
  });
});

describe("the part of an event's page that loads later", () => {
  it("shows the cart's count before the store has responded", async () => {
    testApp.store.fail("slow");
    const storedCart = { id: "gid://shopify/Cart/a?key=b", quantity: 3 };
    const { shop } = await runPageLoaders(testApp, path("/shop/live"), { storedCart });
    if (!(shop?.data instanceof Response)) throw new Error("No response");
    const { body } = shop.data;
    const bodyReader = body?.getReader();
    const read = async () =>
      JSON.parse(new TextDecoder().decode((await bodyReader?.read())?.value)) as unknown;
    expect(await read()).toEqual({ count: 3 });
    testApp.store.reset();
    expect(await read()).toMatchObject({ products: expect.any(Object) as object });
  });
});

describe("the page of an event", () => {
  it("shows the prices of its products, also to the first visitor, with the time of the store's response", async () => {
    const { id } = testApp.store.product("seigaiha-tenugui");
    const { event } = await runPageLoaders(testApp, path(""));
    const product = { price: "¥1,650", isInStock: true, respondedAt: testApp.time.now };
    const live = { products: { [id]: product }, readAt: { at: testApp.time.now, cachedForMs: 0 } };
    expect(event?.data.shop.live).toMatchObject(live);
    expect(operations()).toEqual(["Cards"]);
  });

  it("waits at most two seconds for a slow store, with scripts not at all, and sends one request", async () => {
    testApp.store.fail("slow", 1);
    const startedAt = Date.now();
    const scripted = await runPageLoaders(testApp, path(""), { isData: true });
    expect(scripted.event?.data.shop).toEqual({ products: [], live: null });
    expect(Date.now() - startedAt).toBeLessThan(1_000);
    const document = await runPageLoaders(testApp, path(""));
    expect(document.event?.data.shop.live).toBeNull();
    expect(Date.now() - startedAt).toBeLessThan(2_500);
    await open("/shop/live");
    // The part that loads later waits for the same response.
    expect(operations()).toEqual(["Cards"]);
  });
});

describe("the page of a product", () => {
  const shirt = () => productPath("seigaiha-shirt");
  const openProduct = async (
    subpath: string,
    query: Readonly<Record<string, string>>,
    request: BrowserPageRequest = {},
  ) => {
    const page = await open(subpath, query, request);
    const response = (await resolveDeferredData(page.shop)) as {
      value: { view: ProductView; unknownParts: Selection };
    };
    return { ...page, status: page.shop?.status, location: page.shop?.location, ...response.value };
  };
  const values = ({ view }: { readonly view: ProductView }) =>
    view.variant?.selectedOptions.map(({ value }) => value);

  it("selects a variant by option names in any case, by a variant id, and by Japanese names", async () => {
    expect(values(await openProduct(shirt(), { size: "m", COLOR: "Pale Blue" }))).toEqual(["M", "Pale blue"]);
    const variant = toIdNumber(testApp.store.product("seigaiha-shirt").variants[4]?.id ?? "");
    expect(values(await openProduct(shirt(), { variant }))).toEqual(["M", "Pale blue"]);
    expect(values(await openProduct(shirt(), { サイズ: "M", 色: "浅葱" }, { lang: "ja" }))).toEqual([
      "M",
      "浅葱",
    ]);
  });

  it("states the options of a wrong link that the product lacks, and still selects a variant", async () => {
    const wrong = { size: "XXXL", colour: "red", utm_source: "mail" };
    const page = await openProduct(shirt(), wrong);
    expect([page.status, page.unknownParts]).toEqual([
      200,
      [
        { name: "size", value: "XXXL" },
        { name: "colour", value: "red" },
      ],
    ]);
    expect(page.view.variant).not.toBeNull();
    expect((await openProduct(shirt(), { variant: "1" })).unknownParts).toEqual([
      { name: "variant", value: "1" },
    ]);
  });

  it("redirects option names of the other language, and older links by position, to its own names", async () => {
    const otherLanguage = await open(shirt(), { サイズ: "M", 色: "浅葱" });
    expect(otherLanguage.shop?.status).toBe(302);
    expect(otherLanguage.shop?.location).toBe(path(shirt(), { Size: "M", Color: "Pale blue" }));
    const old = await open(shirt(), { choice: "1.1" });
    expect(old.shop?.location).toBe(path(shirt(), { Size: "M", Color: "Pale blue" }));
    expect((await openProduct(shirt(), { choice: "9.9" })).unknownParts).toEqual([
      { name: "choice", value: "9.9" },
    ]);
  });

  it("requests the stock again when a visitor selects an option, with scripts after it has shown the cached data", async () => {
    const variant = testApp.store.product("seigaiha-tenugui").variants[1] as { stock: Stock };
    const stockBefore = variant.stock;
    const choice = { Color: "Pale blue" };
    const subpath = productPath("seigaiha-tenugui");
    expect((await openProduct(subpath, {})).view.state).toBe("in_stock");
    testApp.time.now += 5_000;
    try {
      variant.stock = { count: 0, continues: false };
      const scripted = await runPageLoaders(testApp, path(subpath, choice), { isData: true });
      const { value } = (await resolveDeferredData(scripted.shop)) as {
        value: { view: ProductView; freshResult: Promise<unknown> };
      };
      expect(value.view.state).toBe("in_stock");
      expect(await value.freshResult).toMatchObject({ ok: true, value: { state: "sold_out" } });
      await settle();
      testApp.time.now += 5_000;
      variant.stock = { count: 0, continues: true };
      expect((await openProduct(subpath, choice)).view.state).toBe("back_order");
    } finally {
      variant.stock = stockBefore;
    }
  });

  it("of a slow store responds within two seconds without scripts, and states where prices will appear", async () => {
    testApp.store.fail("slow");
    const startedAt = Date.now();
    const page = await runPageLoaders(testApp, path(shirt()));
    const response = await resolveDeferredData(page.shop);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    const message = expect.stringContaining("appear here once") as string;
    expect(response).toMatchObject({ ok: false, code: "slow", message, retry: true });
    // With scripts the page sends another request with a longer timeout.
    const data = await runPageLoaders(testApp, path(shirt()), { isData: true });
    expect(await resolveDeferredData(data.shop)).toMatchObject({ ok: true });
  });

  it("adds several selections in one store call, and keeps the form's values when one is invalid", async () => {
    const [a, b, c] = testApp.store.product("seigaiha-tenugui").variants.map(({ id }) => toIdNumber(id));
    const subpath = productPath("seigaiha-tenugui");
    const field = (variant = "") => severalField(variant);
    const postSelections = (form: Readonly<Record<string, string>>) =>
      runPageLoaders(testApp, path(subpath, { Color: "Indigo" }), { form: { intent: "several", ...form } });
    const wrong = await postSelections({ [field(a)]: "2", [field(b)]: "many", [field(c)]: "" });
    expect([wrong.posted?.status, wrong.posted?.data]).toEqual([
      400,
      {
        state: "several",
        typed: { [a ?? ""]: "2", [b ?? ""]: "many", [c ?? ""]: "" },
        errors: { [b ?? ""]: "Please enter a whole number from 0 to 1,000,000." },
        form: null,
      },
    ]);
    const withoutQuantity = await postSelections({ [field(a)]: "0" });
    expect([withoutQuantity.posted?.status, withoutQuantity.posted?.data.form]).toEqual([
      400,
      "Please enter a quantity for at least one option.",
    ]);
    expect((await postSelections({ "quantity.vx": "1" })).posted?.status).toBe(400);
    expect(operations()).not.toContain("CartLinesAdd");
    const { posted, cookies } = await postSelections({ [field(a)]: "2", [field(b)]: "1" });
    expect([posted?.status, cookies.at(-1)?.quantity]).toEqual([303, 3]);
    expect(operations().filter((operation) => operation === "CartLinesAdd")).toHaveLength(1);
  });
});

describe("an owner's preview", () => {
  const instant = "2031-01-01T00:00:00.000Z";
  const preview = (subpath: string, query: Readonly<Record<string, string>> = {}) =>
    `/event/${eventId}/as-visitor/page${subpath}?${new URLSearchParams({ link: "published", at: instant, ...query })}`;

  it("shows the shop as visitors would see it at that time, and cannot buy", async () => {
    const openPreview = (subpath: string) => runPageLoaders(testApp, preview(subpath), { person: owner });
    const { event, shop } = await openPreview(productPath("seigaiha-tenugui"));
    expect(event?.data).toMatchObject({ state: "open", shop: { products: [] } });
    expect(await resolveDeferredData(shop)).toMatchObject({
      ok: true,
      value: { view: { state: "in_stock" } },
    });
    for (const subpath of ["/shop", "/shop/collections", "/shop/cart"])
      expect(await resolveDeferredData((await openPreview(subpath)).shop), subpath).toMatchObject({
        ok: true,
      });
    const form = { variant: toIdNumber(variantOf("seigaiha-tenugui")), quantity: "1" };
    const storedCart = await cartWith("seigaiha-tenugui");
    const posted = await runPageLoaders(testApp, preview(productPath("seigaiha-tenugui")), {
      person: owner,
      form,
      storedCart,
    });
    expect([posted.posted?.status, posted.cookies]).toEqual([405, []]);
    const cart = await runPageLoaders(testApp, preview("/shop/cart"), { person: owner, storedCart });
    expect([await resolveDeferredData(cart.shop), cart.cookies]).toMatchObject([
      { value: { cart: null } },
      [],
    ]);
  });

  it("has no shop while the link is closed at that time, for other owners, and without a log-in", async () => {
    const openLinkPage = await runPageLoaders(testApp, preview("/shop", { link: "preview" }), {
      person: owner,
    });
    expect(openLinkPage.shop?.status).toBe(200);
    await testApp.setStatus(eventId, 4);
    const archived = await runPageLoaders(testApp, preview("/shop"), { person: owner });
    expect([archived.event?.data.state, archived.shop?.status]).toEqual(["closed", 302]);
    expect(archived.shop?.location).toMatch(/as-visitor\/page\?link=published&at=/);
    const stranger = await runPageLoaders(testApp, preview("/shop"), { person: await testApp.addUser() });
    expect([stranger.event?.status, stranger.shop?.status]).toEqual([404, 404]);
    expect((await runPageLoaders(testApp, preview("/shop"))).shop?.location).toBe("/login");
  });
});

it("a wrong token counts as one attempt, however many parts of a page check it", async () => {
  const { event, shop } = await runPageLoaders(testApp, path("/shop", { token: "wrong" }));
  expect([event?.location, shop?.location]).toEqual(Array(2).fill(`/error/event/${eventId}`));
  expect(testApp.limiter.failedKeys).toEqual(["place:token:192.0.2.1"]);
});

it("an event that is closed while a form is submitted is not shown with the rejected form", async () => {
  const { posted, event, shop } = await runPageLoaders(testApp, path(productPath("enso-postcard")), {
    form: { variant: toIdNumber(variantOf("enso-postcard")), quantity: "0" },
    meanwhile: () => testApp.setStatus(eventId, 4),
  });
  expect(posted?.status).toBe(400);
  // The visitor has the right link, so the page says that the event is over.
  for (const part of [event, shop])
    expect(part?.location).toMatch(new RegExp(`^/error/event/${eventId}\\?link=[\\w-]+$`));
});

it("a fault of the store during a visit causes no unexpected error, and keeps the cached list and a cart that has not expired", async () => {
  await open("/shop");
  const { products } = testApp.store.catalog;
  const messages: string[] = [];
  // Faults of timing or size have tests of their own, because they would take long here.
  const excludedFaults: readonly string[] = ["hang", "late", "slow", "slow-part", "huge"];
  for (const [index, fault] of FAULTS.filter((candidate) => !excludedFaults.includes(candidate)).entries()) {
    const storedCart = await cartWith("seigaiha-tenugui");
    testApp.store.fail(fault);
    const coldPath = `/shop/products/${toIdNumber(products[index]?.id ?? "")}`;
    const form = { variant: toIdNumber(variantOf("seigaiha-shirt")), quantity: "1" };
    const pages = await Promise.all([
      open(""),
      open("/shop"),
      open(coldPath),
      open("/shop", { q: fault }),
      open("/shop/cart", {}, { storedCart }),
      open("/shop/live", {}, { storedCart }),
    ]);
    const added = await runPageLoaders(testApp, path(productPath("seigaiha-shirt")), {
      form,
      storedCart,
    });
    for (const [i, { event, shop, errors, posted }] of [...pages, added].entries()) {
      const where = `${fault}, ${i}`;
      expect(errors, where).toEqual([]);
      if (event) expect([where, event.status, event.data.state]).toEqual([where, 200, "open"]);
      expect([200, 302, 404, 503], where).toContain(shop?.status ?? 200);
      expect([303, 404, 409, 503], where).toContain(posted?.status ?? 303);
      const response = shop && !(shop.data instanceof Response) ? await resolveDeferredData(shop) : null;
      messages.push(JSON.stringify([response, posted?.data instanceof Response ? null : posted?.data]));
      if (response && !(response as { ok: boolean }).ok)
        expect(response, where).toMatchObject({ message: expect.stringMatching(/\S/) as string });
    }
    expect(await resolveDeferredData(pages[1]?.shop ?? null), fault).toMatchObject({ ok: true });
    testApp.store.reset();
    // The cached failure has expired.
    testApp.time.now += 61_000;
    const cart = await open("/shop/cart", {}, { storedCart });
    const hasExpired = fault === "expired";
    const { id } = testApp.store.product("seigaiha-tenugui");
    const line = expect.objectContaining({ product: expect.objectContaining({ id }) as unknown }) as unknown;
    expect(await resolveDeferredData(cart.shop), fault).toMatchObject({
      ok: true,
      value: { cart: hasExpired ? null : { lines: expect.arrayContaining([line]) as unknown } },
    });
  }
  expect(messages.join("")).not.toContain(DEMO_STORE_TOKEN);
  expect(JSON.stringify(testApp.logged)).not.toContain(DEMO_STORE_TOKEN);
});

/** A store cursor, as in a page that was left open for a long time. */
function cursorAt(handle: string): string {
  return btoa(JSON.stringify({ last_id: new DemoStore().product(handle).id }));
}

const PAGES: readonly (readonly [string, () => string, Readonly<Record<string, string>>])[] = [
  ["the event itself", () => "", {}],
  ["the part of the event's page that loads later", () => "/shop/live", {}],
  ["the list", () => "/shop", {}],
  ["a search", () => "/shop", { q: "Seigaiha" }],
  ["a product", () => productPath("seigaiha-shirt"), {}],
  ["a product by the positions of a choice", () => productPath("seigaiha-shirt"), { choice: "2.1" }],
  ["a product by the names of a choice", () => productPath("seigaiha-shirt"), { Size: "M" }],
  ["the collections", () => "/shop/collections", {}],
  ["a collection", () => "/shop/collections/501", {}],
  ["a collection that is not there", () => "/shop/collections/2001", {}],
  ["the next page", () => "/shop", { after: cursorAt("seigaiha-tenugui") }],
  ["the previous page", () => "/shop", { before: cursorAt("seigaiha-shirt") }],
  ["the next page of a collection", () => "/shop/collections/501", { after: cursorAt("seigaiha-tenugui") }],
  ["the cart of a visitor without one", () => "/shop/cart", {}],
];

describe("a page", () => {
  it.each(PAGES)(
    "sends at most one store request per language, and none when it is cached: %s",
    async (_, getSubpath, query) => {
      for (const lang of ["en", "ja"] as const) {
        const requestsBefore = operations().length;
        const { shop } = await open(getSubpath(), query, { lang });
        if (query.after || query.before) expect(await resolveDeferredData(shop)).toMatchObject({ ok: true });
        const requestsAfterFirst = operations().length;
        expect(requestsAfterFirst - requestsBefore).toBeLessThanOrEqual(1);
        await open(getSubpath(), query, { lang });
        expect(operations()).toHaveLength(requestsAfterFirst);
      }
    },
  );

  it("of a selection of a large product sends one request when the URL has the exact names", async () => {
    await testApp.setEvent(eventId, { spStoreUrl: `https://${MANY_STORE_HOST}` });
    const large = createCatalog({ isLarge: true }).products.at(-1);
    const subpath = `/shop/products/${toIdNumber(large?.id ?? "")}`;
    const oldLinkPage = await open(subpath, { choice: "19.18" }, { lang: "ja" });
    expect([oldLinkPage.shop?.status, operations()]).toEqual([302, ["ProductWhole"]]);
    const productPage = await follow(oldLinkPage.shop?.location ?? null, { lang: "ja" });
    const { value } = (await resolveDeferredData(productPage.shop)) as { value: { view: ProductView } };
    expect(value.view.variant?.selectedOptions.map((option) => option.value)).toEqual([
      "250センチ",
      "270センチ",
    ]);
    expect(operations()).toEqual(["ProductWhole", "ProductDetail"]);
    const names = new URL(oldLinkPage.shop?.location ?? "", "https://hiroba.test").searchParams;
    expect(Object.fromEntries(names)).toMatchObject({ 幅: "250センチ", 丈: "270センチ", named: "ja" });
  });

  it("of an older link contains a link to the selection when it starts before the store responds", async () => {
    testApp.store.fail("slow", 1);
    const page = await open(productPath("seigaiha-shirt"), { choice: "1.1" }, { isData: true });
    expect(page.shop?.status).toBe(200);
    const localizedHref = expect.stringContaining("Size=M") as string;
    expect(await resolveDeferredData(page.shop)).toMatchObject({ ok: true, value: { localizedHref } });
    expect(operations()).toHaveLength(1);
  });

  it("of a cart requests the cart each time, because carts are never cached", async () => {
    const { cartForCookie } = await testApp.services.shop.createCart({
      reader: { link: { eventId, mode: "published", token } },
      lang: "en",
      country: null,
    });
    testApp.store.requests.length = 0;
    for (let visit = 1; visit <= 2; visit++) {
      await open("/shop/cart", {}, { storedCart: cartForCookie });
      expect(operations()).toEqual(Array(visit).fill("Cart"));
    }
  });
});
