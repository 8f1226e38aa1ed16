import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, it } from "vitest";
import { isVisitorPath } from "#functions/visitor-paths";
import routes from "../app/routes";
import { VISITOR_ROUTES } from "../scripts/lib/build/lazy-routes";

type Page = { readonly path: string; readonly isVisitors: boolean };

/** Pages of these routes. `isVisitors` is true when the worker starts with all code of the page. */
function pagesOf(entries: readonly RouteConfigEntry[], parent: Page): Page[] {
  return entries.flatMap((entry) => {
    const path = entry.path === undefined ? parent.path : `${parent.path}/${entry.path}`;
    const page = { path, isVisitors: parent.isVisitors && VISITOR_ROUTES.test(`/app/${entry.file}`) };
    const pagePath = entry.path === undefined && !entry.index ? [] : [page];
    return [...pagePath, ...pagesOf(entry.children ?? [], page)];
  });
}

it("a path is a visitor's path exactly if the worker starts with all code of its page", async () => {
  const pages = pagesOf(await routes, { path: "", isVisitors: true });
  expect(pages.filter(({ isVisitors }) => isVisitors).length).toBeGreaterThan(40);
  for (const { path, isVisitors } of pages)
    expect(isVisitorPath(path.replace(/:\w+|\*/g, "x") || "/"), path).toBe(isVisitors);
});
