/** The store of uploads in workerd itself: what Node's streams cannot show. */
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fromRoot } from "../../scripts/lib/paths";
import { HTML, pngFile, zeros } from "../../tests/support/media-files";

/** One request a call: /begin, /part?id&number&size(&look), /complete?id&etags, /inspect, /discard?id. */
const SCRIPT = `
import { r2UploadStore } from "#functions/media/upload-store";
import { sniffMedia } from "~/domain/media-kind";
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const get = (name) => searchParams.get(name);
    const store = r2UploadStore(env.FILES);
    const place = { fileKey: "k", multipartId: get("id") ?? "", number: Number(get("number")) };
    const calls = {
      "/begin": () => store.begin("k"),
      "/part": () => store.putSlice(place, request.body, Number(get("size")), get("look") ? (head) => sniffMedia(head, "a") !== null : null),
      "/complete": () => store.complete("k", place.multipartId, get("etags").split(" ").map((etag, i) => ({ number: i + 1, etag }))),
      "/inspect": async () => store.inspect("k", "a", (await env.FILES.head("k")).size),
      "/discard": async () => (await store.discard("k", place.multipartId), null),
      "/list": async () => (await env.FILES.list()).objects.map(({ key, size }) => key + " " + size),
    };
    return Response.json(await calls[pathname]());
  },
};`;

let mf: Miniflare;
let origin: URL;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: fromRoot(), loader: "js" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    alias: { "~": fromRoot("app"), "#functions": fromRoot("functions") },
  });
  mf = new Miniflare({
    modules: true,
    script: outputFiles[0]?.text ?? "",
    compatibilityDate: "2026-07-01",
    r2Buckets: ["FILES"],
  });
  origin = await mf.ready;
});
afterAll(() => mf.dispose());

const ask = async (path: string, body?: Uint8Array | ReadableStream<Uint8Array>) => {
  const init = body ? ({ method: "PUT", body, duplex: "half" } as RequestInit) : {};
  return (await (await fetch(new URL(path, origin), init)).json()) as never;
};
const PART = 5 * 1024 * 1024;

it("sends slices on in any order, and puts them together", async () => {
  const bytes = pngFile(4, 3, 2 * PART);
  const id: string = await ask("/begin");
  const put = (number: number, look = "") => {
    const slice = bytes.slice((number - 1) * PART, number * PART);
    return ask(
      `/part?id=${encodeURIComponent(id)}&number=${number}&size=${slice.length}${look}`,
      slice,
    ) as Promise<{ etag: string }>;
  };
  const [third, second, first] = await Promise.all([put(3), put(2), put(1, "&look=1")]);
  const etags = [first, second, third].map((one) => (one as { etag: string }).etag).join(" ");
  expect(await ask(`/complete?id=${encodeURIComponent(id)}&etags=${encodeURIComponent(etags)}`)).toBe(
    bytes.length,
  );
  expect(await ask("/inspect")).toMatchObject({ medium: { mimeType: "image/png", width: 4, height: 3 } });
  // Asked again, it is there already.
  expect(await ask(`/complete?id=${encodeURIComponent(id)}&etags=${encodeURIComponent(etags)}`)).toBe(
    bytes.length,
  );
  await ask(`/discard?id=${encodeURIComponent(id)}`);
  expect(await ask("/list")).toEqual([]);
});

it("keeps nothing of a slice that is longer, shorter or cut off, whatever its sender says", async () => {
  const id = encodeURIComponent(await ask("/begin"));
  const bytes = pngFile(4, 3, 200_000);
  for (const look of ["", "&look=1"])
    for (const size of [bytes.length - 1, bytes.length + 1, 100]) {
      expect(await ask(`/part?id=${id}&number=1&size=${size}${look}`, bytes)).toBe("wrong_size");
      // Without a length of its own: chunked.
      const stream = new Response(new Uint8Array(bytes)).body as ReadableStream<Uint8Array>;
      expect(await ask(`/part?id=${id}&number=1&size=${size}${look}`, stream)).toBe("wrong_size");
    }
  const chunked = new Response(new Uint8Array(bytes)).body as ReadableStream<Uint8Array>;
  const stored: { etag: string } = await ask(`/part?id=${id}&number=1&size=${bytes.length}`, chunked);
  expect(stored.etag).not.toBe("");
  expect(await ask(`/part?id=${id}&number=1&size=${bytes.length}`)).toBe("wrong_size");
  expect(await ask(`/complete?id=${id}&etags=${encodeURIComponent(stored.etag)}`)).toBe(bytes.length);
});

it("refuses by the first bytes, and knows an upload that has ended", async () => {
  const id = encodeURIComponent(await ask("/begin"));
  expect(await ask(`/part?id=${id}&number=1&size=${HTML.length}&look=1`, HTML)).toBe("refused");
  const large = new Uint8Array(Buffer.concat([HTML, zeros(PART)]));
  expect(await ask(`/part?id=${id}&number=1&size=${large.length}&look=1`, large)).toBe("refused");
  await ask(`/discard?id=${id}`);
  await ask(`/discard?id=${id}`);
  for (const look of ["", "&look=1"])
    expect(await ask(`/part?id=${id}&number=1&size=${pngFile().length}${look}`, pngFile())).toBe("gone");
  expect(await ask(`/complete?id=${id}&etags=x`)).toBe(null);
});
