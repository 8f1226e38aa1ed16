import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { isPrivateAddress } from "../../app/domain/webhooks/private-address";
import { DEMO_STORE_HOST } from "../../seed/store/names";
import { DemoStore } from "../../seed/store/store";
import { isWebMediaAddress, webMediaOutbound } from "./web-outbound";

/** Answers what a worker sends out. Rejects where nobody would answer: the worker's connection is reset then, as it would be. */
export type Answer = (request: Request) => Promise<Response>;

/** The network of a product on this machine. */
export interface Network {
  /** Where workerd sends everything: see LocalOptions. */
  readonly proxy: string;
  readonly store: DemoStore;
  /** Variables of the worker that go with it. */
  readonly vars: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Not these: what comes back is unpacked, and its length another one. */
const HOP = new Set([
  ...["connection", "content-encoding", "content-length", "host", "keep-alive", "transfer-encoding"],
]);
const kept = (headers: Iterable<[string, string]>) => [...headers].filter(([name]) => !HOP.has(name));

/** The request that a worker sent through its proxy, or a browser to the checkout. */
async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, `https://${DEMO_STORE_HOST}`), {
    method,
    headers: kept(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(hasBody && { body: new Uint8Array(await buffer(incoming)) }),
  });
}

async function send(response: Response, to: ServerResponse): Promise<void> {
  const { status, statusText, headers, body } = response;
  const length = headers.get("content-length");
  to.writeHead(
    status,
    statusText,
    [...kept(headers), ...(length ? [["content-length", length]] : [])].flat(),
  );
  if (!body) to.end();
  else for await (const chunk of Readable.fromWeb(body as never)) if (!to.write(chunk)) await drained(to);
  to.end();
}

const drained = (to: ServerResponse) =>
  new Promise<void>((resolve) => {
    to.once("drain", resolve);
    to.once("close", resolve);
  });

/**
 * Starts a network: workerd hands every request that leaves it to this proxy, and so meets what networks are like. Browsers reach the
 * checkout of the demo store at the same port.
 * @param answerWith what answers all requests, given the demo store
 * @param hosts of this machine that stores may answer at
 */
export async function startNetwork(
  answerWith: (store: DemoStore) => Answer,
  hosts: readonly string[] = [],
): Promise<Network> {
  let answer: Answer = async () => new Response(null, { status: 503 });
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    const isProxied = !incoming.url?.startsWith("/");
    const isCheckout = incoming.url?.startsWith("/cart/c/");
    const work = async () => {
      if (!isProxied && !isCheckout) return send(new Response("Not Found", { status: 404 }), outgoing);
      return send(await answer(await requestOf(incoming)), outgoing);
    };
    work().catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const store = new DemoStore({ checkout: `http://localhost:${port}` });
  answer = answerWith(store);
  return {
    proxy: `127.0.0.1:${port}`,
    store,
    vars: { DEV_STORE_HOSTS: [...hosts, `localhost:${port}`].join(",") },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether a request is one that the store's client sends, or fetches a picture that a store keeps at its CDN. */
export function isStoreRequest(method: string, address: string): boolean {
  const { protocol, port, pathname, hostname } = new URL(address);
  if (protocol !== "https:" || port !== "") return false;
  if (method === "POST") return /^\/api\/\d{4}-\d{2}\/graphql\.json$/.test(pathname);
  return method === "GET" && (hostname === "cdn.shopify.com" || pathname.startsWith("/cdn/shop/"));
}

/** Whether a request is a message to a receiver of a webhook (Standard Webhooks), as somebody here has asked for it. */
export function isWebhookMessage({ method, url, headers }: Request): boolean {
  const { protocol, port } = new URL(url);
  return method === "POST" && protocol === "https:" && port === "" && headers.has("webhook-signature");
}

/** All addresses of a name or address. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

const lookupAll: Lookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Whether a name leads into this machine or its network, as far as is known: Cloudflare's network, where the product runs otherwise, has no way
 * there. Whoever changes where the name leads after this look still meets a server without a certificate for it.
 */
export async function leadsInside(hostname: string, resolve: Lookup = lookupAll): Promise<boolean> {
  const found = await resolve(hostname.replace(/^\[|\]$/g, "")).catch(() => []);
  return found.some(isPrivateAddress);
}

const UNREACHABLE = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"]);

/** Sends a request on as it is. Node trusts the authorities that NODE_EXTRA_CA_CERTS adds. Where nobody is, it answers as Cloudflare does. */
async function forward(request: Request): Promise<Response> {
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  try {
    return await fetch(request.url, {
      method: request.method,
      headers: kept(request.headers),
      ...(hasBody && { body: await request.arrayBuffer() }),
      redirect: "manual",
    });
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code && UNREACHABLE.has(code)) return new Response(null, { status: 530 });
    throw error;
  }
}

/**
 * The way out of a developer's machine: to the demo store, which answers here under a name of its own; to hosts of this machine that are
 * named; to real stores, with what their client sends; to receivers of webhooks; and to providers of web media. Nowhere else, and by no name into this
 * machine's own network.
 */
export const localAnswer =
  (hosts: readonly string[], resolve: Lookup = lookupAll) =>
  (store: DemoStore): Answer =>
  async (request) => {
    const { host, hostname } = new URL(request.url);
    if (DemoStore.isHost(host)) return store.handle(request);
    if (hosts.includes(host)) return forward(request);
    const isTyped = isStoreRequest(request.method, request.url) || isWebhookMessage(request);
    if ((isTyped || isWebMediaAddress(request.url)) && (await leadsInside(hostname, resolve)))
      return new Response(null, { status: 530 });
    if (isTyped) return forward(request);
    return (await webMediaOutbound(request as never)) as unknown as Response;
  };

/** The network of `npm start` and `npm run dev`. */
export function localNetwork(named: string = process.env.DEV_STORE_HOSTS ?? ""): Promise<Network> {
  const hosts = named
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== "");
  return startNetwork(localAnswer(hosts), hosts);
}
