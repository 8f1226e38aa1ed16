/**
 * Renders pages with Remix. The worker starts with the code of visitors' pages; the first request for any other screen loads the code of
 * all of them, because a worker's start-up time grows with the code that runs then (decision 076).
 */
import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
// The pages, as Vite built them (scripts/lib/build.ts).
import * as build from "#build";
import { routeFinder } from "./http/public-page";
import { lazyModule } from "./load-module";
import { isVisitorPath } from "./visitor-paths";

type RenderPage = (request: Request, context: AppLoadContext) => Promise<Response>;

/** A Remix handler of some of the build's routes, by id. */
function handlerOf(routes: Readonly<Record<string, unknown>>): RenderPage {
  const { assets } = build;
  // The renderer reads the module of every route in the manifest for browsers. Browsers request the routes that are left out here.
  const manifestRoutes = Object.entries(assets.routes).filter(([id]) => id in routes);
  const part = { ...build, routes, assets: { ...assets, routes: Object.fromEntries(manifestRoutes) } };
  return createRequestHandler(part as unknown as ServerBuild, "production");
}

const visitorRoutes = Object.entries(build.routes).filter(([, { module }]) => module !== null);
const renderVisitorPage = handlerOf(Object.fromEntries(visitorRoutes));

const allPages = lazyModule("pages", async () => {
  const modules = await build.loadLaterRoutes();
  return handlerOf(
    Object.fromEntries(
      Object.entries(build.routes).map(([id, route]) => [
        id,
        { ...route, module: route.module ?? modules[id] },
      ]),
    ),
  );
});

/** Whether a path belongs to a screen, or may belong to one: see routeFinder. */
export const hasRoute = routeFinder(build.routes);

/** Renders the page of a request. @throws ModuleError when its code cannot be loaded */
export async function renderPage(request: Request, context: AppLoadContext): Promise<Response> {
  const render = isVisitorPath(new URL(request.url).pathname) ? renderVisitorPage : await allPages();
  return render(request, context);
}
