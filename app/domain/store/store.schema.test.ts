import { describe, expect, it } from "vitest";
import { cartItemsField, createAddSchema, createLineSchema, createProductQuerySchema } from "./store.schema";
import {
  cartHandle,
  collectionIdOf,
  isCartId,
  isLineId,
  productIdOf,
  readCartId,
  toIdNumber,
} from "./store-ids";
import { storeLocale } from "./store-locale";

const VARIANT = "gid://shopify/ProductVariant/100100";
const LINE = "gid://shopify/CartLine/3f2b0a8e-1c9d?cart=abc";
const errorOf = (result: { success: boolean; error?: { issues: readonly { message: string }[] } }) =>
  result.success ? null : result.error?.issues[0]?.message;

describe("a quantity", () => {
  const add = (quantity: unknown) => createAddSchema().safeParse({ variant: VARIANT, quantity });
  const set = (quantity: unknown) => createLineSchema().safeParse({ line: LINE, quantity });

  it.each([
    ["1", 1],
    [7, 7],
    ["", 1],
    [undefined, 1],
    ["1000000", 1_000_000],
  ])("to add: %j is %i", (typed, quantity) => {
    expect(add(typed)).toMatchObject({ data: { quantity } });
  });
  it.each([0, "0", -1, "-1", 1.5, "1.5", 1e9, "1e9", 1_000_001, "x", Number.NaN, Infinity, [], {}, true])(
    "to add: %j is rejected",
    (typed) => {
      expect(errorOf(add(typed))).toBe("store:errors.store.quantity");
    },
  );
  it.each([
    ["0", 0],
    [0, 0],
    ["12", 12],
  ])("of a line: %j is %i", (typed, quantity) => {
    expect(set(typed)).toMatchObject({ data: { quantity } });
  });
  it.each([-1, "1.5", 1e9, "", null, undefined, "x"])("of a line: %j is rejected", (typed) => {
    expect(errorOf(set(typed))).toBe("store:errors.store.quantity");
  });
});

describe("an item to add", () => {
  it.each([VARIANT, "100100"])("is a variant by its id or its number: %s", (variant) => {
    expect(createAddSchema().parse({ variant })).toEqual({ variant: VARIANT, quantity: 1 });
  });
  it.each(["", "x", "gid://shopify/Product/1", `${VARIANT}/../1`, "1".repeat(21), null, 5])(
    "is not %j",
    (variant) => {
      expect(errorOf(createAddSchema().safeParse({ variant }))).toBe("store-visitors:states.noVariant");
    },
  );
  it("may be one of several", () => {
    expect(cartItemsField.parse([{ variantId: "100100", quantity: "2" }, { variantId: VARIANT }])).toEqual([
      { variantId: VARIANT, quantity: 2 },
      { variantId: VARIANT, quantity: 1 },
    ]);
    const manyItems = Array(251).fill({ variantId: VARIANT });
    for (const [items, key] of [
      [[], "shared-owners:errors.field.invalid"],
      ["x", "shared-owners:errors.field.invalid"],
      [manyItems, "store:errors.store.tooManyItems"],
      [[{ variantId: "x" }], "store-visitors:states.noVariant"],
      [[null], "store-visitors:states.noVariant"],
      [[{ variantId: VARIANT, quantity: 0 }], "store:errors.store.quantity"],
    ] as const)
      expect(errorOf(cartItemsField.safeParse(items))).toBe(key);
  });
});

describe("a page of products", () => {
  const parseQuery = (query: object) => createProductQuerySchema().safeParse(query);
  it("is the first one without a cursor", () => {
    expect(parseQuery({})).toMatchObject({ data: { q: "", after: null, before: null } });
  });
  it("takes a cursor and a trimmed search text, which is empty if it has only asterisks", () => {
    expect(parseQuery({ q: " 藍 ", after: "eyJ=" })).toMatchObject({
      data: { q: "藍", after: "eyJ=", before: null },
    });
    expect(parseQuery({ q: "* **" })).toMatchObject({ data: { q: "" } });
  });
  it("is rejected with two cursors, an invalid cursor, or a search text of more than 100 characters", () => {
    for (const query of [
      { after: "a", before: "b" },
      { after: "a b" },
      { before: "x".repeat(1001) },
      { after: 5 },
    ])
      expect(errorOf(parseQuery(query)), JSON.stringify(query)).toBe("store:errors.store.noPage");
    expect(errorOf(parseQuery({ q: "x".repeat(101) }))).toBe("shared-owners:errors.list.searchTooLong");
  });
});

describe("ids of a store", () => {
  it("appear in URLs as their numbers", () => {
    expect(productIdOf("12")).toBe("gid://shopify/Product/12");
    expect([productIdOf("x"), productIdOf(""), productIdOf(12), collectionIdOf("1e3")]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(toIdNumber("gid://shopify/Product/12")).toBe("12");
  });
  it("of carts keep their key in a URL", () => {
    const id = "gid://shopify/Cart/Z2NwLWFzaWE6MDFK?key=0a1b2c";
    expect(isCartId(id)).toBe(true);
    expect(readCartId(cartHandle(id))).toBe(id);
    expect(readCartId(cartHandle("gid://shopify/Cart/c1-7a2a"))).toBe("gid://shopify/Cart/c1-7a2a");
    for (const invalidHandle of ["", "a/b", "a?key=b&x=y", "a.b.c", "x".repeat(300), null, 1, "<script>"])
      expect(readCartId(invalidHandle)).toBeNull();
  });
  it("of lines have their own form", () => {
    expect([LINE, "gid://shopify/CartLine/1"].every(isLineId)).toBe(true);
    expect([`${LINE}\n`, "gid://shopify/Cart/1", "l", null].some(isLineId)).toBe(false);
  });
});

it("queries a store in the visitor's language, and for the visitor's country if it is valid", () => {
  expect(storeLocale("ja", "JP")).toEqual({ language: "JA", country: "JP" });
  expect(storeLocale("en", null)).toEqual({ language: "EN", country: null });
  expect(storeLocale("en", "T1")).toEqual({ language: "EN", country: null });
});
