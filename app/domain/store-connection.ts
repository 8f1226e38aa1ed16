import { readStoreUrl } from "./store-url";

/** The intent of a form that asks for a test of the store's connection instead of being saved. */
export const TEST_STORE = "test-store";

/**
 * Whether a test of the connection has what it needs (§5): an address, and a token. An empty token is the saved one as long as the
 * address is that of its store.
 * @param typed as the form has them
 */
export function canTestConnection(
  typed: { readonly storeUrl: string; readonly token: string },
  saved: { readonly storeUrl: string | null; readonly hasToken: boolean },
): boolean {
  const url = typed.storeUrl.trim();
  if (url === "" || typed.token.trim() !== "") return url !== "";
  // Whether the host may be asked is not the question here.
  const address = readStoreUrl(url, () => true);
  return saved.hasToken && "origin" in address && address.origin === saved.storeUrl;
}
