import { useNavigation } from "@remix-run/react";
import { useEffect } from "react";

/** Where the browser keeps, for this tab, the address to which a navigation leads that is not over. */
const UNDER_WAY = "hiroba-under-way";

/** A browser may keep nothing: then a navigation that breaks off ends where it began. */
function keep(address: string | null): void {
  try {
    if (address === null) sessionStorage.removeItem(UNDER_WAY);
    else sessionStorage.setItem(UNDER_WAY, address);
  } catch {}
}

function takeKept(): string | null {
  try {
    const address = sessionStorage.getItem(UNDER_WAY);
    keep(null);
    return address;
  } catch {
    return null;
  }
}

/**
 * Finishes a navigation that broke off because the script of the next screen is gone: a newer build is out. The router then reloads the page,
 * still at the old address; the document that comes goes on to the new one.
 */
export function useGoOn(): void {
  const { state, location } = useNavigation();
  const address = state === "loading" ? location.pathname + location.search + location.hash : null;
  useEffect(() => {
    const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const broken = takeKept();
    if (broken !== null && document?.type === "reload") window.location.replace(broken);
  }, []);
  useEffect(() => keep(address), [address]);
}
