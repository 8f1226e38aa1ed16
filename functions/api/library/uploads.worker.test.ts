import { beforeEach, describe, expect, it } from "vitest";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import {
  concatBytes,
  HTML,
  jpegFile,
  plyFile,
  pngFile,
  zeros,
} from "../../../tests/support/files/media-files";
import { libraryItems, uploads } from "../../data/schema";

const testApp = useTestApp();
let owner: TestUser;
let ticket: string;

const logIn = async (email: string) =>
  (await testApp.services.sessions.logIn({ email, password: PASSWORD, userAgent: "", network: "1" })).ticket;

beforeEach(async () => {
  const { objects } = await testApp.files.list();
  if (objects.length > 0) await testApp.files.delete(objects.map(({ key }) => key));
  owner = await testApp.addUser({ email: "owner@demo.example" });
  ticket = await logIn("owner@demo.example");
});

type RequestBody = Uint8Array | object;
async function call(method: string, path: string, body?: RequestBody, headers: Record<string, string> = {}) {
  const isRaw = body instanceof Uint8Array;
  const init: RequestInit = {
    method,
    headers: {
      authorization: `Bearer ${ticket}`,
      ...(body && !isRaw ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(body ? { body: isRaw ? new Uint8Array(body) : JSON.stringify(body) } : {}),
  };
  const response = await callApi(testApp, new Request(`https://hiroba.test/api${path}`, init));
  const text = await response.text();
  return { status: response.status, json: text === "" ? null : JSON.parse(text) };
}

async function send(bytes: Uint8Array, file_name = "a.png", overrides: object = {}) {
  const begun = await call("POST", "/v1/uploads", { file_name, byte_size: bytes.length, ...overrides });
  const { uuid } = begun.json as { uuid: string };
  await call("PUT", `/v1/uploads/${uuid}/parts/1`, bytes);
  return { uuid, done: await call("POST", `/v1/uploads/${uuid}/complete`, {}) };
}

describe("uploads over the API", () => {
  it("are started, sent, listed and completed as an item", async () => {
    const bytes = jpegFile(40, 30);
    const begun = await call("POST", "/v1/uploads", {
      file_name: "C:\\写真\n.jpg",
      byte_size: bytes.length,
      fingerprint: "a-1",
      folder_uuid: null,
    });
    expect(begun.status).toBe(200);
    const { uuid, media_uuid } = begun.json as { uuid: string; media_uuid: string };
    expect(begun.json).toEqual({
      uuid,
      media_uuid,
      folder_uuid: await testApp.readRootFolderId(owner, "media"),
      owner_uuid: owner.user.id,
      replaces_uuid: null,
      file_name: "C__写真_.jpg",
      byte_size: bytes.length,
      part_size: 8 * 1024 * 1024,
      fingerprint: "a-1",
      parts: [],
      created_at: "2026-04-01T00:00:00.000Z",
      expires_at: "2026-04-02T00:00:00.000Z",
    });
    const part = { number: 1, byte_size: bytes.length };
    expect(await call("PUT", `/v1/uploads/${uuid}/parts/1`, bytes)).toEqual({ status: 200, json: part });
    const startedUpload = { ...(begun.json as object), parts: [part] };
    expect(await call("GET", `/v1/uploads/${uuid}`)).toEqual({ status: 200, json: startedUpload });
    expect(await call("GET", "/v1/uploads")).toEqual({ status: 200, json: [startedUpload] });
    const done = await call("POST", `/v1/uploads/${uuid}/complete`, {});
    expect(done).toMatchObject({
      status: 200,
      json: {
        uuid: media_uuid,
        kind: "image",
        title: "C__写真_",
        mime_type: "image/jpeg",
        width: 40,
        height: 30,
        duration: null,
        file_url: `/media/${media_uuid}/${uuid.slice(-8)}`,
        version: 1,
      },
    });
    expect(JSON.stringify(done.json)).not.toContain("library/");
    expect((await call("POST", `/v1/uploads/${uuid}/complete`, {})).status).toBe(404);
    for (const wrong of ["zzz", 7, {}, [media_uuid]])
      expect(await call("POST", `/v1/uploads/${uuid}/complete`, { media_uuid: wrong })).toMatchObject({
        status: 400,
        json: { errors: [{ field: "media_uuid", message: "This value is not valid." }] },
      });
    const secondResponse = await call("POST", `/v1/uploads/${uuid}/complete`, { media_uuid });
    expect(secondResponse).toEqual({ status: 200, json: done.json });
  });

  it("are rejected with a code and the name of an invalid field, and not stored", async () => {
    const begin = (body: object) => call("POST", "/v1/uploads", body);
    const file = { file_name: "a.png", byte_size: 10 };
    for (const [body, code, field] of [
      [{ ...file, byte_size: 0 }, "upload_empty", "byte_size"],
      [{ ...file, byte_size: 300 * 1024 * 1024 + 1 }, "upload_too_large", "byte_size"],
      [{ ...file, byte_size: "10" }, "invalid", "byte_size"],
      [{ ...file, byte_size: -1 }, "invalid", "byte_size"],
      [{ ...file, byte_size: 1.5 }, "invalid", "byte_size"],
      [{ ...file, file_name: "" }, "invalid", "file_name"],
      [{ byte_size: 10 }, "invalid", "file_name"],
      [{ ...file, file_name: "x".repeat(500_000) }, "invalid", "file_name"],
      [{ ...file, folder_uuid: "x" }, "invalid", "folder_uuid"],
      [{ ...file, owner_uuid: 7 }, "invalid", "owner_uuid"],
      [{ ...file, replaces_uuid: {} }, "invalid", "replaces_uuid"],
      [{ ...file, fingerprint: "\n" }, "invalid", "fingerprint"],
    ] as const) {
      const { status, json } = await begin(body);
      expect(
        { status, code: json.code, field: json.errors?.[0]?.field },
        JSON.stringify(body).slice(0, 80),
      ).toEqual({ status: 400, code, field });
    }
    expect(await begin({ ...file, byte_size: 2_000_000 })).toMatchObject({
      status: 403,
      json: { code: "library_capacity" },
    });
    expect(await begin({ ...file, file_name: "x".repeat(1_100_000) })).toMatchObject({ status: 413 });
    expect(await testApp.db.select().from(uploads)).toEqual([]);
  });

  it("state the format of a file that is rejected on completion, as a message and as values", async () => {
    const theora = concatBytes("OggS", zeros(24), "\x80theora", zeros(400));
    const { done } = await send(theora, "a.ogv");
    expect(done).toMatchObject({
      status: 400,
      json: { code: "upload_format", values: { codec: "Theora", format: "film" } },
    });
    expect((done.json as { detail: string }).detail).toContain("Theora");
  });

  it("name the external files of a glTF file, with advice", async () => {
    const model = {
      asset: { version: "2.0" },
      buffers: [{ uri: "scene.bin", byteLength: 36 }],
      images: [{ uri: "textures/wood.png" }],
    };
    const { done } = await send(concatBytes(JSON.stringify(model)), "a.gltf");
    expect(done).toMatchObject({
      status: 400,
      json: { code: "upload_model_files", values: { files: "scene.bin, textures/wood.png" } },
    });
    expect((done.json as { detail: string }).detail).toMatch(/scene\.bin, textures\/wood\.png.*(ZIP|GLB)/);
  });

  it("accept only slices with the right number and size, and can be cancelled", async () => {
    const bytes = pngFile();
    const begun = await call("POST", "/v1/uploads", { file_name: "a.png", byte_size: bytes.length });
    const { uuid } = begun.json as { uuid: string };
    const put = (number: string, body: Uint8Array, headers = {}) =>
      call("PUT", `/v1/uploads/${uuid}/parts/${number}`, body, headers);
    const wrong = { status: 400, json: { code: "upload_part_size" } };
    expect(
      await put("1", zeros(bytes.length + 1), { "content-length": String(bytes.length + 1) }),
    ).toMatchObject(wrong);
    expect(await put("1", bytes.subarray(1))).toMatchObject(wrong);
    for (const number of ["0", "2", "x", "1.5", "999999"])
      expect(await put(number, bytes)).toMatchObject(wrong);
    expect(await call("POST", `/v1/uploads/${uuid}/complete`, {})).toMatchObject({
      status: 400,
      json: {
        code: "upload_incomplete",
        detail: "Parts of this file are missing: 1. Send them, then complete the upload again.",
        values: { missing: "1" },
      },
    });
    expect(await put("1", bytes)).toMatchObject({ status: 200 });
    expect(await call("DELETE", `/v1/uploads/${uuid}`)).toEqual({
      status: 200,
      json: { status: "success", uuid },
    });
    expect(await put("1", bytes)).toMatchObject({ status: 404, json: { code: "upload_gone" } });
    expect((await testApp.files.list()).objects).toEqual([]);
  });

  it("reject an unsupported file type with the first slice", async () => {
    const begun = await call("POST", "/v1/uploads", { file_name: "a.png", byte_size: HTML.length });
    const { uuid } = begun.json as { uuid: string };
    expect(await call("PUT", `/v1/uploads/${uuid}/parts/1`, HTML)).toMatchObject({
      status: 400,
      json: { code: "upload_kind" },
    });
    expect(await call("GET", `/v1/uploads/${uuid}`)).toMatchObject({ status: 404 });
  });

  it("replace the file of an item", async () => {
    const first = await send(pngFile());
    const { uuid } = first.done.json as { uuid: string };
    const second = await send(jpegFile(9, 8), "b.jpg", { replaces_uuid: uuid.toUpperCase() });
    expect(second.done).toMatchObject({ status: 200, json: { uuid, title: "a", width: 9, version: 2 } });
    expect(await testApp.db.select().from(libraryItems)).toHaveLength(1);
  });

  it("set a thumbnail", async () => {
    const { done } = await send(plyFile(), "a.ply");
    const { uuid } = done.json as { uuid: string };
    const set = (bytes: Uint8Array) => call("PUT", `/v1/media/${uuid}/thumbnail`, bytes);
    expect(done.json).toMatchObject({ kind: "splat", picture_url: null });
    const { status, json } = await set(pngFile(320, 200));
    expect(status).toBe(200);
    expect((json as { picture_url: string }).picture_url).toMatch(
      new RegExp(`^/media/${uuid}/[0-9a-f]{8}\\?w=320$`),
    );
    for (const bytes of [HTML, zeros(300_000)])
      expect(await set(bytes)).toMatchObject({ status: 400, json: { code: "upload_thumbnail" } });
  });

  it("reject unauthenticated callers, other sites' pages and other users", async () => {
    const cookie = { authorization: "", cookie: `__Host-session-ticket=${ticket}` };
    const body = { file_name: "a.png", byte_size: 10 };
    const begin = (headers: Record<string, string>) => {
      const request = new Request("https://hiroba.test/api/v1/uploads", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      return callApi(testApp, request);
    };
    expect((await begin({})).status).toBe(401);
    expect((await begin({ cookie: cookie.cookie, origin: "https://evil.example" })).status).toBe(403);
    const begun = await begin({ cookie: cookie.cookie, origin: "https://hiroba.test" });
    expect(begun.status).toBe(200);
    const { uuid } = (await begun.json()) as { uuid: string };
    await testApp.addUser({ email: "other@demo.example" });
    ticket = await logIn("other@demo.example");
    for (const [method, path] of [
      ["GET", `/v1/uploads/${uuid}`],
      ["DELETE", `/v1/uploads/${uuid}`],
      ["PUT", `/v1/uploads/${uuid}/parts/1`],
      ["POST", `/v1/uploads/${uuid}/complete`],
    ] as const)
      expect(
        await call(method, path, method === "PUT" ? zeros(10) : method === "POST" ? {} : undefined),
      ).toMatchObject({ status: 404, json: { code: "upload_gone" } });
    expect((await call("PATCH", `/v1/uploads/${uuid}`)).status).toBe(405);
  });
});
