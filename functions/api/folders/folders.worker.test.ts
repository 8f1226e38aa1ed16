import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { users } from "#functions/data/schema";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;
let ticket: string;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example", spaceLicense: 3 });
  other = await testApp.addUser({ email: "other@demo.example" });
  ticket = (
    await testApp.services.sessions.logIn({
      email: owner.user.email,
      password: PASSWORD,
      userAgent: "",
      network: "1",
    })
  ).ticket;
});

async function call(method: string, path: string, body?: unknown, bearer: string | null = ticket) {
  const request = new Request(`https://hiroba.test/api${path}`, {
    method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
  const response = await callApi(testApp, request);
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the call
  return { status: response.status, json: (await response.json()) as any };
}

const makeFolder = async (name: string, more: object = {}) =>
  (await call("POST", "/v1/folders.json/", { name, ...more })).json;
const makeSpace = async (name: string, more: object = {}) =>
  (await call("POST", "/v1/spaces.json/", { name, sid: "SxQL3iGyoDo", ...more })).json;

describe("folders", () => {
  it("are listed with the root folders of both types, created, renamed, moved and deleted", async () => {
    const roots = (await call("GET", "/v1/folders.json/")).json;
    expect(
      roots.map((root: Record<string, string>) => [root.folder_type, root.parent_uuid, root.name]),
    ).toEqual([
      ["space", "", ""],
      ["media", "", ""],
    ]);
    const a = await call("POST", "/v1/folders.json/", { name: "展示" });
    expect(a).toMatchObject({
      status: 200,
      json: {
        name: "展示",
        parent_uuid: roots[0].uuid,
        owner_uuid: owner.user.id,
        folder_type: "space",
        version: 1,
      },
    });
    const b = await makeFolder("2026", { parent_uuid: a.json.uuid });
    expect(
      await call("PUT", `/v1/folders/${b.uuid}.json/`, { name: "2027", parent_uuid: roots[0].uuid }),
    ).toMatchObject({
      status: 200,
      json: { name: "2027", parent_uuid: roots[0].uuid },
    });
    // With a uuid, the call updates the folder (specification §5).
    expect((await call("POST", "/v1/folders.json/", { uuid: b.uuid, name: "2028" })).json.name).toBe("2028");
    expect((await call("GET", "/v1/folders.json/?folder_type=space")).json).toHaveLength(3);
    expect((await call("DELETE", `/v1/folders/${b.uuid}`)).status).toBe(200);
    expect((await call("GET", "/v1/folders.json/?folder_type=space")).json).toHaveLength(2);
  });

  it("reject invalid values with their fields, stale versions, and other owners' items as not found", async () => {
    const a = await makeFolder("a");
    const b = await makeFolder("b", { parent_uuid: a.uuid });
    expect(await call("POST", "/v1/folders", { name: "" })).toMatchObject({
      status: 400,
      json: { errors: [{ field: "name" }] },
    });
    expect(await call("POST", "/v1/folders", { name: "x", folder_type: "all" })).toMatchObject({
      status: 400,
      json: { errors: [{ field: "folder_type" }] },
    });
    expect(await call("PUT", `/v1/folders/${a.uuid}`, { parent_uuid: b.uuid })).toMatchObject({
      status: 400,
      json: {
        code: "into_itself",
        errors: [{ field: "parent_uuid", message: "A folder cannot be moved into itself." }],
      },
    });
    expect(await call("PUT", `/v1/folders/${a.uuid}`, { name: "x", version: 7 })).toMatchObject({
      status: 409,
      json: { code: "stale_version", saved: { uuid: a.uuid, name: "a" } },
    });
    const theirs = await testApp.services.tree.createFolder({
      actor: other.actor,
      folderType: "space",
      name: "c",
    });
    for (const [method, path, body] of [
      ["PUT", `/v1/folders/${theirs.id}`, { name: "x" }],
      ["DELETE", `/v1/folders/${theirs.id}`, undefined],
      ["DELETE", `/v1/folders/${randomUUID()}`, undefined],
      ["POST", "/v1/folders", { name: "x", parent_uuid: theirs.id }],
      ["POST", "/v1/folders", { name: "x", owner_uuid: other.user.id }],
      ["GET", `/v1/folders?owner_uuid=${other.user.id}`, undefined],
    ] as const)
      expect((await call(method, path, body)).status, `${method} ${path}`).toBe(404);
    expect((await call("GET", "/v1/folders", undefined, null)).status).toBe(401);
  });
});

describe("spaces", () => {
  it("are created in a folder, renamed, moved and deleted", async () => {
    const a = await makeFolder("a");
    const space = await makeSpace("本館", { folder_uuid: a.uuid });
    expect(space).toMatchObject({ name: "本館", folder_uuid: a.uuid, event_count: 1 });
    const b = await makeFolder("b");
    expect(
      (await call("PUT", `/v1/spaces/${space.uuid}.json/`, { name: "別館", folder_uuid: b.uuid })).json,
    ).toMatchObject({
      name: "別館",
      folder_uuid: b.uuid,
    });
    expect((await call("PUT", `/v1/spaces/${space.uuid}`, { version: 1 })).status).toBe(409);
    for (const [field, value] of [
      ["owner_uuid", other.user.id],
      ["group_id", randomUUID()],
      ["folder_uuid", "zzz"],
      ["uuid", "zzz"],
    ] as const) {
      const isNew = field === "uuid";
      const body = { [field]: value, name: "別" };
      const response = await call(isNew ? "POST" : "PUT", `/v1/spaces${isNew ? "" : `/${space.uuid}`}`, body);
      expect([response.status, response.json.errors?.[0]?.field]).toEqual([400, field]);
    }
    expect((await call("DELETE", `/v1/spaces/${space.uuid}`)).status).toBe(200);
    expect((await call("GET", `/v1/spaces/uuid/${space.uuid}`)).status).toBe(404);
  });

  it("are created from files, can later get other files and another start and lose the thumbnail, and stay unchanged if one field is invalid", async () => {
    const add = async (kind: "model" | "image") => (await testApp.addItem(owner, { kind })).id;
    const [model, other, image] = [await add("model"), await add("model"), await add("image")];
    const source = { kind: "model", media_uuid: model, eye_height: 1.5 };
    const created = await call("POST", "/v1/spaces", { name: "模型", source, poster_media_uuid: image });
    expect(created).toMatchObject({
      status: 200,
      json: { source_kind: "model", source: { ...source, start: null } },
    });
    const { uuid, sid } = created.json;
    const start = { position: [1, 1.5, 2], yaw: 1, pitch: 0, mode: "walk", node_id: null };
    const changed = await call("PUT", `/v1/spaces/${uuid}`, {
      version: 1,
      name: "新しい模型",
      poster_media_uuid: "",
      source: { ...source, media_uuid: other, start },
    });
    expect(changed).toMatchObject({
      status: 200,
      json: { sid, name: "新しい模型", poster_media_uuid: null, source: { media_uuid: other, start } },
    });
    // A client may send a read body back unchanged.
    expect((await call("PUT", `/v1/spaces/${uuid}`, changed.json)).json).toEqual(changed.json);
    const nodes = [{ id: "a", media_uuid: image, position: [0, 1.6, 0], links: ["b"] }];
    for (const [body, code, field] of [
      [{ source: { kind: "model", media_uuid: image } }, "source_media_kind", "source.media_uuid"],
      [{ source: { kind: "model", media_uuid: randomUUID() } }, "source_media", "source.media_uuid"],
      [{ source: { kind: "model" } }, "invalid", "source.media_uuid"],
      // JSON that is nested far deeper than any valid body.
      [`{"source":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "invalid_json", undefined],
      [{ source: { kind: "panorama", nodes } }, "invalid", "source.nodes.0.links"],
      [
        { source: { kind: "panorama", nodes: [{ ...nodes[0], media_uuid: 4, links: [] }] } },
        "invalid",
        "source.nodes.0.media_uuid",
      ],
      [{ source: { kind: "showcase", sid: "nothing" } }, "invalid_showcase_id", "source.sid"],
      [{ source: { kind: "showcase", sid: "SxQL3iGyoDo" } }, "source_kind", "source"],
      [{ source: [] }, "invalid", "source.kind"],
      [{ poster_media_uuid: other }, "picture_media", "poster_media_uuid"],
    ] as const) {
      const rejected = await call("PUT", `/v1/spaces/${uuid}`, body);
      expect([rejected.status, rejected.json.code, rejected.json.errors?.[0]?.field]).toEqual([
        400,
        code,
        field,
      ]);
    }
    // One invalid field prevents all others from being written.
    const changedBody = { name: "別", source: { ...source, eye_height: 2 } };
    const mediaRootId = await testApp.readRootFolderId(owner, "media");
    for (const wrong of [
      { poster_media_uuid: other },
      { poster_media_uuid: "zzz" },
      { folder_uuid: mediaRootId },
      { name: "" },
      { owner_uuid: "zzz" },
    ])
      expect((await call("PUT", `/v1/spaces/${uuid}`, { ...changedBody, ...wrong })).status).toBe(400);
    expect((await call("PUT", `/v1/spaces/${uuid}`, { version: 1, source })).status).toBe(409);
    expect((await call("GET", `/v1/spaces/uuid/${uuid}`)).json).toEqual([changed.json]);
  });

  it("are found in any kana, width and case, across all pages", async () => {
    await testApp.db.update(users).set({ spaceLicense: 20 });
    for (const name of ["ＡＢＣ ショールーム", "abc ロビー", "50% off_"]) {
      testApp.time.now += 1000;
      await makeSpace(name);
    }
    await makeFolder("abc");
    const names = async (query: string) =>
      (await call("GET", `/v1/spaces?${query}`)).json.map(({ name }: { readonly name: string }) => name);
    expect(await names("q=しょうるーむ")).toEqual([]);
    expect(await names(`q=${encodeURIComponent("しょーるーむ")}`)).toEqual(["ＡＢＣ ショールーム"]);
    expect(await names(`q=${encodeURIComponent("ﾛﾋﾞｰ")}`)).toEqual(["abc ロビー"]);
    expect(await names("q=ABC")).toEqual(["abc ロビー", "ＡＢＣ ショールーム"]);
    expect(await names("q=%25")).toEqual(["50% off_"]);
    const headers = async (query: string) => {
      const authorization = `Bearer ${ticket}`;
      const request = new Request(`https://hiroba.test/api/v1/spaces?${query}`, {
        headers: { authorization },
      });
      return (await callApi(testApp, request)).headers;
    };
    const firstHeaders = await headers("q=abc&limit=1");
    expect(firstHeaders.get("x-total-count")).toBe("2");
    const next = /\?([^>]+)>; rel="next"/.exec(firstHeaders.get("link") ?? "")?.[1] ?? "";
    expect(await names(next)).toEqual(["ＡＢＣ ショールーム"]);
    expect((await headers(next)).get("link")).toBeNull();
    for (const wrong of ["q=abc&page=2", "cursor=zzz", `q=${"x".repeat(101)}`, "page=0", "limit=101"])
      expect((await call("GET", `/v1/spaces?${wrong}`)).status, wrong).toBe(400);
  });

  it("reject a wrong showcase, and more spaces than the licence permits", async () => {
    expect(await call("POST", "/v1/spaces", { name: "x", sid: "nothing" })).toMatchObject({ status: 400 });
    for (const name of ["1", "2", "3"]) await makeSpace(name);
    expect(await call("POST", "/v1/spaces", { name: "4", sid: "SxQL3iGyoDo" })).toMatchObject({
      json: { code: "space_license" },
    });
  });
});

describe("batches", () => {
  it("report for each item whether it was moved", async () => {
    const [a, b] = [await makeFolder("a"), await makeFolder("b")];
    const space = await makeSpace("s");
    const unknownId = randomUUID();
    expect(
      await call("PUT", "/batch_update", {
        folders: [
          { uuid: b.uuid, data: { parent_uuid: a.uuid } },
          { uuid: a.uuid, data: { parent_uuid: a.uuid } },
          { uuid: unknownId, data: { parent_uuid: a.uuid } },
        ],
      }),
    ).toEqual({
      status: 200,
      json: {
        status: "success",
        results: {
          folders: {
            success: [b.uuid],
            fail: [a.uuid, unknownId],
            reasons: [
              { uuid: a.uuid, code: "into_itself" },
              { uuid: unknownId, code: "gone" },
            ],
          },
        },
      },
    });
    const moved = await call("PUT", "/batch_update", {
      spaces: [{ uuid: space.uuid, data: { folder_uuid: b.uuid } }],
    });
    expect(moved.json.results).toEqual({ spaces: { success: [space.uuid], fail: [], reasons: [] } });
    const response = await call("PUT", "/batch_update", {
      spaces: [{ uuid: space.uuid, data: { folder_uuid: unknownId } }],
    });
    expect(response.json.results).toEqual({
      spaces: { success: [], fail: [space.uuid], reasons: [{ uuid: space.uuid, code: "gone" }] },
    });
  });

  it("report for each item whether it was deleted", async () => {
    const a = await makeFolder("a");
    const theirs = await testApp.addSpace(other);
    const { json } = await call("POST", "/batch_delete", { folders: [a.uuid], spaces: [theirs.space.id] });
    expect(json).toEqual({
      status: "success",
      results: {
        folders: { success: [a.uuid], fail: [], reasons: [] },
        spaces: { success: [], fail: [theirs.space.id], reasons: [{ uuid: theirs.space.id, code: "gone" }] },
      },
    });
  });

  it("reject invalid lists, deletions of more than 500 items, and moves into more than 20 folders", async () => {
    for (const body of [{ folders: "x" }, { folders: Array.from({ length: 501 }, () => randomUUID()) }])
      expect((await call("POST", "/batch_delete", body)).status, JSON.stringify(body).slice(0, 40)).toBe(400);
    const data = () => ({ folder_uuid: randomUUID() });
    const many = Array.from({ length: 21 }, () => ({ uuid: randomUUID(), data: data() }));
    expect(await call("PUT", "/batch_update", { spaces: many })).toMatchObject({
      status: 400,
      json: { errors: [{ field: "spaces", message: expect.stringContaining("20 folders") as string }] },
    });
  });

  it("report malformed ids and data, and process the others", async () => {
    const a = await makeFolder("a");
    const space = await makeSpace("s");
    const batchItem = (uuid: unknown, data: unknown) => ({ uuid, data });
    expect(
      (
        await call("PUT", "/batch_update", {
          spaces: [
            batchItem(space.uuid.toUpperCase(), { folder_uuid: a.uuid }),
            batchItem("zzz", { folder_uuid: a.uuid }),
            batchItem(space.uuid, { folder_uuid: "zzz" }),
            batchItem(space.uuid, { parent_uuid: a.uuid }),
            ...[null, 1, "x", [], batchItem({}, null)],
          ],
        })
      ).json.results,
    ).toEqual({
      spaces: {
        success: [space.uuid],
        fail: ["zzz", space.uuid, space.uuid],
        reasons: [
          { uuid: "zzz", code: "malformed", field: "uuid" },
          { uuid: space.uuid, code: "malformed", field: "data.folder_uuid" },
          { uuid: space.uuid, code: "malformed", field: "data.folder_uuid" },
          ...[1, 2, 3, 4, 5].map(() => ({ uuid: null, code: "malformed", field: "uuid" })),
        ],
      },
    });
    const { json } = await call("POST", "/batch_delete", {
      folders: ["zzz"],
      spaces: [space.uuid, 1, "", { uuid: space.uuid }],
      media: [],
    });
    const malformed = (uuid: string | null) => ({ uuid, code: "malformed" });
    expect(json).toEqual({
      status: "success",
      results: {
        folders: { success: [], fail: ["zzz"], reasons: [malformed("zzz")] },
        spaces: {
          success: [space.uuid],
          fail: [""],
          reasons: [malformed(null), malformed(""), malformed(null)],
        },
      },
    });
    const copied = await call("POST", "/batch_copy", {
      folders: [batchItem(a.uuid, { parent_uuid: a.uuid }), batchItem("zzz", {})],
    });
    expect(copied.json.results.folders).toMatchObject({
      success: [a.uuid],
      fail: ["zzz"],
      reasons: [{ uuid: "zzz", code: "malformed" }],
    });
  });
});
