import { describe, expect, it } from "vitest";
import type { Uuid } from "~/domain/shared/model";
import { normaliseVisitorUrl } from "./page-request";
import { getPlainPage, plainShopRequest, plainViewerRequest, separateTag } from "./viewer-page";

const EVENT = "0b5a4a0c-3c1e-4f8e-9a57-2f6a1c9d0e11";
const readViewerRequest = (path: string, init?: RequestInit) => {
  const request = new Request(`https://hiroba.example${path}`, init);
  return plainViewerRequest(request, normaliseVisitorUrl(new URL(request.url)));
};

it("finds the cacheable page of a visitor's plain request", () => {
  expect(readViewerRequest(`/event/published/${EVENT}?token=abc`)).toEqual({
    mode: "published",
    eventId: EVENT,
    token: "abc",
    page: `/event/published/${EVENT}?`,
    hasSelection: false,
  });
  expect(readViewerRequest(`/event/preview/${EVENT}?lang=en&token=abc`)).toMatchObject({ mode: "preview" });
  expect(
    readViewerRequest(`/event/published/${EVENT}?token=abc`, {
      headers: { cookie: "lang=en; session-ticket=t" },
    }),
  ).not.toBeNull();
});

it("returns null without a token, for a single visitor, and for other pages and methods", () => {
  for (const path of [
    `/event/published/${EVENT}`,
    `/event/published/${EVENT}?token=`,
    `/event/published/${EVENT}?token=a&cart=c`,
    `/event/published/${EVENT}?token=a&entered=1`,
    `/event/published/not-an-id?token=a`,
    `/event/${EVENT}?token=a`,
    `/event/published/${EVENT}/qr?token=a`,
  ])
    expect(readViewerRequest(path), path).toBeNull();
  expect(readViewerRequest(`/event/published/${EVENT}?token=a`, { method: "POST" })).toBeNull();
});

it("treats URLs that show the same content as one page, also with additional parameters", () => {
  const plain = readViewerRequest(`/event/published/${EVENT}?token=a`);
  for (const query of [
    "token=a&utm_source=x",
    "ref=y&token=a&token=b",
    "token=a&lang=en&page=1&dialog=x&view=w_1",
  ])
    expect(readViewerRequest(`/event/published/${EVENT}?${query}`), query).toEqual(plain);
  const search = readViewerRequest(`/event/published/${EVENT}?token=a&k=2&q=x&k=1&utm_id=3`);
  expect(search).toEqual(readViewerRequest(`/event/published/${EVENT}?q=x&k=1&token=a&k=2`));
  expect(search).toMatchObject({ hasSelection: true });
});

it("accepts legacy routes, and returns their sid", () => {
  expect(readViewerRequest(`/space/3d/${EVENT}/abc?token=a&utm_source=x`)).toMatchObject({
    mode: "published",
    sid: "abc",
  });
  expect(readViewerRequest(`/space/preview/${EVENT}/abc?token=a`)).toMatchObject({
    mode: "preview",
    sid: "abc",
  });
});

const readShopRequest = (path: string, hasCart = false, init?: RequestInit) => {
  const request = new Request(`https://hiroba.example${path}`, init);
  return plainShopRequest(request, normaliseVisitorUrl(new URL(request.url)), () => hasCart);
};
const SHOP = `/event/published/${EVENT}/shop`;

it("caches shop pages for visitors without a cart, and distinguishes pages by their selection", () => {
  expect(readShopRequest(`${SHOP}?token=abc&lang=en`)).toMatchObject({
    eventId: EVENT,
    token: "abc",
    page: `${SHOP}?`,
  });
  const pageOf = (path: string) => readShopRequest(path)?.page;
  expect(pageOf(`${SHOP}?token=abc&q=a`)).not.toBe(pageOf(`${SHOP}?token=abc&q=b`));
  expect(pageOf(`${SHOP}/products/1?token=abc`)).toBe(`${SHOP}/products/1?`);
  expect(pageOf(`${SHOP}?token=abc&utm_source=x&q=a`)).toBe(pageOf(`${SHOP}?q=a&token=abc`));
  expect(pageOf(`${SHOP}/collections/2?token=abc&after=x`)).toBe(`${SHOP}/collections/2?after=x`);
});

it("does not cache shop pages for carts, forms and other requests", () => {
  for (const path of [
    SHOP,
    `${SHOP}/cart?token=a`,
    `${SHOP}/live?token=a`,
    `${SHOP}/products/x?token=a`,
    `${SHOP}?token=a&cart=secret.key`,
    `${SHOP}?token=a&told=x`,
    `${SHOP}?token=a&_routes=x`,
    `/event/published/${EVENT}/shop.data?token=a`,
  ])
    expect(readShopRequest(path), path).toBeNull();
  expect(readShopRequest(`${SHOP}?token=a`, true)).toBeNull();
  expect(readShopRequest(`${SHOP}?token=a`, false, { method: "POST" })).toBeNull();
});

describe("the tag or media item of a URL", () => {
  const idAt = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}` as Uuid;
  const content = {
    tags: Array.from({ length: 250 }, (_, index) => ({
      id: idAt(index),
      mediaIds: index === 120 ? [idAt(900)] : [],
    })),
    media: [{ id: idAt(900) }, { id: idAt(901) }, { id: idAt(902) }],
  };
  const separate = (query: string) => {
    const url = normaliseVisitorUrl(
      new URL(`https://hiroba.example/event/published/${EVENT}?token=a&${query}`),
    );
    const { url: pageUrl, item } = separateTag(url, content);
    return { query: pageUrl.search, item };
  };
  const entryOf = (index: number) => ({
    kind: index < 900 ? "tag" : "media",
    id: idAt(index),
    hasEntry: true,
  });

  it("is opened in the page of the list that contains it, also beside a view, a language or another page", () => {
    expect(separate(`tag=${idAt(0)}`)).toEqual({ query: "?token=a", item: entryOf(0) });
    expect(separate(`tag=${idAt(49)}&view=w_0_1_0_0_0&utm_id=1`)).toEqual({
      query: "?token=a",
      item: entryOf(49),
    });
    expect(separate(`tag=${idAt(50)}&lang=en`)).toEqual({
      query: "?token=a&lang=en&page=2",
      item: entryOf(50),
    });
    expect(separate(`page=3&tag=${idAt(7)}`)).toEqual({ query: "?token=a", item: entryOf(7) });
    expect(separate(`page=1&tag=${idAt(249)}`)).toEqual({ query: "?token=a&page=5", item: entryOf(249) });
  });

  it("is found after the tags if it is a media item without a tag, and on any page if a tag shows it", () => {
    expect(separate(`tag=${idAt(902)}`)).toEqual({ query: "?token=a&page=6", item: entryOf(902) });
    expect(separate(`tag=${idAt(900)}&page=2`)).toEqual({
      query: "?token=a&page=2",
      item: { kind: "media", id: idAt(900), hasEntry: false },
    });
  });

  it("is dropped if the event does not have it", () => {
    for (const tag of [idAt(250), "x", "a".repeat(10_000), "%00", "<script>"])
      expect(separate(`tag=${encodeURIComponent(tag)}&page=2`)).toEqual({
        query: "?token=a&page=2",
        item: null,
      });
  });

  it("stays in the URL of a search and a dialog", () => {
    for (const query of [`tag=${idAt(900)}&q=x`, `tag=${idAt(1)}&q=x`, `tag=${idAt(1)}&dialog=share`])
      expect(separate(query)).toEqual({ query: `?token=a&${query}`, item: null });
  });
});

it("finds the plain page (without a search and a cart) of an event's URLs and of its shop's URLs", () => {
  const plainOf = (path: string) => {
    const plain = getPlainPage(new URL(`https://hiroba.example${path}`));
    return plain && { path: plain.url.pathname + plain.url.search, isShop: plain.isShop };
  };
  const path = `/event/published/${EVENT}`;
  expect(plainOf(`${path}?q=x&token=a&lang=en&cart=c`)).toEqual({
    path: `${path}?token=a&lang=en`,
    isShop: false,
  });
  expect(plainOf(`${path}.data?token=a&q=x`)).toEqual({ path: `${path}.data?token=a`, isShop: false });
  expect(plainOf(`${path}/shop/products/1?token=a&o1=x`)).toEqual({ path: `${path}?token=a`, isShop: true });
  expect(plainOf(`${path}/shop.data?token=a`)).toEqual({ path: `${path}?token=a`, isShop: true });
  expect([plainOf("/login"), plainOf(`${path}/qr?token=a`), plainOf(`/event/${EVENT}`)]).toEqual([
    null,
    null,
    null,
  ]);
});
