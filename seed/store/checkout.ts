/** The store's own checkout page, where a purchase in the demo ends. Nothing is sold. */
import type { DemoCart } from "./carts";
import type { Catalog } from "./catalog";
import { money } from "./resolvers";

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const page = (title: string, body: string, status = 200) =>
  new Response(
    `<!doctype html><html lang="ja"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>body{font:16px/1.7 system-ui,sans-serif;margin:0;background:#f4f2ec;color:#1d1d1f}main{max-width:40rem;margin:3rem auto;padding:2rem;background:#fff;border-radius:8px}table{width:100%;border-collapse:collapse}td,th{padding:.5rem 0;border-bottom:1px solid #ddd;text-align:left}td:last-child,th:last-child{text-align:right;font-variant-numeric:tabular-nums}</style></head><body><main>${body}</main></body></html>`,
    { status, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } },
  );

/** The page of a cart, or an error page when there is no cart. */
export function checkoutPage(source: { catalog: Catalog; cart: DemoCart | null } | undefined): Response {
  if (!source?.cart)
    return page("チェックアウト / Checkout", "<h1>カートがありません / There is no such cart</h1>", 404);
  const { catalog, cart } = source;
  const formatAmount = (yen: number) => {
    const { amount: text, currencyCode } = money(yen, cart.currency);
    return `${currencyCode} ${Number(text).toLocaleString("en")}`;
  };
  let total = 0;
  const rows = cart.lines.map(({ variantId, quantity }) => {
    const product = catalog.products.find(({ variants }) => variants.some(({ id }) => id === variantId));
    const lineTotal = (product?.variants.find(({ id }) => id === variantId)?.price ?? 0) * quantity;
    total += lineTotal;
    return `<tr><td>${escapeHtml(product?.title.ja ?? "")}<br><small lang="en">${escapeHtml(product?.title.en ?? "")}</small></td><td>× ${quantity}</td><td>${formatAmount(lineTotal)}</td></tr>`;
  });
  return page(
    "チェックアウト / Checkout",
    `<h1>チェックアウト <small lang="en">Checkout</small></h1><p>${escapeHtml(catalog.name)}</p><table>${rows.join("")}<tr><th>合計 / Total</th><th></th><th id="total">${formatAmount(total)}</th></tr></table><p>これはデモです。実際の販売は行われません。<br><span lang="en">This is a demo: nothing is sold.</span></p>`,
  );
}
