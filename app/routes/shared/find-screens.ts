import { isOnline } from "~/i18n/later";

/** Milliseconds until a server that cannot be reached is asked again. */
const AGAIN_MS = 4000;

let isPatient = false;

/**
 * The framework asks the server which screens there are at an address before it goes there. A connection that is lost at that moment it takes
 * for a fault of the whole page, in whose place it shows that. Here the question waits for the connection instead: the page stays as it is until the
 * way is known, or until somebody wants to go elsewhere. And where one is already, nothing is asked.
 */
export function findScreensPatiently(): void {
  if (isPatient) return;
  isPatient = true;
  const { fetch } = window;
  window.fetch = async (input, init) => {
    if (!(input instanceof URL) || input.pathname !== "/__manifest") return fetch(input, init);
    if (input.searchParams.getAll("p").every((path) => path === location.pathname)) return Response.json({});
    for (;;)
      try {
        return await fetch(input, init);
      } catch (error) {
        // Without a signal nobody waits for the answer.
        if (init?.signal?.aborted !== false) throw error;
        await Promise.race([isOnline(), new Promise((resolve) => setTimeout(resolve, AGAIN_MS))]);
      }
  };
}
