import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, it } from "vitest";
import { isVisitorPath } from "#functions/visitor-paths";
import routes from "../app/routes";
import { VISITOR_ROUTES } from "../scripts/lib/build/lazy-routes";

type Page = { readonly path: string; readonly isLoadedAtStart: boolean };

/** Pages of these routes. `isLoadedAtStart` is true when all code of the page is loaded at the worker's start. */
function pagesOf(entries: readonly RouteConfigEntry[], parent: Page): Page[] {
  return entries.flatMap((entry) => {
    const path = entry.path === undefined ? parent.path : `${parent.path}/${entry.path}`;
    const page = {
      path,
      isLoadedAtStart: parent.isLoadedAtStart && VISITOR_ROUTES.test(`/app/${entry.file}`),
    };
    const ownPage = entry.path === undefined && !entry.index ? [] : [page];
    return [...ownPage, ...pagesOf(entry.children ?? [], page)];
  });
}

it("isVisitorPath is true exactly for pages whose whole code is loaded at the worker's start", async () => {
  const pages = pagesOf(await routes, { path: "", isLoadedAtStart: true });
  expect(pages.filter(({ isLoadedAtStart }) => isLoadedAtStart).length).toBeGreaterThan(40);
  for (const { path, isLoadedAtStart } of pages)
    expect(isVisitorPath(path.replace(/:\w+|\*/g, "x") || "/"), path).toBe(isLoadedAtStart);
});
