import { expect, test } from "vitest";
import { openText, sealText } from "#functions/security/seal-text";
import type { CartAdjustment } from "~/domain/store/store";
import { openNotice, sealNotice } from "~/routes/store/cart/cart-notice.server";

const context = {
  textSealer: {
    seal: (purpose: string, text: string, lifeMs: number) => sealText("secret", purpose, text, lifeMs),
    open: (purpose: string, value: string) => openText("secret", purpose, value, 0),
  },
};

test("a notice fits into a URL although the store sends fifty long warnings, and short titles are not cut", () => {
  const cart = { id: "gid://shopify/Cart/a?key=b", quantity: 2 };
  const adjustment: CartAdjustment = {
    kind: "not_enough_stock",
    lineId: `gid://shopify/CartLine/${"l".repeat(200)}`,
    title: "藍".repeat(2_000),
    asked: 5,
    quantity: 2,
    message: "在庫".repeat(150),
  };
  const removedItem = { variantId: "gid://shopify/ProductVariant/1", quantity: 2, title: "紙".repeat(600) };
  const sealedNotice = sealNotice(
    context,
    "e",
    cart,
    Array<CartAdjustment>(50).fill(adjustment),
    removedItem,
  );
  expect(sealedNotice.length).toBeLessThan(8_000);
  const notice = openNotice(context, "e", cart, new URLSearchParams({ told: sealedNotice }));
  expect(notice.taken).toMatchObject({ variantId: removedItem.variantId, quantity: 2 });
  expect(notice.adjustments).toHaveLength(8);
  expect(notice.adjustments[0]).toMatchObject({ kind: "not_enough_stock", asked: 5, quantity: 2 });
  expect(notice.adjustments[0]?.title).toMatch(/^藍+…$/);
  const short = [{ ...adjustment, title: "Tenugui", message: "" }];
  const shortNotice = sealNotice(context, "e", cart, short, null);
  expect(
    openNotice(context, "e", cart, new URLSearchParams({ told: shortNotice })).adjustments,
  ).toMatchObject([{ title: "Tenugui" }]);
});
