/** What is measured: each subject is a request, or several in turn, and what it is compared with. */
import { sessionCookieName } from "../app/domain/auth/session";
import { demoIds, demoPassword } from "../seed/demo";
import { Load, type LoadRequest } from "./load";
import { type Place, RANGE_BYTES } from "./place";

export interface Subject {
  /** Stable, for whoever reads results.json. */
  readonly key: string;
  /** For people. */
  readonly name: string;
  readonly load: Load;
  /** How many requests are under way at once. */
  readonly connections: number;
  /** The key of the subject that this one is a multiple of. */
  readonly base: string | null;
}

/** As in all figures of this project: enough to keep a worker busy. */
export const CONNECTIONS = 16;
/** Hashing blocks the isolate: more at once would only wait. */
const HASHING_CONNECTIONS = 2;

const OWNER = "owner@demo.example";
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const logInBody = new URLSearchParams({ email: OWNER, password: demoPassword }).toString();

/** Logs the demo's owner in. @returns the session ticket */
export async function logIn(origin: URL): Promise<string> {
  const response = await fetch(new URL("/login", origin), {
    method: "POST",
    headers: FORM,
    body: logInBody,
    redirect: "manual",
  });
  await response.arrayBuffer();
  const cookie = response.headers
    .getSetCookie()
    .find((header) => header.startsWith(`${sessionCookieName(false)}=`));
  const ticket = cookie?.slice(sessionCookieName(false).length + 1).split(";")[0];
  if (response.status !== 302 || !ticket) throw new Error(`The log-in answered ${response.status}`);
  return ticket;
}

/** Tells the bare workers how many bytes the viewer page has. */
export async function prepareBare(place: Place): Promise<void> {
  const page = await fetch(new URL(place.viewerPath, place.worker));
  const { byteLength } = await page.arrayBuffer();
  if (!page.ok) throw new Error(`The viewer page answered ${page.status}`);
  for (const origin of [place.barePage, place.barePageServed])
    await (await fetch(new URL(`/?bytes=${byteLength}`, origin))).arrayBuffer();
}

interface SubjectPlan extends Partial<Pick<Subject, "connections" | "base">> {
  readonly key: string;
  readonly name: string;
  readonly at: URL;
  readonly request: LoadRequest | readonly LoadRequest[];
}

function makeSubject({
  key,
  name,
  at,
  request,
  connections = CONNECTIONS,
  base = "bare-page",
}: SubjectPlan): Subject {
  return { key, name, load: new Load(at, [request].flat()), connections, base };
}

/** A page of the main event's shop: below its path, with its token. */
const shopPath = (viewerPath: string, place: string) => viewerPath.replace("?", `/shop${place}?`);
/** A product of the demo store, with options and pictures. */
const PRODUCT = "/products/1009";

/** Lets the pages of the shop be made and kept: the first who asks gets them as they come, and they are made behind his back. */
export async function warmShop({ worker, viewerPath }: Place): Promise<void> {
  for (const place of ["", PRODUCT])
    for (let turn = 0; turn < 5; turn++) {
      const page = await fetch(new URL(shopPath(viewerPath, place), worker));
      await page.arrayBuffer();
      if (!page.ok) throw new Error(`The shop's page answered ${page.status}`);
    }
}

/** The subjects in the order in which they take turns. */
export function subjectsOf(place: Place, ticket: string): Subject[] {
  const { worker, viewerPath } = place;
  const session = { Cookie: `${sessionCookieName(false)}=${ticket}` };
  const query = viewerPath.slice(viewerPath.indexOf("?") + 1);
  const file = `/media/${place.fileId}?event=${demoIds.mainEvent}&mode=published&${query}`;
  const get = (path: string, headers?: Record<string, string>): LoadRequest => ({ path, headers });

  const plans: SubjectPlan[] = [
    {
      key: "bare-page",
      name: "Bare worker: the viewer page's bytes from memory",
      at: place.barePage,
      request: get("/"),
      base: null,
    },
    { key: "viewer-hot", name: "Viewer page, hot", at: worker, request: get(viewerPath) },
    {
      key: "viewer-view",
      name: "Viewer page, hot, by a link to a viewpoint",
      at: worker,
      request: get(`${viewerPath}&view=w_0_1.6_0_0_0`),
    },
    {
      key: "viewer-tag",
      name: "Viewer page, hot, by a link to a tag",
      at: worker,
      request: get(`${viewerPath}&tag=${place.tagId}`),
    },
    {
      key: "shop-list",
      name: "Shop's list of products, kept",
      at: worker,
      request: get(shopPath(viewerPath, "")),
      base: "viewer-hot",
    },
    {
      key: "shop-product",
      name: "Shop's product page, kept",
      at: worker,
      request: get(shopPath(viewerPath, PRODUCT)),
      base: "viewer-hot",
    },
    { key: "bare-row", name: "Bare worker: one row of D1", at: place.bareRow, request: get("/") },
    {
      key: "viewer-cold",
      name: "Viewer page, cold",
      at: place.counted,
      request: place.copyPaths.map((path) => get(path)),
    },
    {
      key: "remix-empty",
      name: "Empty Remix route: /error/event/x",
      at: worker,
      request: { path: "/error/event/x", status: 404 },
    },
    { key: "space-list", name: "Space list", at: worker, request: get("/space-list", session) },
    { key: "space", name: "Space", at: worker, request: get(`/space/${demoIds.showroom}`, session) },
    { key: "editor", name: "Event editor", at: worker, request: get(`/event/${demoIds.mainEvent}`, session) },
    {
      key: "file-range",
      name: "64 KB of a medium",
      at: worker,
      request: { path: file, headers: { Range: `bytes=0-${RANGE_BYTES - 1}` }, status: 206 },
    },
    {
      key: "bare-hash",
      name: "Bare worker: one scrypt",
      at: place.bareHash,
      request: get("/"),
      base: null,
      connections: HASHING_CONNECTIONS,
    },
    {
      key: "log-in",
      name: "Log-in",
      at: worker,
      request: { method: "POST", path: "/login", headers: FORM, body: logInBody, status: 302 },
      base: "bare-hash",
      connections: HASHING_CONNECTIONS,
    },
  ];
  if (place.routed) {
    plans.push(
      {
        key: "bare-served",
        name: "Bare worker behind the local file router",
        at: place.barePageServed,
        request: get("/"),
      },
      {
        key: "viewer-served",
        name: "Viewer page, hot, behind the local file router",
        at: place.served,
        request: get(viewerPath),
        base: "bare-served",
      },
    );
  }
  return plans.map(makeSubject);
}
