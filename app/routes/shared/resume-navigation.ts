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
 * Finishes a navigation that failed because a newer build has replaced the next screen's script. The router then reloads the page at its
 * old address; the reloaded document navigates to the target.
 */
export function useResumeNavigation(): void {
  const { state, location } = useNavigation();
  const address = state === "loading" ? location.pathname + location.search + location.hash : null;
  useEffect(() => {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const target = takePending();
    // With the origin, because a path may begin with two slashes.
    if (target !== null && entry?.type === "reload") window.location.replace(window.location.origin + target);
  }, []);
  useEffect(() => storePending(address), [address]);
}
