import type { ConnectionTest, StoreFailureCode } from "./store";
import { readStoreUrl } from "./store-url";

/** The intent of a form that asks for a test of the store's connection instead of being saved. */
export const TEST_STORE = "test-store";

/** What is typed into the form, and what is saved. */
interface TypedStore {
  readonly storeUrl: string;
  readonly token: string;
}
interface SavedStore {
  readonly storeUrl: string | null;
  readonly hasToken: boolean;
}

/** What a test of the connection lacks. `own_token`: the one that is saved is for another store. */
export type MissingForTest = "both" | "url" | "token" | "own_token";

// Whether the host may be asked is not the question here.
const originOf = (typed: string): string | null => {
  const address = readStoreUrl(typed.trim(), () => true);
  return "origin" in address ? address.origin : null;
};

/** Whether an address is one of another store than the one whose token is saved, which that token is never sent to. */
export function isOtherStore(storeUrl: string, saved: SavedStore): boolean {
  const origin = originOf(storeUrl);
  return saved.hasToken && origin !== null && origin !== saved.storeUrl;
}

/**
 * What a test of the connection lacks of what it needs (§5): an address, and a token; null when it has both. An empty token is the saved one
 * as long as the address is that of its store.
 * @param typed as the form has them
 */
export function missingForTest(typed: TypedStore, saved: SavedStore): MissingForTest | null {
  const hasToken = typed.token.trim() !== "";
  if (typed.storeUrl.trim() === "") return hasToken || saved.hasToken ? "url" : "both";
  if (hasToken) return null;
  if (!saved.hasToken) return "token";
  if (originOf(typed.storeUrl) === null) return "url";
  return isOtherStore(typed.storeUrl, saved) ? "own_token" : null;
}

/** Failures that only another address mends. */
export const OF_ADDRESS: ReadonlySet<string> = new Set<StoreFailureCode>([
  "network",
  "elsewhere",
  "not_found",
]);

/** Whether a store that was tested may be saved as it is: nothing is known of its address and its token that has to be mended first. */
export const mayBeRight = (test: ConnectionTest): boolean =>
  test.state === "success" ||
  (test.state === "failure" &&
    !["address", "token", "unauthorized"].includes(test.code) &&
    !OF_ADDRESS.has(test.code));
