import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serveVisit, type VisitEndpoint, visitSource } from "./visit-endpoint";

const EVENT = "11111111-1111-4111-8111-111111111111";
const BROWSER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const sentReport = { visit: "0123456789abcdef0123456789abcdef", part: 0, from: "", things: [], stays: [] };

type LoggedVisit = Parameters<VisitEndpoint["services"]["visits"]["logVisit"]>[0];

/** Returns a function that sends requests to an endpoint, and the list of the visits that the endpoint logs. */
function createEndpoint(isVisitQueueFull = false, isStored = true) {
  const logged: LoggedVisit[] = [];
  const endpoint: VisitEndpoint = {
    isVisitQueueFull,
    ticketOf: () => null,
    defer: () => {},
    logVisitFailure: () => {},
    services: {
      visits: {
        logVisit: async (input) => {
          logged.push(input);
          return isStored;
        },
      },
    },
  };
  const sendRequest = (path: string, init: RequestInit = {}) => {
    const request = new Request(new URL(path, "https://hiroba.test"), init);
    return serveVisit(request, new URL(request.url), endpoint);
  };
  return { sendRequest, logged };
}
const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body,
  headers: { "user-agent": BROWSER_AGENT, ...headers },
});
const VISIT_PATH = `/v/${EVENT}?token=t`;

describe("the visit endpoint", () => {
  it("accepts a page's reports with and without Content-Length", async () => {
    const { sendRequest, logged } = createEndpoint();
    const body = JSON.stringify(sentReport);
    for (const headers of [{}, { "content-length": String(body.length) }] as Record<string, string>[])
      expect((await sendRequest(VISIT_PATH, post(body, headers))).status).toBe(204);
    expect(logged.map(({ report, link }) => [report, link.token])).toEqual([
      [sentReport, "t"],
      [sentReport, "t"],
    ]);
  });

  it("responds with an empty 204 to invalid reports, and logs none of them", async () => {
    const path = fc.oneof(
      fc.constant(VISIT_PATH),
      fc.constant(`/v/${EVENT}`),
      fc.webPath().map((end) => `/v/${end.replace(/^\/+/, "")}?token=t`),
    );
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      // An empty list is excluded, because the report would be valid.
      fc
        .json()
        .filter((value) => JSON.stringify(JSON.parse(value)) !== "[]")
        .map((value) => JSON.stringify({ ...sentReport, things: JSON.parse(value) as unknown })),
      fc.constant("x".repeat(20_000)),
      fc.constant(JSON.stringify({ ...sentReport, at: 9e15 })),
      fc.constant(JSON.stringify({ ...sentReport, part: 1e9 })),
      fc.constant(JSON.stringify({ ...sentReport, stays: [{ place: "", seconds: 1e9 }] })),
      fc.constant(JSON.stringify({ ...sentReport, things: Array(60).fill({ act: "checkout", id: "" }) })),
      fc.constant(JSON.stringify({ ...sentReport, things: [{ act: "cart", id: "1" }] })),
    );
    const header = fc.constantFrom<Record<string, string>>(
      {},
      { "content-type": "text/ping;x" },
      { "content-length": "9999999" },
      { "content-length": "-1" },
      { "content-length": "x" },
      { "accept-language": "\u00ff;;q=,".repeat(20) },
      { cookie: "=;;%" },
    );
    await fc.assert(
      fc.asyncProperty(path, body, header, async (url, reportBody, headers) => {
        const { sendRequest, logged } = createEndpoint();
        const response = await sendRequest(url, post(reportBody, headers));
        expect([response.status, await response.text()]).toEqual([204, ""]);
        expect(logged).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("ignores reports from pages of other sites, and rejects other methods", async () => {
    const { sendRequest, logged } = createEndpoint();
    const body = JSON.stringify(sentReport);
    for (const headers of [
      { origin: "https://elsewhere.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ] as Record<string, string>[])
      expect((await sendRequest(VISIT_PATH, post(body, headers))).status).toBe(204);
    for (const method of ["PUT", "DELETE", "HEAD"])
      expect((await sendRequest(VISIT_PATH, { method })).status).toBe(405);
    expect(logged).toEqual([]);
  });

  it("responds to GET with an image, and counts the request unless its query has an unknown parameter", async () => {
    const { sendRequest, logged } = createEndpoint();
    const image = await sendRequest(`${VISIT_PATH}&checkout=`, {
      headers: { "user-agent": BROWSER_AGENT, "sec-fetch-site": "same-origin", "sec-fetch-dest": "image" },
    });
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/gif"]);
    expect(image.headers.get("cache-control")).toBe("no-store");
    expect(logged[0]?.report.things).toEqual([{ act: "checkout", id: "" }]);
    const forgedResponse = await sendRequest(`${VISIT_PATH}&visits=9`, {
      headers: { "user-agent": BROWSER_AGENT },
    });
    expect([forgedResponse.status, forgedResponse.headers.get("content-type")]).toEqual([200, "image/gif"]);
    expect(logged).toHaveLength(1);
  });

  it("asks the page to repeat the report while the queue is full, and when the room did not store it", async () => {
    for (const { sendRequest } of [createEndpoint(true), createEndpoint(false, false)]) {
      const response = await sendRequest(VISIT_PATH, post(JSON.stringify(sentReport)));
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    }
  });
});

it("derives the visitor's data from the request, and recognises programs and robots", () => {
  const sourceOf = (headers: Record<string, string>) =>
    visitSource(new Request("https://hiroba.test/", { headers }), () => null);
  const person = {
    "user-agent": BROWSER_AGENT,
    "accept-language": "en-GB,ja",
    "cf-connecting-ip": "2001:db8::1",
  };
  for (let times = 0; times < 2; times++)
    expect(sourceOf(person)).toMatchObject({
      network: "2001:db8:0:0::/64",
      isRobot: false,
      traits: { lang: "en", device: "computer", country: "" },
    });
  // Browsers inside apps count as visitors, because users share links there.
  const [iPhone, android] = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36",
  ];
  for (const agent of [
    `${iPhone} Mobile/15E148 Safari Line/13.14.0`,
    `${iPhone} Mobile/21F90 Instagram 336.0.0.28.89 (iPhone14,5; iOS 17_5_1; ja_JP; ja; scale=3.00; 1170x2532; 610888837)`,
    `${iPhone} Mobile/21F90 [FBAN/FBIOS;FBAV/467.0.0.40.107;FBDV/iPhone14,5;FBSN/iOS;FBLC/ja_JP]`,
    `${iPhone} Mobile/15E148 Twitter for iPhone/10.45`,
    `${iPhone} GSA/323.0.647062479 Mobile/15E148 Safari/604.1`,
    `${iPhone} Mobile/15E148 YJApp-IOS jp.co.yahoo.ipn.appli/4.113.0`,
    `${iPhone} Mobile/15E148 SmartNews/24.6.0`,
    `${iPhone} Mobile/15E148`,
    `${android} Line/14.9.0/IAB`,
    `${android} Instagram 336.0.0.35.90 Android (34/14; 420dpi; 1080x2205; Google; Pixel 8; shiba; shiba; ja_JP; 611)`,
  ])
    expect(sourceOf({ "user-agent": agent }), agent).toMatchObject({
      isRobot: false,
      traits: { device: "phone" },
    });
  for (const agent of [
    "",
    "curl/8.5.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    `${iPhone} Mobile/15E148 (compatible; Baiduspider-render/2.0; +http://www.baidu.com/search/spider.html)`,
    `${android} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    "facebookexternalhit/1.1;line-poker/1.0",
    `${android} SmartNewsBot/1.0`,
  ])
    expect(sourceOf({ "user-agent": agent }).isRobot, agent).toBe(true);
});
