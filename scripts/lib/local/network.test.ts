import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  handleLocally,
  isStoreRequest,
  type Network,
  resolvesToPrivateAddress,
  startNetwork,
} from "./network";

describe("outgoing requests of a developer's machine", () => {
  it.each([
    ["POST", "https://shop.myshopify.com/api/2025-01/graphql.json", true],
    ["POST", "https://shop.myshopify.com/api/unstable/graphql.json", false],
    ["POST", "https://shop.myshopify.com/admin/api/2025-01/graphql.json", false],
    ["POST", "http://shop.myshopify.com/api/2025-01/graphql.json", false],
    ["POST", "https://shop.myshopify.com:8443/api/2025-01/graphql.json", false],
    ["GET", "https://cdn.shopify.com/s/files/1/a.png", true],
    ["GET", "https://shop.example.com/cdn/shop/files/a.png", true],
    ["GET", "https://shop.example.com/", false],
    ["GET", "https://api.cloudflare.com/", false],
  ])("the request %s %s is for a store: %s", (method, address, isAllowed) => {
    expect(isStoreRequest(method, address)).toBe(isAllowed);
  });
});

describe("a host name that a user enters", () => {
  it.each([
    ...[
      "localhost",
      "127.0.0.1",
      "10.1.2.3",
      "172.31.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "0.0.0.0",
    ],
    ...["[::1]", "[::]", "[::ffff:192.168.1.1]", "[fd00::1]", "[fe80::1]"],
  ])("resolves to this machine's network: %s", async (name) => {
    expect(await resolvesToPrivateAddress(name)).toBe(true);
  });

  it.each(["1.1.1.1", "172.32.0.1", "[2606:4700::1111]"])("resolves to another network: %s", async (name) => {
    expect(await resolvesToPrivateAddress(name)).toBe(false);
  });

  it("receives no webhook message and no store request if it is localhost", async () => {
    const handleRequest = handleLocally([])(undefined as never);
    const headers = { "webhook-signature": "v1,x" };
    for (const path of ["/", "/api/2025-01/graphql.json"]) {
      const request = new Request(`https://localhost${path}`, { method: "POST", body: "{}", headers });
      expect((await handleRequest(request)).status).toBe(530);
    }
  });

  it.each([
    ["IPv4", ["127.0.0.1"]],
    ["one of several", ["1.1.1.1", "10.0.0.1"]],
    ["IPv4 within IPv6", ["::ffff:127.0.0.1"]],
    ["6to4", ["2002:7f00:1::"]],
    ["NAT64", ["64:ff9b::7f00:1"]],
    ["unique local", ["fd00::1"]],
  ])("is rejected when it resolves to this machine's network (%s)", async (_name, addresses) => {
    const handleRequest = handleLocally([], async () => addresses)(undefined as never);
    const headers = { "webhook-signature": "v1,x" };
    for (const request of [
      new Request("https://127.0.0.1.nip.io/hook", { method: "POST", body: "{}", headers }),
      new Request("https://10.0.0.1.nip.io/api/2025-01/graphql.json", { method: "POST", body: "{}" }),
      new Request("https://www.youtube.com/oembed?url=x"),
      new Request("https://shop.nip.io/cdn/shop/files/a.png"),
    ])
      expect((await handleRequest(request)).status, request.url).toBe(530);
  });
});

describe("the network of a local product", () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork(() => async (request) => {
      return new Response(await request.text(), {
        headers: { "x-request": `${request.method} ${request.url}` },
      });
    });
  });
  afterAll(() => network.stop());

  it("stops on request and frees its port", async () => {
    const otherNetwork = await startNetwork(() => async () => new Response());
    await otherNetwork.stop();
    const port = Number(otherNetwork.proxy.split(":")[1]);
    const reusingServer = createServer();
    await new Promise<void>((resolve, reject) =>
      reusingServer.once("error", reject).listen(port, "127.0.0.1", resolve),
    );
    await new Promise((resolve) => reusingServer.close(resolve));
  });

  it("passes on the whole body of a compressed response", async () => {
    const body = "Indigo ".repeat(100);
    const compressed = gzipSync(body);
    const host = createServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-length": compressed.length });
      response.end(compressed);
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const name = `localhost:${(host.address() as AddressInfo).port}`;
    const otherNetwork = await startNetwork(handleLocally([name]));
    const [address, port] = otherNetwork.proxy.split(":");
    const received = await new Promise<string>((resolve, reject) =>
      get({ host: address, port, path: `http://${name}/` }, (response) =>
        text(response).then(resolve, reject),
      ).on("error", reject),
    );
    expect(received).toBe(body);
    await otherNetwork.stop();
    await new Promise((resolve) => host.close(resolve));
  });

  it("serves browsers the store's checkout, but not its API", async () => {
    const get = (path: string) => fetch(`http://${network.proxy}${path}`);
    expect((await get("/cart/c/abc?key=1")).headers.get("x-request")).toBe(
      "GET https://store.hiroba.example/cart/c/abc?key=1",
    );
    expect((await get("/")).status).toBe(404);
    expect((await get("/api/2025-01/graphql.json")).status).toBe(404);
  });
});
