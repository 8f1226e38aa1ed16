import { describe, expect, it } from "vitest";
import { readResponse } from "#functions/http/read-body";
import { stripedPng } from "../../tests/support/external/web-providers";
import { isStoreUrl, STORE_IMAGE_PATH, serveStoreImage, storeImagePath } from "./store-images";

const SECRET = "a-secret-of-the-tests-0123456789-abcdef";
const IMAGE = "https://cdn.shopify.com/s/files/1/a.png?v=1&width=400";
const onlyPublic = () => false;

describe("a URL from a store", () => {
  it.each([
    [IMAGE, true],
    ["https://shop.example.com/checkouts/cn/x", true],
    ["http://shop.example.com/a", false],
    ["https://shop.example.com:8443/a", false],
    ["https://user:pass@shop.example.com/", false],
    ["https://127.0.0.1/a", false],
    ["https://localhost/a", false],
    ["https://shop/a", false],
    ["javascript:alert(1)", false],
    ["data:image/png;base64,AAAA", false],
    ["//shop.example.com/a", false],
    ["", false],
    [`https://shop.example.com/${"x".repeat(2000)}`, false],
  ])("%s is allowed: %s", (url, isAllowed) => {
    expect(isStoreUrl(url, onlyPublic)).toBe(isAllowed);
  });
  it("may be on this machine if the host is allowed, with or without TLS", () => {
    const local = (host: string) => host === "localhost:9443";
    expect(isStoreUrl("http://localhost:9443/cart/c/1", local)).toBe(true);
    expect(isStoreUrl("https://localhost:9443/a.png", local)).toBe(true);
    expect(isStoreUrl("ftp://localhost:9443/a.png", local)).toBe(false);
    expect(isStoreUrl("http://localhost:9444/a.png", local)).toBe(false);
  });
});

describe("an image of a store", () => {
  const png = stripedPng(20, 10);
  function createServer(respond: (url: string) => Response | Promise<Response>) {
    const fetched: string[] = [];
    const cache = new Map<string, Response>();
    const deferred: Promise<unknown>[] = [];
    const get = (path: string, method = "GET") =>
      serveStoreImage(new Request(`https://hiroba.example${path}`, { method }), {
        secret: SECRET,
        readBody: readResponse,
        fetch: async (url) => {
          fetched.push(url);
          return respond(url);
        },
        isAllowedHost: onlyPublic,
        cache: async () => ({
          match: async (key: RequestInfo | URL) => cache.get(String(key))?.clone() as never,
          put: async (key: RequestInfo | URL, response: unknown) =>
            void cache.set(String(key), response as Response),
        }),
        defer: (work) => deferred.push(work),
      });
    return { fetched, deferred, get };
  }
  const path = storeImagePath(SECRET, IMAGE, onlyPublic) ?? "";

  it("is served by Hiroba for GET and HEAD only, cached, and fetched once", async () => {
    const { fetched, deferred, get } = createServer(
      () => new Response(png, { headers: { "content-type": "text/html" } }),
    );
    expect(path.startsWith(STORE_IMAGE_PATH)).toBe(true);
    const first = await get(path);
    expect([
      first.status,
      first.headers.get("content-type"),
      first.headers.get("x-content-type-options"),
    ]).toEqual([200, "image/png", "nosniff"]);
    expect(new Uint8Array(await first.arrayBuffer())).toEqual(png);
    await Promise.all(deferred);
    expect((await get(path)).status).toBe(200);
    expect((await get(path, "HEAD")).status).toBe(200);
    expect(fetched).toEqual([IMAGE]);
    expect((await get(path, "POST")).status).toBe(405);
  });

  it("is not served at a path with an invalid signature or another segment, and nothing is fetched", async () => {
    const { fetched, get } = createServer(() => new Response(png));
    const [, , mac = "", encoded = ""] = path.split("/");
    const foreignUrl = Buffer.from("https://evil.example/a.png").toString("base64url");
    const signedElsewhere = storeImagePath("another-secret", IMAGE, onlyPublic) ?? "";
    for (const invalidPath of [
      `${STORE_IMAGE_PATH}${mac}/${foreignUrl}`,
      `${STORE_IMAGE_PATH}${mac}x/${encoded}`,
      `${STORE_IMAGE_PATH}/${encoded}`,
      `${STORE_IMAGE_PATH}${mac}/${encoded}/x`,
      STORE_IMAGE_PATH,
      signedElsewhere,
    ])
      expect((await get(invalidPath)).status, invalidPath).toBe(404);
    expect(fetched).toEqual([]);
  });

  it("has no path if its host is private", () => {
    expect(storeImagePath(SECRET, "https://10.0.0.1/a.png", onlyPublic)).toBeNull();
  });

  it.each([
    ["a page", () => new Response("<!doctype html><script>alert(1)</script>")],
    [
      "an SVG image with a script",
      () => new Response("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"),
    ],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } }),
    ],
    ["a missing file", () => new Response(null, { status: 404 })],
    ["a file that is too large", () => new Response(new Uint8Array(6 * 1024 * 1024))],
    ["a file of an unreachable host", () => Promise.reject(new TypeError("DNS lookup failed."))],
  ])("is rejected if it turns out to be %s", async (_, respond) => {
    const { get, deferred } = createServer(respond);
    const response = await get(path);
    expect([response.status, response.headers.get("cache-control"), deferred.length]).toEqual([
      502,
      "no-store",
      0,
    ]);
  });
});
