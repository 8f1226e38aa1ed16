/** Tests the upload store in workerd, whose streams differ from Node's. */
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../scripts/lib/local/local-product";
import { startBundledWorker } from "../../tests/support/bundled-worker";
import { HTML, pngFile, zeros } from "../../tests/support/files/media-files";

/** Uploads files by a form, as a page does: the service over D1 and R2, in the same worker. */
const FORM = `
import { repositories } from "#functions/data/shared/repositories";
import { r2FileStore } from "#functions/media/file-store";
import { readPostedFiles } from "#functions/http/read-files";
import { uploadServices } from "#functions/services/library/uploads";
const actor = { userId: "00000000-0000-4000-8000-000000000001", role: "user", groupIds: [] };
const storeForm = async (request, env) => {
  const ids = { uuid: () => crypto.randomUUID() };
  const files = r2FileStore(env.FILES);
  const services = uploadServices({
    ...repositories(env.DB), uploadStore: r2UploadStore(env.FILES), files, ids, clock: { now: Date.now },
  });
  const posted = readPostedFiles(request, "file");
  const results = await services.storeFiles({ actor, declaredBytes: posted.declaredBytes, files: posted.files });
  return results.map((one) => ("item" in one ? [one.item.kind, one.item.byteSize] : [one.rejection.code, 0]));
};`;

/**
 * Worker with one route per test step: /form, /begin, /part?id&number&size(&sniff), the same with a failing store as
 * /broken, /complete?id&etags, /inspect, /discard?id, /list.
 */
const SCRIPT = `${FORM}
import { r2UploadStore } from "#functions/media/upload-store";
import { drainBody } from "#functions/http/read-body";
import { sniffMedia } from "~/domain/library/sniff-media";
const failingBucket = {
  resumeMultipartUpload: () => ({
    async uploadPart(_number, body) {
      const reader = body.getReader();
      await reader.read();
      await reader.cancel();
      throw new Error("Network connection lost.");
    },
  }),
};
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const get = (name) => searchParams.get(name);
    const store = r2UploadStore(pathname === "/broken" ? failingBucket : env.FILES);
    const slice = { fileKey: "k", multipartId: get("id") ?? "", number: Number(get("number")) };
    const putSlice = () =>
      store.putSlice(slice, request.body, Number(get("size")), get("sniff") ? async (head) => (await sniffMedia(head, "a")) !== null : null);
    const calls = {
      "/form": () => storeForm(request, env),
      "/begin": () => store.begin("k"),
      "/part": putSlice,
      "/broken": () => putSlice().catch((error) => error.message),
      "/complete": () => store.complete("k", slice.multipartId, get("etags").split(" ").map((etag, i) => ({ number: i + 1, etag }))),
      "/inspect": async () => store.inspect("k", "a", (await env.FILES.head("k")).size),
      "/discard": async () => (await store.discard("k", slice.multipartId), null),
      "/list": async () => (await env.FILES.list()).objects.map(({ key, size }) => key + " " + size),
    };
    const value = await calls[pathname]();
    await drainBody(request.body, 1e7);
    return Response.json(value);
  },
};`;

let mf: Miniflare;
let origin: URL;

beforeAll(async () => {
  mf = await startBundledWorker(SCRIPT, { r2Buckets: ["FILES"], d1Databases: ["DB"] });
  const db = await mf.getD1Database("DB");
  await migrate(db);
  await db
    .prepare(
      `INSERT INTO users (id, email, email_key, search_key, password_hash, first_name, last_name, company_name, role, status, space_license,
        storage_limit, language, time_zone, created_at, updated_at)
      VALUES ('00000000-0000-4000-8000-000000000001', 'a@demo.example', 'a@demo.example', 'a', 'x', 'a', 'b', 'c', 'user', 'ACTIVATED', 1,
        20000000, 'ja', 'Asia/Tokyo', '2026-04-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z')`,
    )
    .run();
  origin = await mf.ready;
});
afterAll(() => mf.dispose());

const sendRequest = async (path: string, body?: Uint8Array | ReadableStream<Uint8Array>) => {
  const init = body ? ({ method: "PUT", body, duplex: "half" } as RequestInit) : {};
  const text = await (await fetch(new URL(path, origin), init)).text();
  if (!/^["[{n\d]/.test(text)) throw new Error(text);
  return JSON.parse(text) as never;
};
const PART = 5 * 1024 * 1024;

it("stores slices in any order and completes them", async () => {
  const bytes = pngFile(4, 3, 2 * PART);
  const id: string = await sendRequest("/begin");
  const put = (number: number, query = "") => {
    const slice = bytes.slice((number - 1) * PART, number * PART);
    return sendRequest(
      `/part?id=${encodeURIComponent(id)}&number=${number}&size=${slice.length}${query}`,
      slice,
    ) as Promise<{ etag: string }>;
  };
  const [third, second, first] = await Promise.all([put(3), put(2), put(1, "&sniff=1")]);
  const etags = [first, second, third].map((part) => (part as { etag: string }).etag).join(" ");
  expect(await sendRequest(`/complete?id=${encodeURIComponent(id)}&etags=${encodeURIComponent(etags)}`)).toBe(
    bytes.length,
  );
  expect(await sendRequest("/inspect")).toMatchObject({
    file: { mimeType: "image/png", width: 4, height: 3 },
  });
  // The second call finds the completed file.
  expect(await sendRequest(`/complete?id=${encodeURIComponent(id)}&etags=${encodeURIComponent(etags)}`)).toBe(
    bytes.length,
  );
  await sendRequest(`/discard?id=${encodeURIComponent(id)}`);
  expect(await sendRequest("/list")).toEqual([]);
});

it("rejects a slice that is longer or shorter than expected, with and without Content-Length", async () => {
  const id = encodeURIComponent(await sendRequest("/begin"));
  const bytes = pngFile(4, 3, 200_000);
  // A client that is still sending when the response arrives may find the connection closed.
  const rejection = async (path: string, body: Uint8Array | ReadableStream<Uint8Array>) => {
    const response = await sendRequest(path, body).catch((error: Error) => String(error.cause ?? error));
    expect(response).toMatch(/^wrong_size$|ECONNRESET|EPIPE/);
  };
  for (const query of ["", "&sniff=1"])
    for (const size of [bytes.length - 1, bytes.length + 1, 100]) {
      await rejection(`/part?id=${id}&number=1&size=${size}${query}`, bytes);
      // This body has no length; it is sent in chunks.
      const stream = new Response(new Uint8Array(bytes)).body as ReadableStream<Uint8Array>;
      await rejection(`/part?id=${id}&number=1&size=${size}${query}`, stream);
    }
  const chunked = new Response(new Uint8Array(bytes)).body as ReadableStream<Uint8Array>;
  const storedPart: { etag: string } = await sendRequest(
    `/part?id=${id}&number=1&size=${bytes.length}`,
    chunked,
  );
  expect(storedPart.etag).not.toBe("");
  expect(await sendRequest(`/part?id=${id}&number=1&size=${bytes.length}`)).toBe("wrong_size");
  expect(await sendRequest(`/complete?id=${id}&etags=${encodeURIComponent(storedPart.etag)}`)).toBe(
    bytes.length,
  );
});

it("does not blame the client for a store that fails", async () => {
  const bytes = pngFile(4, 3, 200_000);
  const responses: string[] = [];
  // A client that is still sending when the response arrives may find the connection closed.
  for (const query of ["", "&sniff=1", "", "&sniff=1", "", "&sniff=1"])
    await sendRequest(`/broken?id=x&number=1&size=${bytes.length}${query}`, bytes).then(
      (response) => responses.push(response),
      (error: Error) => expect(String(error.cause ?? error)).toMatch(/ECONNRESET|EPIPE/),
    );
  expect(new Set(responses)).toEqual(new Set(["Network connection lost."]));
});

it("rejects by the first bytes, and recognises an upload that has ended", async () => {
  const id = encodeURIComponent(await sendRequest("/begin"));
  expect(await sendRequest(`/part?id=${id}&number=1&size=${HTML.length}&sniff=1`, HTML)).toBe("rejected");
  const large = new Uint8Array(Buffer.concat([HTML, zeros(PART)]));
  expect(await sendRequest(`/part?id=${id}&number=1&size=${large.length}&sniff=1`, large)).toBe("rejected");
  await sendRequest(`/discard?id=${id}`);
  await sendRequest(`/discard?id=${id}`);
  for (const query of ["", "&sniff=1"])
    expect(await sendRequest(`/part?id=${id}&number=1&size=${pngFile().length}${query}`, pngFile())).toBe(
      "gone",
    );
  expect(await sendRequest(`/complete?id=${id}&etags=x`)).toBe(null);
});

it("stores the accepted files of a form, and no file of a form that is too large for the library", async () => {
  const large = pngFile(4, 3, 9_000_000);
  const form = new FormData();
  form.append("folder", "x");
  for (const bytes of [pngFile(), HTML, large, zeros(9_000_000), pngFile(9, 9).subarray(0, 40)])
    form.append("file", new Blob([new Uint8Array(bytes)]), "写真.png");
  const response = await fetch(new URL("/form", origin), { method: "PUT", body: form });
  expect(await response.json()).toEqual([
    ["image", pngFile().length],
    ["upload_kind", 0],
    ["image", large.length],
    ["upload_kind", 0],
    ["upload_damaged", 0],
  ]);
  expect(await sendRequest("/list")).toHaveLength(2);
  // The length alone is too much for the library. The worker reads nothing, and may close the connection before the
  // client has sent everything.
  const secondUpload = fetch(new URL("/form", origin), { method: "PUT", body: form });
  expect(
    await secondUpload.then(
      ({ ok }) => ok,
      () => false,
    ),
  ).toBe(false);
  expect(await sendRequest("/list")).toHaveLength(2);
});
