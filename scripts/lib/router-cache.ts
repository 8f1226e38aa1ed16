import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { replaceCode } from "./replace-code";

/** The module of @remix-run/router (1.23) that the worker imports. */
const ROUTER = /\/@remix-run\/router\/dist\/router\.js$/;

const REPLACEMENTS: readonly (readonly [string, string])[] = [
  // The ranked branches depend only on the routes, which never change in a worker.
  [
    "  let branches = flattenRoutes(routes);\n  rankRouteBranches(branches);\n",
    "  let branches = branchesByRoutes.get(routes);\n  if (branches === undefined) {\n    branches = flattenRoutes(routes);\n    rankRouteBranches(branches);\n    branchesByRoutes.set(routes, branches);\n  }\n",
  ],
  // The pattern of a path depends only on the arguments, which are parts of the routes.
  [
    "function compilePath(path, caseSensitive, end) {\n",
    `const branchesByRoutes = new WeakMap();
const compiledPaths = new Map();
function compilePath(path, caseSensitive, end) {
  const key = caseSensitive + " " + end + " " + path;
  let compiled = compiledPaths.get(key);
  if (compiled === undefined) {
    compiled = compileNewPath(path, caseSensitive, end);
    compiledPaths.set(key, compiled);
  }
  return compiled;
}
function compileNewPath(path, caseSensitive, end) {
`,
  ],
];

/**
 * Makes the router keep the ranked branches of routes and the patterns of paths. It computes them again for each of about eight matches of a request,
 * which takes a tenth of the time of an owner's page.
 * @throws when the router's code differs from the version for which the replacements were written
 */
export const cacheRoutes = (code: string): string => replaceCode("The router", code, REPLACEMENTS);

/** Replaces the router in the worker: see cacheRoutes. */
export const routerCache: Plugin = {
  name: "router-cache",
  setup({ onLoad }) {
    onLoad({ filter: ROUTER }, ({ path }) => ({ contents: cacheRoutes(readFileSync(path, "utf8")) }));
  },
};
