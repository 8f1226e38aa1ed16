import type { ConnectionTest, StoreFailureCode } from "./store";
import { readStoreUrl } from "./store-url";

/** The intent of a form that tests the store's connection instead of saving the form. */
export const TEST_STORE = "test-store";
/** Value of the field `intent` of the form that connects an event to the store of another event. */
export const USE_STORE = "use-store";

/** The store's fields as typed into the form. */
interface TypedStore {
  readonly storeUrl: string;
  readonly token: string;
}
interface SavedStore {
  readonly storeUrl: string | null;
  readonly hasToken: boolean;
}

/** Missing input of a connection test. `own_token`: the saved token belongs to another store. */
export type MissingForTest = "both" | "url" | "token" | "own_token";

// Accepts every host: whether a host is allowed is checked when the store is tested or saved.
const originOf = (url: string): string | null => {
  const storeUrl = readStoreUrl(url.trim(), () => true);
  return "origin" in storeUrl ? storeUrl.origin : null;
};

/** Whether the URL belongs to another store than the saved token. The token is never sent to another store. */
export function isOtherStore(storeUrl: string, saved: SavedStore): boolean {
  const origin = originOf(storeUrl);
  return saved.hasToken && origin !== null && origin !== saved.storeUrl;
}

/**
 * Returns the missing input of a connection test (specification §5), which needs a URL and a token; null if both are there. An empty token field stands
 * for the saved token while the URL is that of its store.
 * @param typed fields as typed
 */
export function missingForTest(typed: TypedStore, saved: SavedStore): MissingForTest | null {
  const hasToken = typed.token.trim() !== "";
  if (typed.storeUrl.trim() === "") return hasToken || saved.hasToken ? "url" : "both";
  if (hasToken) return null;
  if (!saved.hasToken) return "token";
  if (originOf(typed.storeUrl) === null) return "url";
  return isOtherStore(typed.storeUrl, saved) ? "own_token" : null;
}

/** Failures of a connection test whose URL is probably wrong. */
export const URL_FAILURES: ReadonlySet<string> = new Set<StoreFailureCode>([
  "network",
  "elsewhere",
  "not_found",
]);

/** Whether a tested token need not be typed again before it is saved: the test did not find that it or the URL is wrong. */
export const isSavableConnection = (test: ConnectionTest): boolean =>
  test.state === "success" ||
  (test.state === "failure" &&
    !["address", "token", "unauthorized"].includes(test.code) &&
    !URL_FAILURES.has(test.code));
