import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { replaceCode } from "./replace-code";

/** The module of @remix-run/router (1.23) that the worker imports. */
const ROUTER = /\/@remix-run\/router\/dist\/router\.js$/;

const REPLACEMENTS: readonly (readonly [string, string])[] = [
  // The ranked branches and their patterns depend only on the routes, which never change in a worker.
  [
    "  let branches = flattenRoutes(routes);\n  rankRouteBranches(branches);\n",
    `  let branches = branchesByRoutes.get(routes);
  if (branches === undefined) {
    branches = flattenRoutes(routes);
    rankRouteBranches(branches);
    for (const branch of branches) branch.pattern = compilePath(branch.path, false, true)[0];
    branchesByRoutes.set(routes, branches);
  }
`,
  ],
  // Each branch has one pattern for its whole path, which rejects most branches. The router compares the others segment by segment, to read the parameters.
  [
    "    matches = matchRouteBranch(branches[i], decoded, allowPartial);\n",
    "    if (allowPartial || branches[i].pattern.test(decoded)) matches = matchRouteBranch(branches[i], decoded, allowPartial);\n",
  ],
  // The pattern of a path depends only on the arguments. The paths are those of routes, so requests do not enlarge the map.
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
 * Makes the router keep the ranked branches of routes and the patterns of paths. Otherwise it computes them for each of about eight matches of a
 * request, which takes a tenth of the time of an owner's page.
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
