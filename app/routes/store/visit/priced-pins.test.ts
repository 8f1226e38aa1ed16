import { expect, test } from "vitest";
import { pricePins } from "./priced-pins";

test("a pin's label has the price of its tag's product, its state unless it is in stock, and not the age of the price", () => {
  const product = (price: string, isInStock: boolean, state: string) => ({
    price,
    isInStock,
    state,
    respondedAt: 0,
  });
  const tags = ["a", "b", "c", "d"].map((id) => ({ id, product: id === "d" ? null : { id: `p-${id}` } }));
  const live = {
    products: {
      "p-a": product("¥1,650", false, "取り寄せ"),
      "p-b": product("¥4,400", true, "在庫あり"),
      "p-c": null,
    },
    readAt: { at: 3_600_000, cachedForMs: 0 },
  };
  const pins = tags.map(({ id }) => ({ id, label: id }));
  expect(
    pricePins(pins as never, tags as never, live as never).map(({ label, labelEnd }) => [label, labelEnd]),
  ).toEqual([
    ["a · ¥1,650 · 取り寄せ", " · ¥1,650 · 取り寄せ"],
    ["b · ¥4,400", " · ¥4,400"],
    ["c", undefined],
    ["d", undefined],
  ]);
});
