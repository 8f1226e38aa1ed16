import { expect, it } from "vitest";
import { attachedProducts, getEventStore, isOnePrice, showsProducts } from "./event-store";

it("an event has a store if it has a URL and a token, even if the caller only knows that the token exists", () => {
  expect(getEventStore("https://a.example", "t")).toEqual({ origin: "https://a.example", token: "t" });
  expect(getEventStore("https://a.example", true)).toEqual({ origin: "https://a.example", token: true });
  for (const [url, token] of [
    [null, "t"],
    ["", "t"],
    ["https://a.example", null],
    ["https://a.example", ""],
    ["https://a.example", false],
  ] as const)
    expect(getEventStore<string | boolean>(url, token)).toBeNull();
});

const [a, b, c] = [
  { id: "a", title: "a" },
  { id: "b", title: "b" },
  { id: "c", title: "c" },
] as const;
const tags = [{ product: c }, { product: null }, { product: a }, { product: c }];

it("the product list has the products of the scene, then those of the tags, without duplicates", () => {
  expect(attachedProducts({ tags, scene: { products: [b, a] } })).toEqual([b, a, c]);
});

it("an event shows products if its scene or a tag has one", () => {
  expect(showsProducts({ tags, scene: { products: [] } })).toBe(true);
  expect(showsProducts({ tags: [], scene: { products: [a] } })).toBe(true);
  expect(showsProducts({ tags: [{ product: null }], scene: { products: [] } })).toBe(false);
});

it("a price range is one price if the amounts are equal numbers in the same currency", () => {
  const yen = (amount: string) => ({ amount, currencyCode: "JPY" });
  expect(isOnePrice({ from: yen("1200.0"), to: yen("1200.00") })).toBe(true);
  expect(isOnePrice({ from: yen("1200.0"), to: yen("1200.1") })).toBe(false);
  expect(isOnePrice({ from: yen("1.0"), to: { amount: "1.0", currencyCode: "USD" } })).toBe(false);
});
