import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromRoot } from "../paths";
import { cacheRoutes } from "./router-cache";

const source = readFileSync(fromRoot("node_modules/@remix-run/router/dist/router.js"), "utf8");

type Router = Pick<typeof import("@remix-run/react"), "matchPath" | "matchRoutes">;

/** Loads the router's module from its code. */
const loadRouter = (code: string) =>
  import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Router>;

const ROUTES = [
  {
    id: "root",
    path: "/",
    children: [
      { id: "home", index: true },
      { id: "event", path: "event/:mode/:id", children: [{ id: "shop", path: "shop/*" }] },
      { id: "lists", path: "lists/:kind?" },
      { id: "new", path: "event/new/form" },
    ],
  },
];

describe("the router that caches its branches and patterns", () => {
  it("finds the same routes, also when a path is matched again", async () => {
    const [plainRouter, cachedRouter] = [await loadRouter(source), await loadRouter(cacheRoutes(source))];
    const paths = [
      "/",
      "/event/published/x",
      "/event/published/%E5%BA%83/shop/a/b",
      "/event/new/form",
      "/EVENT/New/form/",
      "/event/published/x/shop",
      "/event/published/x//shop/a",
      "/event/published/a%2Fb",
      "/lists",
      "/lists/a",
      "/lists/a/b",
      "//",
      "/no",
    ];
    for (const path of [...paths, ...paths])
      expect(cachedRouter.matchRoutes(ROUTES, path)).toEqual(plainRouter.matchRoutes(ROUTES, path));
    expect(cachedRouter.matchPath("/a/:id", "/a/1")).toEqual(plainRouter.matchPath("/a/:id", "/a/1"));
    expect(cachedRouter.matchPath({ path: "/a", end: false }, "/a/1")).toEqual(
      plainRouter.matchPath({ path: "/a", end: false }, "/a/1"),
    );
  });

  it("does not confuse two lists of routes", async () => {
    const cachedRouter = await loadRouter(cacheRoutes(source));
    const otherRoutes = [{ id: "other", path: "/event/:mode/:id" }];
    expect(cachedRouter.matchRoutes(ROUTES, "/event/a/b")?.at(-1)?.route.id).toBe("event");
    expect(cachedRouter.matchRoutes(otherRoutes, "/event/a/b")?.at(-1)?.route.id).toBe("other");
  });

  it("rejects another version of the router", () => {
    expect(() => cacheRoutes(source.replace("rankRouteBranches(branches);", ""))).toThrow("does not contain");
  });
});
