import type { Plugin } from "vite";

/** Remix's module of a route's browser part: `export { default, handle } from "./file"`. */
const CLIENT_ROUTE = "?__remix-build-client-route";

/**
 * Makes a route's browser module wait for the namespaces of its `handle.i18n`. The router commits a navigation, and the page
 * hydrates, only when the modules of all its routes are loaded.
 */
export function routeNamespaces(): Plugin {
  return {
    name: "route-namespaces",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code, id) {
      if (!id.endsWith(CLIENT_ROUTE) || !/\bhandle\b/.test(code)) return null;
      const from = /from ("[^"]+")/.exec(code)?.[1];
      return {
        code: `${code}
import { handle as ownHandle } from ${from};
import { loadNamespaces } from "~/i18n/load";
await loadNamespaces(ownHandle.i18n ?? []);`,
        map: null,
      };
    },
  };
}
