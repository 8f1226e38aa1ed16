import { Request, Response } from "miniflare";
import { describe, expect, it } from "vitest";
import { isWebMediaAddress, webMediaOutbound } from "./web-outbound";

describe("the way out of a developer's machine", () => {
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
  ])("to %s: %s", (address, open) => expect(isWebMediaAddress(address)).toBe(open));

  it("carries a question and its answer, and nothing else", async () => {
    const sent: [string, Record<string, string>][] = [];
    const ask = (url: string, init: { method?: string } = {}) =>
      webMediaOutbound(
        new Request(url, { headers: { cookie: "a=b", accept: "image/*" }, ...init }),
        async (...out) => {
          sent.push(out);
          if (url.includes("none")) throw new TypeError("no network");
          return new Response("{}", {
            headers: { "content-type": "application/json", "content-encoding": "gzip" },
          });
        },
      );
    const answer = await ask("https://www.youtube.com/oembed?url=x");
    expect([answer.status, await answer.text(), ...answer.headers]).toEqual([
      200,
      "{}",
      ["content-type", "application/json"],
    ]);
    expect(sent).toEqual([["https://www.youtube.com/oembed?url=x", { accept: "image/*" }]]);
    expect((await ask("https://evil.example/")).status).toBe(502);
    expect((await ask("https://www.youtube.com/oembed", { method: "POST" })).status).toBe(502);
    expect((await ask("https://www.youtube.com/oembed?none")).status).toBe(502);
    expect(sent).toHaveLength(2);
  });
});
