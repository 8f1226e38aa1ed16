/**
 * Renders pages with Remix. The worker starts with the code of visitors' pages; the first request for any other page loads the code of
 * all other pages, because a worker's start-up time grows with the code that runs then (decision 076).
 */
import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
// The pages, as Vite built them (scripts/lib/build/build.ts).
import * as build from "#build";
import { lazyModule } from "./load-module";
import { pageAreas } from "./page-areas";
import { isVisitorPath } from "./visitor-paths";

type RenderPage = (request: Request, context: AppLoadContext) => Promise<Response>;

const areas = pageAreas(build.routes, isVisitorPath);
/** The Remix handlers of visitors' areas and of other areas, by the area's key. */
const visitorHandlers = new Map<string, RenderPage>();
const handlers = new Map<string, RenderPage>();

/** Creates a Remix handler for those routes of an area (PageAreas) whose modules are loaded (decision 094). */
function createHandler(key: string, routes: Readonly<Record<string, { module: unknown }>>): RenderPage {
  const ids = areas.routesOf(key);
  const isInArea = ([id]: [string, unknown]) => ids.has(id) && routes[id]?.module;
  const { assets } = build;
  // The manifest for browsers contains only these routes, because the renderer reads the module of each route in it. Browsers request the others later.
  const manifestRoutes = Object.entries(assets.routes).filter(isInArea);
  const areaBuild = {
    ...build,
    routes: Object.fromEntries(Object.entries(routes).filter(isInArea)),
    assets: { ...assets, routes: Object.fromEntries(manifestRoutes) },
  };
  return createRequestHandler(areaBuild as unknown as ServerBuild, "production");
}

const allRoutes = lazyModule("pages", async () => {
  const modules = await build.loadLazyRoutes();
  return Object.fromEntries(
    Object.entries(build.routes).map(([id, route]) => [
      id,
      { ...route, module: route.module ?? modules[id] },
    ]),
  );
});

/** Whether a path belongs to a page, or may belong to one, because only the router can decide it: see PageAreas. */
export const { hasRoute } = areas;

/** Renders the page of a request. @throws ModuleError when its code cannot be loaded */
export async function renderPage(request: Request, context: AppLoadContext): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isVisitor = isVisitorPath(pathname);
  const [handlerCache, routes] = isVisitor ? [visitorHandlers, build.routes] : [handlers, await allRoutes()];
  const key = areas.keyOf(pathname);
  const render = handlerCache.get(key) ?? createHandler(key, routes);
  handlerCache.set(key, render);
  return render(request, context);
}
