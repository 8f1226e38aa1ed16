/** Tests the shop's pages without a browser. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { toIdNumber } from "~/domain/store/store-ids";
import {
  type Caller,
  caller,
  changeEvent,
  type EventJson,
  linkPath,
  signIn,
  unescapeHtml,
} from "../../support/api/caller";
import { demoEvent, demoIds } from "../../support/app/demo";
import { DEMO_STORE_TOKEN, faultHost, MANY_STORE_HOST } from "../../support/external/demo-store";
import { eventWithStore, faultyPath, mainPath, shopPath } from "../../support/shop";
import { translateIn } from "../../support/translate";

const EN = { lang: "en" };
const t = translateIn("en");
/** Product ids of the demo store. */
const TENUGUI = "1001";
const SOLD_OUT = "1003";
const BACK_ORDER = "1004";
const SHIRT = "1009";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("curator");
});

/** Status, visible text and HTML of a page. */
async function openPage(path: string, visitor = caller()) {
  const { status, visibleText, text } = await visitor.get(path);
  return { status, visibleText, text };
}

/** Expected status of a page: `status` when the page contains the store's result, or 200 when it was sent before the result arrived. */
const expectedStatus = (page: { readonly text: string }, status: number) =>
  page.text.includes(t("store-visitors:loading")) ? 200 : status;

/** The variant id in a page's form. */
const readVariantId = (html: string) => /name="variant" value="(\d+)"/.exec(html)?.[1] ?? "";

/** The id of a collection in a page's links. */
const readCollectionId = (html: string) => /\/shop\/collections\/(\d+)/.exec(html)?.[1] ?? "";

describe("access to a shop", () => {
  test("follows the event: closed links, wrong tokens and missing tokens lead to the same page as for the event", async () => {
    const event = await eventWithStore(owner, MANY_STORE_HOST);
    const openPath = linkPath(event, "published");
    const paths = [
      "",
      `/products/${TENUGUI}`,
      "/collections",
      "/collections/1",
      "/cart",
      "/live",
      "/seen",
      "/x",
    ];
    const readRedirects = (path: string) =>
      Promise.all(
        paths.map(async (subpath) => {
          const response = await caller().fetch(shopPath(subpath, {}, path));
          return [response.status, response.headers.get("location")];
        }),
      );
    const redirectsToError = paths.map(() => [302, `/error/event/${event.uuid}`]);
    expect(await readRedirects(openPath.replace(/token=.*/, ""))).toEqual(redirectsToError);
    expect(await readRedirects(openPath.replace(/token=.*/, "token=wrong"))).toEqual(redirectsToError);
    expect(await readRedirects(openPath.replace("published", "preview"))).toEqual(redirectsToError);
    await changeEvent(owner, event.uuid, { status_id: 1 });
    expect(await readRedirects(openPath)).toEqual(redirectsToError);
  });

  test("requests the event's password on the event's own page, and reveals nothing before", async () => {
    const event = await eventWithStore(owner, MANY_STORE_HOST, { publish_password: "open-the-shop" });
    const path = linkPath(event, "published");
    for (const subpath of ["", `/products/${TENUGUI}`, "/cart", "/live"]) {
      const response = await caller().fetch(shopPath(subpath, EN, path));
      expect([subpath, response.status]).toEqual([subpath, 302]);
      expect(response.headers.get("location")).toContain(`/event/published/${event.uuid}?token=`);
      expect(await response.text()).toBe("");
    }
  });

  test("does not exist when an event has no store", async () => {
    const { event } = demoEvent(demoIds.panoramaEvent);
    const path = `/event/published/${event.id}?token=${event.accessToken}`;
    const { status, visibleText } = await openPage(shopPath("", EN, path));
    expect(status).toBe(404);
    expect(visibleText).toContain(t("store-visitors:noShop"));
    expect((await openPage(`${path}&lang=en`)).visibleText).not.toContain(t("store-visitors:cart"));
  });

  test("shows no product name in another language before the store has returned its name", async () => {
    // A store that does not respond in time.
    const event = await eventWithStore(owner, faultHost("hang"));
    const product = { id: "gid://shopify/Product/1001", title: "青海波の手ぬぐい" };
    await owner.api("POST", `/api/v1/events/${event.uuid}/content`, {
      commands: [
        { op: "create_tag", uuid: randomUUID(), values: { title: { ja: "花器", en: "Vase" }, product } },
      ],
    });
    const [english, japanese] = await Promise.all(
      ["en", "ja"].map((lang) => openPage(`${linkPath(event, "published")}&lang=${lang}`)),
    );
    expect(japanese?.visibleText).toContain(product.title);
    expect(english?.visibleText).not.toContain(product.title);
    expect(english?.visibleText).toContain(t("store-visitors:nameless", { number: toIdNumber(product.id) }));
  });

  test("is available under an event's preview link and its old links", async () => {
    const { event } = demoEvent(demoIds.mainEvent);
    const [publishedToken, previewToken] = [
      `token=${event.accessToken}`,
      `token=${event.previewAccessToken}`,
    ];
    for (const path of [
      `/event/preview/${event.id}?${previewToken}`,
      `/space/published/${event.id}/H1robaShwrm?${publishedToken}`,
      `/space/3d/${event.id}/H1robaShwrm?${publishedToken}`,
      `/space/preview/${event.id}/H1robaShwrm?${previewToken}`,
    ]) {
      const { status, text } = await openPage(shopPath(`/products/${TENUGUI}`, EN, path));
      expect([path, status]).toEqual([path, 200]);
      expect(unescapeHtml(text)).toContain(`href="${path}&lang=en"`);
    }
  });

  test("is excluded from search engines, has no metadata for other sites, and reveals neither the store's host nor its token", async () => {
    const { event } = demoEvent(demoIds.mainEvent);
    for (const path of [mainPath(), `/event/preview/${event.id}?token=${event.previewAccessToken}`]) {
      const { text } = await openPage(shopPath(`/products/${TENUGUI}`, EN, path));
      const head = text.slice(0, text.indexOf("</head>"));
      expect(head).toContain('<meta name="robots" content="noindex"/>');
      expect(head).not.toMatch(/property="og:|rel="canonical"|ld\+json|oembed/);
      expect(text).not.toContain(DEMO_STORE_TOKEN);
      expect(text).not.toContain("store.hiroba.example");
    }
  });
});

describe("a URL with unknown or invalid values", () => {
  test.each([
    ["/products/0", 404, "store:errors.store.productGone"],
    ["/products/abc", 404, "store:errors.store.productGone"],
    ["/products/999999999999999999999", 404, "store:errors.store.productGone"],
    ["/products/99999", 404, "store:errors.store.productGone"],
    ["/collections/99999", 404, "store:errors.store.collectionGone"],
    ["/collections/-1", 404, "store:errors.store.collectionGone"],
    ["/nothing/here", 404, "store-visitors:lost"],
  ] as const)("shows a message: %s", async (subpath, status, key) => {
    const response = await openPage(shopPath(subpath, EN));
    expect(response.status).toBe(expectedStatus(response, status));
    expect(response.visibleText).toContain(t(key));
    expect(response.visibleText).toContain("Indigo & Paper");
  });

  test("of the list shows the error, and keeps the input", async () => {
    const longText = "x".repeat(101);
    const search = await openPage(shopPath("", { ...EN, q: longText }));
    expect(search.status).toBe(400);
    expect(search.text).toContain(`value="${longText}"`);
    expect(search.text).toContain('aria-invalid="true"');
    for (const query of [{ after: "ば" }, { after: "a", before: "b" }, { before: "x".repeat(2000) }]) {
      const page = await openPage(shopPath("", { ...EN, ...query } as Record<string, string>));
      expect([JSON.stringify(query).slice(0, 30), page.status]).toEqual([
        JSON.stringify(query).slice(0, 30),
        400,
      ]);
      expect(page.visibleText).toContain(t("store:errors.store.noPage"));
    }
    // Only the store can validate a cursor.
    const collection = readCollectionId((await openPage(shopPath("/collections", EN))).text);
    for (const subpath of ["", `/collections/${collection}`]) {
      const page = await openPage(shopPath(subpath, { ...EN, after: "zzz" }));
      expect([subpath, page.status]).toEqual([subpath, expectedStatus(page, 400)]);
      expect(page.visibleText).toContain(t("store:errors.store.noPage"));
      expect(page.visibleText).toContain(t("store-visitors:toProducts"));
    }
  });

  test("with unknown options shows a message, and the product can still be added", async () => {
    const { status, text, visibleText } = await openPage(
      shopPath(`/products/${TENUGUI}`, { ...EN, "opt.Colour": "Gold", Color: "None such", "opt.": "" }),
    );
    expect(status).toBe(200);
    for (const message of [t("store-visitors:wrongChoice"), "Colour: Gold", "Color: None such"])
      expect(visibleText).toContain(message);
    expect(readVariantId(text)).not.toBe("");
  });

  test("finds nothing when no name matches", async () => {
    const { status, visibleText } = await openPage(shopPath("", { ...EN, q: "zzzz" }));
    expect(status).toBe(200);
    expect(visibleText).toContain("No products exist");
  });
});

describe("a product that cannot be bought", () => {
  test("shows the reason in the specification's words, and one on back order can be bought", async () => {
    const list = await openPage(shopPath("", { ...EN, q: "subscription" }));
    const subscription = /\/shop\/products\/(\d+)\?/.exec(list.text)?.[1] ?? "";
    const soldOut = await openPage(shopPath(`/products/${SOLD_OUT}`, EN));
    expect(soldOut.visibleText).toContain("Out of Stock");
    expect(readVariantId(soldOut.text)).toBe("");
    const subscriptionPage = await openPage(shopPath(`/products/${subscription}`, EN));
    expect(subscriptionPage.visibleText).toContain("Not available for sale");
    expect(readVariantId(subscriptionPage.text)).toBe("");
    const missingVariantPage = await openPage(
      shopPath(`/products/${SHIRT}`, { ...EN, "opt.Size": "XL", "opt.Color": "Natural" }),
    );
    expect(missingVariantPage.visibleText).toContain("The selected product variation does not exist");
    expect(readVariantId(missingVariantPage.text)).toBe("");
    const backOrderPage = await openPage(shopPath(`/products/${BACK_ORDER}`, EN));
    expect(backOrderPage.visibleText).toContain(t("store-visitors:backOrderText"));
    expect(readVariantId(backOrderPage.text)).not.toBe("");
  });

  test("distinguishes a missing variant from a sold-out one", async () => {
    const { text } = await openPage(
      shopPath(`/products/${SHIRT}`, { ...EN, "opt.Size": "XL", "opt.Color": "Indigo" }),
    );
    const readChoiceState = (value: string) => {
      const html = new RegExp(`<a [^>]*>(?:(?!</a>).)*>${value}<(?:(?!</a>).)*</a>`).exec(text)?.[0] ?? "";
      return html.replace(/<[^>]*>/g, "").split(": ")[1] ?? "";
    };
    expect(readChoiceState("Natural")).toBe(t("store-visitors:choiceNone"));
    const soldOut = await openPage(shopPath("/products/1002", EN));
    expect(soldOut.text.replace(/<[^>]*>/g, "")).toContain(
      `Pale blue: ${t("store-visitors:states.outOfStock")}`,
    );
  });
});

describe("the form that adds to the cart", () => {
  const addToCart = async (fields: Readonly<Record<string, string>>, visitor = caller()) =>
    visitor.post(shopPath(`/products/${TENUGUI}`, EN), fields);
  let variant = "";
  beforeAll(async () => {
    variant = readVariantId((await openPage(shopPath(`/products/${TENUGUI}`, EN))).text);
  });

  test.each(["0", "-1", "1.5", "1000000000", "", "ten", "1e3x", "９９９９９９９９"])(
    "rejects a quantity of “%s” beside its field, and keeps it",
    async (quantity) => {
      const page = await addToCart({ variant, quantity });
      expect(page.status).toBe(400);
      expect(page.visibleText).toContain(t("store:errors.store.quantity"));
      expect(page.text).toMatch(/aria-invalid="true"/);
      expect(page.text).toContain(`value="${quantity}"`);
      expect(page.headers.getSetCookie().join()).not.toContain("event-cart");
    },
  );

  test("reports a variant that does not exist or was removed", async () => {
    for (const [invalidVariant, status] of [
      ["x", 400],
      ["", 400],
      ["gid://shopify/Product/1", 400],
      ["987654321", 404],
    ] as const) {
      const page = await addToCart({ variant: invalidVariant, quantity: "1" });
      expect([invalidVariant, page.status]).toEqual([invalidVariant, status]);
      expect(page.visibleText).toContain("The selected product variation does not exist");
    }
  });

  test("leads to the cart, which is in a cookie, and also in the URL until the cookie comes back", async () => {
    const page = await addToCart({ variant, quantity: "2" });
    expect(page.status).toBe(303);
    const cookie = page.headers.getSetCookie().find((candidate) => candidate.startsWith("event-cart-"));
    expect(cookie).toMatch(/HttpOnly/i);
    const location = page.headers.get("location") ?? "";
    // No cookie has come back so far, so the URL carries the cart too.
    expect(location).toMatch(/\/shop\/cart\?token=.*&cart=/);
    const pageWithoutCookie = await openPage(location);
    expect(pageWithoutCookie.visibleText).toContain(t("store-visitors:subtotal"));
    const listPath =
      /href="([^"]*\/shop\?[^"]*cart=[^"]*)"/.exec(unescapeHtml(pageWithoutCookie.text))?.[1] ?? "";
    // Linked pages show the number of items in the cart.
    const cart = new URL(listPath, "http://x").searchParams.get("cart") ?? "";
    for (const path of [listPath, `${mainPath()}&lang=en&cart=${encodeURIComponent(cart)}`])
      expect((await openPage(path)).visibleText).toContain(t("store-visitors:inCart", { count: 2 }));
    // The cookie came back, so a redirect removes the cart from the URL.
    const redirect = await caller().fetch(location, { headers: { cookie: cookie?.split(";")[0] ?? "" } });
    expect(redirect.status).toBe(302);
    expect(redirect.headers.get("location")).not.toContain("cart=");
  });

  test("accepts no cart from another visitor's link, in the shop or at the event", async () => {
    const foreignCart = { ...EN, cart: "somebody.else" };
    for (const site of ["cross-site", "same-site", "none"])
      for (const path of [
        shopPath("/cart", foreignCart),
        shopPath("", foreignCart),
        `${mainPath()}&cart=${foreignCart.cart}`,
      ]) {
        const response = await caller().fetch(path, { headers: { "sec-fetch-site": site } });
        expect([path, response.status]).toEqual([path, 302]);
        expect(response.headers.get("location")).toContain("token=");
        expect(response.headers.get("location")).not.toContain("cart=");
        expect(response.headers.getSetCookie().join()).not.toContain("event-cart");
      }
    // A link from another page of the same visit may carry the cart.
    const sameOrigin = { headers: { "sec-fetch-site": "same-origin" } };
    expect((await caller().fetch(shopPath("/cart", foreignCart), sameOrigin)).status).toBe(200);
  });

  test("leads to a message when the store has reduced the quantity", async () => {
    const { text } = await openPage(shopPath("", { ...EN, q: "Enso Postcard" }));
    const productNumber = /\/shop\/products\/(\d+)\?/.exec(text)?.[1] ?? "";
    const path = shopPath(`/products/${productNumber}`, EN);
    const scarceVariant = readVariantId((await openPage(path)).text);
    const addResponse = await caller().post(path, { variant: scarceVariant, quantity: "5" });
    expect(addResponse.status).toBe(303);
    const page = await openPage(addResponse.headers.get("location") ?? "");
    // No cookie came back, so the page's link to the cart carries the cart.
    expect(unescapeHtml(page.text)).toMatch(/href="[^"]*\/shop\/cart\?[^"]*cart=/);
    expect(page.visibleText).toContain(t("store-visitors:changed"));
    expect(page.visibleText).toMatch(/you asked for 5, but only 2 are available/);
  });

  test("creates another cart when the old one has expired, and reports it", async () => {
    const path = shopPath(`/products/${TENUGUI}`, { ...EN, cart: "gone.key" });
    const addResponse = await caller().post(path, { variant, quantity: "1" });
    expect(addResponse.status).toBe(303);
    const page = await openPage(addResponse.headers.get("location") ?? "");
    expect(page.visibleText).toContain(t("store-visitors:adjusted.expired"));
    const cart = await openPage(shopPath("/cart", { ...EN, cart: "gone.key" }));
    expect(cart.visibleText).toContain(t("store-visitors:cartEmpty"));
    expect(cart.visibleText).toContain(t("store-visitors:adjusted.expired"));
  });
});

describe("the forms of the cart", () => {
  let path = "";
  let line = "";
  beforeAll(async () => {
    const productPath = shopPath(`/products/${TENUGUI}`, EN);
    const variant = readVariantId((await openPage(productPath)).text);
    path = (await caller().post(productPath, { variant, quantity: "2" })).headers.get("location") ?? "";
    line = unescapeHtml(/name="line" value="([^"]+)"/.exec((await openPage(path)).text)?.[1] ?? "");
  });

  test.each(["-1", "1.5", "1000000000", "", "all"])(
    "reject a quantity of “%s”, and keep it",
    async (quantity) => {
      const page = await caller().post(path, { intent: "update", line, quantity });
      expect(page.status).toBe(400);
      expect(page.visibleText).toContain(t("store:errors.store.lineQuantity"));
      expect(page.text).toContain(`value="${quantity}"`);
    },
  );

  test("report that an invalid or removed line no longer exists", async () => {
    for (const [invalidLine, status] of [
      ["x", 400],
      ["gid://shopify/CartLine/none?cart=none", 404],
    ] as const) {
      const page = await caller().post(path, { intent: "remove", line: invalidLine });
      expect([invalidLine, page.status]).toEqual([invalidLine, status]);
      expect(page.visibleText).toContain(t("store:errors.store.noLine"));
    }
  });

  test("change a line, and remove it", async () => {
    const updateResponse = await caller().post(path, { intent: "update", line, quantity: "3" });
    expect(updateResponse.status).toBe(303);
    expect((await openPage(path)).text).toMatch(/name="quantity"[^>]*value="3"/);
    expect((await caller().post(path, { intent: "remove", line })).status).toBe(303);
    expect((await openPage(path)).visibleText).toContain(t("store-visitors:cartEmpty"));
  });
});

describe("a store that fails", () => {
  test.each(["401", "404", "430", "500", "html", "empty", "broken", "missing", "graphql", "cut"] as const)(
    "(%s) leaves the event available, and the shop shows what could not be loaded",
    async (fault) => {
      const eventPath = await faultyPath(owner, fault);
      const [page, list, product, live] = await Promise.all([
        openPage(`${eventPath}&lang=en`),
        openPage(shopPath("", EN, eventPath)),
        openPage(shopPath(`/products/${TENUGUI}`, EN, eventPath)),
        caller().get(shopPath("/live", EN, eventPath)),
      ]);
      expect(page.status).toBe(200);
      for (const result of [list, product]) {
        expect(result.status).toBe(expectedStatus(result, 503));
        expect(result.visibleText).toContain("Failed to obtain product information");
        expect(result.visibleText).toContain(t("store-visitors:retry"));
        expect(result.visibleText).toContain(t("store-visitors:eventGoesOn"));
        expect(result.text).not.toContain(DEMO_STORE_TOKEN);
      }
      expect(live.status).toBe(200);
      const cart = await openPage(shopPath("/cart", { ...EN, cart: "some.key" }, eventPath));
      expect(cart.status).toBe(expectedStatus(cart, 503));
      expect(cart.visibleText).toContain(t("store:errors.store.cartFailed"));
      const addResponse = await caller().post(shopPath(`/products/${TENUGUI}`, EN, eventPath), {
        variant: "100100",
        quantity: "7",
      });
      expect(addResponse.status).toBe(503);
    },
  );

  test("and is still being retried is reported in a page that was already sent", async () => {
    const eventPath = await faultyPath(owner, "reset");
    const { status, visibleText } = await openPage(shopPath("", EN, eventPath));
    expect(status).toBe(200);
    // Three attempts take longer than the page waits for the store.
    expect(visibleText).toContain(t("store-visitors:slow"));
    expect(visibleText).toContain(t("store-visitors:retry"));
  });

  test("shows the specification's message with the reason, and keeps the quantity", async () => {
    const eventPath = await faultyPath(owner, "user-errors");
    const path = shopPath(`/products/${TENUGUI}`, EN, eventPath);
    const variant = readVariantId((await openPage(path)).text);
    const page = await caller().post(path, { variant, quantity: "7" });
    expect(page.status).toBe(409);
    expect(page.visibleText).toContain("Failed to add to cart. The store says: お一人さま二点までです。");
    expect(page.text).toMatch(/name="quantity"[^>]*value="7"|value="7"[^>]*name="quantity"/);
  });
});

describe("a slow store", () => {
  let event: EventJson;
  beforeAll(async () => {
    event = await eventWithStore(owner, "fault-slow.store.hiroba.example");
  });

  /** Reads a page as it arrives: `firstPart` is its text before `data-late` arrives, `text` is the whole page. */
  async function readInParts(path: string) {
    const response = await caller().fetch(path);
    const decoder = new TextDecoder();
    let text = "";
    let firstPart = "";
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(part, { stream: true });
      if (!text.includes("data-late")) firstPart = text;
    }
    return { status: response.status, firstPart, text };
  }

  test("delays no part of the event; for readers without scripts, a message is appended at the end of the page", async () => {
    const path = shopPath(`/products/${TENUGUI}`, EN, linkPath(event, "published"));
    const startTime = Date.now();
    const { status, firstPart, text } = await readInParts(path);
    expect(Date.now() - startTime).toBeLessThan(2_500);
    expect(status).toBe(200);
    expect(firstPart).toContain(event.event_name);
    expect(firstPart).toContain(t("store-visitors:back"));
    // The whole page with its scripts arrives before the store has responded.
    expect(firstPart).toContain("</html>");
    expect(firstPart).toContain('type="module"');
    expect(firstPart).not.toContain(t("store-visitors:add"));
    const latePart = /<noscript>(<div data-late="">.*)<\/noscript>$/s.exec(text)?.[1] ?? "";
    // After two seconds the page states that the store is slow and offers a retry.
    expect(latePart).toContain(t("store-visitors:slow"));
    expect(latePart).toContain(t("store-visitors:retry"));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await openPage(path)).text).toContain(t("store-visitors:add"));
    expect(latePart).not.toContain(t("store-visitors:loading"));
    expect(latePart).not.toContain("<template");
    // The appended part contains the heading exactly once.
    expect(latePart.match(/<h1/g)).toHaveLength(1);
  });

  test("leaves the event's own page with its link to the shop", async () => {
    const { status, visibleText } = await openPage(`${linkPath(event, "published")}&lang=en`);
    expect(status).toBe(200);
    expect(visibleText).toContain(t("store-visitors:entrance"));
  });
});

test("a shop with hundreds of products is read page by page, forwards and backwards", async () => {
  const eventPath = linkPath(await eventWithStore(owner, MANY_STORE_HOST), "published");
  const listProductIds = (html: string) =>
    [...html.matchAll(/\/shop\/products\/(\d+)\?/g)].map((match) => match[1]);
  const findPageLink = (html: string, rel: "next" | "prev") =>
    unescapeHtml(new RegExp(`<a [^>]*rel="${rel}"[^>]*href="([^"]+)"`).exec(html)?.[1] ?? "");
  const firstPage = await openPage(shopPath("", EN, eventPath));
  expect(findPageLink(firstPage.text, "prev")).toBe("");
  const secondPage = await openPage(findPageLink(firstPage.text, "next"));
  const thirdPage = await openPage(findPageLink(secondPage.text, "next"));
  expect(listProductIds(firstPage.text).length).toBe(250);
  expect(new Set([...listProductIds(firstPage.text), ...listProductIds(secondPage.text)]).size).toBe(500);
  expect(listProductIds((await openPage(findPageLink(thirdPage.text, "prev"))).text)).toEqual(
    listProductIds(secondPage.text),
  );
});
