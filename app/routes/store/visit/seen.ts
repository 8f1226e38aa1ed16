import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { enterShop } from "../storefront/shop.server";

/** The smallest of pictures, transparent. */
const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="), (char) =>
  char.charCodeAt(0),
);

/**
 * Corrects the cookie of a cart whose page had begun before the store answered: what it said then stands locked in the address. Pages
 * ask for it as for a picture, which needs no script, and asks the store nothing.
 */
export async function loader(asked: LoaderFunctionArgs) {
  const shop = await enterShop(asked);
  shop.correct();
  return new Response(PIXEL, { headers: { "content-type": "image/gif", "cache-control": "no-store" } });
}
