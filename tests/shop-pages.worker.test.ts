/** What the pages of a shop ask of its store, and what they do when it takes its time. */
import { beforeEach, describe, expect, it } from "vitest";
import { numberOf } from "~/domain/store-ids";
import { DEMO_STORE_TOKEN, STORE_ORIGIN } from "./support/demo-store";
import { houseForEachTest, type Person } from "./support/house";
import { openPage, type PageRequest, whole } from "./support/shop-pages";

const house = houseForEachTest();
let owner: Person;
let eventId: string;
let token: string;

beforeEach(async () => {
  owner = await house.addUser();
  ({ eventId } = await house.addSpace(owner));
  const store = { spStoreUrl: STORE_ORIGIN, spAccessToken: DEMO_STORE_TOKEN };
  await house.setEvent(eventId, { statusId: 3, enableAutoChangeStatus: false, ...store });
  const { event } = await house.services.events.getEvent({ actor: owner.actor, eventId });
  token = event.accessToken;
  const { id } = house.store.product("seigaiha-tenugui");
  await house.addTag(eventId, [], { product: { id, title: "x" } });
});

const operations = () => house.store.asked.map(({ operation }) => operation);
const path = (place: string, query: Readonly<Record<string, string>> = {}) =>
  `/event/published/${eventId}${place}?${new URLSearchParams({ token, ...query })}`;
const settle = async () => {
  while (house.deferred.length > 0) await Promise.allSettled(house.deferred.splice(0));
};
/** Opens a page and waits until all of it, and what goes on behind it, is there. */
async function open(place: string, query: Readonly<Record<string, string>> = {}, request: PageRequest = {}) {
  const page = await openPage(house, path(place, query), request);
  await whole(page.shop);
  await settle();
  return page;
}
const productPath = (handle: string) => `/shop/products/${numberOf(house.store.product(handle).id)}`;

describe("a page", () => {
  it.each([
    ["the event itself", () => "", {}],
    ["what the event asks for later", () => "/shop/live", {}],
    ["the list", () => "/shop", {}],
    ["a search", () => "/shop", { q: "Seigaiha" }],
    ["a product", () => productPath("seigaiha-shirt"), {}],
    ["a product by the places of a choice", () => productPath("seigaiha-shirt"), { choice: "2.1" }],
    ["a product by the names of a choice", () => productPath("seigaiha-shirt"), { "opt.Size": "M" }],
    ["the collections", () => "/shop/collections", {}],
    ["a collection", () => "/shop/collections/2001", {}],
    ["the cart of who has none", () => "/shop/cart", {}],
  ] as const)("asks the store once at most, and nothing when it is hot: %s", async (_, place, query) => {
    await open(place(), query);
    expect(operations().length).toBeLessThanOrEqual(1);
    const cold = operations().length;
    await open(place(), query);
    expect(operations()).toHaveLength(cold);
  });

  it("of a cart asks for the cart alone, and anew: a cart is never kept", async () => {
    const add = await house.services.shop.createCart({
      reader: { link: { eventId, mode: "published", token } },
      lang: "en",
      country: null,
    });
    house.store.asked.length = 0;
    for (let turn = 1; turn <= 2; turn++) {
      await open("/shop/cart", {}, { kept: add.keep });
      expect(operations()).toEqual(Array(turn).fill("Cart"));
    }
  });
});
