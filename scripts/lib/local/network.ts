import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { isPrivateAddress } from "../../../app/domain/webhooks/private-address";
import { DEMO_STORE_HOST } from "../../../seed/store/hosts-and-tokens";
import { DemoStore } from "../../../seed/store/store";
import { isWebMediaUrl, webMediaOutbound } from "./web-media-outbound";

/** Handles an outgoing request of the worker. A rejection resets the worker's connection. */
export type OutboundHandler = (request: Request) => Promise<Response>;

/** The simulated network of a product on this machine. */
export interface Network {
  /** host:port to which workerd sends every outgoing request. See LocalOptions. */
  readonly proxy: string;
  readonly store: DemoStore;
  /** Variables that the worker needs with this network. */
  readonly vars: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Headers that are not forwarded: the body arrives decompressed, so its length may differ, and the others apply to one connection only. */
const UNFORWARDED_HEADERS = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "host",
  "keep-alive",
  "transfer-encoding",
]);
const forwardedHeaders = (headers: Iterable<[string, string]>) =>
  [...headers].filter(([name]) => !UNFORWARDED_HEADERS.has(name));

/**
 * Converts an incoming message to a Request. The message comes from the worker through its proxy, or from a browser that opens the
 * checkout.
 */
async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, `https://${DEMO_STORE_HOST}`), {
    method,
    headers: forwardedHeaders(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(hasBody && { body: new Uint8Array(await buffer(incoming)) }),
  });
}

async function send(response: Response, to: ServerResponse): Promise<void> {
  const { status, statusText, headers, body } = response;
  // The length of a compressed response is not that of its decompressed body.
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  to.writeHead(
    status,
    statusText,
    [...forwardedHeaders(headers), ...(length ? [["content-length", length]] : [])].flat(),
  );
  if (body)
    for await (const chunk of Readable.fromWeb(body as never)) if (!to.write(chunk)) await waitForDrain(to);
  to.end();
}

const waitForDrain = (to: ServerResponse) =>
  new Promise<void>((resolve) => {
    to.once("drain", resolve);
    to.once("close", resolve);
  });

/**
 * Starts a proxy that receives every outgoing request of workerd, so that the product meets the failures of a real network.
 * Browsers reach the checkout of the demo store at the same port.
 * @param createHandler creates the handler of all requests, given the demo store
 * @param hosts hosts of this machine at which stores may respond
 */
export async function startNetwork(
  createHandler: (store: DemoStore) => OutboundHandler,
  hosts: readonly string[] = [],
): Promise<Network> {
  let handle: OutboundHandler = async () => new Response(null, { status: 503 });
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    const isProxied = !incoming.url?.startsWith("/");
    const isCheckout = incoming.url?.startsWith("/cart/c/");
    const work = async () => {
      if (!isProxied && !isCheckout) return send(new Response("Not Found", { status: 404 }), outgoing);
      return send(await handle(await toRequest(incoming)), outgoing);
    };
    work().catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const store = new DemoStore({ checkout: `http://localhost:${port}` });
  handle = createHandler(store);
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

/** True for a request that the store client sends, and for a request for an image on the store's CDN. */
export function isStoreRequest(method: string, url: string): boolean {
  const { protocol, port, pathname, hostname } = new URL(url);
  if (protocol !== "https:" || port !== "") return false;
  if (method === "POST") return /^\/api\/\d{4}-\d{2}\/graphql\.json$/.test(pathname);
  return method === "GET" && (hostname === "cdn.shopify.com" || pathname.startsWith("/cdn/shop/"));
}

/** True for a message to a webhook endpoint (Standard Webhooks), which a user of this machine has configured. */
export function isWebhookMessage({ method, url, headers }: Request): boolean {
  const { protocol, port } = new URL(url);
  return method === "POST" && protocol === "https:" && port === "" && headers.has("webhook-signature");
}

/** Resolves a host name or address to all of its addresses. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

const lookupAll: Lookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * True when a host name resolves to this machine or its network. Cloudflare's network, where the product otherwise runs, has no
 * route to these addresses. If the name resolves to another address after this check, the connection still fails because that
 * server has no certificate for the name.
 */
export async function resolvesToPrivateAddress(
  hostname: string,
  resolve: Lookup = lookupAll,
): Promise<boolean> {
  const addresses = await resolve(hostname.replace(/^\[|\]$/g, "")).catch(() => []);
  return addresses.some(isPrivateAddress);
}

/** Node's error codes for a host that cannot be reached. */
const UNREACHABLE_CODES = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"]);

/**
 * Forwards a request. Node trusts the authorities of NODE_EXTRA_CA_CERTS. An unreachable host gives status 530, as on
 * Cloudflare.
 */
async function forward(request: Request): Promise<Response> {
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  try {
    return await fetch(request.url, {
      method: request.method,
      headers: forwardedHeaders(request.headers),
      ...(hasBody && { body: await request.arrayBuffer() }),
      redirect: "manual",
    });
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code && UNREACHABLE_CODES.has(code)) return new Response(null, { status: 530 });
    throw error;
  }
}

/**
 * Handles the outgoing requests of a developer's machine. Allowed are: the demo store, which responds here under a name of its own;
 * the hosts of this machine in `hosts`; requests of the store client to real stores; messages to webhook endpoints; and providers of web
 * media. Every other request is rejected, and so is a name that resolves to this machine's own network.
 */
export const handleLocally =
  (hosts: readonly string[], resolve: Lookup = lookupAll) =>
  (store: DemoStore): OutboundHandler =>
  async (request) => {
    const { host, hostname } = new URL(request.url);
    if (DemoStore.isHost(host)) return store.handle(request);
    if (hosts.includes(host)) return forward(request);
    const isUserConfigured = isStoreRequest(request.method, request.url) || isWebhookMessage(request);
    if (
      (isUserConfigured || isWebMediaUrl(request.url)) &&
      (await resolvesToPrivateAddress(hostname, resolve))
    )
      return new Response(null, { status: 530 });
    if (isUserConfigured) return forward(request);
    return (await webMediaOutbound(request as never)) as unknown as Response;
  };

/** Starts the network of `npm start` and `npm run dev`. */
export function startLocalNetwork(
  allowedHosts: string = process.env.DEV_STORE_HOSTS ?? "",
): Promise<Network> {
  const hosts = allowedHosts
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== "");
  return startNetwork(handleLocally(hosts), hosts);
}
