import { matchRoutes, type RouteObject } from "react-router";
import { describe, expect, it } from "vitest";
import routeConfig from "../app/routes";
import { pageAreas } from "./page-areas";
import { isVisitorPath } from "./visitor-paths";

interface ConfigEntry {
  readonly id?: string;
  readonly path?: string;
  readonly index?: boolean;
  readonly file: string;
  readonly children?: readonly ConfigEntry[];
}
interface Route {
  readonly id: string;
  readonly path?: string;
  readonly index?: boolean;
  readonly parentId?: string;
}

/** The product's routes, by id, as Remix's build lists them. */
const routes: Record<string, Route> = { root: { id: "root", path: "" } };
function addRoutes(entries: readonly ConfigEntry[], parentId: string): void {
  for (const { id: configuredId, path, index, file, children = [] } of entries) {
    const id = configuredId ?? file.replace(/\.tsx?$/, "");
    routes[id] = { id, parentId, ...(path !== undefined && { path }), ...(index && { index }) };
    addRoutes(children, id);
  }
}
addRoutes((await routeConfig) as readonly ConfigEntry[], "root");

/** The routes divided into areas, so that a request is matched with the routes of one area only. */
const areas = pageAreas(routes, isVisitorPath);
const buildTree = (ids: ReadonlySet<string>, parentId?: string): RouteObject[] =>
  Object.values(routes)
    .filter((route) => route.parentId === parentId && ids.has(route.id))
    .map(
      ({ id, path, index }) =>
        ({ id, path, index, ...(!index && { children: buildTree(ids, id) }) }) as RouteObject,
    );
const allRoutes = buildTree(new Set(Object.keys(routes)));
const match = (tree: RouteObject[], path: string) =>
  // Remix removes the ending of a request for data before it matches.
  matchRoutes(tree, path.replace(/\.data$/, ""))?.map(({ route, params }) => [route.id, params]);

const getPath = (id: string | undefined): string =>
  id === undefined ? "" : `${getPath(routes[id]?.parentId)}/${routes[id]?.path ?? ""}`;
const ID = "e7164ef5-4a69-4a71-8467-8b1014488db5";
const samples = Object.keys(routes).map((id) =>
  `/${getPath(id).split("/").filter(Boolean).join("/")}`.replace(/:\w+/g, ID).replace(/\*$/, "a/b"),
);

describe("an area", () => {
  it("matches paths as all routes together do", () => {
    expect(samples.length).toBeGreaterThan(100);
    for (const sample of samples)
      for (const path of [
        sample,
        `${sample}/`,
        `${sample}.data`,
        `${sample}/more`,
        sample.toUpperCase(),
        sample.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        sample.replace("/", "/x"),
        sample.replace(/(?<=.)\//, "%2F"),
        sample.replace("/", "//"),
        `${sample}/../`,
        sample.slice(0, -1),
      ])
        expect(match(buildTree(areas.routesOf(areas.keyOf(path))), path), path).toEqual(
          match(allRoutes, path),
        );
  });

  it("has few of the routes, but all of them for the manifest and the root's data", () => {
    const sizeOf = (path: string) => areas.routesOf(areas.keyOf(path)).size;
    expect(sizeOf("/login")).toBeLessThan(6);
    expect(sizeOf(`/event/published/${ID}`)).toBeLessThan(20);
    expect(sizeOf("/nothing")).toBeLessThan(6);
    expect(sizeOf("/__manifest")).toBe(Object.keys(routes).length);
    expect(sizeOf("/_root.data")).toBe(Object.keys(routes).length);
  });

  it("has one key for all paths whose first segment is unknown, and the key of all routes for a path that cannot be decoded", () => {
    const keys = new Set(
      Array.from({ length: 10_000 }, (_, index) => areas.keyOf(`/probe-${index}/${"a".repeat(index % 50)}`)),
    );
    expect(keys.size).toBe(1);
    expect(areas.keyOf("/%E0%A4%A")).toBe(areas.keyOf("/__manifest"));
  });
});
