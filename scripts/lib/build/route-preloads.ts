import type { Plugin } from "vite";

/** Remix's module of a route's browser part: `export { default, handle } from "./file"`. */
const CLIENT_ROUTE = "?__remix-build-client-route";

/**
 * Makes a route's browser module wait for the message namespaces and the late parts (components that load separately) that its `handle` names.
 * The router commits a navigation, and the page hydrates, only when the modules of all its routes are loaded.
 */
export function routePreloads(): Plugin {
  return {
    name: "route-preloads",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code, id) {
      if (!id.endsWith(CLIENT_ROUTE) || !/\bhandle\b/.test(code)) return null;
      const from = /from ("[^"]+")/.exec(code)?.[1];
      return {
        code: `${code}
import { handle as ownHandle } from ${from};
import { preloadRoute } from "~/i18n/load";
await preloadRoute(ownHandle);`,
        map: null,
      };
    },
  };
}
