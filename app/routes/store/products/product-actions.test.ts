import { describe, expect, it } from "vitest";
import { applyProductAction, attachProduct, parseProductAction, productActionValue } from "./product-actions";

const product = (number: number, title = "") => ({ id: `gid://shopify/Product/${number}`, title });
const products = [product(1), product(2), product(3)];
const numbers = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id.slice(-1)).join("");

describe("the products of an event", () => {
  it.each([
    ["up", 1, "123"],
    ["up", 3, "132"],
    ["down", 1, "213"],
    ["down", 3, "123"],
    ["out", 2, "13"],
    ["out", 9, "123"],
    ["up", 9, "123"],
  ] as const)("after the action '%s' on product %i are in the order %s", (action, number, expected) => {
    expect(numbers(applyProductAction(products, action, product(number).id))).toBe(expected);
  });

  it("contain each product once", () => {
    expect(numbers(attachProduct(products, product(4)))).toBe("1234");
    expect(attachProduct(products, product(2, "again"))).toBe(products);
  });

  it("are identified by the values of buttons", () => {
    expect(parseProductAction(productActionValue("down", product(7).id))).toEqual({
      action: "down",
      number: "7",
    });
    expect(parseProductAction("sell~7")).toBeNull();
  });
});
