import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readResponse } from "#functions/http/read-body";
import type { WebMediaResponse, WebUrlMatch } from "~/domain/library/oembed.schema";
import { matchProvider } from "~/domain/library/web-media";
import { respondAsProvider, stripedPng } from "../../tests/support/external/web-providers";
import { oembedLookup } from "./oembed";

const VIDEO_MATCH = matchProvider("https://youtu.be/dQw4w9WgXcQ") as WebUrlMatch;
const VIDEO_JSON = String(
  respondAsProvider(`https://www.youtube.com/oembed?url=${encodeURIComponent(VIDEO_MATCH.url)}`)?.body,
);

let requests: { url: string; init: RequestInit }[];
let now: number;
let respond: (url: string, init: RequestInit) => Response | Promise<Response>;
let lookup: ReturnType<typeof oembedLookup>;

beforeEach(() => {
  requests = [];
  now = 1_000_000;
  respond = () => ok(VIDEO_JSON);
  lookup = oembedLookup({
    now: () => now,
    readBody: readResponse,
    fetch: async (url, init) => {
      requests.push({ url, init });
      return respond(url, init);
    },
  });
});
afterEach(() => vi.useRealTimers());

const ok = (body: BodyInit, type = "application/json") =>
  new Response(body, { headers: { "content-type": type } });
const redirectTo = (location: string) => new Response(null, { status: 302, headers: { location } });
const neverResponds = (_url: string, { signal }: RequestInit) =>
  new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

describe("a request to a provider", () => {
  it("goes to the provider's endpoint with only an Accept header, and does not let fetch follow redirects", async () => {
    expect(await lookup.requestOembed(VIDEO_MATCH)).toMatchObject({
      web: { title: "広場を歩く Walking through Hiroba" },
    });
    const [{ url, init } = { url: "", init: {} }] = requests;
    expect(url).toBe(
      "https://www.youtube.com/oembed?url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ&format=json",
    );
    expect(init.redirect).toBe("manual");
    expect(init.headers).toEqual({ accept: "application/json" });
  });

  it.each([
    [400, "not_found"],
    [401, "private"],
    [403, "private"],
    [404, "not_found"],
    [410, "not_found"],
    [429, "unreachable"],
    [500, "unreachable"],
    [501, "unsupported"],
    [502, "unreachable"],
  ])("maps status %i to %s", async (status, rejection) => {
    respond = () => new Response("{}", { status });
    expect(await lookup.requestOembed(VIDEO_MATCH)).toBe(rejection);
  });

  it.each([
    ["HTML", () => ok(VIDEO_JSON, "text/html"), "bad"],
    ["no type", () => new Response(new TextEncoder().encode(VIDEO_JSON)), "bad"],
    ["no JSON", () => ok("{"), "bad"],
    ["no UTF-8", () => ok(new Uint8Array([0x22, 0xff, 0x22])), "bad"],
    ["a link", () => ok('{"type":"link","version":"1.0"}'), "link"],
    ["more than 64 KB", () => ok(`{"type":"video","html":"${"x".repeat(70_000)}"}`), "bad"],
    [
      "more than 64 KB and a smaller Content-Length",
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              controller.enqueue(new Uint8Array(16_384).fill(32));
            },
          }),
          { headers: { "content-type": "application/json", "content-length": "10" } },
        ),
      "bad",
    ],
  ])("rejects a response with %s", async (_what, createResponse, rejection) => {
    respond = createResponse;
    expect(await lookup.requestOembed(VIDEO_MATCH)).toBe(rejection);
  });

  it.each([
    ["to another host", "https://evil.example/oembed"],
    ["to another host of the provider", "https://m.youtube.com/oembed"],
    ["to an internal host", "https://127.0.0.1/oembed"],
    ["without TLS", "http://www.youtube.com/oembed"],
    ["to another port", "https://www.youtube.com:8443/oembed"],
    ["to an invalid address", "https://"],
  ])("does not follow a redirect %s", async (_what, location) => {
    respond = () => redirectTo(location);
    expect(await lookup.requestOembed(VIDEO_MATCH)).toBe("unreachable");
    expect(requests).toHaveLength(1);
  });

  it("follows a limited number of redirects on the same host", async () => {
    respond = (url) => (url.includes("second") ? ok(VIDEO_JSON) : redirectTo("/oembed?second"));
    expect(await lookup.requestOembed(VIDEO_MATCH)).toHaveProperty("web");
    lookup = oembedLookup({
      readBody: readResponse,
      now: () => now,
      fetch: async () => redirectTo("/oembed"),
    });
    expect(await lookup.requestOembed(VIDEO_MATCH)).toBe("unreachable");
  });

  it("times out after three seconds, also while the body arrives", async () => {
    for (const slowResponse of [
      neverResponds,
      (_url: string, init: RequestInit) =>
        new Response(
          new ReadableStream({
            start: (controller) =>
              init.signal?.addEventListener("abort", () => controller.error(new Error("late"))),
          }),
          { headers: { "content-type": "application/json" } },
        ),
    ]) {
      respond = slowResponse;
      const startedAt = Date.now();
      expect(await lookup.requestOembed(VIDEO_MATCH)).toBe("unreachable");
      expect(Date.now() - startedAt).toBeGreaterThan(2900);
      expect(Date.now() - startedAt).toBeLessThan(5000);
    }
  });

  it("is not repeated for the time that the response states, between a minute and a day, or for ten minutes by default", async () => {
    const requestCount = async (cacheAge: unknown, seconds: number) => {
      respond = () => ok(JSON.stringify({ ...JSON.parse(VIDEO_JSON), cache_age: cacheAge }));
      now += 1e9;
      requests = [];
      await lookup.requestOembed(VIDEO_MATCH);
      now += seconds * 1000;
      await lookup.requestOembed(VIDEO_MATCH);
      return requests.length;
    };
    expect(await requestCount(1, 59)).toBe(1);
    expect(await requestCount(1, 61)).toBe(2);
    expect(await requestCount("3600", 3599)).toBe(1);
    expect(await requestCount(3600, 3601)).toBe(2);
    expect(await requestCount(3153600000, 86_401)).toBe(2);
    expect(await requestCount("soon", 599)).toBe(1);
    expect(await requestCount(undefined, 601)).toBe(2);
  });

  it("is repeated after a rejection, which is not cached", async () => {
    respond = () => new Response(null, { status: 503 });
    expect(await lookup.requestOembed(VIDEO_MATCH)).toBe("unreachable");
    respond = () => ok(VIDEO_JSON);
    expect(await lookup.requestOembed(VIDEO_MATCH)).toHaveProperty("web");
  });

  it("is not made to a provider without an endpoint", async () => {
    const nico = matchProvider("https://nico.ms/sm9") as WebUrlMatch;
    expect(await lookup.requestOembed(nico)).toMatchObject({
      web: { provider: "niconico", player: "/watch/sm9" },
    });
    expect(requests).toEqual([]);
  });
});

describe("a thumbnail", () => {
  const png = stripedPng(8, 8);
  const responseWith = (image: string | null): WebMediaResponse => ({
    web: {} as WebMediaResponse["web"],
    image,
    cacheAge: null,
  });
  const THUMBNAIL_URL = "https://i.ytimg.com/vi/x/hqdefault.jpg";
  const fetchThumbnail = (url: string | null = THUMBNAIL_URL) =>
    lookup.fetchThumbnail(VIDEO_MATCH, responseWith(url));

  it("gets its type from its bytes, whatever its Content-Type is", async () => {
    respond = () => ok(png, "text/html");
    expect(await fetchThumbnail()).toEqual({ bytes: png, mimeType: "image/png" });
  });

  it.each([
    ["a page that is called an image", () => ok("<!doctype html><script>alert(1)</script>", "image/png")],
    ["an SVG", () => ok('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "image/svg+xml")],
    ["empty", () => ok("", "image/png")],
    ["more than 1 MB", () => ok(new Uint8Array(1_048_577), "image/png")],
    ["missing", () => new Response(null, { status: 404 })],
    ["redirected to another host", () => redirectTo("https://evil.example/a.png")],
    ["redirected to an internal host", () => redirectTo("https://169.254.169.254/a.png")],
  ])("is null when it is %s", async (_what, createResponse) => {
    respond = createResponse;
    expect(await fetchThumbnail()).toBeNull();
    expect(requests).toHaveLength(1);
  });

  it("is fetched from the provider's image hosts, also after a redirect between them, and is null without a URL", async () => {
    const matterport = matchProvider("https://my.matterport.com/show/?m=SxQL3iGyoDo") as WebUrlMatch;
    respond = (url) =>
      url.includes("cdn-2") ? ok(png) : redirectTo("https://cdn-2.matterport.com/thumb.jpg");
    const matterportResponse = responseWith(
      "https://my.matterport.com/api/v1/player/models/SxQL3iGyoDo/thumb/",
    );
    expect(await lookup.fetchThumbnail(matterport, matterportResponse)).toMatchObject({
      mimeType: "image/png",
    });
    expect(await fetchThumbnail(null)).toBeNull();
  });
});
