/**
 * The REST API (specification §7). Each resource has a file that declares its calls (decision 029); this file builds one application from them. Errors are problem
 * documents; a known path with another method (except OPTIONS) responds with 405, an unknown one with 404.
 */
import { Hono, type MiddlewareHandler } from "hono";
import { isTicket } from "#functions/services/auth/sessions";
import { RateLimitedError } from "#functions/services/shared/errors";
import { sha256Hex } from "#functions/services/shared/sha256";
import { isApiToken } from "~/domain/webhooks/tokens";
import { reportCalls } from "./analytics/reports";
import { accountCalls } from "./auth/account";
import { accountLinkCalls } from "./auth/account-links";
import { passwordCalls } from "./auth/passwords";
import { sessionCalls } from "./auth/sessions";
import { contentCalls } from "./content/content";
import { tagCsvCalls } from "./content/tag-csv";
import { aboutCalls } from "./core/about";
import { batchCalls } from "./core/batch";
import type { Call } from "./core/call";
import { createCallHandler } from "./core/call-handler";
import type { ApiContext, ApiEnv } from "./core/context";
import { failureResponse } from "./core/failure";
import { HttpError } from "./core/problem";
import { getClientNetwork, requestTicket } from "./core/request";
import { eventCalls } from "./events/events";
import { historyCalls } from "./events/history";
import { copyCalls } from "./folders/copy";
import { folderCalls } from "./folders/folders";
import { trashCalls } from "./folders/trash";
import { mediaCalls } from "./library/media";
import { preparationCalls } from "./library/preparations";
import { uploadCalls } from "./library/uploads";
import { webMediaCalls } from "./library/web-media";
import { spaceCalls } from "./spaces/spaces";
import { cartCalls } from "./store/cart";
import { storeCalls } from "./store/store";
import { packageSchemaCalls } from "./transfer/package-schema";
import { packageCalls } from "./transfer/packages";
import { auditCalls } from "./users/audit";
import { groupCalls } from "./users/groups";
import { userCsvCalls } from "./users/user-csv";
import { userCalls } from "./users/users";
import { visitorCalls } from "./visitors/visitors";
import { webhookCalls } from "./webhooks/webhooks";

export type { ApiContext } from "./core/context";

/** Returns a path without the parts that clients may write or omit: `/api`, `.json` and trailing slashes. */
export function normalPath(pathname: string): string {
  const path = pathname.replace(/\.json(?=\/|$)/g, "").replace(/\/+$/, "");
  return path.replace(/^\/api(?=\/|$)/, "") || "/";
}

/**
 * Every call. Their paths have this order in the OpenAPI document. If several paths match a request, a path without parameters wins, even if it
 * rejects the method. Otherwise the first path with parameters and this method wins.
 */
export const CALLS: readonly Call[] = [
  ...sessionCalls,
  ...passwordCalls,
  ...accountCalls,
  ...accountLinkCalls,
  ...spaceCalls,
  ...folderCalls,
  ...webMediaCalls,
  ...mediaCalls,
  ...uploadCalls,
  ...preparationCalls,
  ...packageCalls,
  ...packageSchemaCalls,
  ...batchCalls,
  ...copyCalls,
  ...trashCalls,
  ...eventCalls,
  ...contentCalls,
  ...tagCsvCalls,
  ...historyCalls,
  ...storeCalls,
  ...cartCalls,
  ...reportCalls,
  ...webhookCalls,
  ...visitorCalls,
  ...userCsvCalls,
  ...userCalls,
  ...groupCalls,
  ...auditCalls,
  ...aboutCalls(() => CALLS),
];

/**
 * Limits calls by caller: by session ticket or API token, both called tokens here, or by network without one. A value that does not have the form of a token is
 * ignored. Because any number of invalid tokens can be invented, an invalid token also counts against its network, in all locations together. A network
 * with too many of them is blocked for unknown callers (InvalidTokenThrottle).
 */
const limitCalls: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { countCall, countInvalidToken, invalidTokenThrottle } = c.env;
  const network = `place:${getClientNetwork(c)}`;
  const { ticket: token } = requestTicket(c);
  const caller = isTicket(token) || isApiToken(token) ? `caller:${await sha256Hex(token)}` : network;
  if (invalidTokenThrottle.isBlocked(network, caller) || !(await countCall(caller)))
    throw new RateLimitedError("calls");
  await next();
  if (caller === network) return;
  // Calls that did not authenticate use the result of an earlier call with the same token.
  const isValid = c.get("hasValidToken") ?? invalidTokenThrottle.isKnownCaller(caller);
  invalidTokenThrottle.record(caller, isValid);
  if (!isValid && !(await countInvalidToken(network))) invalidTokenThrottle.block(network);
};

/** A path in the router's syntax. */
const toRoutePath = (path: string) => normalPath(path).replace(/\{(\w+)\}/g, ":$1");

/** The whole API as one application, whose environment is the request's ApiContext. */
export function createApi(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ getPath: (request) => normalPath(new URL(request.url).pathname) });

  app.use(async (c, next) => {
    await next();
    // A response is for one caller only, unless its handler decides otherwise.
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "private, no-store");
    c.header("x-content-type-options", "nosniff");
  });

  app.use(limitCalls);

  const routes = new Map<string, Call[]>();
  for (const declaration of CALLS)
    routes.set(toRoutePath(declaration.path), [
      ...(routes.get(toRoutePath(declaration.path)) ?? []),
      declaration,
    ]);
  const addRoute = (path: string, declarations: readonly Call[]) => {
    for (const declaration of declarations) app.on(declaration.method, path, createCallHandler(declaration));
  };
  const rejectOtherMethods = (path: string, declarations: readonly Call[]) => {
    const allowedMethods = declarations.flatMap(({ method }) =>
      method === "GET" ? ["GET", "HEAD"] : [method],
    );
    const allow = [...allowedMethods, "OPTIONS"].join(", ");
    app.options(path, (c) => c.body(null, 204, { allow }));
    app.all(path, () => {
      throw new HttpError(405, "method_not_allowed", { allow });
    });
  };
  const isFixed = ([path]: readonly [string, unknown]) => !path.includes(":");
  const [fixedRoutes, parameterRoutes] = [
    [...routes].filter(isFixed),
    [...routes].filter((route) => !isFixed(route)),
  ];
  // A fixed path must never be read as an id in the path of another call.
  for (const route of fixedRoutes) {
    addRoute(...route);
    rejectOtherMethods(...route);
  }
  for (const route of parameterRoutes) addRoute(...route);
  for (const route of parameterRoutes) rejectOtherMethods(...route);
  app.notFound(() => {
    throw new HttpError(404, "unknown_path");
  });

  app.onError((error, c) => failureResponse(c, error));
  return app;
}

const app = createApi();

/** Handles a request below /api or /default. */
export async function handleApi(request: Request, context: ApiContext): Promise<Response> {
  return app.fetch(request, context);
}
