import { useNavigation } from "@remix-run/react";
import { useEffect } from "react";

/** Key in the tab's session storage of the target of a navigation that has not finished. */
const PENDING_KEY = "hiroba-under-way";

/** Stores the target. Without session storage, an interrupted navigation ends at the old page. */
function storePending(url: string | null): void {
  try {
    if (url === null) sessionStorage.removeItem(PENDING_KEY);
    else sessionStorage.setItem(PENDING_KEY, url);
  } catch {}
}

function takePending(): string | null {
  try {
    const url = sessionStorage.getItem(PENDING_KEY);
    storePending(null);
    return url;
  } catch {
    return null;
  }
}

/** Path and query of the current navigation's target. */
let currentTarget: string | null = null;

/**
 * Loads the target of a navigation as a document if the server responds that its build is newer than the page's. The router itself would load the
 * target's path without the query (fog-of-war.js of @remix-run/react 2.17), which leads visitors to the page for incomplete links.
 */
function loadDocumentsOfNewBuild(): void {
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.headers.has("x-remix-reload-document") || init?.signal?.aborted !== false) return response;
    if (!(input instanceof URL) || currentTarget === null) return response;
    // A fetcher requests other routes than the navigation.
    const { href, pathname } = new URL(window.location.origin + currentTarget);
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
  const { state, location } = useNavigation();
  const url = state === "loading" ? location.pathname + location.search + location.hash : null;
  useEffect(() => {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const target = takePending();
    // With the origin, because a path may begin with two slashes.
    if (target !== null && entry?.type === "reload") window.location.replace(window.location.origin + target);
    loadDocumentsOfNewBuild();
  }, []);
  useEffect(() => {
    currentTarget = url;
    storePending(url);
  }, [url]);
}
