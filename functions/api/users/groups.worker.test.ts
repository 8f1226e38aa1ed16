import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { type ApiUser, apiUser } from "../../../tests/support/api/api-user";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;
let member: TestUser;
let asAdmin: ApiUser;
let asOwner: ApiUser;
let asMember: ApiUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  member = await testApp.addUser({ email: "member@demo.example" });
  asAdmin = await apiUser(testApp, await testApp.addUser({ role: "admin" }));
  asOwner = await apiUser(testApp, owner);
  asMember = await apiUser(testApp, member);
});

it("administrators create, rename, delete and restore groups; for others, groups do not exist", async () => {
  const created = await asAdmin("POST", "/v1/groups.json/", { name: "展示" });
  expect(created).toMatchObject({ status: 200, json: { name: "展示", member_count: 0, version: 1 } });
  const path = `/v1/groups/${created.json.uuid}`;
  for (const [method, suffix, body] of [
    ["GET", "/v1/groups"],
    ["POST", "/v1/groups", { name: "x" }],
    ["GET", path],
    ["PUT", path, { name: "x" }],
    ["DELETE", path],
    ["POST", `${path}/restore`],
    ["GET", `${path}/members`],
    ["GET", `${path}/candidates?q=a`],
    ["GET", `${path}/shared`],
    ["PUT", `${path}/members/${member.user.id}`],
    ["DELETE", `${path}/members/${member.user.id}`],
  ] as const)
    expect((await asOwner(method, suffix, body)).status, `${method} ${suffix}`).toBe(404);
  expect(await asAdmin("POST", "/v1/groups", { name: "展示" })).toMatchObject({
    json: { code: "group_name_taken" },
  });
  for (const name of ["", 1, null, "x".repeat(100)])
    expect(await asAdmin("PUT", path, { name })).toMatchObject({
      status: 400,
      json: { errors: [{ field: "name" }] },
    });
  expect(await asAdmin("PUT", path, { name: "催事", version: 1 })).toMatchObject({
    json: { name: "催事", version: 2 },
  });
  expect(await asAdmin("PUT", path, { name: "祭", version: 1 })).toMatchObject({
    status: 409,
    json: { saved: { name: "催事" } },
  });
  expect((await asAdmin("DELETE", path)).status).toBe(200);
  expect(await asAdmin("PUT", path, { name: "祭" })).toMatchObject({
    status: 400,
    json: { code: "in_trash" },
  });
  expect((await asAdmin("GET", "/v1/groups")).json).toEqual([]);
  expect((await asAdmin("GET", "/v1/groups?trash=true")).json).toMatchObject([{ name: "催事" }]);
  expect((await asAdmin("GET", "/v1/groups?trash=x")).status).toBe(400);
  expect((await asAdmin("POST", `${path}/restore`)).json.deleted_at).toBeNull();
  expect((await asAdmin("POST", `${path}/restore`)).status).toBe(404);
  expect((await asAdmin("GET", `/v1/groups/${randomUUID()}`)).status).toBe(404);
});

it("members of a group see the items that are shared with it, and may not share them further", async () => {
  const { uuid } = (await asAdmin("POST", "/v1/groups", { name: "展示" })).json;
  const members = `/v1/groups/${uuid}/members`;
  for (const { user } of [owner, member])
    expect((await asAdmin("PUT", `${members}/${user.id}`)).status).toBe(200);
  expect((await asAdmin("PUT", `${members}/${randomUUID()}`)).status).toBe(404);
  expect((await asAdmin("PUT", `${members}/zzz`)).status).toBe(404);
  expect((await asAdmin("GET", members)).json).toHaveLength(2);
  expect((await asAdmin("GET", `/v1/groups/${uuid}/candidates?q=member`)).json).toMatchObject([
    { email: "member@demo.example", is_member: true },
  ]);
  expect((await asOwner("GET", "/v1/account/groups")).json).toMatchObject([{ uuid, name: "展示" }]);

  const { space } = await testApp.addSpace(owner);
  const item = await testApp.addItem(owner);
  asMember = await apiUser(testApp, member);
  for (const path of [`/v1/spaces/${space.id}`, `/v1/media/${item.id}`]) {
    const sharing = `${path}/sharing`;
    expect((await asMember("GET", sharing)).status).toBe(404);
    expect((await asMember("PUT", sharing, { group_id: uuid })).status).toBe(404);
    expect(await asOwner("PUT", sharing, { group_id: randomUUID() })).toMatchObject({
      status: 400,
      json: { code: "unknown_group", errors: [{ field: "group_id" }] },
    });
    expect((await asOwner("PUT", sharing, { group_id: "zzz" })).status).toBe(400);
    expect(await asOwner("PUT", sharing, { group_id: uuid })).toMatchObject({
      status: 200,
      json: { group_id: uuid, may_change: true, groups: [{ uuid, name: "展示" }] },
    });
    expect((await asMember("GET", sharing)).json).toEqual({ group_id: uuid, may_change: false, groups: [] });
    expect((await asMember("PUT", sharing, { group_id: null })).status).toBe(403);
  }
  expect((await asAdmin("GET", `/v1/groups/${uuid}/shared`)).json).toMatchObject({
    things: [{ uuid: space.id, owner: { email: "owner@demo.example" } }, { uuid: item.id }],
    more: false,
  });
  // An empty group_id removes the group; a body without group_id is rejected.
  expect((await asOwner("PUT", `/v1/spaces/${space.id}/sharing`, {})).status).toBe(400);
  expect((await asOwner("PUT", `/v1/spaces/${space.id}/sharing`, { group_id: "" })).json.group_id).toBeNull();
  expect((await asAdmin("DELETE", `${members}/${member.user.id}`)).status).toBe(200);
  expect((await asAdmin("GET", members)).json).toHaveLength(1);
});
