import { isOnline } from "~/i18n/later";

/** Delay before an unreachable server is queried again, in milliseconds. */
const AGAIN_MS = 4000;

let isPatient = false;

/** Addresses that this document has displayed; their routes are known. */
const been = new Set<string>();

/**
 * The framework asks the server which screens there are at an address before it goes there. A connection that is lost at that moment it takes
 * for a fault of the whole page, in whose place it shows that. Here the question waits for the connection instead: the page stays as it is until the
 * way is known, or until somebody wants to go elsewhere. And where one has been already, nothing is asked: the address in the browser's bar does not tell
 * that, which going back changes before the screen is there.
 * @param pathname of the screen that is shown; null where none could be
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
