import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { callApi } from "../../../tests/support/api/test-api";
import {
  PASSWORD,
  panoramaSpaceSource,
  type TestUser,
  useTestApp,
} from "../../../tests/support/app/test-app";
import { spaces } from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;
let ticket: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  other = await testApp.addUser({ email: "other@demo.example" });
  const { email } = owner.user;
  ({ ticket } = await testApp.services.sessions.logIn({
    email,
    password: PASSWORD,
    userAgent: "",
    network: "1",
  }));
});

async function call(method: string, path: string, body?: unknown) {
  const request = new Request(`https://hiroba.test/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ticket}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const response = await callApi(testApp, request);
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the call
  return { status: response.status, headers: response.headers, json: (await response.json()) as any };
}

const titles = async (path: string) => {
  const { json } = await call("GET", path);
  return json.map(({ title }: { readonly title: string }) => title);
};

it("media are listed: all, those of a folder, those of some kinds, and search results", async () => {
  const folder = (await call("POST", "/v1/folders", { name: "作品", folder_type: "media" })).json;
  await call("POST", "/v1/folders", { name: "中", folder_type: "media", parent_uuid: folder.uuid });
  for (const [title, kind] of [
    ["a", "image"],
    ["b", "video"],
    ["c", "audio"],
  ] as const) {
    testApp.time.now += 1000;
    await testApp.addItem(owner, { title, searchKey: title, kind, folderId: folder.uuid });
  }
  await testApp.addItem(owner, { title: "d", searchKey: "d" });
  expect(await titles("/v1/media.json/")).toHaveLength(4);
  expect(await titles("/v1/media?kind=video&kind=audio")).toEqual(["c", "b"]);
  expect(await titles("/v1/media?q=b")).toEqual(["b"]);
  const newest = await call("GET", "/v1/media?limit=3");
  expect(newest.headers.get("x-total-count")).toBe("4");
  const older = /<([^>]+)>; rel="next"/.exec(newest.headers.get("link") ?? "")?.[1] ?? "";
  expect(await titles(older.replace(/^\/api/, ""))).toEqual(["a"]);
  const within = `/v1/media?folder_uuid=${folder.uuid}`;
  expect(await titles(within)).toEqual(["a", "b", "c"]);
  expect(await titles(`${within}&kind=image,audio&sort=-created`)).toEqual(["c", "a"]);
  const first = await call("GET", `${within}&limit=2`);
  expect([first.json.length, first.headers.get("x-total-count")]).toEqual([2, "3"]);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  expect(await titles(next.replace(/^\/api/, ""))).toEqual(["c"]);
  for (const wrong of ["kind=folder", "sort=size", "limit=0", "cursor=zzz", "cursor=after~zzz", "page=2"])
    for (const path of [within, "/v1/media?q=a"])
      expect(await call("GET", `${path}&${wrong}`), wrong).toMatchObject({
        status: 400,
        json: { errors: [{ field: wrong.split("=")[0] }] },
      });
  for (const foreign of [`owner_uuid=${other.user.id}`, `folder_uuid=${randomUUID()}`, "folder_uuid=x"])
    expect((await call("GET", `/v1/media?${foreign}`)).status, foreign).toBe(404);
});

it("a media item lists its uses, and does not reveal the storage key of its file", async () => {
  const item = await testApp.addItem(owner);
  const { eventId } = await testApp.addSpace(owner, "渋谷");
  await testApp.addMediaItem(eventId, item.id);
  const { status, json } = await call("GET", `/v1/media/${item.id}.json/`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    uuid: item.id,
    title: "入口",
    kind: "image",
    file_url: expect.stringMatching(new RegExp(`^/media/${item.id}/`)) as string,
    uses: { events: [{ uuid: eventId, space_name: "渋谷", tags: [] }], spaces: [], more: 0, hidden: 0 },
  });
  expect(JSON.stringify(json)).not.toContain(item.fileKey);
  const theirs = await testApp.addItem(other);
  for (const id of [theirs.id, randomUUID(), "x"])
    expect((await call("GET", `/v1/media/${id}`)).status, id).toBe(404);
});

it("a media item is renamed and moved, and deleted unless it is the source of a space", async () => {
  const item = await testApp.addItem(owner);
  const folder = (await call("POST", "/v1/folders", { name: "作品", folder_type: "media" })).json;
  const path = `/v1/media/${item.id}`;
  const changed = await call("PUT", path, { title: "正面", folder_uuid: folder.uuid, version: 1 });
  expect(changed).toMatchObject({
    status: 200,
    json: { title: "正面", folder_uuid: folder.uuid, version: 2 },
  });
  expect((await call("PUT", path, { title: "裏", version: 1 })).status).toBe(409);
  expect(await call("PUT", path, { title: "x".repeat(101) })).toMatchObject({
    status: 400,
    json: { errors: [{ field: "title", message: "Please use at most 100 characters for the name." }] },
  });
  const { space } = await testApp.addSpace(owner);
  await testApp.db.update(spaces).set({ source: panoramaSpaceSource(item.id) });
  expect(await call("DELETE", path)).toMatchObject({ status: 400, json: { code: "in_use" } });
  const { json } = await call("POST", "/batch_delete", { folders: [folder.uuid], media: [item.id] });
  expect(json.results).toEqual({
    folders: { success: [], fail: [folder.uuid], reasons: [{ uuid: folder.uuid, code: "in_use" }] },
    media: { success: [], fail: [item.id], reasons: [{ uuid: item.id, code: "in_use" }] },
  });
  expect((await call("DELETE", `/v1/spaces/${space.id}`)).status).toBe(200);
  expect((await call("DELETE", path)).status).toBe(200);
  expect((await call("GET", path)).status).toBe(404);
  expect((await call("DELETE", `/v1/media/${(await testApp.addItem(other)).id}`)).status).toBe(404);
});
