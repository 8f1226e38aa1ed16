import { useEffect } from "react";

/** Key in the tab's session storage of the target of a navigation that has not finished. */
const PENDING_KEY = "hiroba-under-way";

/**
 * Path, query and fragment of the current navigation's target, or null. The router's own state is read, because React may render a
 * navigation only after its first responses have arrived.
 */
function currentTarget(): string | null {
  const { state, location } = window.__remixRouter.state.navigation;
  return state === "loading" ? location.pathname + location.search + location.hash : null;
}

/**
 * Stores the target of an unfinished navigation. Without one it removes a stored target, because a page that returns from the back/forward cache does not
 * call takePending. Without session storage, an interrupted navigation ends at the old page.
 */
function storePending(): void {
  const target = currentTarget();
  try {
    if (target === null) sessionStorage.removeItem(PENDING_KEY);
    else sessionStorage.setItem(PENDING_KEY, target);
  } catch {}
}

/** Returns and removes the stored target; null if there is none. */
function takePending(): string | null {
  try {
    const target = sessionStorage.getItem(PENDING_KEY);
    sessionStorage.removeItem(PENDING_KEY);
    return target;
  } catch {
    return null;
  }
}

/**
 * Loads the target of a navigation as a document if the server responds that its build is newer than the page's. The router itself would load the
 * target's path without the query (fog-of-war.js of @remix-run/react 2.17), which leads visitors to the page for incomplete links.
 */
function loadDocumentsOfNewBuild(): void {
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.headers.has("x-remix-reload-document") || init?.signal?.aborted !== false) return response;
    const target = currentTarget();
    if (!(input instanceof URL) || target === null) return response;
    // With the origin, because a path may begin with two slashes.
    const { href, pathname } = new URL(window.location.origin + target);
    // A fetcher requests other routes than the navigation.
    if (!input.searchParams.getAll("p").includes(pathname)) return response;
    window.location.assign(href);
    return new Promise<Response>(() => {});
  };
}

/**
 * Finishes a navigation that failed because of a newer build. If the next screen's script no longer exists, the router reloads the page at its old
 * URL, and the new document navigates to the target. If the router has no route for the next screen, that screen is loaded as a document.
 */
export function useResumeNavigation(): void {
  useEffect(() => {
    const [navigationEntry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const target = takePending();
    if (target !== null && navigationEntry?.type === "reload")
      window.location.replace(window.location.origin + target);
    window.addEventListener("pagehide", storePending);
    loadDocumentsOfNewBuild();
  }, []);
}
