import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  fetch as fetchOut,
  type Request as MiniflareRequest,
  Response as MiniflareResponse,
} from "miniflare";
import { DemoStore } from "../../seed/store/store";
import { webMediaOutbound } from "./web-outbound";

type Outbound = (request: MiniflareRequest) => Promise<MiniflareResponse>;

/** Everything that a product on this machine may reach: see localNetwork. */
export interface LocalNetwork {
  readonly store: DemoStore;
  readonly outbound: Outbound;
  /** Variables of the worker that go with it. */
  readonly vars: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Not these: what comes back is unpacked, and its length another one. */
const HOP = new Set(["content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive"]);

/** Nobody answered, as a worker sees that: a service that fails would be an answer with a status. */
const unreachable = () =>
  new MiniflareResponse(
    new ReadableStream({ start: (controller) => controller.error(new Error("Connection reset")) }),
    { headers: { "content-type": "application/json" } },
  );

/** Whether a request is one that the store's client sends, or fetches a picture that a store keeps at its CDN. */
export function isStoreRequest(method: string, address: string): boolean {
  const { protocol, port, pathname, hostname } = new URL(address);
  if (protocol !== "https:" || port !== "") return false;
  if (method === "POST") return /^\/api\/\d{4}-\d{2}\/graphql\.json$/.test(pathname);
  return method === "GET" && (hostname === "cdn.shopify.com" || pathname.startsWith("/cdn/shop/"));
}

async function forward(request: MiniflareRequest): Promise<MiniflareResponse> {
  try {
    const hasBody = request.method !== "GET" && request.method !== "HEAD";
    const answer = await fetchOut(request.url, {
      method: request.method,
      headers: [...request.headers].filter(([name]) => name !== "host" && !HOP.has(name)),
      ...(hasBody && { body: await request.arrayBuffer() }),
      redirect: "manual",
    });
    const { status, statusText, headers, body } = answer;
    const kept = [...headers].filter(([name]) => !HOP.has(name));
    return new MiniflareResponse(status === 204 || status === 304 ? null : body, {
      status,
      statusText,
      headers: kept as [string, string][],
    });
  } catch {
    return unreachable();
  }
}

/** The demo store's answer to a request of the worker. */
export async function askDemoStore(store: DemoStore, request: MiniflareRequest): Promise<MiniflareResponse> {
  const { method, url, headers } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  try {
    const answer = await store.handle(
      new Request(url, { method, headers: [...headers], ...(hasBody && { body: await request.text() }) }),
    );
    return new MiniflareResponse(answer.body as never, {
      status: answer.status,
      statusText: answer.statusText,
      headers: [...answer.headers] as [string, string][],
    });
  } catch {
    return unreachable();
  }
}

/**
 * The way out of a developer's machine: to the demo store, which answers here under a name of its own; to hosts of this machine that are
 * named; to real stores, with what their client sends; and to providers of web media. Nowhere else.
 * @param hosts DEV_STORE_HOSTS; their certificates are those that NODE_EXTRA_CA_CERTS adds
 */
export function storeOutbound(store: DemoStore, hosts: readonly string[]): Outbound {
  return async (request) => {
    const { host } = new URL(request.url);
    if (DemoStore.isHost(host)) return askDemoStore(store, request);
    if (hosts.includes(host) || isStoreRequest(request.method, request.url)) return forward(request);
    return webMediaOutbound(request);
  };
}

/** Starts the demo store for a product on this machine, with the page at which a browser pays. */
export async function localNetwork(named: string = process.env.DEV_STORE_HOSTS ?? ""): Promise<LocalNetwork> {
  const hosts = named
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== "");
  const checkout = await startCheckout(() => store);
  const store: DemoStore = new DemoStore({ checkout: checkout.origin });
  return {
    store,
    outbound: storeOutbound(store, hosts),
    vars: { DEV_STORE_HOSTS: [...hosts, new URL(checkout.origin).host].join(",") },
    stop: checkout.stop,
  };
}

/** A browser reaches the store's checkout at an address of this machine. */
async function startCheckout(store: () => DemoStore) {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const found = url.pathname.startsWith("/cart/")
      ? await store().handle(new Request(url))
      : new Response("Not Found", { status: 404 });
    response.writeHead(found.status, Object.fromEntries(found.headers));
    response.end(await found.text());
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    origin: `http://localhost:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
