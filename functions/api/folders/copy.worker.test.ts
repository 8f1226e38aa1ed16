import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { spaces } from "#functions/data/schema";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;
let ticket: string;
let root: string;
let spaceId: string;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example", spaceLicense: 3, language: "en" });
  const { email } = owner.user;
  ticket = (await testApp.services.sessions.logIn({ email, password: PASSWORD, userAgent: "", network: "1" }))
    .ticket;
  root = await testApp.readRootFolderId(owner, "space");
  const created = await testApp.addSpace(owner, "Lobby");
  spaceId = created.space.id;
  eventId = created.eventId;
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
  return { status: response.status, json: (await response.json()) as any };
}

it("a space is copied into a folder, and a folder beside its original, but no root folder and no space beyond the licence", async () => {
  const folder = (await call("POST", "/v1/folders.json/", { name: "Halls" })).json;
  const inside = await call("POST", `/v1/spaces/${spaceId}/copy`, { folder_uuid: folder.uuid });
  expect(inside).toMatchObject({
    status: 200,
    json: { name: "Lobby", folder_uuid: folder.uuid, event_count: 1 },
  });
  expect(inside.json.uuid).not.toBe(spaceId);
  const beside = await call("POST", `/v1/folders/${folder.uuid}/copy.json/`, {});
  expect(beside).toMatchObject({ status: 200, json: { name: "Halls – copy", parent_uuid: root } });
  expect(await call("POST", `/v1/spaces/${spaceId}/copy`, {})).toMatchObject({
    status: 403,
    json: { code: "space_license" },
  });
  expect(await call("POST", `/v1/folders/${root}/copy`, {})).toMatchObject({
    status: 400,
    json: { code: "root" },
  });
  for (const body of [{ folder_uuid: randomUUID() }, {}]) {
    const id = "folder_uuid" in body ? spaceId : randomUUID();
    expect((await call("POST", `/v1/spaces/${id}/copy`, body)).status).toBe(404);
  }
  expect((await call("POST", `/v1/spaces/${spaceId}/copy`, { folder_uuid: 1 })).status).toBe(400);
});

it("several items are copied at once, each with its own result, but no media", async () => {
  const folder = (await call("POST", "/v1/folders.json/", { name: "Halls" })).json;
  const unknownId = randomUUID();
  const mediaItem = await testApp.addItem(owner);
  const batchItem = (uuid: string, data: object) => ({ uuid, data });
  const response = await call("POST", "/batch_copy", {
    folders: [
      batchItem(folder.uuid, { parent_uuid: folder.uuid }),
      batchItem(unknownId, { parent_uuid: root }),
    ],
    spaces: [
      batchItem(spaceId, { folder_uuid: folder.uuid }),
      batchItem(unknownId, { folder_uuid: unknownId }),
    ],
    media: [batchItem(mediaItem.id, { folder_uuid: root })],
  });
  expect(response).toMatchObject({
    status: 200,
    json: {
      status: "success",
      results: {
        folders: { success: [folder.uuid], fail: [unknownId], reasons: [{ uuid: unknownId, code: "gone" }] },
        spaces: {
          success: [spaceId],
          copies: [{ uuid: spaceId }],
          fail: [unknownId],
          reasons: [{ uuid: unknownId, code: "gone" }],
        },
        media: { success: [], fail: [mediaItem.id], reasons: [{ uuid: mediaItem.id, code: "other_type" }] },
      },
    },
  });
  const copy = response.json.results.spaces.copies[0].copy_uuid;
  expect((await call("GET", `/v1/spaces/uuid/${copy}`)).json[0].name).toBe("Lobby");
  const many = Array.from({ length: 51 }, () => batchItem(randomUUID(), { folder_uuid: root }));
  expect(await call("POST", "/batch_copy", { spaces: many })).toMatchObject({
    status: 400,
    json: { code: "too_many" },
  });
});

it("an event is copied into the same or another space under a free name", async () => {
  const copied = await call("POST", "/copy_event.json", { target_event_uuid: eventId });
  expect(copied).toMatchObject({ status: 200, json: { space_uuid: spaceId, status_id: 1 } });
  expect(copied.json.event_name).toMatch(/ – copy$/);
  const takenName = { target_event_uuid: eventId, event_name: copied.json.event_name };
  expect(await call("POST", "/copy_event.json", takenName)).toMatchObject({
    status: 400,
    json: {
      code: "event_name_taken",
      errors: [{ field: "event_name", message: "An event with the same name already exists in this space." }],
    },
  });
  const other = await testApp.addSpace(owner);
  expect(
    await call("POST", "/copy_event.json", {
      target_event_uuid: eventId,
      space_uuid: other.space.id,
      from_space_uuid: spaceId,
      event_name: "Spring",
    }),
  ).toMatchObject({ status: 200, json: { space_uuid: other.space.id, event_name: "Spring" } });
  for (const [body, status] of [
    [{}, 400],
    [{ target_event_uuid: "zzz" }, 400],
    [{ target_event_uuid: randomUUID() }, 404],
    [{ target_event_uuid: eventId, space_uuid: randomUUID() }, 404],
    [{ target_event_uuid: eventId, from_space_uuid: other.space.id }, 404],
    [{ target_event_uuid: eventId, event_name: "x".repeat(33) }, 400],
    [{ target_event_uuid: eventId, event_name: "" }, 400],
    [{ target_event_uuid: eventId, space_uuid: "x" }, 400],
  ] as const)
    expect((await call("POST", "/copy_event.json", body)).status, JSON.stringify(body)).toBe(status);
});

it("an event that shows other owners' files cannot be copied out of their spaces, and the error names the field", async () => {
  const other = await testApp.addUser({ email: "other@demo.example" });
  const theirs = await testApp.addSpace(other);
  const item = await testApp.addItem(other);
  await testApp.addMediaItem(theirs.eventId, item.id);
  const { id: groupId } = await testApp.addGroup(owner, other);
  await testApp.db.update(spaces).set({ groupId }).where(eq(spaces.id, theirs.space.id));
  expect(
    await call("POST", "/copy_event", { target_event_uuid: theirs.eventId, space_uuid: spaceId }),
  ).toMatchObject({ status: 400, json: { code: "other_owner", errors: [{ field: "space_uuid" }] } });
});

it("an event is deleted, but not the last one of its space", async () => {
  expect(await call("DELETE", `/v1/events/${eventId}`)).toMatchObject({
    status: 400,
    json: { code: "last_event", detail: "The last event of a space cannot be deleted." },
  });
  const { json } = await call("POST", "/copy_event.json", { target_event_uuid: eventId });
  expect(await call("DELETE", `/v1/events/${json.uuid}.json`)).toMatchObject({
    status: 200,
    json: { status: "success", uuid: json.uuid },
  });
  expect((await call("GET", `/v1/events/uuid/${json.uuid}`)).status).toBe(404);
  expect((await call("DELETE", `/v1/events/${json.uuid}`)).status).toBe(404);
});
