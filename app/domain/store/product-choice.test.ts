import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  choiceParameters,
  hasChoice,
  readChoice,
  resolveChoice,
  translateSelection,
  withoutChoice,
  writeChoice,
} from "./product-choice";
import type { StoreOption, StoreVariant } from "./store";

const ja: readonly StoreOption[] = [
  { name: "サイズ", values: ["S", "M"] },
  { name: "色", values: ["藍", "生成り"] },
];
const en: readonly StoreOption[] = [
  { name: "Size", values: ["S", "M"] },
  { name: "Color", values: ["Indigo", "Natural"] },
];
const variant = (id: number, size: string, color: string): StoreVariant => ({
  id: `gid://shopify/ProductVariant/${id}`,
  title: `${size} / ${color}`,
  image: null,
  price: { amount: "1.0", currencyCode: "JPY" },
  selectedOptions: [
    { name: "Size", value: size },
    { name: "Color", value: color },
  ],
  availableForSale: true,
  currentlyNotInStock: false,
});
const product = { options: en, variant: null, variants: [variant(7, "M", "Natural")] };
const resolve = (query: string, chosenProduct = product) =>
  resolveChoice(chosenProduct, readChoice(new URLSearchParams(query), "en"));

describe("a choice in a URL", () => {
  it("is parsed to the same choice, for options of any name", () => {
    const name = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.constantFrom("token", "lang", "opt.x"),
    );
    const value = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ name, value }), { selector: (option) => option.name, maxLength: 5 }),
        (selection) => {
          const searchParams = new URLSearchParams(`token=t&${writeChoice(selection)}`);
          expect(readChoice(searchParams, "en").names).toEqual(selection);
          expect(searchParams.get("token")).toBe("t");
        },
      ),
    );
  });

  it("matches options regardless of letter case, and reads and writes Japanese options", () => {
    expect(resolve("token=x&size=m&COLOR=indigo")).toEqual({
      selection: [
        { name: "Size", value: "M" },
        { name: "Color", value: "Indigo" },
      ],
      wrong: [],
    });
    const query = "%E3%82%B5%E3%82%A4%E3%82%BA=M&%E8%89%B2=%E8%97%8D";
    expect(resolve(query, { ...product, options: ja }).selection).toEqual([
      { name: "サイズ", value: "M" },
      { name: "色", value: "藍" },
    ]);
    expect(writeChoice([{ name: "サイズ", value: "M" }])).toBe("%E3%82%B5%E3%82%A4%E3%82%BA=M");
  });

  it("selects a variant by its number or its whole id", () => {
    for (const id of ["7", "gid://shopify/ProductVariant/7"])
      expect(resolve(`variant=${encodeURIComponent(id)}`)).toEqual({
        selection: product.variants[0]?.selectedOptions,
        wrong: [],
      });
  });

  it("that the product does not have is returned as written", () => {
    expect(resolve("size=XXL&colour=red").wrong).toEqual([
      { name: "size", value: "XXL" },
      { name: "colour", value: "red" },
    ]);
    expect(resolve("variant=999").wrong).toEqual([{ name: "variant", value: "999" }]);
    expect(resolve("variant=nothing").wrong).toEqual([{ name: "variant", value: "nothing" }]);
    expect(resolve("choice=9.0").wrong).toEqual([{ name: "choice", value: "9.0" }]);
    expect(resolve("size=M&utm_source=mail&fbclid=1").wrong).toEqual([]);
  });

  it("by positions, as in older links, is read", () => {
    expect(resolve("choice=1.0").selection).toEqual([
      { name: "Size", value: "M" },
      { name: "Color", value: "Indigo" },
    ]);
  });

  it("is separated from the rest of the URL, and is limited", () => {
    const searchParams = new URLSearchParams("token=x&lang=en&Size=M&named=en&cart=c");
    expect(choiceParameters(searchParams).toString()).toBe("Size=M&named=en");
    expect(withoutChoice(searchParams).toString()).toBe("token=x&lang=en&cart=c");
    expect(hasChoice(readChoice(new URLSearchParams("token=x&utm_source=mail"), "en"))).toBe(false);
    const manyOptions = new URLSearchParams([...Array(50).keys()].map((key) => [`n${key}`, "x"]));
    expect(readChoice(manyOptions, "en").names).toHaveLength(10);
    expect(readChoice(new URLSearchParams({ a: "x".repeat(300) }), "en").names).toEqual([]);
  });

  it("is the same in another language of the store", () => {
    expect(translateSelection([{ name: "色", value: "生成り" }], ja, en)).toEqual([
      { name: "Color", value: "Natural" },
    ]);
  });
});
