import { isOnline } from "~/i18n/later";

/** Delay before an unreachable server is queried again, in milliseconds. */
const AGAIN_MS = 4000;

let isPatient = false;

/** Addresses that this document has displayed; their routes are known. */
const been = new Set<string>();

/**
 * Remix requests the routes of an address from the server before it navigates there. If the connection is lost at that moment, Remix replaces
 * the whole page with an error page. This function makes the request wait for the connection instead: the page stays as it is until the routes
 * are known, or until the user navigates elsewhere.
 */
export function findScreensPatiently(pathname: string | null): void {
  if (pathname !== null) been.add(pathname);
  if (isPatient) return;
  isPatient = true;
  const { fetch } = window;
  window.fetch = async (input, init) => {
    if (!(input instanceof URL) || input.pathname !== "/__manifest") return fetch(input, init);
    if (input.searchParams.getAll("p").every((path) => been.has(path))) return Response.json({});
    let back: Promise<unknown> | null = null;
    for (;;)
      try {
        return await fetch(input, init);
      } catch (error) {
        // A request without a signal has no navigation that waits for it.
        if (init?.signal?.aborted !== false) throw error;
        back ??= isOnline().then(() => {
          back = null;
        });
        await Promise.race([back, new Promise((resolve) => setTimeout(resolve, AGAIN_MS))]);
      }
  };
}
