/**
 * The REST API (§7). One file a resource; each declares its operations on one application. Errors are problem documents, a
 * known path with another method answers 405, an unknown one 404.
 */
import { Hono } from "hono";
import { routePath } from "hono/route";
import { contentRoutes } from "./content";
import type { ApiContext, ApiEnv } from "./context";
import { copyRoutes } from "./copies";
import { eventRoutes } from "./events";
import { folderRoutes } from "./folders";
import { mediaRoutes } from "./media";
import { passwordRoutes } from "./passwords";
import { HttpError, problemOf } from "./problem";
import { sessionCookie } from "./request";
import { sessionRoutes } from "./sessions";
import { spaceRoutes } from "./spaces";
import { uploadRoutes } from "./uploads";
import { visitorRoutes } from "./visitors";
import { webMediaRoutes } from "./web-media";

export type { ApiContext } from "./context";

/** One path for the spellings that clients use: below /api, with or without `.json` and the trailing slash. */
export function normalPath(pathname: string): string {
  const path = pathname.replace(/\.json(?=\/|$)/g, "").replace(/\/+$/, "");
  return path.replace(/^\/api(?=\/|$)/, "") || "/";
}

/** The whole API as one application, whose environment is the request's ApiContext. */
export function createApi(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ getPath: (request) => normalPath(new URL(request.url).pathname) });

  app.use(async (c, next) => {
    await next();
    // Answers are made for one caller.
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "private, no-store");
    c.header("x-content-type-options", "nosniff");
  });

  sessionRoutes(app);
  passwordRoutes(app);
  spaceRoutes(app);
  folderRoutes(app);
  copyRoutes(app);
  // Before what reads an id there.
  webMediaRoutes(app);
  mediaRoutes(app);
  eventRoutes(app);
  contentRoutes(app);
  uploadRoutes(app);
  visitorRoutes(app);

  const methods = new Map<string, string[]>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    methods.set(path, [...(methods.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  }
  for (const [path, allowed] of methods) {
    app.all(path, () => {
      throw new HttpError(405, "method_not_allowed", { allow: [...new Set(allowed)].join(", ") });
    });
  }
  app.notFound(() => {
    throw new HttpError(404, "unknown_path");
  });

  app.onError((error, c) => {
    const response = problemOf(error, c.env.requestId, routePath(c));
    // §4: a 401 ends the session in the browser too, when it was that session that was refused: not a wrong password, nor
    // a ticket in the path, which a link on any site can name.
    if (response.status === 401 && c.get("cookieRefused")) {
      response.headers.append("set-cookie", sessionCookie(c, "", 0));
    }
    return response;
  });
  return app;
}

const app = createApi();

/** Answers a request below /api or /default. */
export async function handleApi(request: Request, context: ApiContext): Promise<Response> {
  return app.fetch(request, context);
}
