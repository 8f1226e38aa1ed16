import { waitForConnection } from "~/i18n/late-part";

/** Delay before an unreachable server is queried again, in milliseconds. */
const RETRY_MS = 4000;

let isInstalled = false;

/** Paths that this document has displayed; their routes are known. */
const visitedPaths = new Set<string>();

/**
 * Remix requests the routes of a URL from the server before it navigates there. If the connection is lost at that moment, Remix replaces
 * the whole page with an error page. This function makes the request wait for the connection instead: the page stays as it is until the routes
 * are known, or until the user navigates elsewhere.
 * @param pathname path of the displayed page; null for an error page
 */
export function waitForRouteDiscovery(pathname: string | null): void {
  if (pathname !== null) visitedPaths.add(pathname);
  if (isInstalled) return;
  isInstalled = true;
  const { fetch } = window;
  window.fetch = async (input, init) => {
    if (!(input instanceof URL) || input.pathname !== "/__manifest") return fetch(input, init);
    if (input.searchParams.getAll("p").every((path) => visitedPaths.has(path))) return Response.json({});
    let reconnection: Promise<unknown> | null = null;
    for (;;)
      try {
        return await fetch(input, init);
      } catch (error) {
        // A request without a signal does not belong to a navigation.
        if (init?.signal?.aborted !== false) throw error;
        reconnection ??= waitForConnection().then(() => {
          reconnection = null;
        });
        await Promise.race([reconnection, new Promise((resolve) => setTimeout(resolve, RETRY_MS))]);
      }
  };
}
