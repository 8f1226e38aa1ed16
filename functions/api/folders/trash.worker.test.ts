import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;
let ticket: string;

const logIn = async ({ user }: TestUser) =>
  (
    await testApp.services.sessions.logIn({
      email: user.email,
      password: PASSWORD,
      userAgent: "",
      network: "1",
    })
  ).ticket;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example", spaceLicense: 30 });
  other = await testApp.addUser({ email: "other@demo.example" });
  ticket = await logIn(owner);
});

async function call(method: string, path: string, body?: unknown, bearer = ticket) {
  const request = new Request(`https://hiroba.test/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const response = await callApi(testApp, request);
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the call
  return { status: response.status, headers: response.headers, json: (await response.json()) as any };
}

const nextOf = ({ headers }: { readonly headers: Headers }) =>
  /<\/api([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];

it("deleted items are listed, and restored with their content", async () => {
  const folder = (await call("POST", "/v1/folders", { name: "展示" })).json;
  const space = { name: "渋谷", sid: "SxQL3iGyoDo", folder_uuid: folder.uuid };
  const { uuid } = (await call("POST", "/v1/spaces", space)).json;
  const item = await testApp.addItem(owner);
  await call("DELETE", `/v1/folders/${folder.uuid}`);
  testApp.time.now += 1000;
  await call("DELETE", `/v1/media/${item.id}`);
  const { status, json } = await call("GET", "/v1/trash.json/");
  expect([status, json]).toEqual([
    200,
    [
      {
        uuid: folder.uuid,
        kind: "folder",
        name: "展示",
        owner_uuid: owner.user.id,
        group_id: null,
        deleted_at: "2026-04-01T00:00:00.000Z",
        holds: 1,
      },
    ],
  ]);
  expect((await call("GET", "/v1/trash?folder_type=media")).json).toMatchObject([
    { uuid: item.id, kind: "media", holds: 0 },
  ]);
  expect(await call("POST", `/v1/folders/${folder.uuid}/restore`)).toMatchObject({
    status: 200,
    json: { uuid: folder.uuid, name: "展示", parent_uuid: await testApp.readRootFolderId(owner, "space") },
  });
  expect((await call("GET", `/v1/spaces/uuid/${uuid}`)).json).toMatchObject([{ folder_uuid: folder.uuid }]);
  expect(await call("POST", `/v1/media/${item.id}/restore`)).toMatchObject({
    status: 200,
    json: { uuid: item.id },
  });
  expect((await call("GET", "/v1/trash?folder_type=media")).json).toEqual([]);
  await call("DELETE", `/v1/spaces/${uuid}`);
  expect(await call("POST", `/v1/spaces/${uuid}/restore`, {})).toMatchObject({ json: { name: "渋谷" } });
  for (const path of ["folders", "spaces", "media", "events"])
    for (const id of [uuid, randomUUID(), "zzz"])
      expect(await call("POST", `/v1/${path}/${id}/restore`), `${path} ${id}`).toMatchObject({
        status: 404,
        json: { code: "not_found" },
      });
});

it("a long trash is paged by cursor, latest first, and others do not see it", async () => {
  for (let i = 0; i < 5; i++) {
    testApp.time.now += 1000;
    const { json } = await call("POST", "/v1/folders", { name: `${i}` });
    await call("DELETE", `/v1/folders/${json.uuid}`);
  }
  const names: string[] = [];
  for (let path: string | undefined = "/v1/trash?limit=2"; path; ) {
    const response = await call("GET", path);
    names.push(...response.json.map(({ name }: { readonly name: string }) => name));
    path = nextOf(response);
  }
  expect(names).toEqual(["4", "3", "2", "1", "0"]);
  const foreign = `/v1/trash?owner_uuid=${owner.user.id}`;
  expect((await call("GET", foreign, undefined, await logIn(other))).status).toBe(404);
  for (const wrong of ["folder_type=all", "page=2", "limit=0", "cursor=zzz"])
    expect(await call("GET", `/v1/trash?${wrong}`), wrong).toMatchObject({
      status: 400,
      json: { errors: [{ field: wrong.split("=")[0] }] },
    });
});

it("several items are restored at once, each with its own result", async () => {
  const a = (await call("POST", "/v1/folders", { name: "a" })).json;
  const { space } = await testApp.addSpace(owner);
  const theirs = await testApp.addSpace(other);
  const selection = { folders: [a.uuid], spaces: [space.id] };
  await call("POST", "/batch_delete", selection);
  await testApp.services.tree.deleteItems({ actor: other.actor, selection: { space: [theirs.space.id] } });
  const restore = { ...selection, spaces: [space.id, theirs.space.id, "zzz"] };
  const many = Array.from({ length: 100 }, () => randomUUID());
  expect(await call("POST", "/batch_restore", { ...selection, media: many })).toMatchObject({
    status: 400,
    json: { code: "too_many" },
  });
  expect(await call("POST", "/batch_restore", restore)).toMatchObject({
    status: 200,
    json: {
      status: "success",
      results: {
        folders: { success: [a.uuid], fail: [], reasons: [] },
        spaces: {
          success: [space.id],
          fail: [theirs.space.id, "zzz"],
          reasons: [
            { uuid: theirs.space.id, code: "gone" },
            { uuid: "zzz", code: "malformed" },
          ],
        },
      },
    },
  });
});

it("an event is restored to its space, unless another event has received its name or 30 days have passed", async () => {
  const { space, eventId } = await testApp.addSpace(owner);
  const event = (await call("GET", `/v1/events/uuid/${eventId}`)).json[0];
  await call("POST", "/v1/events", { space_uuid: space.id, event_name: "別" });
  testApp.time.now += 1000;
  await call("DELETE", `/v1/events/${eventId}`);
  const list = `/v1/events/space_uuid/${space.id}/trash`;
  expect((await call("GET", list)).json).toEqual([
    {
      uuid: eventId,
      space_uuid: space.id,
      event_name: event.event_name,
      names: event.names,
      deleted_at: "2026-04-01T00:00:01.000Z",
    },
  ]);
  const name = { event_name: event.event_name };
  const eventWithName = (await call("POST", "/v1/events", { space_uuid: space.id, ...name })).json;
  const restore = () => call("POST", `/v1/events/${eventId}/restore.json`);
  expect(await restore()).toMatchObject({ status: 400, json: { code: "event_name_taken" } });
  await call("DELETE", `/v1/events/${eventWithName.uuid}`);
  const { status, json } = await restore();
  expect([status, json.uuid, json.access_token]).toEqual([200, eventId, event.access_token]);
  expect((await restore()).status).toBe(404);
  await call("DELETE", `/v1/events/${eventId}`);
  const stranger = await logIn(other);
  for (const [method, path] of [
    ["GET", list],
    ["POST", `/v1/events/${eventId}/restore`],
  ] as const)
    expect((await call(method, path, undefined, stranger)).status).toBe(404);
  testApp.time.now += 31 * 86_400_000;
  ticket = await logIn(owner);
  expect((await restore()).status).toBe(404);
});
