import { beforeEach, expect, it } from "vitest";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { libraryItems } from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;
let ticket: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  const { email } = owner.user;
  ({ ticket } = await testApp.services.sessions.logIn({
    email,
    password: PASSWORD,
    userAgent: "",
    network: "1",
  }));
});

async function call(method: string, path: string, body?: unknown, bearer: string | null = ticket) {
  const request = new Request(`https://hiroba.test/api${path}`, {
    method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const response = await callApi(testApp, request);
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the call
  return { status: response.status, json: (await response.json()) as any };
}

const VIDEO_URL = "https://youtu.be/dQw4w9WgXcQ";
const preview = (url: string) => call("GET", `/v1/media/preview?url=${encodeURIComponent(url)}`);

it("a URL is previewed, added to the library, and replaced by another URL", async () => {
  const video = {
    provider: "YouTube",
    provider_id: "youtube",
    url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    type: "video",
    title: "広場を歩く Walking through Hiroba",
    author: "Hiroba",
    player: "/embed/dQw4w9WgXcQ",
    player_url: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1",
    width: 200,
    height: 113,
  };
  expect(await preview(VIDEO_URL)).toEqual({ status: 200, json: video });
  const added = await call("POST", "/v1/media.json/", { url: VIDEO_URL, title: " 会場案内 " });
  expect(added).toMatchObject({
    status: 200,
    json: { kind: "web", title: "会場案内", file_url: null, web: video, version: 1 },
  });
  expect(added.json.picture_url).toMatch(/^\/media\/[0-9a-f-]{36}\/[0-9a-f]{8}\?w=320$/);
  expect(JSON.stringify(added.json)).not.toMatch(/iframe|<script|library\//);

  const path = `/v1/media/${added.json.uuid}/web`;
  const photo = { url: "https://www.flickr.com/photos/bees/2362225867", version: 1 };
  expect(await call("PUT", path, photo)).toMatchObject({
    status: 200,
    json: { title: "会場案内", version: 2, web: { provider: "Flickr", type: "photo", player_url: null } },
  });
  const stale = await call("PUT", path, photo);
  expect(stale).toMatchObject({
    status: 409,
    json: { code: "stale_version", saved: { uuid: added.json.uuid, version: 2 }, submitted: photo },
  });
  expect(JSON.stringify(stale.json)).not.toMatch(/fileKey|thumbKey|actor|library\//);
  expect(await call("PUT", path, {})).toMatchObject({ status: 200, json: { version: 3 } });
});

it.each([
  ["Please enter a URL.", {}],
  ["Invalid URL. Enter a URL that starts with https://.", { url: 7 }],
  ["Invalid URL. Enter a URL that starts with https://.", { url: "http://youtu.be/dQw4w9WgXcQ" }],
  ["This provider is not supported.", { url: "https://169.254.169.254/latest" }],
  ["Please use at most 2,048 characters for the URL.", { url: `https://youtu.be/${"a".repeat(100_000)}` }],
  [
    "YouTube has nothing at this URL. Please check it.",
    { url: "https://www.youtube.com/watch?v=notHere0000" },
  ],
  ["Please use at most 100 characters for the name.", { url: VIDEO_URL, title: "a".repeat(101) }],
  ["This value is not valid.", { url: VIDEO_URL, folder_uuid: "x" }],
])("an error names its field, and nothing is stored: %s", async (message, body) => {
  const rejected = await call("POST", "/v1/media", body);
  expect(rejected.status).toBe(400);
  expect(rejected.json.errors).toEqual([
    { ...rejected.json.errors[0], field: Object.keys(body).at(-1) ?? "url", message },
  ]);
  expect(await testApp.db.select().from(libraryItems)).toEqual([]);
});

it("an unauthenticated caller causes no lookup, and only providers are called", async () => {
  expect((await call("GET", `/v1/media/preview?url=${VIDEO_URL}`, undefined, null)).status).toBe(401);
  expect((await call("POST", "/v1/media", { url: VIDEO_URL }, null)).status).toBe(401);
  expect((await preview("https://evil.example/oembed?url=https://youtu.be/dQw4w9WgXcQ")).status).toBe(400);
  expect(testApp.requestedUrls).toEqual([]);
  testApp.web.respond = async () => null;
  expect(await preview(VIDEO_URL)).toMatchObject({ status: 503, json: { code: "web_unreachable" } });
  expect(testApp.requestedUrls.map((url) => new URL(url).host)).toEqual(["www.youtube.com"]);
});
