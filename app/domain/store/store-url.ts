import { STORE_URL_MAX } from "../shared/limits";
import { type PublicUrlProblem, readPublicUrl } from "../webhooks/public-url";

/** A store's address once it is read, or the key of the message that says what is wrong with it. */
export type StoreUrlResult =
  | { readonly origin: string }
  | { readonly error: `store:errors.spStoreUrl.${PublicUrlProblem}` };

/**
 * The origin of a store, forced to https (§5, DESIGN §4): whatever path follows is dropped, as the store's client does.
 * Only public host names at the standard port; `isAllowedHost` may admit others by "host" or "host:port" for local runs.
 */
export function readStoreUrl(
  input: string,
  isAllowedHost: (host: string) => boolean = () => false,
): StoreUrlResult {
  const read = readPublicUrl(input, { max: STORE_URL_MAX, isAllowedHost });
  return "url" in read ? { origin: read.url.origin } : { error: `store:errors.spStoreUrl.${read.problem}` };
}
