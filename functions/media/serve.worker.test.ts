import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "~/domain/model";
import { type House, houseForEachTest, type Person } from "../../tests/support/house";
import { type MediaDoor, serveMedia } from "./serve";

const CONTENT = "0123456789".repeat(10);

const house = houseForEachTest();
let owner: Person;
let item: Awaited<ReturnType<House["addItem"]>>;
let eventId: string;
let token: string;
let loggedIn: Actor | null;

beforeEach(async () => {
  owner = await house.addUser();
  item = await house.addItem(owner, { fileName: "会場図.png" });
  await house.files.put(item.fileKey, CONTENT);
  ({ eventId } = await house.addSpace(owner));
  await house.addMedium(eventId, item.id);
  await house.setStatus(eventId, 3);
  token = (await house.data.events.find(eventId))?.event.accessToken ?? "";
  loggedIn = null;
});

const door = (): MediaDoor => ({
  env: { FILES: house.files },
  services: house.services,
  pageContext: () => ({ session: async () => loggedIn && { actor: loggedIn }, passwordFlag: () => null }),
});
const get = (
  headers: Record<string, string> = {},
  query = `?event=${eventId}&mode=published&token=${token}`,
  method = "GET",
) => serveMedia(new Request(`https://hiroba.test/media/${item.id}${query}`, { method, headers }), door());

describe("a file", () => {
  it("is sent to a visitor with its type, its size and a policy that lets nothing run", async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(CONTENT);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "100",
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox") as string,
      etag: expect.stringMatching(/^".+"$/) as string,
    });
  });

  it.each([
    ["bytes=0-9", "bytes 0-9/100", "0123456789"],
    ["bytes=95-", "bytes 95-99/100", "56789"],
    ["bytes=-3", "bytes 97-99/100", "789"],
    ["bytes=98-500", "bytes 98-99/100", "89"],
  ])("is sent in part for %s", async (range, contentRange, text) => {
    const response = await get({ range });
    expect([response.status, response.headers.get("content-range")]).toEqual([206, contentRange]);
    expect(response.headers.get("content-length")).toBe(String(text.length));
    expect(await response.text()).toBe(text);
  });

  it("answers 416 for a range behind its end", async () => {
    const response = await get({ range: "bytes=100-" });
    expect([response.status, response.headers.get("content-range")]).toEqual([416, "bytes */100"]);
  });

  it("is sent whole for several ranges, and for a range of an older file", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    for (const headers of [{ range: "bytes=0-1,4-5" }, { range: "bytes=0-1", "if-range": '"old"' }]) {
      const response = await get(headers as Record<string, string>);
      expect([response.status, await response.text()]).toEqual([200, CONTENT]);
    }
    expect((await get({ range: "bytes=0-1", "if-range": etag })).status).toBe(206);
  });

  it("answers 304 while it is the same, and the new file once it is not", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    const same = await get({ "if-none-match": etag });
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
    await house.files.put(item.fileKey, "new");
    const changed = await get({ "if-none-match": etag });
    expect([changed.status, await changed.text()]).toEqual([200, "new"]);
  });

  it("answers HEAD with the headers alone, and nothing else but GET", async () => {
    const response = await get({}, undefined, "HEAD");
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([
      200,
      "100",
      "",
    ]);
    const refused = await get({}, undefined, "POST");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("asks for permission every time: a closed link is closed for what a browser has kept too", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    await house.setStatus(eventId, 4);
    expect((await get({ "if-none-match": etag })).status).toBe(404);
  });
});

describe("whoever may not have a file", () => {
  it("learns nothing about it", async () => {
    for (const query of [
      "",
      "?event=x",
      `?event=${eventId}&mode=published&token=wrong`,
      `?event=${eventId}&mode=admin&token=${token}`,
    ]) {
      const response = await get({}, query);
      expect([response.status, await response.text()]).toEqual([404, ""]);
    }
    const request = new Request("https://hiroba.test/media/..%2f..%2fetc");
    expect((await serveMedia(request, door())).status).toBe(404);
  });

  it("gets it by session when it is theirs, whatever the link says", async () => {
    loggedIn = owner.actor;
    expect((await get({}, "")).status).toBe(200);
    expect((await get({}, `?event=${eventId}&mode=published&token=wrong`)).status).toBe(200);
    loggedIn = (await house.addUser()).actor;
    expect((await get({}, "")).status).toBe(404);
  });

  it("hears the same when the store has lost it", async () => {
    await house.files.delete(item.fileKey);
    expect((await get()).status).toBe(404);
    expect((await get({ range: "bytes=0-1" })).status).toBe(404);
  });
});
