import { Request, Response } from "miniflare";
import { describe, expect, it } from "vitest";
import { isWebMediaUrl, webMediaOutbound } from "./web-media-outbound";

describe("outgoing requests of a developer's machine", () => {
  it.each([
    ["https://www.youtube.com/oembed?url=x", true],
    ["https://i.ytimg.com/vi/x/hqdefault.jpg", true],
    ["https://i1.sndcdn.com/artworks.jpg", true],
    ["https://my.matterport.com/api/v1/models/oembed/?url=x", true],
    ["http://www.youtube.com/oembed", false],
    ["https://www.youtube.com:8443/oembed", false],
    ["https://evil.example/?https://www.youtube.com/oembed", false],
    ["https://www.youtube.com.evil.example/oembed", false],
    ["http://127.0.0.1/", false],
    ["https://api.cloudflare.com/", false],
  ])("the URL %s belongs to a provider of web media: %s", (address, isAllowed) =>
    expect(isWebMediaUrl(address)).toBe(isAllowed),
  );

  it("to providers of web media are forwarded with their Accept header only; other hosts, other methods and failures give 502", async () => {
    const sentRequests: [string, Record<string, string>][] = [];
    const send = (url: string, init: { method?: string } = {}) =>
      webMediaOutbound(
        new Request(url, { headers: { cookie: "a=b", accept: "image/*" }, ...init }),
        async (...args) => {
          sentRequests.push(args);
          if (url.includes("none")) throw new TypeError("no network");
          return new Response("{}", {
            headers: { "content-type": "application/json", "content-encoding": "gzip" },
          });
        },
      );
    const response = await send("https://www.youtube.com/oembed?url=x");
    expect([response.status, await response.text(), ...response.headers]).toEqual([
      200,
      "{}",
      ["content-type", "application/json"],
    ]);
    expect(sentRequests).toEqual([["https://www.youtube.com/oembed?url=x", { accept: "image/*" }]]);
    expect((await send("https://evil.example/")).status).toBe(502);
    expect((await send("https://www.youtube.com/oembed", { method: "POST" })).status).toBe(502);
    expect((await send("https://www.youtube.com/oembed?none")).status).toBe(502);
    expect(sentRequests).toHaveLength(2);
  });
});
