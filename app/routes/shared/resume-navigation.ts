import { useNavigation } from "@remix-run/react";
import { useEffect } from "react";

/** Key in the tab's session storage of the target of a navigation that has not finished. */
const PENDING_KEY = "hiroba-under-way";

/** Stores the target. Without session storage, a navigation that breaks off ends at the old page. */
function storePending(address: string | null): void {
  try {
    if (address === null) sessionStorage.removeItem(PENDING_KEY);
    else sessionStorage.setItem(PENDING_KEY, address);
  } catch {}
}

function takePending(): string | null {
  try {
    const address = sessionStorage.getItem(PENDING_KEY);
    storePending(null);
    return address;
  } catch {
    return null;
  }
}

/**
 * Whether the router has loaded this document because the routes of the previous one were those of an older build. It stores that
 * build's version and loads the path of its target without the query (fog-of-war.js of @remix-run/react 2.17).
 */
function isAfterNewBuild(): boolean {
  try {
    const version = sessionStorage.getItem("remix-manifest-version");
    return version !== null && version !== window.__remixManifest.version;
  } catch {
    return false;
  }
}

/**
 * Finishes a navigation that failed because of a newer build. When the next screen's script is gone, the router reloads the page at its old
 * address. When the router does not know the next screen, it loads its address without the query. The new document navigates to the target.
 */
export function useResumeNavigation(): void {
  const { state, location } = useNavigation();
  const address = state === "loading" ? location.pathname + location.search + location.hash : null;
  useEffect(() => {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const target = takePending();
    // With the origin, because a path may begin with two slashes.
    if (target !== null && (entry?.type === "reload" || isAfterNewBuild()))
      window.location.replace(window.location.origin + target);
  }, []);
  useEffect(() => storePending(address), [address]);
}
