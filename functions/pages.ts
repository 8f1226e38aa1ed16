/**
 * Rendering of pages by Remix. The code of visitors' pages is there at the start; that of all other screens is loaded with the first
 * request for one, because the time in which a worker starts grows with its code.
 */
import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
// The pages, as Vite built them (scripts/lib/build.ts).
import * as build from "#build";
import { lazyModule } from "./load-module";

type RenderPage = (request: Request, context: AppLoadContext) => Promise<Response>;

/** Paths of the screens in `visitorRoute` of app/routes.ts, and of their data. */
const VISITOR_PAGE =
  /^\/(event\/(published|preview)\/[^/]+|space\/(published|3d|preview)\/[^/]+\/[^/]+)(\/shop(\.data|\/.*)?)?$/;

/** The build with some of its routes, by id. */
function handlerOf(routes: Readonly<Record<string, unknown>>): RenderPage {
  const { assets } = build;
  // The renderer looks for the module of every route that the list for browsers names; browsers ask for the others of it.
  const listed = Object.entries(assets.routes).filter(([id]) => id in routes);
  const part = { ...build, routes, assets: { ...assets, routes: Object.fromEntries(listed) } };
  return createRequestHandler(part as unknown as ServerBuild, "production");
}

const isThere = Object.entries(build.routes).filter(([, { module }]) => module !== null);
const renderVisitorPage = handlerOf(Object.fromEntries(isThere));

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

/** Renders the page of a request. @throws ModuleError when its code cannot be loaded */
export async function renderPage(request: Request, context: AppLoadContext): Promise<Response> {
  const render = VISITOR_PAGE.test(new URL(request.url).pathname) ? renderVisitorPage : await allPages();
  return render(request, context);
}
