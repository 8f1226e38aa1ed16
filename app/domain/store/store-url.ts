import { STORE_URL_MAX } from "../shared/limits";
import { type PublicUrlProblem, readPublicUrl } from "../webhooks/public-url";

/** A store's URL after parsing, or the key of the error message. */
export type StoreUrlResult =
  | { readonly origin: string }
  | { readonly error: `store:errors.spStoreUrl.${PublicUrlProblem}` };

/**
 * Returns the origin of a store, forced to https (specification §5). Drops the path, as the Storefront API client does. Accepts only public host
 * names at the standard port; `isAllowedHost` may admit others by "host" or "host:port" for local runs.
 */
export function readStoreUrl(
  input: string,
  isAllowedHost: (host: string) => boolean = () => false,
): StoreUrlResult {
  const url = readPublicUrl(input, { max: STORE_URL_MAX, isAllowedHost });
  return "url" in url ? { origin: url.url.origin } : { error: `store:errors.spStoreUrl.${url.problem}` };
}
