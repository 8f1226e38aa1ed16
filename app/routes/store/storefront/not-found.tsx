import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { shopMeta } from "./meta";
import { enterShop } from "./shop.server";

/** Handles every other URL below a shop. */
export async function loader(args: LoaderFunctionArgs) {
  await enterShop(args);
  throw data("lost", { status: 404 });
}

export const meta = shopMeta;
export { ShopErrorBoundary as ErrorBoundary } from "./error-boundary";

export default function ShopNotFoundRoute() {
  return null;
}
