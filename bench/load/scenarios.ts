/**
 * Scenarios that are measured. Each is one request or several in turn, with the scenario that it is compared with. A hot page is in the worker's
 * cache; a cold page must be rendered.
 */
import { sessionCookieName } from "../../app/domain/auth/session";
import { demoIds, demoPassword } from "../../seed/demo";
import { type BenchEnvironment, RANGE_BYTES } from "../bench-environment";
import { SKELETON_PATH } from "../skeleton/bundle";
import { Load, type LoadRequest } from "./load";

/** Requests that are measured together under one name. */
export interface Scenario {
  /** Stable key, for readers of results.json. */
  readonly key: string;
  /** Name in the report. */
  readonly name: string;
  readonly load: Load;
  /** Number of concurrent requests. */
  readonly connections: number;
  /** Key of the scenario by whose speed this one's is divided in the report; null for none. */
  readonly base: string | null;
}

/** Enough connections to keep a worker busy. */
export const CONNECTIONS = 16;
/** Hashing blocks the isolate, so that more concurrent requests would only wait. */
const HASHING_CONNECTIONS = 2;

const OWNER_EMAIL = "owner@demo.example";
const FORM_HEADERS = { "Content-Type": "application/x-www-form-urlencoded" };
const logInBody = new URLSearchParams({ email: OWNER_EMAIL, password: demoPassword }).toString();

/**
 * Logs the demo's owner in.
 * @returns the session ticket, which is the value of the session cookie
 */
export async function logInOwner(origin: URL): Promise<string> {
  const response = await fetch(new URL("/login", origin), {
    method: "POST",
    headers: FORM_HEADERS,
    body: logInBody,
    redirect: "manual",
  });
  await response.arrayBuffer();
  const cookie = response.headers
    .getSetCookie()
    .find((header) => header.startsWith(`${sessionCookieName(false)}=`));
  const sessionTicket = cookie?.slice(sessionCookieName(false).length + 1).split(";")[0];
  if (response.status !== 302 || !sessionTicket) throw new Error(`The log-in returned ${response.status}`);
  return sessionTicket;
}

/** Prepares the bare workers: two get the size of the viewer page, and the one that inserts a fresh nonce gets the page itself. */
export async function prepareBareWorkers(environment: BenchEnvironment): Promise<void> {
  const pageResponse = await fetch(new URL(environment.viewerPath, environment.worker));
  const { byteLength } = await pageResponse.arrayBuffer();
  if (!pageResponse.ok) throw new Error(`The viewer page returned ${pageResponse.status}`);
  for (const origin of [environment.barePage, environment.barePageServed])
    await (await fetch(new URL(`/?bytes=${byteLength}`, origin))).arrayBuffer();
  const hotPageResponse = await fetch(new URL(environment.viewerPath, environment.worker));
  const nonce =
    /nonce-([^']+)'/.exec(hotPageResponse.headers.get("content-security-policy") ?? "")?.[1] ?? "";
  const headers = [...hotPageResponse.headers].filter(
    ([name]) => !/^(?:content-length|transfer-encoding)$/.test(name),
  );
  await fetch(environment.bareNoncePage, {
    method: "POST",
    headers: { "x-nonce": nonce, "x-headers": JSON.stringify(headers) },
    body: await hotPageResponse.text(),
  });
}

interface ScenarioPlan extends Partial<Pick<Scenario, "connections" | "base">> {
  readonly key: string;
  readonly name: string;
  readonly origin: URL;
  readonly request: LoadRequest | readonly LoadRequest[];
}

function createScenario({
  key,
  name,
  origin,
  request,
  connections = CONNECTIONS,
  base = "bare-page",
}: ScenarioPlan): Scenario {
  return { key, name, load: new Load(origin, [request].flat()), connections, base };
}

/** Path and query of a page of an event's shop, with the event's token. */
export const toShopPath = (viewerPath: string, path: string) => viewerPath.replace("?", `/shop${path}?`);
/** Path of a product of the demo store, with options and images. */
export const PRODUCT_PATH = "/products/1009";

/**
 * Requests each measured page of the shop five times, so that it is cached: the first request gets a streamed page, and the cached page
 * is rendered in the background.
 */
export async function warmShop({ worker, viewerPath }: BenchEnvironment): Promise<void> {
  for (const path of ["", PRODUCT_PATH])
    for (let attempt = 0; attempt < 5; attempt++) {
      const pageResponse = await fetch(new URL(toShopPath(viewerPath, path), worker));
      await pageResponse.arrayBuffer();
      if (!pageResponse.ok) throw new Error(`The shop's page returned ${pageResponse.status}`);
    }
}

/** The scenarios, in the order of their turns. */
export function createScenarios(environment: BenchEnvironment, sessionTicket: string): Scenario[] {
  const { worker, viewerPath } = environment;
  const sessionHeaders = { Cookie: `${sessionCookieName(false)}=${sessionTicket}` };
  const query = viewerPath.slice(viewerPath.indexOf("?") + 1);
  const filePath = `/media/${environment.fileId}?event=${demoIds.mainEvent}&mode=published&${query}`;
  const get = (path: string, headers?: Record<string, string>): LoadRequest => ({ path, headers });

  const plans: ScenarioPlan[] = [
    {
      key: "bare-page",
      name: "Bare worker: the viewer page's bytes from memory",
      origin: environment.barePage,
      request: get("/"),
      base: null,
    },
    { key: "viewer-hot", name: "Viewer page, hot", origin: worker, request: get(viewerPath) },
    {
      key: "bare-nonce",
      name: "Bare worker: the viewer page's bytes and headers with a fresh nonce",
      origin: environment.bareNoncePage,
      request: get("/"),
    },
    {
      key: "viewer-hot-nonce",
      name: "Viewer page, hot, relative to that worker",
      origin: worker,
      request: get(viewerPath),
      base: "bare-nonce",
    },
    {
      key: "viewer-view",
      name: "Viewer page, hot, by a link to a viewpoint",
      origin: worker,
      request: get(`${viewerPath}&view=w_0_1.6_0_0_0`),
      base: "viewer-hot",
    },
    {
      key: "viewer-unknown",
      name: "Viewer page, hot, by 2,000 queries with unknown parameters",
      origin: worker,
      request: Array.from({ length: 2000 }, (_, index) =>
        get(`${viewerPath}&utm_source=${index}&x${index}=1`),
      ),
      base: "viewer-hot",
    },
    {
      key: "viewer-tag",
      name: "Viewer page, hot, by links to all tags",
      origin: worker,
      request: environment.tagIds.map((id) => get(`${viewerPath}&tag=${id}`)),
      base: "viewer-hot",
    },
    {
      key: "shop-list",
      name: "Shop's list of products, cached",
      origin: worker,
      request: get(toShopPath(viewerPath, "")),
      base: "viewer-hot",
    },
    {
      key: "shop-product",
      name: "Shop's product page, cached",
      origin: worker,
      request: get(toShopPath(viewerPath, PRODUCT_PATH)),
      base: "viewer-hot",
    },
    { key: "bare-row", name: "Bare worker: one row of D1", origin: environment.bareRow, request: get("/") },
    {
      key: "viewer-cold",
      name: "Viewer page, cold",
      origin: environment.counted,
      request: environment.copyPaths.map((path) => get(path)),
    },
    {
      key: "log-in-page",
      name: "Log-in page, cached",
      origin: worker,
      request: get("/login"),
      base: "viewer-hot",
    },
    {
      key: "error-page",
      name: "Page of closed links, cached",
      origin: worker,
      request: { path: `/error/event/${demoIds.mainEvent}`, status: 404 },
      base: "viewer-hot",
    },
    {
      key: "remix-empty",
      name: "Empty Remix route, rendered: /error/event/x?link=x",
      origin: worker,
      // The page is not cached when its URL has the parameter `link`.
      request: { path: "/error/event/x?link=x", status: 404 },
    },
    {
      key: "remix-skeleton",
      name: "Remix skeleton: an empty route without the product",
      origin: environment.skeleton,
      request: get(SKELETON_PATH),
    },
    {
      key: "remix-empty-skeleton",
      name: "Empty Remix route, relative to the skeleton",
      origin: worker,
      request: { path: "/error/event/x?link=x", status: 404 },
      base: "remix-skeleton",
    },
    { key: "space-list", name: "Space list", origin: worker, request: get("/space-list", sessionHeaders) },
    {
      key: "space",
      name: "Space",
      origin: worker,
      request: get(`/space/${demoIds.showroom}`, sessionHeaders),
    },
    {
      key: "editor",
      name: "Event editor",
      origin: worker,
      request: get(`/event/${demoIds.mainEvent}`, sessionHeaders),
    },
    { key: "library", name: "Library", origin: worker, request: get("/library", sessionHeaders) },
    {
      key: "file-range",
      name: "64 KB of a media file",
      origin: worker,
      request: { path: filePath, headers: { Range: `bytes=0-${RANGE_BYTES - 1}` }, status: 206 },
    },
    {
      key: "bare-hash",
      name: "Bare worker: one scrypt",
      origin: environment.bareHash,
      request: get("/"),
      base: null,
      connections: HASHING_CONNECTIONS,
    },
    {
      key: "log-in",
      name: "Log-in",
      origin: worker,
      request: { method: "POST", path: "/login", headers: FORM_HEADERS, body: logInBody, status: 302 },
      base: "bare-hash",
      connections: HASHING_CONNECTIONS,
    },
  ];
  if (environment.routed) {
    plans.push(
      {
        key: "bare-served",
        name: "Bare worker behind the local file router",
        origin: environment.barePageServed,
        request: get("/"),
      },
      {
        key: "viewer-served",
        name: "Viewer page, hot, behind the local file router",
        origin: environment.served,
        request: get(viewerPath),
        base: "bare-served",
      },
    );
  }
  return plans.map(createScenario);
}
