import { beforeEach, describe, expect, it } from "vitest";
import { type DemoProduct, makeCatalog } from "../../seed/store/catalog";
import { MANY_STORE_HOST } from "../../seed/store/names";
import { DemoStore } from "../../seed/store/store";
import { DEMO_STORE_TOKEN, STORE_ORIGIN, storeDeps } from "../../tests/support/demo-store";

const store = new DemoStore();
const JA = { language: "JA", country: null } as const;
const access = { origin: STORE_ORIGIN, token: DEMO_STORE_TOKEN };
let deferred: Promise<unknown>[] = [];
const fresh = () =>
  storeDeps({ store, now: () => 1_000_000, secret: "s", defer: (work) => deferred.push(work) }).storefront;
const operations = () => store.asked.map(({ operation }) => operation);

beforeEach(() => {
  store.heal();
  deferred = [];
});

describe("a product that many ask for at once", () => {
  const { id } = store.product("seigaiha-tenugui");

  it("is asked for once, with its collections for everybody", async () => {
    const { product } = fresh();
    const found = await Promise.all([1, 2, 3, 4].map(() => product(access, id, [], JA)));
    expect(operations()).toEqual(["ProductDetail"]);
    expect(found.map((each) => each?.product.title)).toEqual(Array(4).fill("手ぬぐい 青海波"));
    expect(await Promise.all(found.map(async (each) => (await each?.collections)?.length))).toEqual([
      2, 2, 2, 2,
    ]);
  });

  it("is shown without its collections to who asked, where those do not come, and asked for again by the others", async () => {
    store.fail("cut-part", 1);
    const { product } = fresh();
    const [first, second] = await Promise.all([1, 2].map(() => product(access, id, [], JA)));
    expect(await first?.collections).toBeNull();
    expect(await second?.collections).toHaveLength(2);
    expect(operations()).toHaveLength(2);
    await Promise.all(deferred);
  });

  it("fails for who asked, and leaves nobody waiting", async () => {
    store.fail("500", 1);
    const { product } = fresh();
    const [first, second] = await Promise.allSettled([1, 2].map(() => product(access, id, [], JA)));
    expect([first?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
    await Promise.all(deferred);
  });
});

describe("a choice by the places of its values", () => {
  it("is found in one call, and every other choice of the product in none", async () => {
    const { product } = fresh();
    const { id } = store.product("seigaiha-shirt");
    for (const places of [
      [0, 0],
      [3, 0],
      [1, 1],
    ]) {
      const found = await product(access, id, { places, names: [] }, JA);
      expect(found?.product.variants.length).toBe(store.product("seigaiha-shirt").variants.length);
      await found?.collections;
      await Promise.all(deferred);
    }
    expect(operations()).toEqual(["ProductWhole"]);
  });

  describe("of a product with more variants than the store tells at once", () => {
    const many = { ...access, origin: `https://${MANY_STORE_HOST}` };
    const { id } = makeCatalog(true).products.at(-1) as DemoProduct;
    const chosen = (width: string, height: string) => [
      { name: "幅", value: width },
      { name: "丈", value: height },
    ];
    const PLACES = { places: [19, 18] };

    it("is found with the names that stand there, and told of without them, in one call each", async () => {
      const named = await fresh().product(
        many,
        id,
        { ...PLACES, names: chosen("250センチ", "270センチ") },
        JA,
      );
      expect(operations()).toEqual(["ProductDetail"]);
      expect(named?.named).toBeNull();
      expect(named?.product.isLarge).toBe(true);
      expect(named?.product.variant?.selectedOptions).toEqual(chosen("250センチ", "270センチ"));
      expect(named?.product.variants).toHaveLength(39);
      const placed = await fresh().product(many, id, { ...PLACES, names: [] }, JA);
      expect(placed?.named).toEqual(chosen("250センチ", "270センチ"));
      expect(operations()).toEqual(["ProductDetail", "ProductWhole"]);
      // Nothing stands there: the product as it is.
      const nothing = await fresh().product(many, id, { places: [-1, 900], names: [] }, JA);
      expect(nothing?.named).toBeNull();
    });

    it("is what stands there, whatever names an old address has", async () => {
      const found = await fresh().product(
        many,
        id,
        { ...PLACES, names: chosen("250センチ", "1.5メートル") },
        JA,
      );
      expect(found?.named).toEqual(chosen("250センチ", "270センチ"));
      expect(operations()).toEqual(["ProductDetail"]);
    });
  });
});
