/** The smallest worker that renders a page with Remix: a root, an empty route, and nothing of the product. */
import { createRequestHandler, type EntryContext, type ServerBuild } from "@remix-run/cloudflare";
import { Links, Meta, Outlet, RemixServer, Scripts, ScrollRestoration } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server";

function Root() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <Meta />
        <Links />
      </head>
      <body>
        <Outlet />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

const Empty = () => <p>Empty</p>;

async function handleRequest(request: Request, status: number, headers: Headers, context: EntryContext) {
  const body = await renderToReadableStream(<RemixServer context={context} url={request.url} />);
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(body, { status, headers });
}

const ROUTES = [
  { id: "root", path: "", component: Root },
  { id: "empty", path: "empty", parentId: "root", component: Empty },
];

const build = {
  entry: { module: { default: handleRequest } },
  routes: Object.fromEntries(
    ROUTES.map(({ component, ...route }) => [
      route.id,
      { ...route, module: { default: component, loader: () => null } },
    ]),
  ),
  assets: {
    version: "1",
    url: "/assets/manifest.js",
    entry: { module: "/assets/entry.js", imports: [] },
    routes: Object.fromEntries(
      ROUTES.map(({ component: _, ...route }) => [
        route.id,
        { ...route, hasLoader: true, module: `/assets/${route.id}.js`, imports: [] },
      ]),
    ),
  },
  basename: "/",
  publicPath: "/",
  assetsBuildDirectory: "build",
  isSpaMode: false,
  future: { v3_singleFetch: true, v3_lazyRouteDiscovery: true, v3_relativeSplatPath: true },
};

const handle = createRequestHandler(build as unknown as ServerBuild, "production");

export default { fetch: (request: Request) => handle(request) };
