import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "~/domain/auth/actor";
import { type TestApp, type TestUser, useTestApp } from "../../tests/support/app/test-app";
import { testImages } from "../../tests/support/app/test-images";
import { createRecentReads } from "./recent-reads";
import { type MediaRequestContext, serveMedia } from "./serve-media";
import { serveSignedMedia } from "./serve-signed-media";

const CONTENT = "0123456789".repeat(10);
const FILES = "https://files.test";

const testApp = useTestApp();
let owner: TestUser;
let item: Awaited<ReturnType<TestApp["addItem"]>>;
let eventId: string;
let loggedIn: Actor | null;

beforeEach(async () => {
  owner = await testApp.addUser();
  item = await testApp.addItem(owner, { fileName: "会場図.png" });
  await testApp.files.put(item.fileKey, CONTENT);
  ({ eventId } = await testApp.addSpace(owner));
  await testApp.addMediaItem(eventId, item.id);
  await testApp.setStatus(eventId, 3);
  loggedIn = null;
});

const createContext = (): MediaRequestContext & { appOrigin: string } => ({
  env: { FILES: testApp.files },
  metadata: testApp.metadata,
  mediaOrigin: FILES,
  appOrigin: "https://hiroba.test",
  images: testImages(testApp.files).images,
  recentReads: createRecentReads(() => testApp.time.now),
  ticketOf: () => (loggedIn ? "ticket" : null),
  defer: () => {},
  services: testApp.services,
  pageContext: () => ({
    session: { current: async () => loggedIn && { actor: loggedIn } },
    visitor: { eventAccessCookie: () => null },
  }),
});

const linkOf = async () => {
  const token = (await testApp.data.events.find(eventId))?.event.accessToken ?? "";
  return `?event=${eventId}&mode=published&token=${token}`;
};
/** Sends a request to the product's own host. */
const requestFile = async (query: string, path = "") =>
  serveMedia(new Request(`https://hiroba.test/media/${item.id}${path}${query}`), createContext());
const signedUrlOf = async (query: string) => (await requestFile(query)).headers.get("location") ?? "";
const fetchSigned = (url: string, init: RequestInit = {}) =>
  serveSignedMedia(new Request(url, init), createContext());

describe("a visitor's file, with a media host", () => {
  it("is redirected to a signed URL of that host, without the link's token", async () => {
    const response = await requestFile(`${await linkOf()}&w=320`);
    expect([response.status, response.headers.get("cache-control")]).toEqual([302, "no-store"]);
    const url = new URL(response.headers.get("location") ?? "");
    expect(url.origin).toBe(FILES);
    expect([...url.searchParams.keys()]).toEqual(["event", "mode", "expires", "signature", "w"]);
    expect(Number(url.searchParams.get("expires")) - testApp.time.now).toBeLessThanOrEqual(300_000);
    expect(Number(url.searchParams.get("expires")) - testApp.time.now).toBeGreaterThanOrEqual(150_000);
  });

  it("is sent without a cookie, whole and in ranges, and readable only by the product's pages", async () => {
    const url = await signedUrlOf(await linkOf());
    const response = await fetchSigned(url);
    expect(await response.text()).toBe(CONTENT);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "https://hiroba.test",
      "access-control-expose-headers": expect.stringContaining("content-range") as string,
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "private, no-cache",
      "content-security-policy": expect.stringContaining("sandbox") as string,
    });
    expect(response.headers.get("set-cookie")).toBeNull();
    const rangeResponse = await fetchSigned(url, { headers: { range: "bytes=10-12" } });
    expect([rangeResponse.status, await rangeResponse.text()]).toEqual([206, "012"]);
    const preflight = await fetchSigned(url, { method: "OPTIONS" });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      "range, if-range, if-none-match",
    ]);
    expect((await fetchSigned(url, { method: "POST" })).status).toBe(405);
  });

  it("has a signature that is valid for another file only when the event contains it", async () => {
    const { searchParams } = new URL(await signedUrlOf(await linkOf()));
    const otherItem = await testApp.addItem(owner, { fileName: "b.png" });
    await testApp.files.put(otherItem.fileKey, "b");
    const url = `${FILES}/media/${otherItem.id}?${searchParams}`;
    expect((await fetchSigned(url)).status).toBe(404);
    await testApp.addMediaItem(eventId, otherItem.id);
    expect((await fetchSigned(url)).status).toBe(200);
  });

  it("expires within five minutes, while the page's URL leads to a fresh one", async () => {
    const link = await linkOf();
    const url = await signedUrlOf(link);
    testApp.time.now += 300_000;
    expect((await fetchSigned(url)).status).toBe(404);
    expect((await fetchSigned(await signedUrlOf(link))).status).toBe(200);
  });

  it("is closed as soon as its event is closed, its link renewed, or its password changed", async () => {
    const link = await linkOf();
    const url = await signedUrlOf(link);
    for (const change of [
      { statusId: 4 as const },
      { accessToken: "x".repeat(43) },
      { publishPasswordHash: "other" },
    ]) {
      const { event } = (await testApp.data.events.find(eventId)) ?? {};
      await testApp.setEvent(eventId, change);
      expect((await fetchSigned(url)).status).toBe(404);
      await testApp.setEvent(eventId, {
        statusId: 3,
        accessToken: event?.accessToken ?? "",
        publishPasswordHash: null,
      });
      expect((await fetchSigned(url)).status).toBe(200);
    }
  });

  it("is rejected after a change of its parameters, and the media host serves nothing else", async () => {
    const url = new URL(await signedUrlOf(await linkOf()));
    const { eventId: otherEventId } = await testApp.addSpace(owner, "B");
    await testApp.addMediaItem(otherEventId, item.id);
    await testApp.setStatus(otherEventId, 3);
    for (const [name, value] of [
      ["expires", String(Number(url.searchParams.get("expires")) + 1)],
      ["expires", "9999999999999"],
      ["expires", "NaN"],
      ["signature", ""],
      ["signature", "a".repeat(43)],
      ["mode", "preview"],
      ["mode", "x"],
      ["event", otherEventId],
      ["event", "x"],
    ] as const) {
      const changedUrl = new URL(url);
      changedUrl.searchParams.set(name, value);
      expect((await fetchSigned(changedUrl.href)).status, `${name}=${value}`).toBe(404);
    }
    for (const path of ["/", "/login", "/media/x", "/api/v1/me"])
      expect((await fetchSigned(FILES + path)).status).toBe(404);
    expect((await fetchSigned(`${FILES}/media/${item.id}${await linkOf()}`)).status).toBe(404);
  });

  it("is not available with a wrong link", async () => {
    const wrongUrl = (await linkOf()).replace(/token=.*/, "token=wrong");
    expect((await requestFile(wrongUrl)).status).toBe(404);
  });
});

describe("an owner's file, with a media host", () => {
  it("has a signature for that file alone, and is sent as uploaded", async () => {
    loggedIn = owner.actor;
    const url = new URL(await signedUrlOf(""));
    expect([...url.searchParams.keys()]).toEqual(["use", "expires", "signature"]);
    expect(url.searchParams.get("use")).toBe("original");
    expect(await (await fetchSigned(url.href)).text()).toBe(CONTENT);
    const otherItem = await testApp.addItem(owner, { fileName: "b.png" });
    await testApp.files.put(otherItem.fileKey, "b");
    expect((await fetchSigned(url.href.replace(item.id, otherItem.id))).status).toBe(404);
    for (const use of ["visitor", "check"])
      expect((await fetchSigned(url.href.replace("original", use))).status).toBe(404);
  });

  it("is signed for visitors (use=visitor) at a visitor's URL, and for users who may not change it", async () => {
    loggedIn = owner.actor;
    expect(await signedUrlOf(`?event=${eventId}`)).toContain("use=visitor");
    const { id, actors } = await testApp.addGroup(await testApp.addUser());
    await testApp.binding.prepare("UPDATE spaces SET group_id = ?").bind(id).run();
    loggedIn = actors[0] ?? null;
    expect(await signedUrlOf("")).toContain("use=visitor");
  });

  it("is not available without a session", async () => {
    expect((await requestFile("")).status).toBe(404);
  });
});

it("subtitles stay on the product's host, because players accept tracks of no other", async () => {
  const subtitles = await testApp.addItem(owner, {
    kind: "subtitle",
    fileName: "a.vtt",
    mimeType: "text/vtt",
  });
  await testApp.files.put(subtitles.fileKey, "WEBVTT\n");
  loggedIn = owner.actor;
  const response = await serveMedia(
    new Request(`https://hiroba.test/media/${subtitles.id}?format=vtt`),
    createContext(),
  );
  expect(response.status).toBe(200);
});
